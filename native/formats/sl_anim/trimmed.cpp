// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>

#include "formats/sl_anim/edit.h"
#include "formats/sl_anim/encode.h"
#include "formats/sl_anim/keys.h"
#include "formats/sl_anim/quantise.h"

namespace animbridge::sl_anim {

namespace {

/// Times in a part of an animation.
class KeptSpan {
public:
    KeptSpan(float duration_seconds, const TrimSpan& span) : before_(duration_seconds), span_(span) {}

    [[nodiscard]] double duration_seconds() const { return span_.end_seconds - span_.start_seconds; }
    /// A time of the whole animation, relative to the part and clamped to it.
    [[nodiscard]] double moved(double seconds) const {
        return std::clamp(seconds - span_.start_seconds, 0.0, duration_seconds());
    }

    /// `Keys`: as played. Encodes one value at a time.
    template <typename Keys, typename Encode>
    [[nodiscard]] std::vector<CodedKey> of(const std::vector<CodedKey>& all, const Keys& played,
                                           Encode encode) const {
        std::vector<CodedKey> kept;
        bool has_earlier = false;
        bool has_later = false;
        bool is_at_start = false;
        bool is_at_end = false;
        for (const CodedKey& key : all) {
            const double seconds = decode_time(key.time, before_);
            const double from_start = seconds - span_.start_seconds;
            const double to_end = span_.end_seconds - seconds;
            has_earlier = has_earlier || from_start < -half_step();
            has_later = has_later || to_end < -half_step();
            if (from_start >= -half_step() && to_end >= -half_step()) {
                is_at_start = is_at_start || from_start <= half_step();
                is_at_end = is_at_end || to_end <= half_step();
                kept.push_back({code_of(moved(seconds)), key.xyz});
            }
        }
        if (has_earlier && !is_at_start) {
            kept.insert(kept.begin(), cut_at(span_.start_seconds, 0, played, encode));
        }
        if (has_later && !is_at_end) {
            kept.push_back(cut_at(span_.end_seconds, last_code, played, encode));
        }
        return kept;
    }

private:
    static constexpr std::uint16_t last_code = 65535;

    /// Half of the steps in which the file stores times: keys nearer to a cut are at it.
    [[nodiscard]] double half_step() const { return 0.5 * static_cast<double>(before_ * code_step); }
    [[nodiscard]] std::uint16_t code_of(double seconds) const {
        return static_cast<std::uint16_t>(std::lround(seconds / duration_seconds() * last_code));
    }
    template <typename Keys, typename Encode>
    static CodedKey cut_at(double seconds, std::uint16_t code, const Keys& played, Encode encode) {
        CodedKey key = encode(value_at(played, static_cast<float>(seconds)));
        key.time = code;
        return key;
    }

    float before_;
    TrimSpan span_;
};

}  // namespace

Result<Document> trimmed(Document document, const Trim& trim) {
    const float duration = document.duration.value();
    TRY(const TrimSpan span, trim.in(static_cast<double>(duration), 0.0));
    const KeptSpan part(duration, span);
    constexpr Encoder encoder = Encoder::upload;
    for (Joint& joint : document.joints) {
        joint.rotation.coded =
            part.of(joint.rotation.coded, as_played(decode_rotations(joint.rotation, duration)),
                    [](const Quaternion& q) {
                        return encode_rotations({{0.0F}, {q}}, 1.0F, encoder).front();
                    });
        joint.position.coded = part.of(
            joint.position.coded, as_played(decode_positions(joint.position, duration)), [](const Vector& v) {
                return encode_positions({{0.0F}, {v}}, 1.0F, encoder).front();
            });
    }
    const auto moved = [&](RawFloat seconds) {
        return RawFloat(static_cast<float>(part.moved(static_cast<double>(seconds.value()))));
    };
    document.duration = RawFloat(static_cast<float>(part.duration_seconds()));
    document.loop_in_point = moved(document.loop_in_point);
    document.loop_out_point = moved(document.loop_out_point);
    if (!(document.loop_in_point.value() < document.loop_out_point.value())) {
        document.loop_in_point = RawFloat(0.0F);
        document.loop_out_point = document.duration;
    }
    for (Constraint& constraint : document.constraints) {
        for (RawFloat* time : {&constraint.ease_in_start, &constraint.ease_in_stop,
                               &constraint.ease_out_start, &constraint.ease_out_stop}) {
            *time = moved(*time);
        }
    }
    return document;
}

}  // namespace animbridge::sl_anim

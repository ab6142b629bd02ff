// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>

#include "base/text_table.h"
#include "formats/oban/curves.h"
#include "formats/oban/export.h"
#include "formats/oban/export_report.h"

namespace animbridge::oban {

namespace {

constexpr std::size_t location_curves = 3;
constexpr std::size_t all_curves = 7;

/// The fast path cannot do it; sampling can.
tl::unexpected<Error> sample_instead(std::string reason) {
    return fail(ErrorCode::invalid_argument, std::move(reason) + "; sample the object instead");
}

/// The curves by location 0..2, quaternion 0..3; nullptr: none.
using CurveTable = std::array<const rig::CurveView*, all_curves>;

Result<CurveTable> curve_table(std::span<const rig::CurveView> curves, KeptChannels kept) {
    CurveTable table{};
    for (const rig::CurveView& curve : curves) {
        const bool is_location = curve.channel == rig::BoneChannel::location;
        if (curve.bone != rig::no_bone || (!is_location && curve.channel != rig::BoneChannel::quaternion)) {
            return sample_instead("a curve is neither location nor quaternion of the object itself");
        }
        const std::size_t row = (is_location ? 0 : location_curves) + curve.component;
        if (table.at(row) != nullptr) {
            return fail(ErrorCode::invalid_argument,
                        "found two curves of " +
                            std::string(is_location ? "location" : "rotation_quaternion") + "[" +
                            std::to_string(curve.component) + "]; allowed is one");
        }
        const auto& kinds = curve.interpolation;
        // The last key has nothing behind it to lead to.
        if (!kinds.empty() &&
            std::any_of(kinds.begin(), kinds.end() - 1, [](auto kind) { return kind != 1; })) {
            return sample_instead("a key is not linear");
        }
        table.at(row) = &curve;
    }
    for (std::size_t row = 0; row < all_curves; ++row) {
        if (table.at(row) == nullptr && !(row < location_curves ? kept.location : kept.rotation)) {
            return sample_instead("one of the seven curves of location and quaternion is missing");
        }
    }
    return table;
}

/// What the base's keys are in the scene.
struct BaseKeys {
    std::vector<float> frames;
    std::vector<ObjectKey> keys;
};

BaseKeys base_keys(const ExportOptions& options, const rig::Timing& timing) {
    if (options.base == nullptr) {
        return {};
    }
    const Record& record = options.base->record;
    BaseKeys made{{}, object_keys(record, options.space)};
    for (const Key& key : record.keys) {
        made.frames.push_back(static_cast<float>(scene_frame(timing, key.time)));
    }
    return made;
}

/// A key as the curves have it.
struct GivenKey {
    std::int32_t time = 0;                     ///< in the file's frames
    std::optional<std::size_t> base_key = {};  ///< the base's at that time
    ObjectKey values{};
};

/// The frames at which all curves have their keys.
Result<std::vector<float>> common_frames(const CurveTable& table, const BaseKeys& base) {
    std::optional<std::vector<float>> common;
    for (const rig::CurveView* const curve : table) {
        std::vector<float> frames;
        for (std::size_t i = 0; curve != nullptr && i < curve->points.size(); i += 2) {
            frames.push_back(curve->points[i]);
        }
        if (curve == nullptr) {
            frames = base.frames;
        }
        if (common && *common != frames) {
            return sample_instead("the curves have keys at different frames");
        }
        common = std::move(frames);
    }
    return std::move(*common);
}

/// Whole frames of the file, ascending.
Result<std::vector<GivenKey>> timed_keys(const std::vector<float>& frames, const BaseKeys& base,
                                         const rig::Timing& timing, const ExportOptions& options) {
    constexpr double whole = 0.001;
    const double rate = frames_per_second / timing.frames_per_second;
    std::vector<GivenKey> keys;
    std::size_t next = 0;
    for (const float frame : frames) {
        if (!std::isfinite(frame) || (!keys.empty() && !(frame >= frames[keys.size() - 1]))) {
            return fail(ErrorCode::invalid_argument,
                        "a curve's keys are no numbers or out of the order of time");
        }
        while (next < base.frames.size() && base.frames[next] < frame) {
            ++next;
        }
        if (next < base.frames.size() && base.frames[next] == frame) {
            keys.push_back({options.base->record.keys[next].time, next});
            ++next;
            continue;
        }
        const double time = timing.seconds_at(frame) * frames_per_second;
        const auto step = static_cast<double>(std::nextafter(std::abs(frame), INFINITY) - std::abs(frame));
        if (!(std::abs(time - std::round(time)) <= whole + step * rate)) {
            return sample_instead("a key is at frame " + shown_number(double{frame}) +
                                  " of the scene, which is not a whole frame at 60 a second");
        }
        if (!(time > -0.5) || !(time < static_cast<double>(max_frames))) {
            return sample_instead("a key is at frame " + shown_number(double{frame}) +
                                  " of the scene, before the animation begins or 32767 frames after it");
        }
        keys.push_back({static_cast<std::int32_t>(std::llround(time))});
    }
    const auto meets = [](const GivenKey& a, const GivenKey& b) { return a.time >= b.time; };
    if (std::adjacent_find(keys.begin(), keys.end(), meets) != keys.end()) {
        return sample_instead("two keys fall on one frame of the file");
    }
    return keys;
}

Result<void> put_values(std::vector<GivenKey>& keys, const CurveTable& table, const BaseKeys& base) {
    for (std::size_t row = 0; row < all_curves; ++row) {
        const bool is_location = row < location_curves;
        const std::size_t component = is_location ? row : row - location_curves;
        const rig::CurveView* const curve = table.at(row);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const auto part = [&](ObjectKey& key) -> float& {
                return is_location ? key.location.at(component) : key.rotation.at(component);
            };
            ObjectKey kept = curve == nullptr ? base.keys.at(*keys[i].base_key) : ObjectKey{};
            part(keys[i].values) = curve == nullptr ? part(kept) : curve->points[2 * i + 1];
            if (!std::isfinite(part(keys[i].values))) {
                return fail(ErrorCode::invalid_argument, "a curve has a key that is not a number");
            }
        }
    }
    return {};
}

glm::dquat rotation_of(const ObjectKey& key) {
    return {key.rotation[0], key.rotation[1], key.rotation[2], key.rotation[3]};
}

glm::dvec3 location_of(const ObjectKey& key) { return {key.location[0], key.location[1], key.location[2]}; }

bool same_rotation(const ObjectKey& a, const ObjectKey& b) {
    std::array<float, 4> turned = b.rotation;
    std::transform(turned.begin(), turned.end(), turned.begin(), std::negate<>());
    return a.rotation == b.rotation || a.rotation == turned;
}

/// Whether Blender, which blends each component for itself, takes the player's way from key to key.
Result<void> require_same_blend(const std::vector<GivenKey>& keys, const BaseKeys& base) {
    constexpr double unit = 1e-3;
    // Half turns are on the edge: their sign is not told by single precision.
    constexpr double half_turn = -1e-6;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const glm::dquat q = rotation_of(keys[i].values);
        const bool is_base =
            keys[i].base_key && same_rotation(keys[i].values, base.keys.at(*keys[i].base_key));
        if (!is_base && !(std::abs(std::sqrt(glm::dot(q, q)) - 1.0) <= unit)) {
            return sample_instead("a quaternion is not of length 1");
        }
        const glm::dquat before = i == 0 ? q : rotation_of(keys[i - 1].values);
        if (!(glm::dot(before, q) >= half_turn * std::sqrt(glm::dot(before, before) * glm::dot(q, q)))) {
            return sample_instead(
                "two quaternions that follow each other have opposite signs, so that "
                "Blender turns the longer way, and the game the shorter one");
        }
    }
    return {};
}

/// The file's key: what the base has where the scene has what was made of it.
Key file_key(const GivenKey& given, const BaseKeys& base, const ExportOptions& options, const Key* before) {
    const Key* const kept = given.base_key ? &options.base->record.keys.at(*given.base_key) : nullptr;
    Key key;
    key.time = given.time;
    if (kept != nullptr && base.keys.at(*given.base_key).location == given.values.location) {
        key.position = kept->position;
    } else {
        const glm::dvec3 place = options.space.position(location_of(given.values)) + 0.0;  // no -0
        key.position = {RawFloat(static_cast<float>(place.x)), RawFloat(static_cast<float>(place.y)),
                        RawFloat(static_cast<float>(place.z))};
    }
    if (kept != nullptr && same_rotation(given.values, base.keys.at(*given.base_key))) {
        key.rotation = kept->rotation;
        return key;
    }
    const glm::dquat q = options.space.key_rotation(rotation_of(given.values));
    const glm::dquat last = before == nullptr ? glm::dquat(1, 0, 0, 0) : standard_rotation(*before);
    const double sign = glm::dot(q, last) < 0.0 ? -1.0 : 1.0;
    const auto stored = [&](double part) { return RawFloat(static_cast<float>(sign * part + 0.0)); };
    key.rotation = {stored(q.x), stored(q.y), stored(q.z), stored(-q.w)};
    return key;
}

/// What Blender shows at each frame of the file.
std::vector<Shown> shown_by(const std::vector<GivenKey>& keys, std::size_t frames,
                            const ExportOptions& options, const glm::dvec3& base_place) {
    std::vector<Shown> shown;
    std::size_t at = 0;
    for (std::size_t frame = 0; frame < frames; ++frame) {
        const auto time = static_cast<double>(frame);
        while (at + 1 < keys.size() && keys[at + 1].time <= time) {
            ++at;
        }
        const bool holds = at + 1 == keys.size() || keys[at].time >= time;
        const ObjectKey& a = keys[at].values;
        const ObjectKey& b = keys[holds ? at : at + 1].values;
        const double start = keys[at].time;
        const double part = holds ? 0.0 : (time - start) / (static_cast<double>(keys[at + 1].time) - start);
        const glm::dquat turn =
            normalised(options.space.key_rotation(rotation_of(a) * (1.0 - part) + rotation_of(b) * part));
        const glm::dvec3 pivot =
            options.space.position(location_of(a) * (1.0 - part) + location_of(b) * part);
        shown.push_back({turn, pivot, pivot + turn * base_place});
    }
    return shown;
}

void append_mirrored_keys(std::vector<GivenKey>& keys) {
    const std::int32_t end = 2 * keys.back().time;
    for (std::size_t i = keys.size() - 1; i-- > 0;) {
        keys.push_back({end - keys[i].time, std::nullopt, keys[i].values});
    }
}

/// The base's own count, while its last key is where it was.
std::size_t frame_count_of(const std::vector<GivenKey>& keys, const ExportOptions& options) {
    const Record* const before = options.base == nullptr ? nullptr : &options.base->record;
    const bool same_end = before != nullptr && !before->keys.empty() && !options.mirrors &&
                          before->keys.back().time == keys.back().time;
    return same_end ? before->frame_count : static_cast<std::size_t>(std::max(keys.back().time, 0)) + 1;
}

Result<std::vector<GivenKey>> given_keys(const rig::Timing& timing, std::span<const rig::CurveView> curves,
                                         KeptChannels kept, const BaseKeys& base,
                                         const ExportOptions& options) {
    if ((kept.location || kept.rotation) && options.base == nullptr) {
        return fail(ErrorCode::invalid_argument,
                    "a curve is marked unchanged, and there is no template_document");
    }
    TRY(const auto table, curve_table(curves, kept));
    const auto frames = common_frames(table, base);
    if (!frames) {
        return tl::unexpected<Error>(frames.error());
    }
    if (frames->empty()) {
        return sample_instead("the curves have no keys");
    }
    auto keys = timed_keys(*frames, base, timing, options);
    if (!keys) {
        return keys;
    }
    return put_values(*keys, table, base).and_then([&] { return require_same_blend(*keys, base); }).map([&] {
        return std::move(*keys);
    });
}

}  // namespace

Result<Export> export_curves(const rig::Timing& timing, std::span<const rig::CurveView> curves,
                             KeptChannels kept, const ExportOptions& options) {
    const BaseKeys base = base_keys(options, timing);
    auto keys = given_keys(timing, curves, kept, base, options);
    if (!keys) {
        return tl::unexpected<Error>(std::move(keys.error()));
    }
    const bool begins_as_base = keys->front().base_key == std::optional<std::size_t>(0);
    if (keys->front().time > 0 && (!begins_as_base || options.mirrors)) {
        keys->insert(keys->begin(), GivenKey{0, std::nullopt, keys->front().values});
    }
    const std::size_t sampled = keys->size();
    if (options.mirrors) {
        append_mirrored_keys(*keys);
    }
    const std::size_t frames = frame_count_of(*keys, options);
    TRY_VOID(require_frames(std::max<std::size_t>(frames, 1)));
    Record record = new_record(options);
    record.base = base_floats(options.space.file_base(options.object_base), record);
    std::vector<Key> made;
    for (const GivenKey& key : *keys) {
        made.push_back(file_key(key, base, options, made.empty() ? nullptr : &made.back()));
    }
    put_keys(record, std::move(made), frames, options);
    std::vector<Shown> shown =
        shown_by(*keys, std::max<std::size_t>(frames, 1), options, translation_of(record.base));
    return finish_export({std::move(record), std::move(shown), sampled}, options);
}

}  // namespace animbridge::oban

// SPDX-License-Identifier: MIT
#include "invariants.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "bridges/sl_anim_to_bvh/bridge.h"
#include "formats/bvh/file/file.h"
#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/clip/clip.h"
#include "formats/sl_anim/file/file.h"
#include "formats/sl_anim/loader/loader.h"
#include "formats/sl_anim/play/play.h"

namespace animbridge::test {

namespace {

using sl_anim::file::Document;

bool finite(const glm::dvec3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

double length(const glm::dquat& q) { return std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z); }

void check_form(const Document& document) {
    const bool coded = document.version == sl_anim::file::Version::coded;
    for (const sl_anim::file::Joint& joint : document.joints) {
        for (const auto* keys : {&joint.rotation, &joint.position}) {
            require(coded ? keys->legacy.empty() : keys->coded.empty(), "keys are of the other version");
        }
        require(joint.name.find('\0') == std::string::npos, "a NUL within a joint name");
    }
    const bool listed =
        document.constraint_count >= 0 && document.constraint_count <= sl_anim::file::max_constraints;
    require(document.constraints.size() == (listed ? static_cast<std::size_t>(document.constraint_count) : 0),
            "constraint_count and the constraints disagree");
}

void check_json(const Document& document) {
    const std::string text = print_json(sl_anim::file::to_json(document));
    require(is_utf8(text), "JSON that is not UTF-8");
    const auto parsed = parse_json(text);
    require(parsed.has_value(), "JSON does not parse");
    const auto back = sl_anim::file::from_json(*parsed);
    require(back.has_value(), "JSON is refused: " + (back ? std::string() : back.error().message()));
    require(*back == document, "JSON reads back to another document");
    require(is_utf8(print_json(sl_anim::play::info(document))), "info is not UTF-8");
}

void check_finding(const Finding& finding, CheckLevel level, std::size_t size) {
    require(finding.rule != nullptr, "a finding without a rule");
    require(finding.rule->level <= level, "a finding of a later level: " + std::string(finding.rule->id));
    require(finding.key >= -1, "a finding's key is negative");
    require(finding.byte_offset >= -1 && finding.byte_offset <= static_cast<std::int64_t>(size),
            "a finding lies outside the file");
}

/// Checks that the findings of each level include those of lower levels; returns whether the viewer refuses
/// to play the file.
bool check_findings(const Document& document) {
    const std::size_t size = file_bytes(document);
    std::set<std::string_view> before;
    bool refused = false;
    for (const CheckLevel level : {CheckLevel::playback, CheckLevel::upload, CheckLevel::strict}) {
        std::set<std::string_view> ids;
        std::map<std::string_view, int> counts;
        const auto findings = sl_anim::check::check(document, {level, {}});
        for (const Finding& finding : findings) {
            check_finding(finding, level, size);
            ids.insert(finding.rule->id);
            require(++counts[finding.rule->id] <= 100, "more than 100 findings of a rule");
        }
        for (const std::string_view id : before) {
            require(ids.contains(id), "a finding is gone at a higher level: " + std::string(id));
        }
        before = ids;
        refused = level == CheckLevel::playback ? any_rejected(findings) : refused;
    }
    return refused;
}

void check_player(const Document& document) {
    const sl_anim::play::Player player(document);
    const double duration = document.duration.value();
    for (const double seconds : {0.0, 1e-3, 0.5 * duration, duration, 1.5 * duration + 1.0, 1000.0}) {
        for (const double stop : {-1.0, 0.0, 0.25 * duration}) {
            const auto state = player.state_at(seconds, stop < 0 ? std::nullopt : std::optional(stop));
            require(std::isfinite(state.clip_seconds), "clip time is not a number");
            require(state.weight >= 0.0F && state.weight <= 1.0F, "weight " + std::to_string(state.weight));
        }
        const auto state = player.state_at(seconds);
        for (const Transform& place : player.world_pose(state.clip_seconds)) {
            require(finite(place.translation) && std::abs(length(place.rotation) - 1.0) < 1e-6,
                    "a pose is no placement");
        }
    }
}

void check_upload(const Document& document, bool refused) {
    const auto prediction = sl_anim::check::predict_upload(document);
    require(prediction.stored.has_value() != any_rejected(prediction.findings),
            "a refused upload that is stored, or the reverse");
    if (!prediction.stored) {
        return;
    }
    require(!refused, "an upload of what is refused on playback");
    const Document& stored = *prediction.stored;
    const Bytes bytes = sl_anim::file::write(stored);
    const auto back = sl_anim::file::read(bytes);
    require(back && *back == stored, "the stored form does not read back");
    require(stored.version == sl_anim::file::Version::coded && stored.trailing.empty() &&
                (stored.loop == 0 || stored.loop == 1),
            "the stored form is not what a viewer writes");
    // Version 0.1 ignores times; stored as 1.0 with a negative duration, they are outside it.
    const bool times_fit = document.duration.value() >= 0.0F;
    require(!times_fit || !any_rejected(sl_anim::check::check(stored, {CheckLevel::playback, {}})),
            "the viewer would refuse what it stored");
}

/// Checks the BVH: the viewer's loader accepts it, and knows all of its joints.
void check_bvh(const Document& document, bool refused) {
    const auto converted = sl_anim_to_bvh::convert(document, {});
    if (!converted) {
        const ErrorCode code = converted.error().code;
        require(code == ErrorCode::rejected || code == ErrorCode::bad_value, "no BVH, and no reason for it");
        require(is_utf8(converted.error().message()), "an error that is not UTF-8");
        return;
    }
    require(!refused, "a document that the viewer refuses became a BVH");
    const auto motion = sl_anim::loader::read_bvh_as_viewer(bvh::file::write(converted->document));
    require(motion.has_value(),
            "the viewer's loader refuses our BVH: " + (motion ? "" : motion.error().message()));
    const auto loaded = sl_anim::loader::load_bvh(*motion, {});
    require(loaded.has_value() && loaded->unknown_joints.empty(),
            "our BVH has joints that an upload does not know");
}

}  // namespace

void check_error(const Error& error, std::size_t input_size) {
    require(error.code == ErrorCode::truncated || error.code == ErrorCode::unsupported_version ||
                error.code == ErrorCode::bad_value,
            "error code " + std::to_string(static_cast<int>(error.code)));
    require(!error.field.empty() && !error.reason.empty(), "an error without field or reason");
    require(error.byte_offset >= 0 && error.byte_offset <= static_cast<std::int64_t>(input_size),
            "an error outside the input");
    require(is_utf8(error.message()), "an error that is not UTF-8");
}

void check_clip(const Clip& clip) {
    const auto& nodes = clip.skeleton.nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        require(!nodes[i].parent || *nodes[i].parent < i, "a parent behind its child");
    }
    for (const Track& track : clip.tracks) {
        require(track.node < nodes.size(), "a track of no node");
        require(track.key_count() > 0, "an empty track");
        require(track.values.size() == track.key_count() * track.width(), "values and times differ in count");
        require(track.inserted.empty() || track.inserted.size() == track.key_count(),
                "inserted flags and times differ in count");
        require(track.interpolation.empty() || track.interpolation.size() == track.key_count(),
                "interpolations differ in count");
        for (std::size_t i = 0; i < track.key_count(); ++i) {
            require(std::isfinite(track.times[i]), "a time that is no number");
            require(i == 0 || track.times[i - 1] < track.times[i], "times do not ascend");
            for (const double value : track.value(i)) {
                require(std::isfinite(value), "a value that is no number");
            }
            if (track.channel == Channel::rotation) {
                // The longest key a file can hold is (1, 1, 1).
                const double size = length(track.rotation(i));
                require(size > 0.99 && size < 3.5, "a rotation of length " + std::to_string(size));
                require(i == 0 || glm::dot(track.rotation(i - 1), track.rotation(i)) > -1e-6,
                        "signs are not continuous");
            }
        }
    }
}

void check_document(const Document& document, Effort effort) {
    check_form(document);
    const Bytes bytes = sl_anim::file::write(document);
    require(bytes.size() == file_bytes(document), "file_bytes and write disagree");
    if (effort == Effort::quick) {
        return;
    }
    const bool refused = check_findings(document);
    if (!refused) {
        check_player(document);
    }
    check_json(document);
    const auto clip = sl_anim::clip::to_clip(document);
    require(clip.has_value() != refused, "to_clip and check disagree");
    if (clip) {
        check_clip(*clip);
    } else {
        require(clip.error().code == ErrorCode::rejected && is_utf8(clip.error().message()),
                "a refused clip without its reason");
    }
    check_upload(document, refused);
    check_bvh(document, refused);
}

bool check_bytes(ByteView bytes, Effort effort) {
    const auto document = sl_anim::file::read(bytes);
    if (!document) {
        check_error(document.error(), bytes.size());
        return false;
    }
    const Bytes written = sl_anim::file::write(*document);
    require(std::equal(written.begin(), written.end(), bytes.begin(), bytes.end()),
            "write(read(bytes)) differs from bytes");
    check_document(*document, effort);
    return true;
}

}  // namespace animbridge::test

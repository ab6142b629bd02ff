// SPDX-License-Identifier: MIT
#include "formats/sl_anim/check/check.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include "base/options/options.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/check/checker.h"
#include "formats/sl_anim/check/rules.h"
#include "formats/sl_anim/codes/codes.h"

namespace animbridge::sl_anim {

namespace {

/// The smallest visible error: the hand at the end of a straight arm moves 2 mm.
constexpr double visible_degrees = 0.2;

double degrees_between(const Quaternion& a, const Quaternion& b) {
    constexpr double degrees_per_radian = 57.29577951308232;
    const glm::dquat one = glm::normalize(glm::dquat(a.w, a.x, a.y, a.z));
    const glm::dquat other = glm::normalize(glm::dquat(b.w, b.x, b.y, b.z));
    const glm::dquat near = glm::dot(one, other) < 0 ? -other : other;
    return degrees_per_radian * 4.0 * std::asin(std::min(glm::length(one - near) / 2.0, 1.0));
}

/// The key of a track that storing changes most.
struct Change {
    double size = 0;
    float seconds = 0;

    void include(double other, float at_seconds) {
        if (other > size) {
            *this = {other, at_seconds};
        }
    }
};

/// The largest rotation that storing adds to a key of the track, in degrees.
Change stored_turn(const RotationKeys& keys) {
    Change largest;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Quaternion& key = keys.values[i];
        const auto codes = restore_rotation(key);
        largest.include(degrees_between(key, from_stored(decode(codes[0], -rotation_limit, rotation_limit),
                                                         decode(codes[1], -rotation_limit, rotation_limit),
                                                         decode(codes[2], -rotation_limit, rotation_limit))),
                        keys.times[i]);
    }
    return largest;
}

/// The largest distance that storing moves a key of the track, in metres.
Change stored_move(const PositionKeys& keys) {
    Change largest;
    for (std::size_t at = 0; at < keys.size(); ++at) {
        const Vector& key = keys.values[at];
        glm::dvec3 moved{};
        for (std::size_t i = 0; i < key.size(); ++i) {
            const auto code = encode(key.at(i), -position_limit, position_limit);
            moved[static_cast<int>(i)] =
                double{decode(restore_position(code), -position_limit, position_limit)} - double{key.at(i)};
        }
        largest.include(glm::length(moved), keys.times[at]);
    }
    return largest;
}

/// Codes fall by one where the viewer truncates: near half turns that is visible.
void check_drift(const Document& document, FindingList& findings) {
    const float duration = document.duration.value();
    if (document.version == Version::legacy || !std::isfinite(duration)) {
        return;
    }
    for (const Joint& joint : document.joints) {
        const Change turn = stored_turn(as_played(decode_rotations(joint.rotation, duration)));
        const Change move = stored_move(as_played(decode_positions(joint.position, duration)));
        if (turn.size > visible_degrees) {
            findings.add(rule::codes_drift_on_upload, "up to " + fixed_text(turn.size, 2) + " degrees",
                         joint.name, -1, -1, -1, double{turn.seconds});
        }
        if (move.size > visible_metres) {
            findings.add(rule::codes_drift_on_upload, "up to " + fixed_text(1000.0 * move.size, 1) + " mm",
                         joint.name, -1, -1, -1, double{move.seconds});
        }
    }
}

}  // namespace

void check_storing(const Document& document, FindingList& findings) {
    if (document.constraints.size() > 1) {
        findings.add(rule::constraint_order_reversed,
                     std::to_string(document.constraints.size()) + " constraints");
    }
    const bool block_ignored = document.constraint_count < 0 || document.constraint_count > max_constraints;
    if (!document.trailing.empty() && !block_ignored) {
        findings.add(rule::trailing_bytes_dropped, std::to_string(document.trailing.size()) + " bytes", {},
                     -1, static_cast<std::int64_t>(file_bytes(document) - document.trailing.size()));
    }
    if (document.version == Version::legacy) {
        findings.add(rule::legacy_version_converted, "version 0.1", {}, -1, 0);
    }
    check_drift(document, findings);
}

void check_stored_size(const Document& document, FindingList& findings) {
    const std::size_t bytes = file_bytes(stored_form(document));
    if (bytes > max_upload_bytes) {
        findings.add(rule::file_too_large, std::to_string(bytes) + " bytes after the upload");
    }
}

namespace {

KeyList store_rotations(const KeyList& keys, float duration) {
    const RotationKeys loaded = as_played(decode_rotations(keys, duration));
    std::vector<CodedKey> stored(loaded.size());
    for (std::size_t i = 0; i < loaded.size(); ++i) {
        stored[i] = {encode_time(loaded.times[i], duration), restore_rotation(loaded.values[i])};
    }
    return {std::move(stored), {}};
}

KeyList store_positions(const KeyList& keys, float duration) {
    const PositionKeys loaded = as_played(decode_positions(keys, duration));
    std::vector<CodedKey> stored(loaded.size());
    for (std::size_t i = 0; i < loaded.size(); ++i) {
        stored[i].time = encode_time(loaded.times[i], duration);
        std::transform(
            loaded.values[i].begin(), loaded.values[i].end(), stored[i].xyz.begin(), [](float loaded_value) {
                // The viewer serialises once to find the size, which quantises the loaded positions, and then
                // for real.
                const std::uint16_t sized = encode(loaded_value, -position_limit, position_limit);
                return encode_component(decode(sized, -position_limit, position_limit), position_limit);
            });
    }
    return {std::move(stored), {}};
}

Constraint store_constraint(Constraint constraint) {
    for (VolumeName* name : {&constraint.source_volume, &constraint.target_volume}) {
        std::fill(name->begin() + static_cast<std::ptrdiff_t>(volume_text(*name).size()), name->end(), '\0');
        name->back() = '\0';
    }
    return constraint;
}

}  // namespace

Document stored_form(const Document& document) {
    Document stored = document;
    stored.version = Version::coded;
    stored.base_priority = std::min(document.base_priority, std::int32_t{6});
    stored.emote_name = emote_of(document.emote_name) == Emote::known ? document.emote_name : "";
    stored.loop = document.loop != 0 ? 1 : 0;
    const float duration = document.duration.value();
    for (Joint& joint : stored.joints) {
        if (const auto known = find_joint(joint.name)) {
            joint.name = skeleton()[*known].node.name;
        }
        joint.rotation = store_rotations(joint.rotation, duration);
        joint.position = store_positions(joint.position, duration);
    }
    // The viewer loads constraints to the front of a list and writes them from there, which reverses them.
    std::reverse(stored.constraints.begin(), stored.constraints.end());
    std::transform(stored.constraints.begin(), stored.constraints.end(), stored.constraints.begin(),
                   store_constraint);
    stored.constraint_count = static_cast<std::int32_t>(stored.constraints.size());
    stored.trailing.clear();
    return stored;
}

UploadPrediction predict_upload(const Document& document) {
    UploadPrediction prediction;
    prediction.findings = check(document, {CheckLevel::upload, {}});
    if (!any_rejected(prediction.findings)) {
        prediction.stored = stored_form(document);
    }
    return prediction;
}

}  // namespace animbridge::sl_anim

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

namespace animbridge::sl_anim::check {

namespace {

/// The smallest visible error: the hand at the end of a straight arm moves 2 mm.
constexpr double visible_degrees = 0.2;

double degrees_between(const codes::Quaternion& a, const codes::Quaternion& b) {
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
Change stored_turn(const codes::RotationKeys& keys) {
    Change largest;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const codes::Quaternion& key = keys.values[i];
        const auto codes = codes::restore_rotation(key);
        largest.include(
            degrees_between(key, codes::from_stored(
                                     codes::decode(codes[0], -codes::rotation_limit, codes::rotation_limit),
                                     codes::decode(codes[1], -codes::rotation_limit, codes::rotation_limit),
                                     codes::decode(codes[2], -codes::rotation_limit, codes::rotation_limit))),
            keys.times[i]);
    }
    return largest;
}

/// The largest distance that storing moves a key of the track, in metres.
Change stored_move(const codes::PositionKeys& keys) {
    Change largest;
    for (std::size_t at = 0; at < keys.size(); ++at) {
        const codes::Vector& key = keys.values[at];
        glm::dvec3 moved{};
        for (std::size_t i = 0; i < key.size(); ++i) {
            const auto code = codes::encode(key.at(i), -codes::position_limit, codes::position_limit);
            moved[static_cast<int>(i)] =
                double{codes::decode(codes::restore_position(code), -codes::position_limit,
                                     codes::position_limit)} -
                double{key.at(i)};
        }
        largest.include(glm::length(moved), keys.times[at]);
    }
    return largest;
}

/// Codes fall by one where the viewer truncates: near half turns that is visible.
void check_drift(const file::Document& document, FindingList& findings) {
    const float duration = document.duration.value();
    if (document.version == file::Version::legacy || !std::isfinite(duration)) {
        return;
    }
    for (const file::Joint& joint : document.joints) {
        const Change turn = stored_turn(codes::as_played(codes::decode_rotations(joint.rotation, duration)));
        const Change move = stored_move(codes::as_played(codes::decode_positions(joint.position, duration)));
        if (turn.size > visible_degrees) {
            findings.add(rule("codes_drift_on_upload"), "up to " + fixed_text(turn.size, 2) + " degrees",
                         joint.name, -1, -1, -1, double{turn.seconds});
        }
        if (move.size > visible_metres) {
            findings.add(rule("codes_drift_on_upload"), "up to " + fixed_text(1000.0 * move.size, 1) + " mm",
                         joint.name, -1, -1, -1, double{move.seconds});
        }
    }
}

}  // namespace

void check_storing(const file::Document& document, FindingList& findings) {
    if (document.constraints.size() > 1) {
        findings.add(rule("constraint_order_reversed"),
                     std::to_string(document.constraints.size()) + " constraints");
    }
    const bool block_ignored =
        document.constraint_count < 0 || document.constraint_count > file::max_constraints;
    if (!document.trailing.empty() && !block_ignored) {
        findings.add(rule("trailing_bytes_dropped"), std::to_string(document.trailing.size()) + " bytes", {},
                     -1, static_cast<std::int64_t>(file::file_bytes(document) - document.trailing.size()));
    }
    if (document.version == file::Version::legacy) {
        findings.add(rule("legacy_version_converted"), "version 0.1", {}, -1, 0);
    }
    check_drift(document, findings);
}

void check_stored_size(const file::Document& document, FindingList& findings) {
    const std::size_t bytes = file::file_bytes(stored_form(document));
    if (bytes > max_upload_bytes) {
        findings.add(rule("file_too_large"), std::to_string(bytes) + " bytes after the upload");
    }
}

namespace {

file::KeyList store_rotations(const file::KeyList& keys, float duration) {
    const codes::RotationKeys loaded = codes::as_played(codes::decode_rotations(keys, duration));
    std::vector<file::CodedKey> stored(loaded.size());
    for (std::size_t i = 0; i < loaded.size(); ++i) {
        stored[i] = {codes::encode_time(loaded.times[i], duration),
                     codes::restore_rotation(loaded.values[i])};
    }
    return {std::move(stored), {}};
}

file::KeyList store_positions(const file::KeyList& keys, float duration) {
    const codes::PositionKeys loaded = codes::as_played(codes::decode_positions(keys, duration));
    std::vector<file::CodedKey> stored(loaded.size());
    for (std::size_t i = 0; i < loaded.size(); ++i) {
        stored[i].time = codes::encode_time(loaded.times[i], duration);
        std::ranges::transform(loaded.values[i], stored[i].xyz.begin(), [](float loaded_value) {
            // The viewer serialises once to find the size, which quantises the loaded
            // positions, and then for real.
            const std::uint16_t sized =
                codes::encode(loaded_value, -codes::position_limit, codes::position_limit);
            return codes::encode_component(
                codes::decode(sized, -codes::position_limit, codes::position_limit), codes::position_limit);
        });
    }
    return {std::move(stored), {}};
}

file::Constraint store_constraint(file::Constraint constraint) {
    for (file::VolumeName* name : {&constraint.source_volume, &constraint.target_volume}) {
        std::fill(name->begin() + static_cast<std::ptrdiff_t>(file::volume_text(*name).size()), name->end(),
                  '\0');
        name->back() = '\0';
    }
    return constraint;
}

}  // namespace

file::Document stored_form(const file::Document& document) {
    file::Document stored = document;
    stored.version = file::Version::coded;
    stored.base_priority = std::min(document.base_priority, std::int32_t{6});
    stored.emote_name =
        avatar::emote_of(document.emote_name) == avatar::Emote::known ? document.emote_name : "";
    stored.loop = document.loop != 0 ? 1 : 0;
    const float duration = document.duration.value();
    for (file::Joint& joint : stored.joints) {
        if (const auto known = avatar::find_joint(joint.name)) {
            joint.name = avatar::skeleton()[*known].node.name;
        }
        joint.rotation = store_rotations(joint.rotation, duration);
        joint.position = store_positions(joint.position, duration);
    }
    // The viewer loads constraints to the front of a list and writes them from there, which reverses them.
    std::ranges::reverse(stored.constraints);
    std::ranges::transform(stored.constraints, stored.constraints.begin(), store_constraint);
    stored.constraint_count = static_cast<std::int32_t>(stored.constraints.size());
    stored.trailing.clear();
    return stored;
}

UploadPrediction predict_upload(const file::Document& document) {
    UploadPrediction prediction;
    prediction.findings = check(document, {CheckLevel::upload, {}});
    if (!any_rejected(prediction.findings)) {
        prediction.stored = stored_form(document);
    }
    return prediction;
}

}  // namespace animbridge::sl_anim::check

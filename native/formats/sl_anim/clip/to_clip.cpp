// SPDX-License-Identifier: MIT
#include "formats/sl_anim/clip/clip.h"

#include <array>

#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/clip/slerp_fit.h"
#include "formats/sl_anim/play/play.h"

namespace animbridge::sl_anim::clip {

namespace {

using Row = std::array<double, 4>;

Row row_of(const codes::Quaternion& q) { return {q.w, q.x, q.y, q.z}; }

glm::dquat quaternion_of(const Row& row) { return {row[0], row[1], row[2], row[3]}; }

/// The row or its negative, whichever is in the hemisphere of `before`.
Row aligned(Row row, const Row& before) {
    if (glm::dot(quaternion_of(row), quaternion_of(before)) < 0.0) {
        for (double& component : row) {
            component = -component;
        }
    }
    return row;
}

/// Inserts keys into a segment that the viewer slerps, so that straight pieces follow its curve.
void insert_slerp_keys(const codes::RotationKeys& keys, std::size_t left, Track& track, Row& before) {
    const codes::Quaternion& a = keys.values[left];
    const codes::Quaternion& b = keys.values[left + 1];
    const int parts = straight_pieces(a, b);
    for (int part = 1; part < parts; ++part) {
        const float u = static_cast<float>(part) / static_cast<float>(parts);
        before = aligned(row_of(codes::interpolate(u, a, b)), before);
        const double span = static_cast<double>(keys.times[left + 1]) - keys.times[left];
        track.add_key(keys.times[left] + span * part / parts, before);
        track.inserted.push_back(true);
    }
}

Track rotation_track(const codes::RotationKeys& keys, std::size_t node) {
    Track track{node, Channel::rotation};
    track.times.reserve(keys.size());
    track.values.reserve(keys.size() * 4);
    Row before = row_of(keys.values.front());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        before = aligned(row_of(keys.values[i]), before);
        track.add_key(keys.times[i], before);
        track.inserted.push_back(false);
        if (i + 1 < keys.size() && codes::dot(keys.values[i], keys.values[i + 1]) < 0.0F) {
            insert_slerp_keys(keys, i, track, before);
        }
    }
    return track;
}

Track translation_track(const codes::PositionKeys& keys, std::size_t node) {
    Track track{node, Channel::translation};
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const codes::Vector& p = keys.values[i];
        track.add_key(keys.times[i], std::array<double, 3>{p[0], p[1], p[2]});
    }
    return track;
}

}  // namespace

Result<Clip> to_clip(const file::Document& document) {
    TRY_VOID(check::require_playable(document));
    Clip clip;
    clip.skeleton = avatar::playing_skeleton();
    clip.duration_seconds = document.duration.value();
    if (document.loop != 0) {
        clip.markers = {{"loop_in", document.loop_in_point.value()},
                        {"loop_out", document.loop_out_point.value()}};
    }
    const play::Player player(document);
    for (const auto& joint : player.joints()) {
        std::size_t node = clip.skeleton.nodes.size();
        if (joint.joint) {
            node = *joint.joint;
        } else {
            clip.skeleton.nodes.push_back({joint.name});
        }
        if (!joint.rotation.empty()) {
            clip.tracks.push_back(rotation_track(joint.rotation, node));
        }
        if (!joint.position.empty()) {
            clip.tracks.push_back(translation_track(joint.position, node));
        }
    }
    return clip;
}

}  // namespace animbridge::sl_anim::clip

// SPDX-License-Identifier: MIT
#include "formats/sl_anim/scene/scene.h"

#include <limits>

#include "formats/sl_anim/play/play.h"
#include "model/format/format.h"

namespace animbridge::sl_anim::scene {

namespace {

Json curves_report(const Clip& clip, const rig::armature::MappedRig& rig, const rig::curves::Timing& timing,
                   const rig::curves::CurvesFromClip& result) {
    Json matched = Json::array();
    std::optional<std::size_t> last;
    for (const Track& track : clip.tracks) {
        const auto bone =
            track.node < rig.map.bone_of_node.size() ? rig.map.bone_of_node[track.node] : std::nullopt;
        if (bone && last != track.node) {
            matched.push_back({{"joint", clip.skeleton.nodes[track.node].name},
                               {"bone", json_text(rig.armature.bones[*bone].name)}});
        }
        last = track.node;
    }
    Json unmatched = list_json(result.unmatched_nodes,
                               [&](std::size_t node) { return json_text(clip.skeleton.nodes[node].name); });
    Json close_keys = list_json(result.close_keys, [](const rig::curves::CloseKey& key) -> Json {
        return {{"joint", json_text(key.joint)}, {"frame", key.frame}};
    });
    return {{"facing", name_of(rig.armature.facing)},
            {"duration_seconds", clip.duration_seconds},
            {"frame_end", timing.frame_at(clip.duration_seconds)},
            {"matched", std::move(matched)},
            {"unmatched_joints", std::move(unmatched)},
            {"inserted_keys", result.inserted_keys},
            {"close_keys", std::move(close_keys)},
            {"warnings", result.warnings}};
}

void put_joint(const PoseArrays& out, std::size_t row, const play::Player::AnimatedJoint& joint,
               float clip_seconds, const std::vector<Transform>& world) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const glm::dquat no_rotation(none, none, none, none);
    const glm::dvec3 no_position(none);
    if (joint.rotation.empty()) {
        PoseArrays::put(out.local_rotations, row, no_rotation);
    } else {
        const codes::Quaternion q = codes::value_at(joint.rotation, clip_seconds);
        PoseArrays::put(out.local_rotations, row, {q.w, q.x, q.y, q.z});
    }
    if (joint.position.empty()) {
        PoseArrays::put(out.local_positions, row, no_position);
    } else {
        const codes::Vector p = codes::value_at(joint.position, clip_seconds);
        PoseArrays::put(out.local_positions, row, {p[0], p[1], p[2]});
    }
    PoseArrays::put(out.world_rotations, row, joint.joint ? world[*joint.joint].rotation : no_rotation);
    PoseArrays::put(out.world_positions, row, joint.joint ? world[*joint.joint].translation : no_position);
}

}  // namespace

Result<CurvesMade> to_curves(const file::Document& document, const ToCurves& request) {
    TRY_VOID(check_options(request.options, {}, ""));
    TRY(const rig::armature::MappedRig rig, rig::armature::mapped(*request.rig));
    TRY(const Clip clip, clip::to_clip(document));
    // Unknown joints are extra nodes after the avatar's. A bone that happens to have the name of one stays
    // still, like the joint in the viewer.
    auto curves = rig::curves::curves_from_clip(clip, rig.armature, rig.map, request.timing);
    Json report = curves_report(clip, rig, request.timing, curves);
    return CurvesMade{std::move(curves), std::move(report)};
}

Result<std::vector<std::string>> played_joints(const file::Document& document) {
    return check::require_playable(document).map([&] {
        const play::Player player(document);
        std::vector<std::string> names;
        for (const play::Player::AnimatedJoint& joint : player.joints()) {
            names.push_back(joint.name);
        }
        return names;
    });
}

Result<void> play(const file::Document& document, std::span<const double> times_seconds,
                  std::optional<double> stop_seconds, const PoseArrays& out) {
    return check::require_playable(document).and_then([&]() -> Result<void> {
        const play::Player player(document);
        TRY_VOID(require_room(out, player.joints().size()));
        for (std::size_t i = 0; i < times_seconds.size(); ++i) {
            const play::PlayState state = player.state_at(times_seconds[i], stop_seconds);
            PoseArrays::put(out.clip_seconds, i, {state.clip_seconds});
            PoseArrays::put(out.ease_weights, i, {state.weight});
            const std::vector<Transform> world = player.world_pose(state.clip_seconds);
            for (std::size_t joint = 0; joint < player.joints().size(); ++joint) {
                put_joint(out, i * out.joint_capacity + joint, player.joints()[joint], state.clip_seconds,
                          world);
            }
        }
        return {};
    });
}

}  // namespace animbridge::sl_anim::scene

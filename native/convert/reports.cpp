// SPDX-License-Identifier: MIT
#include "convert/reports.h"

#include <algorithm>
#include <array>

#include "formats/bvh/clip.h"
#include "formats/sl_anim/player.h"
#include "formats/sl_anim/skeleton.h"
#include "model/clip_poser.h"

namespace animbridge {

namespace {

Json quaternion_json(const glm::dquat& q) { return Json::array({q.w, q.x, q.y, q.z}); }
Json vector_json(const glm::dvec3& v) { return Json::array({v.x, v.y, v.z}); }

Json joint_pose_json(const sl_anim::Player::AnimatedJoint& joint, float clip_seconds,
                     const std::vector<Transform>& world) {
    Json row = {{"joint", json_text(joint.name)}};
    if (!joint.rotation.empty()) {
        const sl_anim::Quaternion q = sl_anim::value_at(joint.rotation, clip_seconds);
        row["local_rotation_wxyz"] = Json::array({q.w, q.x, q.y, q.z});
    }
    if (!joint.position.empty()) {
        const sl_anim::Vector p = sl_anim::value_at(joint.position, clip_seconds);
        row["local_position"] = Json::array({p[0], p[1], p[2]});
    }
    if (joint.joint) {
        row["world_rotation_wxyz"] = quaternion_json(world[*joint.joint].rotation);
        row["world_position"] = vector_json(world[*joint.joint].translation);
    }
    return row;
}

}  // namespace

Json findings_json(const std::vector<Finding>& findings) {
    std::array<std::size_t, 4> counts{};
    Json rows = Json::array();
    for (const Finding& finding : findings) {
        ++counts.at(static_cast<std::size_t>(finding.rule->finding_class));
        rows.push_back({{"id", finding.rule->id},
                        {"class", name_of(finding.rule->finding_class)},
                        {"level", finding.rule->level},
                        {"joint", json_text(finding.joint)},
                        {"key", finding.key},
                        {"byte_offset", finding.byte_offset},
                        {"line", finding.line},
                        {"found", json_text(finding.found)},
                        {"effect", finding.rule->effect},
                        {"advice", finding.rule->advice}});
    }
    Json totals = Json::object();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        totals[std::string(name_of(static_cast<FindingClass>(i)))] = counts.at(i);
    }
    return {{"counts", std::move(totals)}, {"findings", std::move(rows)}};
}

Json comparison_json(const Comparison& comparison) {
    Json rows = Json::array();
    for (const auto& joint : comparison.joints) {
        rows.push_back({{"joint", json_text(joint.joint)},
                        {"position_mm", joint.position_mm},
                        {"position_at_seconds", joint.position_at_seconds},
                        {"rotation_degrees", joint.rotation_degrees},
                        {"rotation_at_seconds", joint.rotation_at_seconds}});
    }
    const auto worst = comparison.worst();
    const auto names = [](const std::vector<std::string>& list) {
        Json texts = Json::array();
        for (const std::string& name : list) {
            texts.push_back(json_text(name));
        }
        return texts;
    };
    return {{"times", comparison.times},
            {"max_position_mm", worst.position_mm},
            {"max_position_at_seconds", worst.position_at_seconds},
            {"max_rotation_degrees", worst.rotation_degrees},
            {"max_rotation_at_seconds", worst.rotation_at_seconds},
            {"only_in_a", names(comparison.only_in_a)},
            {"only_in_b", names(comparison.only_in_b)},
            {"joints", std::move(rows)}};
}

Json sl_pose_json(const sl_anim::Document& document, std::span<const double> times_seconds,
                  std::optional<double> stop_seconds) {
    const sl_anim::Player player(document);
    Json poses = Json::array();
    for (const double seconds : times_seconds) {
        const sl_anim::PlayState state = player.state_at(seconds, stop_seconds);
        const std::vector<Transform> world = player.world_pose(state.clip_seconds);
        Json joints = Json::array();
        joints.reserve(player.joints().size());
        for (const auto& joint : player.joints()) {
            joints.push_back(joint_pose_json(joint, state.clip_seconds, world));
        }
        poses.push_back({{"seconds", seconds},
                         {"clip_seconds", state.clip_seconds},
                         {"weight", state.weight},
                         {"joints", std::move(joints)}});
    }
    return {{"poses", std::move(poses)}};
}

Result<Json> bvh_pose_json(const bvh::Document& document, std::span<const double> times_seconds) {
    const double frame_seconds = document.frame_time_seconds > 0.0 ? document.frame_time_seconds : 1.0;
    const auto clip = bvh::to_clip(document, {}, frame_seconds);
    if (!clip) {
        return tl::unexpected<Error>(clip.error());
    }
    ClipPoser poser(*clip);
    Json poses = Json::array();
    for (const double seconds : times_seconds) {
        const double clip_seconds = std::clamp(seconds, 0.0, clip->duration_seconds);
        poser.pose(clip_seconds);
        Json joints = Json::array();
        joints.reserve(document.joints.size());
        for (std::size_t i = 0; i < document.joints.size(); ++i) {
            joints.push_back({{"joint", json_text(document.joints[i].name)},
                              {"local_rotation_wxyz", quaternion_json(poser.local()[i].rotation)},
                              {"local_position", vector_json(poser.local()[i].translation)},
                              {"world_rotation_wxyz", quaternion_json(poser.world()[i].rotation)},
                              {"world_position", vector_json(poser.world()[i].translation)}});
        }
        poses.push_back({{"seconds", seconds},
                         {"clip_seconds", clip_seconds},
                         {"weight", 1.0},
                         {"joints", std::move(joints)}});
    }
    return Json{{"poses", std::move(poses)}};
}

}  // namespace animbridge

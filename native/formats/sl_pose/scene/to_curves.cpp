// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "formats/sl_pose/clip/clip.h"
#include "formats/sl_pose/scene/scene.h"
#include "model/findings/findings.h"
#include "rig/avatar/avatar.h"

namespace animbridge::sl_pose::scene {

namespace {

using rig::avatar::skeleton;

struct GivenImport {
    bool is_whole = false;
};

constexpr std::array<OptionRow<GivenImport>, 1> whole_rows = {{
    {{.name = "whole",
      .type = OptionType::flag,
      .standard = "false",
      .help = "Give each bone of the pose a location and a scale, also if they are those at rest"},
     [](GivenImport& given, const Json& value) { given.is_whole = value.get<bool>(); }},
}};

/// The factors by which the pose scales the joint.
glm::dvec3 factors_of(const play::Shown& joint) { return joint.scale / skeleton()[joint.joint].rest_scale; }

double away_from(const glm::dvec3& a, const glm::dvec3& b) {
    const glm::dvec3 away = glm::abs(a - b);
    return std::max({away.x, away.y, away.z});
}

constexpr double unscaled = 1e-6;

bool is_scaled(const play::Shown& joint) { return away_from(factors_of(joint), glm::dvec3(1)) > unscaled; }

/// A key for each axis.
rig::curves::BoneCurves scale_curves(const play::Shown& joint, const rig::armature::MappedRig& rig,
                                     float frame, std::vector<std::string>& bent) {
    const glm::dvec3 factors = factors_of(joint);
    const std::size_t bone = *rig.map.bone_of_node[joint.joint];
    const ScaleSpace space(joint.joint, rig.armature.bones[bone], rig.armature.facing);
    const glm::dvec3 own = space.to_bone(factors);
    if (away_from(space.to_joint(own), factors) > 2 * unscaled) {
        bent.push_back(skeleton()[joint.joint].node.name);
    }
    rig::curves::BoneCurves curves{bone, rig::armature::BoneChannel::scale, {}, {}};
    for (int axis = 0; axis < 3; ++axis) {
        curves.points.push_back({frame, static_cast<float>(own[axis])});
    }
    return curves;
}

/// A position for each joint that turns.
Clip with_all_positions(Clip clip) {
    std::set<std::size_t> placed;
    for (const Track& track : clip.tracks) {
        if (track.channel == Channel::translation) {
            placed.insert(track.node);
        }
    }
    const std::size_t given = clip.tracks.size();
    for (std::size_t i = 0; i < given; ++i) {
        const std::size_t node = clip.tracks[i].node;
        if (placed.insert(node).second) {
            const glm::dvec3 rest = pose::rest_position(node);
            Track position{node, Channel::translation};
            position.add_key(0.0, std::array{rest.x, rest.y, rest.z});
            clip.tracks.push_back(std::move(position));
        }
    }
    return clip;
}

/// Volumes and points that a pose does not move are in the file all the same.
bool is_worth_a_bone(const play::Shown& joint) {
    const rig::avatar::SkeletonJoint& rest = skeleton()[joint.joint];
    constexpr double still = 1e-6;
    return rest.kind == rig::avatar::JointKind::bone ||
           away_from(joint.position, pose::rest_position(joint.joint)) > still ||
           away_from(joint.scale, rest.rest_scale) > still ||
           chord(joint.rotation, rest.node.rest_local.rotation) > still;
}

std::vector<std::string> free_joints(std::span<const play::Shown> joints) {
    std::vector<std::string> names;
    for (const play::Shown& joint : joints) {
        if (joint.known == play::Known::free) {
            names.push_back(skeleton()[joint.joint].node.name);
        }
    }
    return names;
}

/// The report, in which only joints of the pose count.
Json report_of(const Clip& clip, const rig::armature::MappedRig& rig, const ToCurves& request,
               const rig::curves::CurvesFromClip& made, const std::vector<bool>& is_moved) {
    Json report = clip_curves_report(clip, rig.map, rig.armature, request.timing, made);
    Json matched = Json::array();
    Json unmatched = Json::array();
    for (std::size_t node = 0; node < is_moved.size(); ++node) {
        const Json name = json_text(clip.skeleton.nodes[node].name);
        const auto bone = rig.map.bone_of_node[node];
        if (is_moved[node] && bone) {
            matched.push_back({{"joint", name}, {"bone", json_text(rig.armature.bones[*bone].name)}});
        } else if (is_moved[node]) {
            unmatched.push_back(name);
        }
    }
    report["matched"] = std::move(matched);
    report["unmatched_joints"] = std::move(unmatched);
    report["frame_end"] = request.timing.frame_start;
    report["duration_seconds"] = 0.0;
    return report;
}

}  // namespace

std::span<const Option> import_options() {
    // All but the last are those of conversions.
    static const std::vector<Option> table = [] {
        const auto of_clips = clip::to_clip_options();
        std::vector<Option> all(of_clips.begin(), of_clips.end());
        const auto own = options_of(whole_rows);
        all.insert(all.end(), own.begin(), own.end());
        return all;
    }();
    return table;
}

Result<CurvesMade> to_curves(const file::Document& document, const ToCurves& request) {
    TRY_VOID(check_options(request.options, import_options(), ""));
    GivenImport given;
    set_options(request.options, whole_rows, given);
    Json of_clip = request.options;
    of_clip.erase(whole_rows[0].option.name);
    TRY(clip::Chosen chosen, clip::chosen(document, of_clip));
    TRY(const rig::armature::MappedRig rig, rig::armature::mapped(*request.rig));
    std::erase_if(chosen.joints, [](const play::Shown& joint) { return !is_worth_a_bone(joint); });
    const Clip clip = given.is_whole ? with_all_positions(clip::clip_of(chosen.pose, chosen.joints))
                                     : clip::clip_of(chosen.pose, chosen.joints);
    auto curves = rig::curves::curves_from_clip(clip, rig.armature, rig.map, request.timing);
    std::vector<std::string> bent;
    std::vector<bool> is_moved(clip.skeleton.nodes.size(), false);
    for (const play::Shown& joint : chosen.joints) {
        is_moved[joint.joint] = clip::is_posed(chosen.pose, joint);
        if (is_moved[joint.joint] && rig.map.bone_of_node[joint.joint]) {
            const auto frame = static_cast<float>(request.timing.frame_start);
            if (given.is_whole || is_scaled(joint)) {
                curves.curves.push_back(scale_curves(joint, rig, frame, bent));
            }
        }
    }
    Json report = report_of(clip, rig, request, curves, is_moved);
    std::vector<std::string> warnings = chosen.warnings;
    if (!bent.empty()) {
        warnings.push_back(
            "Blender scales a bone along its own axes, so it shows these scales only roughly: " +
            some_of(bent));
    }
    if (const auto names = free_joints(chosen.joints); !names.empty()) {
        warnings.push_back("The pose leaves joints to animations, so their bones stay as they are: " +
                           some_of(names));
    }
    report["warnings"] = texts_json(warnings);
    return CurvesMade{std::move(curves), std::move(report)};
}

}  // namespace animbridge::sl_pose::scene

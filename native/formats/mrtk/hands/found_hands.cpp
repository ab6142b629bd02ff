// SPDX-License-Identifier: MIT
#include "formats/mrtk/hands/hands.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "formats/mrtk/edit/edit.h"

namespace animbridge::mrtk::hands {

namespace {

constexpr std::size_t joints_of_a_hand = file::joint_count - 1;  ///< without None

/// The parts of the body, by the armature's bones.
Result<rig::humanoid::FoundRig> rig_of_bones_named(const rig::armature::Armature& armature,
                                                   const std::string& rig_file) {
    const rig::armature::ArmatureSkeleton made = rig::armature::skeleton_of(armature);
    std::optional<rig::humanoid::RigFile> own;
    if (!rig_file.empty()) {
        TRY(own, rig::humanoid::read_rig_file(rig_file).map_error(in_request));
    }
    TRY(auto found,
        rig::humanoid::find_rig(made.skeleton, rig::humanoid::built_in_rigs(), own ? &*own : nullptr)
            .map_error(in_request));
    for (rig::humanoid::FoundSlot& slot : found.slots) {
        slot.joint = *made.map.bone_of_node[slot.joint];
    }
    return found;
}

void leave_out_small_hands(ForeignHands& hands) {
    for (std::size_t hand = 0; hand < file::hand_count; ++hand) {
        const auto is_of_hand = [&](const ForeignJoint& joint) { return file::hand_of(joint.pose) == hand; };
        const auto count = static_cast<std::size_t>(std::ranges::count_if(hands.joints, is_of_hand));
        if (count > 0 && 2 * count < joints_of_a_hand) {
            std::erase_if(hands.joints, is_of_hand);
            hands.left_out.push_back("the " + std::string(file::hand_names.at(hand)) + " hand: only " +
                                     std::to_string(count) + " of its " + std::to_string(joints_of_a_hand) +
                                     " joints were found");
        }
    }
}

Json hands_json(const ForeignHands& hands, const rig::armature::Armature& armature,
                const rig::humanoid::FoundRig& found) {
    Json bones = Json::object();
    Json placed = Json::array();
    std::array<bool, file::pose_count> is_there{};
    for (const ForeignJoint& joint : hands.joints) {
        const std::string name = file::pose_name(joint.pose);
        bones.append_member(name, json_text(armature.bones[joint.bone].name));
        is_there.at(joint.pose) = true;
        if (!joint.has_bone) {
            placed.push_back(name);
        }
    }
    Json missing = Json::array();
    for (std::size_t pose = 1; pose < file::pose_count; ++pose) {
        if (!is_there.at(pose) && file::joint_of(pose) != file::none) {
            missing.push_back(file::pose_name(pose));
        }
    }
    return {{"convention", found.convention.empty() ? Json(nullptr) : json_text(found.convention)},
            {"bones", std::move(bones)},
            {"placed", std::move(placed)},
            {"missing", std::move(missing)}};
}

/// The skeleton's nodes as bones. A node does not define where its bone ends.
rig::armature::Armature armature_of(const Skeleton& skeleton) {
    rig::armature::Armature armature;
    std::vector<Transform> world(skeleton.nodes.size());
    for (std::size_t i = 0; i < skeleton.nodes.size(); ++i) {
        const Node& node = skeleton.nodes[i];
        world[i] = node.parent ? world[*node.parent] * node.rest_local : node.rest_local;
        armature.bones.push_back({node.name, node.parent, world[i]});
    }
    return armature;
}

std::vector<double> times_between(const std::vector<double>& times) {
    // Rotations between keys are arcs in the world, where a recording has lines. The limit bounds memory if
    // keys are far apart.
    constexpr double most_pieces = 20'000.0;
    const double duration = times.empty() ? 0.0 : times.back() - times.front();
    const double piece = std::max(edit::longest_line_seconds, duration / most_pieces);
    std::vector<double> all;
    for (std::size_t i = 0; i < times.size(); ++i) {
        all.push_back(times[i]);
        const double gap = i + 1 < times.size() ? times[i + 1] - times[i] : 0.0;
        const auto pieces = static_cast<std::size_t>(std::min(std::ceil(gap / piece), most_pieces));
        for (std::size_t k = 1; k < pieces; ++k) {
            all.push_back(times[i] + gap * static_cast<double>(k) / static_cast<double>(pieces));
        }
    }
    return all;
}

/// The times of all motion, and times between.
std::vector<double> pose_times(const Clip& clip) {
    std::vector<double> times{0.0};
    for (const Track& track : clip.tracks) {
        if (track.channel != Channel::property) {
            times.insert(times.end(), track.times.begin(), track.times.end());
        }
    }
    return times_between(sorted_unique(std::move(times)));
}

void add_pose_keys(double seconds, const Transform& pose, Track& rotation, Track& translation) {
    glm::dquat turn = pose.rotation;
    if (rotation.key_count() > 0 && glm::dot(rotation.rotation(rotation.key_count() - 1), turn) < 0.0) {
        turn = -turn;
    }
    rotation.add_key(seconds, std::array{turn.w, turn.x, turn.y, turn.z});
    translation.add_key(seconds, std::array{pose.translation.x, pose.translation.y, pose.translation.z});
}

/// A node of the clip that carries a pose of a recording.
struct Carried {
    std::string name;
    std::size_t node = 0;
    Transform local{};                    ///< in the node's frame
    std::optional<std::size_t> origin{};  ///< for a gaze's direction: the node that it is relative to
};

/// The joints of the hands, and nodes named as the camera and the gaze.
std::vector<Carried> carried_nodes(const Skeleton& skeleton, const rig::armature::Armature& armature,
                                   const FoundHands& hands) {
    std::vector<Carried> all;
    all.reserve(hands.joints.size());
    for (const ForeignJoint& joint : hands.joints) {
        all.push_back({file::pose_name(joint.pose), joint.bone, joint.local});
    }
    const auto gaze = skeleton.find(file::gaze_name);
    for (std::size_t bone = 0; bone < armature.bones.size(); ++bone) {
        const std::string& name = armature.bones[bone].name;
        if (name == file::camera_name || name == file::gaze_name) {
            all.push_back({name, bone});
        } else if (name == file::gaze_direction_name && gaze) {
            all.push_back({name, bone, {}, gaze});
        }
    }
    return all;
}

}  // namespace

Result<FoundHands> found_hands(const rig::armature::Armature& armature, const std::string& rig_file,
                               std::span<const glm::dvec3> tails) {
    if (!tails.empty() && tails.size() != armature.bones.size()) {
        return fail(ErrorCode::bad_value,
                    "has " + std::to_string(tails.size()) + " places, the armature has " +
                        std::to_string(armature.bones.size()) + " bones",
                    "tails");
    }
    TRY(const auto found, rig_of_bones_named(armature, rig_file));
    ForeignHands hands = foreign_hands(armature, found, tails);
    leave_out_small_hands(hands);
    if (hands.joints.empty() && found.is_hand_without_side) {
        return fail(
            ErrorCode::invalid_argument,
            "no hand was found. " + found.warnings.front() +
                " Choose the file in Blender under Rig Map, in the command with --rig, in the library "
                "with rig or source_rig");
    }
    if (hands.joints.empty()) {
        return fail(ErrorCode::invalid_argument,
                    "no hand was found (" + hands.left_out.front() +
                        "). A recording needs hands with fingers, or joints with names such as \"L_Wrist\", "
                        "\"R_IndexTip\" or \"Camera\". If there are hands, name their joints in a rig file "
                        "(Blender: Rig Map; command: --rig; library: rig or source_rig)");
    }
    FoundHands made{std::move(hands.joints), found.warnings, {}};
    for (const std::string& sentence : hands.left_out) {
        made.warnings.push_back("Left out: " + sentence);
    }
    made.report = hands_json({made.joints}, armature, found);
    return made;
}

Result<FoundClip> clip_of_found_hands(const Clip& clip, const std::string& rig_file) {
    const rig::armature::Armature armature = armature_of(clip.skeleton);
    std::vector<glm::dvec3> tails;
    for (const rig::armature::Bone& bone : armature.bones) {
        tails.push_back(bone.rest.translation);
    }
    TRY(auto hands, found_hands(armature, rig_file, tails));
    FoundClip made{{{}, {}, clip.markers, clip.duration_seconds}, std::move(hands)};
    const std::vector<Carried> all = carried_nodes(clip.skeleton, armature, made.hands);
    for (const Carried& one : all) {
        const std::size_t node = made.clip.skeleton.nodes.size();
        made.clip.skeleton.nodes.push_back(
            {one.name, {}, std::nullopt, armature.bones[one.node].rest * one.local});
        made.clip.tracks.push_back({node, Channel::rotation});
        made.clip.tracks.push_back({node, Channel::translation});
    }
    ClipPoser poser(clip);
    for (const double seconds : pose_times(clip)) {
        poser.pose(seconds);
        for (std::size_t i = 0; i < all.size(); ++i) {
            Transform pose = poser.world()[all[i].node] * all[i].local;
            if (all[i].origin) {
                const Transform& origin = poser.world()[*all[i].origin];
                pose.translation = glm::conjugate(origin.rotation) * (pose.translation - origin.translation);
            }
            add_pose_keys(seconds, pose, made.clip.tracks[2 * i], made.clip.tracks[2 * i + 1]);
        }
    }
    return made;
}

}  // namespace animbridge::mrtk::hands

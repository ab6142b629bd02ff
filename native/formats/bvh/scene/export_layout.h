// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/bvh/clip/clip.h"
#include "formats/bvh/scene/scene.h"
#include "rig/curves/curves.h"

/// Which joints an exported BVH has, and what each of them can keep of the template.
namespace animbridge::bvh::scene {

struct ExportLayout {
    ExportOptions options;
    rig::curves::ExportedBones exported;
    std::vector<std::optional<std::size_t>> joint_of_bone;    ///< per bone: its joint in the template
    std::vector<std::optional<std::size_t>> template_joints;  ///< per node: its joint in the template
    std::vector<bool> same_offset;      ///< per node: same parent joint and same offset as in the template
    std::vector<bool> keeps_numbers;    ///< per node: unchanged numbers can be copied from the template
    std::vector<bool> keeps_rotations;  ///< and, in addition, its rotations are unchanged
    std::vector<bool> keeps_positions;  ///< and, in addition, its locations are unchanged
    bool same_times = false;            ///< the template's frame times equal the file's
    double template_frame_seconds = 0;  ///< the template's frame time, as imported
    double frame_seconds = 0;           ///< the file's; above 0 even if the template has none
};

/// Whether the node's parent is the bone's own parent, with no bone left out between them.
[[nodiscard]] bool keeps_parent(const rig::armature::Armature& armature,
                                const rig::curves::ExportedBones& exported, std::size_t node);

/// ErrorCode::bad_value: "bones" or "tails" do not fit the armature, or no bone is exported.
[[nodiscard]] Result<ExportLayout> bvh_layout(const SceneMotion& motion);

/// Names, offsets, channels and end sites of the file's joints.
struct FilePlan {
    clip::FromClip options;
    std::vector<std::string> names;
    std::vector<std::string> stuck{};    ///< bones that leave their rest positions but may not have positions
    std::vector<std::string> renamed{};  ///< a sentence for each name that a BVH cannot hold
};
[[nodiscard]] FilePlan bvh_plan(const ExportLayout& layout, const rig::armature::Armature& armature,
                                const Clip& clip);

/// A name that a file can hold: replaces what would not be read back as part of the name.
[[nodiscard]] std::string writable_name(std::string name);

}  // namespace animbridge::bvh::scene

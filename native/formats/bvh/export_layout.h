// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/bvh/clip.h"
#include "formats/bvh/export.h"
#include "rig/exported_bones.h"

/// Which joints an exported BVH has, and what the file that the armature came from still tells of them.
namespace animbridge::bvh {

struct Layout {
    rig::ExportedBones exported;
    std::vector<std::optional<std::size_t>>
        joint_of_bone;  ///< per bone: the base's joint that it still carries
    std::vector<std::optional<std::size_t>>
        base_joint;                     ///< per node: the base's joint that the bone still carries
    std::vector<bool> same_place;       ///< per node: it hangs below the same joint, at the same offset
    std::vector<bool> keeps_numbers;    ///< per node: what is unchanged of it stands in the base as it is
    std::vector<bool> keeps_rotations;  ///< and its rotations are unchanged
    std::vector<bool> keeps_places;     ///< and its locations are
    bool same_times = false;            ///< the base's frames are the file's
    double base_frame_seconds = 0;      ///< of the base, as it was imported
    double frame_seconds = 0;  ///< from a frame to the next, also where the base has no time between them
};

/// Whether the node's parent is its bone's parent.
[[nodiscard]] bool passes_no_bone(const rig::Armature& armature, const rig::ExportedBones& exported,
                                  std::size_t node);

/// ErrorCode::bad_value: "bones" or "tails" do not fit the armature.
[[nodiscard]] Result<Layout> bvh_layout(const rig::Armature& armature, const ExportOptions& options,
                                        const rig::Timing& timing, const std::vector<std::uint8_t>& exported,
                                        std::span<const rig::UnchangedCurve> unchanged);

/// The file's joints for the clip: names, offsets, channels and end sites. `warnings` gets what is lost.
struct Plan {
    FromClip options;
    std::vector<std::string> names;
};
[[nodiscard]] Plan bvh_plan(const Layout& layout, const rig::Armature& armature, const Clip& clip,
                            const ExportOptions& options, std::vector<std::string>& warnings);

/// The name as a file can hold it: what would not be read as one name is replaced, the rest stays.
[[nodiscard]] std::string writable_name(std::string name);

}  // namespace animbridge::bvh

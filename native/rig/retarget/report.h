// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "rig/retarget/first_frame.h"

namespace animbridge::rig {

/// What became of one part.
struct SlotReport {
    std::string slot;
    std::vector<std::string> source_joints;
    std::vector<std::string> target_joints;
    double alignment_degrees = 0;  ///< the turn that the alignment gave the target's reference
    bool is_held = false;          ///< it keeps its place, and the parts below move relative to it
    /// The largest angle between where the part points and where the source's does; without a direction,
    /// between the turns of the two joints. nullopt: the part is held.
    std::optional<double> difference_degrees{};
    double difference_at_seconds = 0;
    bool by_direction = false;  ///< false: of the turns
};

/// One foot while it stands.
struct FootReport {
    std::string slot;          ///< the part that touches the floor: toes, or foot
    std::size_t contacts = 0;  ///< number of times that the source's foot stands
    double contact_seconds = 0;
    double source_slide_mm_per_second = 0;    ///< horizontal path of the source's foot while it stands
    double unpinned_slide_mm_per_second = 0;  ///< of the target's before pinning
    double slide_mm_per_second = 0;           ///< of the finished clip
};

/// The path of the body.
struct BodyReport {
    std::string slot;
    double source_hips_height_metres = 0;
    double target_hips_height_metres = 0;
    double horizontal_scale = 1;
    double vertical_scale = 1;
    double source_ground_metres = 0;
    double target_ground_metres = 0;
    double lift_metres = 0;         ///< by which on_ground moved the result
    double path_difference_mm = 0;  ///< the largest distance of the finished clip from the scaled path
    double path_difference_at_seconds = 0;
};

/// How far the hands are from each other, relative to the length of an arm.
struct HandsReport {
    double largest_change = 0;  ///< of distance / arm length, target against source
    double at_seconds = 0;
    double source_distance = 0;  ///< there, in arm lengths
    double target_distance = 0;
};

struct RetargetReport {
    std::vector<SlotReport> slots;
    std::optional<BodyReport> body{};
    std::vector<FootReport> feet{};
    std::optional<HandsReport> hands{};
    std::vector<std::string> only_in_source{};  ///< slots that leave their rest, and chains, without a joint
                                                ///< on the target
    std::vector<std::string> only_in_target{};
    std::vector<std::string> source_lacks{};    ///< those of them that every body has
    std::vector<std::string> dropped_motion{};  ///< joints of the source that move, but that no part has
    std::optional<FirstFrame> first_frame{};    ///< that was left out, for it is no part of the motion
    std::size_t times = 0;                      ///< at which the finished clip was measured
    std::vector<std::string> warnings{};        ///< sentences

    /// The largest difference of direction over all parts, in degrees.
    [[nodiscard]] double worst_degrees() const;
};

[[nodiscard]] Json retarget_json(const RetargetReport& report);

/// For people, from retarget_json's value.
[[nodiscard]] std::string describe_retarget(const Json& report);

}  // namespace animbridge::rig

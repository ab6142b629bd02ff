// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "rig/retarget/first_frame.h"

namespace animbridge::rig {

/// The result for one part.
struct SlotReport {
    std::string slot;
    std::vector<std::string> source_joints;
    std::vector<std::string> target_joints;
    double alignment_degrees = 0;  ///< how far the alignment turned the target's reference
    bool is_held = false;          ///< it stays in place, and the parts below move relative to it
    /// The largest angle between the directions of the part in target and source; if it has no direction,
    /// between the turns of the two joints. nullopt: the part is held.
    std::optional<double> difference_degrees{};
    double difference_at_seconds = 0;
    bool by_direction = false;  ///< false: by turns
};

/// One foot while it is on the floor.
struct FootReport {
    std::string slot;          ///< the part that touches the floor: toes, or foot
    std::size_t contacts = 0;  ///< how often the source's foot is on the floor
    double contact_seconds = 0;
    double source_slide_mm_per_second = 0;    ///< horizontal path of the source's foot on the floor
    double unpinned_slide_mm_per_second = 0;  ///< of the target's foot, before pinning
    double slide_mm_per_second = 0;           ///< of the target's foot, in the finished clip
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
    double lift_metres = 0;         ///< how far on_ground moved the result
    double path_difference_mm = 0;  ///< the largest distance of the finished clip from the scaled path
    double path_difference_at_seconds = 0;
};

/// How far the hands are from each other, relative to the length of an arm.
struct HandsReport {
    double largest_change = 0;  ///< change of distance / arm length, target against source
    double at_seconds = 0;
    double source_distance = 0;  ///< at that time, in arm lengths
    double target_distance = 0;
};

struct RetargetReport {
    std::vector<SlotReport> slots;
    std::optional<BodyReport> body{};
    std::vector<FootReport> feet{};
    std::optional<HandsReport> hands{};
    std::vector<std::string> only_in_source{};  ///< moving slots, and chains, that the target lacks
    std::vector<std::string> only_in_target{};
    std::vector<std::string> source_lacks{};    ///< those of them that every body has
    std::vector<std::string> dropped_motion{};  ///< joints of the source that move but belong to no part
    std::optional<FirstFrame> first_frame{};    ///< left out, because it is not part of the motion
    std::size_t times = 0;                ///< the number of times at which the finished clip was measured
    std::vector<std::string> warnings{};  ///< sentences

    /// The largest difference of direction over all parts, in degrees.
    [[nodiscard]] double worst_degrees() const;
};

[[nodiscard]] Json retarget_json(const RetargetReport& report);

/// The output of retarget_json, as text for people.
[[nodiscard]] std::string describe_retarget(const Json& report);

}  // namespace animbridge::rig

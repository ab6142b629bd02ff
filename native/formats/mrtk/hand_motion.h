// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "formats/mrtk/document.h"
#include "formats/mrtk/hands.h"
#include "formats/mrtk/player.h"
#include "model/clip.h"
#include "model/comparison.h"

/// The motion of hands whose bones form a hierarchy.
namespace animbridge::mrtk {

struct HandMotion {
    Clip clip{};
    /// The largest difference between the clip and the recording, over all joints and times.
    WorstDifference difference{};

    /// A sentence if the difference is above the bounds of hand_times.h.
    [[nodiscard]] std::optional<std::string> warning() const;
};

/// What the recording means (ShownPose::meant) on the rig. All joints of a hand have linear keys wherever one
/// of them has a key, and inserted ones between (shared_times()). Tracks of the switches are steps.
[[nodiscard]] HandMotion hand_motion(const Document& document, const Player& player, const HandRig& rig);

/// Adds the tracks of the switches, as steps, and the markers. A clip without nodes gets no tracks.
void add_switches_and_markers(const Document& document, const Player& player, Clip& clip);

}  // namespace animbridge::mrtk

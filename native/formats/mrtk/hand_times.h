// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "formats/mrtk/hands.h"
#include "formats/mrtk/player.h"
#include "model/comparison.h"

/// The times at which the joints of a hand need keys: wherever one of them has a key, and between those where
/// arcs about the joints above leave the lines of the file.
namespace animbridge::mrtk {

/// How far joints with linear keys may be from the recording, in the world.
inline constexpr double hand_bound_mm = 0.5;
inline constexpr double hand_bound_degrees = 0.25;

/// How long before its end a step is still held: more than the 0.01 frames within which newer Blender
/// versions merge keys. The bounds do not hold in this time.
inline constexpr double step_edge_seconds = 1e-3;

/// The most times that joints may share: this many, or times_per_row times as many as if each of their keys
/// belonged to a time at which all of them have keys. So memory grows in proportion to the file, whose keys
/// take 56 bytes per joint and such a time in version 1.1, and a clip's 72.
inline constexpr std::size_t fewest_most_times = 16384;
inline constexpr std::size_t times_per_row = 16;

/// The nodes of a rig that share their key times: the camera, or those of a hand. Parents come first and are
/// included.
class SharedPoses {
public:
    SharedPoses(const Player& player, const HandRig& rig, std::vector<std::size_t> nodes);

    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] std::size_t node(std::size_t i) const { return nodes_[i]; }
    [[nodiscard]] std::size_t pose(std::size_t i) const { return poses_[i]; }
    [[nodiscard]] const Player& player() const { return player_; }

    /// The nodes' poses in the recording, in clip space.
    [[nodiscard]] std::vector<Transform> world(double seconds) const;
    /// The poses `world`, relative to the joints above.
    [[nodiscard]] std::vector<Transform> local(std::vector<Transform> world) const;
    /// The world poses that linear keys show between two keys.
    [[nodiscard]] std::vector<Transform> between(std::span<const Transform> left_local,
                                                 std::span<const Transform> right_local, double share) const;

private:
    const Player& player_;
    std::vector<std::size_t> nodes_;
    std::vector<std::size_t> poses_{};
    std::vector<std::optional<std::size_t>> parents_{};  ///< as indices in nodes_
};

struct SharedTimes {
    std::vector<double> seconds{};  ///< in order
    std::vector<bool> inserted{};   ///< per time: no joint has a key there
    JointDifference difference{};   ///< the largest that remains between the keys, in the world
};

/// Adds times until the joints are within the bounds, up to the most times.
[[nodiscard]] SharedTimes shared_times(const SharedPoses& poses);

}  // namespace animbridge::mrtk

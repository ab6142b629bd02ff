// SPDX-License-Identifier: MIT
#include "formats/mrtk/hands/hands.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "formats/mrtk/curves/curves.h"

namespace animbridge::mrtk::hands {

namespace {

/// Shares of the bounds: segments above the first are halved, because the error may be larger between the
/// tested times; those above the second get more tests.
constexpr double halved = 0.5;
constexpr double looked_at_again = 0.05;

/// The most times that a segment between two keys of the file is halved.
constexpr int most_halvings = 8;

/// The times of the keys, and of the edges before steps.
struct FileTimes {
    std::vector<double> keys{};
    std::vector<double> edges{};
};

void add_file_times(const curves::CurveView& curve, FileTimes& times) {
    for (std::size_t key = 0; key < curve.size(); ++key) {
        times.keys.push_back(curve.time(key));
        if (key + 1 == curve.size()) {
            return;
        }
        const double from = curve.time(key);
        const double to = curve.time(key + 1);
        if (to > from &&
            curves::segment_between(curve.key(key), curve.key(key + 1)).kind == curves::Segment::Kind::step) {
            times.edges.push_back(std::max(to - step_edge_seconds, 0.5 * (from + to)));
        }
    }
}

/// At most `most` of the times, evenly by index; the first and the last stay.
void thin(std::vector<double>& times, std::size_t most) {
    if (times.size() <= most) {
        return;
    }
    if (most < 2) {
        times.clear();
        return;
    }
    for (std::size_t i = 0; i < most; ++i) {
        times[i] = times[i * (times.size() - 1) / (most - 1)];
    }
    times.resize(most);
}

/// The largest of the joints' differences.
struct Deviation {
    double position_mm = 0;
    double rotation_degrees = 0;
    std::size_t joint = 0;  ///< the joint with that position
    double position_at = 0;
    double rotation_at = 0;

    [[nodiscard]] bool is_above(double share) const {
        return !(position_mm <= share * hand_bound_mm && rotation_degrees <= share * hand_bound_degrees);
    }
    void widen(const Deviation& other) {
        if (other.position_mm > position_mm) {
            position_mm = other.position_mm;
            joint = other.joint;
            position_at = other.position_at;
        }
        if (other.rotation_degrees > rotation_degrees) {
            rotation_degrees = other.rotation_degrees;
            rotation_at = other.rotation_at;
        }
    }
};

/// Halves the segments with too large errors, longer ones first, until no error is too large or no more times
/// are allowed.
class Halver {
public:
    Halver(const SharedPoses& poses, std::size_t room) : poses_(poses), room_(room) {}

    /// The times to add to these; after `edges`, lines are the jumps of steps.
    std::vector<double> added(const std::vector<double>& times, const std::vector<double>& edges) {
        std::vector<std::pair<double, double>> open;
        for (std::size_t i = 1; i < times.size(); ++i) {
            const bool is_jump = times[i] - times[i - 1] < 2.0 * step_edge_seconds &&
                                 std::ranges::binary_search(edges, times[i - 1]);
            if (!is_jump) {
                open.emplace_back(times[i - 1], times[i]);
            }
        }
        std::vector<double> added;
        for (int halving = 0; !open.empty(); ++halving) {
            std::vector<std::pair<double, double>> next;
            for (const auto& [from, to] : open) {
                const Deviation found = deviation(from, to);
                const double middle = 0.5 * (from + to);
                const bool may_halve =
                    halving < most_halvings && added.size() < room_ && to - from > 2.0 * step_edge_seconds;
                if (!found.is_above(halved) || !may_halve) {
                    remaining_.widen(found);
                    continue;
                }
                added.push_back(middle);
                next.emplace_back(from, middle);
                next.emplace_back(middle, to);
            }
            open = std::move(next);
        }
        return added;
    }
    [[nodiscard]] const Deviation& remaining() const { return remaining_; }

private:
    [[nodiscard]] Deviation deviation(double from, double to) {
        if (last_to_ != from || right_.empty()) {
            right_ = poses_.local(poses_.world(from));
        }
        left_ = std::exchange(right_, poses_.local(poses_.world(to)));
        last_to_ = to;
        Deviation worst = deviation_at(from, to, 0.5);
        // The errors of arcs are largest in the middle, where those of curves that go both ways are zero.
        worst.widen(deviation_at(from, to, 0.25));
        if (worst.is_above(looked_at_again)) {
            for (const double share : {0.125, 0.375, 0.625, 0.75, 0.875}) {
                worst.widen(deviation_at(from, to, share));
            }
        }
        return worst;
    }

    [[nodiscard]] Deviation deviation_at(double from, double to, double share) const {
        const double seconds = from + share * (to - from);
        const std::vector<Transform> wanted = poses_.world(seconds);
        const std::vector<Transform> shown = poses_.between(left_, right_, share);
        Deviation found;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            found.widen(
                {play::millimetres_per_metre * glm::length(shown[i].translation - wanted[i].translation),
                 angle_between_degrees(shown[i].rotation, wanted[i].rotation), i, seconds, seconds});
        }
        return found;
    }

    const SharedPoses& poses_;
    std::size_t room_ = 0;
    Deviation remaining_{};
    double last_to_ = 0;
    std::vector<Transform> left_{};
    std::vector<Transform> right_{};
};

}  // namespace

SharedPoses::SharedPoses(const play::Player& player, const HandRig& rig, std::vector<std::size_t> nodes)
    : player_(player), nodes_(std::move(nodes)) {
    for (const std::size_t node : nodes_) {
        poses_.push_back(rig.pose_of_node[node]);
        const auto parent = rig.skeleton.nodes[node].parent;
        const auto found = parent ? std::ranges::find(nodes_, *parent) : nodes_.end();
        parents_.push_back(found == nodes_.end()
                               ? std::nullopt
                               : std::optional(static_cast<std::size_t>(found - nodes_.begin())));
    }
}

std::vector<Transform> SharedPoses::world(double seconds) const {
    std::vector<Transform> world;
    world.reserve(poses_.size());
    for (const std::size_t pose : poses_) {
        const play::ShownPose shown = player_.pose(pose, seconds);
        world.push_back({play::swapped(shown.meant), play::swapped(shown.position)});
    }
    return world;
}

std::vector<Transform> SharedPoses::local(std::vector<Transform> world) const {
    // Backwards: parents come first, and their world poses are still needed.
    for (std::size_t i = world.size(); i-- > 0;) {
        if (const auto parent = parents_[i]) {
            const glm::dquat back = glm::conjugate(world[*parent].rotation);
            world[i] = {back * world[i].rotation, back * (world[i].translation - world[*parent].translation)};
        }
    }
    return world;
}

std::vector<Transform> SharedPoses::between(std::span<const Transform> left_local,
                                            std::span<const Transform> right_local, double share) const {
    std::vector<Transform> world;
    world.reserve(left_local.size());
    for (std::size_t i = 0; i < left_local.size(); ++i) {
        const Transform& a = left_local[i];
        const Transform& b = right_local[i];
        const double sign = glm::dot(a.rotation, b.rotation) < 0.0 ? -1.0 : 1.0;
        const glm::dquat turn = a.rotation * (1.0 - share) + b.rotation * (sign * share);
        const Transform local{glm::normalize(turn), a.translation + share * (b.translation - a.translation)};
        world.push_back(parents_[i] ? world[*parents_[i]] * local : local);
    }
    return world;
}

SharedTimes shared_times(const SharedPoses& poses) {
    FileTimes file;
    for (std::size_t i = 0; i < poses.size(); ++i) {
        for (std::size_t curve = 0; curve < file::pose_curves; ++curve) {
            add_file_times(poses.player().curve(file::first_curve_of(poses.pose(i)) + curve), file);
        }
    }
    const std::size_t rows = file.keys.size() / (file::pose_curves * std::max<std::size_t>(poses.size(), 1));
    const std::size_t most = std::max(fewest_most_times, times_per_row * rows);
    std::vector<double> keys = sorted_unique(std::move(file.keys));
    thin(keys, most);
    const std::vector<double> edges = sorted_unique(std::move(file.edges));
    std::vector<double> inserted = edges;
    thin(inserted, most - keys.size());
    std::vector<double> known;
    std::set_union(keys.begin(), keys.end(), inserted.begin(), inserted.end(), std::back_inserter(known));
    Halver halver(poses, most - std::min(most, known.size()));
    for (const double seconds : halver.added(known, edges)) {
        inserted.push_back(seconds);
    }
    inserted = sorted_unique(std::move(inserted));
    SharedTimes times;
    std::set_union(keys.begin(), keys.end(), inserted.begin(), inserted.end(),
                   std::back_inserter(times.seconds));
    for (const double seconds : times.seconds) {
        times.inserted.push_back(!std::ranges::binary_search(keys, seconds));
    }
    const Deviation& left = halver.remaining();
    if (poses.size() > 0) {
        times.difference = {file::pose_name(poses.pose(left.joint)), left.position_mm, left.position_at,
                            left.rotation_degrees, left.rotation_at};
    }
    return times;
}

}  // namespace animbridge::mrtk::hands

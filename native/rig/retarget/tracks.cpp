// SPDX-License-Identifier: MIT
#include "rig/retarget/target.h"

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <numeric>

namespace animbridge::rig::retarget {

namespace {

/// Below this chord, and this many metres, nothing has changed.
constexpr double nothing = 1e-12;
/// How far lines between keys may be from the motion: 0.05 degrees as a chord, and 0.1 mm.
constexpr double line_chord = 4.36e-4;
constexpr double line_metres = 1e-4;
/// A joint this close to rest needs no key.
constexpr double at_rest = 1e-10;

bool is_same(const glm::dquat& a, const glm::dquat& b) { return chord(a, b) < nothing; }
bool is_same(const glm::dvec3& a, const glm::dvec3& b) { return glm::length(a - b) < nothing; }

/// Writes the tracks of all columns.
class TrackWriter {
public:
    TrackWriter(const TrackSources& from, const TargetMotion& motion)
        : from_(from), motion_(motion), tracks_by_node_(from.source.skeleton.nodes.size()) {
        for (const Track& track : from.source.tracks) {
            if (track.channel != Channel::property && track.key_count() > 0) {
                tracks_by_node_[track.node].push_back(&track);
            }
        }
    }

    std::vector<Track> write() {
        for (std::size_t column = 0; column < motion_.columns.size(); ++column) {
            plan_column(column);
        }
        std::vector<Transform> world(motion_.columns.size());
        for (std::size_t frame = 0; frame < from_.motion.times.size(); ++frame) {
            motion_.place(frame, world);
            for (ColumnPlan& plan : plans_) {
                const bool is_over = plan.next == plan.frames.size();
                if (!is_over && plan.frames[plan.next] == frame) {
                    ++plan.next;
                    add_checked_key(plan, frame, world);
                } else if (!is_over && plan.is_composed && plan.next > 0) {
                    plan.between.push_back(local_key(plan, frame, world));
                }
            }
        }
        return finish();
    }

private:
    /// A joint's local transform at a frame.
    struct LocalKey {
        double time = 0;
        glm::dquat rotation{1, 0, 0, 0};
        glm::dvec3 place{0, 0, 0};
    };

    struct ColumnPlan {
        std::size_t column = 0;
        std::vector<std::size_t> frames{};  ///< of the motion, at which this column gets keys
        std::size_t next = 0;
        bool holds = false;
        Track rotation{};
        Track translation{};
        bool is_composed = false;  ///< from several source joints: lines between keys may miss the motion
        std::vector<LocalKey> between{};  ///< since the last key
        LocalKey last{};
        std::vector<bool> inserted{};  ///< per key
        bool has_inserted = false;
        std::optional<std::size_t> same_rotation{};  ///< the source's joint whose keys stay unchanged
        std::optional<std::size_t> same_translation{};
    };

    void plan_column(std::size_t column) {
        const TargetColumn& to = motion_.columns[column];
        ColumnPlan plan{column};
        plan.rotation = {to.node, Channel::rotation};
        plan.translation = {to.node, Channel::translation};
        plan.last.rotation = from_.target.nodes[to.node].rest_local.rotation;
        const std::vector<const Track*> moving = tracks_that_move(to);
        plan.holds = all_hold(moving) && !is_everywhere(to);
        plan.frames = is_everywhere(to) ? all_frames() : frames_of(moving);
        plan.is_composed = !plan.holds && acts_through_several(moving);
        if (is_untouched(to)) {
            keep_keys(plan, parts_source(to));
        }
        plan.rotation.times.reserve(plan.frames.size());
        plan.rotation.values.reserve(4 * plan.frames.size());
        plans_.push_back(std::move(plan));
    }

    [[nodiscard]] std::size_t parts_source(const TargetColumn& column) const {
        return from_.parts.parts[column.part].source.front();
    }

    /// The tracks of the source on which the column's local transform depends.
    [[nodiscard]] std::vector<const Track*> tracks_that_move(const TargetColumn& column) const {
        std::vector<int> depends(tracks_by_node_.size());
        add_nodes_of_part(column.part, depends);
        if (column.above && !column.carrier && !motion_.bases[column.part]) {
            const std::size_t above = motion_.columns[*column.above].part;
            add_nodes_of_part(above, depends);
            drop_rigid(column, above, depends);
        }
        std::vector<const Track*> tracks;
        for (std::size_t node = 0; node < depends.size(); ++node) {
            if (depends[node] != 0) {
                tracks.insert(tracks.end(), tracks_by_node_[node].begin(), tracks_by_node_[node].end());
            }
        }
        if (!column.carrier) {
            drop_body_path(column, tracks);
        }
        return tracks;
    }

    /// Translations matter only if directions come from positions.
    void drop_body_path(const TargetColumn& column, std::vector<const Track*>& tracks) const {
        const auto has_several = [&](std::size_t part) { return from_.parts.parts[part].source.size() > 1; };
        if (has_several(column.part) || (column.above && has_several(motion_.columns[*column.above].part))) {
            return;
        }
        tracks.erase(
            std::remove_if(tracks.begin(), tracks.end(),
                           [](const Track* track) { return track->channel == Channel::translation; }),
            tracks.end());
    }

    void add_line(std::optional<std::size_t> node, std::vector<int>& depends) const {
        for (; node; node = from_.source.skeleton.nodes[*node].parent) {
            depends[*node] = 1;
        }
    }

    void add_nodes_of_part(std::size_t index, std::vector<int>& depends) const {
        const Part& part = from_.parts.parts[index];
        add_line(part.source.back(), depends);
        if (part.source.size() > 1) {
            add_line(aimed_source_joint(from_.parts, index), depends);
        }
        // A motion that is distributed over several joints begins with that of the part above.
        if (part.target.size() > 1 && part.parent) {
            add_line(from_.parts.parts[*part.parent].source.back(), depends);
        }
        if (const auto& base = motion_.bases[index]) {
            add_line(base->source_node, depends);
        }
    }

    /// Removes the motion that turns the column and the one above it equally.
    void drop_rigid(const TargetColumn& column, std::size_t above, std::vector<int>& depends) const {
        const Part& part = from_.parts.parts[column.part];
        if (above == column.part) {
            // Within a part, only its turn relative to the part that carries it matters.
            if (part.parent) {
                const std::size_t carrying = from_.parts.parts[*part.parent].source.front();
                drop_common(carrying, part.source.front(), depends);
            }
            return;
        }
        const Part& upper = from_.parts.parts[above];
        if (upper.target.size() == 1) {
            drop_common(part.source.front(), upper.source.front(), depends);
        } else if (motion_.columns[*column.above].index + 1 == upper.target.size() && upper.parent) {
            // The last of several bones also has the swing that closes the limb, which depends on its twist.
            drop_common(part.source.front(), from_.parts.parts[*upper.parent].source.front(), depends);
        }
    }

    /// A motion that turns both joints does not turn them relative to each other.
    void drop_common(std::size_t a, std::size_t b, std::vector<int>& depends) const {
        std::vector<int> above_a(depends.size());
        std::vector<int> above_b(depends.size());
        add_line(a, above_a);
        add_line(b, above_b);
        for (std::size_t node = 0; node < depends.size(); ++node) {
            if (above_a[node] != 0 && above_b[node] != 0) {
                depends[node] = 0;
            }
        }
    }

    [[nodiscard]] bool is_everywhere(const TargetColumn& column) const {
        return !from_.at_every_time.empty() && from_.at_every_time[column.part];
    }

    [[nodiscard]] std::vector<std::size_t> all_frames() const {
        std::vector<std::size_t> all(from_.motion.times.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        return all;
    }

    [[nodiscard]] std::vector<std::size_t> frames_of(const std::vector<const Track*>& tracks) const {
        const std::vector<double>& times = from_.motion.times;
        std::vector<std::size_t> frames;
        std::size_t frame = 0;
        for (const double time : union_of_key_times(tracks)) {
            while (frame + 1 < times.size() && times[frame] < time) {
                ++frame;
            }
            frames.push_back(frame);
        }
        if (frames.empty()) {
            frames.push_back(0);
        }
        return frames;
    }

    /// Whether the column moves exactly like its source joint, in the same frame.
    [[nodiscard]] bool is_untouched(const TargetColumn& column) const {
        const Part& part = from_.parts.parts[column.part];
        if (part.source.size() != 1 || part.target.size() != 1 || motion_.bases[column.part] ||
            is_everywhere(column)) {
            return false;
        }
        const std::size_t joint = part.source.front();
        const auto source_parent = from_.source.skeleton.nodes[joint].parent;
        const auto target_parent = from_.target.nodes[column.node].parent;
        if (!is_same(from_.source_pose.world[joint].rotation,
                     glm::conjugate(from_.alignment.turns[column.part]) * column.reference)) {
            return false;
        }
        if (!column.above) {
            return stands_still(source_parent) &&
                   is_same(world_at_rest(source_parent),
                           glm::conjugate(from_.alignment.turns[column.part]) * column.parent_link.rotation);
        }
        const TargetColumn& above = motion_.columns[*column.above];
        const Part& above_part = from_.parts.parts[above.part];
        return target_parent == above.node && source_parent &&
               above_part.source == std::vector{*source_parent} && above_part.target.size() == 1 &&
               is_same(from_.source_pose.world[*source_parent].rotation,
                       glm::conjugate(from_.alignment.turns[above.part]) * above.reference);
    }

    [[nodiscard]] bool stands_still(std::optional<std::size_t> node) const {
        for (; node; node = from_.source.skeleton.nodes[*node].parent) {
            if (!tracks_by_node_[*node].empty()) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] glm::dquat world_at_rest(std::optional<std::size_t> node) const {
        glm::dquat world(1, 0, 0, 0);
        for (; node; node = from_.source.skeleton.nodes[*node].parent) {
            world = from_.source.skeleton.nodes[*node].rest_local.rotation * world;
        }
        return world;
    }

    void keep_keys(ColumnPlan& plan, std::size_t joint) const {
        const TargetColumn& column = motion_.columns[plan.column];
        for (const Track* track : tracks_by_node_[joint]) {
            if (track->channel == Channel::rotation) {
                plan.same_rotation = joint;
            } else if (column.carrier && keeps_places(column, joint)) {
                plan.same_translation = joint;
            }
        }
    }

    /// Whether positions of the body stay unchanged: no factor, no shift, and the same frame.
    [[nodiscard]] bool keeps_places(const TargetColumn& column, std::size_t joint) const {
        if (!from_.path || from_.path->in_place || column.above ||
            !stands_still(from_.source.skeleton.nodes[joint].parent)) {
            return false;
        }
        const glm::dvec3 source_head = from_.source_pose.head(joint);
        const glm::dvec3 target_head = from_.alignment.target.head(column.node);
        const auto parent = from_.source.skeleton.nodes[joint].parent;
        const glm::dvec3 source_origin = parent ? from_.source_pose.head(*parent) : glm::dvec3(0);
        // If one position stays, with one frame and factors of 1, then every position stays.
        return from_.path->scale.horizontal == 1.0 && from_.path->scale.vertical == 1.0 &&
               is_same(from_.path->turn, glm::dquat(1, 0, 0, 0)) &&
               is_same(from_.path->map(source_head, source_head, target_head), source_head) &&
               is_same(source_origin, column.parent_link.translation);
    }

    static bool acts_through_several(const std::vector<const Track*>& tracks) {
        return std::ranges::any_of(tracks,
                                   [&](const Track* track) { return track->node != tracks.front()->node; });
    }

    [[nodiscard]] LocalKey local_key(const ColumnPlan& plan, std::size_t frame,
                                     const std::vector<Transform>& world) const {
        const TargetColumn& column = motion_.columns[plan.column];
        LocalKey key{from_.motion.times[frame]};
        const auto turn_from = [&](const glm::dquat& parent) {
            return with_sign_of(glm::normalize(product(glm::conjugate(parent), world[plan.column].rotation)),
                                plan.last.rotation);
        };
        if (column.is_child && !column.carrier) {
            key.rotation = turn_from(world[*column.above].rotation);
            return key;
        }
        const Transform parent = parent_frame(column, world);
        key.rotation = turn_from(parent.rotation);
        if (column.carrier) {
            key.place =
                glm::conjugate(parent.rotation) * (world[plan.column].translation - parent.translation);
        }
        return key;
    }

    /// Adds a key, and the earlier ones without which a line would miss the motion.
    void add_checked_key(ColumnPlan& plan, std::size_t frame, const std::vector<Transform>& world) const {
        const LocalKey key = local_key(plan, frame, world);
        if (plan.between.empty()) {
            add_key(plan, key, false);
            return;
        }
        const LocalKey from = plan.last;
        const bool misses = std::ranges::any_of(plan.between, [&](const LocalKey& between) {
            const double u = (between.time - from.time) / (key.time - from.time);
            const glm::dquat line =
                glm::normalize(from.rotation * (1.0 - u) + with_sign_of(key.rotation, from.rotation) * u);
            return !(chord(line, between.rotation) < line_chord) ||
                   (motion_.columns[plan.column].carrier &&
                    !(glm::length(from.place * (1.0 - u) + key.place * u - between.place) < line_metres));
        });
        for (const LocalKey& between : plan.between) {
            if (misses) {
                add_key(plan, between, true);
            }
        }
        plan.between.clear();
        add_key(plan, key, false);
    }

    void add_key(ColumnPlan& plan, const LocalKey& key, bool is_inserted) const {
        const glm::dquat q = with_sign_of(key.rotation, plan.last.rotation);
        plan.last = {key.time, q, key.place};
        plan.rotation.times.push_back(key.time);
        for (const double number : {q.w, q.x, q.y, q.z}) {
            plan.rotation.values.push_back(number);
        }
        if (plan.is_composed) {
            plan.inserted.push_back(is_inserted);
        }
        plan.has_inserted = plan.has_inserted || is_inserted;
        if (motion_.columns[plan.column].carrier) {
            plan.translation.add_key(key.time, std::array<double, 3>{key.place.x, key.place.y, key.place.z});
        }
    }

    void append_same(std::size_t joint, Channel channel, std::size_t node, std::vector<Track>& tracks) const {
        for (const Track& track : from_.original.tracks) {
            if (track.node == joint && track.channel == channel && track.key_count() > 0) {
                tracks.push_back(track);
                tracks.back().node = node;
            }
        }
    }

    std::vector<Track> finish() {
        std::vector<Track> tracks;
        for (ColumnPlan& plan : plans_) {
            const TargetColumn& column = motion_.columns[plan.column];
            const Transform& rest = from_.target.nodes[column.node].rest_local;
            if (plan.has_inserted) {
                plan.rotation.inserted = plan.inserted;
                plan.translation.inserted = column.carrier ? plan.inserted : std::vector<bool>{};
            }
            if (plan.holds) {
                plan.rotation.interpolation.assign(plan.rotation.key_count(), Interpolation::step);
                plan.translation.interpolation.assign(plan.translation.key_count(), Interpolation::step);
            }
            if (plan.same_rotation) {
                append_same(*plan.same_rotation, Channel::rotation, column.node, tracks);
            } else if (plan.rotation.key_count() > 1 ||
                       chord(plan.rotation.rotation(0), rest.rotation) > at_rest) {
                tracks.push_back(std::move(plan.rotation));
            }
            if (plan.same_translation) {
                append_same(*plan.same_translation, Channel::translation, column.node, tracks);
            } else if (column.carrier &&
                       (plan.translation.key_count() > 1 ||
                        glm::length(plan.translation.translation(0) - rest.translation) > at_rest)) {
                tracks.push_back(std::move(plan.translation));
            }
        }
        return tracks;
    }

    const TrackSources& from_;
    const TargetMotion& motion_;
    std::vector<std::vector<const Track*>> tracks_by_node_;
    std::vector<ColumnPlan> plans_;
};

}  // namespace

std::vector<Track> tracks_of_motion(const TrackSources& from, const TargetMotion& motion) {
    return TrackWriter(from, motion).write();
}

}  // namespace animbridge::rig::retarget

// SPDX-License-Identifier: MIT
#include "rig/retarget/target.h"

#include <algorithm>
#include <utility>

namespace animbridge::rig::retarget {

namespace {

/// The nodes on both sides that a part is relative to: those of the nearest held part above it, or, without a
/// body, the parents of its first joints.
struct BaseNodes {
    std::size_t source = 0;
    std::size_t target = 0;
};

std::optional<BaseNodes> held_base(const Parts& parts, std::size_t index) {
    std::optional<std::size_t> above = parts.parts[index].parent;
    for (std::size_t steps = 0; above && steps < parts.parts.size(); ++steps) {
        const Part& part = parts.parts[*above];
        if (part.is_held) {
            return BaseNodes{part.source.back(), part.target.back()};
        }
        above = part.parent;
    }
    return std::nullopt;
}

/// The topmost part above a part that moves.
const Part& moving_top(const Parts& parts, std::size_t index) {
    for (std::size_t steps = 0; parts.parts[index].parent && steps < parts.parts.size(); ++steps) {
        index = *parts.parts[index].parent;
    }
    return parts.parts[index];
}

std::optional<BaseNodes> base_nodes(const Parts& parts, std::size_t index, const Skeleton& source,
                                    const Skeleton& target) {
    if (auto held = held_base(parts, index)) {
        return held;
    }
    const Part& top = moving_top(parts, index);
    const auto source_parent = source.nodes[top.source.front()].parent;
    const auto target_parent = target.nodes[top.target.front()].parent;
    if (parts.body || !source_parent || !target_parent) {
        return std::nullopt;
    }
    return BaseNodes{*source_parent, *target_parent};
}

/// Climbs from a node to the nearest column at or above it. The joints between are at rest.
struct Climb {
    std::optional<std::size_t> column{};
    Transform link{};
};

class TargetPlan {
public:
    TargetPlan(const Parts& parts, const Skeleton& source, const Skeleton& target,
               const humanoid::FoundRig& target_rig, const Alignment& alignment)
        : parts_(parts), source_(source), target_(target), target_rig_(target_rig), alignment_(alignment) {}

    TargetMotion make(const RetargetOptions& options) {
        add_columns();
        for (TargetColumn& column : motion_.columns) {
            link_column(column, options);
        }
        add_bases();
        return std::move(motion_);
    }

private:
    void add_columns() {
        for (std::size_t part = 0; part < parts_.parts.size(); ++part) {
            for (std::size_t index = 0;
                 !parts_.parts[part].is_held && index < parts_.parts[part].target.size(); ++index) {
                TargetColumn column;
                column.node = parts_.parts[part].target[index];
                column.part = part;
                column.index = index;
                motion_.columns.push_back(column);
            }
        }
        std::ranges::sort(motion_.columns,
                          [](const TargetColumn& a, const TargetColumn& b) { return a.node < b.node; });
    }

    void link_column(TargetColumn& column, const RetargetOptions& options) {
        const Climb climb = climb_from(target_.nodes[column.node].parent);
        column.above = climb.column;
        column.parent_link = climb.link;
        column.is_child =
            climb.column && motion_.columns[*climb.column].node == target_.nodes[column.node].parent;
        column.rest_translation = target_.nodes[column.node].rest_local.translation;
        column.reference = alignment_.target.world[column.node].rotation;
        for (const SlotOffset& offset : options.offsets) {
            if (moves_slot(offset.slot, column)) {
                const glm::dquat axes = offset_axes(column.node, options);
                column.reference =
                    glm::normalize(column.reference * axes * offset.turn * glm::conjugate(axes));
                column.has_offset = true;
            }
        }
        if (parts_.parts[column.part].carries && column.index == 0) {
            column.carrier = motion_.carriers++;
        }
    }

    /// Whether the column belongs to the slot's part, or is the slot's joint in a part of several.
    [[nodiscard]] bool moves_slot(const std::string& slot, const TargetColumn& column) const {
        return parts_.find(slot) != nullptr ? parts_.parts[column.part].name == slot
                                            : target_rig_.joint_of(slot) == column.node;
    }

    [[nodiscard]] glm::dquat offset_axes(std::size_t node, const RetargetOptions& options) const {
        if (!options.target_axes.empty()) {
            return options.target_axes[node];
        }
        // The skeleton's axes at rest, relative to the joint.
        glm::dquat rest(1, 0, 0, 0);
        for (std::optional<std::size_t> at = node; at; at = target_.nodes[*at].parent) {
            rest = target_.nodes[*at].rest_local.rotation * rest;
        }
        return glm::conjugate(glm::normalize(rest));
    }

    [[nodiscard]] Climb climb_from(std::optional<std::size_t> node) const {
        Climb climb;
        for (; node; node = target_.nodes[*node].parent) {
            climb.column = motion_.column_of_node(*node);
            if (climb.column) {
                break;
            }
            climb.link = target_.nodes[*node].rest_local * climb.link;
        }
        climb.link.rotation = glm::normalize(climb.link.rotation);
        return climb;
    }

    void add_bases() {
        motion_.bases.resize(parts_.parts.size());
        for (std::size_t part = 0; part < parts_.parts.size(); ++part) {
            if (const auto nodes = base_nodes(parts_, part, source_, target_)) {
                const Climb climb = climb_from(nodes->target);
                motion_.bases[part] =
                    PartBase{nodes->source, nodes->target, climb.column, climb.link.rotation,
                             alignment_.target.world[nodes->target].rotation};
            }
        }
    }

    const Parts& parts_;
    const Skeleton& source_;
    const Skeleton& target_;
    const humanoid::FoundRig& target_rig_;
    const Alignment& alignment_;
    TargetMotion motion_;
};

/// Fills the rows, one frame after another.
class TargetMover {
public:
    TargetMover(const Parts& parts, const Posture& source, const Skeleton& target_skeleton,
                const Alignment& alignment, const std::optional<BodyPath>& path,
                const SourceMotion& source_motion, TargetMotion& target)
        : parts_(parts),
          source_(source),
          alignment_(alignment),
          path_(path),
          from_(source_motion),
          to_(target),
          deltas_(parts, source, target_skeleton, alignment) {
        for (const TargetColumn& column : to_.columns) {
            const glm::dquat& turn = alignment.turns[column.part];
            right_.push_back(glm::normalize(glm::conjugate(turn) * column.reference));
        }
    }

    void move(std::size_t frame) {
        deltas_.compute(from_, frame);
        // There is room for all, so the row does not move while it grows.
        const glm::dquat* const row = to_.rotations.data() + frame * to_.columns.size();
        for (std::size_t i = 0; i < to_.columns.size(); ++i) {
            const TargetColumn& column = to_.columns[i];
            glm::dquat delta = deltas_.of(column.part, column.index);
            if (const auto& base = to_.bases[column.part]) {
                delta = from_base(*base, frame) * delta;
            }
            glm::dquat now =
                glm::normalize(product(product(alignment_.turns[column.part], delta), right_[i]));
            if (const auto& base = to_.bases[column.part]) {
                now = glm::normalize(on_base(*base, row) * now);
            }
            to_.rotations.push_back(now);
            if (column.carrier && path_) {
                const std::size_t node = parts_.parts[column.part].source.front();
                to_.places[frame * to_.carriers + *column.carrier] =
                    path_->map(from_.at(frame, node).translation, source_.head(node),
                               alignment_.target.head(column.node));
            }
        }
    }

private:
    /// Removes the motion of the source's base.
    [[nodiscard]] glm::dquat from_base(const PartBase& base, std::size_t frame) const {
        return glm::conjugate(from_.at(frame, base.source_node).rotation *
                              glm::conjugate(source_.world[base.source_node].rotation));
    }
    /// Adds the motion of the target's base; its column comes before those below it.
    [[nodiscard]] static glm::dquat on_base(const PartBase& base, const glm::dquat* row) {
        const glm::dquat now = base.above ? row[*base.above] * base.link : base.link;
        return now * glm::conjugate(base.reference);
    }

    const Parts& parts_;
    const Posture& source_;
    const Alignment& alignment_;
    const std::optional<BodyPath>& path_;
    const SourceMotion& from_;
    TargetMotion& to_;
    PartDeltas deltas_;
    std::vector<glm::dquat> right_;  ///< per column: the constant right factor
};

}  // namespace

std::optional<std::size_t> TargetMotion::column_of_node(std::size_t node) const {
    const auto found = std::ranges::lower_bound(columns, node, {}, &TargetColumn::node);
    return found == columns.end() || found->node != node
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - columns.begin()));
}

void TargetMotion::place(std::size_t frame, std::vector<Transform>& world) const {
    const glm::dquat* const row = rotations.data() + frame * columns.size();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const TargetColumn& column = columns[i];
        world[i].rotation = row[i];
        if (column.carrier) {
            world[i].translation = places[frame * carriers + *column.carrier];
            continue;
        }
        const Transform parent = parent_frame(column, world);
        world[i].translation = parent.translation + parent.rotation * column.rest_translation;
    }
}

std::vector<std::size_t> base_source_nodes(const Parts& parts, const Skeleton& source) {
    std::vector<std::size_t> nodes;
    for (const Part& part : parts.parts) {
        // Without a body, groups are relative to the joint above them.
        const auto parent = source.nodes[part.source.front()].parent;
        if (!parts.body && !part.parent && parent) {
            nodes.push_back(*parent);
        }
    }
    return nodes;
}

Result<TargetMotion> move_target(const Parts& parts, const Skeleton& source_skeleton, const Posture& source,
                                 const Skeleton& target_skeleton, const humanoid::FoundRig& target_rig,
                                 const Alignment& alignment, const std::optional<BodyPath>& path,
                                 const SourceMotion& motion, const RetargetOptions& options, const Job& job) {
    TargetMotion target =
        TargetPlan(parts, source_skeleton, target_skeleton, target_rig, alignment).make(options);
    const std::size_t frames = motion.times.size();
    target.rotations.reserve(frames * target.columns.size());
    target.places.resize(frames * target.carriers);
    TargetMover mover(parts, source, target_skeleton, alignment, path, motion, target);
    for (std::size_t frame = 0; frame < frames; ++frame) {
        mover.move(frame);
        if (frame % 256 == 0) {
            TRY_VOID(job.report(static_cast<double>(frame) / static_cast<double>(frames)));
        }
    }
    return target;
}

}  // namespace animbridge::rig::retarget

// SPDX-License-Identifier: MIT
#include "rig/retarget/feet.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <glm/geometric.hpp>
#include <utility>

#include "rig/retarget/target.h"

namespace animbridge::rig::retarget {

namespace {

/// A bone of a leg, in the order of LegTurns.
enum class LegBone : std::uint8_t { upper, lower, foot, toes };

const glm::dquat& turn_of(const LegTurns& turns, LegBone bone) {
    return bone == LegBone::upper   ? turns.upper
           : bone == LegBone::lower ? turns.lower
           : bone == LegBone::foot  ? turns.foot
                                    : turns.toes;
}

std::optional<std::size_t> joint_of(const LegJoints& leg, LegBone bone) {
    return bone == LegBone::upper   ? leg.upper
           : bone == LegBone::lower ? leg.lower
           : bone == LegBone::foot  ? std::optional(leg.foot)
                                    : leg.toes;
}

constexpr std::array<LegBone, 4> leg_bones = {LegBone::upper, LegBone::lower, LegBone::foot, LegBone::toes};

/// Whether the bone ever turns otherwise than the one above it, which is none for a thigh.
bool ever_turns(const std::vector<LegTurns>& turns, LegBone bone, std::optional<LegBone> above) {
    return std::ranges::any_of(turns, [&](const LegTurns& each) {
        return turn_of(each, bone) != (above ? turn_of(each, *above) : glm::dquat(1, 0, 0, 0));
    });
}

/// The bone of a leg that a column is part of, or hangs on.
struct ColumnBone {
    std::size_t leg = 0;
    LegBone bone = LegBone::upper;
};

std::optional<ColumnBone> bone_at(const std::vector<LegJoints>& legs, std::size_t joint) {
    for (std::size_t leg = 0; leg < legs.size(); ++leg) {
        const auto* const bone = std::ranges::find_if(
            leg_bones, [&](LegBone each) { return legs[leg].upper && joint_of(legs[leg], each) == joint; });
        if (bone != leg_bones.end()) {
            return ColumnBone{leg, *bone};
        }
    }
    return std::nullopt;
}

std::vector<std::optional<ColumnBone>> bones_of_columns(const TargetMotion& motion,
                                                        const std::vector<LegJoints>& legs) {
    std::vector<std::optional<ColumnBone>> bones;
    for (const TargetColumn& column : motion.columns) {
        const auto own = bone_at(legs, column.node);
        bones.push_back(own || !column.above ? own : bones[*column.above]);
    }
    return bones;
}

void turn_columns(const std::vector<std::vector<LegTurns>>& turns, Feet& feet, TargetMotion& motion) {
    const std::vector<std::optional<ColumnBone>> bones = bones_of_columns(motion, feet.joints);
    const std::size_t width = motion.columns.size();
    for (std::size_t column = 0; column < width; ++column) {
        const auto& at = bones[column];
        if (!at) {
            continue;
        }
        const auto& above = motion.columns[column].above;
        const auto from = above && bones[*above] ? std::optional(bones[*above]->bone) : std::nullopt;
        if (ever_turns(turns[at->leg], at->bone, from)) {
            feet.parts[motion.columns[column].part] = true;
        }
        for (std::size_t frame = 0; frame < turns[at->leg].size(); ++frame) {
            const glm::dquat& turn = turn_of(turns[at->leg][frame], at->bone);
            glm::dquat& rotation = motion.rotations[frame * width + column];
            rotation = turn == glm::dquat(1, 0, 0, 0) ? rotation : glm::normalize(turn * rotation);
        }
    }
}

/// Whether lifting the body moves the column: a root stays on the floor.
bool is_lifted(const Parts& parts, const TargetColumn& column) {
    return column.carrier && parts.parts[column.part].name != "root";
}

void lift_body(const Parts& parts, const Planting& planting, Feet& feet, TargetMotion& motion) {
    for (const TargetColumn& column : motion.columns) {
        if (!is_lifted(parts, column)) {
            continue;
        }
        feet.parts[column.part] = true;
        for (std::size_t frame = 0; frame < planting.lifts.size(); ++frame) {
            motion.places[frame * motion.carriers + *column.carrier] += planting.lifts[frame] * planting.up;
        }
    }
}

/// The joints of the parts that move.
JointsOfSlot joints_in(const Parts& parts, std::vector<std::size_t> Part::*side) {
    return [&parts, side](const std::string& slot) {
        const Part* const part = parts.find(slot);
        return part == nullptr || part->is_held ? std::vector<std::size_t>() : part->*side;
    };
}

}  // namespace

Feet find_feet(const Parts& parts, const Clip& source, const Skeleton& target, const SourceMotion& motion,
               double hips_height_metres) {
    Feet feet;
    feet.joints = leg_joints(target, joints_in(parts, &Part::target));
    const std::vector<LegJoints> joints = leg_joints(source.skeleton, joints_in(parts, &Part::source));
    for (const LegJoints& leg : joints) {
        LegPath path{.side = leg.side};
        for (std::size_t frame = 0; frame < motion.times.size(); ++frame) {
            path.add(leg, [&](std::size_t joint) { return motion.at(frame, joint); });
        }
        feet.source.push_back(std::move(path));
    }
    feet.loop = loop_frames(source, feet.source, motion.times);
    feet.standing = find_contacts(feet.source, motion.times, hips_height_metres, feet.loop);
    for (LegPath& path : feet.source) {
        path = path.turned(feet.standing.level);
    }
    feet.source_soles = soles_of(feet.source, feet.standing);
    return feet;
}

void plant_target(const Parts& parts, const std::vector<double>& times, Feet& feet, TargetMotion& motion,
                  std::vector<std::string>& warnings) {
    for (const LegJoints& leg : feet.joints) {
        feet.unplanted.push_back({.side = leg.side});
    }
    std::vector<Transform> world(motion.columns.size());
    for (std::size_t frame = 0; frame < times.size(); ++frame) {
        motion.place(frame, world);
        for (std::size_t leg = 0; leg < feet.joints.size(); ++leg) {
            feet.unplanted[leg].add(feet.joints[leg],
                                    [&](std::size_t joint) { return world[*motion.column_of_node(joint)]; });
        }
    }
    feet.level = level_turn(feet.unplanted, feet.standing.supports, hips_height_metres(feet.unplanted));
    for (LegPath& path : feet.unplanted) {
        path = path.turned(feet.level);
    }
    feet.soles = soles_of(feet.unplanted, feet.standing);
    for (std::size_t leg = 0; leg < feet.joints.size(); ++leg) {
        feet.before.push_back(measure_foot(feet.unplanted[leg], feet.soles[leg], leg, feet.standing, times));
    }
    feet.parts.resize(parts.parts.size());
    const bool can_lift = std::ranges::any_of(
        motion.columns, [&](const TargetColumn& column) { return is_lifted(parts, column); });
    Planting planting = plant(feet.unplanted, feet.standing, feet.soles, times, can_lift, feet.loop);
    planting.turn_back(feet.level);
    turn_columns(planting.turns, feet, motion);
    feet.largest_lift = planting.largest_lift();
    if (feet.largest_lift > 0.0) {
        lift_body(parts, planting, feet, motion);
    }
    const std::vector<std::string> own = warnings_of_planting(feet.standing, planting);
    warnings.insert(warnings.end(), own.begin(), own.end());
}

namespace {

/// The joint whose position is the body's path: the hips or the nearest joint above that has positions, if it
/// carries all legs.
std::optional<std::size_t> path_joint(const Clip& clip, const humanoid::FoundRig& rig,
                                      const std::vector<LegJoints>& legs) {
    const auto hips = rig.joint_of("hips");
    const bool carries = hips && std::ranges::all_of(legs, [&](const LegJoints& leg) {
                             return !leg.upper || is_at_or_above(clip.skeleton, *hips, *leg.upper);
                         });
    if (!carries) {
        return std::nullopt;
    }
    for (std::optional<std::size_t> node = hips; node; node = clip.skeleton.nodes[*node].parent) {
        const bool moves = std::ranges::any_of(clip.tracks, [&](const Track& track) {
            return track.node == *node && track.channel == Channel::translation;
        });
        if (moves) {
            return node;
        }
    }
    return std::nullopt;
}

/// Plants the feet of a clip, or measures how well they stand.
class ClipPlanter {
public:
    ClipPlanter(const Clip& clip, const humanoid::FoundRig& rig) : clip_(clip), rig_(rig) {}

    Result<FeetPlanted> run(const Job& job) {
        TRY(const Standing stood, standing(job));
        const auto& [before, loop, standing, soles] = stood;
        Planting planting = plant(before, standing, soles, times_, path_joint_.has_value(), loop);
        planting.turn_back(standing.level);
        for (std::vector<LegTurns>& turns : planting.turns) {
            turns.insert(turns.begin(), turns.empty() ? 0 : first_, LegTurns());
        }
        planting.lifts.insert(planting.lifts.begin(), first_, 0.0);
        FeetPlanted made{{clip_.skeleton, {}, {}, clip_.duration_seconds, clip_.frames_per_second}, {}};
        made.body_moved_mm = 1000.0 * planting.largest_lift();
        made.floor_slope_degrees = slope_degrees(standing.level);
        for (std::size_t leg = 0; leg < legs_.size(); ++leg) {
            turn_leg(legs_[leg], planting.turns[leg], made);
        }
        lift_body(planting, made);
        std::ranges::sort(made.changed.tracks, {}, &Track::node);
        made.warnings = warnings_of_planting(standing, planting);
        measure(before, standing, soles, made);
        TRY_VOID(job.report(1.0));
        return made;
    }

    Result<std::vector<FootReport>> measured(const Job& job) {
        TRY(const Standing stood, standing(job));
        const auto& [paths, loop, standing, soles] = stood;
        std::vector<FootReport> feet;
        for (std::size_t leg = 0; leg < legs_.size(); ++leg) {
            feet.push_back(
                foot_report(paths[leg], soles[leg], paths[leg], soles[leg], leg, standing, times_));
        }
        return feet;
    }

private:
    /// The legs through the motion, and when their feet stand.
    struct Standing {
        std::vector<LegPath> paths;
        LoopFrames loop;
        StandingFeet feet;
        std::vector<Sole> soles;
    };

    Result<Standing> standing(const Job& job) {
        TRY_VOID(check_rest(clip_.skeleton, "source"));
        TRY_VOID(check_tracks(clip_));
        legs_ =
            leg_joints(clip_.skeleton, [&](const std::string& slot) { return joints_of_slot(rig_, slot); });
        std::erase_if(legs_, [](const LegJoints& leg) { return !leg.upper; });
        if (legs_.empty()) {
            return fail(ErrorCode::rejected,
                        "no leg was found with its upper and lower part and its foot, so no foot can be "
                        "planted. Name the joints in a rig file (command: --rig; library: source_rig)");
        }
        path_joint_ = path_joint(clip_, rig_, legs_);
        const LinearSource linear(clip_);
        TRY(motion_,
            record_motion(linear.clip(), recorded_nodes(), planted_step_seconds, job.part(0.0, 0.5)));
        leave_out_first_frame();
        Standing made{
            paths_of([&](std::size_t frame, std::size_t joint) { return motion_.at(frame, joint); }),
            {},
            {},
            {}};
        made.loop = loop_frames(clip_, made.paths, times_);
        made.feet = find_contacts(made.paths, times_, hips_height_metres(made.paths), made.loop);
        for (LegPath& path : made.paths) {
            path = path.turned(made.feet.level);
        }
        made.soles = soles_of(made.paths, made.feet);
        return made;
    }

    /// A first frame that is a pose stays as it is.
    void leave_out_first_frame() {
        if (const auto odd = odd_first_frame(clip_, rig_)) {
            const auto next = std::ranges::lower_bound(motion_.times, odd->next_seconds - 1e-5);
            first_ = next == motion_.times.end() ? 0 : static_cast<std::size_t>(next - motion_.times.begin());
        }
        times_.assign(motion_.times.begin() + static_cast<std::ptrdiff_t>(first_), motion_.times.end());
    }

    /// The joints of the legs, of the body's path, and those above them.
    [[nodiscard]] std::vector<std::size_t> recorded_nodes() const {
        std::vector<std::size_t> nodes;
        const auto add = [&](std::optional<std::size_t> node) {
            for (; node; node = clip_.skeleton.nodes[*node].parent) {
                nodes.push_back(*node);
            }
        };
        add(path_joint_);
        for (const LegJoints& leg : legs_) {
            add(leg.toes ? leg.toes_end : leg.foot);
        }
        std::ranges::sort(nodes);
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        return nodes;
    }

    template <typename At>
    [[nodiscard]] std::vector<LegPath> paths_of(const At& at) const {
        std::vector<LegPath> paths;
        for (const LegJoints& leg : legs_) {
            LegPath path{.side = leg.side};
            for (std::size_t frame = first_; frame < motion_.times.size(); ++frame) {
                path.add(leg, [&](std::size_t joint) { return at(frame, joint); });
            }
            paths.push_back(std::move(path));
        }
        return paths;
    }

    /// Replaces the tracks of the leg's joints that turn.
    void turn_leg(const LegJoints& leg, const std::vector<LegTurns>& turns, FeetPlanted& made) const {
        std::optional<LegBone> above;
        for (const LegBone bone : leg_bones) {
            const auto joint = joint_of(leg, bone);
            if (!joint) {
                continue;
            }
            if (ever_turns(turns, bone, above)) {
                Track track{*joint, Channel::rotation};
                glm::dquat last = clip_.skeleton.nodes[*joint].rest_local.rotation;
                for (std::size_t frame = 0; frame < turns.size(); ++frame) {
                    last = with_sign_of(local_rotation(*joint, frame, turns[frame], bone, above), last);
                    track.add_key(motion_.times[frame], std::array{last.w, last.x, last.y, last.z});
                }
                made.changed.tracks.push_back(std::move(track));
            }
            above = bone;
        }
    }

    /// The bones' joints need not be parents of each other: those between turn with the bone above.
    [[nodiscard]] glm::dquat local_rotation(std::size_t joint, std::size_t frame, const LegTurns& turns,
                                            LegBone bone, std::optional<LegBone> above) const {
        const auto parent = clip_.skeleton.nodes[joint].parent;
        glm::dquat from = parent ? motion_.at(frame, *parent).rotation : glm::dquat(1, 0, 0, 0);
        if (above) {
            from = turn_of(turns, *above) * from;
        }
        return glm::normalize(glm::conjugate(from) * turn_of(turns, bone) *
                              motion_.at(frame, joint).rotation);
    }

    void lift_body(const Planting& planting, FeetPlanted& made) const {
        if (!path_joint_ || !(planting.largest_lift() > 0.0)) {
            return;
        }
        Track track{*path_joint_, Channel::translation};
        const auto parent = clip_.skeleton.nodes[*path_joint_].parent;
        for (std::size_t frame = 0; frame < motion_.times.size(); ++frame) {
            const Transform above = parent ? motion_.at(frame, *parent) : Transform{};
            glm::dvec3 place = motion_.at(frame, *path_joint_).translation;
            place += planting.lifts[frame] * planting.up;
            place = seen_from(above, place);
            track.add_key(motion_.times[frame], std::array{place.x, place.y, place.z});
        }
        made.changed.tracks.push_back(std::move(track));
    }

    /// The whole clip with the changed tracks.
    [[nodiscard]] Clip finished(const Clip& changed) const {
        Clip all = clip_;
        std::erase_if(all.tracks, [&](const Track& old) {
            return std::ranges::any_of(changed.tracks, [&](const Track& track) {
                return old.node == track.node && old.channel == track.channel;
            });
        });
        all.tracks.insert(all.tracks.end(), changed.tracks.begin(), changed.tracks.end());
        return all;
    }

    void measure(const std::vector<LegPath>& before, const StandingFeet& standing,
                 const std::vector<Sole>& soles, FeetPlanted& made) const {
        const Clip all = finished(made.changed);
        ClipPoser poser(all);
        std::size_t posed = motion_.times.size();
        std::vector<LegPath> after = paths_of([&](std::size_t frame, std::size_t joint) {
            if (posed != frame) {
                poser.pose(motion_.times[frame]);
                posed = frame;
            }
            return poser.world()[joint];
        });
        for (std::size_t leg = 0; leg < legs_.size(); ++leg) {
            after[leg] = after[leg].turned(standing.level);
            made.feet.push_back(
                foot_report(before[leg], soles[leg], after[leg], soles[leg], leg, standing, times_));
            made.feet.back().unplanted = measure_foot(before[leg], soles[leg], leg, standing, times_);
            made.feet.back().knee_change_degrees = knee_change_degrees(before[leg], after[leg]);
        }
    }

    const Clip& clip_;
    const humanoid::FoundRig& rig_;
    std::vector<LegJoints> legs_;
    std::optional<std::size_t> path_joint_;
    SourceMotion motion_;
    std::size_t first_ = 0;      ///< the first frame that is motion
    std::vector<double> times_;  ///< from that frame on
};

}  // namespace

Result<FeetPlanted> plant_feet(const Clip& clip, const humanoid::FoundRig& rig, const Job& job) {
    return ClipPlanter(clip, rig).run(job);
}

Result<std::vector<FootReport>> measured_feet(const Clip& clip, const humanoid::FoundRig& rig,
                                              const Job& job) {
    return ClipPlanter(clip, rig).measured(job);
}

}  // namespace animbridge::rig::retarget

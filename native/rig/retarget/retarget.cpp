// SPDX-License-Identifier: MIT
#include "rig/retarget/retarget.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <iterator>
#include <map>
#include <utility>

#include "base/options/options.h"
#include "rig/retarget/parts.h"
#include "rig/retarget/target.h"
#include "rig/retarget/touch.h"

namespace animbridge::rig::retarget {

namespace {

/// Between the source's keys, the result is checked at least this often.
constexpr double checked_step_seconds = 1.0 / 24.0;

/// Whether an offset for the slot turns a joint: of the part with that name, or of a part with several slots.
bool has_slot(const Parts& parts, const humanoid::FoundRig& target_rig, const std::string& slot) {
    const auto joint = target_rig.joint_of(slot);
    return parts.find(slot) != nullptr ||
           (joint && std::ranges::any_of(parts.parts, [&](const Part& part) {
                return std::ranges::find(part.target, *joint) != part.target.end();
            }));
}

Result<void> check_options(const RetargetOptions& options, const Parts& parts,
                           const humanoid::FoundRig& target_rig) {
    if (options.root_scale) {
        for (const double factor : {options.root_scale->horizontal, options.root_scale->vertical}) {
            if (!(factor >= 0.0 && factor <= 1e6)) {
                return fail(
                    ErrorCode::invalid_argument,
                    "the scale of the body's path is " + std::to_string(factor) + "; it can be 0 to 1000000");
            }
        }
    }
    for (const auto& height : {options.source_ground_metres, options.target_ground_metres}) {
        if (height && !std::isfinite(*height)) {
            return fail(ErrorCode::invalid_argument, "the height of the ground is not a finite number");
        }
    }
    for (const SlotOffset& offset : options.offsets) {
        if (!has_slot(parts, target_rig, offset.slot)) {
            return fail(ErrorCode::invalid_argument, "an offset is for \"" + without_controls(offset.slot) +
                                                         "\", which the rigs do not both have; they have " +
                                                         names_of(parts));
        }
        if (!is_rotation(offset.turn)) {
            return fail(ErrorCode::invalid_argument,
                        "the offset of \"" + without_controls(offset.slot) + "\" is not a rotation");
        }
    }
    return {};
}

/// Joints without a part stay at rest on the target, whatever the reference. Those of parts keep their
/// orientation.
Posture with_rest_elsewhere(const Skeleton& skeleton, const Parts& parts, const Posture& posture) {
    std::vector<bool> moves(skeleton.nodes.size());
    for (const Part& part : parts.parts) {
        for (const std::size_t joint : part.target) {
            moves[joint] = !part.is_held;
        }
    }
    Posture result = posture;
    for (std::size_t node = 0; node < skeleton.nodes.size(); ++node) {
        const Node& joint = skeleton.nodes[node];
        const Transform above = joint.parent ? result.world[*joint.parent] : Transform{};
        if (moves[node]) {
            result.world[node].rotation = posture.world[node].rotation;
            result.local[node] = glm::normalize(glm::conjugate(above.rotation) * result.world[node].rotation);
        } else {
            result.local[node] = joint.rest_local.rotation;
            result.world[node].rotation = glm::normalize(above.rotation * result.local[node]);
        }
        result.world[node].translation = above.translation + above.rotation * joint.rest_local.translation;
    }
    return result;
}

/// Every joint of the source that is needed, once.
std::vector<std::size_t> recorded_nodes(const Parts& parts, const humanoid::FoundRig& source_rig,
                                        const Skeleton& source) {
    std::vector<std::size_t> nodes = PartDeltas::source_nodes(parts);
    const std::vector<std::size_t> feet = foot_joints(source_rig);
    const std::vector<std::size_t> bases = base_source_nodes(parts, source);
    nodes.insert(nodes.end(), feet.begin(), feet.end());
    nodes.insert(nodes.end(), bases.begin(), bases.end());
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
}

constexpr double no_motion = 1e-5;  // a chord of 0.001 degrees, a hundredth of a millimetre

/// The parts without a bone, except those whose joints stay at rest.
std::vector<std::string> moving_parts(const std::vector<std::string>& slots, const humanoid::FoundRig& rig,
                                      const Clip& source) {
    std::vector<bool> moves(source.skeleton.nodes.size());
    for (const Track& track : source.tracks) {
        moves[track.node] = moves[track.node] || leaves_rest(track, source.skeleton, no_motion);
    }
    std::vector<std::string> moving;
    std::ranges::copy_if(slots, std::back_inserter(moving), [&](const std::string& slot) {
        return std::ranges::any_of(joints_of_slot(rig, slot),
                                   [&](std::size_t joint) { return moves[joint]; });
    });
    return moving;
}

/// Joints whose motion is lost: they turn, or move without carrying the body, and no part has their motion.
std::vector<std::string> dropped_motion(const Clip& source, const Parts& parts) {
    std::vector<bool> is_kept(source.skeleton.nodes.size());
    for (const Part& part : parts.parts) {
        for (std::optional<std::size_t> node = part.source.back(); node;
             node = source.skeleton.nodes[*node].parent) {
            is_kept[*node] = true;  // the joint's own turn includes those of joints above
        }
    }
    std::vector<std::string> names;
    for (const Track& track : source.tracks) {
        const std::string& name = source.skeleton.nodes[track.node].name;
        if (!is_kept[track.node] && leaves_rest(track, source.skeleton, no_motion) &&
            (names.empty() || names.back() != name)) {
            names.push_back(name);
        }
    }
    return names;
}

BodyReport body_report(const Parts& parts, const BodyPath& path) {
    BodyReport report;
    report.slot = parts.parts[*parts.body].name;
    report.source_hips_height_metres = path.source_hips_height;
    report.target_hips_height_metres = path.target_hips_height;
    report.horizontal_scale = path.scale.horizontal;
    report.vertical_scale = path.scale.vertical;
    report.source_ground_metres = path.source_ground;
    report.target_ground_metres = path.target_ground;
    report.lift_metres = path.shift.z;
    return report;
}

/// Lifts the result until its lowest foot touches the floor. By how much.
double put_on_ground(const Parts& parts, BodyPath& path, TargetMotion& target, std::size_t frames) {
    std::vector<std::size_t> feet;
    for (const std::size_t joint : common_feet(parts, &Part::target)) {
        if (const auto column = target.column_of_node(joint)) {
            feet.push_back(*column);
        }
    }
    if (feet.empty()) {
        return 0;
    }
    double lowest = 0;
    std::vector<Transform> world(target.columns.size());
    for (std::size_t frame = 0; frame < frames; ++frame) {
        target.place(frame, world);
        for (const std::size_t foot : feet) {
            const double height = world[foot].translation.z;
            lowest = frame == 0 && foot == feet.front() ? height : std::min(lowest, height);
        }
    }
    const double lift = path.target_ground - lowest;
    path.shift.z += lift;
    for (glm::dvec3& place : target.places) {
        place.z += lift;
    }
    return lift;
}

/// The steps of one retargeting, in order.
class Retargeter {
public:
    Retargeter(const Clip& source, const humanoid::FoundRig& source_rig, const Skeleton& target,
               const humanoid::FoundRig& target_rig, const RetargetOptions& options)
        : original_(source),
          source_rig_(source_rig),
          target_(target),
          target_rig_(target_rig),
          options_(options) {}

    Result<Retargeted> run(const Job& job) {
        TRY_VOID(prepare());
        const LinearSource linear(original_);
        TRY(const Moved moved, move(linear.clip(), std::nullopt, job));
        Retargeted result;
        result.clip = {target_, {}, original_.markers, original_.duration_seconds};
        result.clip.tracks = tracks_of_motion({original_, linear.clip(), source_pose_, target_, parts_,
                                               alignment_, path_, moved.motion, moved.feet.parts},
                                              moved.target);
        leave_out_still_parts(parts_, result.clip);
        fill_report();
        TRY_VOID(certify(certificate_of(result.clip, moved), report_, job.part(0.6, 1.0)));
        warn_of_touches();
        result.report = std::move(report_);
        return result;
    }

    Result<Likeness> measure(const Clip& other, double until_seconds, const Job& job) {
        TRY_VOID(prepare());
        const LinearSource linear(original_);
        TRY(Moved moved, move(linear.clip(), until_seconds, job));
        Likeness result;
        if (path_) {
            take_out_whole(other, moved.motion.times, moved.target, result);
        }
        fill_report();
        PartDifferences found;
        CertificateInput input = certificate_of(other, moved);
        input.differences = &found;
        input.turn = result.turn;
        TRY_VOID(certify(input, report_, job.part(0.6, 1.0)));
        result.parts = {std::move(found.parts), std::move(report_.only_in_source),
                        moving_parts(report_.only_in_target, target_rig_, other), report_.times};
        result.parts.spread =
            found.counted.spreads(result.parts.worst(), result.parts.joints.size(), report_.times);
        result.warnings = std::move(report_.warnings);
        return result;
    }

private:
    /// The target's motion, and what it was made of.
    struct Moved {
        SourceMotion motion;
        TargetMotion target;
        Feet feet;
        std::optional<Touches> touches;
        TouchMeter touches_before;
    };

    /// `source`: the original with linear rows. `until_seconds`: later times are left out; nullopt: none are.
    Result<Moved> move(const Clip& source, std::optional<double> until_seconds, const Job& job) {
        Moved moved;
        const double apart =
            options_.plant_feet || options_.keep_touch ? planted_step_seconds : checked_step_seconds;
        TRY(moved.motion, record_motion(source, recorded_nodes(parts_, source_rig_, original_.skeleton),
                                        apart, job.part(0.0, 0.3)));
        if (until_seconds) {
            const auto past = std::ranges::upper_bound(moved.motion.times, *until_seconds);
            const auto count = std::max<std::ptrdiff_t>(past - moved.motion.times.begin(), 1);
            moved.motion.times.resize(static_cast<std::size_t>(count));
        }
        if (parts_.body) {
            path_ = body_path(parts_, source_pose_, alignment_.target, alignment_.turns[*parts_.body],
                              moved.motion, options_, report_.warnings);
            // Feet are planted on the way, which is taken out afterwards.
            path_->in_place = options_.in_place && !options_.plant_feet;
        }
        TRY(moved.target, move_target(parts_, original_.skeleton, source_pose_, target_, target_rig_,
                                      alignment_, path_, moved.motion, options_, job.part(0.3, 0.5)));
        moved.feet =
            find_feet(parts_, original_, target_, moved.motion, path_ ? path_->source_hips_height : 0.0);
        if (options_.plant_feet) {
            plant_target(parts_, moved.motion.times, moved.feet, moved.target, report_.warnings);
            stay_in_place(moved);
        }
        if (options_.on_ground && path_) {
            const double lift = put_on_ground(parts_, *path_, moved.target, moved.motion.times.size());
            for (Sole& sole : moved.feet.soles) {
                sole.lift((moved.feet.level * glm::dvec3(0, 0, lift)).z);
            }
        }
        if (options_.keep_touch) {
            moved.touches.emplace(parts_, source_rig_, source_pose_, target_rig_, alignment_,
                                  path_ ? path_->scale.vertical : 1.0, moved.motion);
            moved.feet.parts.resize(parts_.parts.size());
            moved.touches_before =
                keep_touches(*moved.touches, moved.motion, moved.feet.loop, moved.target, moved.feet.parts);
        }
        return moved;
    }

    CertificateInput certificate_of(const Clip& finished, const Moved& moved) const {
        return {finished,
                parts_,
                original_.skeleton,
                source_pose_,
                alignment_,
                path_,
                moved.motion,
                moved.target,
                moved.feet,
                nullptr,
                {1, 0, 0, 0},
                moved.touches ? &*moved.touches : nullptr,
                &moved.touches_before};
    }

    /// Takes the way along the floor out of planted feet.
    void stay_in_place(Moved& moved) {
        if (!path_ || !options_.in_place) {
            return;
        }
        path_->in_place = true;
        const glm::dvec3 up = glm::conjugate(moved.feet.level) * glm::dvec3(0, 0, 1);
        for (const TargetColumn& column : moved.target.columns) {
            const std::size_t node = parts_.parts[column.part].source.front();
            for (std::size_t frame = 0; column.carrier && frame < moved.motion.times.size(); ++frame) {
                glm::dvec3 way =
                    path_->taken_out(moved.motion.at(frame, node).translation, source_pose_.head(node));
                way.z -= glm::dot(way, up) / up.z;
                moved.target.places[frame * moved.target.carriers + *column.carrier] -= way;
            }
        }
    }

    /// Finds what sets another motion apart as a whole, and moves the target's motion by it.
    void take_out_whole(const Clip& other, const std::vector<double>& times, TargetMotion& target,
                        Likeness& result) const {
        const std::size_t body = parts_.parts[*parts_.body].target.front();
        const auto column = target.column_of_node(body);
        if (!column || !target.columns[*column].carrier) {
            return;
        }
        std::vector<Transform> shown;
        ClipPoser poser(other);
        for (const double seconds : times) {
            poser.pose(seconds);
            shown.push_back(poser.world()[body]);
        }
        const std::size_t width = target.columns.size();
        std::vector<glm::dquat> turns;
        for (std::size_t frame = 0; frame < shown.size(); ++frame) {
            turns.push_back(
                product(shown[frame].rotation, glm::conjugate(target.rotations[frame * width + *column])));
        }
        result.turn = turn_of_body(std::move(turns));
        for (glm::dquat& rotation : target.rotations) {
            rotation = product(result.turn, rotation);
        }
        for (glm::dvec3& place : target.places) {
            place = result.turn * place;
        }
        std::vector<glm::dvec3> apart;
        for (std::size_t frame = 0; frame < shown.size(); ++frame) {
            apart.push_back(shown[frame].translation -
                            target.places[frame * target.carriers + *target.columns[*column].carrier]);
        }
        result.path_offset_metres = offset_of_path(std::move(apart));
        for (glm::dvec3& place : target.places) {
            place += result.path_offset_metres;
        }
    }

    Result<void> prepare() {
        TRY_VOID(check_rest(original_.skeleton, "source"));
        TRY_VOID(check_rest(target_, "target"));
        TRY_VOID(check_tracks(original_));
        TRY(parts_, match_parts(original_, source_rig_, target_, target_rig_, options_));
        TRY_VOID(check_options(options_, parts_, target_rig_));
        TRY(source_pose_,
            reference_posture(original_.skeleton, source_rig_, options_.source_reference, "source"));
        TRY(const Posture target_pose,
            reference_posture(target_, target_rig_, options_.target_reference, "target"));
        TRY(alignment_, align_rigs(parts_, source_rig_, source_pose_, target_rig_, target_,
                                   with_rest_elsewhere(target_, parts_, target_pose), options_));
        report_.warnings = alignment_.warnings;
        return {};
    }

    void warn_of_touches() {
        constexpr double disturbing_mm = 50;
        const auto worst = std::ranges::max_element(report_.touches, {}, &TouchReport::apart_mm);
        if (worst != report_.touches.end() && worst->apart_mm > disturbing_mm) {
            report_.warnings.push_back(worst->hand + " stays up to " + fixed_text(worst->apart_mm, 0) +
                                       " mm away from where it touches " + worst->touched +
                                       " in the input. The arm is too short, or it would jump.");
        }
    }

    void fill_report() {
        report_.only_in_source = moving_parts(parts_.only_in_source, source_rig_, original_);
        report_.only_in_target = parts_.only_in_target;
        std::ranges::copy_if(parts_.only_in_target, std::back_inserter(report_.source_lacks),
                             [](const std::string& name) {
                                 const auto slot = humanoid::find_slot(name);
                                 return slot && humanoid::humanoid_slots()[*slot].required;
                             });
        report_.dropped_motion = dropped_motion(original_, parts_);
        if (path_) {
            report_.body = body_report(parts_, *path_);
        }
    }

    const Clip& original_;
    const humanoid::FoundRig& source_rig_;
    const Skeleton& target_;
    const humanoid::FoundRig& target_rig_;
    const RetargetOptions& options_;
    Parts parts_;
    Posture source_pose_;
    Alignment alignment_;
    std::optional<BodyPath> path_;
    RetargetReport report_;
};

}  // namespace

Result<Retargeted> retarget(const Clip& source, const humanoid::FoundRig& source_rig, const Skeleton& target,
                            const humanoid::FoundRig& target_rig, const RetargetOptions& options,
                            const Job& job) {
    return Retargeter(source, source_rig, target, target_rig, options).run(job);
}

Result<Likeness> likeness(const Clip& source, const humanoid::FoundRig& source_rig, const Clip& other,
                          const humanoid::FoundRig& other_rig, const RetargetOptions& options,
                          double until_seconds, const Job& job) {
    TRY_VOID(check_tracks(other));
    RetargetOptions as_moved = options;  // arms that bend for other proportions would count as a difference
    as_moved.keep_touch = false;
    return Retargeter(source, source_rig, other.skeleton, other_rig, as_moved)
        .measure(other, until_seconds, job);
}

namespace {

/// The chord of 0.1 degrees: 28 of the viewer's codes for rotations.
constexpr double still_chord = 4.363323e-4;

constexpr std::array<std::string_view, 5> fingers = {"Thumb", "Index", "Middle", "Ring", "Little"};
constexpr std::array<std::string_view, 3> of_the_face = {"leftEye", "rightEye", "jaw"};

/// The parts that are removed together: "leftIndex", "jaw", "tail"; nullopt: a part that keeps its keys.
std::optional<std::string> group_of(const std::string& part) {
    for (const std::string_view finger : fingers) {
        const std::size_t at = part.find(finger);
        if (at != std::string::npos && (part.starts_with("left") || part.starts_with("right"))) {
            return part.substr(0, at + finger.size());
        }
    }
    const std::string base = part.substr(0, part.find(' '));
    const bool is_face = std::ranges::find(of_the_face, base) != of_the_face.end();
    return is_face || !humanoid::find_slot(base) ? std::optional(base) : std::nullopt;
}

}  // namespace

bool leaves_rest(const Track& track, const Skeleton& skeleton, double most) {
    if (track.component || !track.handles.empty() || track.channel == Channel::property) {
        return true;
    }
    const Transform& rest = skeleton.nodes[track.node].rest_local;
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        const bool stays = track.channel == Channel::rotation
                               ? std::min(glm::length(track.rotation(key) - rest.rotation),
                                          glm::length(track.rotation(key) + rest.rotation)) <= most
                               : glm::length(track.translation(key) - rest.translation) <= most;
        if (!stays) {
            return true;
        }
    }
    return false;
}

void leave_out_still_parts(const Parts& parts, Clip& clip) {
    std::vector<std::optional<std::string>> group_of_joint(clip.skeleton.nodes.size());
    for (const Part& part : parts.parts) {
        for (const std::size_t joint : part.target) {
            group_of_joint[joint] = group_of(part.name);
        }
    }
    std::map<std::string, bool> is_still;
    for (const Track& track : clip.tracks) {
        if (const auto& group = group_of_joint[track.node]) {
            const auto found = is_still.emplace(*group, true).first;
            found->second = found->second && track.channel == Channel::rotation &&
                            !leaves_rest(track, clip.skeleton, still_chord);
        }
    }
    const auto goes = [&](const Track& track) {
        const auto& group = group_of_joint[track.node];
        return group && is_still[*group];
    };
    if (!std::ranges::all_of(clip.tracks, goes)) {
        std::erase_if(clip.tracks, goes);
    }
}

}  // namespace animbridge::rig::retarget

// SPDX-License-Identifier: MIT
#include "formats/sl_anim/scene/scene.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/codes/codes.h"
#include "formats/sl_anim/scene/export_report.h"
#include "formats/sl_anim/scene/heading.h"
#include "model/clip/clip.h"

namespace animbridge::sl_anim::scene {

namespace {

/// The largest rotation between two rest rotations that count as equal.
constexpr double same_rest_degrees = 0.1;
/// The step between keys that follow a curve that is not straight.
constexpr double step_seconds = 1.0 / 60.0;

/// The rest rotations of the joints relative to the root.
std::vector<glm::dquat> resting_rotations(const Skeleton& skeleton) {
    std::vector<glm::dquat> rotations;
    for (const Node& node : skeleton.nodes) {
        const glm::dquat& local = node.rest_local.rotation;
        rotations.push_back(node.parent ? rotations[*node.parent] * local : local);
    }
    return rotations;
}

/// A clip's tracks on the avatar.
class Mapper {
public:
    explicit Mapper(const Clip& clip)
        : clip_(clip), resting_(resting_rotations(clip.skeleton)), avatar_(avatar::playing_skeleton()) {
        avatar_resting_ = resting_rotations(avatar_);
        result_.skeleton = avatar_;
        result_.duration_seconds = clip.duration_seconds;
    }

    Result<void> add(const Track& track) {
        const Node& node = clip_.skeleton.nodes[track.node];
        const auto joint = avatar::find_joint(node.name);
        if (!joint) {
            if (left_out_.empty() || left_out_.back() != node.name) {
                left_out_.push_back(node.name);
            }
            return {};
        }
        const double apart = angle_between_degrees(resting_[track.node], avatar_resting_[*joint]);
        if (apart > same_rest_degrees) {
            return fail(ErrorCode::bad_value,
                        "the joint rests turned " + measured_text(apart) +
                            " degrees from the avatar's; allowed are " + shown_number(same_rest_degrees) +
                            ". Retarget the motion (command: --retarget; library: retarget), or import it "
                            "onto the avatar in Blender",
                        node.name);
        }
        Track mapped = track;
        mapped.node = *joint;
        if (track.channel == Channel::translation) {
            const glm::dvec3 shift =
                avatar_.nodes[*joint].rest_local.translation - node.rest_local.translation;
            for (std::size_t i = 0; i < mapped.values.size(); ++i) {
                mapped.values[i] += shift[static_cast<int>(i % 3)];
            }
            if (node.parent && !leaves_rest(mapped, *joint)) {
                return {};
            }
        }
        result_.tracks.push_back(std::move(mapped));
        return {};
    }

    [[nodiscard]] const std::vector<std::string>& left_out() const { return left_out_; }
    [[nodiscard]] Clip take() { return std::move(result_); }

private:
    [[nodiscard]] bool leaves_rest(const Track& track, std::size_t joint) const {
        for (std::size_t key = 0; key < track.key_count(); ++key) {
            const glm::dvec3 away = track.translation(key) - avatar_.nodes[joint].rest_local.translation;
            if (1000.0 * glm::length(away) > rig::curves::moved_mm) {
                return true;
            }
        }
        return false;
    }

    const Clip& clip_;
    std::vector<glm::dquat> resting_;
    const Skeleton& avatar_;
    std::vector<glm::dquat> avatar_resting_{};
    Clip result_{};
    std::vector<std::string> left_out_{};
};

/// Whether the file can hold all positions of the track, moved by -`away`.
bool is_in_reach(const Track& track, const glm::dvec3& away) {
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        const glm::dvec3 place = glm::abs(track.translation(key) - away);
        if (std::max({place.x, place.y, place.z}) > double{codes::position_limit}) {
            return false;
        }
    }
    return true;
}

/// Moves the body to the origin if it leaves the file's range around the origin, but not around its own
/// start. Returns whether it was moved.
bool move_into_reach(Clip& clip) {
    bool is_moved = false;
    for (Track& track : clip.tracks) {
        const bool is_path = track.channel == Channel::translation && !clip.skeleton.nodes[track.node].parent;
        if (!is_path || track.key_count() == 0 || is_in_reach(track, glm::dvec3(0))) {
            continue;
        }
        const glm::dvec3 begin = track.translation(0);
        const glm::dvec3 shift(begin.x, begin.y, 0.0);
        if (!is_in_reach(track, shift)) {
            continue;
        }
        for (std::size_t key = 0; key < track.key_count(); ++key) {
            track.values[3 * key] -= shift.x;
            track.values[3 * key + 1] -= shift.y;
        }
        is_moved = true;
    }
    return is_moved;
}

std::string that_keys_are_left_out(std::uint64_t fit_bytes, check::Grid target) {
    return "Not all keys fit into " + std::to_string(fit_bytes) +
           " bytes, so the motion is less exact. Take a part of it (command: --trim; library: trim), or move "
           "fewer joints" +
           (target == check::Grid::second_life
                ? ". OpenSim takes larger files (command: --for opensim; library: grid)"
                : ", or allow more bytes");
}

tl::unexpected<Error> no_joint_known(const std::vector<std::string>& moving) {
    return fail(ErrorCode::invalid_argument,
                "no joint that moves has a name of the Second Life avatar" +
                    (moving.empty() ? "" : " (" + moving.front() + ", ...)") +
                    ", and none was found to be a part of a body. Name the joints in a rig file (command: "
                    "--rig; library: source_rig)");
}

/// That the bound asks for more than the target takes, with the error that fits. Nothing if the file fits.
Result<void> require_fit(const reduce::ThinnedFile& file, const reduce::ReduceTask& task,
                         const animbridge::reduce::Bound& bound, const Job& job) {
    const std::size_t bytes = check::counted_bytes(file.document);
    if (bytes <= check::max_upload_bytes) {
        return {};
    }
    const auto cut = causes_of_cut_positions(task.document, tracks_of(*task.wanted));
    if (!cut.empty()) {
        return fail(ErrorCode::rejected, cut.front());
    }
    TRY(const auto fitted, reduce::thinned(task, &bound, check::max_upload_bytes - 1, job));
    return fail(
        ErrorCode::rejected,
        "the motion needs " + std::to_string(bytes) + " bytes to stay within " +
            shown_number(bound.position_mm) + " mm and " + shown_number(bound.rotation_degrees) +
            " degrees, and Second Life takes " + std::to_string(check::max_upload_bytes) +
            ". The best motion that fits is up to " + measured_text(fitted.errors.position_mm) + " mm and " +
            measured_text(fitted.errors.rotation_degrees) +
            " degrees off: to write it, leave out --max-error (library: max_position_mm), or ask for fewer "
            "bytes. OpenSim takes larger files (command: "
            "--for opensim; library: grid)");
}

}  // namespace

Skeleton own_skeleton() { return avatar::playing_skeleton(); }

std::vector<bool> counted(const Clip& clip) {
    std::vector<bool> has_track(avatar::skeleton().size());
    for (const Track& track : clip.tracks) {
        if (track.node < has_track.size()) {
            has_track[track.node] = true;
        }
    }
    std::vector<bool> counts = avatar::counted_joints(std::move(has_track));
    counts.resize(clip.skeleton.nodes.size());  // the viewer does not know the others
    return counts;
}

bool takes(const Clip& clip) {
    const Clip turned = turned_like_avatar(clip);
    const std::vector<glm::dquat> resting = resting_rotations(turned.skeleton);
    const std::vector<glm::dquat> avatar_resting = resting_rotations(avatar::playing_skeleton());
    std::size_t moving = 0;
    std::size_t known = 0;
    for (const Track& track : turned.tracks) {
        if (track.channel == Channel::property) {
            continue;
        }
        ++moving;
        const auto joint = avatar::find_joint(turned.skeleton.nodes[track.node].name);
        if (!joint) {
            continue;
        }
        if (angle_between_degrees(resting[track.node], avatar_resting[*joint]) > same_rest_degrees) {
            return false;
        }
        ++known;
    }
    return 2 * known > moving;
}

Result<ClipMade> document_to_clip(const file::Document& document, const Json& options) {
    TRY_VOID(check_options(options, {}, ""));
    TRY(auto clip, clip::to_clip(document));
    return ClipMade{std::move(clip), {"priorities, eases, the hand pose and the emote"}};
}

namespace {

/// Whether none of the clip's joints is called as the avatar's is, and few have other names that the viewer
/// knows: a cow has a head too.
bool is_other_body(const Clip& clip) {
    return !takes(clip) && std::ranges::none_of(clip.tracks, [&](const Track& track) {
        const std::string& name = clip.skeleton.nodes[track.node].name;
        const auto joint = avatar::find_joint(name);
        return joint && avatar::skeleton()[*joint].node.name == name;
    });
}

}  // namespace

Result<Made> document_from_clip(const ClipRequest& request) {
    if (request.scene != nullptr) {
        return document_from_scene(*request.scene);
    }
    TRY(const auto given, clip_options_from(request.options, request.clip));
    if (!(request.clip.duration_seconds <= std::numeric_limits<float>::max())) {
        return fail(ErrorCode::bad_value, "the animation is longer than a .anim can say");
    }
    const Clip clip = with_linear_rows(turned_like_avatar(request.clip), step_seconds);
    Mapper mapper(clip);
    for (const Track& track : clip.tracks) {
        if (track.channel != Channel::property) {
            TRY_VOID(mapper.add(track));
        }
    }
    Clip mapped = mapper.take();
    const bool moved_to_origin = move_into_reach(mapped);
    if (mapped.tracks.empty() || is_other_body(request.clip)) {
        return no_joint_known(mapper.left_out());
    }
    const auto& [target, fit_bytes] = given.limits;
    const file::Document document = clip::from_clip(mapped, {}, given.from_clip);
    TRY_VOID(check::require_accepted(document, check::Grid::opensim));
    const reduce::Form form = form_of(given.from_clip);
    const reduce::ReduceTask task{document, key_times_of(mapped),   &mapped, nullptr,
                                  form,     given.from_clip.encoder};
    TRY(auto reduced, reduce::thinned(task, &*given.bound, fit_bytes, request.job.part(0.0, 0.5)));
    if (target == check::Grid::second_life) {
        TRY_VOID(require_fit(reduced, task, *given.bound, request.job.part(0.5, 0.6)));
    }
    const ExportTracks tracks{{}, tracks_of(mapped), {}};
    TRY(auto made, finish_export({std::move(reduced.document), tracks, mapped, nullptr, form}, target,
                                 request.job.part(0.7, 1.0)));
    if (reduced.bound && reduced.bound->position_mm > given.bound->position_mm) {
        made.causes.push_back(that_keys_are_left_out(fit_bytes, target));
        made.report["warnings"].push_back(made.causes.back());
    }
    if (moved_to_origin) {
        made.report["warnings"].push_back(
            "The path begins at the origin: where it was, it left the 5 m that the file can hold");
    }
    if (given.has_size_curve) {
        const auto thin = [&](const animbridge::reduce::Bound& bound, const Job& job) {
            return reduce::thinned(task, &bound, 0, job);
        };
        TRY(made.report["size_curve"], size_curve(thin, request.job.part(0.6, 0.7)));
    }
    made.report["causes"] = texts_json(made.causes);
    check::report_target(target, made);
    made.report["sampled_keys"] = file::key_count(document);
    made.report["kept_keys"] = reduced.keys_after.value_or(file::key_count(document));
    std::vector<std::string> left_out = left_out_of(request, loop_markers);
    std::ranges::transform(mapper.left_out(), std::back_inserter(left_out),
                           [](const std::string& joint) { return "joint " + joint; });
    made.report["left_out"] = texts_json(left_out);
    return made;
}

namespace {

/// A joint's rest rotation relative to the root.
glm::dquat resting_rotation(const Skeleton& skeleton, std::size_t node) {
    glm::dquat rotation(1, 0, 0, 0);
    for (std::optional<std::size_t> at = node; at; at = skeleton.nodes[*at].parent) {
        rotation = skeleton.nodes[*at].rest_local.rotation * rotation;
    }
    return rotation;
}

/// The quarter turns, 0 to 3, that align the first known joint with the avatar's; nullopt: none does.
std::optional<std::size_t> quarters_of(const Skeleton& skeleton) {
    constexpr double tolerated_degrees = 0.1;
    constexpr double half = 0.70710678118654752440;
    constexpr std::array<std::array<double, 2>, 4> turns = {{{1, 0}, {half, half}, {0, 1}, {half, -half}}};
    for (std::size_t node = 0; node < skeleton.nodes.size(); ++node) {
        const auto joint = avatar::find_joint(skeleton.nodes[node].name);
        if (!joint) {
            continue;
        }
        const glm::dquat own = resting_rotation(skeleton, node);
        const glm::dquat wanted = resting_rotation(avatar::playing_skeleton(), *joint);
        for (std::size_t i = 0; i < turns.size(); ++i) {
            const glm::dquat turned = glm::dquat(turns.at(i)[0], 0, 0, turns.at(i)[1]) * own;
            if (angle_between_degrees(turned, wanted) <= tolerated_degrees) {
                return i;
            }
        }
        return std::nullopt;
    }
    return std::nullopt;
}

/// Rotates by quarter turns from X towards Y, exactly.
glm::dvec3 turned(const glm::dvec3& v, std::size_t quarters) {
    switch (quarters) {
        case 1:
            return {-v.y, v.x, v.z};
        case 2:
            return {-v.x, -v.y, v.z};
        case 3:
            return {v.y, -v.x, v.z};
        default:
            return v;
    }
}

void turn_track(Track& track, const glm::dquat& turn, std::size_t quarters) {
    const std::size_t width = track.width();
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        double* row = track.values.data() + key * width;
        if (track.channel == Channel::rotation) {
            const glm::dquat q = turn * track.rotation(key);
            row[0] = q.w;
            row[1] = q.x;
            row[2] = q.y;
            row[3] = q.z;
        } else {
            const glm::dvec3 place = turned(track.translation(key), quarters);
            row[0] = place.x;
            row[1] = place.y;
            row[2] = place.z;
        }
    }
}

/// Whether the track's keys can be turned: whole rows without handles.
bool can_turn(const Clip& clip, const Track& track) {
    return clip.skeleton.nodes[track.node].parent || track.channel == Channel::property ||
           (!track.component && track.handles.empty());
}

}  // namespace

Clip turned_like_avatar(Clip clip) {
    const auto quarters = quarters_of(clip.skeleton);
    if (!quarters || *quarters == 0) {
        return clip;
    }
    for (const Track& track : clip.tracks) {
        if (!can_turn(clip, track)) {
            return clip;
        }
    }
    const double angle = 0.25 * 3.14159265358979323846 * static_cast<double>(*quarters);
    const glm::dquat turn(std::cos(angle), 0, 0, std::sin(angle));
    for (Track& track : clip.tracks) {
        if (!clip.skeleton.nodes[track.node].parent && track.channel != Channel::property) {
            turn_track(track, turn, *quarters);
        }
    }
    for (Node& node : clip.skeleton.nodes) {
        if (!node.parent) {
            node.rest_local.rotation = turn * node.rest_local.rotation;
            node.rest_local.translation = turned(node.rest_local.translation, *quarters);
        }
    }
    return clip;
}

}  // namespace animbridge::sl_anim::scene

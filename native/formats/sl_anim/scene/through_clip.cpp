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
#include "model/clip/clip.h"

namespace animbridge::sl_anim::scene {

namespace {

/// The step between keys that follow a curve that is not straight.
constexpr double step_seconds = 1.0 / 60.0;

/// A clip's tracks on the avatar.
class Mapper {
public:
    explicit Mapper(const Clip& clip) : clip_(clip), avatar_(avatar::playing_skeleton()) {
        result_.skeleton = avatar_;
        result_.duration_seconds = clip.duration_seconds;
    }

    void add(const Track& track) {
        const Node& node = clip_.skeleton.nodes[track.node];
        const auto joint = avatar::find_joint(node.name);
        if (!joint) {
            if (left_out_.empty() || left_out_.back() != node.name) {
                left_out_.push_back(node.name);
            }
            return;
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
                return;
            }
        }
        result_.tracks.push_back(std::move(mapped));
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
    const Skeleton& avatar_;
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

bool moves_joint(const Track& track) { return track.channel != Channel::property; }

Result<void> require_animation(const Clip& clip) {
    if (std::ranges::none_of(clip.tracks, moves_joint)) {
        return fail(ErrorCode::invalid_argument,
                    "no joint moves: the file has no animation. Export it with its animation");
    }
    return {};
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

Result<ClipMade> document_to_clip(const file::Document& document, const Json& options) {
    TRY_VOID(check_options(options, {}, ""));
    TRY(auto clip, clip::to_clip(document));
    return ClipMade{std::move(clip), {"priorities, eases, the hand pose and the emote"}};
}

namespace {

/// Whether none of the clip's joints is called as the avatar's is, and few have other names that the viewer
/// knows: a cow has a head too.
bool is_other_body(const Clip& clip) {
    return !rig::avatar::moves_avatar(clip) && std::ranges::none_of(clip.tracks, [&](const Track& track) {
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
    const Clip clip = with_linear_rows(rig::avatar::turned_like_avatar(request.clip), step_seconds);
    TRY_VOID(rig::avatar::require_same_rest(clip));
    TRY_VOID(require_animation(clip));
    Mapper mapper(clip);
    for (const Track& track : clip.tracks) {
        if (moves_joint(track)) {
            mapper.add(track);
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

}  // namespace animbridge::sl_anim::scene

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>

#include "formats/sl_pose/clip/clip.h"
#include "formats/sl_pose/edit/edit.h"
#include "formats/sl_pose/fingers/fingers.h"
#include "rig/avatar/avatar.h"

namespace animbridge::sl_pose::clip {

namespace {

struct FromClipOptions {
    double at_seconds = 0;
    bool frees_unkeyed = false;
    std::optional<pose::Program> program{};
    std::vector<std::string> fingers{};
};

constexpr std::array<OptionRow<FromClipOptions>, 2> clip_rows = {{
    {{.name = "at",
      .type = OptionType::number,
      .high = largest_scene_number,
      .standard = "0",
      .unit = "s",
      .help = "The moment of the animation that becomes a pose; in the command, --at, which may be repeated"},
     [](FromClipOptions& options, const Json& value) { options.at_seconds = value.get<double>(); }},
    {{.name = "unkeyed",
      .type = OptionType::choice,
      .command_name = "--unkeyed",
      .value_name = "STATE",
      .choices = {"zero", "free"},
      .standard = "zero",
      .help = "What the pose does with joints that the animation does not move: hold them at zero, or leave "
              "them to the avatar's animations"},
     [](FromClipOptions& options, const Json& value) { options.frees_unkeyed = value == "free"; }},
}};
constexpr auto from_clip_rows = joined_rows(joined_rows(clip_rows, edit::program_rows<FromClipOptions>),
                                            fingers::finger_rows<FromClipOptions>);
constexpr auto from_clip_table = options_of(from_clip_rows);

/// For each joint of the avatar that has keys, the clip's node.
std::map<std::size_t, std::size_t> moving_joints(const Clip& clip, std::vector<std::string>& unknown) {
    std::map<std::size_t, std::size_t> nodes;
    for (const Track& track : clip.tracks) {
        if (track.channel == Channel::property) {
            continue;
        }
        const std::string& name = clip.skeleton.nodes[track.node].name;
        if (const auto joint = rig::avatar::find_joint(name)) {
            nodes.emplace(*joint, track.node);
        } else if (std::ranges::find(unknown, name) == unknown.end()) {
            unknown.push_back(name);
        }
    }
    return nodes;
}

/// The pose of the clip at a time. Bodies of other sizes keep their joints' movements, and not their places.
std::vector<play::Shown> posed(const Clip& clip, double seconds,
                               const std::map<std::size_t, std::size_t>& nodes) {
    ClipPoser poser(clip);
    poser.pose(std::clamp(seconds, 0.0, clip.duration_seconds));
    std::vector<play::Shown> joints;
    for (const auto& [joint, node] : nodes) {
        const Transform& local = poser.local()[node];
        const Transform& rest = clip.skeleton.nodes[node].rest_local;
        joints.push_back({joint, play::Known::exact, glm::normalize(local.rotation),
                          pose::rest_position(joint) + local.translation - rest.translation,
                          rig::avatar::skeleton()[joint].rest_scale});
    }
    return joints;
}

/// Also the other joints of the poser, left to animations.
std::vector<play::Shown> with_free(std::vector<play::Shown> joints) {
    for (std::size_t joint = 0; joint < rig::avatar::skeleton().size(); ++joint) {
        if (pose::is_posed_by_firestorm(joint) &&
            std::ranges::find(joints, joint, &play::Shown::joint) == joints.end()) {
            const rig::avatar::SkeletonJoint& rest = rig::avatar::skeleton()[joint];
            joints.push_back({joint, play::Known::free, rest.node.rest_local.rotation,
                              pose::rest_position(joint), rest.rest_scale});
        }
    }
    return joints;
}

}  // namespace

WorstDifference errors_of(std::span<const play::Shown> wanted, const file::Document& document) {
    const auto written = play::shown(pose::pose_of(document).value());
    const auto places = play::placed(written);
    const auto wanted_places = play::placed(wanted);
    WorstDifference worst;
    for (const play::Shown& joint : wanted) {
        const auto found = std::ranges::find(written, joint.joint, &play::Shown::joint);
        if (found == written.end()) {
            continue;
        }
        const std::string& name = rig::avatar::skeleton()[joint.joint].node.name;
        const double degrees = angle_between_degrees(joint.rotation, found->rotation);
        const double millimetres =
            1000.0 * glm::length(places[joint.joint].translation - wanted_places[joint.joint].translation);
        if (degrees > worst.rotation_degrees) {
            worst.rotation_degrees = degrees;
            worst.rotation_joint = name;
        }
        if (millimetres > worst.position_mm) {
            worst.position_mm = millimetres;
            worst.joint = name;
        }
    }
    return worst;
}

std::span<const Option> from_clip_options() { return from_clip_table; }

Result<Made> from_clip(const ClipRequest& request) {
    FromClipOptions given;
    TRY_VOID(read_options(request.options, from_clip_rows, given));
    const Clip clip = rig::avatar::turned_like_avatar(request.clip);
    TRY_VOID(rig::avatar::require_same_rest(clip));
    // A key that a file stores may be a little beyond the length that it stores.
    constexpr double rounding_seconds = 0.001;
    if (given.at_seconds > clip.duration_seconds + rounding_seconds) {
        Error error{ErrorCode::bad_value,
                    "found " + shown_number(given.at_seconds) + " s; allowed are times up to " +
                        shown_number(clip.duration_seconds) + " s, the animation's end"};
        error.field = "at";
        return fail(in_request(std::move(error)));
    }
    std::vector<std::string> unknown;
    const auto nodes = moving_joints(clip, unknown);
    if (nodes.empty()) {
        return fail(ErrorCode::invalid_argument,
                    "no joint that moves has a name of the Second Life avatar, and none was found to be a "
                    "part of a body. Name the joints in a rig file (command: --rig; library: source_rig)");
    }
    const auto joints = fingers::with_fingers(posed(clip, given.at_seconds, nodes), given.fingers);
    edit::Written made = edit::written(given.frees_unkeyed ? with_free(joints) : joints,
                                       given.program.value_or(pose::Program::firestorm));
    const WorstDifference errors = errors_of(joints, made.document);
    std::vector<std::string> left_out = left_out_of(request, loop_markers);
    std::ranges::transform(unknown, std::back_inserter(left_out),
                           [](const std::string& name) { return "joint " + name; });
    left_out.insert(left_out.end(), made.left_out.begin(), made.left_out.end());
    Json report = {{"joints", joints.size()},
                   {"at_seconds", given.at_seconds},
                   {"left_out", texts_json(left_out)},
                   {"max_position_error_mm", errors.position_mm},
                   {"max_rotation_error_degrees", errors.rotation_degrees}};
    return Made{file::make_document(std::move(made.document)), std::move(report)};
}

}  // namespace animbridge::sl_pose::clip

// SPDX-License-Identifier: MIT
#include "formats/oban/scene/scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "formats/oban/play/play.h"
#include "formats/oban/scene/export_report.h"
#include "model/clip/clip.h"
#include "model/format/format.h"

namespace animbridge::oban::scene {

namespace {

Result<UnchangedChannels> unchanged_channels(const SceneMotion& request) {
    UnchangedChannels unchanged;
    for (const rig::curves::UnchangedCurve& curve : request.unchanged) {
        const bool is_location = curve.channel == rig::armature::BoneChannel::location;
        if (!is_location && curve.channel != rig::armature::BoneChannel::quaternion) {
            return fail(ErrorCode::invalid_argument,
                        "curve.channel is " + std::to_string(static_cast<int>(curve.channel)) +
                            "; allowed are location and quaternion of the object: sample it instead");
        }
        (is_location ? unchanged.location : unchanged.rotation) = true;
    }
    return unchanged;
}

/// A(f) as the file would store it, and the pose that it is made of.
Json pose_row(const play::Player& player, const play::Pose& pose, double seconds, double frame) {
    const glm::dmat4 matrix = player.transform(frame);
    Json numbers = Json::array();
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 3; ++row) {
            numbers.push_back(matrix[column][row]);
        }
    }
    return {{"seconds", seconds},
            {"frame", frame},
            {"rotation_wxyz", {pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z}},
            {"position", {pose.position.x, pose.position.y, pose.position.z}},
            {"matrix", std::move(numbers)}};
}

}  // namespace

Result<CurvesMade> to_scene_curves(const file::File& file, const ToCurves& request) {
    return space_from(request.options)
        .and_then([&](const play::Space& space) { return to_curves(file.document, request.timing, space); })
        .map([](Curves made) {
            CurvesMade result;
            result.result.curves = std::move(made.curves);
            result.report = std::move(made.report);
            return result;
        });
}

Result<Made> from_scene(const SceneMotion& motion) {
    TRY(auto options, export_options_from(motion.options));
    options.template_document =
        motion.template_document == nullptr ? nullptr : as_oban(*motion.template_document);
    TRY(const auto unchanged, unchanged_channels(motion));
    TRY(auto exported, motion.samples != nullptr
                           ? export_samples(motion.samples->object_matrices, options, motion.job)
                           : export_curves(motion.timing, motion.curves, unchanged, options));
    Made made{file::make_document(std::move(exported.document)), std::move(exported.report),
              std::move(exported.worst)};
    const file::Document* const before = options.template_document;
    if (before != nullptr && as_oban(*made.document)->record == before->record) {
        // An untouched import is always written back, even with numbers so large that single precision is
        // far off.
        made.tolerated_mm = made.tolerated_degrees = no_limit;
    } else if (options.bound) {
        made.tolerated_mm = options.bound->position_mm;
        made.tolerated_degrees = options.bound->rotation_degrees;
    }
    return made;
}

Result<std::vector<std::string>> played_joints(const file::File& file) {
    return play::require_playable(file.document.record).map([] {
        return std::vector<std::string>{"the object"};
    });
}

Result<void> play(const file::File& file, std::span<const double> times_seconds,
                  std::optional<double> /*stop_seconds*/, const PoseArrays& out) {
    TRY_VOID(require_room(out, 1));
    return play::require_playable(file.document.record).map([&] {
        const play::Player player(file.document.record);
        for (std::size_t i = 0; i < times_seconds.size(); ++i) {
            const double frame = player.looped_frame(times_seconds[i] * file::frames_per_second);
            const play::Pose pose = player.pose(frame);
            const std::size_t row = i * out.joint_capacity;
            PoseArrays::put(out.clip_seconds, i, {frame / file::frames_per_second});
            PoseArrays::put(out.ease_weights, i, {1.0});
            PoseArrays::put(out.local_rotations, row, pose.rotation);
            PoseArrays::put(out.local_positions, row, pose.position);
            PoseArrays::put(out.world_rotations, row, pose.rotation);
            PoseArrays::put(out.world_positions, row, pose.position);
            if (out.rows != nullptr) {
                out.rows->push_back(pose_row(player, pose, times_seconds[i], frame));
            }
        }
    });
}

namespace {

struct ToClipOptions {
    bool is_camera = false;
};

constexpr std::array<OptionRow<ToClipOptions>, 1> to_clip_rows = {{
    {{.name = "camera",
      .type = OptionType::flag,
      .command_name = "--camera",
      .switch_value = true,
      .standard = "false",
      .help = "The animation moves the game's camera: a scene gets a camera instead of a node"},
     [](ToClipOptions& options, const Json& value) { options.is_camera = value.get<bool>(); }},
}};
constexpr auto to_clip_table = options_of(to_clip_rows);

struct ClipOptions {
    std::string joint{};
};

constexpr std::array<OptionRow<ClipOptions>, 1> rows = {{
    {{.name = "joint",
      .type = OptionType::text,
      .command_name = "--joint",
      .value_name = "NAME",
      .without = "the last joint of the only chain",
      .help = "The joint whose motion the object gets"},
     [](ClipOptions& options, const Json& value) { options.joint = value.get<std::string>(); }},
}};

constexpr auto table = options_of(rows);

const play::Space space{play::Axes::blender, {1, 0, 0, 0}, {0, 0, 0}};

/// How much the lengths of two neighbouring quaternions may differ, as a fraction of one, for their blend to
/// equal that of unit quaternions.
constexpr double same_length = 1e-6;

/// A frame at which the clip has a key, and whether it is one of the file's.
struct Frame {
    double frame = 0;
    bool inserted = false;
};

/// The player blends quaternions without normalising them, so where neighbours differ in length, whole frames
/// between them are keys too.
std::vector<Frame> key_frames(const file::Record& record, double last) {
    std::vector<Frame> frames = {{0.0, record.keys.front().time > 0}};
    const auto length = [](const file::Key& key) { return glm::length(play::standard_rotation(key)); };
    for (std::size_t i = 0; i < record.keys.size(); ++i) {
        const double time = record.keys[i].time;
        const bool differs = i > 0 && std::abs(length(record.keys[i]) - length(record.keys[i - 1])) >
                                          same_length * length(record.keys[i]);
        for (double at = frames.back().frame + 1.0; differs && at < std::min(time, last); at += 1.0) {
            frames.push_back({at, true});
        }
        if (time > frames.back().frame && time <= last) {
            frames.push_back({time, false});
        }
    }
    if (last > frames.back().frame) {
        frames.push_back({last, true});
    }
    return frames;
}

void add_tracks(const file::Record& record, Clip& clip) {
    const play::Player player(record);
    Track turns{0, Channel::rotation};
    Track moves{0, Channel::translation};
    glm::dquat before(1, 0, 0, 0);
    for (const auto& [frame, inserted] : key_frames(record, player.last_frame())) {
        const play::Pose pose = player.pose(frame);
        glm::dquat q = space.rotation(pose.rotation);
        q = glm::dot(q, before) < 0.0 ? -q : q;
        before = q;
        const glm::dvec3 place = space.location(pose.position);
        const double seconds = frame / file::frames_per_second;
        turns.add_key(seconds, std::array<double, 4>{q.w, q.x, q.y, q.z});
        moves.add_key(seconds, std::array<double, 3>{place.x, place.y, place.z});
        turns.inserted.push_back(inserted);
        moves.inserted.push_back(inserted);
    }
    clip.tracks = {std::move(turns), std::move(moves)};
}

/// Base as a resting node, and whether part of it is neither rotation nor translation.
struct RestingBase {
    Transform rest{};
    bool has_scale = false;
};

Result<RestingBase> resting_base(const file::Record& record) {
    const play::Affine base =
        space.object_base({play::linear_part(record.base), play::translation_of(record.base)});
    const std::array<play::Affine, 1> frames = {base};
    TRY(const play::Affine scale, constant_base(frames, std::nullopt));
    return RestingBase{{rotation_before(base.linear, glm::inverse(scale.linear)), base.place},
                       scale.linear != glm::dmat3(1.0)};
}

bool is_chain(const Skeleton& skeleton) {
    for (std::size_t node = 0; node < skeleton.nodes.size(); ++node) {
        if (skeleton.nodes[node].parent != (node == 0 ? std::nullopt : std::optional(node - 1))) {
            return false;
        }
    }
    return !skeleton.nodes.empty();
}

Result<std::size_t> joint_of(const Clip& clip, const std::string& name) {
    const Skeleton& skeleton = clip.skeleton;
    if (name.empty() && is_chain(skeleton)) {
        return skeleton.nodes.size() - 1;
    }
    if (const auto found = skeleton.find(name); found && !name.empty()) {
        return *found;
    }
    if (name.empty()) {
        Error error{ErrorCode::bad_value,
                    "is missing: an OBAN moves one object, and the animation has " +
                        std::to_string(skeleton.nodes.size()) +
                        " joints in several chains; allowed is the name of one of them"};
        error.field = "joint";
        return fail(in_request(std::move(error)));
    }
    Error error{ErrorCode::bad_value, "is \"" + name +
                                          "\", which is not a joint of the animation; the first joint is " +
                                          (skeleton.nodes.empty() ? "missing" : skeleton.nodes.front().name)};
    error.field = "joint";
    return fail(in_request(std::move(error)));
}

/// The joint's world matrices at the file's frames, in the form of export_samples.
std::vector<float> matrices_of(const Clip& clip, std::size_t joint, std::size_t frames) {
    ClipPoser poser(clip);
    const auto& camera = clip.skeleton.nodes[joint].camera;
    const glm::dquat own =
        camera ? turn_between(camera->axes, Camera::Axes::looks_along_y) : glm::dquat(1, 0, 0, 0);
    std::vector<float> matrices;
    matrices.reserve(16 * frames);
    for (std::size_t frame = 0; frame < frames; ++frame) {
        poser.pose(static_cast<double>(frame) / file::frames_per_second);
        const Transform& world = poser.world()[joint];
        const glm::dmat3 turn = glm::mat3_cast(world.rotation * own);
        for (int column = 0; column < 3; ++column) {
            for (int row = 0; row < 3; ++row) {
                matrices.push_back(static_cast<float>(turn[column][row]));
            }
            matrices.push_back(0.0F);
        }
        for (int row = 0; row < 3; ++row) {
            matrices.push_back(static_cast<float>(world.translation[row]));
        }
        matrices.push_back(1.0F);
    }
    return matrices;
}

/// How many joints move by their own keys and do not affect the object.
std::size_t others_that_move(const Clip& clip, std::size_t joint) {
    std::vector<bool> carries(clip.skeleton.nodes.size(), false);
    for (std::optional<std::size_t> node = joint; node; node = clip.skeleton.nodes[*node].parent) {
        carries[*node] = true;
    }
    std::vector<bool> counted = carries;
    std::size_t others = 0;
    for (const Track& track : clip.tracks) {
        if (track.channel != Channel::property && !counted[track.node]) {
            counted[track.node] = true;
            ++others;
        }
    }
    return others;
}

/// Whether the clip's loop is the whole clip, the only loop that an OBAN can have.
bool loops_whole(const Clip& clip) {
    const auto loop = loop_of(clip);
    const double half_frame = 0.5 / file::frames_per_second;
    return loop && loop->in_seconds <= half_frame && loop->out_seconds >= clip.duration_seconds - half_frame;
}

}  // namespace

std::span<const Option> to_clip_options() { return to_clip_table; }
std::span<const Option> from_clip_options() { return table; }

Result<ClipMade> file_to_clip(const file::File& file, const Json& options) {
    ToClipOptions given;
    TRY_VOID(read_options(options, to_clip_rows, given));
    const file::Record& record = file.document.record;
    TRY_VOID(play::require_playable(record));
    TRY(const RestingBase base, resting_base(record));
    const std::string name = file.document.name.empty() ? "object" : file.document.name;
    ClipMade made;
    Clip& clip = made.clip;
    clip.duration_seconds = play::Player(record).last_frame() / file::frames_per_second;
    const bool has_base =
        base.rest.translation != glm::dvec3(0.0) || base.rest.rotation != glm::dquat(1, 0, 0, 0);
    clip.skeleton.nodes.push_back({has_base ? name + " pivot" : name});
    if (has_base) {
        clip.skeleton.nodes.push_back({name, {}, 0, base.rest});
    }
    if (given.is_camera) {
        clip.skeleton.nodes.back().camera = Camera{Camera::Axes::looks_along_y};
    }
    clip.frames_per_second = file::frames_per_second;
    add_tracks(record, clip);
    if ((record.flags & file::back_to_back_loop) != 0) {
        made.left_out.emplace_back("the loop back and forth");
    } else if ((record.flags & file::normal_loop) != 0) {
        clip.markers = {{std::string(loop_markers[0]), 0.0},
                        {std::string(loop_markers[1]), clip.duration_seconds}};
    }
    if (base.has_scale) {
        made.left_out.emplace_back("scale and shear of Base");
    }
    return made;
}

Result<Made> file_from_clip(const ClipRequest& request) {
    ClipOptions options;
    TRY_VOID(read_options(request.options, rows, options));
    const Clip& clip = request.clip;
    TRY(const std::size_t joint, joint_of(clip, options.joint));
    const double last = std::round(clip.duration_seconds * file::frames_per_second);
    TRY_VOID(
        require_frames(last < file::max_frames ? static_cast<std::size_t>(last) + 1 : file::max_frames + 1));
    const std::vector<float> matrices = matrices_of(clip, joint, static_cast<std::size_t>(last) + 1);
    ExportOptions made;
    made.space = space;
    made.container = file::Container::raw;  // raw needs no name; the file's own name determines its container
    made.flags = loops_whole(clip) ? std::uint32_t{file::normal_loop} : 0U;
    TRY(auto exported, export_samples(matrices, made, request.job));
    std::vector<std::string> left_out =
        left_out_of(request, loops_whole(clip) ? loop_markers : std::span<const std::string_view>());
    if (const std::size_t others = others_that_move(clip, joint); others > 0) {
        left_out.push_back("the motion of " + std::to_string(others) + " other joints");
    }
    exported.report["left_out"] = texts_json(left_out);
    return Made{file::make_document(std::move(exported.document)), std::move(exported.report),
                std::move(exported.worst)};
}

}  // namespace animbridge::oban::scene

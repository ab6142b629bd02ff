// SPDX-License-Identifier: MIT
#include "bridges/bvh_to_sl_pose/bridge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/options/options.h"
#include "formats/bvh/clip/clip.h"
#include "formats/bvh/file/file.h"
#include "formats/sl_anim/loader/loader.h"
#include "formats/sl_pose/clip/clip.h"
#include "formats/sl_pose/edit/edit.h"
#include "formats/sl_pose/fingers/fingers.h"
#include "rig/avatar/avatar.h"
#include "rig/exchange/exchange.h"

namespace animbridge::bvh_to_sl_pose {

namespace {

using bvh::file::ChannelKind;
using sl_pose::play::Known;
using sl_pose::play::Shown;

struct Options {
    std::optional<sl_pose::pose::Program> program{};
    std::vector<std::string> fingers{};
};

/// For the poser's own BVH, which holds one pose.
constexpr auto rows =
    joined_rows(sl_pose::edit::program_rows<Options>, sl_pose::fingers::finger_rows<Options>);

std::span<const Option> options() { return sl_pose::clip::from_clip_options(); }

constexpr std::array rotation_channels = {ChannelKind::z_rotation, ChannelKind::x_rotation,
                                          ChannelKind::y_rotation};
constexpr std::array root_channels = {ChannelKind::x_position, ChannelKind::y_position,
                                      ChannelKind::z_position, ChannelKind::z_rotation,
                                      ChannelKind::x_rotation, ChannelKind::y_rotation};
constexpr std::size_t joints_today = 155;
constexpr std::size_t joints_of_7_1_13 = 128;
constexpr double inches_of_metre = 39.37008;

/// The offset about x, in degrees, that the poser writes for a joint at zero: by its depth in the poser.
struct Offset {
    std::string_view joint;
    double degrees;
};
constexpr double usual_offset = 0.65;
constexpr std::array<Offset, 25> offsets = {{
    {"mHipLeft", 0.492424},       {"mHipRight", 0.492424},     {"mTail2", 0.492424},
    {"mTail1", 0.393939},         {"mFaceRoot", 0.281385},     {"mWingsRoot", 0.281385},
    {"mHindLimbsRoot", 0.281385}, {"mHead", 0.246212},         {"mNeck", 0.218855},
    {"mWristLeft", 0.179063},     {"mWristRight", 0.179063},   {"mElbowLeft", 0.164141},
    {"mElbowRight", 0.164141},    {"mShoulderLeft", 0.151515}, {"mShoulderRight", 0.151515},
    {"mCollarLeft", 0.140693},    {"mCollarRight", 0.140693},  {"mChest", 0.043771},
    {"mSpine4", 0.042819},        {"mSpine3", 0.041908},       {"mTorso", 0.041035},
    {"mSpine2", 0.040198},        {"mSpine1", 0.039394},       {"mPelvis", 0.027742},
    {"mPelvis", 0.295},
}};

/// Whether the three numbers are those of a joint that the poser holds at zero.
bool is_held(std::string_view joint, std::span<const double> degrees) {
    constexpr double last_decimal = 5e-7;
    const auto is_own = [&](double offset) { return std::abs(degrees[0] - offset) < last_decimal; };
    if (degrees[1] != 0.0 || degrees[2] != 0.0) {
        return false;
    }
    bool has_own = false;
    for (const Offset& offset : offsets) {
        has_own = has_own || offset.joint == joint;
        if (offset.joint == joint && is_own(offset.degrees)) {
            return true;
        }
    }
    return !has_own && is_own(usual_offset);
}

bool is_zero(std::span<const double> numbers) {
    return std::ranges::all_of(numbers, [](double number) { return number == 0.0; });
}

/// The poser's joints, channels, frames and rate; its first frame is zero.
bool is_posers(const bvh::file::Document& document) {
    const std::size_t count = document.joints.size();
    if ((count != joints_today && count != joints_of_7_1_13) || document.frame_count != 2 ||
        document.frame_time_seconds != 1.0 || document.joints.front().name != "mPelvis") {
        return false;
    }
    for (const bvh::file::Joint& joint : document.joints) {
        const bool is_root = !joint.parent;
        if (!rig::avatar::find_joint(joint.name) ||
            !(is_root ? std::ranges::equal(joint.channels, root_channels)
                      : std::ranges::equal(joint.channels, rotation_channels))) {
            return false;
        }
    }
    return is_zero(document.frame(0));
}

/// The blanks that only the poser writes.
bool has_posers_text(ByteView bytes) {
    return bytes.empty() || text_of(bytes).find("Frames:    2") != std::string_view::npos;
}

const Bridge& upload() { return *find_bridge("bvh", "sl_anim"); }

bool fits(const AnyDocument& document) {
    const auto* const file = document.get<bvh::file::File>();
    return file != nullptr && (is_posers(file->document) || upload().fits(document));
}

bool knows_any(const AnyDocument& document) { return upload().knows_any(document); }

/// The pose, and the joints whose numbers say less than they seem to.
struct Undone {
    std::vector<Shown> joints{};
    std::vector<std::string> held{};
    std::vector<std::string> free{};
    bool is_old = false;
};

/// mPelvis' position: in inches and in the BVH's axes, but for the first version.
glm::dvec3 position_in(std::span<const double> numbers, bool is_old) {
    return is_old ? glm::dvec3(numbers[0], numbers[1], numbers[2])
                  : glm::dvec3(numbers[2], numbers[0], numbers[1]) / inches_of_metre;
}

Undone undone(const bvh::file::Document& document) {
    Undone pose;
    pose.is_old = document.joints.size() == joints_of_7_1_13;
    const std::vector<std::size_t> columns = document.first_columns();
    const std::span<const double> frame = document.frame(1);
    for (std::size_t i = 0; i < document.joints.size(); ++i) {
        const std::string& name = document.joints[i].name;
        const std::size_t index = *rig::avatar::find_joint(name);
        const rig::avatar::SkeletonJoint& rest = rig::avatar::skeleton()[index];
        Shown joint{index, Known::exact, rest.node.rest_local.rotation, sl_pose::pose::rest_position(index),
                    rest.rest_scale};
        const bool has_position = !document.joints[i].parent;
        const auto degrees = frame.subspan(columns[i] + (has_position ? 3 : 0), 3);
        if (has_position) {
            joint.position = position_in(frame.subspan(columns[i], 3), pose.is_old);
        }
        if (is_zero(degrees) && !pose.is_old) {
            joint.known = Known::free;
            pose.free.push_back(name);
        } else if (is_held(name, degrees) && !pose.is_old) {
            pose.held.push_back(name);
        } else {
            const glm::dvec3 radians = glm::radians(glm::dvec3(degrees[0], degrees[1], degrees[2]));
            joint.rotation = product(joint.rotation, rotation_of_euler({2, 1, 0}, radians));
        }
        pose.joints.push_back(joint);
    }
    return pose;
}

/// From the BVH's axes to the avatar's, and from inches, as Second Life's viewer reads a BVH.
bvh::clip::Placement viewers_placement() {
    constexpr double metres_of_inch = 0.02540005;
    return {{{2, 0, 1}, {1.0, 1.0, 1.0}}, metres_of_inch};
}

/// The track of mPelvis as the viewer reads it: relative to frame 0.
void make_relative(Track& track, const glm::dquat& first_turn) {
    const glm::dquat back = glm::conjugate(first_turn);
    const glm::dvec3 start = track.channel == Channel::translation ? track.translation(0) : glm::dvec3(0);
    Track moved{track.node, track.channel};
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        if (track.channel == Channel::translation) {
            const glm::dvec3 p = back * (track.translation(key) - start);
            moved.add_key(track.times[key], std::array{p.x, p.y, p.z});
        } else {
            const glm::dquat q = product(back, track.rotation(key));
            moved.add_key(track.times[key], std::array{q.w, q.x, q.y, q.z});
        }
    }
    track = std::move(moved);
}

/// The viewer keeps the BVH's axes for joints that are not bones or points.
void keep_axes(Track& track) {
    const std::size_t width = track.width();
    for (std::size_t last = width; last <= track.values.size(); last += width) {
        double* const xyz = track.values.data() + last - 3;
        std::rotate(xyz, xyz + 1, xyz + 3);
    }
}

/// The motion on the avatar. Rotations and positions are the joints' own, whatever the OFFSETs.
Clip on_avatar(const Clip& motion, std::vector<std::string>& left_out) {
    Clip clip{rig::avatar::playing_skeleton(), {}, {}, motion.duration_seconds};
    std::map<std::size_t, glm::dquat> first_turns;
    for (const Track& track : motion.tracks) {
        const std::string& name = motion.skeleton.nodes[track.node].name;
        const std::string read_name = sl_anim::loader::name_read_from(name);
        const auto named = sl_anim::loader::bvh_joint_named(read_name);
        const auto joint = rig::avatar::find_joint(named.value_or(read_name));
        if (!joint) {
            if (std::ranges::find(left_out, "joint " + name) == left_out.end()) {
                left_out.push_back("joint " + name);
            }
            continue;
        }
        clip.tracks.push_back(track);
        clip.tracks.back().node = *joint;
        if (!named) {
            keep_axes(clip.tracks.back());
        }
        if (track.channel == Channel::rotation) {
            first_turns.emplace(*joint, track.rotation(0));
        }
    }
    for (Track& track : clip.tracks) {
        if (!clip.skeleton.nodes[track.node].parent) {
            const auto first = first_turns.find(track.node);
            make_relative(track, first == first_turns.end() ? glm::dquat(1, 0, 0, 0) : first->second);
        }
    }
    return clip;
}

/// A moment of a BVH with the avatar's joints, as Second Life's upload reads it.
Result<Made> moment_of(const bvh::file::Document& document, const BridgeInput& input) {
    TRY(const Clip motion, bvh::clip::to_clip(document, viewers_placement()));
    std::vector<std::string> left_out;
    const Clip clip = on_avatar(motion, left_out);
    Json options = input.options;
    if (!options.contains("at") && document.frame_count > 1) {
        options["at"] = document.frame_time_seconds;
    }
    return sl_pose::clip::from_clip({clip, options, input.job, nullptr, std::move(left_out)});
}

Result<Made> convert(const BridgeInput& input) {
    if (!input.document) {
        return fail(input.document.error());
    }
    const bvh::file::Document& document = (*input.document)->get<bvh::file::File>()->document;
    if (!is_posers(document) || !has_posers_text(input.bytes)) {
        return moment_of(document, input);
    }
    Options given;
    TRY_VOID(read_options(input.options, rows, given));
    const Undone pose = undone(document);
    auto made = sl_pose::edit::written(sl_pose::fingers::with_fingers(pose.joints, given.fingers),
                                       given.program.value_or(sl_pose::pose::Program::firestorm));
    Json report = {{"joints", pose.joints.size()},
                   {"held_at_zero", texts_json(pose.held)},
                   {"free", texts_json(pose.free)},
                   {"is_old", pose.is_old},
                   {"left_out", texts_json(made.left_out)}};
    return Made{sl_pose::file::make_document(std::move(made.document)), std::move(report)};
}

std::string describe(const Json& report, const Json& /*give_back*/) {
    const auto named = [&](const char* member, const std::string& text) {
        const auto names = texts_from_json(report.value(member, Json::array()));
        return names.empty() ? ""
                             : counted(names.size(), "joint") + " " + text + ": " + some_of(names) + "\n";
    };
    if (!report.contains("held_at_zero")) {
        const auto left_out = texts_from_json(report["left_out"]);
        return "The moment at " + shown_number(report["at_seconds"].get<double>()) +
               " s, as Second Life's upload reads the BVH: " + plain_text(report["joints"]) + " joints\n" +
               (left_out.empty() ? "" : "Left out: " + some_of(left_out) + "\n");
    }
    return "A BVH of Firestorm's poser, " + plain_text(report["joints"]) + " joints\n" +
           named("held_at_zero", "held at zero by small offsets, which were removed") +
           named("free", "left to animations") +
           (report["is_old"] == true
                ? "Firestorm 7.1.13 wrote it: its position is in metres, and not in inches\n"
                : "") +
           named("left_out", "left out");
}

const Rule& rule_of(std::string_view id) { return *std::ranges::find(bvh::file::rules(), id, &Rule::id); }

/// That the file is a poser's, and what its numbers mean.
void add_findings(const AnyDocument& document, ByteView text, std::vector<Finding>& findings) {
    const auto* const file = document.get<bvh::file::File>();
    if (file == nullptr || !is_posers(file->document) || !has_posers_text(text)) {
        return;
    }
    const Undone pose = undone(file->document);
    if (pose.is_old) {
        findings.push_back({&rule_of(bvh::file::rule("poser_bvh_metres")), "mPelvis"});
    } else if (!pose.held.empty()) {
        findings.push_back({&rule_of(bvh::file::rule("poser_bvh")),
                            counted(pose.held.size(), "joint") + ": " + some_of(pose.held)});
    }
}

}  // namespace

constinit const Bridge bridge = {
    .from = "bvh",
    .to = "sl_pose",
    .way = "from a BVH with the avatar's joints to a pose",
    .convert = convert,
    .options = options,
    .describe = describe,
    .fits = fits,
    .knows_any = knows_any,
    .check_level = CheckLevel::playback,
    .check = add_findings,
};

}  // namespace animbridge::bvh_to_sl_pose

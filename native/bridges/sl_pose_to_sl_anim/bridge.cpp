// SPDX-License-Identifier: MIT
#include "bridges/sl_pose_to_sl_anim/bridge.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/files/files.h"
#include "base/options/options.h"
#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/codes/codes.h"
#include "formats/sl_pose/check/check.h"
#include "formats/sl_pose/clip/clip.h"
#include "model/findings/findings.h"
#include "rig/exchange/exchange.h"

namespace animbridge::sl_pose_to_sl_anim {

namespace {

constexpr Option under_option{
    .name = "under",
    .type = OptionType::texts,
    .command_name = "--under",
    .value_name = "ID=FILE",
    .without = "the file alone, which a difference pose cannot be",
    .help =
        "The .anim of an animation that a difference pose stands on. Repeat it for each id; if there is "
        "one animation, its file is enough"};

std::span<const Option> own_table() { return sl_pose::clip::to_clip_options(); }

std::span<const Option> anim_table() {
    for (const OptionTable& table : sl_anim::format.options()) {
        if (table.call == "from_clip") {
            return table.options;
        }
    }
    return {};
}

std::span<const Option> options() {
    static const std::vector<Option> all = [] {
        std::vector<Option> table(own_table().begin(), own_table().end());
        table.push_back(under_option);
        table.insert(table.end(), anim_table().begin(), anim_table().end());
        return table;
    }();
    return all;
}

Json members_in(std::span<const Option> table, const Json& options) {
    Json own = Json::object();
    for (const auto& [name, value] : options.items()) {
        if (has_option(table, name)) {
            own[name] = value;
        }
    }
    return own;
}

/// The id and the path in "ID=FILE"; a path alone is for the only animation of the pose.
Result<std::pair<std::string, std::string>> id_and_path(const std::string& text,
                                                        const sl_pose::pose::Pose& pose) {
    const std::size_t mark = text.find('=');
    if (mark != std::string::npos) {
        return std::pair(text.substr(0, mark), text.substr(mark + 1));
    }
    if (pose.states.size() != 1) {
        return fail(in_request({ErrorCode::bad_value,
                                "found a file without an id, and the pose names " +
                                    counted(pose.states.size(), "animation") + "; allowed is ID=FILE",
                                {},
                                "under"}));
    }
    return std::pair(pose.states.front().animation_id, text);
}

Result<Animations> animations_of(const Json& under, const sl_pose::pose::Pose& pose) {
    Animations animations;
    for (const std::string& text : texts_from_json(under)) {
        TRY(const auto named, id_and_path(text, pose));
        TRY(const Bytes bytes, read_file(named.second));
        auto document = sl_anim::file::read(bytes).and_then([](sl_anim::file::Document read) {
            return sl_anim::check::require_playable(read).map([&] { return std::move(read); });
        });
        if (!document) {
            return fail(in_file(std::move(document.error()), named.second));
        }
        animations.insert_or_assign(named.first, *std::move(document));
    }
    return animations;
}

Result<ClipMade> clip_of(const AnyDocument& document, const Json& options) {
    const Json own = members_in(own_table(), options);
    const Json under = options.value("under", Json());
    if (under.is_null()) {
        return document.format().clip.to_clip(document, own);
    }
    TRY(const sl_pose::pose::Pose pose, sl_pose::pose::pose_of(*document.get<sl_pose::file::Document>()));
    if (!pose.is_difference()) {
        return fail(
            in_request({ErrorCode::bad_value,
                        "found a pose that is not a difference; allowed is none: it stands on nothing",
                        {},
                        "under"}));
    }
    TRY(const auto animations, animations_of(under, pose));
    TRY(const Composed made, composed(pose, animations));
    ClipMade clip = sl_pose::clip::held(pose, made.joints);
    clip.warnings.emplace_back(
        "Firestorm names only the animations that the saver owns: if others were playing, the result lacks "
        "them. Compare it with the viewer");
    if (!made.unknown.empty()) {
        clip.warnings.push_back(
            counted(made.unknown.size(), "joint") +
            " add to an animation that is not among those given, and stand on the T-pose: " +
            some_of(made.unknown));
    }
    return clip;
}

/// ErrorCode::rejected: a joint is farther away than a .anim can say.
Result<void> require_in_reach(const Clip& clip) {
    for (const Track& track : clip.tracks) {
        const glm::dvec3 place =
            track.channel == Channel::translation ? glm::abs(track.translation(0)) : glm::dvec3(0);
        const double farthest = std::max({place.x, place.y, place.z});
        if (farthest > double{sl_anim::codes::position_limit}) {
            return fail(ErrorCode::rejected,
                        "is " + shown_number(farthest) +
                            " m away, and a .anim holds up to 5 m. Move it nearer, or convert the pose to "
                            ".glb or .fbx",
                        clip.skeleton.nodes[track.node].name);
        }
    }
    return {};
}

/// Warns of joints for which the codes of a .anim are coarse.
void warn_of_half_turns(const Clip& clip, Json& report) {
    constexpr double seen_degrees = 0.02;
    constexpr double near_half_turn = 0.0871557427;  // the cosine of 85 degrees
    const auto off = report["max_rotation_error_degrees"].get<double>();
    std::vector<std::string> names;
    for (const Track& track : clip.tracks) {
        if (track.channel == Channel::rotation && std::abs(track.rotation(0).w) < near_half_turn) {
            names.push_back(clip.skeleton.nodes[track.node].name);
        }
    }
    if (off > seen_degrees && !names.empty()) {
        report["warnings"].push_back(
            "Joints turn by more than 170 degrees, where a .anim is less exact, here up to " +
            measured_text(off) + " degrees: " + some_of(names));
    }
}

Result<Made> convert(const BridgeInput& input) {
    TRY_VOID(check_options(input.options, options(), ""));
    if (!input.document) {
        return fail(input.document.error());
    }
    TRY(auto clip, clip_of(**input.document, input.options));
    TRY_VOID(require_in_reach(clip.clip));
    Json wanted = members_in(anim_table(), input.options);
    if (!wanted.contains("encoder")) {
        wanted["encoder"] = "nearest";  // a pose is as exact as the file can hold it
    }
    return sl_anim::format.clip.from_clip({clip.clip, wanted, input.job, nullptr, std::move(clip.left_out)})
        .map([&](Made made) {
            for (const std::string& warning : clip.warnings) {
                made.report["warnings"].push_back(warning);
            }
            warn_of_half_turns(clip.clip, made.report);
            return made;
        });
}

std::string describe(const Json& report, const Json& /*give_back*/) {
    std::string text = "Largest difference: " + fixed_text(report["max_position_error_mm"].get<double>(), 3) +
                       " mm, " + fixed_text(report["max_rotation_error_degrees"].get<double>(), 4) +
                       " degrees\n";
    for (const std::string& item : texts_from_json(report["left_out"])) {
        text += "Left out: " + item + "\n";
    }
    for (const std::string& warning : texts_from_json(report["warnings"])) {
        text += "Warning: " + warning + "\n";
    }
    return text;
}

}  // namespace

constinit const Bridge bridge = {
    .from = "sl_pose",
    .to = "sl_anim",
    .way = "from a Second Life pose",
    .convert = convert,
    .options = options,
    .describe = describe,
};

}  // namespace animbridge::sl_pose_to_sl_anim

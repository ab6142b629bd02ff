// SPDX-License-Identifier: MIT
#include "formats/mrtk/through_clip.h"

#include <array>
#include <string>
#include <utility>

#include "formats/mrtk/clip.h"
#include "formats/mrtk/cycles.h"
#include "formats/mrtk/format.h"
#include "formats/mrtk/hand_motion.h"
#include "formats/mrtk/hands.h"
#include "formats/mrtk/measure.h"
#include "formats/mrtk/player.h"
#include "formats/mrtk/rig_options.h"

namespace animbridge::mrtk {

namespace {

struct FromClipOptions {
    Version version = Version::automatic;
};

constexpr std::array<OptionRow<FromClipOptions>, 1> from_clip_rows = {version_row<FromClipOptions>()};
constexpr auto from_clip_table = options_of(from_clip_rows);

}  // namespace

std::span<const Option> to_clip_options() { return rig_options(true); }
std::span<const Option> from_clip_options() { return from_clip_table; }

Result<ClipMade> document_to_clip(const Document& document, const Json& options) {
    TRY(const auto choice, rig_choice_from(options, true));
    TRY_VOID(require_playable(document));
    const Player player(document);
    ClipMade made;
    if (choice.is_exact) {
        made.clip = to_clip(document, player, exact_rig(player, choice.rest), choice.signs);
    } else {
        HandMotion motion = hand_motion(document, player, hand_rig(player, choice.rest));
        if (auto warning = motion.warning()) {
            made.left_out.push_back(*std::move(warning));
        }
        made.clip = std::move(motion.clip);
    }
    if (const std::size_t repeating = repeating_curves(document); repeating > 0) {
        made.left_out.push_back("that " + std::to_string(repeating) +
                                " curves repeat before or after their keys");
    }
    return made;
}

Skeleton own_skeleton() { return flat_hand_rig().skeleton; }

bool takes(const Clip& clip) {
    const std::vector<Node>& nodes = clip.skeleton.nodes;
    return std::any_of(nodes.begin(), nodes.end(), [](const Node& node) {
        return node.name == gaze_name || pose_named(node.name).has_value();
    });
}

Result<Made> document_from_clip(const ClipRequest& request) {
    FromClipOptions options;
    TRY_VOID(read_options(request.options, from_clip_rows, options));
    FromClip read = from_clip(request.clip);
    if (read.recording.is_empty()) {
        return fail(
            ErrorCode::invalid_argument,
            "an MRTK recording holds hands, a camera and a gaze, and the animation has none of them; its "
            "joints need names such as \"L_Wrist\", \"R_IndexTip\" or \"Camera\"");
    }
    Document document = assembled(std::move(read.recording), options.version, nullptr, read.left_out);
    TRY(const auto measured, measure(document, request.clip, request.job));
    const JointDifference worst = measured.worst();
    Json report = {{"version", version_text(document)},
                   {"max_position_error_mm", worst.position_mm},
                   {"max_rotation_error_degrees", worst.rotation_degrees},
                   {"left_out", left_out_json(read.left_out)}};
    return Made{make_document(std::move(document)), std::move(report)};
}

}  // namespace animbridge::mrtk

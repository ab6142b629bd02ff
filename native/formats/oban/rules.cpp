// SPDX-License-Identifier: MIT
#include "formats/oban/rules.h"

#include <array>

#include "formats/oban/check.h"

namespace animbridge::oban {

namespace {

using enum FindingClass;
using enum CheckLevel;

// clang-format off
constexpr std::array<Rule, rule_count> all_rules = {{
    {rule::keys_none, rejected, playback,
     "The animation has no keys: the object has no defined position.",
     "Add a key at frame 0."},
    {rule::keys_too_many, rejected, playback,
     "OniSplit refuses animations with more than 32,767 keys.",
     "Export the animation again: unneeded keys are dropped."},
    {rule::frame_count_too_large, rejected, playback,
     "OniSplit misreads more than 32,767 frames as a negative number and refuses the file.",
     "Shorten the animation to 32,767 frames (9 minutes), or split it."},
    {rule::key_not_finite, rejected, playback,
     "A key is not a number: the object disappears.",
     "Delete the key, or set it again."},
    {rule::base_not_finite, rejected, playback,
     "BaseTransform is not a number: the object disappears.",
     "Set BaseTransform to the identity, unless the object is scaled."},
    {rule::rotation_without_direction, rejected, playback,
     "The rotation is 0, 0, 0, 0, which is not a rotation: the object disappears.",
     "Set the rotation again; no rotation is 0, 0, 0, 1."},
    {rule::key_times_not_increasing, rejected, playback,
     "Key times do not increase: the game may show any of these keys.",
     "Sort the keys, with at most one for each frame."},
    {rule::first_key_not_at_0, risky, playback,
     "The first key is not at frame 0. AnimBridge holds it from the start; the game may not.",
     "Move the first key to frame 0."},
    {rule::last_key_not_at_end, risky, playback,
     "The last key is not at the last frame: the end is held or cut off.",
     "Set FrameCount to the last key's time plus 1."},
    {rule::rotation_not_unit, risky, playback,
     "The rotation is not normalised: the object may be scaled.",
     "Normalise the rotation, or export the animation again."},
    {rule::half_stop_beyond_end, risky, playback,
     "HalfStopFrame, at which a door is open, is after the last frame.",
     "Set it to the frame at which the door is open, or to 0 if the object is not a door."},
    {rule::loop_flags_both, risky, playback,
     "NormalLoop and BackToBackLoop are both set. AnimBridge plays back and forth; the game may not.",
     "Clear one of the two flags."},
    {rule::initial_transform_differs, advice, strict,
     "InitialTransform does not match frame 0. Tools that show it place the object elsewhere; playback is not affected.",
     "Export the animation again: InitialTransform is then made from the first key."},
    {rule::door_not_symmetric, advice, strict,
     "The motion after HalfStopFrame does not mirror the motion before it: a door that is stopped halfway jumps.",
     "Export the animation as a door: the closing half then mirrors the opening half."},
    {rule::local_far_from_origin, advice, strict,
     "ZAxisUp is set, so keys are relative to the object, but one is more than 10 m away from it.",
     "Check that the positions are relative, or clear the flag."},
    {rule::flags_unknown, advice, strict,
     "Unknown flags are set. They are kept, but OniSplit's XML shows all flags as a number.",
     "Clear the flags unless the file came with them."},
    {rule::bytes_behind_keys, advice, strict,
     "There are bytes after the keys. OniSplit's XML and raw records cannot store them.",
     "Export the animation again to remove them."},
    {rule::checksum_unknown, advice, strict,
     "The header's checksum is not that of the PC, Mac or PS2. OniSplit reads the file as one for the Mac.",
     "Export the animation again: the new file has the PC's checksum."},
    {rule::name_not_writable, advice, strict,
     "The name is not OBAN and 1 to 59 printable ASCII characters: AnimBridge cannot write it to a new file.",
     "Rename the animation."},
    {rule::raw_part_outside, advice, strict,
     "The raw part is outside the file: the file may be cut off. OBANs do not use it.",
     "Export the animation again: the new file has no raw part."},
}};
// clang-format on

}  // namespace

std::span<const Rule> rules() { return all_rules; }

}  // namespace animbridge::oban

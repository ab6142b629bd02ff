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
     "An animation without keys shows nothing: where its object is, is not defined.",
     "Write at least one key, at frame 0."},
    {rule::keys_too_many, rejected, playback,
     "With more than 32,767 keys OniSplit neither exports nor imports the animation.",
     "Write the animation anew: keys that playing does not need are dropped."},
    {rule::frame_count_too_large, rejected, playback,
     "OniSplit prints more than 32,767 frames as a negative number and refuses that as input.",
     "Shorten the animation to 32,767 frames (9 minutes), or split it."},
    {rule::key_not_finite, rejected, playback,
     "A key holds what is no number: the object is nowhere.",
     "Repair the key."},
    {rule::base_not_finite, rejected, playback,
     "BaseTransform, through which every vertex goes, holds what is no number.",
     "Write BaseTransform anew, as the identity if nothing is scaled."},
    {rule::rotation_without_direction, rejected, playback,
     "The rotation 0, 0, 0, 0 turns nowhere: dividing by its length gives no number.",
     "Repair the key; no turn is stored as 0, 0, 0, 1."},
    {rule::key_times_not_increasing, rejected, playback,
     "Times of keys do not increase: which of them is shown is not defined.",
     "Order the keys, one a frame at most."},
    {rule::first_key_not_at_0, risky, playback,
     "The first key is not at frame 0: here it holds up to its time; the game may do otherwise.",
     "Move the first key to frame 0."},
    {rule::last_key_not_at_end, risky, playback,
     "The last key is not at the last frame, FrameCount - 1: the end is held or cut.",
     "Set FrameCount to the last key's time + 1."},
    {rule::rotation_not_unit, risky, playback,
     "A rotation whose length is not 1: who does not normalise it scales the object.",
     "Write the animation anew, with rotations of length 1."},
    {rule::half_stop_beyond_end, risky, playback,
     "HalfStopFrame, where a door's opening half ends, is behind the last frame.",
     "Set it to the frame at which the door is open; 0 for what is no door."},
    {rule::loop_flags_both, risky, playback,
     "NormalLoop and BackToBackLoop are both set: here the animation goes to and fro; the game may do otherwise.",
     "Clear one of the two."},
    {rule::initial_transform_differs, advice, strict,
     "InitialTransform is not the transform at frame 0: tools that show it put the object elsewhere; playing does not use it.",
     "Write the animation anew: InitialTransform is then made from the first key."},
    {rule::door_not_symmetric, advice, strict,
     "The halves before and behind HalfStopFrame are not the same motion forwards and backwards: a door that is stopped half-way jumps.",
     "Export it as a door: the closing half is then the opening one, mirrored."},
    {rule::local_far_from_origin, advice, strict,
     "ZAxisUp is set, so keys are relative to the object's origin, but one is more than 10 m away from it.",
     "Check that the positions are local ones, or clear the flag."},
    {rule::flags_unknown, advice, strict,
     "Flags are set that no public tool names; OniSplit's XML then has a number for all.",
     "Nothing, if the file came so: they are kept."},
    {rule::bytes_behind_keys, advice, strict,
     "Bytes stand behind the keys that no writer makes; OniSplit's XML and raw records cannot carry them.",
     "Write the animation anew to be rid of them."},
    {rule::checksum_unknown, advice, strict,
     "The header's checksum is none of the three known ones; OniSplit takes such a file as one for the Mac.",
     "Write the file anew: it then has the PC's."},
    {rule::name_not_writable, advice, strict,
     "The name is no 1 to 59 printable ASCII characters behind the tag OBAN: no new file can have it.",
     "Give the animation another name."},
    {rule::raw_part_outside, advice, strict,
     "The raw part that the header tells of ends behind the file: it was cut off. No OBAN uses it.",
     "Write the file anew: it then has none."},
}};
// clang-format on

}  // namespace

std::span<const Rule> rules() { return all_rules; }

}  // namespace animbridge::oban

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>

#include "model/findings/findings.h"

/// The table of rules.
namespace animbridge::mrtk::check {

namespace rule_table {

using enum FindingClass;
using enum CheckLevel;

// clang-format off
inline constexpr std::array<Rule, 28> all_rules = {{
    {"times_not_finite", rejected, playback,
     "A key has a time that is not a number: what plays is undefined.",
     "Delete the key, or set its time."},
    {"values_not_finite", rejected, playback,
     "A key has a value or tangent that is not a number: what plays is undefined.",
     "Delete the key, or set it again."},
    {"missing_markers", rejected, playback,
     "The file ends before the list of markers. MRTK refuses it.",
     "Write the file as MRTK reads it: `animbridge edit IN OUT --mrtk-version 1.1`, or 1.0 if that is its version."},
    {"keys_with_tangents", rejected, playback,
     "The file has version 1.1 with the keys of version 1.0. MRTK misreads or refuses it.",
     "Write the file as MRTK reads it: `animbridge edit IN OUT --mrtk-version 1.1`. Version 1.0 keeps bent curves, but no gaze."},
    {"no_keys", risky, playback,
     "The recording has no keys: nothing plays.",
     "Record again."},
    {"times_not_sorted", altered, playback,
     "The keys are not in order of time. Unity sorts them.",
     "Sort the keys."},
    {"unknown_wrap_mode", risky, playback,
     "The wrap mode is not one of Unity's. It is played as one that holds the last value.",
     "Set the wrap mode to 8 (clamp forever), which is what MRTK writes."},
    {"unknown_weighted_mode", risky, playback,
     "The weighted mode is not one of Unity's. Its two lowest bits are used.",
     "Set the weighted mode to 0 to 3."},
    {"weights_out_of_range", risky, playback,
     "A weight is outside 0 to 1. It is played as the nearer of the two, or as 0 if it is not a number; Unity may show something else.",
     "Set the weight to 0 to 1."},
    {"lost_rotation_w", risky, playback,
     "The rotation has lost its W, as in every recording of MRTK 2.6.0 to 2.7.2. The joint plays far off.",
     "Restore W from the other curves: `animbridge edit IN OUT --repair-rotation-w`."},
    {"sign_flips", risky, playback,
     "The quaternion changes its sign between keys. MRTK goes through zero there, and the joint tumbles.",
     "Make the signs continuous: `animbridge edit IN OUT --continue-signs`."},
    {"rotation_length", risky, playback,
     "The quaternion's length is far from 1. MRTK does not normalise it.",
     "Normalise the quaternion, or record again. A key that an edit inserted has the length that MRTK played there before: leave it."},
    {"zero_rotations", risky, playback,
     "The quaternion is zero, which is no rotation at all. Programs show different things. Simulated hands have such keys in None.",
     "Set it to no rotation: `animbridge edit IN OUT --repair-zero-rotations`."},
    {"joints_missing", risky, playback,
     "A joint of a recorded hand has no keys. MRTK shows it at the origin of the world.",
     "If the program that plays the recording does not use the joint, you need not do anything."},
    {"hand_not_tracked", risky, playback,
     "A hand has joints, but is never tracked. MRTK does not show it.",
     "Set when the hand is tracked: in Blender, key the armature's property `tracked_left` or `tracked_right`."},
    {"single_key_joints", risky, playback,
     "All of the joint's curves have a single key, as MRTK from 2.6 on leaves joints seen for 32 samples or fewer. It stands still.",
     "Record longer, or with a partition size of 0 in MRTK's profile."},
    {"lost_tail", risky, playback,
     "Curves seem to stop before the recording's end: MRTK from 2.6 on loses up to 31 samples of each. They cannot be restored.",
     "Record a second longer than needed, or with a partition size of 0 in MRTK's profile."},
    {"marker_time_not_finite", risky, playback,
     "A marker has a time that is not a number.",
     "Set the marker's time in seconds."},
    {"negative_times", advice, strict,
     "The recording begins before 0 seconds. MRTK plays from 0; the keys before only lead there.",
     "Play it from its first key: `animbridge edit IN OUT --start-at-zero`."},
    {"bridged_gaps", advice, strict,
     "A hand was out of sight for a while, and its joints go on lines to where it was seen again. MRTK hides the hand; other programs may show it.",
     "Hide the hand while it is not tracked, as Blender's import does."},
    {"key_times_differ", advice, strict,
     "The curves of one position or rotation have keys at different times. It plays the same; other tools may need keys in common.",
     "Key them together."},
    {"duplicate_key_time", advice, strict,
     "Keys of a curve have the same time. The last one counts from that time on.",
     "Remove the others, unless a jump is meant."},
    {"markers_not_sorted", advice, strict,
     "The markers are not in order of time.",
     "Sort the markers."},
    {"marker_name_not_utf8", advice, strict,
     "A marker's name is not UTF-8. MRTK shows other characters.",
     "Rename the marker."},
    {"marker_length_not_minimal", advice, strict,
     "The length of a marker's name takes more bytes than it needs. MRTK reads it all the same.",
     "Nothing: it plays the same."},
    {"boolean_not_one", advice, strict,
     "A section's flag is neither 0 nor 1. MRTK reads it as true.",
     "Set the flag to 1."},
    {"switch_not_boolean", advice, strict,
     "A key of tracked or pinch is neither 0 nor 1. MRTK reads values above 0.5 as true.",
     "Set the value to 0 or 1."},
    {"trailing_bytes", advice, strict,
     "Bytes follow the markers. MRTK ignores them.",
     "Remove the bytes if other tools must read the file."},
}};
// clang-format on

}  // namespace rule_table

/// The id of a rule; one that the table lacks does not compile.
consteval std::string_view rule(std::string_view id) { return id_in(rule_table::all_rules, id); }

}  // namespace animbridge::mrtk::check

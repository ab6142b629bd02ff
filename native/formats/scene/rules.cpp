// SPDX-License-Identifier: MIT
#include "formats/scene/rules.h"

#include <array>

#include "formats/scene/check.h"

namespace animbridge::scene {

namespace {

using enum FindingClass;
using enum CheckLevel;

// clang-format off
constexpr std::array<Rule, 22> all_rules = {{
    {rule::no_nodes, risky, playback,
     "The scene is empty. There is nothing to convert.",
     "Export the scene again, with its skeleton."},
    {rule::no_animation, advice, playback,
     "The scene has no animation. Conversions give its rest pose.",
     "Export again with animation, if there should be one."},
    {rule::no_motion, risky, playback,
     "No node moves in any animation.",
     "Export again and bake the animation: constraints and drivers are not part of scene files."},
    {rule::no_skeleton, risky, playback,
     "No node is a bone of a skin, and none moves. Every node that is not a mesh, camera or light is read as a joint.",
     "Export the skeleton with its mesh, or check the joints with `animbridge rig FILE`."},
    {rule::side_file_missing, risky, playback,
     "The file names another file that could not be read. What is in it is missing.",
     "Keep both files in one folder."},
    {rule::bad_number, altered, playback,
     "Numbers are not finite. The keys or placements that have them are left out.",
     "Export the file again."},
    {rule::zero_length, altered, playback,
     "Rotations have no length. Their keys are left out.",
     "Export the file again."},
    {rule::key_order, altered, playback,
     "Keys are not in order of time. Those that come too late are left out.",
     "Export the file again."},
    {rule::scale_on_joint, altered, playback,
     "The size of a joint changes. Conversions move the joints below it accordingly, but keep its own size at "
     "the first key.",
     "Apply the scale, or animate without it."},
    {rule::scale_differs_by_axis, altered, playback,
     "A joint is below a scale that differs by axis. Its rotations are not exact, nor the positions of joints below it.",
     "Apply the scale before you export."},
    {rule::mirrored, altered, playback,
     "A joint is below a negative scale. Conversions mirror its motion instead.",
     "Apply the scale before you export."},
    {rule::shear, altered, playback,
     "A node shears. The shear is left out.",
     "Apply the node's transform before you export."},
    {rule::axes_guessed, advice, strict,
     "The file does not say which way is up. The usual axes of its format are taken.",
     "If the motion lies on its side, name the axes (command: --up, --forward)."},
    {rule::unit_guessed, advice, strict,
     "The file does not say how long its unit is. The usual unit of its format is taken.",
     "Check the size of the result."},
    {rule::no_frame_rate, risky, playback,
     "The file does not say how fast it plays. 25 frames a second are taken.",
     "Check the duration of the result."},
    {rule::name_empty, advice, strict,
     "A joint has no name. It gets one.",
     "Name the joint."},
    {rule::name_duplicate, advice, strict,
     "Several joints have the same name. All but the first get a number.",
     "Give each joint a unique name."},
    {rule::rest_differs_from_bind, advice, strict,
     "A joint's own rest pose is not the pose in which the skin was bound. Conversions use the pose of the skin.",
     "Check the rest pose of the result."},
    {rule::several_animations, advice, strict,
     "The file has several animations. Conversions take the one that moves most.",
     "Name one to take another (command: --animation)."},
    {rule::single_key, advice, strict,
     "All channels of an animation have one key: it is a pose.",
     "Add keys if it should move."},
    {rule::curves_resampled, advice, strict,
     "The file's curves are read as keys with straight lines between them, within a stated bound.",
     "Nothing needs to be done."},
    {rule::other, risky, playback,
     "Reading left something out or changed it.",
     "Check the result."},
}};
// clang-format on

}  // namespace

std::span<const Rule> rules() { return all_rules; }

}  // namespace animbridge::scene

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// The curves of a recording, in file order, and their names (docs/mrtk-format.md).
namespace animbridge::mrtk {

inline constexpr std::size_t joint_count = 27;  ///< of a hand, including None
inline constexpr std::size_t hand_count = 2;
inline constexpr std::size_t pose_curves = 7;  ///< PosX, PosY, PosZ, RotX, RotY, RotZ, RotW
inline constexpr std::size_t gaze_curves = 6;  ///< the origin's x, y, z, then the direction's

/// Poses: the camera's, then the left hand's, then the right hand's.
inline constexpr std::size_t pose_count = 1 + hand_count * joint_count;

/// The index of a curve. Every document has all curves; those of a section that its file omits are empty.
inline constexpr std::size_t first_switch = pose_curves;
inline constexpr std::size_t switch_count = 4;
inline constexpr std::size_t first_joint_curve = first_switch + switch_count;
inline constexpr std::size_t first_gaze_curve = first_joint_curve + hand_count * joint_count * pose_curves;
inline constexpr std::size_t curve_count = first_gaze_curve + gaze_curves;
static_assert(first_gaze_curve == 389, "what version 1.0 has");

/// As in MRTK's enumeration TrackedHandJoint.
inline constexpr std::array<std::string_view, joint_count> joint_names = {
    "None",
    "Wrist",
    "Palm",
    "ThumbMetacarpalJoint",
    "ThumbProximalJoint",
    "ThumbDistalJoint",
    "ThumbTip",
    "IndexMetacarpal",
    "IndexKnuckle",
    "IndexMiddleJoint",
    "IndexDistalJoint",
    "IndexTip",
    "MiddleMetacarpal",
    "MiddleKnuckle",
    "MiddleMiddleJoint",
    "MiddleDistalJoint",
    "MiddleTip",
    "RingMetacarpal",
    "RingKnuckle",
    "RingMiddleJoint",
    "RingDistalJoint",
    "RingTip",
    "PinkyMetacarpal",
    "PinkyKnuckle",
    "PinkyMiddleJoint",
    "PinkyDistalJoint",
    "PinkyTip",
};
inline constexpr std::array<std::string_view, hand_count> hand_names = {"left", "right"};
inline constexpr std::array<std::string_view, switch_count> switch_names = {"tracked_left", "tracked_right",
                                                                            "pinch_left", "pinch_right"};
inline constexpr std::string_view camera_name = "Camera";
inline constexpr std::string_view gaze_name = "Gaze";
inline constexpr std::string_view gaze_direction_name = "GazeDirection";

/// Joints that the code treats specially.
enum Joint : std::size_t { none = 0, wrist = 1, palm = 2, thumb_metacarpal = 3, middle_knuckle = 13 };

/// The section of the file that a curve belongs to; from version 1.1 on, a file may omit each of them.
enum class Section : std::uint8_t { camera, hands, gaze };
inline constexpr std::size_t section_count = 3;

[[nodiscard]] constexpr Section section_of(std::size_t curve) {
    return curve < first_switch ? Section::camera : curve < first_gaze_curve ? Section::hands : Section::gaze;
}

/// Whether the curve is true or false: tracked or pinch.
[[nodiscard]] constexpr bool is_switch(std::size_t curve) {
    return curve >= first_switch && curve < first_joint_curve;
}

/// The first of a pose's seven curves.
[[nodiscard]] constexpr std::size_t first_curve_of(std::size_t pose) {
    return pose == 0 ? 0 : first_joint_curve + (pose - 1) * pose_curves;
}
[[nodiscard]] constexpr std::size_t first_rotation_of(std::size_t pose) { return first_curve_of(pose) + 3; }

[[nodiscard]] constexpr std::size_t pose_of(std::size_t hand, std::size_t joint) {
    return 1 + hand * joint_count + joint;
}
/// The joint of a pose that is not the camera's.
[[nodiscard]] constexpr std::size_t joint_of(std::size_t pose) { return (pose - 1) % joint_count; }
[[nodiscard]] constexpr std::size_t hand_of(std::size_t pose) { return (pose - 1) / joint_count; }

/// "Camera", "L_Wrist", "R_IndexTip": the name in reports, of a clip's node, and of a bone in Blender.
[[nodiscard]] std::string pose_name(std::size_t pose);
/// "camera.position.x", "left.tracked", "left.Wrist.rotation.w", "gaze.origin.x".
[[nodiscard]] std::string curve_name(std::size_t curve);
/// What a finding about this curve names: the pose ("L_Wrist"), the switch ("tracked_left") or the gaze.
[[nodiscard]] std::string owner_of(std::size_t curve);
[[nodiscard]] std::optional<std::size_t> pose_named(std::string_view name);

/// Whether the bones or joints belong to a character, whose hands must be found, rather than to a recording:
/// none has a recording's name, or few have and there are enough others for a hand. Joints of other
/// conventions may have such names too ("L_Palm"), and any rig may have a "Camera".
[[nodiscard]] bool is_character(std::span<const std::string> names);
/// Whether the name is that of a pose or of the gaze.
[[nodiscard]] bool is_of_recording(std::string_view name);
/// How many of the names are those of hands' joints.
[[nodiscard]] std::size_t named_joints(std::span<const std::string> names);

}  // namespace animbridge::mrtk

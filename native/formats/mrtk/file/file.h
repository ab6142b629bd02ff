// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "base/options/options.h"
#include "model/format/format.h"

/// Input animation of MRTK 2, versions 1.0 and 1.1: recorded hands, camera and gaze as a document: read,
/// write, JSON. docs/mrtk-format.md describes the format. Unity's space: left-handed, +X right, +Y up, +Z
/// forward, metres. Errors name the curve's field and the byte.
namespace animbridge::mrtk::file {

// ---- curves and their names ----

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

// ---- the document ----

/// C6 42 9E 0F 6E AF 8F 6A in the file.
inline constexpr std::uint64_t magic = 0x6A8FAF6E0F9E42C6;

/// A key of version 1.0, except in switches. Seconds; metres or a quaternion's component.
struct FullKey {
    RawFloat time;
    RawFloat value;
    RawFloat in_tangent;  ///< per second
    RawFloat out_tangent;
    RawFloat in_weight;  ///< a share of the segment before the key
    RawFloat out_weight;
    std::int32_t weighted_mode = 0;

    bool operator==(const FullKey&) const = default;
};
static_assert(sizeof(FullKey) == 28, "one record of the file");

/// Bits of FullKey::weighted_mode: the sides whose weight applies. The other sides have a third.
enum WeightedMode : std::int32_t { weighted_in = 1, weighted_out = 2, weighted_both = 3 };

/// A key of a switch, and any key of version 1.1.
struct SimpleKey {
    RawFloat time;
    RawFloat value;

    bool operator==(const SimpleKey&) const = default;
};
static_assert(sizeof(SimpleKey) == 8, "one record of the file");

/// The values of Unity's WrapMode that apply to curves. MRTK writes only clamp_forever.
enum WrapMode : std::int32_t { standard = 0, once = 1, loop = 2, ping_pong = 4, clamp_forever = 8 };

[[nodiscard]] constexpr bool is_wrap_mode(std::int32_t mode) {
    return mode == standard || mode == once || mode == loop || mode == ping_pong || mode == clamp_forever;
}

/// Where a curve's keys are in the document's list of keys of its kind.
struct Curve {
    std::size_t first = 0;
    std::uint32_t count = 0;
    std::int32_t pre_wrap = clamp_forever;
    std::int32_t post_wrap = clamp_forever;

    bool operator==(const Curve&) const = default;
};

/// A time with a name. Document::marker_names has the name.
struct Marker {
    RawFloat time;
    std::uint32_t name_bytes = 0;
    std::uint8_t length_bytes = 1;  ///< how many bytes encode the name's length in the file: 1 to 5

    bool operator==(const Marker&) const = default;
};

/// The fewest bytes that encode a length.
[[nodiscard]] std::uint8_t length_bytes_of(std::size_t length);

/// The layout of a file. All but the first are layouts that writers after the published page may have made;
/// MRTK does not read them.
enum class Layout : std::uint8_t {
    specified,
    no_markers,            ///< ends after the curves
    wide_keys,             ///< version 1.1 with the keys of 1.0
    wide_keys_no_markers,  ///< both
};

/// One file, without loss. The keys of all curves are in two lists, in the order of the curves.
struct Document {
    std::int32_t minor = 0;  ///< of version 1: 0 or 1
    /// By Section: the Boolean's byte; any value except 0 means true. Version 1.0 stores none: 1, 1, 0.
    std::array<std::uint8_t, section_count> sections{1, 1, 0};
    Layout layout = Layout::specified;
    std::vector<Curve> curves = std::vector<Curve>(curve_count);
    std::vector<FullKey> full_keys{};
    std::vector<SimpleKey> simple_keys{};
    std::vector<Marker> markers{};
    std::string marker_names{};  ///< concatenated
    Bytes trailing{};            ///< everything that follows; MRTK ignores it

    [[nodiscard]] bool has_sections() const { return minor == 1; }
    [[nodiscard]] bool has_section(Section section) const {
        return sections.at(static_cast<std::size_t>(section)) != 0;
    }
    /// Whether the file stores the curve.
    [[nodiscard]] bool stores(std::size_t curve) const { return has_section(section_of(curve)); }
    [[nodiscard]] bool has_full_floats() const {
        return !has_sections() || layout == Layout::wide_keys || layout == Layout::wide_keys_no_markers;
    }
    [[nodiscard]] bool has_full_keys(std::size_t curve) const {
        return has_full_floats() && !is_switch(curve);
    }
    [[nodiscard]] bool has_marker_list() const {
        return layout == Layout::specified || layout == Layout::wide_keys;
    }

    [[nodiscard]] std::span<const FullKey> full_keys_of(std::size_t curve) const {
        return std::span(full_keys).subspan(curves[curve].first, curves[curve].count);
    }
    [[nodiscard]] std::span<const SimpleKey> simple_keys_of(std::size_t curve) const {
        return std::span(simple_keys).subspan(curves[curve].first, curves[curve].count);
    }

    bool operator==(const Document&) const = default;
};

/// A marker's time and name.
struct NamedMarker {
    RawFloat time;
    std::string_view name;
};
/// In file order; the views are valid as long as the document.
[[nodiscard]] std::vector<NamedMarker> named_markers(const Document& document);

[[nodiscard]] std::string version_text(const Document& document);

[[nodiscard]] std::string_view name_of(Layout layout);
/// For people: "ends before the list of markers".
[[nodiscard]] std::string_view words_of(Layout layout);

// ---- read and write ----

/// Whether the bytes begin with the magic.
[[nodiscard]] bool sniff(ByteView bytes);

/// write(read(bytes)) == bytes.
[[nodiscard]] Bytes write(const Document& document);

/// Reads versions 1.0 and 1.1. Bytes after the end are kept.
///
/// Lenient reading also accepts three layouts that MRTK does not read: without the list of markers, and
/// version 1.1 with the keys of 1.0, with the list and without. Such a layout must end exactly at the end of
/// the file, with wrap modes that Unity has and times that do not decrease. It is tried if the specified
/// layout does not fit, or if that leaves bytes over but has wrap modes that Unity lacks or times that
/// decrease: then it fits only by accident.
///
/// ErrorCode::unsupported_version: another version, or a fork with more curves in a pose.
/// ErrorCode::truncated and ErrorCode::bad_value are about the specified layout.
[[nodiscard]] Result<Document> read(ByteView bytes, Reading reading);

// ---- JSON and a summary ----

/// The whole document; from_json(to_json(d)) == d. Floats that are not finite are written as their bits.
[[nodiscard]] Json to_json(const Document& document);
/// ErrorCode::bad_value names the member and what is allowed.
[[nodiscard]] Result<Document> from_json(const Json& json);

// ---- the format's row ----

[[nodiscard]] DocumentPtr make_document(Document document);

// ---- places in the file ----

/// The size of the bytes before the curves.
[[nodiscard]] std::size_t header_bytes(const Document& document);
/// The size in the file of one key of this curve.
[[nodiscard]] std::size_t key_bytes(const Document& document, std::size_t curve);
inline constexpr std::size_t curve_header_bytes = 12;
/// The offset in the file of each curve's header, and last the offset where the curves end. A curve that the
/// file does not store has the offset of the next one.
[[nodiscard]] std::vector<std::size_t> curve_offsets(const Document& document);
[[nodiscard]] std::size_t file_bytes(const Document& document);

[[nodiscard]] inline std::string left_text(std::size_t count) {
    return counted(count, "byte") + (count == 1 ? " is left" : " are left");
}
/// For a file that ends within a field.
[[nodiscard]] inline std::string needed_text(std::size_t wanted, std::size_t left) {
    return "needs " + counted(wanted, "byte") + "; " + left_text(left);
}

}  // namespace animbridge::mrtk::file

namespace animbridge::mrtk {

extern const Format format;

}  // namespace animbridge::mrtk

namespace animbridge {

/// The recording inside, owned by `document`; null if the document is of another format.
[[nodiscard]] const mrtk::file::Document* as_mrtk(const AnyDocument& document);

}  // namespace animbridge

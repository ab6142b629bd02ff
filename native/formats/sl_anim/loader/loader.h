// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "formats/sl_anim/codes/codes.h"
#include "formats/sl_anim/file/file.h"

/// What Second Life's viewer makes of a BVH that is chosen for upload, byte for byte, and what the upload
/// dialog then changes (docs/second-life-bvh.md, "Second Life's upload"). Single precision, in the viewer's
/// order of operations.
namespace animbridge::sl_anim::loader {

// ---- the BVH as the viewer reads it: line by line, here stricter and there more lenient than the format
// ----

struct BvhJoint {
    std::string name;  ///< the first word, at most 79 bytes
    /// Rotation channels in file order (0 x, 1 y, 2 z); one may repeat.
    std::array<std::size_t, 3> order{0, 1, 2};
    bool has_position_track = false;         ///< its channel count is not 3
    std::size_t depth = 0;                   ///< the number of joints on the longest chain below it
    std::vector<codes::Vector> rotations{};  ///< [frame], degrees about the BVH's x, y, z
    std::vector<codes::Vector> positions{};  ///< [frame], inches in the BVH's axes; empty: all zero
};

struct BvhMotion {
    std::vector<BvhJoint> joints{};  ///< in file order; names may repeat
    std::size_t frames = 0;
    float frame_time_seconds = 0;
};

/// Reads the file as the viewer does. ErrorCode::rejected if the viewer refuses it; the reason names the rule
/// that it breaks, and the error has the line. Time is linear; memory is at most 10 times the input.
[[nodiscard]] Result<BvhMotion> read_bvh_as_viewer(ByteView bytes);

/// The avatar's joint that the loader substitutes for a BVH joint: a bone or one of its aliases, or an
/// attachment point with underscores for spaces. Null: the joint keeps its name and axes.
[[nodiscard]] std::optional<std::string_view> bvh_joint_named(std::string_view name);

/// What the loader reads of a name: its first word, up to 79 bytes. Attachment points have names with blanks,
/// which a lenient reader keeps, so those with underscores are tried first.
[[nodiscard]] std::string name_read_from(const std::string& name);

/// Whether the viewer's upload preview has a joint of this name; the upload refuses all others. The preview
/// has no HUD points, which exist only on the user's own avatar.
[[nodiscard]] bool is_known_to_upload(std::string_view name);

// ---- the [GLOBALS] section of Second Life's older anim.ini, which a viewer reads before a BVH ----

struct LoopShare {
    bool loop = false;
    float in = 0;   ///< as a share of the duration
    float out = 1;  ///< as a share of the duration
};

struct AnimIni {
    std::optional<std::string> emote{};
    std::optional<std::int32_t> priority{};  ///< -1..6, for the animation and its joints
    std::optional<LoopShare> loop{};
    std::optional<float> ease_in_seconds{};
    std::optional<float> ease_out_seconds{};
    std::optional<std::uint32_t> hand_pose{};
    std::vector<file::Constraint> constraints{};  ///< at most max_constraints
    std::size_t joint_sections = 0;               ///< skipped: viewers no longer read them
};

/// Parses lines of the form "key = value". "#" begins a comment; "Translations 1.0" may be the first line.
/// Any other line, and any value that every viewer rejects, is an error with its line number.
[[nodiscard]] Result<AnimIni> read_anim_ini(std::string_view text);

// ---- the BVH as a .anim ----

enum class BvhTiming : std::uint8_t {
    current,  ///< frame 1 at 0 s; the last frame at the duration, (frames - 2) * frame time
    pre2022,  ///< frame f at (f + 1) * frame time, so the start is held; the duration is frames * frame time
};

/// A loop point: seconds, or a percentage of the duration.
struct LoopPoint {
    float value = 0;
    bool is_percent = false;
};

/// Empty fields keep the loader's values: priority 2, no loop, eases of 0.3 s, hand pose 1, no emote.
struct BvhLoad {
    BvhTiming timing = BvhTiming::current;

    // Fields of the upload dialog.
    /// 0..6; the dialog also shifts the joints' priorities, within 0..4.
    std::optional<std::int32_t> priority{};
    std::optional<bool> loop{};
    std::optional<LoopPoint> loop_in{};
    std::optional<LoopPoint> loop_out{};
    /// Clamped to the part of the duration that the other ease leaves, unless the animation loops.
    std::optional<float> ease_in_seconds{};
    std::optional<float> ease_out_seconds{};
    std::optional<std::uint32_t> hand_pose{};
    std::optional<std::string> emote{};

    // Options that the dialog does not have.
    /// Keyed by the joint's name in the file or on the avatar; -1..6.
    std::map<std::string, std::int32_t> joint_priorities{};
    bool reduce_keys = true;       ///< false: every frame becomes a key
    bool keep_all_joints = false;  ///< also write joints that do not move, if the avatar has them
    /// Without a reference frame, frame 0 becomes a key at 0 s and the duration is (frames - 1) * frame time.
    /// Joints count as moving if they leave the identity, and mPelvis rotates as in the file; its position
    /// stays relative to frame 0.
    bool reference_frame = true;
    AnimIni ini{};  ///< applied before the dialog's fields
};

struct BvhLoaded {
    file::Document document;
    /// Joints of the file that the loader drops because it sees no change.
    std::vector<std::string> dropped{};
    std::vector<std::string> clamped{};         ///< joints whose priority the dialog limits to 4
    std::vector<std::string> unknown_joints{};  ///< joints of the document that an upload refuses
    std::vector<std::string> warnings{};        ///< sentences
};

/// With default options, the result equals the loader's own buffer. An upload loads and stores that buffer
/// again; stored_form returns the resulting asset. ErrorCode::invalid_argument: a priority for a joint that
/// the file does not have.
[[nodiscard]] Result<BvhLoaded> load_bvh(const BvhMotion& motion, const BvhLoad& options);

}  // namespace animbridge::sl_anim::loader

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "formats/sl_anim/anim_ini.h"
#include "formats/sl_anim/bvh_loader_text.h"
#include "formats/sl_anim/document.h"

/// What Second Life's viewer makes of a BVH file that is chosen for upload, byte for byte
/// (docs/second-life-bvh.md, "Second Life's upload"), and what the upload dialog then changes. Single
/// precision, in the viewer's order of operations.
namespace animbridge::sl_anim {

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
    Document document;
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

}  // namespace animbridge::sl_anim

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
/// (docs/second-life-bvh.md, "Second Life's upload"); and what its upload dialog then changes. Single
/// precision, in the viewer's order of operations.
namespace animbridge::sl_anim {

enum class BvhTiming : std::uint8_t {
    current,  ///< frame 1 at 0, the last frame at the duration of (frames - 2) * frame time
    pre2022,  ///< frame f at (f + 1) * frame time, the duration is frames * frame time: a held gap at the
              ///< start
};

/// A place of the loop: seconds, or a share of the duration in percent.
struct LoopPoint {
    float value = 0;
    bool is_percent = false;
};

/// What is empty stays as the loader has it: priority 2, no loop, eases of 0.3 s, hand pose 1, no emote.
struct BvhLoad {
    BvhTiming timing = BvhTiming::current;

    // The upload dialog's fields.
    std::optional<std::int32_t> priority{};  ///< 0..6; the dialog moves the joints along, within 0..4
    std::optional<bool> loop{};
    std::optional<LoopPoint> loop_in{};
    std::optional<LoopPoint> loop_out{};
    std::optional<float>
        ease_in_seconds{};  ///< cut to what the other ease leaves of the duration, unless looping
    std::optional<float> ease_out_seconds{};
    std::optional<std::uint32_t> hand_pose{};
    std::optional<std::string> emote{};

    // What the dialog lacks.
    std::map<std::string, std::int32_t>
        joint_priorities{};        ///< by a name of the file or of the avatar; -1..6
    bool reduce_keys = true;       ///< else every frame is a key
    bool keep_all_joints = false;  ///< those that do not move, too, of the joints that the avatar knows
    /// Else frame 0 is a key at 0, the duration is (frames - 1) * frame time, joints count as moved where
    /// they leave the identity, and mPelvis turns as the file says; its position stays relative to frame 0.
    bool reference_frame = true;
    AnimIni ini{};  ///< comes before the dialog's fields
};

struct BvhLoaded {
    Document document;
    std::vector<std::string> dropped{};         ///< joints of the file in which the loader saw no change
    std::vector<std::string> clamped{};         ///< joints whose priority the dialog holds at 4
    std::vector<std::string> unknown_joints{};  ///< joints of the document that an upload does not know
    std::vector<std::string> warnings{};        ///< sentences
};

/// The loader's own buffer where the options are as they are by default. An upload loads and stores it once
/// more: stored_form gives the asset. ErrorCode::invalid_argument for a priority of a joint that the file
/// does not have.
[[nodiscard]] Result<BvhLoaded> load_bvh(const BvhMotion& motion, const BvhLoad& options);

}  // namespace animbridge::sl_anim

// SPDX-License-Identifier: MIT
#include "fuzz_bvh_loader_input.h"

#include <algorithm>
#include <array>

#include "base/base.h"
#include "bridges/bvh_to_sl_anim/bridge.h"
#include "formats/bvh/file/file.h"
#include "formats/sl_anim/check/check.h"
#include "invariants.h"

namespace animbridge::test {

namespace {

void check_motion(const sl_anim::loader::BvhMotion& motion, const sl_anim::loader::BvhLoad& options) {
    for (const sl_anim::loader::BvhJoint& joint : motion.joints) {
        // The lenient reader gives joints without channels no frames.
        require(joint.rotations.empty() || joint.rotations.size() == motion.frames,
                "a joint with rotations in some frames only");
        require(joint.positions.empty() || joint.positions.size() == motion.frames,
                "a joint with positions in some frames only");
    }
    const auto loaded = sl_anim::loader::load_bvh(motion, options);
    require(loaded.has_value(), "a motion that cannot be loaded");
    require(loaded->document.joints.size() + loaded->dropped.size() == motion.joints.size(),
            "a joint is neither written nor dropped");
    const Bytes written = sl_anim::file::write(loaded->document);
    const auto again = sl_anim::file::read(written);
    require(again.has_value() && *again == loaded->document, "what was loaded does not read back");
    for (const Finding& finding : sl_anim::check::check(loaded->document, {CheckLevel::upload, {}})) {
        require(!finding.rule->id.empty(), "a finding without a rule");
    }
}

}  // namespace

bool try_bvh_loader(ByteView file, const sl_anim::loader::BvhLoad& options) {
    const auto motion = sl_anim::loader::read_bvh_as_viewer(file);
    if (motion) {
        check_motion(*motion, options);
        return true;
    }
    const Error& error = motion.error();
    require(error.code == ErrorCode::rejected, "a refusal that is none");
    require(error.line >= 1 && error.line <= static_cast<std::int64_t>(file.size()) + 1,
            "a refusal without its line");
    require(!error.field.empty() && is_utf8(error.message()), "a refusal without its words");
    if (const auto document = bvh::file::read(file, Reading::lenient)) {
        std::vector<std::string> warnings;
        check_motion(bvh_to_sl_anim::motion_for_loader(*document, warnings), options);
    }
    return false;
}

void try_bvh_loader(ByteView bytes) {
    std::array<std::uint8_t, 8> choices{};
    const std::size_t size = std::min(bytes.size(), choices.size());
    std::copy_n(bytes.begin(), size, choices.begin());
    sl_anim::loader::BvhLoad options;
    options.timing =
        (choices[0] & 1U) != 0 ? sl_anim::loader::BvhTiming::pre2022 : sl_anim::loader::BvhTiming::current;
    options.reduce_keys = (choices[0] & 2U) == 0;
    options.keep_all_joints = (choices[0] & 4U) != 0;
    options.reference_frame = (choices[0] & 8U) == 0;
    options.loop = (choices[0] & 16U) != 0;
    options.priority = choices[1] % 7;
    options.loop_in =
        sl_anim::loader::LoopPoint{static_cast<float>(choices[2]) / 4.0F, (choices[0] & 32U) != 0};
    options.ease_in_seconds = static_cast<float>(choices[3]) / 25.0F;
    options.ease_out_seconds = static_cast<float>(choices[4]) / 25.0F;
    options.hand_pose = choices[5] % 14U;
    try_bvh_loader(bytes.subspan(size), options);
}

}  // namespace animbridge::test

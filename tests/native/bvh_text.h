// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

/// BVH files written by hand.
namespace animbridge::test {

/// The beginning of a joint; "}" closes it.
inline std::string bvh_joint(const std::string& line, const std::string& channels) {
    return line + "\n{\nOFFSET 0 0 0\nCHANNELS " + channels + "\n";
}

inline const std::string six = "6 Xposition Yposition Zposition Xrotation Yrotation Zrotation";
inline const std::string three = "3 Xrotation Yrotation Zrotation";
inline const std::string end_site = "End Site\n{\nOFFSET 0 1 0\n}\n";

inline std::string bvh_motion(const std::vector<std::string>& frames, const std::string& frame_time = "0.1") {
    std::string text =
        "MOTION\nFrames: " + std::to_string(frames.size()) + "\nFrame Time: " + frame_time + "\n";
    for (const std::string& frame : frames) {
        text += frame + "\n";
    }
    return text;
}

/// hip with six channels, and inside it one joint with three.
inline std::string two_joints(const std::vector<std::string>& frames, const std::string& name = "chest",
                              const std::string& channels = three, const std::string& frame_time = "0.1") {
    return "HIERARCHY\n" + bvh_joint("ROOT hip", six) + bvh_joint("JOINT " + name, channels) + end_site +
           "}\n}\n" + bvh_motion(frames, frame_time);
}

inline ByteView bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace animbridge::test

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "formats/bvh/file/file.h"

/// Hand-written BVH files.
namespace animbridge::test {

/// Two joints, an end site and two frames; the dialects are variants of this.
inline constexpr std::string_view plain_bvh =
    "HIERARCHY\n"
    "ROOT hip\n"
    "{\n"
    "\tOFFSET 0 1 2\n"
    "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    "\tJOINT chest\n"
    "\t{\n"
    "\t\tOFFSET 0 5.5 -1.25\n"
    "\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
    "\t\tEnd Site\n"
    "\t\t{\n"
    "\t\t\tOFFSET 0 3 0\n"
    "\t\t}\n"
    "\t}\n"
    "}\n"
    "MOTION\n"
    "Frames: 2\n"
    "Frame Time: 0.05\n"
    "1 2 3 4 5 6 7 8 9\n"
    "-1 -2.5 -0 0.125 1000 6 7 8 9.5\n";

/// One joint with one channel, followed by these lines.
[[nodiscard]] inline std::string one_channel_bvh(std::string_view motion) {
    return "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n" + std::string(motion);
}

/// `text` with the first `from` replaced.
[[nodiscard]] inline std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
    std::string result(text);
    return result.replace(result.find(from), from.size(), to);
}

/// `text` with every `from` replaced.
[[nodiscard]] inline std::string all_replaced(std::string_view text, std::string_view from,
                                              std::string_view to) {
    std::string result;
    std::size_t begin = 0;
    for (std::size_t at = text.find(from); at != std::string_view::npos; at = text.find(from, begin)) {
        result.append(text.substr(begin, at - begin)).append(to);
        begin = at + from.size();
    }
    return result.append(text.substr(begin));
}

[[nodiscard]] inline Result<bvh::file::Document> read_text(std::string_view text,
                                                           Reading reading = Reading::strict) {
    // A copy of exactly this size lets a sanitizer see a read past its end.
    const Bytes bytes(text.begin(), text.end());
    return bvh::file::read(bytes, reading);
}

}  // namespace animbridge::test

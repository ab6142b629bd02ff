// SPDX-License-Identifier: MIT
#pragma once

#include "formats/bvh/file/file.h"

/// `read`, section by section.
namespace animbridge::bvh::file {

/// The offset of the word MOTION, or the text's size if there is none.
[[nodiscard]] std::size_t hierarchy_size(std::string_view text);

/// Reads from the word HIERARCHY to after the word MOTION, or to the end of a text without MOTION.
[[nodiscard]] Result<std::vector<Joint>> read_hierarchy(Scanner& scanner);

/// Reads from after the word MOTION to the end of the text, into a document that has its joints.
[[nodiscard]] Result<void> read_motion(Scanner& scanner, Document& document);

}  // namespace animbridge::bvh::file

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/scene/document.h"

namespace animbridge::scene_child {

/// Counts what reading changed, and gives a note for each kind and node.
class Notes {
public:
    void add(scene::NoteKind kind, std::optional<std::uint32_t> node, std::uint64_t count = 1) {
        counts_[{kind, node}] += count;
    }
    /// A sentence about the whole file. Beyond a hundred of them, they are left out.
    void say(std::string sentence);
    void say(scene::NoteKind kind, std::string detail);
    [[nodiscard]] std::vector<scene::Note> take();

private:
    std::map<std::pair<scene::NoteKind, std::optional<std::uint32_t>>, std::uint64_t> counts_;
    std::vector<scene::Note> texts_;
};

/// Adds `channel` to the animation as a document wants it: times that increase, finite numbers, unit rotations
/// whose signs do not flip. Keys that cannot be are left out and noted; a channel without keys is dropped.
void add_channel(scene::Animation& animation, scene::Channel channel, Notes& notes);

}  // namespace animbridge::scene_child

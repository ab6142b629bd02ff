// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "formats/scene/document.h"

namespace animbridge::scene {

/// Counts what reading changed, and gives a note for each kind and node.
class Notes {
public:
    void add(NoteKind kind, std::optional<std::uint32_t> node, std::uint64_t count = 1) {
        counts_[{kind, node}] += count;
    }
    /// A sentence about the whole file. Beyond a hundred of them, they are left out.
    void say(std::string sentence);
    void say(NoteKind kind, std::string detail);
    [[nodiscard]] std::vector<Note> take();

private:
    std::map<std::pair<NoteKind, std::optional<std::uint32_t>>, std::uint64_t> counts_;
    std::vector<Note> texts_;
};

/// One animation of a document, as it is put together.
class AnimationMaker {
public:
    AnimationMaker(std::string name, Notes& notes) : notes_(notes) { animation_.name = std::move(name); }

    /// Adds `channel` as a document wants it: times that increase, finite numbers, unit rotations whose signs
    /// do not flip. Keys that cannot be are left out and noted; so are channels without keys, and a second
    /// one of the same node and target.
    void add(Channel channel);
    [[nodiscard]] Animation take() { return std::move(animation_); }

private:
    Notes& notes_;
    Animation animation_{};
    std::set<std::pair<std::uint32_t, Target>> seen_{};
};

}  // namespace animbridge::scene

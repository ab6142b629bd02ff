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

/// Counts what reading changed, and makes a note for each kind and node.
class Notes {
public:
    void add(NoteKind kind, std::optional<std::uint32_t> node, std::uint64_t count = 1) {
        if (count > 0) {
            counts_[{kind, node}] += count;
        }
    }
    /// Adds a sentence about the whole file. Only the first hundred are kept.
    void say(std::string sentence);
    void say(NoteKind kind, std::string detail);
    [[nodiscard]] std::vector<Note> take();

private:
    std::map<std::pair<NoteKind, std::optional<std::uint32_t>>, std::uint64_t> counts_;
    std::vector<Note> texts_;
};

/// Keys of a channel that a document cannot have.
struct LeftOutKeys {
    std::uint64_t bad_numbers = 0;
    std::uint64_t out_of_order = 0;
    std::uint64_t zero_length = 0;
};

/// Makes the channel valid for a document: times that increase, finite numbers, unit rotations whose signs do
/// not flip. Drops keys that cannot be made valid.
LeftOutKeys clean_keys(Channel& channel);

/// Builds one animation of a document.
class AnimationMaker {
public:
    AnimationMaker(std::string name, Notes& notes) : notes_(notes) { animation_.name = std::move(name); }

    /// Adds `channel` after clean_keys. A channel without keys is left out; so is a second one for the same
    /// node and target, with a note.
    void add(Channel channel);
    /// Like add, for a channel that is already clean.
    void add_clean(Channel channel, const LeftOutKeys& left_out);
    [[nodiscard]] Animation take() { return std::move(animation_); }

private:
    Notes& notes_;
    Animation animation_{};
    std::set<std::pair<std::uint32_t, Target>> seen_{};
};

}  // namespace animbridge::scene

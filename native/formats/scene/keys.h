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
        if (count > 0) {
            counts_[{kind, node}] += count;
        }
    }
    /// A sentence about the whole file. Beyond a hundred of them, they are left out.
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

/// Makes the channel what a document wants: times that increase, finite numbers, unit rotations whose signs
/// do not flip. Keys that cannot be are left out.
LeftOutKeys clean_keys(Channel& channel);

/// One animation of a document, as it is put together.
class AnimationMaker {
public:
    AnimationMaker(std::string name, Notes& notes) : notes_(notes) { animation_.name = std::move(name); }

    /// Adds `channel` after clean_keys. Channels without keys are left out, and noted so is a second one of
    /// the same node and target.
    void add(Channel channel);
    /// The same of a channel that is clean.
    void add_clean(Channel channel, const LeftOutKeys& left_out);
    [[nodiscard]] Animation take() { return std::move(animation_); }

private:
    Notes& notes_;
    Animation animation_{};
    std::set<std::pair<std::uint32_t, Target>> seen_{};
};

}  // namespace animbridge::scene

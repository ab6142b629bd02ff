// SPDX-License-Identifier: MIT
#include "formats/scene_file/scene/scene.h"

#include <algorithm>
#include <charconv>

#include "model/findings/findings.h"

namespace animbridge::scene_file::scene {

namespace {

std::string names_of(const std::vector<file::Animation>& animations) {
    constexpr std::size_t most = 20;
    std::string text;
    for (std::size_t i = 0; i < std::min(animations.size(), most); ++i) {
        const std::string& name = animations[i].name;
        text += (i == 0 ? "" : ", ") + std::to_string(i + 1) +
                (name.empty() ? " (no name)" : " \"" + name + "\"");
    }
    return text + (animations.size() > most ? ", ..." : "");
}

/// A name takes precedence over a number: an animation may be called "2".
Result<std::optional<std::size_t>> animation_named(const file::Document& document,
                                                   const std::optional<std::string>& wanted) {
    if (!wanted) {
        return clip::main_animation(document);
    }
    const std::vector<file::Animation>& all = document.animations;
    const auto named =
        std::ranges::find_if(all, [&](const file::Animation& one) { return one.name == *wanted; });
    if (named != all.end()) {
        return static_cast<std::size_t>(named - all.begin());
    }
    std::size_t number = 0;
    const char* const end = wanted->data() + wanted->size();
    const auto read = std::from_chars(wanted->data(), end, number);
    if (read.ec == std::errc() && read.ptr == end && number >= 1 && number <= all.size()) {
        return number - 1;
    }
    return fail(
        in_request({ErrorCode::bad_value,
                    "found \"" + *wanted + "\", " +
                        (all.empty() ? "and the file has no animation" : "allowed are " + names_of(all)),
                    {},
                    "animation"}));
}

std::optional<file::Axis> axis_named(std::string_view name) {
    const auto index = index_of_name(file::axis_names, name);
    return index ? std::optional(static_cast<file::Axis>(*index)) : std::nullopt;
}

file::Axis opposite(file::Axis axis) { return static_cast<file::Axis>(static_cast<int>(axis) ^ 1); }

/// The file's space, with the axes in the options. The axis that becomes +Y is the back.
Result<file::Space> space_from(const SceneChoice& given, const file::Space& own) {
    file::Space space = own;
    space.up = axis_named(given.up).value_or(own.up);
    const auto back = axis_named(given.forward);
    space.front = back ? opposite(*back) : own.front;
    const auto is_one_line = [&] {
        return static_cast<int>(space.front) / 2 == static_cast<int>(space.up) / 2;
    };
    if (!back && is_one_line()) {
        space.front = own.up;  // what was up is now in front or behind, in either direction
    }
    if (is_one_line()) {
        return fail(ErrorCode::bad_value,
                    "forward and up are one axis; allowed are two different ones of X, Y "
                    "and Z",
                    "forward");
    }
    return space;
}

}  // namespace

Result<clip::ToClip> SceneChoice::in(const file::Document& document) const {
    TRY(const auto index, animation_named(document, animation));
    TRY(const file::Space space, space_from(*this, document.space));
    return clip::ToClip{index, space};
}

}  // namespace animbridge::scene_file::scene

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>

#include "base/options/options.h"
#include "formats/scene/clip.h"
#include "formats/scene/from_clip.h"

/// Rows of options that several calls share.
namespace animbridge::scene {

/// Which animation of a scene to take, and how to map the file's axes.
struct SceneChoice {
    std::optional<std::string> animation{};  ///< a name, or a number from 1
    std::string up{};                        ///< if both are empty: as in the file
    std::string forward{};                   ///< the file's axis that becomes +Y: the way a character's back
                                             ///< faces

    /// The choice for a scene. ErrorCode::bad_value: no animation has the name or number (the message lists
    /// those that there are), or forward and up are one axis.
    [[nodiscard]] Result<ToClip> in(const Document& document) const;
};

/// Rows for any Target that is a SceneChoice.
template <typename Target>
[[nodiscard]] constexpr std::array<OptionRow<Target>, 3> choice_rows() {
    return {{
        {{.name = "animation",
          .type = OptionType::text,
          .command_name = "--animation",
          .value_name = "NAME",
          .without = "the one that moves most",
          .help = "The animation of the file to take: its name, or its number from 1"},
         [](Target& given, const Json& value) { given.animation = text_from_json(value, "").value_or(""); }},
        {{.name = "up",
          .type = OptionType::choice,
          .command_name = "--up",
          .choices = {"X", "Y", "Z", "-X", "-Y", "-Z"},
          .without = "as the file says",
          .help = "The file's axis that becomes Blender's +Z"},
         [](Target& given, const Json& value) { given.up = value.get<std::string>(); }},
        {{.name = "forward",
          .type = OptionType::choice,
          .command_name = "--forward",
          .choices = {"X", "Y", "Z", "-X", "-Y", "-Z"},
          .without = "as the file says",
          .help = "The file's axis that becomes Blender's +Y"},
         [](Target& given, const Json& value) { given.forward = value.get<std::string>(); }},
    }};
}

/// The row for any Target with `in_frames`: whether curves become keys at frames (model/frame_keys.h).
template <typename Target>
[[nodiscard]] constexpr std::array<OptionRow<Target>, 1> keys_rows() {
    return {{
        {{.name = "keys",
          .type = OptionType::choice,
          .command_name = "--keys",
          .choices = {"frames", "exact"},
          .without = "frames for .anim, .bvh and .dae, exact for other files",
          .help =
              "Where keys are made. frames: at most one for each frame, at the file's rate or a multiple of "
              "it; exact: as many as the file's curves need"},
         [](Target& given, const Json& value) { given.in_frames = value == "frames"; }},
    }};
}

/// The rows for calls for which the command has no flags.
template <typename Target, std::size_t count>
[[nodiscard]] constexpr std::array<OptionRow<Target>, count> without_flags(
    std::array<OptionRow<Target>, count> rows) {
    for (OptionRow<Target>& row : rows) {
        row.option.command_name = {};
        row.option.value_name = {};
        row.option.switch_value = true;
        row.option.switch_help = {};
    }
    return rows;
}

/// Rows for any Target with a member `scene`, a FromClip.
template <typename Target>
[[nodiscard]] constexpr std::array<OptionRow<Target>, 3> scene_rows() {
    return {{
        {{.name = "animation_name",
          .type = OptionType::text_without_nul,
          .command_name = "--animation-name",
          .value_name = "NAME",
          .without = "its name in the input, or Animation",
          .help = "The name of the animation in the new file"},
         [](Target& given, const Json& value) {
             given.scene.animation_name = text_from_json(value, "").value_or("");
         }},
        {{.name = "carrier_mesh",
          .type = OptionType::flag,
          .command_name = "--no-carrier-mesh",
          .switch_value = false,
          .standard = "true",
          .help =
              "Add a mesh with one tiny triangle for each joint, so that programs see an armature and not "
              "loose nodes",
          .switch_help = "Write nodes only, without the mesh that makes programs see an armature"},
         [](Target& given, const Json& value) { given.scene.is_skinned = value.get<bool>(); }},
        {{.name = "turn_to_front",
          .type = OptionType::flag,
          .command_name = "--keep-heading",
          .switch_value = false,
          .standard = "true",
          .help = "Turn a body by quarter turns so that it looks to the file's front",
          .switch_help = "Do not turn a body to the file's front"},
         [](Target& given, const Json& value) { given.scene.turns_to_front = value.get<bool>(); }},
    }};
}

}  // namespace animbridge::scene

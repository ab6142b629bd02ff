// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "base/option.h"
#include "formats/bvh/placement.h"

/// The tables of options for the BVH calls in animbridge.h.
namespace animbridge::bvh {

/// "forward" and "up" are the file's axes that become Blender's +Y and +Z.
struct PlacementOptions {
    std::string forward{};
    std::string up{};
    double scale = 1.0;

    /// The placement that the options describe. With "auto", the character faces along the file's +Z, or
    /// along -Y if Z is up.
    [[nodiscard]] Result<Placement> placement() const;
};

/// Rows for any Target that is a PlacementOptions. Only exports have the forward "auto".
template <typename Target>
[[nodiscard]] constexpr std::array<OptionRow<Target>, 3> placement_rows(bool may_be_auto) {
    Option forward = {.name = "forward",
                      .type = OptionType::choice,
                      .choices = {"X", "Y", "Z", "-X", "-Y", "-Z"},
                      .standard = "-Z",
                      .help =
                          "The file's axis that becomes Blender's +Y; with -Z, characters that look along "
                          "the file's +Z look along -Y, into Blender's front view"};
    if (may_be_auto) {
        forward.choices[6] = "auto";
        forward.help =
            "The file's axis that becomes Blender's +Y. With auto, the character looks along the file's +Z, "
            "or its -Y where Z is up";
    }
    return {{
        {forward, [](Target& options, const Json& value) { options.forward = value.get<std::string>(); }},
        {{.name = "up",
          .type = OptionType::choice,
          .choices = {"X", "Y", "Z", "-X", "-Y", "-Z"},
          .standard = "Y",
          .help = "The file's axis that becomes Blender's +Z"},
         [](Target& options, const Json& value) { options.up = value.get<std::string>(); }},
        {{.name = "scale",
          .type = OptionType::number,
          .high = largest_scene_number,
          .above_low = true,
          .standard = "1",
          .unit = "m",
          .help = "Metres for one unit of the file: 0.01 for centimetres, 0.0254 for inches"},
         [](Target& options, const Json& value) { options.scale = value.get<double>(); }},
    }};
}

/// The row "frames_per_second" for any Target with such a member. Slower rates give useless frame times;
/// faster ones need more frames than are written.
template <typename Target>
[[nodiscard]] constexpr std::array<OptionRow<Target>, 1> rate_rows(std::string_view without,
                                                                   std::string_view help) {
    return {{
        {{.name = "frames_per_second",
          .type = OptionType::number,
          .command_name = "--fps",
          .value_name = "RATE",
          .low = 0.01,
          .high = 100'000,
          .without = without,
          .unit = "frames per second",
          .help = help},
         [](Target& options, const Json& value) { options.frames_per_second = value.get<double>(); }},
    }};
}

[[nodiscard]] std::span<const Option> skeleton_options();
[[nodiscard]] Result<Placement> placement_from(const Json& json);

struct ImportOptions {
    Placement placement{};
    bool by_rig_map = true;
    bool fit_height = false;
};
[[nodiscard]] std::span<const Option> import_options();
[[nodiscard]] Result<ImportOptions> import_options_from(const Json& json);

}  // namespace animbridge::bvh

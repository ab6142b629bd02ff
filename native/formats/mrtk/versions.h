// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/option.h"
#include "formats/mrtk/builder.h"

/// Which version a new file has, and what it cannot hold (docs/mrtk-format.md, "Versions").
namespace animbridge::mrtk {

enum class Version : std::uint8_t {
    automatic,  ///< 1.0 if a segment is curved or a step, and there is no gaze; else 1.1
    v1_0,
    v1_1,
};

/// The version to write; not automatic.
[[nodiscard]] Version chosen(const Builder& builder, Version wanted);

/// The file. Of version 1.1, each curved segment becomes lines of at most longest_line_seconds, and a step
/// gets a key just before its end.
[[nodiscard]] Document in_version(Builder builder, Version version);
inline constexpr double longest_line_seconds = 1.0 / 120.0;

/// What the file lacks of the builder, in words.
[[nodiscard]] std::vector<std::string> lost_in(const Builder& builder, Version version);

/// The row "version" of a table of exports, for any Target with a `version`.
template <typename Target>
[[nodiscard]] constexpr OptionRow<Target> version_row() {
    return {
        {.name = "version",
         .type = OptionType::choice,
         .command_name = "--mrtk-version",
         .choices = {"auto", "1.0", "1.1"},
         .standard = "auto",
         .help =
             "auto: 1.0 if curves bend between keys and there is no gaze, otherwise 1.1. 1.0: MRTK 2.0 to "
             "2.8, no gaze. 1.1: MRTK 2.6 to 2.8, straight lines between keys"},
        [](Target& target, const Json& value) {
            target.version = value == "1.0"   ? Version::v1_0
                             : value == "1.1" ? Version::v1_1
                                              : Version::automatic;
        }};
}

}  // namespace animbridge::mrtk

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/option.h"
#include "formats/mrtk/loose_curves.h"
#include "formats/mrtk/version.h"

/// Makes new files from the curves of a scene or of another format.
namespace animbridge::mrtk {

struct NewMarker {
    RawFloat time;
    std::string name;
};

/// The content of a new file.
struct NewRecording {
    LooseCurves curves = LooseCurves(curve_count);
    std::vector<NewMarker> markers{};

    [[nodiscard]] bool has_keys(Section section) const;
    [[nodiscard]] bool is_empty() const;
    /// Gives each hand that has joints but no keys of "tracked" a key from which it is tracked and does not
    /// pinch. MRTK shows no other hand.
    void track_hands();
};

enum class Version : std::uint8_t {
    automatic,  ///< 1.0 if there is a curved segment or a step, and no gaze; else 1.1
    v1_0,
    v1_1,
};

/// The file. `like`: the file that it continues, or null. If the version is the same, that file's layout,
/// flags and bytes after the end stay; `automatic` means its version if that can hold everything. Adds to
/// `lost`, in words, what the version cannot hold.
[[nodiscard]] Document assembled(NewRecording recording, Version version, const Document* like,
                                 std::vector<std::string>& lost);

/// The row "version" in a table of exports, for any Target with a `version`.
template <typename Target>
[[nodiscard]] constexpr OptionRow<Target> version_row() {
    return {
        {.name = "version",
         .type = OptionType::choice,
         .command_name = "--mrtk-version",
         .choices = {"auto", "1.0", "1.1"},
         .standard = "auto",
         .help = "Version of the file. auto: 1.0 if curves bend between keys and there is no gaze, otherwise "
                 "1.1. 1.0: for MRTK 2.0 to 2.8, without gaze. 1.1: for MRTK 2.6 to 2.8, with straight lines "
                 "between keys"},
        [](Target& target, const Json& value) {
            target.version = value == "1.0"   ? Version::v1_0
                             : value == "1.1" ? Version::v1_1
                                              : Version::automatic;
        }};
}

}  // namespace animbridge::mrtk

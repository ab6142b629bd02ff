// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/sl_anim/document.h"
#include "model/finding.h"

namespace animbridge::sl_anim {

/// How much is looked for; each level includes the ones before it.
enum class Level : std::uint8_t {
    playback,  ///< what the viewer rejects or alters when it loads the file
    upload,    ///< and what it rejects or alters on upload
    strict,    ///< and what will probably look wrong
};

/// In the order of the levels.
inline constexpr std::array<std::string_view, 3> level_names = {"playback", "upload", "strict"};

struct CheckOptions {
    Level level = Level::strict;
    std::string
        asset_id{};  ///< the id under which the file is stored, "" when unknown: two rules depend on it
};

/// Everything that the viewer's rules say about the file, in file order; of each rule at most 100 findings,
/// the last of which tells how many more there are.
[[nodiscard]] std::vector<Finding> check(const Document& document, const CheckOptions& options);

/// The table of rules, as docs/findings.md lists them.
[[nodiscard]] std::span<const Rule> rules();

/// The largest file that the asset servers take.
inline constexpr std::size_t max_upload_bytes = 250'000;

/// The longest animation that the viewer takes.
inline constexpr float max_duration_seconds = 60.0F;

/// The most joint records that the viewer takes.
inline constexpr std::size_t max_joints = 216;

}  // namespace animbridge::sl_anim

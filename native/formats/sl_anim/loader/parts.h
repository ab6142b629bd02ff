// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "formats/sl_anim/codes/codes.h"
#include "formats/sl_anim/loader/loader.h"

/// Internal: names, numbers, keys and the dialog of the loader.
namespace animbridge::sl_anim::loader {

// ---- the header and the dialog ----

/// The loader's document without joints: its defaults, changed by the anim.ini.
[[nodiscard]] file::Document loader_header(float duration_seconds, const AnimIni& ini);

/// Applies the dialog's fields and the joint priorities, which the dialog cannot set. Adds to `clamped` and
/// `warnings`.
[[nodiscard]] Result<void> apply_dialog(const BvhLoad& options, BvhLoaded& loaded);

// ---- which frames the loader keeps as keys, and whether it sees a joint move ----

/// The result for one track.
struct KeptFrames {
    std::vector<std::uint8_t> kept{};  ///< [frame], 1 or 0
    bool moves = false;                ///< the loader sees a difference from the reference
};

/// What frames are compared with, and where the keys begin.
template <typename Value>
struct Reference {
    Value value{};
    /// Earlier frames do not become keys; 1 if frame 0 is the reference. With 0, which the loader uses only
    /// for a single frame, every frame is tested for motion. Otherwise the last rotation and the position of
    /// the second key frame are not tested.
    std::size_t first_key = 0;
};

/// `rotations`: one per frame, each the viewer's product of its channels; `depth`: as in BvhJoint. Each
/// dropped frame was close enough to the chord when it was tested. Like the loader, this does not test it
/// again after later frames are dropped.
[[nodiscard]] KeptFrames keep_rotations(std::span<const codes::Quaternion> rotations,
                                        const Reference<codes::Quaternion>& reference, std::size_t depth);

/// `positions`: one per frame, in inches.
[[nodiscard]] KeptFrames keep_positions(std::span<const codes::Vector> positions,
                                        const Reference<codes::Vector>& reference);

// ---- numbers as the loader reads them, in every locale ----
// Header lines go through C's scanf, which
// stops at the first character that does not fit; a frame's values are casts of whole words.

/// The characters that scanf and isspace treat as blank in the C locale.
[[nodiscard]] constexpr bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\n' || c == '\r';
}

[[nodiscard]] std::string_view without_leading_blanks(std::string_view text);

/// scanf's "%d" after leading blanks. A number beyond 64 bits becomes the nearest 64-bit number; the result
/// is its low 32 bits.
[[nodiscard]] std::optional<std::int32_t> scan_integer(std::string_view text);

/// scanf's "%f" after leading blanks: the longest prefix that strtof accepts, whether decimal, hexadecimal,
/// infinite or not a number. A number that is too large becomes infinite.
[[nodiscard]] std::optional<float> scan_float(std::string_view text);

/// A whole word as a float: decimal, "nan", "nan(...)", "inf" or "infinity" in any case, with an optional
/// sign. Null if the number is too large; 0 if it is too small.
[[nodiscard]] std::optional<float> cast_float(std::string_view word);

}  // namespace animbridge::sl_anim::loader

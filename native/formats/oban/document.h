// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/raw_float.h"

/// OBAN, Oni's object animation (docs/oban-format.md). World of the file: right-handed, Y up, a unit is 0.1
/// m, 60 frames a second.
namespace animbridge::oban {

inline constexpr double frames_per_second = 60.0;
inline constexpr double metres_per_unit = 0.1;
/// More keys or frames than this no tool of the game takes.
inline constexpr std::size_t max_keys = 32767;
inline constexpr std::size_t max_frames = 32767;
/// Of a record without keys, its 8-byte pre-header included.
inline constexpr std::size_t head_bytes = 0x80;

/// Bits of Record::flags.
enum Flag : std::uint32_t {
    normal_loop = 0x01,
    back_to_back_loop = 0x02,
    random_start_frame = 0x04,
    autostart = 0x08,
    z_axis_up = 0x10,  ///< "local": keys are relative to the origin of the object that owns the animation
};
inline constexpr std::uint32_t known_flags = 0x1f;

/// As OniSplit's XML spells it, in the order of the bits: NormalLoop, BackToBackLoop, RandomStartFrame,
/// Autostart, ZAxisUp.
inline constexpr std::array<std::string_view, 5> flag_names = {"NormalLoop", "BackToBackLoop",
                                                               "RandomStartFrame", "Autostart", "ZAxisUp"};

/// A key as it lies in the file.
struct Key {
    std::array<RawFloat, 4> rotation{};  ///< x, y, z, w; the usual quaternion (w, x, y, z) is (-w, x, y, z)
    std::array<RawFloat, 3> position{};  ///< in units
    std::int32_t time = 0;               ///< in frames

    bool operator==(const Key&) const = default;
};
static_assert(sizeof(Key) == 32 && std::is_trivially_copyable_v<Key>);

/// The images of X, Y and Z, then the translation: p' = m[0..2] x + m[3..5] y + m[6..8] z + m[9..11].
using Matrix = std::array<RawFloat, 12>;

[[nodiscard]] inline Matrix identity_matrix() {
    Matrix matrix{};
    matrix[0] = matrix[4] = matrix[8] = RawFloat(1.0F);
    return matrix;
}

/// One animation, every bit of it. The default is a valid head without keys.
struct Record {
    std::uint32_t res_id = 1;
    std::uint32_t lev_id = 0;
    std::array<std::uint8_t, 12> padding{};
    std::uint32_t flags = 0;  ///< Flag, and whatever else is set
    Matrix initial = identity_matrix();
    Matrix base = identity_matrix();
    std::uint16_t frame_length = 1;  ///< the authoring tool's ticks per frame
    std::uint16_t frame_count = 1;   ///< last key's time + 1
    std::uint16_t half_stop_frame = 0;
    std::vector<Key> keys{};
    Bytes tail{};  ///< inside an instance, behind the keys; no writer makes one

    bool operator==(const Record&) const = default;
};

enum class Container : std::uint8_t {
    raw,  ///< the record and nothing else: a file of that kind, or an instance of a level
    oni,  ///< stand-alone, VR32
    xml,  ///< OniSplit's
};

/// A file with one animation. What an XML cannot hold is as it is in a new record.
struct Document {
    Container container = Container::raw;
    std::string name{};  ///< the instance's, without the tag "OBAN"; any bytes; empty: none
    Record record{};
    Bytes before{};  ///< of a .oni: the file up to the record, and what is behind it
    Bytes after{};

    bool operator==(const Document&) const = default;
};

}  // namespace animbridge::oban

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/raw_float.h"

/// OBAN, Oni's object animation (docs/oban-format.md). The file's world is right-handed with Y up; one unit
/// is 0.1 m, and there are 60 frames per second.
namespace animbridge::oban {

inline constexpr double frames_per_second = 60.0;
inline constexpr double metres_per_unit = 0.1;
/// No tool of the game accepts more keys or frames than these.
inline constexpr std::size_t max_keys = 32767;
inline constexpr std::size_t max_frames = 32767;
/// The size of a record without keys, including its 8-byte pre-header.
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

/// Their spelling in OniSplit's XML, in the order of the bits.
inline constexpr std::array<std::string_view, 5> flag_names = {"NormalLoop", "BackToBackLoop",
                                                               "RandomStartFrame", "Autostart", "ZAxisUp"};

/// A key as in the file.
struct Key {
    /// X, y, z, w; the standard quaternion (w, x, y, z) is (-w, x, y, z).
    std::array<RawFloat, 4> rotation{};
    std::array<RawFloat, 3> position{};  ///< in units
    std::int32_t time = 0;               ///< in frames

    bool operator==(const Key&) const = default;
};
static_assert(sizeof(Key) == 32 && std::is_trivially_copyable_v<Key>);

/// The transformed X, Y and Z axes, then the translation: p' = m[0..2] x + m[3..5] y + m[6..8] z + m[9..11].
using Matrix = std::array<RawFloat, 12>;

[[nodiscard]] inline Matrix identity_matrix() {
    Matrix matrix{};
    matrix[0] = matrix[4] = matrix[8] = RawFloat(1.0F);
    return matrix;
}

/// One animation with all its bits. The default is a valid header without keys.
struct Record {
    std::uint32_t res_id = 1;
    std::uint32_t lev_id = 0;
    std::array<std::uint8_t, 12> padding{};
    std::uint32_t flags = 0;  ///< Flag, and any other bits that are set
    Matrix initial = identity_matrix();
    Matrix base = identity_matrix();
    std::uint16_t frame_length = 1;  ///< the authoring tool's ticks per frame
    std::uint16_t frame_count = 1;   ///< last key's time + 1
    std::uint16_t half_stop_frame = 0;
    std::vector<Key> keys{};
    Bytes tail{};  ///< bytes of an instance after the keys; no known program writes any

    bool operator==(const Record&) const = default;
};

enum class Container : std::uint8_t {
    raw,  ///< only the record: a file of its own, or an instance of a level
    oni,  ///< stand-alone, VR32
    xml,  ///< OniSplit's XML
};

/// A file with one animation. Fields that XML cannot hold are as in a new record.
struct Document {
    Container container = Container::raw;
    std::string name{};  ///< the instance's name without the tag "OBAN"; any bytes; empty for none
    Record record{};
    Bytes before{};  ///< in a .oni: the bytes before and after the record
    Bytes after{};

    bool operator==(const Document&) const = default;
};

}  // namespace animbridge::oban

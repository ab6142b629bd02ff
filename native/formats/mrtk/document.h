// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/raw_float.h"
#include "formats/mrtk/names.h"

/// Input animation of MRTK 2: recorded hands, camera and gaze. docs/mrtk-format.md describes the format.
namespace animbridge::mrtk {

/// C6 42 9E 0F 6E AF 8F 6A in the file.
inline constexpr std::uint64_t magic = 0x6A8FAF6E0F9E42C6;

/// A key of version 1.0, except in switches. Seconds; metres or a quaternion's component.
struct FullKey {
    RawFloat time;
    RawFloat value;
    RawFloat in_tangent;  ///< per second
    RawFloat out_tangent;
    RawFloat in_weight;  ///< a share of the segment before the key
    RawFloat out_weight;
    std::int32_t weighted_mode = 0;

    bool operator==(const FullKey&) const = default;
};
static_assert(sizeof(FullKey) == 28, "one record of the file");

/// Bits of FullKey::weighted_mode: the sides whose weight applies. The other sides have a third.
enum WeightedMode : std::int32_t { weighted_in = 1, weighted_out = 2, weighted_both = 3 };

/// A key of a switch, and any key of version 1.1.
struct SimpleKey {
    RawFloat time;
    RawFloat value;

    bool operator==(const SimpleKey&) const = default;
};
static_assert(sizeof(SimpleKey) == 8, "one record of the file");

/// The values of Unity's WrapMode that apply to curves. MRTK writes only clamp_forever.
enum WrapMode : std::int32_t { standard = 0, once = 1, loop = 2, ping_pong = 4, clamp_forever = 8 };

[[nodiscard]] constexpr bool is_wrap_mode(std::int32_t mode) {
    return mode == standard || mode == once || mode == loop || mode == ping_pong || mode == clamp_forever;
}

/// Where a curve's keys are in the document's list of keys of its kind.
struct Curve {
    std::size_t first = 0;
    std::uint32_t count = 0;
    std::int32_t pre_wrap = clamp_forever;
    std::int32_t post_wrap = clamp_forever;

    bool operator==(const Curve&) const = default;
};

/// A time with a name. Document::marker_names has the name.
struct Marker {
    RawFloat time;
    std::uint32_t name_bytes = 0;
    std::uint8_t length_bytes = 1;  ///< how many bytes encode the name's length in the file: 1 to 5

    bool operator==(const Marker&) const = default;
};

/// The fewest bytes that encode a length.
[[nodiscard]] std::uint8_t length_bytes_of(std::size_t length);

/// The layout of a file. All but the first are layouts that writers after the published page may have made;
/// MRTK does not read them.
enum class Layout : std::uint8_t {
    specified,
    no_markers,            ///< ends after the curves
    wide_keys,             ///< version 1.1 with the keys of 1.0
    wide_keys_no_markers,  ///< both
};

/// One file, without loss. The keys of all curves are in two lists, in the order of the curves.
struct Document {
    std::int32_t minor = 0;  ///< of version 1: 0 or 1
    /// By Section: the Boolean's byte; any value except 0 means true. Version 1.0 stores none: 1, 1, 0.
    std::array<std::uint8_t, section_count> sections{1, 1, 0};
    Layout layout = Layout::specified;
    std::vector<Curve> curves = std::vector<Curve>(curve_count);
    std::vector<FullKey> full_keys{};
    std::vector<SimpleKey> simple_keys{};
    std::vector<Marker> markers{};
    std::string marker_names{};  ///< concatenated
    Bytes trailing{};            ///< everything that follows; MRTK ignores it

    [[nodiscard]] bool has_sections() const { return minor == 1; }
    [[nodiscard]] bool has_section(Section section) const {
        return sections.at(static_cast<std::size_t>(section)) != 0;
    }
    /// Whether the file stores the curve.
    [[nodiscard]] bool stores(std::size_t curve) const { return has_section(section_of(curve)); }
    [[nodiscard]] bool has_full_floats() const {
        return !has_sections() || layout == Layout::wide_keys || layout == Layout::wide_keys_no_markers;
    }
    [[nodiscard]] bool has_full_keys(std::size_t curve) const {
        return has_full_floats() && !is_switch(curve);
    }
    [[nodiscard]] bool has_marker_list() const {
        return layout == Layout::specified || layout == Layout::wide_keys;
    }

    [[nodiscard]] std::span<const FullKey> full_keys_of(std::size_t curve) const {
        return std::span(full_keys).subspan(curves[curve].first, curves[curve].count);
    }
    [[nodiscard]] std::span<const SimpleKey> simple_keys_of(std::size_t curve) const {
        return std::span(simple_keys).subspan(curves[curve].first, curves[curve].count);
    }

    bool operator==(const Document&) const = default;
};

/// A marker's time and name.
struct NamedMarker {
    RawFloat time;
    std::string_view name;
};
/// In file order; the views are valid as long as the document.
[[nodiscard]] std::vector<NamedMarker> named_markers(const Document& document);

[[nodiscard]] std::string version_text(const Document& document);

[[nodiscard]] std::string_view name_of(Layout layout);
/// For people: "ends before the list of markers".
[[nodiscard]] std::string_view words_of(Layout layout);

/// The size of the bytes before the curves.
[[nodiscard]] std::size_t header_bytes(const Document& document);
/// The size in the file of one key of this curve.
[[nodiscard]] std::size_t key_bytes(const Document& document, std::size_t curve);
inline constexpr std::size_t curve_header_bytes = 12;
/// The offset in the file of each curve's header, and last the offset where the curves end. A curve that the
/// file does not store has the offset of the next one.
[[nodiscard]] std::vector<std::size_t> curve_offsets(const Document& document);
[[nodiscard]] std::size_t file_bytes(const Document& document);

/// Whether the bytes begin with the magic.
[[nodiscard]] bool sniff(ByteView bytes);

/// write(read(bytes)) == bytes.
[[nodiscard]] Bytes write(const Document& document);

}  // namespace animbridge::mrtk

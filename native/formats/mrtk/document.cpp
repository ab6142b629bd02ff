// SPDX-License-Identifier: MIT
#include "formats/mrtk/document.h"

#include <cstring>
#include <numeric>

namespace animbridge::mrtk {

namespace {

constexpr std::size_t version_end = 16;

std::size_t marker_bytes(const Document& document) {
    const std::size_t names = document.marker_names.size();
    return std::accumulate(
        document.markers.begin(), document.markers.end(), sizeof(std::int32_t) + names,
        [](std::size_t sum, const Marker& marker) { return sum + sizeof(RawFloat) + marker.length_bytes; });
}

}  // namespace

std::uint8_t length_bytes_of(std::size_t length) {
    std::uint8_t bytes = 1;
    for (; length > 0x7F; length >>= 7U) {
        ++bytes;
    }
    return bytes;
}

std::vector<NamedMarker> named_markers(const Document& document) {
    std::vector<NamedMarker> named;
    named.reserve(document.markers.size());
    std::size_t at = 0;
    for (const Marker& marker : document.markers) {
        named.push_back({marker.time, std::string_view(document.marker_names).substr(at, marker.name_bytes)});
        at += marker.name_bytes;
    }
    return named;
}

std::string version_text(const Document& document) { return "1." + std::to_string(document.minor); }

std::string_view name_of(Layout layout) {
    constexpr std::array<std::string_view, 4> names = {"specified", "no_markers", "wide_keys",
                                                       "wide_keys_no_markers"};
    return names.at(static_cast<std::size_t>(layout));
}

std::string_view words_of(Layout layout) {
    constexpr std::array<std::string_view, 4> words = {
        "has the layout of its version", "ends before the list of markers",
        "has keys of 28 bytes in version 1.1",
        "has keys of 28 bytes in version 1.1, and ends before the list of markers"};
    return words.at(static_cast<std::size_t>(layout));
}

std::size_t header_bytes(const Document& document) {
    return version_end + (document.has_sections() ? section_count : 0);
}

std::size_t key_bytes(const Document& document, std::size_t curve) {
    return document.has_full_keys(curve) ? sizeof(FullKey) : sizeof(SimpleKey);
}

std::vector<std::size_t> curve_offsets(const Document& document) {
    std::vector<std::size_t> offsets;
    offsets.reserve(curve_count + 1);
    std::size_t at = header_bytes(document);
    for (std::size_t curve = 0; curve < curve_count; ++curve) {
        offsets.push_back(at);
        if (document.stores(curve)) {
            at += curve_header_bytes + document.curves[curve].count * key_bytes(document, curve);
        }
    }
    offsets.push_back(at);
    return offsets;
}

std::size_t file_bytes(const Document& document) {
    return curve_offsets(document).back() + (document.has_marker_list() ? marker_bytes(document) : 0) +
           document.trailing.size();
}

bool sniff(ByteView bytes) {
    if (bytes.size() < sizeof(magic)) {
        return false;
    }
    std::uint64_t found = 0;
    std::memcpy(&found, bytes.data(), sizeof(found));
    return found == magic;
}

}  // namespace animbridge::mrtk

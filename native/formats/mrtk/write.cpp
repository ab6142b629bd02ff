// SPDX-License-Identifier: MIT
#include <span>

#include "base/bytes.h"
#include "formats/mrtk/document.h"

namespace animbridge::mrtk {

namespace {

/// Seven bits per byte, the lowest first; every byte but the last has the highest bit set.
void write_length(ByteWriter& writer, const Marker& marker) {
    std::uint32_t rest = marker.name_bytes;
    for (std::uint8_t left = marker.length_bytes; left > 0; --left) {
        const std::uint32_t more = left > 1 ? 0x80U : 0U;
        writer.write(static_cast<std::uint8_t>((rest & 0x7FU) | more));
        rest >>= 7U;
    }
}

void write_markers(ByteWriter& writer, const Document& document) {
    writer.write(static_cast<std::int32_t>(document.markers.size()));
    std::size_t at = 0;
    for (const Marker& marker : document.markers) {
        writer.write(marker.time);
        write_length(writer, marker);
        writer.write_array(std::span<const char>(document.marker_names).subspan(at, marker.name_bytes));
        at += marker.name_bytes;
    }
}

}  // namespace

Bytes write(const Document& document) {
    ByteWriter writer(file_bytes(document));
    writer.write(magic);
    writer.write(std::int32_t{1});
    writer.write(document.minor);
    if (document.has_sections()) {
        writer.write(document.sections);
    }
    for (std::size_t i = 0; i < curve_count; ++i) {
        if (!document.stores(i)) {
            continue;
        }
        const Curve& curve = document.curves[i];
        writer.write(curve.pre_wrap);
        writer.write(curve.post_wrap);
        writer.write(curve.count);
        if (document.has_full_keys(i)) {
            writer.write_array(document.full_keys_of(i));
        } else {
            writer.write_array(document.simple_keys_of(i));
        }
    }
    if (document.has_marker_list()) {
        write_markers(writer, document);
    }
    writer.write_array(std::span<const std::uint8_t>(document.trailing));
    return writer.take();
}

}  // namespace animbridge::mrtk

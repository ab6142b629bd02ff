// SPDX-License-Identifier: MIT
#include "formats/mrtk/builder.h"

#include <algorithm>
#include <limits>

#include "formats/mrtk/unity_curve.h"

namespace animbridge::mrtk {

namespace {

/// The bytes of the length of a name, seven bits each.
std::uint8_t length_bytes(std::size_t length) {
    std::uint8_t bytes = 1;
    for (; length >= 0x80; length >>= 7U) {
        ++bytes;
    }
    return bytes;
}

void add_markers(const std::vector<NewMarker>& markers, Document& document) {
    for (const NewMarker& marker : markers) {
        document.markers.push_back(
            {marker.time, static_cast<std::uint32_t>(marker.name.size()), length_bytes(marker.name.size())});
        document.marker_names += marker.name;
    }
}

}  // namespace

Builder Builder::of(const Document& document) {
    Builder builder;
    builder.copy(document, 0, curve_count);
    for (const NamedMarker& marker : named_markers(document)) {
        builder.markers.push_back({marker.time, std::string(marker.name)});
    }
    return builder;
}

void Builder::copy(const Document& document, std::size_t first_curve, std::size_t count) {
    for (std::size_t i = first_curve; i < first_curve + count; ++i) {
        const CurveView view(document, i);
        keys.at(i).clear();
        for (std::size_t key = 0; key < view.size(); ++key) {
            keys.at(i).push_back(view.full_key(key));
        }
        wraps.at(i) = document.curves[i];
    }
}

bool Builder::has(Section section) const {
    for (std::size_t i = 0; i < curve_count; ++i) {
        if (section_of(i) == section && !keys.at(i).empty()) {
            return true;
        }
    }
    return false;
}

bool Builder::has_gaze() const { return has(Section::gaze); }

bool Builder::is_linear() const {
    return std::all_of(keys.begin(), keys.end(), [](const std::vector<FullKey>& curve) {
        return std::all_of(curve.begin(), curve.end(), [](const FullKey& key) {
            return key == full_key_of({key.time, key.value});
        });
    });
}

Document Builder::build(bool is_1_1) const {
    Document document;
    document.minor = is_1_1 ? 1 : 0;
    if (is_1_1) {
        for (const Section section : {Section::camera, Section::hands, Section::gaze}) {
            document.sections.at(static_cast<std::size_t>(section)) = has(section) ? 1 : 0;
        }
    }
    for (std::size_t i = 0; i < curve_count; ++i) {
        if (!document.stores(i)) {
            continue;
        }
        const bool full = document.has_full_keys(i);
        Curve& curve = document.curves[i];
        curve = wraps.at(i);
        curve.first = full ? document.full_keys.size() : document.simple_keys.size();
        curve.count = static_cast<std::uint32_t>(keys.at(i).size());
        for (const FullKey& key : keys.at(i)) {
            if (full) {
                document.full_keys.push_back(key);
            } else {
                document.simple_keys.push_back({key.time, key.value});
            }
        }
    }
    add_markers(markers, document);
    return document;
}

}  // namespace animbridge::mrtk

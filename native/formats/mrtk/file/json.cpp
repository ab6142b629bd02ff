// SPDX-License-Identifier: MIT
#include "formats/mrtk/file/file.h"

#include <algorithm>
#include <limits>

namespace animbridge::mrtk::file {

namespace {

constexpr std::array<const char*, section_count> section_keys = {"camera", "hands", "gaze"};

Json key_json(const FullKey& key) {
    return Json::array({json_float(key.time), json_float(key.value), json_float(key.in_tangent),
                        json_float(key.out_tangent), json_float(key.in_weight), json_float(key.out_weight),
                        key.weighted_mode});
}

Json key_json(const SimpleKey& key) { return Json::array({json_float(key.time), json_float(key.value)}); }

template <typename Key>
Json keys_json(std::span<const Key> keys) {
    return list_json(keys, [](const Key& key) { return key_json(key); });
}

Json curve_json(const Document& document, std::size_t curve) {
    return {{"name", curve_name(curve)},
            {"pre_wrap", document.curves[curve].pre_wrap},
            {"post_wrap", document.curves[curve].post_wrap},
            {"keys", document.has_full_keys(curve) ? keys_json(document.full_keys_of(curve))
                                                   : keys_json(document.simple_keys_of(curve))}};
}

Json markers_json(const Document& document) {
    Json rows = Json::array();
    const std::vector<NamedMarker> named = named_markers(document);
    for (std::size_t i = 0; i < named.size(); ++i) {
        rows.push_back({{"seconds", json_float(named[i].time)},
                        {"name", json_text(named[i].name)},
                        {"length_bytes", document.markers[i].length_bytes}});
    }
    return rows;
}

Json sections_json(const Document& document) {
    Json sections = Json::object();
    for (std::size_t i = 0; i < section_count; ++i) {
        sections[section_keys.at(i)] = document.sections.at(i);
    }
    return sections;
}

/// The minor version.
Result<std::int32_t> version_from_json(const Json& value, const std::string& field) {
    if (value == "1.0" || value == "1.1") {
        return value == "1.1" ? 1 : 0;
    }
    return json_fail(field, value, "\"1.0\" or \"1.1\"");
}

Result<Layout> layout_from_json(const Json& value, const std::string& field) {
    for (const Layout layout :
         {Layout::specified, Layout::no_markers, Layout::wide_keys, Layout::wide_keys_no_markers}) {
        if (value == name_of(layout)) {
            return layout;
        }
    }
    return json_fail(field, value,
                     "\"specified\", \"no_markers\", \"wide_keys\" or \"wide_keys_no_markers\"");
}

using Sections = std::array<std::uint8_t, section_count>;

Result<Sections> sections_from_json(const Json& value, const std::string& field) {
    Sections sections{};
    ObjectReader reader(value, field);
    for (std::size_t i = 0; i < section_count; ++i) {
        reader.read_integer(section_keys.at(i), sections.at(i));
    }
    return reader.finish(sections);
}

/// The floats of a key's array, which has `count` numbers.
template <std::size_t floats>
Result<std::array<RawFloat, floats>> floats_from_json(const Json& value, std::size_t count,
                                                      const std::string& field) {
    if (!value.is_array() || value.size() != count) {
        return json_fail(field, value, "an array of " + std::to_string(count) + " numbers");
    }
    std::array<RawFloat, floats> numbers{};
    for (std::size_t i = 0; i < floats; ++i) {
        TRY(numbers.at(i), float_from_json(value[i], field));
    }
    return numbers;
}

Result<FullKey> full_key_from_json(const Json& value, const std::string& field) {
    TRY(const auto numbers, floats_from_json<6>(value, 7, field));
    TRY(const auto mode, integer_from_json(value[6], std::numeric_limits<std::int32_t>::min(),
                                           std::numeric_limits<std::int32_t>::max(), field));
    return FullKey{numbers[0],
                   numbers[1],
                   numbers[2],
                   numbers[3],
                   numbers[4],
                   numbers[5],
                   static_cast<std::int32_t>(mode)};
}

Result<SimpleKey> simple_key_from_json(const Json& value, const std::string& field) {
    TRY(const auto numbers, floats_from_json<2>(value, 2, field));
    return SimpleKey{numbers[0], numbers[1]};
}

/// Appends the keys that one curve has.
template <typename Key, typename Convert>
Result<void> append_keys(const Json& rows, const std::string& field, std::vector<Key>& keys, Curve& curve,
                         Convert convert) {
    constexpr auto most = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
    if (!rows.is_array() || rows.size() > most) {
        return json_fail(field, rows, "an array of keys");
    }
    curve.first = keys.size();
    curve.count = static_cast<std::uint32_t>(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        TRY(auto key, convert(rows[i], field + "[" + std::to_string(i) + "]"));
        keys.push_back(key);
    }
    return {};
}

Result<void> read_curve(const Json& json, const std::string& field, std::size_t index, Document& document) {
    Curve& curve = document.curves[index];
    ObjectReader reader(json, field);
    std::string name;
    bool done = false;
    reader.read("name", name, [&](const Json& value, const std::string& place) -> Result<std::string> {
        const std::string wanted = curve_name(index);
        return value == std::string_view(wanted) ? Result<std::string>(wanted)
                                                 : json_fail(place, value, "\"" + wanted + "\"");
    });
    reader.read_integer("pre_wrap", curve.pre_wrap);
    reader.read_integer("post_wrap", curve.post_wrap);
    reader.read("keys", done, [&](const Json& rows, const std::string& place) -> Result<bool> {
        return (document.has_full_keys(index)
                    ? append_keys(rows, place, document.full_keys, curve, full_key_from_json)
                    : append_keys(rows, place, document.simple_keys, curve, simple_key_from_json))
            .map([] { return true; });
    });
    return reader.finish();
}

/// The curves of the sections that the document has, in the order of the file.
Result<bool> read_curves(const Json& rows, const std::string& field, Document& document) {
    std::size_t stored = 0;
    for (std::size_t i = 0; i < curve_count; ++i) {
        stored += document.stores(i) ? 1 : 0;
    }
    if (!rows.is_array() || rows.size() != stored) {
        return json_fail(field, rows,
                         "an array of the " + std::to_string(stored) + " curves of the sections");
    }
    std::size_t row = 0;
    for (std::size_t i = 0; i < curve_count; ++i) {
        document.curves[i].first =
            document.has_full_keys(i) ? document.full_keys.size() : document.simple_keys.size();
        if (document.stores(i)) {
            TRY_VOID(read_curve(rows[row], field + "[" + std::to_string(row) + "]", i, document));
            ++row;
        }
    }
    return true;
}

Result<bool> read_marker(const Json& json, const std::string& field, Document& document) {
    Marker marker;
    std::string name;
    ObjectReader reader(json, field);
    reader.read_float("seconds", marker.time);
    reader.read("name", name, text_from_json);
    reader.read("length_bytes", marker.length_bytes,
                [&](const Json& value, const std::string& place) -> Result<std::uint8_t> {
                    TRY(const auto bytes, integer_from_json(value, length_bytes_of(name.size()), 5, place));
                    return static_cast<std::uint8_t>(bytes);
                });
    TRY_VOID(reader.finish());
    marker.name_bytes = static_cast<std::uint32_t>(name.size());
    document.marker_names += name;
    document.markers.push_back(marker);
    return true;
}

void read_markers(ObjectReader& reader, Document& document) {
    std::vector<bool> done;
    reader.read_array("markers", done, [&](const Json& marker, const std::string& place) {
        return read_marker(marker, place, document);
    });
}

/// Checks for content that a file of the version and layout cannot hold.
Result<void> check_consistency(const Document& document) {
    const bool is_one_zero_layout =
        document.layout == Layout::specified || document.layout == Layout::no_markers;
    if (!document.has_sections() && !is_one_zero_layout) {
        return json_fail("layout", Json(name_of(document.layout)),
                         "\"specified\" or \"no_markers\" in version 1.0");
    }
    if (!document.has_sections() && document.sections != Sections{1, 1, 0}) {
        return json_fail("sections", sections_json(document), "1, 1 and 0 in version 1.0");
    }
    return {};
}

/// If a reader guesses the layout, it must guess this one.
Result<Document> require_readable(Document document) {
    const auto again = read(write(document), Reading::lenient);
    if (!again || *again != document) {
        return json_fail("layout", Json(name_of(document.layout)),
                         "one that a reader recognises from the curves and the bytes after them");
    }
    return document;
}

}  // namespace

Json to_json(const Document& document) {
    Json curves = Json::array();
    for (std::size_t i = 0; i < curve_count; ++i) {
        if (document.stores(i)) {
            curves.push_back(curve_json(document, i));
        }
    }
    return {{"format", "mrtk"},
            {"version", version_text(document)},
            {"layout", name_of(document.layout)},
            {"sections", sections_json(document)},
            {"curves", std::move(curves)},
            {"markers", markers_json(document)},
            {"trailing_hex", hex_of(text_of(document.trailing))}};
}

Result<Document> from_json(const Json& json) {
    Document document;
    ObjectReader reader(json, "");
    bool done = false;
    reader.require("format", "mrtk");
    reader.read("version", document.minor, version_from_json);
    reader.read("layout", document.layout, layout_from_json);
    reader.read("sections", document.sections, sections_from_json);
    reader.read("curves", done, [&](const Json& rows, const std::string& field) -> Result<bool> {
        TRY_VOID(check_consistency(document));
        return read_curves(rows, field, document);
    });
    read_markers(reader, document);
    reader.read("trailing_hex", document.trailing, bytes_from_json);
    TRY_VOID(reader.finish());
    if (!document.has_marker_list() && !(document.markers.empty() && document.trailing.empty())) {
        return json_fail("markers", json["markers"],
                         "none, and no trailing bytes, in a layout without markers");
    }
    if (document.layout != Layout::specified || !document.trailing.empty()) {
        return require_readable(std::move(document));
    }
    return document;
}

}  // namespace animbridge::mrtk::file

// SPDX-License-Identifier: MIT
#include "formats/oban/file/file.h"

#include <algorithm>

namespace animbridge::oban::file {

namespace {

constexpr std::array<std::string_view, 3> container_names = {"raw", "oni", "xml"};

/// In the row of a key: the time, four for the rotation, three for the position.
constexpr std::size_t numbers_of_key = 8;

Json key_json(const Key& key) {
    return Json::array({key.time, json_float(key.rotation[0]), json_float(key.rotation[1]),
                        json_float(key.rotation[2]), json_float(key.rotation[3]), json_float(key.position[0]),
                        json_float(key.position[1]), json_float(key.position[2])});
}

std::string hex(ByteView bytes) { return hex_of(animbridge::text_of(bytes)); }

Result<Matrix> matrix_from_json(const Json& json, const std::string& place) {
    Matrix matrix{};
    if (!json.is_array() || json.size() != matrix.size()) {
        return json_fail(place, json, "an array of 12 numbers");
    }
    for (std::size_t i = 0; i < matrix.size(); ++i) {
        TRY(matrix.at(i), float_from_json(json[i], place));
    }
    return matrix;
}

Result<Key> key_from_json(const Json& json, const std::string& place) {
    if (!json.is_array() || json.size() != numbers_of_key) {
        return json_fail(place, json, "an array of 8 numbers: time, rotation x, y, z, w, position x, y, z");
    }
    Key key;
    TRY(const auto time, integer_from_json(json[0], INT32_MIN, INT32_MAX, place));
    key.time = static_cast<std::int32_t>(time);
    for (std::size_t i = 0; i + 1 < numbers_of_key; ++i) {
        TRY((i < 4 ? key.rotation.at(i) : key.position.at(i - 4)), float_from_json(json[i + 1], place));
    }
    return key;
}

Result<std::array<std::uint8_t, 12>> padding_from_json(const Json& json, const std::string& place) {
    std::array<std::uint8_t, 12> padding{};
    const auto bytes = bytes_from_json(json, place);
    if (!bytes || bytes->size() != padding.size()) {
        return json_fail(place, json, "a string of 24 hexadecimal digits");
    }
    std::ranges::copy(*bytes, padding.begin());
    return padding;
}

Json layout_json(const Document& document) {
    if (document.container != Container::oni) {
        return nullptr;
    }
    const auto made = new_oni(document.record, document.name);
    if (made && *made == document) {
        return "new";
    }
    return {{"before", hex(document.before)}, {"after", hex(document.after)}};
}

struct KeyLayout {
    bool is_new = false;
    Bytes before{};
    Bytes after{};
};

Result<KeyLayout> layout_from_json(const Json& json, const std::string& place) {
    if (json == "new") {
        return KeyLayout{true, {}, {}};
    }
    if (!json.is_object()) {
        return json_fail(place, json, "\"new\" or an object with the bytes before and after the record");
    }
    KeyLayout layout;
    ObjectReader reader(json, place);
    reader.read("before", layout.before, bytes_from_json);
    reader.read("after", layout.after, bytes_from_json);
    return reader.finish(std::move(layout));
}

/// Puts the layout around the record; read back, it must give the same document.
Result<Document> oni_from_json(Document document, const Json& json) {
    TRY(auto layout, layout_from_json(json, "layout"));
    if (layout.is_new) {
        const auto made = new_oni(document.record, document.name);
        if (!made || made->record != document.record || made->name != document.name) {
            return json_fail("layout", json,
                             "the bytes before and after the record: a new .oni has no such name or ids");
        }
        return *made;
    }
    document.before = std::move(layout.before);
    document.after = std::move(layout.after);
    const auto again = read_oni(write(document));
    if (!again || *again != document) {
        return json_fail("layout", json,
                         "bytes that make a .oni with this record and name" +
                             (again ? std::string() : ": " + again.error().message()));
    }
    return document;
}

}  // namespace

Json flag_names_json(std::uint32_t flags) {
    Json names = Json::array();
    for (std::size_t bit = 0; bit < flag_names.size(); ++bit) {
        if ((flags >> bit & 1U) != 0) {
            names.push_back(flag_names.at(bit));
        }
    }
    return names;
}

Result<std::uint32_t> flags_from_json(const Json& json, const std::string& place) {
    constexpr std::string_view allowed =
        "an array of NormalLoop, BackToBackLoop, RandomStartFrame, Autostart, ZAxisUp";
    if (!json.is_array()) {
        return json_fail(place, json, allowed);
    }
    std::uint32_t flags = 0;
    for (const Json& name : json) {
        const auto* const found =
            std::ranges::find_if(flag_names, [&](std::string_view known) { return name == known; });
        if (found == flag_names.end()) {
            return json_fail(place, name, allowed);
        }
        flags |= 1U << static_cast<unsigned>(found - flag_names.begin());
    }
    return flags;
}

std::string_view name_of(Container container) {
    return container_names.at(static_cast<std::size_t>(container));
}

Result<Container> container_from_json(const Json& json, const std::string& place) {
    const auto* const found =
        std::ranges::find_if(container_names, [&](std::string_view known) { return json == known; });
    return found == container_names.end()
               ? json_fail(place, json, "\"raw\", \"oni\" or \"xml\"")
               : Result<Container>(static_cast<Container>(found - container_names.begin()));
}

Json to_json(const Record& record) {
    return {{"res_id", record.res_id},
            {"lev_id", record.lev_id},
            {"padding_hex", hex(record.padding)},
            {"flags", flag_names_json(record.flags)},
            {"unknown_flags", record.flags & ~known_flags},
            {"frame_length", record.frame_length},
            {"frame_count", record.frame_count},
            {"half_stop_frame", record.half_stop_frame},
            {"initial_transform", list_json(record.initial, json_float)},
            {"base_transform", list_json(record.base, json_float)},
            {"keys", list_json(record.keys, key_json)},
            {"tail_hex", hex(record.tail)}};
}

Result<Record> record_from_json(const Json& json, const std::string& place) {
    Record record;
    std::uint32_t unknown = 0;
    ObjectReader reader(json, place);
    reader.read_integer("res_id", record.res_id);
    reader.read_integer("lev_id", record.lev_id);
    reader.read("padding_hex", record.padding, padding_from_json);
    reader.read("flags", record.flags, flags_from_json);
    reader.read_integer("unknown_flags", unknown);
    reader.read_integer("frame_length", record.frame_length);
    reader.read_integer("frame_count", record.frame_count);
    reader.read_integer("half_stop_frame", record.half_stop_frame);
    reader.read("initial_transform", record.initial, matrix_from_json);
    reader.read("base_transform", record.base, matrix_from_json);
    reader.read_array("keys", record.keys, key_from_json);
    reader.read("tail_hex", record.tail, bytes_from_json);
    TRY_VOID(reader.finish());
    if ((unknown & known_flags) != 0) {
        return json_fail(place + ".unknown_flags", Json(unknown), "bits that have no name: none below 32");
    }
    if (record.keys.size() > max_stored_keys) {
        return json_fail(place + ".keys", json["keys"],
                         "no more than " + std::to_string(max_stored_keys) + " rows");
    }
    record.flags |= unknown;
    return record;
}

Json to_json(const Document& document) {
    return {{"format", "oban"},
            {"container", name_of(document.container)},
            {"name", json_text(document.name)},
            {"layout", layout_json(document)},
            {"record", to_json(document.record)}};
}

Result<Document> from_json(const Json& json) {
    Document document;
    Json layout;
    ObjectReader reader(json, "");
    reader.require("format", "oban");
    reader.read("container", document.container, container_from_json);
    reader.read("name", document.name, text_from_json);
    reader.read("layout", layout, [](const Json& value, const std::string&) { return Result<Json>(value); });
    reader.read("record", document.record, record_from_json);
    TRY_VOID(reader.finish());
    if (document.container == Container::oni) {
        return oni_from_json(std::move(document), layout);
    }
    if (document.container == Container::xml &&
        (!left_out_of_xml(document.record).empty() || document.record.keys.size() > max_keys)) {
        return json_fail("container", json["container"], "\"raw\" or \"oni\": XML cannot hold this record");
    }
    if (!layout.is_null()) {
        return json_fail("layout", layout, R"(null if the container is not "oni")");
    }
    return document;
}

}  // namespace animbridge::oban::file

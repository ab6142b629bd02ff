// SPDX-License-Identifier: MIT
#include "formats/sl_pose/file/write.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace animbridge::sl_pose::file {

namespace {

constexpr std::array<std::string_view, 8> tag_names = {"undef",  "boolean", "integer", "real",
                                                       "string", "binary",  "array",   "map"};
constexpr std::array<std::string_view, 3> layout_names = {"pretty", "lines", "text"};
/// A member of this name is an integer in JSON.
constexpr std::string_view integer_key = "integer";

void add_escaped(std::string& out, std::string_view text) {
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '\'':
                out += "&apos;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                out += c;
        }
    }
}

/// Writes values as lines, or all in one.
class ValueWriter {
public:
    ValueWriter(std::string& out, bool is_pretty) : out_(out), is_pretty_(is_pretty) {}

    void add(const Value& value, int level) {
        const std::string_view tag = tag_names.at(static_cast<std::size_t>(value.kind));
        begin_line(level);
        const bool is_container = value.kind == Kind::map || value.kind == Kind::array;
        if (is_container ? value.items.empty() : value.text.empty()) {
            out_ += "<" + std::string(tag) + " />";
            end_line();
            return;
        }
        out_ += "<" + std::string(tag) + ">";
        if (is_container) {
            end_line();
            add_items(value, level);
            begin_line(level);
        } else {
            add_escaped(out_, value.text);
        }
        out_ += "</" + std::string(tag) + ">";
        end_line();
    }
    void begin_line(int level) {
        constexpr std::size_t blanks = 4;
        out_.append(is_pretty_ ? blanks * static_cast<std::size_t>(level) : 0, ' ');
    }
    void end_line() { out_ += is_pretty_ ? "\n" : ""; }

private:
    void add_items(const Value& value, int level) {
        for (std::size_t i = 0; i < value.items.size(); ++i) {
            if (value.kind == Kind::map) {
                begin_line(level);
                out_ += "<key>";
                add_escaped(out_, value.keys[i]);
                out_ += "</key>";
                end_line();
            }
            add(value.items[i], level + 1);
        }
    }

    std::string& out_;
    bool is_pretty_;
};

/// Whether XML can hold the text: a reader changes or refuses control characters.
bool is_clean(std::string_view text) {
    return is_utf8(text) && std::ranges::none_of(text, [](char c) {
               return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n') || c == '\x7f';
           });
}

Json json_of(const Value& value) {
    switch (value.kind) {
        case Kind::boolean:
            return boolean_of(&value);
        case Kind::integer:
            return {{integer_key, integer_of(&value)}};
        case Kind::real:
            return json_float(RawFloat(static_cast<float>(real_of(&value))));
        case Kind::array:
            return list_json(value.items, json_of);
        case Kind::map: {
            Json map = Json::object();
            for (std::size_t i = 0; i < value.items.size(); ++i) {
                map.append_member(value.keys[i], json_of(value.items[i]));
            }
            return map;
        }
        default:
            return value.text;
    }
}

Result<Value> value_from(const Json& json, const std::string& field) {
    constexpr std::string_view allowed =
        "true, false, a number, text without control characters, an array, or an object";
    if (json.is_boolean()) {
        return boolean(json.get<bool>());
    }
    if (json.is_number()) {
        return float_from_json(json, field).map([](RawFloat number) { return real(number.value()); });
    }
    if (json.is_string()) {
        return is_clean(json.get<std::string_view>()) ? Result<Value>(string(json.get<std::string>()))
                                                      : json_fail(field, json, allowed);
    }
    if (json.is_array()) {
        Value array{Kind::array};
        for (std::size_t i = 0; i < json.size(); ++i) {
            TRY(auto item, value_from(json[i], field + "[" + std::to_string(i) + "]"));
            array.items.push_back(std::move(item));
        }
        return array;
    }
    if (!json.is_object()) {
        return json_fail(field, json, allowed);
    }
    if (json.size() == 1 && json.contains(integer_key)) {
        return integer_from_json(json[integer_key], std::numeric_limits<std::int32_t>::min(),
                                 std::numeric_limits<std::int32_t>::max(), field + ".integer")
            .map([](std::int64_t number) { return integer(static_cast<std::int32_t>(number)); });
    }
    Value map{Kind::map};
    for (const auto& [key, member] : json.items()) {
        if (key.empty() || !is_clean(key)) {
            return json_fail(field, key, "keys that are text without control characters");
        }
        TRY(auto value, value_from(member, field + "." + std::string(key)));
        put(map, std::string(key), std::move(value));
    }
    return map;
}

}  // namespace

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

bool is_plain(const Value& value, int levels) {
    switch (value.kind) {
        case Kind::undefined:
        case Kind::other:
            return false;
        case Kind::boolean:
            return value.text == "1" || value.text == "0";
        case Kind::integer:
            return value.text == integer(integer_of(&value)).text;
        case Kind::real: {
            const auto number = static_cast<float>(real_of(&value));
            return std::isfinite(number) && value.text == real(number).text;
        }
        case Kind::string:
            return is_clean(value.text);
        case Kind::array:
        case Kind::map:
            break;
    }
    const std::set<std::string_view> names(value.keys.begin(), value.keys.end());
    return levels > 0 && names.size() == value.keys.size() && !names.contains(integer_key) &&
           std::ranges::all_of(value.keys, is_clean) &&
           std::ranges::all_of(value.items, [&](const Value& item) { return is_plain(item, levels - 1); });
}

std::string text_for(const std::vector<Value>& documents, Layout layout) {
    const bool is_pretty = layout == Layout::pretty;
    std::string text;
    ValueWriter writer(text, is_pretty);
    for (const Value& document : documents) {
        text += "<llsd>";
        writer.end_line();
        writer.add(document, 1);
        text += "</llsd>\n";
    }
    return text;
}

Bytes write(const Document& document) {
    const std::string made =
        document.layout == Layout::text ? document.text : text_for(document.documents, document.layout);
    const ByteView bytes = view_of(made);
    return {bytes.begin(), bytes.end()};
}

Document made(std::vector<Value> documents, Layout layout) { return {layout, std::move(documents)}; }

Document remade(const Document& old, std::vector<Value> documents) {
    if (old.layout != Layout::text) {
        return made(std::move(documents), old.layout);
    }
    const bool is_lines =
        old.text.find("<llsd>\n") == std::string::npos && old.text.find("<llsd>\r\n") == std::string::npos;
    std::string text = old.text.substr(0, old.text.find("<llsd"));
    const bool has_returns = old.text.find("\r\n") != std::string::npos;
    for (const char c : text_for(documents, is_lines ? Layout::lines : Layout::pretty)) {
        text += c == '\n' && has_returns ? "\r\n" : std::string(1, c);
    }
    auto changed = read(view_of(text));
    return changed ? *std::move(changed) : made(std::move(documents));
}

Json to_json(const Document& document) {
    const bool is_text = document.layout == Layout::text;
    return {{"format", "sl_pose"},
            {"layout", layout_names.at(static_cast<std::size_t>(document.layout))},
            {"text", is_text ? Json(document.text) : Json()},
            {"documents", is_text ? Json() : list_json(document.documents, json_of)}};
}

Result<Document> from_json(const Json& json) {
    ObjectReader reader(json, "");
    std::string layout;
    std::string text;
    std::vector<Value> documents;
    reader.require("format", "sl_pose");
    reader.read_text("layout", layout);
    const bool is_text = layout == layout_names.back();
    const auto absent = [](const Json& value, const std::string& field) -> Result<bool> {
        return value.is_null() ? Result<bool>(true)
                               : json_fail(field, value, "null: either the text or the documents");
    };
    bool is_absent = false;
    if (is_text) {
        reader.read_text("text", text);
        reader.read("documents", is_absent, absent);
    } else {
        reader.read("text", is_absent, absent);
        reader.read_array("documents", documents, value_from);
    }
    TRY_VOID(reader.finish());
    const auto known = value_named<Layout>(layout_names, layout);
    if (!known) {
        return json_fail("layout", layout, "pretty, lines or text");
    }
    return is_text ? read(view_of(text)) : read(write(made(std::move(documents), *known)));
}

}  // namespace animbridge::sl_pose::file

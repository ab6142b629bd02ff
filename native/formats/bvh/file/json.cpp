// SPDX-License-Identifier: MIT
#include "formats/bvh/file/file.h"

#include <limits>

namespace animbridge::bvh::file {

namespace {

Json joint_json(const Joint& joint) {
    return {{"name", json_text(joint.name)},
            {"parent", joint.parent},
            {"offset", joint.offset},
            {"channels", list_json(joint.channels, [](ChannelKind kind) { return name_of(kind); })},
            {"end_sites", list_json(joint.end_sites, [](const EndSite& site) -> Json {
                 return {{"name", json_text(site.name)}, {"offset", site.offset}};
             })}};
}

/// The path of a value in the document, such as "joints[3].offset", for error messages.
using Place = std::string;

/// Requires exactly these members.
Result<void> require_members(const Json& object, std::initializer_list<const char*> names,
                             const Place& place) {
    if (!object.is_object()) {
        return json_fail(place, object, "an object");
    }
    for (const char* name : names) {
        if (!object.contains(name)) {
            return json_fail(place, object, std::string("an object with the member ") + name);
        }
    }
    if (object.size() != names.size()) {
        return json_fail(
            place, object,
            "an object of exactly the " + std::to_string(names.size()) + " members of the schema");
    }
    return {};
}

/// Converts each element of an array with `convert(element, place) -> Result<T>`.
template <typename T, typename Convert>
Result<std::vector<T>> list_from_json(const Json& array, const Place& place, Convert&& convert) {
    if (!array.is_array()) {
        return json_fail(place, array, "an array");
    }
    std::vector<T> values;
    values.reserve(array.size());
    for (const Json& element : array) {
        TRY(auto value, convert(element, place + "[" + std::to_string(values.size()) + "]"));
        values.push_back(std::move(value));
    }
    return values;
}

Result<Offset> offset_from_json(const Json& value, const Place& place) {
    if (!value.is_array() || value.size() != 3) {
        return json_fail(place, value, "an array of 3 numbers");
    }
    Offset offset{};
    for (std::size_t i = 0; i < offset.size(); ++i) {
        TRY(offset.at(i), number_from_json(value[i], place));
    }
    return offset;
}

/// Whether the name reads back when it is written after a keyword.
bool can_stand_in_a_line(std::string_view name) {
    return name.find_first_of(std::string_view("\n\r\0", 3)) == std::string_view::npos &&
           name_in(name) == name;
}

Result<std::string> name_from_json(const Json& value, const Place& place) {
    auto name = text_from_json(value, place);
    if (name && !can_stand_in_a_line(*name)) {
        return json_fail(
            place, value,
            "a name without line ends, NULs, blanks around it, or a { as a word of its own or at the end");
    }
    return name;
}

Result<ChannelKind> channel_from_json(const Json& value, const Place& place) {
    const auto kind = value.is_string() ? channel_kind_named(value.get<std::string_view>()) : std::nullopt;
    return kind ? Result<ChannelKind>(*kind)
                : Result<ChannelKind>(json_fail(place, value, "Xposition, Yrotation, Zscale or the like"));
}

Result<EndSite> end_site_from_json(const Json& json, const Place& place) {
    TRY_VOID(require_members(json, {"name", "offset"}, place));
    TRY(auto name, name_from_json(json["name"], place + ".name"));
    TRY(const auto offset, offset_from_json(json["offset"], place + ".offset"));
    return EndSite{std::move(name), offset};
}

/// Null, or a joint whose block is still open: the list must be depth first.
Result<std::optional<std::size_t>> parent_from_json(const Json& value, const Place& place,
                                                    std::vector<std::size_t>& open) {
    if (value.is_null()) {
        open.clear();
        return std::nullopt;
    }
    TRY(const auto index, integer_from_json(value, 0, std::numeric_limits<std::int64_t>::max(), place));
    while (!open.empty() && open.back() != static_cast<std::size_t>(index)) {
        open.pop_back();
    }
    if (open.empty()) {
        return json_fail(place, value,
                         "null, the joint before or one above it: joints are listed depth first");
    }
    if (open.size() >= max_depth) {
        return json_fail(place, value, "nesting of no more than " + std::to_string(max_depth) + " joints");
    }
    return static_cast<std::size_t>(index);
}

Result<Joint> joint_from_json(const Json& json, const Place& place, std::vector<std::size_t>& open,
                              std::size_t index) {
    TRY_VOID(require_members(json, {"name", "parent", "offset", "channels", "end_sites"}, place));
    TRY(auto name, name_from_json(json["name"], place + ".name"));
    TRY(const auto parent, parent_from_json(json["parent"], place + ".parent", open));
    TRY(const auto offset, offset_from_json(json["offset"], place + ".offset"));
    TRY(auto channels, list_from_json<ChannelKind>(json["channels"], place + ".channels", channel_from_json));
    TRY(auto sites, list_from_json<EndSite>(json["end_sites"], place + ".end_sites", end_site_from_json));
    if (channels.size() > max_joint_channels) {
        return json_fail(place + ".channels", json["channels"], "no more than 9 channels");
    }
    open.push_back(index);
    return Joint{std::move(name), parent, offset, std::move(channels), std::move(sites)};
}

Result<Note> note_from_json(const Json& json, const Place& place) {
    TRY_VOID(require_members(json, {"rule", "line", "found"}, place));
    TRY(auto rule, text_from_json(json["rule"], place + ".rule"));
    TRY(const auto line,
        integer_from_json(json["line"], -1, std::numeric_limits<std::int64_t>::max(), place + ".line"));
    TRY(auto found, text_from_json(json["found"], place + ".found"));
    return Note{std::move(rule), line, std::move(found)};
}

Place row_place(std::size_t frame) { return "motion[" + std::to_string(frame) + "]"; }

Result<void> read_motion(const Json& rows, Document& document) {
    if (!rows.is_array() || rows.size() != document.frame_count) {
        return json_fail(
            "motion", rows,
            "an array of " + std::to_string(document.frame_count) + " rows, as frame_count says");
    }
    const std::size_t width = document.channel_count();
    // Check all rows first: then the reserved memory is bounded by the text's size.
    for (std::size_t frame = 0; frame < rows.size(); ++frame) {
        if (!rows[frame].is_array() || rows[frame].size() != width) {
            return json_fail(row_place(frame), rows[frame],
                             "an array of " + std::to_string(width) + " numbers");
        }
    }
    document.motion.reserve(rows.size() * width);
    for (std::size_t frame = 0; frame < rows.size(); ++frame) {
        for (const Json& value : rows[frame]) {
            const auto number = number_from_json(value, "");
            if (!number) {
                return json_fail(row_place(frame), value, "a finite number");
            }
            document.motion.push_back(*number);
        }
    }
    return {};
}

}  // namespace

Json to_json(const Document& document) {
    Json rows = Json::array();
    rows.reserve(document.frame_count);
    for (std::size_t frame = 0; frame < document.frame_count; ++frame) {
        rows.push_back(document.frame(frame));
    }
    return {
        {"format", "bvh"},
        {"joints", list_json(document.joints, joint_json)},
        {"frame_time_seconds", document.frame_time_seconds},
        {"frame_count", document.frame_count},
        {"motion", std::move(rows)},
        {"notes", list_json(document.notes, [](const Note& note) -> Json {
             return {{"rule", json_text(note.rule)}, {"line", note.line}, {"found", json_text(note.found)}};
         })}};
}

Result<Document> from_json(const Json& json) {
    TRY_VOID(require_members(
        json, {"format", "joints", "frame_time_seconds", "frame_count", "motion", "notes"}, ""));
    if (json["format"] != "bvh") {
        return json_fail("format", json["format"], "\"bvh\"");
    }
    std::vector<std::size_t> open;
    std::size_t index = 0;
    TRY(auto joints,
        list_from_json<Joint>(json["joints"], "joints", [&](const Json& joint, const Place& place) {
            return joint_from_json(joint, place, open, index++);
        }));
    TRY(const auto frame_time, number_from_json(json["frame_time_seconds"], "frame_time_seconds"));
    TRY(const auto frame_count,
        integer_from_json(json["frame_count"], 0, std::numeric_limits<std::int64_t>::max(), "frame_count"));
    TRY(auto notes, list_from_json<Note>(json["notes"], "notes", note_from_json));
    Document document{
        std::move(joints), frame_time, static_cast<std::size_t>(frame_count), {}, std::move(notes)};
    return read_motion(json["motion"], document).map([&] { return std::move(document); });
}

}  // namespace animbridge::bvh::file

// SPDX-License-Identifier: MIT
#include "formats/scene_file/file/file.h"

#include <limits>

#include "model/findings/findings.h"

namespace animbridge::scene_file::file {

namespace {

Json placement_json(const Placement& placement) {
    return {{"translation", vector_json(placement.translation)},
            {"rotation_wxyz", quaternion_json(placement.rotation)},
            {"scale", vector_json(placement.scale)}};
}

template <std::size_t count, typename Enum>
Json name_json(const std::array<std::string_view, count>& names, Enum value) {
    return names.at(static_cast<std::size_t>(value));
}

Json node_json(const Node& node) {
    return {{"name", json_text(node.name)},
            {"parent", node.parent},
            {"rest", placement_json(node.rest)},
            {"role", name_json(role_names, node.role)},
            {"is_skinned", node.is_skinned},
            {"bind_world", node.bind_world ? placement_json(*node.bind_world) : Json(nullptr)}};
}

Json channel_json(const Channel& channel) {
    return {{"node", channel.node},
            {"target", name_json(target_names, channel.target)},
            {"interpolation", name_json(key_kind_names, channel.kind)},
            {"times_seconds", channel.times_seconds},
            {"values", channel.values},
            {"tangents", channel.tangents}};
}

Json animation_json(const Animation& animation) {
    return {{"name", json_text(animation.name)},
            {"duration_seconds", animation.duration_seconds},
            {"channels", list_json(animation.channels, channel_json)}};
}

Json space_json(const Space& space) {
    return {{"up", name_json(axis_names, space.up)},
            {"front", name_json(axis_names, space.front)},
            {"metres_per_unit", space.metres_per_unit},
            {"says_axes", space.says_axes},
            {"says_unit", space.says_unit}};
}

}  // namespace

std::uint64_t json_bytes(const Document& document) {
    // A sign, 17 digits, a point, an exponent, and a comma with a space.
    constexpr std::uint64_t longest_number = 26;
    std::uint64_t numbers = 0;
    for (const Animation& animation : document.animations) {
        for (const Channel& channel : animation.channels) {
            numbers += channel.times_seconds.size() + channel.values.size() + channel.tangents.size();
        }
    }
    return numbers * (sizeof(Json) + longest_number);
}

Json to_json(const Document& document) {
    return {{"format", "scene"},
            {"loader", json_text(document.loader)},
            {"program", json_text(document.program)},
            {"generator", json_text(document.generator)},
            {"human_format", json_text(document.human_format)},
            {"space", space_json(document.space)},
            {"frames_per_second", document.frames_per_second},
            {"nodes", list_json(document.nodes, node_json)},
            {"cameras", list_json(document.cameras,
                                  [](const Camera& camera) {
                                      return Json{
                                          {"node", camera.node},
                                          {"horizontal_field_degrees", camera.horizontal_field_degrees}};
                                  })},
            {"animations", list_json(document.animations, animation_json)},
            {"human_bones", list_json(document.human_bones,
                                      [](const HumanBone& bone) {
                                          return Json{{"slot", json_text(bone.slot)}, {"node", bone.node}};
                                      })},
            {"notes", list_json(document.notes, [](const Note& note) {
                 return Json{{"kind", name_json(note_names, note.kind)},
                             {"node", note.node},
                             {"count", note.count},
                             {"text", json_text(note.text)}};
             })}};
}

namespace {

Result<bool> flag_from(const Json& value, const std::string& field) {
    return value.is_boolean() ? Result<bool>(value.get<bool>())
                              : Result<bool>(json_fail(field, value, "true or false"));
}

/// Any bytes; a name may even contain a NUL.
Result<std::string> text(const Json& value, const std::string& field) { return text_from_json(value, field); }

Result<std::vector<double>> numbers_from(const Json& array, const std::string& field) {
    if (!array.is_array()) {
        return json_fail(field, array, "an array of numbers");
    }
    std::vector<double> numbers;
    numbers.reserve(array.size());
    for (const Json& value : array) {
        TRY(const double number, number_from_json(value, field));
        numbers.push_back(number);
    }
    return numbers;
}

/// Reads exactly `count` numbers.
Result<std::vector<double>> row_from(const Json& array, std::size_t count, const std::string& field) {
    if (!array.is_array() || array.size() != count) {
        return json_fail(field, array, "an array of " + std::to_string(count) + " numbers");
    }
    return numbers_from(array, field);
}

Result<glm::dvec3> vector_from(const Json& array, const std::string& field) {
    return row_from(array, 3, field).map([](const std::vector<double>& row) {
        return glm::dvec3(row[0], row[1], row[2]);
    });
}

Result<glm::dquat> rotation_from(const Json& array, const std::string& field) {
    return row_from(array, 4, field).map([](const std::vector<double>& row) {
        return glm::dquat(row[0], row[1], row[2], row[3]);
    });
}

/// An enum by its name.
template <typename Enum, std::size_t count>
auto choice_from(const std::array<std::string_view, count>& names) {
    return [&names](const Json& value, const std::string& field) -> Result<Enum> {
        const auto index =
            value.is_string() ? index_of_name(names, value.get<std::string_view>()) : std::nullopt;
        if (!index) {
            std::string allowed;
            for (const std::string_view name : names) {
                allowed += (allowed.empty() ? "" : ", ") + std::string(name);
            }
            return json_fail(field, value, allowed);
        }
        return static_cast<Enum>(*index);
    };
}

Result<Placement> placement_from(const Json& json, const std::string& field) {
    Placement placement;
    ObjectReader reader(json, field);
    reader.read("translation", placement.translation, vector_from);
    reader.read("rotation_wxyz", placement.rotation, rotation_from);
    reader.read("scale", placement.scale, vector_from);
    return reader.finish(placement);
}

Result<std::optional<std::uint32_t>> index_or_null(const Json& value, const std::string& field) {
    if (value.is_null()) {
        return std::nullopt;
    }
    return integer_from_json(value, 0, std::numeric_limits<std::uint32_t>::max(), field)
        .map([](std::int64_t index) { return std::optional(static_cast<std::uint32_t>(index)); });
}

Result<Node> node_from(const Json& json, const std::string& field) {
    Node node;
    ObjectReader reader(json, field);
    reader.read("name", node.name, text);
    reader.read("parent", node.parent, index_or_null);
    reader.read("rest", node.rest, placement_from);
    reader.read("role", node.role, choice_from<NodeRole>(role_names));
    reader.read("is_skinned", node.is_skinned, flag_from);
    reader.read("bind_world", node.bind_world,
                [](const Json& value, const std::string& place) -> Result<std::optional<Placement>> {
                    if (value.is_null()) {
                        return std::nullopt;
                    }
                    return placement_from(value, place).map([](const Placement& bind) {
                        return std::optional(bind);
                    });
                });
    return reader.finish(std::move(node));
}

Result<Channel> channel_from(const Json& json, const std::string& field) {
    Channel channel;
    ObjectReader reader(json, field);
    reader.read_integer("node", channel.node);
    reader.read("target", channel.target, choice_from<Target>(target_names));
    reader.read("interpolation", channel.kind, choice_from<KeyKind>(key_kind_names));
    reader.read("times_seconds", channel.times_seconds.edit(), numbers_from);
    reader.read("values", channel.values.edit(), numbers_from);
    reader.read("tangents", channel.tangents.edit(), numbers_from);
    return reader.finish(std::move(channel));
}

Result<Animation> animation_from(const Json& json, const std::string& field) {
    Animation animation;
    ObjectReader reader(json, field);
    reader.read("name", animation.name, text);
    reader.read("duration_seconds", animation.duration_seconds, number_from_json);
    reader.read_array("channels", animation.channels, channel_from);
    return reader.finish(std::move(animation));
}

Result<Space> space_from(const Json& json, const std::string& field) {
    Space space;
    ObjectReader reader(json, field);
    reader.read("up", space.up, choice_from<Axis>(axis_names));
    reader.read("front", space.front, choice_from<Axis>(axis_names));
    reader.read("metres_per_unit", space.metres_per_unit, number_from_json);
    reader.read("says_axes", space.says_axes, flag_from);
    reader.read("says_unit", space.says_unit, flag_from);
    return reader.finish(space);
}

Result<Camera> camera_from(const Json& json, const std::string& field) {
    Camera camera;
    ObjectReader reader(json, field);
    reader.read_integer("node", camera.node);
    reader.read("horizontal_field_degrees", camera.horizontal_field_degrees, number_from_json);
    return reader.finish(camera);
}

Result<HumanBone> human_bone_from(const Json& json, const std::string& field) {
    HumanBone bone;
    ObjectReader reader(json, field);
    reader.read("slot", bone.slot, text);
    reader.read_integer("node", bone.node);
    return reader.finish(std::move(bone));
}

Result<Note> note_from(const Json& json, const std::string& field) {
    Note note;
    ObjectReader reader(json, field);
    reader.read("kind", note.kind, choice_from<NoteKind>(note_names));
    reader.read("node", note.node, index_or_null);
    reader.read("count", note.count, [](const Json& value, const std::string& place) {
        return integer_from_json(value, 0, std::numeric_limits<std::int64_t>::max(), place)
            .map([](std::int64_t count) { return static_cast<std::uint64_t>(count); });
    });
    reader.read("text", note.text, text);
    return reader.finish(std::move(note));
}

}  // namespace

Result<Document> from_json(const Json& json) {
    Document document;
    ObjectReader reader(json, "");
    reader.require("format", "scene");
    reader.read("loader", document.loader, text);
    reader.read("program", document.program, text);
    reader.read("generator", document.generator, text);
    reader.read("human_format", document.human_format, text);
    reader.read("space", document.space, space_from);
    reader.read("frames_per_second", document.frames_per_second, number_from_json);
    reader.read_array("nodes", document.nodes, node_from);
    reader.read_array("cameras", document.cameras, camera_from);
    reader.read_array("animations", document.animations, animation_from);
    reader.read_array("human_bones", document.human_bones, human_bone_from);
    reader.read_array("notes", document.notes, note_from);
    TRY_VOID(reader.finish());
    return validate(document).map([&] { return std::move(document); });
}

}  // namespace animbridge::scene_file::file

// SPDX-License-Identifier: MIT
#include "formats/scene/json.h"

#include <limits>
#include <span>

#include "formats/scene/names.h"
#include "model/findings/findings.h"

namespace animbridge::scene {

namespace {

Json placement_json(const Placement& placement) {
    return {{"translation", vector_json(placement.translation)},
            {"rotation_wxyz", quaternion_json(placement.rotation)},
            {"scale", vector_json(placement.scale)}};
}

Json numbers_json(const std::vector<double>& numbers) {
    Json array = Json::array();
    array.reserve(numbers.size());
    for (const double number : numbers) {
        array.push_back(number);
    }
    return array;
}

template <typename T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

template <typename Items, typename Convert>
Json list_json(const Items& items, Convert convert) {
    Json array = Json::array();
    array.reserve(items.size());
    for (const auto& item : items) {
        array.push_back(convert(item));
    }
    return array;
}

template <std::size_t count, typename Enum>
Json name_json(const std::array<std::string_view, count>& names, Enum value) {
    return names.at(static_cast<std::size_t>(value));
}

Json node_json(const Node& node) {
    return {{"name", json_text(node.name)},
            {"parent", or_null(node.parent)},
            {"rest", placement_json(node.rest)},
            {"role", name_json(role_names, node.role)},
            {"is_skinned", node.is_skinned},
            {"bind_world", node.bind_world ? placement_json(*node.bind_world) : Json(nullptr)}};
}

Json channel_json(const Channel& channel) {
    return {{"node", channel.node},
            {"target", name_json(target_names, channel.target)},
            {"interpolation", name_json(key_kind_names, channel.kind)},
            {"times_seconds", numbers_json(channel.times_seconds)},
            {"values", numbers_json(channel.values)},
            {"tangents", numbers_json(channel.tangents)}};
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
                             {"node", or_null(note.node)},
                             {"count", note.count},
                             {"text", json_text(note.text)}};
             })}};
}

}  // namespace animbridge::scene

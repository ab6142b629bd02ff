// SPDX-License-Identifier: MIT
#include "formats/sl_anim/file/file.h"

#include <algorithm>

namespace animbridge::sl_anim::file {

namespace {

void write_keys(ByteWriter& writer, const KeyList& keys) {
    writer.write(static_cast<std::int32_t>(key_count(keys)));
    writer.write_array(std::span(keys.coded));
    writer.write_array(std::span(keys.legacy));
}

void write_constraint(ByteWriter& writer, const Constraint& constraint) {
    writer.write(constraint.chain_length);
    writer.write(constraint.type);
    writer.write(constraint.source_volume);
    writer.write(constraint.source_offset);
    writer.write(constraint.target_volume);
    writer.write(constraint.target_offset);
    writer.write(constraint.target_dir);
    writer.write(constraint.ease_in_start);
    writer.write(constraint.ease_in_stop);
    writer.write(constraint.ease_out_start);
    writer.write(constraint.ease_out_stop);
}

}  // namespace

Bytes write(const Document& document) {
    ByteWriter writer(file_bytes(document));
    const bool coded = document.version == Version::coded;
    writer.write(static_cast<std::uint16_t>(coded ? 1 : 0));
    writer.write(static_cast<std::uint16_t>(coded ? 0 : 1));
    writer.write(document.base_priority);
    writer.write(document.duration);
    writer.write_c_string(document.emote_name);
    writer.write(document.loop_in_point);
    writer.write(document.loop_out_point);
    writer.write(document.loop);
    writer.write(document.ease_in_duration);
    writer.write(document.ease_out_duration);
    writer.write(document.hand_pose);
    writer.write(static_cast<std::uint32_t>(document.joints.size()));
    for (const Joint& joint : document.joints) {
        writer.write_c_string(joint.name);
        writer.write(joint.priority);
        write_keys(writer, joint.rotation);
        write_keys(writer, joint.position);
    }
    writer.write(document.constraint_count);
    for (const Constraint& constraint : document.constraints) {
        write_constraint(writer, constraint);
    }
    writer.write_array(std::span(document.trailing));
    return writer.take();
}

namespace {

Json vector_json(const RawVector& v) {
    return Json::array({json_float(v[0]), json_float(v[1]), json_float(v[2])});
}

Json key_json(const CodedKey& key) { return Json::array({key.time, key.xyz[0], key.xyz[1], key.xyz[2]}); }

Json key_json(const LegacyKey& key) {
    return Json::array({json_float(key.time_seconds), json_float(key.xyz[0]), json_float(key.xyz[1]),
                        json_float(key.xyz[2])});
}

Json keys_json(const KeyList& keys) {
    Json rows = Json::array();
    rows.reserve(keys.coded.size() + keys.legacy.size());
    const auto append = [&](const auto& list) {
        for (const auto& key : list) {
            rows.push_back(key_json(key));
        }
    };
    append(keys.coded);
    append(keys.legacy);
    return rows;
}

Json constraint_json(const Constraint& constraint) {
    const auto name = [](const VolumeName& raw) { return json_text({raw.data(), raw.size()}); };
    return {{"chain_length", constraint.chain_length},
            {"type", constraint.type},
            {"source_volume", name(constraint.source_volume)},
            {"source_offset", vector_json(constraint.source_offset)},
            {"target_volume", name(constraint.target_volume)},
            {"target_offset", vector_json(constraint.target_offset)},
            {"target_dir", vector_json(constraint.target_dir)},
            {"ease_in_start", json_float(constraint.ease_in_start)},
            {"ease_in_stop", json_float(constraint.ease_in_stop)},
            {"ease_out_start", json_float(constraint.ease_out_start)},
            {"ease_out_stop", json_float(constraint.ease_out_stop)}};
}

Result<RawVector> vector_from_json(const Json& value, const std::string& field) {
    if (!value.is_array() || value.size() != 3) {
        return json_fail(field, value, "an array of 3 numbers");
    }
    RawVector vector;
    for (std::size_t i = 0; i < 3; ++i) {
        TRY(vector[i], float_from_json(value[i], field));
    }
    return vector;
}

Result<VolumeName> volume_from_json(const Json& value, const std::string& field) {
    TRY(const auto text, text_from_json(value, field));
    VolumeName name{};
    if (text.size() != name.size()) {
        return json_fail(field, value, "exactly 16 bytes, NULs included");
    }
    std::ranges::copy(text, name.begin());
    return name;
}

Result<Constraint> constraint_from_json(const Json& json, const std::string& place) {
    Constraint constraint;
    ObjectReader reader(json, place);
    reader.read_integer("chain_length", constraint.chain_length);
    reader.read_integer("type", constraint.type);
    reader.read("source_volume", constraint.source_volume, volume_from_json);
    reader.read("source_offset", constraint.source_offset, vector_from_json);
    reader.read("target_volume", constraint.target_volume, volume_from_json);
    reader.read("target_offset", constraint.target_offset, vector_from_json);
    reader.read("target_dir", constraint.target_dir, vector_from_json);
    reader.read_float("ease_in_start", constraint.ease_in_start);
    reader.read_float("ease_in_stop", constraint.ease_in_stop);
    reader.read_float("ease_out_start", constraint.ease_out_start);
    reader.read_float("ease_out_stop", constraint.ease_out_stop);
    return reader.finish(std::move(constraint));
}

Result<CodedKey> coded_key_from_json(const Json& value, const std::string& field) {
    std::array<std::uint16_t, 4> codes{};
    const bool fits = value.is_array() && value.size() == codes.size();
    for (std::size_t i = 0; fits && i < codes.size(); ++i) {
        TRY(auto code, integer_from_json(value[i], 0, 65535, field));
        codes.at(i) = static_cast<std::uint16_t>(code);
    }
    if (!fits) {
        return json_fail(field, value, "an array of 4 codes: time, x, y, z");
    }
    return CodedKey{codes[0], {codes[1], codes[2], codes[3]}};
}

Result<LegacyKey> legacy_key_from_json(const Json& value, const std::string& field) {
    if (!value.is_array() || value.size() != 4) {
        return json_fail(field, value, "an array of 4 numbers: seconds, x, y, z");
    }
    TRY(const auto time, float_from_json(value[0], field));
    TRY(const auto xyz, vector_from_json(Json::array({value[1], value[2], value[3]}), field));
    return LegacyKey{time, xyz};
}

void read_keys(ObjectReader& reader, const char* key, KeyList& out, Version version) {
    if (version == Version::coded) {
        reader.read_array(key, out.coded, coded_key_from_json);
    } else {
        reader.read_array(key, out.legacy, legacy_key_from_json);
    }
}

Result<Joint> joint_from_json(const Json& json, const std::string& place, Version version) {
    Joint joint;
    ObjectReader reader(json, place);
    reader.read_text("name", joint.name);
    reader.read_integer("priority", joint.priority);
    read_keys(reader, "rotation_keys", joint.rotation, version);
    read_keys(reader, "position_keys", joint.position, version);
    return reader.finish(std::move(joint));
}

Result<Version> version_from_json(const Json& value, const std::string& field) {
    if (value == "1.0") {
        return Version::coded;
    }
    return value == "0.1" ? Result<Version>(Version::legacy) : json_fail(field, value, "\"1.0\" or \"0.1\"");
}

void read_document(ObjectReader& reader, Document& document) {
    reader.require("format", "sl_anim");
    reader.read("version", document.version, version_from_json);
    reader.read_integer("base_priority", document.base_priority);
    reader.read_float("duration", document.duration);
    reader.read_text("emote_name", document.emote_name);
    reader.read_float("loop_in_point", document.loop_in_point);
    reader.read_float("loop_out_point", document.loop_out_point);
    reader.read_integer("loop", document.loop);
    reader.read_float("ease_in_duration", document.ease_in_duration);
    reader.read_float("ease_out_duration", document.ease_out_duration);
    reader.read_integer("hand_pose", document.hand_pose);
    reader.read_array("joints", document.joints, [&](const Json& joint, const std::string& place) {
        return joint_from_json(joint, place, document.version);
    });
    reader.read_integer("constraint_count", document.constraint_count);
    reader.read_array("constraints", document.constraints, constraint_from_json);
    reader.read("trailing_hex", document.trailing, bytes_from_json);
}

}  // namespace

Json to_json(const Document& document) {
    Json joints = list_json(document.joints, [](const Joint& joint) -> Json {
        return {{"name", json_text(joint.name)},
                {"priority", joint.priority},
                {"rotation_keys", keys_json(joint.rotation)},
                {"position_keys", keys_json(joint.position)}};
    });
    return {{"format", "sl_anim"},
            {"version", document.version == Version::coded ? "1.0" : "0.1"},
            {"base_priority", document.base_priority},
            {"duration", json_float(document.duration)},
            {"emote_name", json_text(document.emote_name)},
            {"loop_in_point", json_float(document.loop_in_point)},
            {"loop_out_point", json_float(document.loop_out_point)},
            {"loop", document.loop},
            {"ease_in_duration", json_float(document.ease_in_duration)},
            {"ease_out_duration", json_float(document.ease_out_duration)},
            {"hand_pose", document.hand_pose},
            {"joints", std::move(joints)},
            {"constraint_count", document.constraint_count},
            {"constraints", list_json(document.constraints, constraint_json)},
            {"trailing_hex", hex_of(animbridge::text_of(document.trailing))}};
}

Result<Document> from_json(const Json& json) {
    Document document;
    ObjectReader reader(json, "");
    read_document(reader, document);
    TRY_VOID(reader.finish());
    const std::int32_t count = document.constraint_count;
    const bool listed = count >= 0 && count <= max_constraints;
    if (listed ? static_cast<std::size_t>(count) != document.constraints.size()
               : !document.constraints.empty()) {
        return json_fail("constraint_count", Json(count),
                         "the number of constraints, or one outside 0 to 10 with no constraints listed");
    }
    return document;
}

}  // namespace animbridge::sl_anim::file

// SPDX-License-Identifier: MIT
#include "base/bytes.h"
#include "formats/sl_anim/document.h"

namespace animbridge::sl_anim {

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

}  // namespace animbridge::sl_anim

// SPDX-License-Identifier: MIT
#include "formats/sl_anim/file/file.h"

#include <algorithm>
#include <optional>

namespace animbridge::sl_anim::file {

namespace {

/// Reads one field after another. After the first failure it skips all further reads and keeps that failure.
class FieldReader {
public:
    explicit FieldReader(ByteView bytes) : bytes_(bytes) {}

    template <typename T>
    void read(T& out, std::string_view field) {
        keep(out, [&] { return bytes_.read<T>(field); });
    }
    void read(std::string& out, std::string_view field) {
        keep(out, [&] { return bytes_.read_c_string(field); });
    }
    void read_keys(KeyList& out, Version version, std::string_view count_field) {
        const std::size_t count_offset = bytes_.offset();
        std::int32_t count = 0;
        read(count, count_field);
        if (!failure_ && count < 0) {
            fail(ErrorCode::bad_value, "found " + std::to_string(count) + ", allowed is 0 or more",
                 count_field, count_offset);
        }
        if (failure_) {
            return;
        }
        const auto records = static_cast<std::size_t>(count);
        if (version == Version::coded) {
            keep(out.coded, [&] { return bytes_.read_array<CodedKey>(records, count_field); });
        } else {
            keep(out.legacy, [&] { return bytes_.read_array<LegacyKey>(records, count_field); });
        }
        if (failure_) {
            failure_->byte_offset = static_cast<std::int64_t>(count_offset);
        }
    }
    void fail(ErrorCode code, std::string reason, std::string_view field, std::size_t offset) {
        if (!failure_) {
            failure_ =
                Error{code, std::move(reason), {}, std::string(field), static_cast<std::int64_t>(offset)};
        }
    }

    [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }
    [[nodiscard]] ByteReader& bytes() { return bytes_; }

private:
    template <typename T, typename Read>
    void keep(T& out, Read&& read_it) {
        if (failure_) {
            return;
        }
        auto value = std::forward<Read>(read_it)();
        if (value) {
            out = std::move(*value);
        } else {
            failure_ = std::move(value.error());
        }
    }

    ByteReader bytes_;
    std::optional<Error> failure_;
};

void read_version(FieldReader& reader, Version& version) {
    std::uint16_t major = 0;
    std::uint16_t minor = 0;
    reader.read(major, "version");
    reader.read(minor, "sub_version");
    if (major == 1 && minor == 0) {
        version = Version::coded;
    } else if (major == 0 && minor == 1) {
        version = Version::legacy;
    } else {
        reader.fail(ErrorCode::unsupported_version,
                    "found " + std::to_string(major) + "." + std::to_string(minor) +
                        ", allowed are 1.0 and 0.1: not a Second Life animation, or a damaged one",
                    "version", 0);
    }
}

void read_header(FieldReader& reader, Document& document) {
    read_version(reader, document.version);
    reader.read(document.base_priority, "base_priority");
    reader.read(document.duration, "duration");
    reader.read(document.emote_name, "emote_name");
    reader.read(document.loop_in_point, "loop_in_point");
    reader.read(document.loop_out_point, "loop_out_point");
    reader.read(document.loop, "loop");
    reader.read(document.ease_in_duration, "ease_in_duration");
    reader.read(document.ease_out_duration, "ease_out_duration");
    reader.read(document.hand_pose, "hand_pose");
}

void read_joints(FieldReader& reader, Document& document) {
    constexpr std::size_t smallest_record = 13;
    const std::size_t count_offset = reader.bytes().offset();
    std::uint32_t count = 0;
    reader.read(count, "num_joints");
    const std::size_t room = reader.bytes().remaining() / smallest_record;
    if (count > room) {
        reader.fail(ErrorCode::truncated,
                    "found " + std::to_string(count) + " joints, but the " +
                        std::to_string(reader.bytes().remaining()) + " bytes that are left hold " +
                        std::to_string(room) + " at most",
                    "num_joints", count_offset);
    }
    if (!reader.failure()) {
        // Bounded by `room`, so that memory stays within a multiple of the file.
        document.joints.reserve(count);
    }
    for (std::uint32_t i = 0; i < count && !reader.failure(); ++i) {
        const std::string place = "joints[" + std::to_string(i) + "].";
        Joint& joint = document.joints.emplace_back();
        reader.read(joint.name, place + "joint_name");
        reader.read(joint.priority, place + "joint_priority");
        reader.read_keys(joint.rotation, document.version, place + "num_rot_keys");
        reader.read_keys(joint.position, document.version, place + "num_pos_keys");
    }
}

void read_constraint(FieldReader& reader, Constraint& constraint, const std::string& place) {
    reader.read(constraint.chain_length, place + "chain_length");
    reader.read(constraint.type, place + "type");
    reader.read(constraint.source_volume, place + "source_volume");
    reader.read(constraint.source_offset, place + "source_offset");
    reader.read(constraint.target_volume, place + "target_volume");
    reader.read(constraint.target_offset, place + "target_offset");
    reader.read(constraint.target_dir, place + "target_dir");
    reader.read(constraint.ease_in_start, place + "ease_in_start");
    reader.read(constraint.ease_in_stop, place + "ease_in_stop");
    reader.read(constraint.ease_out_start, place + "ease_out_start");
    reader.read(constraint.ease_out_stop, place + "ease_out_stop");
}

}  // namespace

bool sniff(ByteView bytes) {
    ByteReader reader(bytes);
    const auto major = reader.read<std::uint16_t>("version");
    const auto minor = reader.read<std::uint16_t>("sub_version");
    return major && minor && ((*major == 1 && *minor == 0) || (*major == 0 && *minor == 1));
}

Result<Document> read(ByteView bytes) {
    FieldReader reader(bytes);
    Document document;
    read_header(reader, document);
    read_joints(reader, document);
    const std::size_t count_offset = reader.bytes().offset();
    reader.read(document.constraint_count, "num_constraints");
    if (document.constraint_count >= 0 && document.constraint_count <= max_constraints) {
        const std::size_t room = reader.bytes().remaining() / constraint_bytes;
        if (static_cast<std::size_t>(document.constraint_count) > room) {
            reader.fail(ErrorCode::truncated,
                        "found " + std::to_string(document.constraint_count) + " constraints, but the " +
                            std::to_string(reader.bytes().remaining()) + " bytes that are left hold " +
                            std::to_string(room),
                        "num_constraints", count_offset);
        }
        for (std::int32_t i = 0; i < document.constraint_count && !reader.failure(); ++i) {
            read_constraint(reader, document.constraints.emplace_back(),
                            "constraints[" + std::to_string(i) + "].");
        }
    }
    if (reader.failure()) {
        return tl::unexpected<Error>(*reader.failure());
    }
    document.trailing = reader.bytes().read_rest();
    return document;
}

std::string_view volume_text(const VolumeName& name) {
    const auto* const end = std::ranges::find(name, '\0');
    return {name.data(), static_cast<std::size_t>(end - name.begin())};
}

std::size_t record_bytes(const Joint& joint, Version version) {
    const std::size_t key_bytes = version == Version::coded ? sizeof(CodedKey) : sizeof(LegacyKey);
    return joint.name.size() + 13 + key_bytes * (key_count(joint.rotation) + key_count(joint.position));
}

std::size_t file_bytes(const Document& document) {
    std::size_t bytes = header_bytes + document.emote_name.size() + sizeof(document.constraint_count);
    for (const Joint& joint : document.joints) {
        bytes += record_bytes(joint, document.version);
    }
    return bytes + constraint_bytes * document.constraints.size() + document.trailing.size();
}

}  // namespace animbridge::sl_anim::file

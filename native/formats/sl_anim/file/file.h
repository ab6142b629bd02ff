// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "model/format/format.h"

/// Second Life / OpenSim `.anim` (internal keyframe motion) as a document: read, write, JSON.
/// docs/second-life-format.md describes the format. Numbers are as in the file: seconds, 16-bit codes
/// (version 1.0), degrees and metres (version 0.1). An Error names the field and its byte offset.
namespace animbridge::sl_anim::file {

// ---- the document ----

enum class Version : std::uint8_t {
    coded,   ///< 1.0: keys are 16-bit codes
    legacy,  ///< 0.1: keys are floats: seconds, Euler degrees, metres
};

/// A key of version 1.0. `time` is a fraction of the duration. x, y and z code components of a unit
/// quaternion over -1..1, or of a position over -5..5 metres.
struct CodedKey {
    std::uint16_t time = 0;
    std::array<std::uint16_t, 3> xyz{};

    bool operator==(const CodedKey&) const = default;
};
static_assert(sizeof(CodedKey) == 8, "one record of the file");

/// A key of version 0.1: seconds, and Euler angles in degrees (about z, then y, then x) or a position in
/// metres.
struct LegacyKey {
    RawFloat time_seconds;
    std::array<RawFloat, 3> xyz{};

    bool operator==(const LegacyKey&) const = default;
};
static_assert(sizeof(LegacyKey) == 16, "one record of the file");

/// Keys in file order; only the list of the document's version has any. Not a std::variant: libstdc++ 12
/// assumes that a variant of vectors always holds a value, so copying one when memory runs out is undefined
/// behaviour.
struct KeyList {
    std::vector<CodedKey> coded{};
    std::vector<LegacyKey> legacy{};

    bool operator==(const KeyList&) const = default;
};

[[nodiscard]] inline std::size_t key_count(const KeyList& keys) {
    return keys.coded.size() + keys.legacy.size();
}

struct Joint {
    std::string name;  ///< as in the file; any bytes except NUL
    std::int32_t priority = 0;
    KeyList rotation;
    KeyList position;

    bool operator==(const Joint&) const = default;
};

using VolumeName = std::array<char, 16>;
using RawVector = std::array<RawFloat, 3>;

/// A constraint's record of 86 bytes. Names keep the bytes after their NUL: the writer's uninitialised
/// memory, which is part of the file.
struct Constraint {
    std::uint8_t chain_length = 0;
    std::uint8_t type = 0;  ///< 0 point, 1 plane
    VolumeName source_volume{};
    RawVector source_offset{};
    VolumeName target_volume{};
    RawVector target_offset{};
    RawVector target_dir{};
    RawFloat ease_in_start;
    RawFloat ease_in_stop;
    RawFloat ease_out_start;
    RawFloat ease_out_stop;

    bool operator==(const Constraint&) const = default;
};

/// A volume field up to its first NUL.
[[nodiscard]] std::string_view volume_text(const VolumeName& name);

/// The viewer ignores the whole block if a file has more constraints than this, or a negative number.
inline constexpr std::int32_t max_constraints = 10;

/// One file, stored without loss.
struct Document {
    Version version = Version::coded;
    std::int32_t base_priority = 0;
    RawFloat duration;  ///< seconds
    std::string emote_name{};
    RawFloat loop_in_point;
    RawFloat loop_out_point;
    std::int32_t loop = 0;  ///< any value except 0 means true
    RawFloat ease_in_duration;
    RawFloat ease_out_duration;
    std::uint32_t hand_pose = 0;
    std::vector<Joint> joints{};
    /// As in the file. From 0 to max_constraints it equals constraints.size(); otherwise `constraints` is
    /// empty and the block is in `trailing`.
    std::int32_t constraint_count = 0;
    std::vector<Constraint> constraints{};
    Bytes trailing{};  ///< everything that follows; the viewer ignores it

    bool operator==(const Document&) const = default;
};

[[nodiscard]] inline std::size_t key_count(const Document& document) {
    return std::accumulate(document.joints.begin(), document.joints.end(), std::size_t{0},
                           [](std::size_t sum, const Joint& joint) {
                               return sum + key_count(joint.rotation) + key_count(joint.position);
                           });
}

// ---- sizes in the file ----

inline constexpr std::size_t constraint_bytes = 86;

/// The bytes that every file has: the header with an empty emote, and the constraint count.
inline constexpr std::size_t header_bytes = 41;

[[nodiscard]] std::size_t record_bytes(const Joint& joint, Version version);

[[nodiscard]] std::size_t file_bytes(const Document& document);

// ---- read and write ----

/// Whether the bytes begin like a file of version 1.0 or 0.1.
[[nodiscard]] bool sniff(ByteView bytes);

/// Fails only if the bytes cannot be parsed: truncation, an unknown version, negative key counts, or counts
/// beyond the bytes.
[[nodiscard]] Result<Document> read(ByteView bytes);

/// write(read(bytes)) == bytes.
[[nodiscard]] Bytes write(const Document& document);

// ---- JSON and text ----

/// The document in the form of docs/schemas/sl_anim.schema.json; from_json(to_json(d)) == d.
[[nodiscard]] Json to_json(const Document& document);

/// Accepts members in any order. Unknown members are errors, so that typing errors are found.
[[nodiscard]] Result<Document> from_json(const Json& json);

// ---- the format's row ----

[[nodiscard]] DocumentPtr make_document(Document document);

}  // namespace animbridge::sl_anim::file

namespace animbridge::sl_anim {

extern const Format format;

}  // namespace animbridge::sl_anim

namespace animbridge {

/// The .anim inside, owned by `document`; null if the document is of another format.
[[nodiscard]] const sl_anim::file::Document* as_sl_anim(const AnyDocument& document);

}  // namespace animbridge

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "model/format/format.h"

/// A pose of a Second Life viewer as a document: LLSD as XML, as Firestorm's and Black Dragon's posers save
/// it (docs/poses.md). An Error names the line, the column and the byte.
namespace animbridge::sl_pose::file {

// ---- LLSD ----

enum class Kind : std::uint8_t { undefined, boolean, integer, real, string, other, array, map };

/// A value with the text that it has in the file. A map has a key for each item; keys may repeat.
struct Value {
    Kind kind = Kind::undefined;
    std::string text{};               ///< of a scalar, without XML's escapes
    std::vector<std::string> keys{};  ///< of a map
    std::vector<Value> items{};

    bool operator==(const Value&) const = default;

    /// The member of a map; the last one of that name, null if there is none.
    [[nodiscard]] const Value* find(std::string_view key) const;
};

// How the viewers convert any value to the type that they expect. Null is what the file lacks.

/// Blanks before the number are fine. Anything behind it, "nan", "inf" and hexadecimal make it 0.
[[nodiscard]] double real_of(const Value* value);
[[nodiscard]] bool boolean_of(const Value* value);
[[nodiscard]] std::int32_t integer_of(const Value* value);
[[nodiscard]] std::string string_of(const Value* value);
/// Whether the viewer takes the value as the number that its text says.
[[nodiscard]] bool is_read_as_number(const Value& value);

/// A real as the viewers write it.
[[nodiscard]] Value real(float number);
[[nodiscard]] Value boolean(bool is_true);
[[nodiscard]] Value integer(std::int32_t number);
[[nodiscard]] Value string(std::string text);

/// Appends a member.
void put(Value& map, std::string key, Value value);

// ---- the document ----

enum class Layout : std::uint8_t {
    pretty,  ///< a line for each element, as both viewers write it today
    lines,   ///< a line for each LLSD document, as Black Dragon wrote them until 2023
    text,    ///< anything else: the text is kept
};

/// What the viewer makes of the text apart from its values.
struct Note {
    std::string rule;  ///< of the format's rules
    std::string found;
    std::int64_t line = -1;

    bool operator==(const Note&) const = default;
};

/// One file, stored without loss. `documents` are those that a viewer reads; there is at least one.
struct Document {
    Layout layout = Layout::pretty;
    std::vector<Value> documents{};
    std::string text{};         ///< the file; empty unless the layout is `text`
    std::vector<Note> notes{};  ///< empty unless the layout is `text`

    bool operator==(const Document&) const = default;
};

// ---- limits that no real file comes near ----

inline constexpr std::size_t most_bytes = std::size_t{16} << 20U;
inline constexpr std::size_t most_tags = 500'000;
inline constexpr std::size_t most_attributes = 50'000;
inline constexpr std::size_t most_entries = 10'000;  ///< members of all maps that are not in another member
inline constexpr int most_levels = 64;
inline constexpr std::size_t longest_number = 400;

// ---- read and write ----

/// Whether the bytes begin like LLSD.
[[nodiscard]] bool sniff(ByteView bytes);

/// Refuses what is not well-formed, what goes beyond the limits, and entities, which could expand without
/// limit.
[[nodiscard]] Result<Document> read(ByteView bytes);

/// write(read(bytes)) == bytes.
[[nodiscard]] Bytes write(const Document& document);

/// A document of these values, as a viewer writes it.
[[nodiscard]] Document made(std::vector<Value> documents, Layout layout = Layout::pretty);

/// A changed document: these values, with the layout and the line ends of the old one, and what stood before
/// its first value. Comments between values are gone.
[[nodiscard]] Document remade(const Document& old, std::vector<Value> documents);

// ---- JSON ----

/// In the form of docs/schemas/sl_pose.schema.json: the values, or the text if the viewers would write these
/// values in another way.
[[nodiscard]] Json to_json(const Document& document);
[[nodiscard]] Result<Document> from_json(const Json& json);

// ---- the format's row ----

[[nodiscard]] DocumentPtr make_document(Document document);

}  // namespace animbridge::sl_pose::file

namespace animbridge::sl_pose {

extern const Format format;

}  // namespace animbridge::sl_pose

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "model/format/format.h"

/// OBAN, Oni's object animation, as a document: raw records, `.oni` files and OniSplit's XML
/// (docs/oban-format.md).
///
/// The file's world is right-handed with Y up; one unit is 0.1 m, and there are 60 frames a second. Errors
/// name the field and the byte (XML: line and column).
namespace animbridge::oban::file {

// ---- the document ----

inline constexpr double frames_per_second = 60.0;
inline constexpr double metres_per_unit = 0.1;
/// No tool of the game accepts more keys or frames than these.
inline constexpr std::size_t max_keys = 32767;
inline constexpr std::size_t max_frames = 32767;
/// The size of a record without keys, including its 8-byte pre-header.
inline constexpr std::size_t head_bytes = 0x80;

/// Bits of Record::flags.
enum Flag : std::uint32_t {
    normal_loop = 0x01,
    back_to_back_loop = 0x02,
    random_start_frame = 0x04,
    autostart = 0x08,
    z_axis_up = 0x10,  ///< "local": keys are relative to the origin of the object that owns the animation
};
inline constexpr std::uint32_t known_flags = 0x1f;

/// Their spelling in OniSplit's XML, in the order of the bits.
inline constexpr std::array<std::string_view, 5> flag_names = {"NormalLoop", "BackToBackLoop",
                                                               "RandomStartFrame", "Autostart", "ZAxisUp"};

/// A key as in the file.
struct Key {
    /// X, y, z, w; the standard quaternion (w, x, y, z) is (-w, x, y, z).
    std::array<RawFloat, 4> rotation{};
    std::array<RawFloat, 3> position{};  ///< in units
    std::int32_t time = 0;               ///< in frames

    bool operator==(const Key&) const = default;
};
static_assert(sizeof(Key) == 32 && std::is_trivially_copyable_v<Key>);

/// The transformed X, Y and Z axes, then the translation: p' = m[0..2] x + m[3..5] y + m[6..8] z + m[9..11].
using Matrix = std::array<RawFloat, 12>;

[[nodiscard]] inline Matrix identity_matrix() {
    Matrix matrix{};
    matrix[0] = matrix[4] = matrix[8] = RawFloat(1.0F);
    return matrix;
}

/// One animation with all its bits. The default is a valid header without keys.
struct Record {
    std::uint32_t res_id = 1;
    std::uint32_t lev_id = 0;
    std::array<std::uint8_t, 12> padding{};
    std::uint32_t flags = 0;  ///< Flag, and any other bits that are set
    Matrix initial = identity_matrix();
    Matrix base = identity_matrix();
    std::uint16_t frame_length = 1;  ///< the authoring tool's ticks per frame
    std::uint16_t frame_count = 1;   ///< last key's time + 1
    std::uint16_t half_stop_frame = 0;
    std::vector<Key> keys{};
    Bytes tail{};  ///< bytes of an instance after the keys; no known program writes any

    bool operator==(const Record&) const = default;
};

enum class Container : std::uint8_t {
    raw,  ///< only the record: a file of its own, or an instance of a level
    oni,  ///< stand-alone, VR32
    xml,  ///< OniSplit's XML
};

/// A file with one animation. Fields that XML cannot hold are as in a new record.
struct Document {
    Container container = Container::raw;
    std::string name{};  ///< the instance's name without the tag "OBAN"; any bytes; empty for none
    Record record{};
    Bytes before{};  ///< in a .oni: the bytes before and after the record
    Bytes after{};

    bool operator==(const Document&) const = default;
};

/// The most keys that the 16-bit count can hold; more than max_keys is a finding.
inline constexpr std::size_t max_stored_keys = 0xffff;
/// The offset of the number of keys from the record's start.
inline constexpr std::size_t key_count_at = 0x7e;

// ---- any file with one animation ----

/// Whether the bytes look like a file with one OBAN: a container of version 32 (or 33, never seen, which
/// read() refuses), OniSplit's XML, or a raw record. A raw record is recognised only by its size, so ask this
/// format last.
[[nodiscard]] bool sniff(ByteView file);

/// Reads a file with one animation: a raw record, a stand-alone .oni (the first OBAN of several), or
/// OniSplit's XML; the content decides which. Errors name the field as in docs/oban-format.md, and the byte
/// where it begins. ErrorCode::unsupported_version: a level (.dat, VR31), which holds many.
[[nodiscard]] Result<Document> read(ByteView file);

/// The file's bytes; a raw record and a .oni equal the bytes that were read. A document in a .oni must come
/// from read_oni, new_oni or with_record, so that `before` and `after` fit the record's size.
[[nodiscard]] Bytes write(const Document& document);

// ---- JSON and a summary ----

/// Every bit of a record. Flags are listed by name, bits without a name as a number. A key is a row [time,
/// rotation x, y, z, w, position x, y, z].
[[nodiscard]] Json to_json(const Record& record);

/// `place`: path of the record in the document, for errors.
[[nodiscard]] Result<Record> record_from_json(const Json& json, const std::string& place);

/// The document in the form of docs/schemas/oban.schema.json; from_json(to_json(x)) == x. "layout" holds the
/// bytes around the record of a .oni, or "new" if new_oni would write the same.
[[nodiscard]] Json to_json(const Document& document);

/// ErrorCode::bad_value with the member's path, also if the layout of a .oni does not fit the record.
[[nodiscard]] Result<Document> from_json(const Json& json);

/// The names of the flags that are set, in the order of the bits.
[[nodiscard]] Json flag_names_json(std::uint32_t flags);
/// The bits for an array of names.
[[nodiscard]] Result<std::uint32_t> flags_from_json(const Json& json, const std::string& place);

[[nodiscard]] std::string_view name_of(Container container);
[[nodiscard]] Result<Container> container_from_json(const Json& json, const std::string& place);

// ---- the format's row ----

/// A document, and what edits left behind, which is not written but reported with the file.
struct File {
    Document document{};
    std::vector<std::string_view> left_behind{};
};

[[nodiscard]] DocumentPtr make_document(Document document);

// ---- raw records ----

/// Reads the record that fills `size` bytes of the file from `start` (both within the file), including its
/// 8-byte pre-header. Bytes after its keys become the tail. If it is truncated, the error names the first
/// field that is cut, or "key_count" if the keys do not fit. `path` is prepended to Error::field
/// ("instances[3]."); byte_offset is from the file's beginning. docs/oban-format.md, "The record".
[[nodiscard]] Result<Record> read_record(ByteView file, std::size_t start, std::size_t size,
                                         const std::string& path);

/// Reads a file that is one record. It is recognised only by its size, so bytes after the keys are an error.
[[nodiscard]] Result<Record> read_raw(ByteView file);

/// Whether the file's size is exactly that of a record with its number of keys.
[[nodiscard]] bool has_raw_size(ByteView file);

/// Whether the bytes are almost certainly a raw record, which has no signature: the size fits the number of
/// keys, there is at least one, and the first rotation has nearly unit length.
[[nodiscard]] bool looks_like_raw(ByteView file);

/// Whether the file begins with the ids of a stand-alone record (1 and 0); the rest is not checked. Second
/// Life animations begin like that too.
[[nodiscard]] bool may_be_raw(ByteView file);

/// The record's size in bytes, with pre-header and tail.
[[nodiscard]] std::size_t record_bytes(const Record& record);

/// Appends the bytes of write_record to the writer, so that a large record is not copied twice.
void append_record(ByteWriter& writer, const Record& record);

/// The bytes from the pre-header on, for at most max_stored_keys keys.
[[nodiscard]] Bytes write_record(const Record& record);

// ---- stand-alone .oni files (VR32) of one OBAN: docs/oban-format.md, "A stand-alone .oni" ----

inline constexpr std::string_view tag_name = "OBAN";
/// The most characters of a name, including its tag.
inline constexpr std::size_t max_name = 63;

/// The name as stored: with the tag "OBAN" (added if missing) and without NUL. ErrorCode::invalid_argument
/// ("name"): nothing but the tag, more than max_name characters, or characters that are not printable ASCII.
[[nodiscard]] Result<std::string> stored_name(std::string_view name);

/// The name without its tag, if it has one.
[[nodiscard]] std::string_view without_tag(std::string_view stored);

/// The OBAN's name in a file name, by OniSplit's rule: between the last slash and the last dot, with %XX
/// decoded, without tag.
[[nodiscard]] std::string name_of_file(std::string_view path);

/// Reads the first OBAN with data of a VR32 container; `before` and `after` get the other bytes.
[[nodiscard]] Result<Document> read_oni(ByteView file);

/// Makes a new file, byte for byte like OniSplit's -create: header, descriptor, names, data. The record gets
/// the ids of a stand-alone file (res_id 1, lev_id 0). Errors: those of stored_name, and more than
/// max_stored_keys keys.
[[nodiscard]] Result<Document> new_oni(Record record, std::string_view name);

/// Replaces the record of a .oni by one of another size and keeps every byte around it, except sizes and
/// offsets in the tables. Null if that is impossible: other instances share the record's bytes, the size
/// differs by other than whole keys, or there are more than max_stored_keys keys.
[[nodiscard]] std::optional<Document> resized(const Document& document, Record record);

// ---- OniSplit's XML, which holds less than a record: no ids, no padding, and not the bits of NaNs ----

/// Larger files are refused before parsing; 32,767 keys take 10 MB.
inline constexpr std::size_t max_xml_bytes = std::size_t{32} << 20U;
/// Texts with more tags (and comments) are refused too.
inline constexpr std::size_t max_xml_tags = 1'000'000;
/// So are texts whose parsed tree could be larger than this multiple of the text and than
/// always_allowed_xml_tree. A tag counts 128 bytes, an equals sign 40. Keys written as tightly as possible
/// make 10 times their text.
inline constexpr std::size_t max_xml_growth = 13;
inline constexpr std::size_t always_allowed_xml_tree = std::size_t{512} << 10U;

/// Whether the bytes begin like XML, after a byte order mark and blanks.
[[nodiscard]] bool looks_like_xml(ByteView bytes);

/// A Document of Container::xml; only the older form has a name. Elements are read by position, as in
/// OniSplit. More than max_keys keys are refused. An error gives the line and column (in bytes) and the byte
/// where the element begins, and the field's name in the XML.
[[nodiscard]] Result<Document> read_xml(ByteView bytes);

/// With a byte order mark, four spaces per level, LF, and no newline at the end. OniSplit and read_xml refuse
/// the result if the record has more than max_keys keys.
[[nodiscard]] Bytes write_xml(const Record& record);

/// The parts of a record that XML cannot hold: "res_id", "lev_id", "padding", "nan_payload", "tail".
[[nodiscard]] std::vector<std::string_view> left_out_of_xml(const Record& record);

// ---- the parts that .oni files (VR32) and levels (VR31) share: docs/oban-format.md, "Containers" ----

inline constexpr std::uint64_t pc_checksum = 0x0003BCDF33DC271F;
inline constexpr std::uint64_t mac_checksum = 0x0003BCDF23C13061;  ///< also the PC demo's
inline constexpr std::uint64_t ps2_checksum = 0x0003BA70A8D8AE11;

/// In the value that is read from the bytes at 0x08.
inline constexpr std::uint32_t level_version = 0x56523331;   ///< VR31
inline constexpr std::uint32_t oni_version = 0x56523332;     ///< VR32
inline constexpr std::uint32_t unseen_version = 0x56523333;  ///< VR33, written by OniX
inline constexpr std::size_t version_at = 0x08;

inline constexpr std::uint32_t oban_tag = 0x4F42414E;  ///< 4E 41 42 4F
inline constexpr std::size_t pre_header_bytes = 8;
inline constexpr std::size_t block_alignment = 32;

[[nodiscard]] constexpr std::size_t aligned(std::size_t bytes) {
    return (bytes + block_alignment - 1) / block_alignment * block_alignment;
}

/// The first 64 bytes of every container, as in the file.
struct ContainerHeader {
    std::uint64_t checksum = pc_checksum;
    std::uint32_t version = oni_version;
    std::uint16_t header_size = 64;
    std::uint16_t instance_descriptor_size = 20;
    std::uint16_t template_descriptor_size = 16;
    std::uint16_t name_descriptor_size = 8;
    std::uint32_t instance_count = 0;
    std::uint32_t name_count = 0;
    std::uint32_t template_count = 0;
    std::uint32_t data_offset = 0;  ///< of the data block in the file
    std::uint32_t data_size = 0;
    std::uint32_t name_offset = 0;  ///< of the name block in the file
    std::uint32_t name_size = 0;
    std::uint32_t raw_offset = 0;  ///< only in a .oni; never followed
    std::uint32_t raw_size = 0;
    std::uint64_t reserved = 0;
};
static_assert(sizeof(ContainerHeader) == 64);

enum InstanceFlag : std::uint32_t { unnamed = 1, placeholder = 2, duplicate = 4, duplicate_source = 8 };

/// As in the file.
struct Instance {
    std::uint32_t tag = oban_tag;
    std::uint32_t data_offset = 0;  ///< from the data block; points to the end of the 8-byte pre-header
    std::uint32_t name_offset = 0;  ///< from the name block
    std::uint32_t data_size = 0;    ///< includes the pre-header
    std::uint32_t flags = 0;        ///< InstanceFlag; in original files the higher bits are junk

    [[nodiscard]] bool has_name() const { return (flags & unnamed) == 0; }
    /// Whether it has bytes of its own, unlike a placeholder.
    [[nodiscard]] bool has_data() const {
        return (flags & placeholder) == 0 && data_size != 0 && data_offset != 0;
    }
    [[nodiscard]] bool is_oban() const { return tag == oban_tag; }
};
static_assert(sizeof(Instance) == 20);

/// As in the file.
struct NameDescriptor {
    std::uint32_t instance = 0;
    std::uint32_t zero = 0;
};
static_assert(sizeof(NameDescriptor) == 8);

/// As in the file. The checksum is in two halves, so that there is no padding.
struct TemplateDescriptor {
    std::uint32_t checksum_low = 0;
    std::uint32_t checksum_high = 0;
    std::uint32_t tag = 0;
    std::uint32_t count = 0;
};
static_assert(sizeof(TemplateDescriptor) == 16);

/// The tables of a file in which every offset is valid. Does not keep the file: give each call the same
/// bytes.
struct ContainerTables {
    ContainerHeader header{};
    std::vector<Instance> instances{};
    std::vector<NameDescriptor> names{};
    std::vector<TemplateDescriptor> templates{};

    /// The stored name with its tag and without NUL, cut to its first `most` bytes; a view into `file`. Null
    /// for an unnamed instance. Names may share bytes, so all of them together can be longer than the file:
    /// set a limit if you ask for all.
    [[nodiscard]] std::optional<std::string_view> name_of(ByteView file, std::size_t instance,
                                                          std::size_t most = std::string_view::npos) const;
    /// The offset in the file of the pre-header of an instance with data.
    [[nodiscard]] std::size_t start_of(std::size_t instance) const;
    /// The record of an OBAN with data. Errors name the field as "instances[i].<field>".
    [[nodiscard]] Result<Record> record(ByteView file, std::size_t instance) const;
};

/// The offset in the file of a descriptor's field.
enum class InstanceField : std::uint8_t { tag, data_offset, name_offset, data_size, flags };
[[nodiscard]] std::size_t instance_at(std::size_t instance, InstanceField field);

/// The version's number; 0 if the file is too short.
[[nodiscard]] std::uint32_t version_of(ByteView file);

/// Reads the tables and checks every offset; the blocks may be in any order. Refuses what does not fit into
/// the file, and what claims the bytes of something else: a block inside the tables, names inside the data,
/// or an OBAN that shares part of its bytes with another instance (duplicates share exactly the same bytes).
/// Ignores the raw part of a .oni, because no OBAN has one. ErrorCode::unsupported_version: versions other
/// than VR31 and VR32.
[[nodiscard]] Result<ContainerTables> read_container(ByteView file);

/// How many other instances have exactly the bytes of this one.
[[nodiscard]] std::size_t count_sharing(const ContainerTables& tables, std::size_t instance);

/// The tables after the instance's data grows by `growth` bytes (mod 2^32, so it may shrink): everything
/// after it moves, except the raw part.
[[nodiscard]] ContainerTables with_growth(ContainerTables tables, std::size_t instance, std::uint32_t growth);

/// Header and descriptors as at the beginning of the file.
[[nodiscard]] Bytes write_tables(const ContainerTables& container);

}  // namespace animbridge::oban::file

namespace animbridge::oban {

extern const Format format;

}  // namespace animbridge::oban

namespace animbridge {

/// The OBAN inside, owned by `document`; null if the document is of another format.
[[nodiscard]] const oban::file::Document* as_oban(const AnyDocument& document);

}  // namespace animbridge

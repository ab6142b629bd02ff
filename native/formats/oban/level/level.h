// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "formats/oban/file/file.h"
#include "model/compare/compare.h"
#include "model/format/format.h"

/// Level packages (.dat, VR31): thousands of instances, some of them OBANs (docs/oban-format.md, "Level
/// .dat"). A format of its own, because its file holds many documents.
namespace animbridge::oban::level {

// ---- a level, and the OBANs in it ----

/// An OBAN of a level, without its keys.
struct LevelOban {
    std::size_t instance = 0;  ///< its index in the level, which also holds other things
    /// As stored, with its tag; cut at 255 bytes; empty if unnamed; a view into the level's file.
    std::string_view name{};
    std::uint32_t flags = 0;  ///< InstanceFlag, and junk
    bool has_data = false;    ///< false: a placeholder
    /// The position of the record's pre-header in the file. This and the next members are 0 for placeholders.
    std::size_t offset = 0;
    std::size_t size = 0;  ///< including the pre-header
    std::uint16_t keys = 0;
    std::uint16_t frames = 0;
};

/// A level file in which every OBAN with data can be read. It can be moved but not copied: names are views
/// into its file.
struct Level {
    Level() = default;
    ~Level() = default;
    Level(Level&&) = default;
    Level& operator=(Level&&) = default;
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

    Bytes file{};
    file::ContainerTables tables{};
    std::vector<LevelOban> obans{};  ///< in the order of the instances
};

/// Whether the file is VR31.
[[nodiscard]] bool is_level(ByteView file);

/// Reads the tables only, not the keys. Errors: those of read_container, and of the first OBAN whose keys do
/// not fit its bytes.
[[nodiscard]] Result<Level> read_level(Bytes file);

/// The index in `obans`. A name matches with or without its tag; if several match, the first with data wins
/// (a linear search). "#12" names instance 12 (a binary search; prefer it for bulk lookups). Without a name:
/// the only OBAN with data. ErrorCode::invalid_argument ("name") lists the names.
[[nodiscard]] Result<std::size_t> find_oban(const Level& level, std::optional<std::string_view> name);

/// The OBAN as a raw document with its name; a placeholder has none. It keeps its tail, although read()
/// refuses such a file. JSON, a .oni and a level keep the tail too; in_container() to a raw file drops and
/// reports it.
[[nodiscard]] Result<file::Document> oban_in(const Level& level, std::size_t index);

/// The level with another record in place of this OBAN. Keys, flags, matrices and padding come from the new
/// record; ids, name and descriptor flags stay. Every other byte stays, and the following data moves. Refuses
/// instances without data of their own (placeholders, duplicates, shared data), and sizes that differ by
/// other than whole keys.
[[nodiscard]] Result<Bytes> replaced(const Level& level, std::size_t index, file::Record record);

/// Names for a message: the first few, and how many more there are.
[[nodiscard]] std::string names_in(const Level& level);

// ---- new packages ----

enum class Platform : std::uint8_t {
    pc,   ///< .dat and .raw
    mac,  ///< also with .sep; also for the PC demo
};

/// The files of a new package. The two besides the .dat contain nothing about OBANs.
struct Package {
    Bytes dat{};
    Bytes raw{};
    std::optional<Bytes> sep{};
};

/// One instance per OBAN, in ordinal order of the names. Ids come from that order and from `base_name`, the
/// files' name without extension ("level7_Final"). ErrorCode::invalid_argument ("name"): as in stored_name, a
/// name that occurs twice, a base name that is not ASCII, or more than 4 GB.
[[nodiscard]] Result<Package> new_package(std::vector<std::pair<std::string, file::Record>> obans,
                                          std::string_view base_name, Platform platform);

/// The lev_id of every instance in files with that name.
[[nodiscard]] std::uint32_t level_id(std::string_view base_name);

// ---- OBANs as files ----

enum class FileKind : std::uint8_t { oni, xml, raw, json };

[[nodiscard]] std::optional<FileKind> file_kind_named(std::string_view name);

struct ExtractedFile {
    std::string file_name{};
    std::string name{};  ///< the OBAN's name without its tag
    std::size_t keys = 0;
    std::vector<std::string_view> left_behind{};  ///< see Changed
    Bytes bytes{};
};

/// One file for each name, or for each OBAN with data if there are no names. A file's name reads back as the
/// stored name: characters that a Windows file name cannot hold, and those outside ASCII, become %XX, and a
/// name that is too long for a file system is cut. All file names differ even if
/// case is ignored; a later one gets "#" and its number. Fails as a whole if one file cannot be made, and
/// says which, or if all files together take more than 1 GB. ErrorCode::invalid_argument is about `names`;
/// problems in the level have other codes.
[[nodiscard]] Result<std::vector<ExtractedFile>> extract_files(const Level& level,
                                                               const std::vector<std::string>& names,
                                                               FileKind kind);

// ---- two levels, JSON, and the row ----

/// Plays every OBAN that two levels have in common.
struct LevelDifference {
    Comparison total{};                           ///< a "joint" for each OBAN that differs
    std::vector<std::string> differing_fields{};  ///< "name: field", header fields of the records
};

/// OBANs match by name, unnamed ones by instance number; if several have one name, only the first is
/// compared. Instances that share their bytes are compared once. Errors: those of compare() for two records,
/// with the OBAN's name.
[[nodiscard]] Result<LevelDifference> compare(const Level& a, const Level& b, const Job& job);

/// The level in the form of docs/schemas/oban_level.schema.json: the records, and the bytes around them in
/// hexadecimal. from_json(to_json(x)) == x.
[[nodiscard]] Json to_json(const Level& level);

/// ErrorCode::bad_value with the member's path. Records must keep their sizes and names; use replaced() to
/// change a size.
[[nodiscard]] Result<Level> level_from_json(const Json& json);

/// {"checksum": "pc", "mac", "ps2" or digits, "bytes", "instances", "obans": [{"name", "instance",
/// "placeholder", "keys", "frames", "bytes", "offset", "flags"}]}
[[nodiscard]] Json info(const Level& level);

/// The report of `info` on a level, as text. `file`: its name.
[[nodiscard]] std::string describe_level(const std::string& file, const Json& info);

[[nodiscard]] DocumentPtr make_document(Level level);

}  // namespace animbridge::oban::level

namespace animbridge::oban {

extern const Format level_format;

}  // namespace animbridge::oban

namespace animbridge {

/// The level inside, owned by `document`; null if the document is of another format.
[[nodiscard]] const oban::level::Level* as_oban_level(const AnyDocument& document);

}  // namespace animbridge

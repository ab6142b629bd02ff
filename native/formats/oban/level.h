// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "formats/oban/container.h"
#include "formats/oban/document.h"

/// Level packages (.dat, VR31): thousands of instances, some of them OBANs. docs/oban-format.md, "Level
/// .dat".
namespace animbridge::oban {

/// An OBAN of a level, without its keys.
struct LevelOban {
    std::size_t instance = 0;  ///< in the level, which holds other things too
    std::string_view name{};  ///< as stored, with its tag; cut at 255 bytes; "": unnamed; in the level's file
    std::uint32_t flags = 0;  ///< InstanceFlag, and junk
    bool has_data = false;    ///< false: a placeholder
    std::size_t offset = 0;   ///< of the record's pre-header in the file; 0 in placeholders, as what follows
    std::size_t size = 0;     ///< with the pre-header
    std::uint16_t keys = 0;
    std::uint16_t frames = 0;
};

/// A level file. Every OBAN with data in it can be read. It moves and is not copied: the names lie in its
/// file, and instances may share one, so that copies of them could be longer than any memory.
struct Level {
    Level() = default;
    ~Level() = default;
    Level(Level&&) = default;
    Level& operator=(Level&&) = default;
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

    Bytes file{};
    ContainerTables tables{};
    std::vector<LevelOban> obans{};  ///< in the order of the instances
};

/// Whether it is VR31.
[[nodiscard]] bool is_level(ByteView file);

/// Errors are those of read_container, and of the first OBAN whose keys do not fit its bytes. Keys are not
/// looked at.
[[nodiscard]] Result<Level> read_level(Bytes file);

/// The index in `obans`: by name, with or without tag on either side (of several the first that has data;
/// looks at all), or "#12" for instance 12 (a binary search; prefer it for bulk lookups). nullopt: the only
/// one that has data. ErrorCode::invalid_argument ("name") lists what there is.
[[nodiscard]] Result<std::size_t> find_oban(const Level& level, std::optional<std::string_view> name);

/// The record with its name, as a document that writes the record's bytes; a placeholder has none. A tail
/// stays: such bytes are no file that read() takes, for there what follows the keys is an error. As JSON, in
/// a .oni and back in a level it is kept; in_container() to a raw file drops it and says so.
[[nodiscard]] Result<Document> oban_in(const Level& level, std::size_t index);

/// The level with another animation in this one's place: keys, flags, matrices, padding are the new record's,
/// ids, name and descriptor flags the slot's. Every other byte stays; what is behind moves. Refused: what has
/// no data of its own (placeholders, duplicates, shared data), and sizes that differ by other than whole
/// keys.
[[nodiscard]] Result<Bytes> replaced(const Level& level, std::size_t index, Record record);

enum class Platform : std::uint8_t {
    pc,   ///< .dat and .raw
    mac,  ///< and .sep; the PC demo's too
};

/// A new package's files; none of the two beside the .dat has anything to say about an OBAN.
struct Package {
    Bytes dat{};
    Bytes raw{};
    std::optional<Bytes> sep{};
};

/// One instance each, in ordinal order of the names; ids come from there and from `base_name`, the files'
/// name without extension ("level7_Final"). ErrorCode::invalid_argument ("name"): as of stored_name, two of
/// one name, a base name that is not ASCII, or more than 4 GB.
[[nodiscard]] Result<Package> new_package(std::vector<std::pair<std::string, Record>> obans,
                                          std::string_view base_name, Platform platform);

/// The lev_id of every instance in files of that name.
[[nodiscard]] std::uint32_t level_id(std::string_view base_name);

/// Names for a message: the first few, and how many more.
[[nodiscard]] std::string names_in(const Level& level);

}  // namespace animbridge::oban

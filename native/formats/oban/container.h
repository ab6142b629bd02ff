// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/oban/document.h"

/// The common parts of stand-alone .oni files (VR32) and level .dat files (VR31): header, descriptors, data
/// block and name block (docs/oban-format.md, "Containers").
namespace animbridge::oban {

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

}  // namespace animbridge::oban

// SPDX-License-Identifier: MIT
#include "formats/oban/file/file.h"

#include <algorithm>
#include <cstring>

namespace animbridge::oban::file {

namespace {

struct HeaderField {
    std::string_view name;
    std::size_t at;
    std::size_t bytes;
};

constexpr std::array<HeaderField, 16> header_fields = {{{"checksum", 0x00, 8},
                                                        {"version", version_at, 4},
                                                        {"header_size", 0x0c, 2},
                                                        {"instance_descriptor_size", 0x0e, 2},
                                                        {"template_descriptor_size", 0x10, 2},
                                                        {"name_descriptor_size", 0x12, 2},
                                                        {"instance_count", 0x14, 4},
                                                        {"name_count", 0x18, 4},
                                                        {"template_count", 0x1c, 4},
                                                        {"data_offset", 0x20, 4},
                                                        {"data_size", 0x24, 4},
                                                        {"name_offset", 0x28, 4},
                                                        {"name_size", 0x2c, 4},
                                                        {"raw_offset", 0x30, 4},
                                                        {"raw_size", 0x34, 4},
                                                        {"reserved", 0x38, 8}}};

tl::unexpected<Error> fail_header(ErrorCode code, std::string_view name, std::string reason) {
    const auto* const field =
        std::ranges::find_if(header_fields, [&](const HeaderField& f) { return f.name == name; });
    return fail_at(code, std::string(name), field->at, std::move(reason));
}

/// Spelled as the bytes in the file: '32RV' for VR32.
std::string version_text(std::uint32_t version) {
    std::array<char, 4> bytes{};
    std::memcpy(bytes.data(), &version, sizeof version);
    std::ranges::reverse(bytes);
    const bool printable = std::ranges::all_of(bytes, [](char c) { return c >= ' ' && c <= '~'; });
    return printable ? std::string(bytes.data(), bytes.size()) : "the number " + std::to_string(version);
}

Result<ContainerHeader> read_header(ByteView file) {
    const auto* const cut = std::ranges::find_if(
        header_fields, [&](const HeaderField& f) { return f.at + f.bytes > file.size(); });
    if (cut != header_fields.end()) {
        const std::size_t left = file.size() > cut->at ? file.size() - cut->at : 0;
        return fail_header(
            ErrorCode::truncated, cut->name,
            "needs " + std::to_string(cut->bytes) + " bytes, " + std::to_string(left) + " are left");
    }
    ContainerHeader header;
    std::memcpy(&header, file.data(), sizeof header);
    if (header.version != level_version && header.version != oni_version) {
        return fail_header(ErrorCode::unsupported_version, "version",
                           "found " + version_text(header.version) +
                               ", allowed are VR31 (a level) and VR32 (a stand-alone .oni)");
    }
    const ContainerHeader right;
    const std::array<std::array<std::uint16_t, 2>, 4> sizes = {
        {{header.header_size, right.header_size},
         {header.instance_descriptor_size, right.instance_descriptor_size},
         {header.template_descriptor_size, right.template_descriptor_size},
         {header.name_descriptor_size, right.name_descriptor_size}}};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes.at(i)[0] != sizes.at(i)[1]) {
            return fail_header(
                ErrorCode::bad_value, header_fields.at(i + 2).name,
                "found " + std::to_string(sizes.at(i)[0]) + ", allowed is " + std::to_string(sizes.at(i)[1]));
        }
    }
    return header;
}

struct TableRow {
    std::string_view name;
    std::size_t count;
    std::size_t bytes;
};

/// The offset in the file where the tables end.
Result<std::size_t> checked_tables_end(const ContainerHeader& header, std::size_t file_size) {
    std::size_t end = sizeof header;
    const std::array<TableRow, 3> rows = {
        {{"instance_count", header.instance_count, sizeof(Instance)},
         {"name_count", header.name_count, sizeof(NameDescriptor)},
         {"template_count", header.template_count, sizeof(TemplateDescriptor)}}};
    for (const TableRow& row : rows) {
        const std::size_t room = (file_size - end) / row.bytes;
        if (row.count > room) {
            return fail_header(ErrorCode::truncated, row.name,
                               "found " + std::to_string(row.count) + " descriptors, but the " +
                                   std::to_string(file_size - end) + " bytes that are left hold " +
                                   std::to_string(room) + " at most");
        }
        end += row.count * row.bytes;
    }
    return end;
}

struct Block {
    std::size_t start;
    std::size_t size;

    [[nodiscard]] bool overlaps(const Block& other) const {
        return size > 0 && start < other.start + other.size && other.start < start + size;
    }
};

Result<void> check_block(const Block& block, const std::string& kind, std::size_t file_size) {
    if (block.start > file_size) {
        return fail_header(ErrorCode::bad_value, kind + "_offset",
                           "found " + std::to_string(block.start) + ", but the file has " +
                               std::to_string(file_size) + " bytes");
    }
    if (block.size > file_size - block.start) {
        return fail_header(ErrorCode::truncated, kind + "_size",
                           "found " + std::to_string(block.size) + " bytes, but " +
                               std::to_string(file_size - block.start) + " are left after the offset");
    }
    return {};
}

Result<void> check_blocks(const ContainerHeader& header, std::size_t tables_end, std::size_t file_size) {
    const Block tables{0, tables_end};
    const Block data{header.data_offset, header.data_size};
    const Block names{header.name_offset, header.name_size};
    TRY_VOID(check_block(data, "data", file_size));
    if (data.overlaps(tables)) {
        return fail_header(ErrorCode::bad_value, "data_offset",
                           "found " + std::to_string(data.start) + ", inside the tables, which end at " +
                               std::to_string(tables_end));
    }
    TRY_VOID(check_block(names, "name", file_size));
    if (names.overlaps(tables) || names.overlaps(data)) {
        return fail_header(ErrorCode::bad_value, "name_offset",
                           "found " + std::to_string(names.start) + ": the block shares bytes with the " +
                               (names.overlaps(tables) ? "tables" : "data"));
    }
    return {};
}

tl::unexpected<Error> fail_instance(std::size_t index, InstanceField field, std::string reason) {
    static constexpr std::array<std::string_view, 5> field_names = {"tag", "data_offset", "name_offset",
                                                                    "data_size", "flags"};
    return fail_at(ErrorCode::bad_value,
                   "instances[" + std::to_string(index) + "]." +
                       std::string(field_names.at(static_cast<std::size_t>(field))),
                   instance_at(index, field), std::move(reason));
}

Result<void> check_instance_data(const ContainerTables& container, std::size_t index) {
    const Instance& instance = container.instances[index];
    const std::size_t data_size = container.header.data_size;
    if (instance.data_offset < pre_header_bytes || instance.data_offset - pre_header_bytes >= data_size) {
        return fail_instance(index, InstanceField::data_offset,
                             "found " + std::to_string(instance.data_offset) + ", outside the " +
                                 std::to_string(data_size) + " bytes of data after the first 8");
    }
    const std::size_t room = data_size - (instance.data_offset - pre_header_bytes);
    if (instance.data_size < pre_header_bytes || instance.data_size > room) {
        return fail_instance(index, InstanceField::data_size,
                             "found " + std::to_string(instance.data_size) + " bytes, allowed are 8 to the " +
                                 std::to_string(room) + " that are left");
    }
    return {};
}

Result<void> check_instances(ByteView file, const ContainerTables& container) {
    const ByteView names = file.subspan(container.header.name_offset, container.header.name_size);
    // One search for the last NUL serves all names: every name that starts before it has an end.
    const auto last_nul = std::find(names.rbegin(), names.rend(), std::uint8_t{0});
    const auto end_of_names = static_cast<std::size_t>(names.rend() - last_nul);
    for (std::size_t i = 0; i < container.instances.size(); ++i) {
        const Instance& instance = container.instances[i];
        if (instance.has_data()) {
            TRY_VOID(check_instance_data(container, i));
        }
        if (instance.has_name() && instance.name_offset >= end_of_names) {
            return fail_instance(i, InstanceField::name_offset,
                                 "found " + std::to_string(instance.name_offset) + ", where the " +
                                     std::to_string(names.size()) +
                                     " bytes of names have no text with a NUL");
        }
    }
    return {};
}

/// Offsets in the data block; `end` is after the last byte.
struct Span {
    std::size_t start;
    std::size_t end;

    auto operator<=>(const Span&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 errs
};

Span span_of(const Instance& instance) {
    return {instance.data_offset - pre_header_bytes,
            instance.data_offset - pre_header_bytes + instance.data_size};
}

/// The spans that share bytes with a different span, in order. After sorting, only neighbours need to be
/// compared, so a level with thousands of instances does not need all pairs.
std::vector<Span> shared_spans(const std::vector<Instance>& instances) {
    std::vector<Span> spans;
    spans.reserve(instances.size());
    for (const Instance& instance : instances) {
        if (instance.has_data()) {
            spans.push_back(span_of(instance));
        }
    }
    std::ranges::sort(spans);
    spans.erase(std::unique(spans.begin(), spans.end()), spans.end());
    std::vector<Span> shared;
    std::size_t end_before = 0;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const bool next_begins_inside = i + 1 < spans.size() && spans[i + 1].start < spans[i].end;
        if (spans[i].start < end_before || next_begins_inside) {
            shared.push_back(spans[i]);
        }
        end_before = std::max(end_before, spans[i].end);
    }
    return shared;
}

Result<void> check_overlaps(const ContainerTables& container) {
    const std::vector<Span> shared = shared_spans(container.instances);
    const auto& all = container.instances;
    const auto is_shared = [&](const Instance& instance) {
        return instance.is_oban() && instance.has_data() &&
               std::ranges::binary_search(shared, span_of(instance));
    };
    const auto first = std::ranges::find_if(all, is_shared);
    if (shared.empty() || first == all.end()) {
        return {};
    }
    const Span span = span_of(*first);
    const auto other = std::ranges::find_if(all, [&](const Instance& instance) {
        return instance.has_data() && span_of(instance) != span && span_of(instance).start < span.end &&
               span.start < span_of(instance).end;
    });
    // An initializer list: std::minmax of two temporaries would return dangling references.
    const auto [low, high] = std::minmax({first - all.begin(), other - all.begin()});
    return fail_instance(static_cast<std::size_t>(high), InstanceField::data_offset,
                         "instances " + std::to_string(low) + " and " + std::to_string(high) +
                             " share a part of their bytes; allowed are all of them or none");
}

template <typename Row>
std::size_t copy_rows(ByteView file, std::size_t at, std::size_t count, std::vector<Row>& rows) {
    rows.resize(count);
    if (count > 0) {
        std::memcpy(rows.data(), file.data() + at, count * sizeof(Row));
    }
    return at + count * sizeof(Row);
}

}  // namespace

std::optional<std::string_view> ContainerTables::name_of(ByteView file, std::size_t instance,
                                                         std::size_t most) const {
    if (!instances[instance].has_name()) {
        return std::nullopt;
    }
    const std::string_view rest = text_of(file.subspan(header.name_offset, header.name_size))
                                      .substr(instances[instance].name_offset, most);
    return rest.substr(0, rest.find('\0'));
}

std::size_t ContainerTables::start_of(std::size_t instance) const {
    return header.data_offset + span_of(instances[instance]).start;
}

Result<Record> ContainerTables::record(ByteView file, std::size_t instance) const {
    const std::size_t size = instances[instance].data_size;
    if (size < head_bytes) {
        return fail_instance(instance, InstanceField::data_size,
                             "found " + std::to_string(size) + " bytes, an OBAN has " +
                                 std::to_string(head_bytes) + " at least");
    }
    return read_record(file, start_of(instance), size, "instances[" + std::to_string(instance) + "].");
}

std::size_t instance_at(std::size_t instance, InstanceField field) {
    return sizeof(ContainerHeader) + sizeof(Instance) * instance + 4 * static_cast<std::size_t>(field);
}

std::uint32_t version_of(ByteView file) {
    std::uint32_t version = 0;
    if (file.size() >= version_at + sizeof version) {
        std::memcpy(&version, file.data() + version_at, sizeof version);
    }
    return version;
}

Result<ContainerTables> read_container(ByteView file) {
    TRY(const auto header, read_header(file));
    TRY(const auto tables_end, checked_tables_end(header, file.size()));
    TRY_VOID(check_blocks(header, tables_end, file.size()));
    ContainerTables container{header, {}, {}, {}};
    std::size_t at = sizeof(ContainerHeader);
    at = copy_rows(file, at, header.instance_count, container.instances);
    at = copy_rows(file, at, header.name_count, container.names);
    copy_rows(file, at, header.template_count, container.templates);
    TRY_VOID(check_instances(file, container).and_then([&] { return check_overlaps(container); }));
    return container;
}

std::size_t count_sharing(const ContainerTables& tables, std::size_t instance) {
    const Instance& slot = tables.instances[instance];
    const auto& all = tables.instances;
    const auto same = std::ranges::count_if(all, [&](const Instance& other) {
        return other.has_data() && other.data_offset == slot.data_offset && other.data_size == slot.data_size;
    });
    return static_cast<std::size_t>(same) - 1;
}

ContainerTables with_growth(ContainerTables tables, std::size_t instance, std::uint32_t growth) {
    const std::uint32_t start = tables.instances[instance].data_offset;
    for (Instance& other : tables.instances) {
        if (other.has_data() && other.data_offset > start) {
            other.data_offset += growth;
        }
    }
    tables.instances[instance].data_size += growth;
    ContainerHeader& header = tables.header;
    header.data_size += growth;
    if (header.name_offset > header.data_offset) {
        header.name_offset += growth;
    }
    return tables;
}

Bytes write_tables(const ContainerTables& container) {
    ByteWriter writer(sizeof(ContainerHeader) + sizeof(Instance) * container.instances.size() +
                      sizeof(NameDescriptor) * container.names.size() +
                      sizeof(TemplateDescriptor) * container.templates.size());
    writer.write(container.header);
    writer.write_array(std::span(container.instances));
    writer.write_array(std::span(container.names));
    writer.write_array(std::span(container.templates));
    return writer.take();
}

}  // namespace animbridge::oban::file

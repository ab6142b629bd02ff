// SPDX-License-Identifier: MIT
#include "formats/oban/oni.h"

#include <algorithm>
#include <limits>

#include "base/paths.h"
#include "base/text.h"
#include "formats/oban/container.h"
#include "formats/oban/record.h"
#include "formats/oban/write.h"

namespace animbridge::oban {

namespace {

/// The index of the OBAN of a stand-alone file: the first one with data.
Result<std::size_t> record_index(const ContainerTables& container) {
    const auto& all = container.instances;
    if (all.empty()) {
        return fail_at(ErrorCode::bad_value, "instance_count", 0x14, "found 0, a .oni has one at least");
    }
    const auto found = std::find_if(all.begin(), all.end(),
                                    [](const Instance& row) { return row.is_oban() && row.has_data(); });
    if (found != all.end()) {
        return static_cast<std::size_t>(found - all.begin());
    }
    const bool has_placeholder =
        std::any_of(all.begin(), all.end(), [](const Instance& row) { return row.is_oban(); });
    if (has_placeholder) {
        return fail_at(ErrorCode::bad_value, "instances[0].data_size",
                       instance_at(0, InstanceField::data_size),
                       "found a placeholder; the file holds no OBAN with data");
    }
    return fail_at(ErrorCode::bad_value, "instances[0].tag", instance_at(0, InstanceField::tag),
                   "found another kind of instance; the file holds no OBAN");
}

tl::unexpected<Error> fail_stored_name(std::string_view name, std::string_view allowed) {
    constexpr std::size_t longest_shown = 80;
    Error error{ErrorCode::invalid_argument, "found \"" + without_controls(shortened(name, longest_shown)) +
                                                 "\", allowed " + std::string(allowed)};
    error.field = "name";
    return tl::unexpected<Error>(std::move(error));
}

int hex_value(char digit) {
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    const char lower = digit >= 'A' && digit <= 'F' ? static_cast<char>(digit - 'A' + 'a') : digit;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

Bytes bytes_of(ByteView bytes) { return {bytes.begin(), bytes.end()}; }

/// All bytes of a new file before its record.
Bytes bytes_before(const std::string& stored, std::size_t record_size) {
    constexpr std::size_t names_at = aligned(sizeof(ContainerHeader) + sizeof(Instance));
    ContainerTables container;
    container.header.instance_count = 1;
    container.header.name_offset = names_at;
    container.header.name_size = static_cast<std::uint32_t>(stored.size() + 1);
    container.header.data_offset = static_cast<std::uint32_t>(aligned(names_at + stored.size() + 1));
    container.header.data_size = static_cast<std::uint32_t>(record_size);
    Instance instance;
    instance.data_offset = pre_header_bytes;
    instance.data_size = container.header.data_size;
    container.instances.push_back(instance);
    Bytes before = write_tables(container);
    before.resize(container.header.data_offset);
    std::copy(stored.begin(), stored.end(), before.begin() + names_at);
    return before;
}

}  // namespace

Result<std::string> stored_name(std::string_view name) {
    const bool is_tagged = name.substr(0, tag_name.size()) == tag_name;
    const std::string stored = (is_tagged ? "" : std::string(tag_name)) + std::string(name);
    const bool is_printable =
        std::all_of(stored.begin(), stored.end(), [](char c) { return c >= ' ' && c <= '~'; });
    if (!is_printable) {
        return fail_stored_name(name, "are printable ASCII characters");
    }
    if (stored.size() <= tag_name.size() || stored.size() > max_name) {
        return fail_stored_name(name, "are 1 to " + std::to_string(max_name - tag_name.size()) +
                                          " characters after the tag OBAN");
    }
    return stored;
}

std::string_view without_tag(std::string_view stored) {
    return stored.substr(0, tag_name.size()) == tag_name ? stored.substr(tag_name.size()) : stored;
}

std::string name_of_file(std::string_view path) {
    path = name_in_path(path);
    path = path.substr(0, path.find_last_of('.'));
    std::string name;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const int high = path[i] == '%' && i + 2 < path.size() ? hex_value(path[i + 1]) : -1;
        const int low = high >= 0 ? hex_value(path[i + 2]) : -1;
        name += low >= 0 ? static_cast<char>(high * 16 + low) : path[i];
        i += low >= 0 ? 2 : 0;
    }
    return std::string(without_tag(name));
}

Result<Document> read_oni(ByteView file) {
    TRY(const auto container, read_container(file));
    TRY(const auto index, record_index(container));
    TRY(auto record, container.record(file, index));
    const std::size_t start = container.start_of(index);
    const std::size_t end = start + container.instances[index].data_size;
    const std::string_view name = container.name_of(file, index).value_or("");
    return Document{Container::oni, std::string(without_tag(name)), std::move(record),
                    bytes_of(file.first(start)), bytes_of(file.subspan(end))};
}

Result<Document> new_oni(Record record, std::string_view name) {
    TRY(const auto stored, stored_name(name));
    if (record.keys.size() > max_stored_keys) {
        return fail(ErrorCode::bad_value, "found " + std::to_string(record.keys.size()) +
                                              " keys, allowed are " + std::to_string(max_stored_keys));
    }
    record.res_id = 1;
    record.lev_id = 0;
    const std::size_t size = record_bytes(record);
    return Document{
        Container::oni, std::string(without_tag(stored)), std::move(record), bytes_before(stored, size), {}};
}

std::optional<Document> resized(const Document& document, Record record) {
    const Bytes file = write(document);
    const auto container = read_container(file);
    const auto index = container ? record_index(*container) : tl::unexpected<Error>(container.error());
    if (!index || count_sharing(*container, *index) > 0 || record.keys.size() > max_stored_keys) {
        return std::nullopt;
    }
    const std::size_t growth = record_bytes(record) - record_bytes(document.record);
    if (growth % block_alignment != 0 || file.size() + growth > std::numeric_limits<std::uint32_t>::max()) {
        return std::nullopt;
    }
    ContainerTables tables = with_growth(*container, *index, static_cast<std::uint32_t>(growth));
    ContainerHeader& header = tables.header;
    if (header.raw_offset >= document.before.size() + record_bytes(document.record) &&
        header.raw_offset <= file.size()) {
        header.raw_offset += static_cast<std::uint32_t>(growth);
    }
    Document made{document.container, document.name, std::move(record), document.before, document.after};
    // Data never overlaps the tables, so the tables do not move.
    const Bytes written = write_tables(tables);
    std::copy(written.begin(), written.end(), made.before.begin());
    return made;
}

}  // namespace animbridge::oban

// SPDX-License-Identifier: MIT
#include "formats/oban/file/file.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/files/files.h"

namespace animbridge::oban::file {

namespace {

/// The first 0x80 bytes as in the file.
struct StoredHead {
    std::uint32_t res_id = 0;
    std::uint32_t lev_id = 0;
    std::array<std::uint8_t, 12> padding{};
    std::uint32_t flags = 0;
    Matrix initial{};
    Matrix base{};
    std::uint16_t frame_length = 0;
    std::uint16_t frame_count = 0;
    std::uint16_t half_stop_frame = 0;
    std::uint16_t key_count = 0;
};
static_assert(sizeof(StoredHead) == head_bytes && std::is_trivially_copyable_v<StoredHead>);

struct HeadField {
    std::string_view name;
    std::size_t at;
    std::size_t bytes;
};

constexpr std::array<HeadField, 10> head_fields = {{{"res_id", 0x00, 4},
                                                    {"lev_id", 0x04, 4},
                                                    {"padding", 0x08, 12},
                                                    {"flags", 0x14, 4},
                                                    {"initial_transform", 0x18, 48},
                                                    {"base_transform", 0x48, 48},
                                                    {"frame_length", 0x78, 2},
                                                    {"frame_count", 0x7a, 2},
                                                    {"half_stop_frame", 0x7c, 2},
                                                    {"key_count", key_count_at, 2}}};

tl::unexpected<Error> cut_head(std::size_t start, std::size_t size, const std::string& path) {
    const auto* const field =
        std::ranges::find_if(head_fields, [&](const HeadField& f) { return f.at + f.bytes > size; });
    const std::size_t left = size > field->at ? size - field->at : 0;
    return fail_at(ErrorCode::truncated, path + std::string(field->name), start + field->at,
                   "needs " + std::to_string(field->bytes) + " bytes, " + std::to_string(left) + " are left");
}

StoredHead head_at(ByteView bytes) {
    StoredHead head;
    std::memcpy(&head, bytes.data(), sizeof head);
    return head;
}

}  // namespace

Result<Record> read_record(ByteView file, std::size_t start, std::size_t size, const std::string& path) {
    const ByteView bytes = file.subspan(start, size);
    if (size < head_bytes) {
        return cut_head(start, size, path);
    }
    const StoredHead head = head_at(bytes);
    const std::size_t room = (size - head_bytes) / sizeof(Key);
    if (head.key_count > room) {
        return fail_at(ErrorCode::truncated, path + "key_count", start + key_count_at,
                       "found " + std::to_string(head.key_count) + " keys, but the " +
                           std::to_string(size - head_bytes) + " bytes that are left hold " +
                           std::to_string(room) + " at most");
    }
    Record record{head.res_id, head.lev_id,       head.padding,     head.flags,           head.initial,
                  head.base,   head.frame_length, head.frame_count, head.half_stop_frame, {},
                  {}};
    record.keys.resize(head.key_count);
    const ByteView keys = bytes.subspan(head_bytes, sizeof(Key) * head.key_count);
    if (!keys.empty()) {
        std::memcpy(record.keys.data(), keys.data(), keys.size());
    }
    const ByteView tail = bytes.subspan(head_bytes + keys.size());
    record.tail.assign(tail.begin(), tail.end());
    return record;
}

Result<Record> read_raw(ByteView file) {
    auto record = read_record(file, 0, file.size(), "");
    if (record && !record->tail.empty()) {
        return fail_at(ErrorCode::bad_value, "key_count", key_count_at,
                       "found " + std::to_string(record->keys.size()) + " keys, which make " +
                           std::to_string(file.size() - record->tail.size()) + " bytes, not the " +
                           std::to_string(file.size()) + " of the file; a raw record has no others");
    }
    return record;
}

bool has_raw_size(ByteView file) {
    return file.size() >= head_bytes && file.size() == head_bytes + sizeof(Key) * head_at(file).key_count;
}

bool looks_like_raw(ByteView file) {
    if (file.size() < head_bytes + sizeof(Key)) {
        return false;
    }
    Key first;
    std::memcpy(&first, file.data() + head_bytes, sizeof first);
    double square = 0;
    for (const RawFloat part : first.rotation) {
        square += static_cast<double>(part.value()) * static_cast<double>(part.value());
    }
    // A smaller deviation is a finding; bytes of other formats deviate more.
    return has_raw_size(file) && square > 0.25 && square < 4.0;
}

bool may_be_raw(ByteView file) {
    constexpr std::array<std::uint8_t, 4> alone = {1, 0, 0, 0};
    return file.size() >= alone.size() && std::equal(alone.begin(), alone.end(), file.begin());
}

std::size_t record_bytes(const Record& record) {
    return head_bytes + sizeof(Key) * record.keys.size() + record.tail.size();
}

void append_record(ByteWriter& writer, const Record& record) {
    writer.write(StoredHead{record.res_id, record.lev_id, record.padding, record.flags, record.initial,
                            record.base, record.frame_length, record.frame_count, record.half_stop_frame,
                            static_cast<std::uint16_t>(record.keys.size())});
    writer.write_array(std::span(record.keys));
    writer.write_array(std::span(record.tail));
}

Bytes write_record(const Record& record) {
    ByteWriter writer(record_bytes(record));
    append_record(writer, record);
    return writer.take();
}

namespace {

/// The index of the OBAN of a stand-alone file: the first one with data.
Result<std::size_t> record_index(const ContainerTables& container) {
    const auto& all = container.instances;
    if (all.empty()) {
        return fail_at(ErrorCode::bad_value, "instance_count", 0x14, "found 0, a .oni has one at least");
    }
    const auto found =
        std::ranges::find_if(all, [](const Instance& row) { return row.is_oban() && row.has_data(); });
    if (found != all.end()) {
        return static_cast<std::size_t>(found - all.begin());
    }
    const bool has_placeholder = std::ranges::any_of(all, [](const Instance& row) { return row.is_oban(); });
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
    return fail(
        ErrorCode::invalid_argument,
        "found \"" + without_controls(shortened(name, longest_shown)) + "\", allowed " + std::string(allowed),
        "name");
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
    std::ranges::copy(stored, before.begin() + names_at);
    return before;
}

}  // namespace

Result<std::string> stored_name(std::string_view name) {
    const bool is_tagged = name.substr(0, tag_name.size()) == tag_name;
    const std::string stored = (is_tagged ? "" : std::string(tag_name)) + std::string(name);
    const bool is_printable = std::ranges::all_of(stored, [](char c) { return c >= ' ' && c <= '~'; });
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
    std::ranges::copy(written, made.before.begin());
    return made;
}

namespace {

/// A raw record may begin with any res_id, even "<Oni", but a text does not have a record's size.
bool is_xml(ByteView file) { return looks_like_xml(file) && !has_raw_size(file); }

}  // namespace

bool sniff(ByteView file) {
    const std::uint32_t version = version_of(file);
    if (version == oni_version || version == unseen_version) {
        return true;
    }
    if (is_xml(file)) {
        constexpr std::size_t looked_at = 4096;
        const std::string_view head = text_of(file.first(std::min(file.size(), looked_at)));
        return head.find("OBAN") != std::string_view::npos;
    }
    return looks_like_raw(file);
}

Result<Document> read(ByteView file) {
    const std::uint32_t version = version_of(file);
    if (version == unseen_version) {
        return fail_at(ErrorCode::unsupported_version, "version", version_at,
                       "found VR33, which OniX is said to write and no public file shows; allowed is VR32");
    }
    if (version == level_version) {
        return fail_at(ErrorCode::unsupported_version, "version", version_at,
                       "found VR31: a level, which may hold many animations; allowed is VR32");
    }
    if (version == oni_version) {
        return read_oni(file);
    }
    if (is_xml(file)) {
        return read_xml(file);
    }
    return read_raw(file).map([](Record record) {
        return Document{Container::raw, {}, std::move(record), {}, {}};
    });
}

Bytes write(const Document& document) {
    if (document.container == Container::xml) {
        return write_xml(document.record);
    }
    if (document.container == Container::raw) {
        return write_record(document.record);
    }
    ByteWriter writer(document.before.size() + record_bytes(document.record) + document.after.size());
    writer.write_array(std::span(document.before));
    append_record(writer, document.record);
    writer.write_array(std::span(document.after));
    return writer.take();
}

}  // namespace animbridge::oban::file

// SPDX-License-Identifier: MIT
#include "formats/scene_file/gltf/parts.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace animbridge::scene_file::gltf {

namespace {

/// The most values without data: more are a mistake, or an attempt to fill the memory.
constexpr std::uint64_t most_zeros = 1U << 20U;

struct ComponentType {
    std::uint32_t code = 0;
    std::size_t size = 0;
    double most = 0;  ///< the divisor of normalised integers
};

constexpr std::array component_types{ComponentType{5120, 1, 127},          ComponentType{5121, 1, 255},
                                     ComponentType{5122, 2, 32767},        ComponentType{5123, 2, 65535},
                                     ComponentType{5125, 4, 4294967295.0}, ComponentType{5126, 4, 0}};
constexpr std::uint32_t type_float = 5126;

const ComponentType* component_type(const Json& code) {
    const auto number = index_in(code);
    const auto* const found = std::ranges::find_if(
        component_types, [&](const ComponentType& type) { return number && type.code == *number; });
    return found == component_types.end() ? nullptr : &*found;
}

/// 0: an unsupported kind.
std::size_t width_of(std::string_view type) {
    constexpr std::array<std::pair<std::string_view, std::size_t>, 4> widths{
        {{"SCALAR", 1}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}}};
    const auto* const found =
        std::ranges::find_if(widths, [&](const auto& width) { return width.first == type; });
    return found == widths.end() ? 0 : found->second;
}

bool is_true(const Json& value) { return value.is_boolean() && value.get<bool>(); }

/// A size; 0 if there is none. nullopt: the value is not a size.
std::optional<std::uint64_t> size_in(const Json& value) {
    if (value.is_null()) {
        return 0;
    }
    return value.is_number_unsigned() ? std::optional(value.get<std::uint64_t>()) : std::nullopt;
}

template <typename Raw>
double number_at(const std::uint8_t* at) {
    Raw raw{};
    std::memcpy(&raw, at, sizeof raw);
    return static_cast<double>(raw);
}

using NumberAt = double (*)(const std::uint8_t*);

NumberAt reader_of(std::uint32_t code) {
    switch (code) {
        case 5120:
            return &number_at<std::int8_t>;
        case 5121:
            return &number_at<std::uint8_t>;
        case 5122:
            return &number_at<std::int16_t>;
        case 5123:
            return &number_at<std::uint16_t>;
        case 5125:
            return &number_at<std::uint32_t>;
        default:
            return &number_at<float>;
    }
}

/// How a buffer view is compressed; null if it is not.
const Json& packing_of(const Json& view) {
    const Json& extensions = member(view, "extensions");
    const Json& packing = member(extensions, "KHR_meshopt_compression");
    return packing.is_null() ? member(extensions, "EXT_meshopt_compression") : packing;
}

tl::unexpected<Error> leads_out(const std::string& what) {
    return fail(ErrorCode::bad_value, what + " leads out of its data");
}

}  // namespace

struct GltfBuffers::Rows {
    const std::uint8_t* first = nullptr;
    std::size_t stride = 0;
    std::size_t count = 0;
    std::size_t width = 1;
    std::uint32_t code = type_float;  ///< the type of a component
    std::size_t size = sizeof(float);
    double divisor = 0;  ///< for normalised integers; 0: none

    /// Row after row.
    void read(double* into) const {
        if (code == type_float) {
            for (std::size_t row = 0; row < count; ++row) {
                for (std::size_t i = 0; i < width; ++i) {
                    *into++ = number_at<float>(first + row * stride + i * sizeof(float));
                }
            }
            return;
        }
        const NumberAt number = reader_of(code);
        for (std::size_t row = 0; row < count; ++row) {
            for (std::size_t i = 0; i < width; ++i) {
                const double value = number(first + row * stride + i * size);
                *into++ = divisor > 0 ? std::max(value / divisor, -1.0) : value;
            }
        }
    }
};

struct GltfBuffers::Shape {
    const Json& component_type;
    std::size_t width = 0;  ///< 0: an unsupported kind
    const Json& count;
    bool is_normalised = false;
};

Result<Bytes> GltfBuffers::load_side_file(const std::string& path) {
    const auto size = side_files_.size_of(path);
    if (size) {
        TRY_VOID(room_.take(*size));
    }
    auto bytes = size ? side_files_.read(path) : std::nullopt;
    return bytes
               ? Result<Bytes>(std::move(*bytes))
               : fail(ErrorCode::bad_value,
                      "the file \"" + path + "\", which holds the data, is not beside it, or can't be read");
}

Result<Bytes> GltfBuffers::load_buffer(std::uint32_t index) {
    const Json& from = item(member(file_.json, "buffers"), index);
    const std::string name = "buffer " + std::to_string(index);
    const std::string uri = text_in(member(from, "uri"));
    if (uri.empty()) {
        return fail(ErrorCode::bad_value, name + " is not in the file");
    }
    if (is_data_uri(uri)) {
        auto bytes = bytes_of_data_uri(uri);
        return bytes ? Result<Bytes>(std::move(*bytes))
                     : fail(ErrorCode::bad_value, name + " is not data in base64");
    }
    return load_side_file(percent_decoded(uri));
}

Result<ByteView> GltfBuffers::buffer(std::uint32_t index) {
    if (index == 0 && !file_.chunk.empty() &&
        !member(item(member(file_.json, "buffers"), 0), "uri").is_string()) {
        return file_.chunk;
    }
    auto found = loaded_.find(index);
    if (found == loaded_.end()) {
        TRY(Bytes bytes, load_buffer(index));
        found = loaded_.emplace(index, std::move(bytes)).first;
    }
    return ByteView(found->second);
}

/// `place` has the buffer, the offset and the length.
Result<ByteView> GltfBuffers::slice(const Json& place, const std::string& what) {
    const auto buffer_index = index_in(member(place, "buffer"));
    if (!buffer_index) {
        return fail(ErrorCode::bad_value, what + " has no buffer view");
    }
    TRY(const ByteView bytes, buffer(*buffer_index));
    const auto at = size_in(member(place, "byteOffset"));
    const auto size = size_in(member(place, "byteLength"));
    // Compared in a way that cannot overflow.
    if (!at || !size || *at > bytes.size() || *size > bytes.size() - *at) {
        return leads_out(what);
    }
    return bytes.subspan(*at, *size);
}

Result<Bytes> GltfBuffers::unpacked(const Json& view, const Json& packing, const std::string& what) {
    TRY(const ByteView packed, slice(packing, what));
    const auto size = size_in(member(view, "byteLength"));
    const auto count = size_in(member(packing, "count"));
    const auto stride = size_in(member(packing, "byteStride"));
    if (!size || !count || !stride || *stride == 0 || *size % *stride != 0 || *size / *stride != *count ||
        *size / most_meshopt_growth > packed.size()) {
        return leads_out(what);
    }
    TRY_VOID(room_.take(*size));
    Bytes bytes(*size);
    const std::string mode = text_in(member(packing, "mode"));
    const std::string filter = text_in(member(packing, "filter"));
    const auto done = decode_meshopt({mode, filter, *count, *stride}, packed, bytes.data());
    if (!done) {
        return fail(ErrorCode::bad_value,
                    what + " is compressed, and cannot be read: " + done.error().reason);
    }
    return bytes;
}

Result<ByteView> GltfBuffers::view_bytes(std::uint32_t index, const std::string& what) {
    const Json& view = item(member(file_.json, "bufferViews"), index);
    const Json& packing = packing_of(view);
    if (packing.is_null()) {
        return slice(view, what);
    }
    auto found = unpacked_.find(index);
    if (found == unpacked_.end()) {
        TRY(Bytes bytes, unpacked(view, packing, what));
        found = unpacked_.emplace(index, std::move(bytes)).first;
    }
    return ByteView(found->second);
}

/// `place` has the buffer view and the offset.
Result<GltfBuffers::Rows> GltfBuffers::rows_of(const Json& place, const Shape& shape,
                                               const std::string& what) {
    const std::uint32_t view = index_in(member(place, "bufferView")).value_or(UINT32_MAX);
    TRY(const ByteView bytes, view_bytes(view, what));
    const ComponentType* const type = component_type(shape.component_type);
    const auto count = size_in(shape.count);
    const auto at = size_in(member(place, "byteOffset"));
    const auto stride = size_in(member(item(member(file_.json, "bufferViews"), view), "byteStride"));
    if (type == nullptr || shape.width == 0 || !count || !at || !stride) {
        return fail(ErrorCode::bad_value, what + " is of a kind that is not read");
    }
    const std::size_t row_size = shape.width * type->size;
    Rows rows{nullptr, *stride > 0 ? *stride : row_size, *count, shape.width, type->code, type->size};
    rows.divisor = shape.is_normalised ? type->most : 0;
    if (*at > bytes.size()) {
        return leads_out(what);
    }
    const std::uint64_t room = bytes.size() - *at;
    if (*count > 0 && (room < row_size || (room - row_size) / rows.stride < *count - 1)) {
        return leads_out(what);
    }
    rows.first = bytes.data() + *at;
    return rows;
}

Result<std::vector<double>> GltfBuffers::values_of(const Rows& rows) {
    const std::uint64_t count = std::uint64_t{rows.count} * rows.width;
    TRY_VOID(room_.take(count * sizeof(double)));
    std::vector<double> values(count);
    rows.read(values.data());
    return values;
}

Result<void> GltfBuffers::put_sparse(const Json& accessor, const std::string& what, GltfNumbers& numbers) {
    const Json& sparse = member(accessor, "sparse");
    const Json& count = member(sparse, "count");
    const Json& indices = member(sparse, "indices");
    TRY(const Rows index_rows, rows_of(indices, {member(indices, "componentType"), 1, count, false}, what));
    TRY(const Rows rows, rows_of(member(sparse, "values"),
                                 {member(accessor, "componentType"), numbers.width, count,
                                  is_true(member(accessor, "normalized"))},
                                 what));
    TRY(const auto places, values_of(index_rows));
    TRY(const auto replacing, values_of(rows));
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (!(places[i] >= 0) || !(places[i] < static_cast<double>(numbers.count()))) {
            return fail(ErrorCode::bad_value, what + " replaces a row that it does not have");
        }
        const auto row = static_cast<std::size_t>(places[i]);
        std::copy_n(replacing.begin() + static_cast<std::ptrdiff_t>(i * rows.width), rows.width,
                    numbers.values.begin() + static_cast<std::ptrdiff_t>(row * rows.width));
    }
    return {};
}

Result<GltfNumbers> GltfBuffers::numbers(std::uint32_t accessor) {
    const Json& from = item(member(file_.json, "accessors"), accessor);
    const std::string what = "accessor " + std::to_string(accessor);
    if (!from.is_object()) {
        return fail(ErrorCode::bad_value, what + " is not there");
    }
    GltfNumbers numbers;
    numbers.width = width_of(text_in(member(from, "type")));
    const Json& count = member(from, "count");
    if (member(from, "bufferView").is_null()) {
        const auto rows = size_in(count);
        if (numbers.width == 0 || !rows || *rows > most_zeros) {
            return fail(ErrorCode::bad_value, what + " has no data");
        }
        TRY_VOID(room_.take(*rows * numbers.width * sizeof(double)));
        numbers.values.resize(*rows * numbers.width);
    } else {
        TRY(const Rows rows, rows_of(from,
                                     {member(from, "componentType"), numbers.width, count,
                                      is_true(member(from, "normalized"))},
                                     what));
        TRY(numbers.values, values_of(rows));
    }
    if (!member(from, "sparse").is_null()) {
        TRY_VOID(put_sparse(from, what, numbers));
    }
    return numbers;
}

namespace {

int hex_digit(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    // RFC 4648 has two alphabets, which differ in these characters.
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

}  // namespace

std::optional<Bytes> bytes_of_data_uri(std::string_view uri) {
    const std::size_t comma = uri.find(',');
    if (!is_data_uri(uri) || comma == std::string_view::npos || !uri.substr(0, comma).ends_with(";base64")) {
        return std::nullopt;
    }
    uri.remove_prefix(comma + 1);
    while (uri.ends_with('=')) {
        uri.remove_suffix(1);
    }
    Bytes bytes;
    bytes.reserve(uri.size() / 4 * 3 + 3);
    std::uint32_t bits = 0;
    unsigned count = 0;
    for (const char c : uri) {
        const int digit = base64_digit(c);
        if (digit < 0) {
            return std::nullopt;
        }
        bits = (bits << 6U) | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes.push_back(static_cast<std::uint8_t>(bits >> count));
        }
    }
    return bytes;
}

std::string percent_decoded(std::string_view uri) {
    std::string result;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        const bool is_code =
            uri[i] == '%' && i + 2 < uri.size() && hex_digit(uri[i + 1]) >= 0 && hex_digit(uri[i + 2]) >= 0;
        result.push_back(is_code ? static_cast<char>(16 * hex_digit(uri[i + 1]) + hex_digit(uri[i + 2]))
                                 : uri[i]);
        i += is_code ? 2 : 0;
    }
    return result;
}

}  // namespace animbridge::scene_file::gltf

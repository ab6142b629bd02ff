// SPDX-License-Identifier: MIT
#include "convert/convert.h"

#include <algorithm>

#include "base/file.h"
#include "convert/foreign.h"

namespace animbridge {

namespace {

std::string extension_of(std::string_view path) {
    const std::size_t name = path.find_last_of('/') + 1;
    const std::size_t dot = path.find_last_of('.');
    std::string extension(dot == std::string_view::npos || dot < name ? "" : path.substr(dot));
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return extension;
}

const Format* format_of_extension(std::string_view extension) {
    const auto rows = formats();
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const Format& format) {
        return std::find(format.extensions.begin(), format.extensions.end(), extension) !=
               format.extensions.end();
    });
    return found == rows.end() ? nullptr : &*found;
}

std::string known_formats() {
    std::string text;
    for (const Format& format : formats()) {
        for (const std::string_view extension : format.extensions) {
            text +=
                (text.empty() ? "" : ", ") + std::string(format.title) + " (" + std::string(extension) + ")";
        }
    }
    return text + ", and AnimBridge JSON (.json)";
}

bool looks_like_json(ByteView bytes) {
    const auto first = std::find_if(bytes.begin(), bytes.end(), [](std::uint8_t c) {
        return c != ' ' && c != '\n' && c != '\r' && c != '\t';
    });
    return first != bytes.end() && *first == '{';
}

Result<DocumentPtr> read_json_document(ByteView bytes) {
    auto json = parse_json(text_of(bytes));
    if (!json) {
        return tl::unexpected<Error>(std::move(json.error()));
    }
    const auto id = json->find("format");
    const Format* format =
        id != json->end() && id->is_string() ? find_format(id->get_ref<const std::string&>()) : nullptr;
    if (format == nullptr) {
        return json_fail("format", id == json->end() ? Json(nullptr) : *id,
                         "the id of a format, as `animbridge formats` lists them");
    }
    return format->from_json(*json);
}

/// What the file is instead, for a message.
std::string guess_of(ByteView bytes) {
    if (bytes.empty()) {
        return "the file is empty";
    }
    if (const std::string_view kind = foreign_kind(bytes); !kind.empty()) {
        return "this looks like " + std::string(kind);
    }
    const std::string_view text = text_of(bytes.first(std::min<std::size_t>(bytes.size(), 8)));
    return "the content begins with the bytes " + hex_of(text);
}

Result<DocumentPtr> read_any(ByteView bytes, std::string_view format_id, std::string_view name) {
    if (!format_id.empty()) {
        const Format* format = find_format(format_id);
        if (format == nullptr) {
            return fail(ErrorCode::invalid_argument, "unknown format \"" + std::string(format_id) + "\"");
        }
        return format->read(bytes);
    }
    const auto rows = formats();
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const Format& format) { return format.sniff(bytes); });
    if (found != rows.end()) {
        return found->read(bytes);
    }
    if (looks_like_json(bytes)) {
        return read_json_document(bytes);
    }
    // The name says what it should be: that format tells what is wrong with it.
    if (const Format* named = format_of_extension(extension_of(name))) {
        return named->read(bytes).map_error([&](Error error) {
            error.code =
                error.code == ErrorCode::unsupported_version ? error.code : ErrorCode::unknown_format;
            error.reason = foreign_kind(bytes).empty()
                               ? guess_of(bytes) + "; " + error.reason
                               : guess_of(bytes) + "; allowed here is: " + std::string(named->title);
            return error;
        });
    }
    return fail(ErrorCode::unknown_format, guess_of(bytes) + "; readable are " + known_formats());
}

}  // namespace

Result<DocumentPtr> read_document(ByteView bytes, std::string_view format_id, const std::string& name) {
    return read_any(bytes, format_id, name).map_error([&](Error error) {
        return in_file(std::move(error), name);
    });
}

std::string json_of(const AnyDocument& document) { return print_json(document.to_json()); }

Result<Json> convert_file(const std::string& input, const std::string& output,
                          const ConvertOptions& options) {
    const std::string extension = extension_of(output);
    const Format* target = format_of_extension(extension);
    if (target == nullptr && extension != ".json") {
        return fail(ErrorCode::invalid_argument,
                    output + ": unknown extension \"" + extension + "\"; writable are " + known_formats());
    }
    const auto bytes = read_file(input);
    if (!bytes) {
        return tl::unexpected<Error>(bytes.error());
    }
    auto document = read_document(*bytes, options.input_format, input);
    if (document && options.edits != Json::object()) {
        document = (*document)->edited(options.edits);
    }
    if (document && options.as_stored) {
        document = (*document)->as_stored();
    }
    if (!document) {
        return tl::unexpected<Error>(in_file(std::move(document.error()), input));
    }
    if (target != nullptr && target != &(*document)->format()) {
        return fail(ErrorCode::invalid_argument, "no way from " + std::string((*document)->format().title) +
                                                     " to " + std::string(target->title));
    }
    const std::string json = target == nullptr ? json_of(**document) : "";
    const Bytes written = target == nullptr ? Bytes(json.begin(), json.end()) : (*document)->write();
    if (auto done = write_file(output, written); !done) {
        return tl::unexpected<Error>(std::move(done.error()));
    }
    return Json{{"input", json_text(input)},
                {"output", json_text(output)},
                {"input_format", (*document)->format().id},
                {"output_format", target == nullptr ? "json" : target->id},
                {"bytes_in", bytes->size()},
                {"bytes_out", written.size()}};
}

}  // namespace animbridge

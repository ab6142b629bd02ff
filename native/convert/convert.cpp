// SPDX-License-Identifier: MIT
#include "convert/convert.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "base/files/files.h"
#include "convert/foreign.h"
#include "convert/retarget/retarget.h"
#include "editing/editing.h"
#include "formats/registry.h"
#include "model/findings/findings.h"
#include "model/format/format.h"

namespace animbridge {

namespace fs = std::filesystem;

namespace {

Result<DocumentPtr> read_json_document(ByteView bytes) {
    TRY(auto json, parse_json(text_of(bytes)));
    const auto id = json.find("format");
    const Format* format =
        id != json.end() && id->is_string() ? find_format(id->get<std::string_view>()) : nullptr;
    if (format == nullptr) {
        const Json none;
        return json_fail("format", id == json.end() ? none : *id,
                         "the id of a format, as `animbridge formats` lists them");
    }
    return format->file.from_json(json);
}

/// For messages: what the file seems to be.
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

/// The format of the bytes, by its id or from the content; nullptr for AnimBridge's JSON of any format.
Result<const Format*> recognise(ByteView bytes, std::string_view format_id, std::string_view name) {
    if (!format_id.empty()) {
        const Format* format = find_format(format_id);
        if (format == nullptr) {
            return fail(ErrorCode::invalid_argument, "unknown format \"" + std::string(format_id) + "\"");
        }
        return format;
    }
    const Format* named = format_of_extension(extension_of(name));
    if (named != nullptr && named->file.may_be != nullptr && named->file.may_be(bytes)) {
        return named;
    }
    const auto rows = formats();
    const auto found = std::find_if(rows.rbegin(), rows.rend(),
                                    [&](const Format& format) { return format.file.sniff(bytes); });
    if (found != rows.rend()) {
        return &found->get();
    }
    if (looks_like_json(bytes)) {
        return nullptr;
    }
    return fail(ErrorCode::unknown_format, guess_of(bytes) + "; readable are " + known_formats(false));
}

/// The formats that have this format's extension too, and it.
std::string titles_with(const Format& named, std::string_view name) {
    std::string text(named.title);
    for (const Format& format : formats()) {
        const bool is_other = &format != &named && has_extension(format, extension_of(name));
        text += is_other ? ", " + std::string(format.title) : "";
    }
    return text;
}

/// Reads the bytes as the format of the file's extension, for its error message.
Result<DocumentPtr> read_as_named(const Format& named, const FileInput& file) {
    const ByteView bytes = file.bytes;
    return named.file.read(file).map_error([&](Error error) {
        const bool ends_early = error.code == ErrorCode::truncated && !bytes.empty();
        const bool keeps_code =
            error.code == ErrorCode::unsupported_version || error.code == ErrorCode::cancelled;
        error.code = keeps_code ? error.code : ErrorCode::unknown_format;
        const bool is_known = !foreign_kind(bytes).empty();
        const bool is_other_xml = !is_known && text_of(bytes).starts_with('<') && error.line < 0;
        if (is_known || is_other_xml || bytes.empty()) {
            // Not this format at all: none of its fields is at fault.
            const std::string guess =
                is_other_xml ? "this looks like XML of another program" : guess_of(bytes);
            return Error{error.code, guess + "; allowed here is: " + titles_with(named, file.path)};
        }
        const std::string start = hex_of(text_of(bytes.first(std::min<std::size_t>(bytes.size(), 8))));
        if (error.reason.find("found " + start) == std::string::npos) {
            error.reason = (ends_early ? "the file is too short" : guess_of(bytes)) + "; " + error.reason;
        }
        return error;
    });
}

/// The document with the requested animation.
Result<DocumentPtr> with_animation(DocumentPtr document, const std::string& animation) {
    if (animation.empty()) {
        return document;
    }
    const Format& format = document->format();
    if (format.edit.with_animation == nullptr && format.level.child != nullptr) {
        return format.level.child(*document, animation);
    }
    if (format.edit.with_animation == nullptr) {
        Error error{ErrorCode::invalid_argument,
                    "names one of several animations, and " + std::string(format.noun) + " holds only one"};
        error.field = "animation";
        return fail(in_request(std::move(error)));
    }
    return format.edit.with_animation(*document, animation);
}

Result<DocumentPtr> part_of(Result<DocumentPtr> document, const Trim& trim) {
    if (trim.empty() || !document) {
        return document;
    }
    const Format& format = (*document)->format();
    if (format.edit.trimmed == nullptr) {
        const bool holds_several = format.level.child != nullptr;
        Error error{ErrorCode::invalid_argument,
                    std::string(format.noun) + (holds_several
                                                    ? " holds several animations: name one of them (command: "
                                                      "FILE#NAME), and trim that"
                                                    : " has no time, so there is no part to take")};
        error.field = "trim";
        return fail(in_request(std::move(error)));
    }
    return format.edit.trimmed(**document, trim);
}

/// `format`: the result of recognise for the bytes.
Result<DocumentPtr> read_recognised(const Result<const Format*>& format, ByteView bytes,
                                    std::string_view name, const ReadOptions& reading) {
    if (format) {
        return *format == nullptr ? read_json_document(bytes) : (*format)->file.read({bytes, reading, name});
    }
    const Format* named = format_of_extension(extension_of(name));
    if (named != nullptr && format.error().code == ErrorCode::unknown_format) {
        return read_as_named(*named, {bytes, reading, name});
    }
    return fail(format.error());
}

/// For a truncated file, the error says that first, and where the file ends.
Error with_cut(Error error, std::size_t file_bytes) {
    if (error.code == ErrorCode::truncated) {
        error.cut_at = static_cast<std::int64_t>(file_bytes);
    }
    return error;
}

struct Converted {
    DocumentPtr document;
    std::string_view input_format;
    Conversion done;
};

bool retargets(const ConvertOptions& options) {
    return options.retarget.is_object() || !options.onto.empty();
}

/// Without options, a named skeleton gets the motion with the defaults.
Json retarget_of(const ConvertOptions& options) {
    return retargets(options) && !options.retarget.is_object() ? Json::object() : options.retarget;
}

/// The file whose skeleton gets the motion; null if none is named.
Result<DocumentPtr> skeleton_file(const ConvertOptions& options) {
    if (options.onto.empty()) {
        return nullptr;
    }
    TRY(const auto bytes, read_input(options.onto));
    return read_document(bytes, "", options.onto, options.reading);
}

/// The requested output.
struct Output {
    const Format* format = nullptr;  ///< null: AnimBridge's JSON of the input's format
    bool in_frames = false;          ///< as in ClipWay
    std::string extension{};         ///< of its name, unless the caller names the format
};

Output target_of(const Format* format, std::string_view input, std::string_view output, bool is_named) {
    const auto framed =
        format == nullptr ? std::span<const std::string_view>() : format->file.framed_extensions;
    std::string extension = extension_of(output);
    // A file of the same kind stays unchanged.
    const bool in_frames =
        extension != extension_of(input) && std::ranges::find(framed, extension) != framed.end();
    return {format, in_frames, is_named ? std::string() : std::move(extension)};
}

/// Of several formats with one extension, a file keeps its own.
Output kept_for(const Format& from, Output wanted) {
    if (wanted.format != nullptr && has_extension(from, wanted.extension)) {
        wanted.format = &from;
    }
    return wanted;
}

/// The error, with the option for another format that the extension may stand for.
Error with_other_formats(Error error, const Output& wanted) {
    for (const std::string& word : formats_to_name()) {
        const Format* const other = output_format(wanted.extension, word);
        // A file that cannot be read becomes nothing else either.
        const bool is_read = error.byte_offset < 0 && error.line < 0 &&
                             error.code != ErrorCode::unknown_format && error.code != ErrorCode::truncated;
        if (is_read && wanted.format != nullptr && other != nullptr && wanted.format != other) {
            error.reason += ". To write " + std::string(other->noun) + ", name its format (command: --to " +
                            word + "; library: to)";
        }
    }
    return error;
}

/// The input of a conversion.
struct Source {
    const Format& format;
    Result<DocumentPtr> document;    ///< an error if the format refuses `file`, which a bridge may accept
    std::optional<ByteView> file{};  ///< what the document was read from; nullopt: it has no file of its own
    Trim trim{};                     ///< still to be done
};

/// Whether the bridge is not meant for the file, but the file has a body that can be retargeted instead, or
/// nothing that the bridge knows. An option that only the bridge has requests the bridge.
bool moves_another_body(const Bridge& bridge, const Format& to, const Source& source,
                        const ConvertOptions& options) {
    return options.retarget.is_null() && bridge.fits != nullptr && source.document &&
           !bridge.fits(**source.document) && takes_options(source.format, to, options.bridge) &&
           ((bridge.knows_any != nullptr && !bridge.knows_any(**source.document)) ||
            moves_body(**source.document));
}

/// Converts by an exact bridge. For a level, the result is trimmed: the level holds several animations.
Result<Converted> bridged(const Bridge& bridge, Source source, const Json& bridge_options,
                          const ConvertOptions& options, const Job& job) {
    const ReadOptions& reading = options.reading;
    if (!source.trim.empty() && source.format.edit.trimmed != nullptr) {
        TRY(source.document, part_of(std::move(source.document), std::exchange(source.trim, {})));
        source.file.reset();
    }
    Bytes own;
    if (!source.file) {
        TRY(own, (*source.document)->write(reading));
    }
    TRY(auto made, bridge.convert({source.document, source.file.value_or(own), reading.reading,
                                   bridge_options, options.edits, job}));
    TRY(made.document, part_of(std::move(made.document), source.trim));
    return Converted{std::move(made.document),
                     source.format.id,
                     {std::move(made.report), std::move(made.only_reported), &bridge}};
}

/// Whether the bridge has a limit for the error of its output.
bool bridge_takes_bounds(const Bridge& bridge) {
    const auto table = bridge.options();
    return std::any_of(table.begin(), table.end(),
                       [](const Option& option) { return option.name == "stop_above_mm"; });
}

/// The document in another format: by an exact bridge, else through a clip; also through a clip if the motion
/// goes to another skeleton.
Result<Converted> converted_to(const Output& target, Source source, const ConvertOptions& options,
                               const Job& job) {
    const Format& from = source.format;
    const Format& to = *target.format;
    const Bridge* bridge = find_bridge(from.id, to.id);
    Json bounded = options.bridge;
    const bool is_only_bounded = bridge != nullptr && bridge_takes_bounds(*bridge) &&
                                 has_bounds(options.retarget) && options.onto.empty() &&
                                 take_bounds(options.retarget, bounded).is_null();
    if (is_only_bounded ||
        (bridge != nullptr && !retargets(options) && !moves_another_body(*bridge, to, source, options))) {
        return bridged(*bridge, std::move(source), bounded, options, job);
    }
    TRY(const auto document, part_of(std::move(source.document), source.trim));
    TRY(const auto onto, skeleton_file(options));
    const Json retarget = retarget_of(options);
    Json conversion = options.bridge;
    if (options.reports_sizes && has_option(options_of_call(to, "from_clip"), "size_curve")) {
        conversion["size_curve"] = true;
    }
    return by_clip(*document, to,
                   {conversion, retarget, onto.get(), target.in_frames, options.reading.memory_mib}, job)
        .map([&](Made made) {
            return Converted{std::move(made.document),
                             from.id,
                             {std::move(made.report), std::move(made.only_reported), nullptr, true}};
        });
}

/// "(command: --mrtk-version) " for the first option; empty if the command has none.
std::string flag_text(const Format& format, const Json& options) {
    if (!options.is_object() || format.options == nullptr) {
        return {};
    }
    const std::string name(options.begin().key());
    for (const OptionTable& table : format.options()) {
        for (const Option& option : table.options) {
            if (option.name == name && !option.command_name.empty()) {
                return "(command: " + std::string(option.command_name) + ") ";
            }
        }
    }
    return {};
}

/// Whether the options of a conversion from the format to itself are an edit.
bool edits_alone(const Format& format, const Json& options) {
    return options != Json::object() && !options_of_call(format, "itself").empty();
}

/// Whether a document of the format is converted, rather than just written.
bool becomes_another(const Format& read, const Output& wanted, const ConvertOptions& options) {
    const bool is_changed =
        read.clip.converts_to_itself && (options.bridge != Json::object() || wanted.in_frames);
    return wanted.format != nullptr && (&read != wanted.format || retargets(options) || is_changed);
}

/// Converts to the format of `wanted`.
Result<Converted> convert_source(Source source, const Output& target, const ConvertOptions& options,
                                 const Job& job) {
    const Format& from = source.format;
    const Output wanted = kept_for(from, target);
    if (becomes_another(from, wanted, options)) {
        return converted_to(wanted, std::move(source), options, job).map_error([&](Error error) {
            return with_other_formats(std::move(error), wanted);
        });
    }
    TRY(auto document, part_of(std::move(source.document), source.trim));
    if (wanted.format == nullptr && !source.trim.empty() && from.clip.converts_to_itself) {
        Error error{
            ErrorCode::invalid_argument,
            "AnimBridge's JSON of a scene holds the whole file: choose an output such as .glb or .anim"};
        error.field = "trim";
        return fail(in_request(std::move(error)));
    }
    if (edits_alone(from, options.bridge)) {
        return document->edited(options.bridge).map([&](Made made) {
            Json report = {{"tolerated", findings_json(document->tolerated())["findings"]},
                           {"edits", std::move(made.report)}};
            return Converted{std::move(made.document), from.id, {std::move(report)}};
        });
    }
    if (options.bridge != Json::object()) {
        Error error{ErrorCode::invalid_argument,
                    flag_text(from, options.bridge) +
                        "is for a conversion between two formats, but input and output are both " +
                        std::string(from.title) +
                        (from.edit.edited == nullptr ? "" : ". To change the file, use animbridge edit")};
        const bool has_members = options.bridge.is_object();
        error.field = has_members ? "conversion." + std::string(options.bridge.begin().key()) : "conversion";
        return fail(std::move(error));
    }
    Json report = {{"tolerated", findings_json(document->tolerated())["findings"]}};
    return Converted{std::move(document), from.id, {std::move(report)}};
}

/// Whether an animation is named, and the file holds it as a separate document.
bool names_child(const Format& format, const Json& options) {
    return format.level.child != nullptr && options.is_object() && options.contains("animation");
}

/// The document with the animation that the options name; `conversion` loses the name of a level's.
Result<DocumentPtr> with_named(DocumentPtr document, const ReadOptions& reading, Json& conversion) {
    if (!names_child(document->format(), conversion)) {
        return with_animation(std::move(document), reading.animation);
    }
    TRY(const std::string child, text_from_json(conversion["animation"], "conversion.animation"));
    Json rest = Json::object();
    for (const auto& [name, value] : conversion.items()) {
        if (name != "animation") {
            rest[std::string(name)] = value;
        }
    }
    conversion = std::move(rest);
    return document->format().level.child(*document, child);
}

Result<Converted> convert_bytes(ByteView bytes, const Output& wanted, const std::string& name,
                                ConvertOptions options, const Job& job) {
    const Trim& trim = options.reading.trim;
    const auto format = recognise(bytes, options.input_format, name);
    auto read = read_recognised(format, bytes, name, options.reading);
    const bool is_json = format && *format == nullptr;
    if (!read && format && !is_json && !names_child(**format, options.bridge)) {
        return convert_source({**format, std::move(read), bytes, trim}, wanted, options, job);
    }
    TRY(auto whole, std::move(read));
    const AnyDocument* const file = is_json ? nullptr : whole.get();
    TRY(auto named, with_named(std::move(whole), options.reading, options.bridge));
    const auto own = named.get() == file ? std::optional(bytes) : std::nullopt;
    const Format& from = named->format();
    return convert_source({from, std::move(named), own, trim}, wanted, options, job);
}

/// What was mended, and the rules of both lists for reports without lists of objects. The output's findings
/// are told elsewhere.
Json summary_of_fixes(const Json& report) {
    Json summary = {{"fixed", report["fixed"]}, {"left", report["left"]}};
    for (const auto& [list, rules] : {std::pair("fixed", "fixed_rules"), std::pair("left", "left_rules")}) {
        summary[rules] = list_json(report[list], [](const Json& row) { return row["rule"]; });
    }
    return summary;
}

/// Applies the edits, the fixes and as_stored, and adds to the report. `name`: the output's.
Result<DocumentPtr> finished(DocumentPtr document, const ConvertOptions& options, std::string_view name,
                             Json& report) {
    if (options.edits != Json::object()) {
        TRY(auto edited, editing::edited(*document, options.edits).map_error([](Error error) {
            return in_member(std::move(error), "edits");
        }));
        document = std::move(edited.document);
        report["edits"] = std::move(edited.report);
    }
    if (!options.fixes.is_null()) {
        TRY(auto mended, document->fixed(options.fixes, name));
        document = std::move(mended.document);
        report["fixes"] = summary_of_fixes(mended.report);
    }
    if (!options.as_stored) {
        return document;
    }
    return document->as_stored().and_then([](Stored stored) { return std::move(stored.document); });
}

Bytes beginning_of(const std::string& path) {
    Bytes bytes(std::size_t{64} << 10U);
    std::ifstream file(path_of(path), std::ios::binary);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

/// The format of the output's extension; nullptr for AnimBridge's JSON.
Result<const Format*> output_format_of(const std::string& output, const std::string& to) {
    const std::string extension = extension_of(output);
    const Format* target = output_format(extension, to);
    if (!to.empty() && target == nullptr) {
        Error error{ErrorCode::invalid_argument,
                    "found \"" + to + "\"; allowed for " + output + " is a format with its extension"};
        error.field = "to";
        return fail(in_request(std::move(error)));
    }
    if (target == nullptr && extension != ".json") {
        return fail(ErrorCode::invalid_argument, output + ": unknown extension \"" + extension +
                                                     "\"; writable are " + known_formats(true));
    }
    return target;
}

}  // namespace

bool looks_like_json(ByteView bytes) {
    const auto first = std::find_if(bytes.begin(), bytes.end(), [](std::uint8_t c) {
        return c != ' ' && c != '\n' && c != '\r' && c != '\t';
    });
    return first != bytes.end() && *first == '{';
}

NamedInput input_of(const std::string& given) {
    std::size_t mark = given.rfind('#');
    if (mark != std::string::npos && mark > 0 && given[mark - 1] == '#') {
        --mark;  // "level0_Final.dat##12" is instance 12 of a level
    }
    std::error_code ignored;
    if (mark == std::string::npos || mark == 0 || mark + 1 == given.size() ||
        fs::exists(path_of(given), ignored)) {
        return {given};
    }
    return {given.substr(0, mark), given.substr(mark + 1)};
}

Result<Bytes> read_input(const std::string& path, std::string_view format_id) {
    constexpr std::uintmax_t large = std::uintmax_t{64} << 20U;
    std::error_code none;
    const bool is_file = fs::is_regular_file(path_of(path), none);
    const std::uintmax_t size = is_file ? fs::file_size(path_of(path), none) : 0;
    if (format_id.empty() && size >= large && size <= max_file_bytes) {
        const Bytes begin = beginning_of(path);
        // Text may begin with blanks, and XML shows only later what it is.
        const auto first = std::find_if(begin.begin(), begin.end(),
                                        [](std::uint8_t c) { return c != ' ' && (c < '\t' || c > '\r'); });
        const bool shows_kind = first != begin.end() && *first != '<';
        if (const auto format = recognise(begin, "", path); shows_kind && !format) {
            return fail(in_file(format.error(), path));
        }
    }
    return read_file(path);
}

Result<DocumentPtr> read_document(ByteView bytes, std::string_view format_id, const std::string& name,
                                  const ReadOptions& reading) {
    auto chosen =
        read_recognised(recognise(bytes, format_id, name), bytes, name, reading)
            .and_then([&](DocumentPtr whole) { return with_animation(std::move(whole), reading.animation); });
    return part_of(std::move(chosen), reading.trim).map_error([&](Error error) {
        return in_file(with_cut(std::move(error), bytes.size()), name);
    });
}

std::string json_of(const AnyDocument& document) { return print_json(document.to_json()); }

namespace {

Result<std::string> json_within(const AnyDocument& document, std::uint32_t memory_mib) {
    const auto bytes_of = document.format().file.json_bytes;
    if (bytes_of != nullptr && bytes_of(document) > std::uint64_t{memory_mib} << 20U) {
        return fail(over_memory(memory_mib));
    }
    return json_of(document);
}

/// The result of `convert` for an input, as the bytes of the output. `bytes_in`: the input's size.
template <typename Convert>
Result<ConvertedFile> made_file(Convert&& convert, std::size_t bytes_in, const std::string& input,
                                const std::string& output, const ConvertOptions& options, const Job& job) {
    if (options.retarget == false && !options.onto.empty()) {
        return fail(ErrorCode::invalid_argument,
                    "retarget is false, and onto names a skeleton to retarget onto; leave one of them out");
    }
    TRY(const Format* target, output_format_of(output, options.to));
    if (target == nullptr && retargets(options)) {
        Error error{ErrorCode::invalid_argument,
                    "AnimBridge's JSON keeps the input's own skeleton: retarget into a file of a format, and "
                    "convert that one to JSON"};
        return fail(in_file(std::move(error), input));
    }
    // A scene's file is made when its name is known.
    const double made_at = target != nullptr && target->file.as_named != nullptr ? 0.5 : 0.9;
    auto converted = convert(target_of(target, input, output, !options.to.empty()), job.part(0.1, made_at));
    if (!converted) {
        return tl::unexpected<Error>(in_file(with_cut(std::move(converted.error()), bytes_in), input));
    }
    target = target == nullptr ? nullptr : &converted->document->format();
    ConvertedFile made{std::move(converted->done)};
    Json& report = made.report;
    auto document = finished(std::move(converted->document), options, output, report);
    if (document && target != nullptr) {
        document = named_for(std::move(*document), output, report, options.reading, job.part(made_at, 0.9));
    }
    if (!document) {
        return fail(in_file(document.error(), input));
    }
    TRY_VOID(job.report(0.9));
    // Only this program reads the JSON.
    Json refused = Json::array();
    if (target == nullptr) {
        TRY(made.text, json_within(**document, options.reading.memory_mib).map_error([&](Error error) {
            return in_file(std::move(error), input);
        }));
    } else {
        TRY(refused, refusals(**document, output, made.only_reported));
        TRY(made.bytes, (*document)->write(options.reading));
    }
    Json all = {{"input", json_text(input)},
                {"output", json_text(output)},
                {"input_format", converted->input_format},
                {"output_format", target == nullptr ? "json" : target->id},
                {"bytes_in", bytes_in},
                {"bytes_out", made.view().size()},
                {"tolerated", Json::array()}};
    all.update(report);
    made.is_refused = !refused.empty();
    all["refused"] = std::move(refused);
    made.report = std::move(all);
    return made;
}

}  // namespace

Result<ConvertedFile> converted_file(ByteView bytes, const std::string& input, const std::string& output,
                                     const ConvertOptions& options, const Job& job, const AnyDocument* read) {
    const auto convert = [&](const Output& target, const Job& part) {
        return read == nullptr ? convert_bytes(bytes, target, input, options, part)
                               : convert_source({read->format(), std::make_unique<AnyDocument>(*read)},
                                                target, options, part);
    };
    TRY(auto made, made_file(convert, bytes.size(), input, output, options, job));
    if (options.certifies) {
        CertificateRequest request{options.input_format, options.reading, options.retarget};
        if (const auto animation = options.bridge.find("animation"); animation != options.bridge.end()) {
            request.reading.animation = text_from_json(*animation, "").value_or("");
        }
        TRY(made.report["certificate"],
            certificate_of({input, bytes}, {output, made.view()}, request).map_error([&](Error error) {
                error.reason = "its certificate cannot be made, so it was not converted: " + error.reason;
                return error;
            }));
    }
    return made;
}

Result<ConvertedFile> converted_document(const AnyDocument& document, const std::string& name,
                                         const std::string& output, const ConvertOptions& options) {
    const auto convert = [&](const Output& target, const Job& part) -> Result<Converted> {
        TRY(auto named, with_animation(std::make_unique<AnyDocument>(document), options.reading.animation));
        const Format& from = named->format();
        return convert_source({from, std::move(named), {}, options.reading.trim}, target, options, part);
    };
    return made_file(convert, 0, name, output, options, {});
}

Result<Conversion> convert_file(const std::string& input, const std::string& output,
                                const ConvertOptions& options, const Job& job) {
    TRY_VOID(output_format_of(output, ""));  // before anything is read
    if (options.split && options.certifies) {
        return fail(ErrorCode::invalid_argument,
                    "a certificate is of one output, and split makes several; leave one of them out");
    }
    TRY(const auto bytes, read_input(input, options.input_format));
    TRY_VOID(job.report(0.1));
    TRY(auto converted, converted_file(bytes, input, output, options, job));
    if (options.split) {
        TRY(const auto files, part_files(converted, output, options));
        TRY(converted.report["parts"], write_parts(files));
        converted.report.erase("bytes_out");
    } else {
        TRY_VOID(write_file(output, converted.view()));
    }
    return Conversion(std::move(converted));
}

}  // namespace animbridge

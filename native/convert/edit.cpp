// SPDX-License-Identifier: MIT
#include "convert/convert.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/files/files.h"
#include "base/options/options.h"
#include "convert/retarget/retarget.h"
#include "editing/editing.h"
#include "formats/registry.h"
#include "model/findings/findings.h"
#include "model/format/format.h"

namespace animbridge {

Result<Checked> check_document(const AnyDocument& document, std::optional<std::string_view> level,
                               std::string_view asset_name, ByteView text, std::string_view purpose) {
    const auto named = level ? check_level_named(*level) : document.format().check.default_level;
    if (!named) {
        return fail(ErrorCode::invalid_argument,
                    "unknown level \"" + std::string(*level) + "\"; allowed are playback, upload, strict");
    }
    return document.check(*named, asset_name, purpose).map([&](std::vector<Finding> findings) {
        for (const Bridge* bridge : bridges()) {
            if (bridge->check != nullptr && bridge->from == document.format().id &&
                bridge->check_level <= *named) {
                bridge->check(document, text, findings);
            }
        }
        const auto facts_of = document.format().check.facts_for_set;
        return Checked{*named, std::move(findings), &document.format(),
                       facts_of == nullptr ? Json() : facts_of(document)};
    });
}

void check_set(std::span<Checked> files, std::span<const std::string> names, std::string_view purpose) {
    for (const Format& format : formats()) {
        if (format.check.in_set == nullptr) {
            continue;
        }
        std::vector<std::size_t> places;
        std::vector<SetMember> members;
        CheckLevel level = CheckLevel::playback;
        for (std::size_t i = 0; i < files.size(); ++i) {
            if (files[i].format == &format && files[i].facts.is_object()) {
                places.push_back(i);
                members.push_back({names[i], files[i].facts});
                level = files[i].level;
            }
        }
        auto found = format.check.in_set(members, level, purpose);
        for (std::size_t i = 0; i < places.size(); ++i) {
            std::ranges::move(found[i], std::back_inserter(files[places[i]].findings));
        }
    }
}

Result<Checked> check_file(const std::string& path, std::string_view format_id, const ReadOptions& reading,
                           std::optional<std::string_view> level, std::string_view purpose) {
    TRY(const auto bytes, read_input(path, format_id));
    TRY(const auto document, read_document(bytes, format_id, path, reading));
    // AnimBridge's JSON is not text of the format.
    const bool is_own_text = !format_id.empty() || !looks_like_json(bytes);
    return check_document(*document, level, path, is_own_text ? ByteView(bytes) : ByteView(), purpose)
        .map([&](Checked checked) {
            checked.bytes = bytes.size();
            return checked;
        })
        .map_error([&](Error error) { return in_file(std::move(error), path); });
}

Result<Json> quality(const AnyDocument& document, const Job& job) {
    const Format& format = document.format();
    TRY(const auto motion,
        motion_with_rig(document, at_body_size(format, Json::object()), "", rig::humanoid::RigUse::source));
    TRY(auto numbers, editing::quality_of(motion.clip, motion.rig, job));
    if (format.check.measures != nullptr) {
        numbers.update(format.check.measures(document));
    }
    return numbers;
}

Result<Json> quality_of_file(const std::string& path, std::string_view format_id, const ReadOptions& reading,
                             const Job& job) {
    TRY(const auto bytes, read_input(path, format_id));
    TRY(const auto document, read_document(bytes, format_id, path, reading));
    return quality(*document, job)
        .map([&](Json numbers) {
            numbers["bytes"] = bytes.size();
            return numbers;
        })
        .map_error([&](Error error) { return in_file(std::move(error), path); });
}

Result<Conversion> edit_file(const std::string& input, const std::string& output,
                             const EditOptions& options) {
    TRY(const auto bytes, read_input(input, options.input_format));
    TRY(auto document, read_document(bytes, options.input_format, input, options.reading));
    const Json tolerated = findings_json(document->tolerated())["findings"];
    Json planted;
    if (options.retarget.is_object() && options.retarget.value("plant_feet", Json(false)) == true) {
        auto made = with_planted_feet(*document, options.retarget);
        if (!made) {
            return fail(in_file(std::move(made.error()), input));
        }
        document = std::move(made->document);
        planted = std::move(made->report);
    }
    auto edited = editing::edited(*document, options.edits);
    if (!edited) {
        return fail(in_file(in_request(std::move(edited.error())), input));
    }
    TRY_VOID(require_name_for(document->format(), output));
    Json report = {{"input", json_text(input)},
                   {"output", json_text(output)},
                   {"format", document->format().id},
                   {"bytes_in", bytes.size()}};
    Json refused = Json::array();
    if (options.split) {
        TRY(report["parts"], part_files(*edited->document, output, *options.split, options.reading)
                                 .and_then(write_parts)
                                 .map_error([&](Error error) {
                                     return error.file.empty() ? in_file(std::move(error), input) : error;
                                 }));
    } else {
        auto named = named_for(std::move(edited->document), output, report, options.reading);
        if (!named) {
            return fail(in_file(std::move(named.error()), input));
        }
        TRY(refused, refusals(**named, output, edited->only_reported));
        TRY(const Bytes file, (*named)->write(options.reading));
        TRY_VOID(write_file(output, file));
        report["bytes_out"] = file.size();
    }
    report["edits"] = std::move(edited->report);
    if (!planted.is_null()) {
        report["planted"] = std::move(planted);
    }
    report["tolerated"] = tolerated;
    const bool is_refused = !refused.empty();
    report["refused"] = std::move(refused);
    return Conversion{.report = std::move(report), .is_refused = is_refused};
}

namespace {

/// The error with the name of the file that its program would refuse, if it is that.
Error with_input(Error error, std::span<const AnyDocument* const> documents,
                 std::span<const std::string> inputs) {
    for (std::size_t i = 0; error.code == ErrorCode::rejected && i < documents.size(); ++i) {
        const auto findings = documents[i]->check(CheckLevel::playback, inputs[i]);
        if (findings && any_rejected(*findings)) {
            error.file = inputs[i];
            break;
        }
    }
    return error;
}

}  // namespace

Result<Json> join_files(std::span<const std::string> inputs, const std::string& output,
                        const std::string& input_format, const ReadOptions& reading, const Json& options) {
    std::vector<DocumentPtr> documents;
    std::vector<const AnyDocument*> views;
    Json names = Json::array();
    for (const std::string& input : inputs) {
        TRY(const auto bytes, read_input(input, input_format));
        TRY(auto document, read_document(bytes, input_format, input, reading));
        views.push_back(document.get());
        documents.push_back(std::move(document));
        names.push_back(json_text(input));
    }
    TRY(auto made, joined(views, options).map_error([&](Error error) {
        return with_input(std::move(error), views, inputs);
    }));
    TRY_VOID(require_name_for(made.document->format(), output));
    TRY(const Bytes file, made.document->write(reading));
    TRY_VOID(write_file(output, file));
    Json report = {{"inputs", std::move(names)}, {"output", json_text(output)}};
    report.update(made.report);
    return report;
}

Result<Json> reduce_file(const std::string& input, const std::string& output, const FileReduction& options,
                         const Job& job) {
    TRY(const auto bytes, read_input(input, options.input_format));
    TRY(const auto document, read_document(bytes, options.input_format, input, options.reading));
    // Check the input first: the output's name does not matter if there are no keys to reduce.
    if (document->format().edit.reduced != nullptr) {
        TRY_VOID(require_name_for(document->format(), output));
    }
    auto made = document->reduced(options.reduction, job);
    if (!made) {
        return fail(in_file(std::move(made.error()), input));
    }
    TRY(const Bytes file, made->document->write());
    Json report = {{"input", json_text(input)}, {"output", json_text(output)}};
    report.update(made->report);
    if (options.certifies) {
        TRY(report["certificate"],
            certificate_of({input, bytes}, {output, file}, {options.input_format, options.reading, {}}));
    }
    TRY_VOID(write_file(output, file));
    return report;
}

namespace {

/// A document of a format without fixes, with what a check finds.
Result<Made> left_alone(const AnyDocument& document, std::string_view name) {
    TRY(const auto found, document.check(document.format().check.default_level, name));
    Json findings = findings_json(found)["findings"];
    Json left = list_json(findings, [](const Json& finding) {
        return Json{{"rule", finding["id"]}, {"reason", "only findings of .anim files can be mended"}};
    });
    return Made{std::make_unique<AnyDocument>(document),
                {{"fixed", Json::array()}, {"left", std::move(left)}, {"findings_after", findings}}};
}

}  // namespace

Result<Json> fix_file(const std::string& input, const std::string& output, const FileFixes& options) {
    TRY(const auto bytes, read_input(input, options.input_format));
    TRY(const auto document, read_document(bytes, options.input_format, input, options.reading));
    const bool is_copied = options.within != nullptr && document->format().edit.fixed == nullptr;
    if (document->format().edit.fixed != nullptr) {
        TRY_VOID(require_name_for(document->format(), output));
    }
    auto made = is_copied ? left_alone(*document, input) : document->fixed(options.fixes, input);
    if (!made) {
        return fail(in_file(in_request(std::move(made.error())), input));
    }
    TRY(const Bytes file, is_copied ? Result<Bytes>(bytes) : made.value().document->write());
    Json report = {{"input", json_text(input)},
                   {"output", json_text(output)},
                   {"format", document->format().id},
                   {"undeform", nullptr}};
    const DocumentPtr undeforming =
        options.undeform.empty() ? nullptr : document->format().edit.undeforming(*made->document);
    if (undeforming != nullptr) {
        TRY_VOID(require_name_for(document->format(), options.undeform));
        TRY(const Bytes other, undeforming->write());
        TRY_VOID(write_file(options.undeform, other));
        report["undeform"] = json_text(options.undeform);
    }
    TRY_VOID(options.within == nullptr ? write_file(output, file) : options.within->write(output, file));
    report["bytes"] = file.size();
    report.update(made->report);
    return report;
}

Json all_options_json() {
    Json all = registries_json();
    all["read"] = options_json(reading_options());
    all["retarget"] = options_json(retarget_options());
    all["tools"] = options_json(editing::tool_options());
    return all;
}

namespace {

/// A .dat can be an asset in the viewer's cache or an Oni level.
constexpr std::string_view shared_extension = ".dat";

std::string_view last_word_of(std::string_view id) { return id.substr(id.rfind('_') + 1); }

}  // namespace

const Format* format_of_extension(std::string_view extension) {
    const auto rows = formats();
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&](const Format& format) { return has_extension(format, extension); });
    return found == rows.end() ? nullptr : &found->get();
}

bool has_extension(const Format& format, std::string_view extension) {
    return std::ranges::find(format.file.extensions, extension) != format.file.extensions.end();
}

const Format* output_format(std::string_view extension, std::string_view to) {
    if (to.empty()) {
        return format_of_extension(extension);
    }
    for (const Format& format : formats()) {
        const bool is_named = to == format.id || to == last_word_of(format.id);
        if (is_named && has_extension(format, extension)) {
            return &format;
        }
    }
    return nullptr;
}

std::string extension_to_name(std::string_view word) {
    for (const Format& format : formats()) {
        if (word == last_word_of(format.id)) {
            return std::string(format.file.extensions.front().substr(1));
        }
    }
    return {};
}

std::vector<std::string> formats_to_name() {
    std::vector<std::string> words;
    for (const Format& format : formats()) {
        const bool comes_later = std::ranges::any_of(format.file.extensions, [&](std::string_view extension) {
            return extension != shared_extension && format_of_extension(extension) != &format;
        });
        if (comes_later) {
            words.emplace_back(last_word_of(format.id));
        }
    }
    return words;
}

namespace {

std::string listed(std::span<const std::string_view> names) {
    std::string text;
    for (const std::string_view name : names) {
        text += (text.empty() ? "" : ", ") + std::string(name);
    }
    return text;
}

}  // namespace

std::string extensions_of(const Format& format) { return listed(format.file.extensions); }

std::string known_formats(bool are_written) {
    std::string text;
    for (const Format& format : formats()) {
        const bool some = are_written && !format.file.written_extensions.empty();
        text += std::string(format.title) + " (" +
                listed(some ? format.file.written_extensions : format.file.extensions) + "), ";
    }
    return text + "AnimBridge JSON (.json)";
}

Result<void> require_name_for(const Format& format, const std::string& output) {
    const std::string extension = extension_of(output);
    const Format* other = format_of_extension(extension);
    const bool is_other =
        other != nullptr && !has_extension(format, extension) && extension != shared_extension;
    if (!is_other && extension != ".json") {
        return {};
    }
    return fail(ErrorCode::invalid_argument,
                output + ": found another format's extension; allowed is " + extensions_of(format));
}

Result<DocumentPtr> named_for(DocumentPtr document, const std::string& output, Json& report,
                              const ReadOptions& limits, const Job& job) {
    auto made = document->as_file_named(output, limits, job);
    if (!made) {
        // The caller names only a file, so the error is about the input and not the call.
        made.error().code =
            made.error().code == ErrorCode::invalid_argument ? ErrorCode::bad_value : made.error().code;
        return fail(std::move(made.error()));
    }
    report.update(made->report);
    return made->document == nullptr ? std::move(document) : std::move(made->document);
}

Result<Json> refusals(const AnyDocument& document, const std::string& output,
                      std::span<const std::string_view> only_reported) {
    const CheckLevel level = document.format().check.default_level;
    return document.check(level, output).map([&](std::vector<Finding> findings) {
        std::erase_if(findings, [&](const Finding& finding) {
            const bool is_allowed = std::find(only_reported.begin(), only_reported.end(), finding.rule->id) !=
                                    only_reported.end();
            return finding.rule->finding_class != FindingClass::rejected || is_allowed;
        });
        return findings_json(findings)["findings"];
    });
}

}  // namespace animbridge

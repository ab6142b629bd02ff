// SPDX-License-Identifier: MIT
#include "convert/output.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/files/files.h"
#include "formats/registry.h"
#include "model/findings/findings.h"

namespace animbridge {

const Format* format_of_extension(std::string_view extension) {
    const auto rows = formats();
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const Format& format) {
        return std::find(format.extensions.begin(), format.extensions.end(), extension) !=
               format.extensions.end();
    });
    return found == rows.end() ? nullptr : &found->get();
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

std::string extensions_of(const Format& format) { return listed(format.extensions); }

std::string known_formats(bool are_written) {
    std::string text;
    for (const Format& format : formats()) {
        const bool some = are_written && !format.written_extensions.empty();
        text += std::string(format.title) + " (" +
                listed(some ? format.written_extensions : format.extensions) + "), ";
    }
    return text + "AnimBridge JSON (.json)";
}

Result<void> require_name_for(const Format& format, const std::string& output) {
    const std::string extension = extension_of(output);
    const Format* other = format_of_extension(extension);
    // A .dat can be an asset in the viewer's cache or an Oni level.
    const bool is_other = other != nullptr && other != &format && extension != ".dat";
    if (!is_other && extension != ".json") {
        return {};
    }
    return fail(ErrorCode::invalid_argument,
                output + ": found another format's extension; allowed is " + extensions_of(format));
}

Result<DocumentPtr> named_for(DocumentPtr document, const std::string& output, Json& report,
                              const ReadOptions& limits) {
    auto made = document->as_file_named(output, limits);
    if (!made) {
        // The caller names only a file, so the error is about the input and not the call.
        made.error().code =
            made.error().code == ErrorCode::invalid_argument ? ErrorCode::bad_value : made.error().code;
        return fail(std::move(made.error()));
    }
    report.update(made->report);
    return made->document == nullptr ? std::move(document) : std::move(made->document);
}

Result<Json> refusals(const AnyDocument& document, const std::string& output, const Json& only_reported) {
    const CheckLevel level = document.format().default_level;
    return document.check(level, output).map([&](std::vector<Finding> findings) {
        std::erase_if(findings, [&](const Finding& finding) {
            const bool is_allowed = std::any_of(only_reported.begin(), only_reported.end(),
                                                [&](const Json& id) { return id == finding.rule->id; });
            return finding.rule->finding_class != FindingClass::rejected || is_allowed;
        });
        return findings_json(findings)["findings"];
    });
}

}  // namespace animbridge

// SPDX-License-Identifier: MIT
#include "convert/join.h"

#include <utility>
#include <vector>

#include "base/files/files.h"
#include "convert/convert.h"
#include "convert/output.h"
#include "model/findings/findings.h"

namespace animbridge {

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

}  // namespace animbridge

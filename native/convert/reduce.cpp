// SPDX-License-Identifier: MIT
#include "convert/reduce.h"

#include "base/files/files.h"
#include "convert/convert.h"
#include "convert/output.h"

namespace animbridge {

Result<Json> reduce_file(const std::string& input, const std::string& output, const FileReduction& options,
                         const Job& job) {
    TRY(const auto bytes, read_input(input, options.input_format));
    TRY(const auto document, read_document(bytes, options.input_format, input, options.reading));
    // Check the input first: the output's name does not matter if there are no keys to reduce.
    if (document->format().reduced != nullptr) {
        TRY_VOID(require_name_for(document->format(), output));
    }
    auto made = document->reduced(options.reduction, job);
    if (!made) {
        return fail(in_file(std::move(made.error()), input));
    }
    TRY(const Bytes file, made->document->write());
    TRY_VOID(write_file(output, file));
    Json report = {{"input", json_text(input)}, {"output", json_text(output)}};
    report.update(made->report);
    return report;
}

}  // namespace animbridge

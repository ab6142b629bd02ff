// SPDX-License-Identifier: MIT
#include "convert/edit.h"

#include "base/files/files.h"
#include "convert/convert.h"
#include "convert/output.h"
#include "model/findings/findings.h"

namespace animbridge {

Result<Json> edit_file(const std::string& input, const std::string& output, const EditOptions& options) {
    TRY(const auto bytes, read_input(input, options.input_format));
    TRY(const auto document, read_document(bytes, options.input_format, input, options.reading));
    auto edited = document->edited(options.edits);
    if (!edited) {
        return fail(in_file(in_request(std::move(edited.error())), input));
    }
    TRY_VOID(require_name_for(document->format(), output));
    Json report = {{"input", json_text(input)},
                   {"output", json_text(output)},
                   {"format", document->format().id},
                   {"bytes_in", bytes.size()}};
    auto named = named_for(std::move(edited->document), output, report, options.reading);
    if (!named) {
        return fail(in_file(std::move(named.error()), input));
    }
    TRY(auto refused, refusals(**named, output, Json::array()));
    TRY(const Bytes file, (*named)->write(options.reading));
    TRY_VOID(write_file(output, file));
    report["bytes_out"] = file.size();
    report["edits"] = std::move(edited->report);
    report["tolerated"] = findings_json(document->tolerated())["findings"];
    report["refused"] = std::move(refused);
    return report;
}

}  // namespace animbridge

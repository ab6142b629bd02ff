// SPDX-License-Identifier: MIT
#include "convert/check.h"

#include <utility>

#include "convert/convert.h"
#include "model/format/format.h"

namespace animbridge {

Result<Checked> check_document(const AnyDocument& document, std::optional<std::string_view> level,
                               std::string_view asset_name, ByteView text) {
    const auto named = level ? check_level_named(*level) : document.format().default_level;
    if (!named) {
        return fail(ErrorCode::invalid_argument,
                    "unknown level \"" + std::string(*level) + "\"; allowed are playback, upload, strict");
    }
    return document.check(*named, asset_name).map([&](std::vector<Finding> findings) {
        for (const Bridge* bridge : bridges()) {
            if (bridge->check != nullptr && bridge->from == document.format().id &&
                bridge->check_level <= *named) {
                bridge->check(document, text, findings);
            }
        }
        return Checked{*named, std::move(findings)};
    });
}

Result<Checked> check_file(const std::string& path, std::string_view format_id, const ReadOptions& reading,
                           std::optional<std::string_view> level) {
    TRY(const auto bytes, read_input(path, format_id));
    TRY(const auto document, read_document(bytes, format_id, path, reading));
    // AnimBridge's JSON is not text of the format.
    const bool is_own_text = !format_id.empty() || !looks_like_json(bytes);
    return check_document(*document, level, path, is_own_text ? ByteView(bytes) : ByteView())
        .map_error([&](Error error) { return in_file(std::move(error), path); });
}

}  // namespace animbridge

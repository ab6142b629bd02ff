// SPDX-License-Identifier: MIT
#include "convert/check.h"

#include "bridges/bridge.h"

namespace animbridge {

Result<Checked> check_document(const AnyDocument& document, std::optional<std::string_view> level,
                               std::string_view asset_name) {
    const auto named = level ? check_level_named(*level) : document.format().default_level;
    if (!named) {
        return fail(ErrorCode::invalid_argument,
                    "unknown level \"" + std::string(*level) + "\"; allowed are playback, upload, strict");
    }
    return document.check(*named, asset_name).map([&](std::vector<Finding> findings) {
        for (const Bridge* bridge : bridges()) {
            if (bridge->check != nullptr && bridge->from == document.format().id &&
                bridge->check_level <= *named) {
                bridge->check(document, findings);
            }
        }
        return Checked{*named, std::move(findings)};
    });
}

}  // namespace animbridge

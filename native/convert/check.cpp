// SPDX-License-Identifier: MIT
#include "convert/check.h"

#include "bridges/bridge.h"

namespace animbridge {

Result<std::vector<Finding>> check_document(const AnyDocument& document, std::string_view level,
                                            std::string_view asset_name) {
    return document.check(level, asset_name).map([&](std::vector<Finding> findings) {
        for (const Bridge* bridge : bridges()) {
            if (bridge->check != nullptr && bridge->from == document.format().id &&
                bridge->check_level == level) {
                bridge->check(document, findings);
            }
        }
        return findings;
    });
}

}  // namespace animbridge

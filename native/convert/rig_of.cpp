// SPDX-License-Identifier: MIT
#include "convert/rig_of.h"

#include <utility>

#include "formats/motion.h"

namespace animbridge {

Result<RigOfDocument> rig_of(const AnyDocument& document, const std::optional<std::string>& own_json,
                             rig::RigUse use) {
    const Format& format = document.format();
    if (format.to_clip == nullptr) {
        return fail(ErrorCode::invalid_argument, std::string(format.title) + " has no skeleton" +
                                                     (format.reasons.no_clip.empty() ? "" : ": ") +
                                                     std::string(format.reasons.no_clip));
    }
    std::optional<rig::RigFile> own;
    if (own_json) {
        TRY(own, rig::read_rig_file(*own_json).map_error(in_request));
    }
    TRY(auto made, format.to_clip(document, Json::object()));
    TRY(auto rig, rig::find_rig(made.clip.skeleton, rig::built_in_rigs(), own ? &*own : nullptr, use));
    return RigOfDocument{std::move(made.clip.skeleton), std::move(rig)};
}

}  // namespace animbridge

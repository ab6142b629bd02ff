// SPDX-License-Identifier: MIT
#include <optional>
#include <string>

#include "api/handles.h"
#include "api/take_armature.h"
#include "base/option.h"
#include "rig/armature_skeleton.h"
#include "rig/humanoid/find_rig.h"

using namespace animbridge;
using api::guarded;
using api::misuse;

namespace {

/// What the caller wants to know.
struct FindOptions {
    std::string rig{};
    rig::RigUse use = rig::RigUse::source;
};

Result<FindOptions> find_options(const Json& given) {
    FindOptions options;
    for (const auto& [name, value] : given.items()) {
        const bool is_text = value.is_string();
        const std::string text = is_text ? std::string(value.get<std::string_view>()) : std::string();
        if (name == "rig" && is_text) {
            options.rig = text;
        } else if (name == "use" && (text == "source" || text == "target")) {
            options.use = text == "source" ? rig::RigUse::source : rig::RigUse::target;
        } else {
            return misuse(std::string(name) + " is not an option of ab_rig_find_json with that value");
        }
    }
    return options;
}

/// The clip's skeleton; its keys are not looked at.
Result<Skeleton> skeleton_of_document(const AnyDocument& document) {
    const Format& format = document.format();
    if (format.to_clip == nullptr) {
        return misuse(std::string(format.noun) + " has no skeleton");
    }
    return format.to_clip(document, Json::object()).map([](ClipMade made) {
        return std::move(made.clip.skeleton);
    });
}

Result<Skeleton> skeleton_asked_for(const ab_document* document, const ab_armature* armature) {
    if ((document == nullptr) == (armature == nullptr)) {
        return misuse("one of document and armature must be NULL, and not the other");
    }
    if (document != nullptr) {
        return skeleton_of_document(*document->document);
    }
    return api::take_armature(armature).map([](const auto& taken) {
        return rig::skeleton_of(taken.armature).skeleton;
    });
}

}  // namespace

extern "C" {

ab_status ab_rig_find_json(const ab_document* document, const ab_armature* armature, const char* options_json,
                           ab_buffer** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (out == nullptr) {
            return misuse("out is NULL");
        }
        TRY(const auto given, options_from(options_json));
        TRY(const auto options, find_options(given));
        TRY(const auto skeleton, skeleton_asked_for(document, armature));
        std::optional<rig::RigFile> own;
        if (!options.rig.empty()) {
            TRY(own, rig::read_rig_file(options.rig));
        }
        return rig::find_rig(skeleton, rig::built_in_rigs(), own ? &*own : nullptr, options.use)
            .map([&](const rig::FoundRig& found) {
                *out = api::new_json_buffer(rig::rig_json(found, skeleton));
            });
    });
}

}  // extern "C"

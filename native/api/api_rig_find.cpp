// SPDX-License-Identifier: MIT
#include <string>
#include <string_view>

#include "api/handles.h"
#include "api/take_armature.h"
#include "base/options/options.h"
#include "convert/limb_fit.h"
#include "convert/rig_fit.h"
#include "convert/rig_of.h"
#include "rig/armature/armature.h"
#include "rig/humanoid/humanoid.h"

using namespace animbridge;
using api::guarded;
using api::misuse;

namespace {

/// The options of the call.
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
            return misuse(std::string(name) +
                          " is not an option of ab_rig_find_json, or has a wrong value; allowed are rig (the "
                          "text of a rig file) and use (\"source\" or \"target\")");
        }
    }
    return options;
}

Result<Json> rig_of_armature(const ab_armature* armature, const FindOptions& options) {
    TRY(const auto taken, api::take_armature(armature));
    const Skeleton skeleton = rig::skeleton_of(taken.armature).skeleton;
    return rig_of(skeleton, options.rig, options.use).map([&](const rig::FoundRig& found) {
        return rig::rig_json(found, skeleton);
    });
}

Result<Json> rig_of_document(const AnyDocument& document, const FindOptions& options) {
    return motion_with_rig(document, Json::object(), options.rig, options.use)
        .map([](const RigMotion& motion) {
            Json report = rig::rig_json(motion.rig, motion.clip.skeleton);
            report["moves_person"] = moves_person(motion);
            return report;
        });
}

/// The built-in rig files as one array.
std::string all_rigs() {
    std::string text;
    for (const std::string_view rig : rig::built_in_rig_texts()) {
        text.append(text.empty() ? "[" : ",").append(rig);
    }
    return text + "]";
}

/// The options for comparing a document with an armature.
struct FitOptions {
    Json to_clip = Json::object();
    RigText target_rig{};
};

Result<FitOptions> fit_options(const Json& given) {
    FitOptions options;
    for (const auto& [name, value] : given.items()) {
        if (name == "document" && value.is_object()) {
            options.to_clip = value;
        } else if (name == "target_rig" && value.is_string()) {
            options.target_rig = std::string(value.get<std::string_view>());
        } else {
            return misuse(std::string(name) +
                          " is not an option of ab_rig_fit_json, or has a wrong value; allowed are document "
                          "(an object) and target_rig (the text of a rig file)");
        }
    }
    return options;
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
        if ((document == nullptr) == (armature == nullptr)) {
            return misuse("one of document and armature must be NULL, and not the other");
        }
        return (document != nullptr ? rig_of_document(*document->document, options)
                                    : rig_of_armature(armature, options))
            .map([&](const Json& report) { *out = api::new_json_buffer(report); });
    });
}

ab_status ab_rigs_json(ab_buffer** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (out == nullptr) {
            return misuse("out is NULL");
        }
        *out = api::new_buffer(all_rigs());
        return {};
    });
}

ab_status ab_rig_fit_json(const ab_document* document, const ab_armature* armature, const char* options_json,
                          ab_buffer** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (document == nullptr || out == nullptr) {
            return misuse("document or out is NULL");
        }
        TRY(const auto given, options_from(options_json));
        TRY(const auto options, fit_options(given));
        TRY(const auto taken, api::take_armature(armature));
        return rig_fit(*document->document, taken, options.to_clip, options.target_rig)
            .map([&](const RigFit& fit) { *out = api::new_json_buffer(rig_fit_json(fit)); });
    });
}

}  // extern "C"

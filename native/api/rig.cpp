// SPDX-License-Identifier: MIT
#include "api/api.h"

#include <string_view>

#include "base/options/options.h"
#include "convert/retarget/retarget.h"
#include "formats/registry.h"
#include "rig/humanoid/humanoid.h"

using namespace animbridge;
using api::guarded;
using api::misuse;

namespace {

Json match_json(const rig::armature::Armature& armature, const rig::armature::BoneMap& map) {
    Json matched = Json::array();
    Json unmatched_joints = Json::array();
    for (std::size_t node = 0; node < map.bone_of_node.size(); ++node) {
        const std::string& joint = avatar().nodes[node].name;
        if (const auto bone = map.bone_of_node[node]) {
            matched.push_back({{"joint", joint},
                               {"bone", json_text(armature.bones[*bone].name)},
                               {"by", json_text(map.by[*bone])}});
        } else {
            unmatched_joints.push_back(joint);
        }
    }
    Json unmatched_bones = Json::array();
    for (std::size_t bone = 0; bone < map.node_of_bone.size(); ++bone) {
        if (!map.node_of_bone[bone]) {
            unmatched_bones.push_back(json_text(armature.bones[bone].name));
        }
    }
    return {{"facing", name_of(armature.facing)},
            {"matched", std::move(matched)},
            {"unmatched_joints", std::move(unmatched_joints)},
            {"unmatched_bones", std::move(unmatched_bones)}};
}

}  // namespace

extern "C" {

ab_status ab_rig_map_json(ab_buffer** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("out", out));
        *out = api::new_buffer(std::string(rig::armature::built_in_rig_map_json()));
        return {};
    });
}

ab_status ab_rig_match_json(const ab_armature* armature, ab_buffer** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("out", out));
        TRY(const auto rig, api::take_armature(armature));
        return rig::armature::mapped(rig).map([&](const rig::armature::MappedRig& mapped) {
            *out = api::new_json_buffer(match_json(mapped.armature, mapped.map));
        });
    });
}

}  // extern "C"

namespace {

/// The options of the call.
struct FindOptions {
    std::string rig{};
    rig::humanoid::RigUse use = rig::humanoid::RigUse::source;
};

Result<FindOptions> find_options(const Json& given) {
    FindOptions options;
    for (const auto& [name, value] : given.items()) {
        const bool is_text = value.is_string();
        const std::string text = is_text ? std::string(value.get<std::string_view>()) : std::string();
        if (name == "rig" && is_text) {
            options.rig = text;
        } else if (name == "use" && (text == "source" || text == "target")) {
            options.use = text == "source" ? rig::humanoid::RigUse::source : rig::humanoid::RigUse::target;
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
    const Skeleton skeleton = rig::armature::skeleton_of(taken.armature).skeleton;
    return rig_of(skeleton, options.rig, options.use).map([&](const rig::humanoid::FoundRig& found) {
        Json report = rig::humanoid::rig_json(found, skeleton);
        report["stands_at_rest"] = stands_at_rest(skeleton, found);
        return report;
    });
}

Result<Json> rig_of_document(const AnyDocument& document, const FindOptions& options) {
    return motion_with_rig(document, Json::object(), options.rig, options.use)
        .map([](const RigMotion& motion) {
            Json report = rig::humanoid::rig_json(motion.rig, motion.clip.skeleton);
            report["moves_person"] = moves_person(motion);
            return report;
        });
}

/// The built-in rig files as one array.
std::string all_rigs() {
    std::string text;
    for (const std::string_view rig : rig::humanoid::built_in_rig_texts()) {
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
        TRY_VOID(api::require("out", out));
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
        TRY_VOID(api::require("out", out));
        *out = api::new_buffer(all_rigs());
        return {};
    });
}

ab_status ab_rig_fit_json(const ab_document* document, const ab_armature* armature, const char* options_json,
                          ab_buffer** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("document or out", document, out));
        TRY(const auto given, options_from(options_json));
        TRY(const auto options, fit_options(given));
        TRY(const auto taken, api::take_armature(armature));
        return rig_fit(*document->document, taken, options.to_clip, options.target_rig)
            .map([&](const RigFit& fit) { *out = api::new_json_buffer(rig_fit_json(fit)); });
    });
}

}  // extern "C"

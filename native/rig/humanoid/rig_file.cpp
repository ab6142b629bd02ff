// SPDX-License-Identifier: MIT
#include "rig/humanoid/humanoid.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace animbridge::rig::humanoid {

namespace {

// Limits, because every joint's name is compared with every pattern.
constexpr std::size_t most_rig_names = 64;
constexpr std::size_t most_rig_rows = 1024;
constexpr std::size_t most_rig_patterns = 512;

/// An object of arrays of names, each with at least one.
Result<std::vector<RigNames>> rig_rows(const Json& root, const std::string& member) {
    const Json rows = root.value(member, Json::object());
    if (!rows.is_object() || rows.size() > most_rig_rows) {
        return json_fail(member, rows,
                         "an object with at most " + std::to_string(most_rig_rows) + " members");
    }
    std::vector<RigNames> read;
    for (const auto& [key, value] : rows.items()) {
        std::string field = member;
        field.append(".").append(key);
        TRY(auto names, rig_texts(value, field, most_rig_names));
        if (names.empty()) {
            return json_fail(field, value, "at least one name");
        }
        read.push_back({key, std::move(names)});
    }
    return read;
}

Result<JointRole> role_named(const std::string& name, const Json& found) {
    constexpr std::array<std::pair<std::string_view, JointRole>, 4> roles = {
        {{"twist", JointRole::twist},
         {"helper", JointRole::helper},
         {"leaf", JointRole::leaf},
         {"attachment", JointRole::attachment}}};
    for (const auto& [text, role] : roles) {
        if (text == name) {
            return role;
        }
    }
    return json_fail("roles." + name, found, "a role: twist, helper, leaf or attachment");
}

bool is_role_pattern(const std::string& text) {
    const std::size_t inner = text.find('*', 1);
    return text != "*" && text != "**" && (inner == std::string::npos || inner == text.size() - 1);
}

Result<void> read_rig_roles(const Json& root, RigFile& rig) {
    const Json roles = root.value("roles", Json::object());
    if (!roles.is_object()) {
        return json_fail("roles", roles, "an object");
    }
    for (const auto& [key, value] : roles.items()) {
        TRY(const auto role, role_named(key, value));
        TRY(auto patterns, rig_texts(value, "roles." + key, most_rig_patterns));
        for (const std::string& pattern : patterns) {
            if (!is_role_pattern(pattern)) {
                return json_fail("roles." + key, Json(pattern),
                                 "a name, with * for any text at its beginning or end");
            }
        }
        rig.roles.emplace_back(role, std::move(patterns));
    }
    return {};
}

Result<glm::dquat> turn_from_json(const Json& value, const std::string& field) {
    if (!value.is_array() || value.size() != 4 ||
        !std::ranges::all_of(value, [](const Json& each) { return each.is_number(); })) {
        return json_fail(field, value, "four numbers: w, x, y, z");
    }
    const glm::dquat turn(value[0].get<double>(), value[1].get<double>(), value[2].get<double>(),
                          value[3].get<double>());
    constexpr double slack = 1e-3;  // the rounding of a file with few decimals
    if (const double length = glm::length(turn); !(std::abs(length - 1) <= slack)) {
        return json_fail(field, value, "a unit quaternion");
    }
    return glm::normalize(turn);
}

Result<void> read_rig_reference(const Json& root, RigFile& rig) {
    const Json reference = root.value("reference", Json::object());
    if (!reference.is_object()) {
        return json_fail("reference", reference, "an object");
    }
    for (const auto& [key, value] : reference.items()) {
        TRY(const auto turn, turn_from_json(value, "reference." + key));
        rig.reference.emplace_back(key, turn);
    }
    return {};
}

Result<void> read_rig_head(const Json& root, RigFile& rig) {
    const std::array<std::pair<const char*, std::string*>, 5> texts = {{{"id", &rig.id},
                                                                        {"title", &rig.title},
                                                                        {"source", &rig.source},
                                                                        {"licence", &rig.licence},
                                                                        {"note", &rig.note}}};
    for (const auto& [member, text] : texts) {
        TRY(*text, text_from_json(root.value(member, Json("")), member));
    }
    TRY(rig.rank, integer_from_json(root.value("rank", Json(rig.rank)), 0, 1000, "rank"));
    TRY(rig.loose, rig_switch(root, "loose"));
    TRY(rig.built_in, rig_switch(root, "built_in"));
    if (root.contains("use")) {
        TRY(const auto use, text_from_json(root["use"], "use"));
        if (use != "source" && use != "target") {
            return json_fail("use", root["use"], "\"source\" or \"target\"");
        }
        rig.use = use == "source" ? RigUse::source : RigUse::target;
    }
    return {};
}

}  // namespace

Error rig_member_error(std::string reason, std::string member) {
    return {ErrorCode::bad_value, std::move(reason), {}, std::move(member)};
}

Result<std::string> rig_text(const Json& value, const std::string& member) {
    auto text = text_from_json(value, member);
    return text && text->empty() ? json_fail(member, value, "a string that is not empty") : text;
}

Result<std::vector<std::string>> rig_texts(const Json& value, const std::string& member, std::size_t most) {
    if (!value.is_array() || value.size() > most) {
        return json_fail(member, value, "an array of at most " + std::to_string(most) + " strings");
    }
    std::vector<std::string> texts;
    for (const Json& item : value) {
        TRY(auto text, rig_text(item, member));
        texts.push_back(std::move(text));
    }
    return texts;
}

Result<bool> rig_switch(const Json& root, const char* member) {
    const Json value = root.value(member, Json(false));
    if (!value.is_boolean()) {
        return json_fail(member, value, "true or false");
    }
    return value.get<bool>();
}

Result<void> check_rig_members(const Json& root, std::span<const std::string_view> known,
                               std::string_view what) {
    const std::string version_member(known.front());
    TRY(const auto version, json_member(root, version_member.c_str()));
    TRY_VOID(integer_from_json(*version, 1, 1, version_member));
    for (const auto& [key, value] : root.items()) {
        if (std::ranges::find(known, key) == known.end()) {
            return fail(rig_member_error("is not a member of " + std::string(what), std::string(key)));
        }
    }
    return {};
}

bool RigFile::is_humanoid() const {
    return !slots.empty() &&
           std::ranges::all_of(slots, [](const RigNames& slot) { return find_slot(slot.of).has_value(); });
}

Result<RigFile> read_rig_file(std::string_view json) {
    TRY(const auto root, parse_json(json));
    static constexpr std::array<std::string_view, 16> known = {
        "animbridge_rig", "id",    "title",    "source", "licence", "note",  "rank",     "use",
        "loose",          "slots", "prefixes", "chains", "parents", "roles", "built_in", "reference"};
    TRY_VOID(check_rig_members(root, known, "a rig file"));
    RigFile rig;
    TRY_VOID(read_rig_head(root, rig));
    TRY(rig.prefixes, rig_texts(root.value("prefixes", Json::array()), "prefixes", most_rig_names));
    TRY_VOID(json_member(root, "slots"));
    TRY(rig.slots, rig_rows(root, "slots"));
    TRY(rig.parents, rig_rows(root, "parents"));
    TRY(rig.chains, rig_rows(root, "chains"));
    TRY_VOID(read_rig_roles(root, rig));
    TRY_VOID(read_rig_reference(root, rig));
    return rig;
}

namespace {

#include "rigs_data.inc"

}  // namespace

const std::vector<RigFile>& built_in_rigs() {
    static const std::vector<RigFile> rigs = [] {
        std::vector<RigFile> read;
        read.reserve(built_in_rigs_json.size());
        for (const std::string_view json : built_in_rigs_json) {
            RigFile rig = read_rig_file(json).value();  // a test reads them all
            if (rig.is_humanoid()) {
                read.push_back(std::move(rig));
            }
        }
        return read;
    }();
    return rigs;
}

std::span<const std::string_view> built_in_rig_texts() { return built_in_rigs_json; }

Result<std::string_view> built_in_rig_text(std::string_view id) {
    std::string ids;
    for (const std::string_view text : built_in_rigs_json) {
        const std::string each = read_rig_file(text).value().id;
        if (each == id) {
            return text;
        }
        ids += (ids.empty() ? "" : ", ") + each;
    }
    return fail(ErrorCode::bad_value,
                "it is neither a file nor the name of a rig that comes with AnimBridge. Those are " + ids);
}

namespace {

Json joint_names_json(const std::vector<std::size_t>& joints, const Skeleton& skeleton) {
    return list_json(joints, [&](std::size_t joint) { return json_text(skeleton.nodes[joint].name); });
}

Json slots_json(const FoundRig& rig, const Skeleton& skeleton) {
    Json slots = Json::object();
    for (const FoundSlot& slot : rig.slots) {
        slots.append_member(slot.slot, {{"joint", json_text(skeleton.nodes[slot.joint].name)},
                                        {"by", name_of(slot.by)},
                                        {"score", slot.score}});
    }
    return slots;
}

}  // namespace

std::string_view name_of(FoundBy by) {
    constexpr std::array<std::string_view, 5> names = {"given", "convention", "name", "structure", "shape"};
    return names[static_cast<std::size_t>(by)];
}

Json rig_json(const FoundRig& rig, const Skeleton& skeleton) {
    Json chains = Json::object();
    for (const FoundChain& chain : rig.chains) {
        chains.append_member(chain.name, joint_names_json(chain.joints, skeleton));
    }
    Json missing = list_json(rig.missing, [&](const MissingSlot& slot) -> Json {
        return {{"slot", slot.slot},
                {"why", slot.why},
                {"candidates", joint_names_json(slot.candidates, skeleton)}};
    });
    const Json facing =
        rig.facing ? Json::array({rig.facing->x, rig.facing->y, rig.facing->z}) : Json(nullptr);
    return {{"convention", rig.convention.empty() ? Json(nullptr) : json_text(rig.convention)},
            {"score", rig.score},
            {"facing", facing},
            {"height_metres", rig.height_metres},
            {"looks_like", rig.looks_like.empty() ? Json(nullptr) : json_text(rig.looks_like)},
            {"slots", slots_json(rig, skeleton)},
            {"chains", std::move(chains)},
            {"missing", std::move(missing)},
            {"unmapped", joint_names_json(rig.unmapped, skeleton)},
            {"warnings", Json(rig.warnings)}};
}

}  // namespace animbridge::rig::humanoid

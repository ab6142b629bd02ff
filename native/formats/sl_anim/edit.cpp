// SPDX-License-Identifier: MIT
#include "formats/sl_anim/edit.h"

#include <algorithm>
#include <array>
#include <limits>

#include "formats/sl_anim/skeleton.h"

namespace animbridge::sl_anim {

namespace {

template <typename Integer>
Result<void> set_integer(Integer& out, const Json& value, const std::string& field) {
    TRY(const auto number, integer_from_json(value, std::numeric_limits<Integer>::min(),
                                             std::numeric_limits<Integer>::max(), field));
    out = static_cast<Integer>(number);
    return {};
}

Result<void> set_float(RawFloat& out, const Json& value, const std::string& field) {
    return float_from_json(value, field).map([&](RawFloat number) { out = number; });
}

Result<void> set_emote(Document& document, const Json& value, const std::string& field) {
    auto text = text_from_json(value, field);
    if (!text) {
        return tl::unexpected<Error>(std::move(text.error()));
    }
    if (text->find('\0') != std::string::npos) {
        return json_fail(field, value, "text without a NUL");
    }
    document.emote_name = std::move(*text);
    return {};
}

/// Keeps the file's own number for "true" if the meaning does not change.
Result<void> set_loop(Document& document, const Json& value, const std::string& field) {
    if (!value.is_boolean()) {
        return json_fail(field, value, "true or false");
    }
    if (value.get<bool>() != (document.loop != 0)) {
        document.loop = value.get<bool>() ? 1 : 0;
    }
    return {};
}

/// Sets every record of the joint: a file may have several, under different names.
Result<void> set_joint_priority(Document& document, const std::string& name, const Json& value,
                                const std::string& field) {
    const auto wanted = find_joint(name);
    bool found = false;
    for (Joint& joint : document.joints) {
        if (joint.name != name && (!wanted || find_joint(joint.name) != wanted)) {
            continue;
        }
        TRY_VOID(set_integer(joint.priority, value, field));
        found = true;
    }
    if (!found) {
        return json_fail(field, name, "a joint of the animation");
    }
    return {};
}

Result<void> set_joint_priorities(Document& document, const Json& value, const std::string& field) {
    if (!value.is_object()) {
        return json_fail(field, value, "an object of joints and their priorities");
    }
    for (const auto& [name, priority] : value.items()) {
        std::string place = field;
        place.append(".").append(name);
        TRY_VOID(set_joint_priority(document, name, priority, place));
    }
    return {};
}

struct Member {
    std::string_view name;
    Result<void> (*set)(Document& document, const Json& value, const std::string& field);
};

template <auto Field>
Result<void> integer_member(Document& document, const Json& value, const std::string& field) {
    return set_integer(document.*Field, value, field);
}
template <auto Field>
Result<void> float_member(Document& document, const Json& value, const std::string& field) {
    return set_float(document.*Field, value, field);
}

constexpr std::array<Member, 9> members = {{
    {"base_priority", integer_member<&Document::base_priority>},
    {"emote_name", set_emote},
    {"loop", set_loop},
    {"loop_in_point", float_member<&Document::loop_in_point>},
    {"loop_out_point", float_member<&Document::loop_out_point>},
    {"ease_in_duration", float_member<&Document::ease_in_duration>},
    {"ease_out_duration", float_member<&Document::ease_out_duration>},
    {"hand_pose", integer_member<&Document::hand_pose>},
    {"joint_priorities", set_joint_priorities},
}};

std::string member_names() {
    std::string names;
    for (const Member& member : members) {
        names += (names.empty() ? "" : ", ") + std::string(member.name);
    }
    return names;
}

}  // namespace

Result<Document> edit(Document document, const Json& edits) {
    if (!edits.is_object()) {
        return json_fail("edits", edits, "an object");
    }
    for (const auto& [name, value] : edits.items()) {
        const auto* const member = std::find_if(members.begin(), members.end(),
                                                [&key = name](const Member& m) { return m.name == key; });
        if (member == members.end()) {
            return json_fail("edits", name, "one of " + member_names());
        }
        TRY_VOID(member->set(document, value, name));
    }
    return document;
}

}  // namespace animbridge::sl_anim

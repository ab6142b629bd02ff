// SPDX-License-Identifier: MIT
#include "convert/bvh_to_sl_options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

#include "convert/bridges.h"

namespace animbridge {

namespace {

using sl_anim::BvhLoad;

/// What is allowed, as a message says it; empty: the value is taken.
using Allowed = std::string;

constexpr double longest_seconds = 60.0;  // no animation is longer
constexpr double longest_ease_seconds = 10.0;

template <typename Integer>
Allowed set_integer(Integer& out, const Json& value, std::int64_t low, std::int64_t high) {
    const auto number = integer_from_json(value, low, high, "");
    if (!number) {
        return "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
    }
    out = static_cast<std::int32_t>(*number);
    return "";
}

template <typename Flag>
Allowed set_flag(Flag& out, const Json& value) {
    if (!value.is_boolean()) {
        return "true or false";
    }
    out = value.get<bool>();
    return "";
}

bool is_within(double value, double most) { return value >= 0.0 && value <= most; }

Allowed set_seconds(std::optional<float>& out, const Json& value) {
    if (!value.is_number() || !is_within(value.get<double>(), longest_ease_seconds)) {
        return "seconds from 0 to 10";
    }
    out = value.get<float>();
    return "";
}

Allowed set_point(std::optional<sl_anim::LoopPoint>& out, const Json& value) {
    if (value.is_number() && is_within(value.get<double>(), longest_seconds)) {
        out = {value.get<float>(), false};
        return "";
    }
    const auto text = value.is_string() ? value.get<std::string_view>() : std::string_view();
    if (text.ends_with('%')) {
        float percent = 0;
        const char* const end = text.data() + text.size() - 1;
        const auto done = std::from_chars(text.data(), end, percent);
        if (done.ec == std::errc() && done.ptr == end && is_within(static_cast<double>(percent), 100.0)) {
            out = {percent, true};
            return "";
        }
    }
    return "seconds from 0 to 60 as a number, or a share of the duration as text, \"0%\" to \"100%\"";
}

Allowed set_loader(BvhLoad& load, const Json& value) {
    if (value != "current" && value != "pre2022") {
        return "\"current\" or \"pre2022\"";
    }
    load.timing = value == "current" ? sl_anim::BvhTiming::current : sl_anim::BvhTiming::pre2022;
    return "";
}

Allowed set_emote(BvhLoad& load, const Json& value) {
    auto text = text_from_json(value, "emote");
    if (!text || text->find('\0') != std::string::npos) {
        return "text without a NUL";
    }
    load.emote = std::move(*text);
    return "";
}

Allowed set_joint_priorities(BvhLoad& load, const Json& value) {
    constexpr const char* allowed = "an object of joints and their priorities from -1 to 6";
    if (!value.is_object()) {
        return allowed;
    }
    for (const auto& [name, priority] : value.items()) {
        if (!set_integer(load.joint_priorities[name], priority, -1, 6).empty()) {
            return allowed;
        }
    }
    return "";
}

struct Member {
    std::string_view name;
    Allowed (*set)(BvhLoad& load, const Json& value);
};

template <auto Field>
Allowed flag(BvhLoad& load, const Json& value) {
    return set_flag(load.*Field, value);
}
template <auto Field>
Allowed seconds(BvhLoad& load, const Json& value) {
    return set_seconds(load.*Field, value);
}
template <auto Field>
Allowed point(BvhLoad& load, const Json& value) {
    return set_point(load.*Field, value);
}

constexpr std::array<Member, 13> members = {{
    {"loader", set_loader},
    {"priority", [](BvhLoad& load, const Json& value) { return set_integer(load.priority, value, 0, 6); }},
    {"joint_priorities", set_joint_priorities},
    {"loop", flag<&BvhLoad::loop>},
    {"loop_in", point<&BvhLoad::loop_in>},
    {"loop_out", point<&BvhLoad::loop_out>},
    {"ease_in", seconds<&BvhLoad::ease_in_seconds>},
    {"ease_out", seconds<&BvhLoad::ease_out_seconds>},
    {"hand_pose", [](BvhLoad& load, const Json& value) { return set_integer(load.hand_pose, value, 0, 13); }},
    {"emote", set_emote},
    {"reduce_keys", flag<&BvhLoad::reduce_keys>},
    {"keep_all_joints", flag<&BvhLoad::keep_all_joints>},
    {"reference_frame", flag<&BvhLoad::reference_frame>},
}};

std::string member_names() {
    std::string names;
    for (const Member& member : members) {
        names.append(member.name).append(", ");
    }
    return names + "anim_ini";
}

Result<void> set_ini(BvhLoad& load, const Json& value) {
    if (!value.is_string()) {
        return json_fail("anim_ini", value, "the text of an anim.ini");
    }
    return sl_anim::read_anim_ini(value.get<std::string_view>()).map([&](sl_anim::AnimIni ini) {
        load.ini = std::move(ini);
    });
}

Result<void> set_member(BvhLoad& load, const std::string& name, const Json& value) {
    if (name == "anim_ini") {
        return set_ini(load, value);
    }
    const auto* const member =
        std::find_if(members.begin(), members.end(), [&](const Member& row) { return row.name == name; });
    if (member == members.end()) {
        return fail_at_option(name, member_names());
    }
    if (const Allowed allowed = member->set(load, value); !allowed.empty()) {
        return tl::unexpected<Error>(in_request(json_fail(name, value, allowed).value()));
    }
    return {};
}

}  // namespace

Result<BvhLoad> bvh_load_from_json(const Json& options) {
    BvhLoad load;
    if (!options.is_object()) {
        return json_fail("options", options, "an object");
    }
    for (const auto& [name, value] : options.items()) {
        if (auto done = set_member(load, name, value); !done) {
            return tl::unexpected<Error>(std::move(done.error()));
        }
    }
    return load;
}

}  // namespace animbridge

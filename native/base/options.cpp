// SPDX-License-Identifier: MIT
#include "base/options.h"

#include <algorithm>
#include <iterator>

namespace animbridge {

namespace {

/// As far as a number of a scene may go.
constexpr double largest_number = 1e30;

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        text += text.empty() ? "" : ", ";
        text += name;
    }
    return text;
}

}  // namespace

Result<Json> options_from(const char* json_or_null) {
    auto json = json_or_null == nullptr ? Result<Json>(Json::object()) : parse_json(json_or_null);
    if (json && !json->is_object()) {
        return json_fail("options", *json, "an object");
    }
    return json;
}

Result<void> read_members(const Json& json, const std::map<std::string, ReadMember>& members) {
    for (const auto& [key, value] : json.items()) {
        const auto found = members.find(key);
        if (found == members.end()) {
            std::vector<std::string> names;
            std::transform(members.begin(), members.end(), std::back_inserter(names),
                           [](const auto& member) { return member.first; });
            Error error{ErrorCode::bad_value, "is no option; allowed are " + listed(names)};
            error.field = key;
            return fail(std::move(error));
        }
        TRY_VOID(found->second(value));
    }
    return {};
}

ReadMember read_flag(std::string key, bool& into) {
    return [key = std::move(key), &into](const Json& value) -> Result<void> {
        if (!value.is_boolean()) {
            return json_fail(key, value, "true or false");
        }
        into = value.get<bool>();
        return {};
    };
}

ReadMember read_text(std::string key, std::string& into) {
    return [key = std::move(key), &into](const Json& value) -> Result<void> {
        TRY(auto text, text_from_json(value, key));
        into = std::move(text);
        return {};
    };
}

ReadMember read_positive(std::string key, double& into) {
    return [key = std::move(key), &into](const Json& value) -> Result<void> {
        if (!value.is_number() || !(value.get<double>() > 0.0) || !(value.get<double>() <= largest_number)) {
            return json_fail(key, value, "a number above 0 and at most 1e30");
        }
        into = value.get<double>();
        return {};
    };
}

ReadMember read_choice(std::string key, std::vector<std::string> allowed, std::string& into) {
    return [key = std::move(key), allowed = std::move(allowed), &into](const Json& value) -> Result<void> {
        if (!value.is_string() ||
            std::find(allowed.begin(), allowed.end(), value.get<std::string_view>()) == allowed.end()) {
            return json_fail(key, value, listed(allowed));
        }
        into = value.get<std::string>();
        return {};
    };
}

}  // namespace animbridge

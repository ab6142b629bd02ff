// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/json.h"

/// Reading the JSON objects of options that calls of animbridge.h take. Unknown members are
/// ErrorCode::bad_value.
namespace animbridge {

/// Reads an object's members by name.
using ReadMember = std::function<Result<void>(const Json& value)>;
[[nodiscard]] Result<void> read_members(const Json& json, const std::map<std::string, ReadMember>& members);

/// The object in a text; nullptr reads as an empty one.
[[nodiscard]] Result<Json> options_from(const char* json_or_null);

/// Members of some type, with what is allowed told. What they read into must outlive them.
[[nodiscard]] ReadMember read_flag(std::string key, bool& into);
[[nodiscard]] ReadMember read_text(std::string key, std::string& into);
/// A number above 0 and at most 1e30.
[[nodiscard]] ReadMember read_positive(std::string key, double& into);
[[nodiscard]] ReadMember read_choice(std::string key, std::vector<std::string> allowed, std::string& into);

}  // namespace animbridge

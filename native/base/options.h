// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/json.h"

/// Reads the JSON objects of options that calls of animbridge.h take. An unknown member is
/// ErrorCode::bad_value.
namespace animbridge {

/// Reads an object's members by name.
using ReadMember = std::function<Result<void>(const Json& value)>;
[[nodiscard]] Result<void> read_members(const Json& json, const std::map<std::string, ReadMember>& members);

/// Parses an object; nullptr counts as an empty one.
[[nodiscard]] Result<Json> options_from(const char* json_or_null);

/// Readers for members of each type, whose errors say what is allowed. The variable that they set must
/// outlive them.
[[nodiscard]] ReadMember read_flag(std::string key, bool& into);
[[nodiscard]] ReadMember read_text(std::string key, std::string& into);
/// A number above 0 and at most 1e30.
[[nodiscard]] ReadMember read_positive(std::string key, double& into);
[[nodiscard]] ReadMember read_choice(std::string key, std::vector<std::string> allowed, std::string& into);

}  // namespace animbridge

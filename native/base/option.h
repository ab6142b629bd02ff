// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/json.h"

/// Options as tables: one row says how an option stands in JSON, how the command calls it, and what is
/// allowed.
namespace animbridge {

enum class OptionType : std::uint8_t {
    flag,              ///< true or false; the command's switch sets `switch_value`
    integer,           ///< low..high
    number,            ///< low..high
    choice,            ///< one of `choices`
    text,              ///< without a NUL
    seconds_or_share,  ///< seconds 0..high, or a share of the duration as text, "0%" to "100%"
    integers_by_name,  ///< an object of integers low..high; NAME=NUMBER, repeated, for the command
    file_text,         ///< the text of a file; the command takes its path
};

struct Option {
    std::string_view name;  ///< of the member
    OptionType type;
    std::string_view command_name;  ///< "--loop-in"
    std::string_view value_name{};  ///< "SECONDS", in the command's help
    double low = 0;
    double high = 0;
    std::array<std::string_view, 2> choices{};
    bool switch_value = true;
    std::string_view allowed{};  ///< in messages, where the type does not say it
    std::string_view help;
};

/// What is allowed, where the value is not; else empty.
[[nodiscard]] std::string refused_value(const Option& option, const Json& value);

/// What is allowed for this option.
[[nodiscard]] std::string allowed_values(const Option& option);

/// An option, and where its value goes.
template <typename Target>
struct OptionRow {
    Option option;
    void (*set)(Target& target, const Json& value);
};

/// The options of the rows, for those that do not set them.
template <typename Target, std::size_t count>
[[nodiscard]] constexpr std::array<Option, count> options_of(
    const std::array<OptionRow<Target>, count>& rows) {
    std::array<Option, count> options{};
    for (std::size_t i = 0; i < count; ++i) {
        options[i] = rows[i].option;
    }
    return options;
}

/// ErrorCode::bad_value about the member.
[[nodiscard]] tl::unexpected<Error> unknown_option(const std::string& name, std::span<const Option> options);

/// Sets each member of an object by its row. ErrorCode::bad_value names the member and what is allowed.
template <typename Target, std::size_t count>
[[nodiscard]] Result<void> read_options(const Json& json, const std::array<OptionRow<Target>, count>& rows,
                                        Target& target) {
    if (!json.is_object()) {
        return json_fail("options", json, "an object");
    }
    for (const auto& [name, value] : json.items()) {
        const OptionRow<Target>* found = nullptr;
        for (const OptionRow<Target>& row : rows) {
            found = row.option.name == name ? &row : found;
        }
        if (found == nullptr) {
            return unknown_option(name, options_of(rows));
        }
        if (const std::string allowed = refused_value(found->option, value); !allowed.empty()) {
            return fail(in_request(json_fail(name, value, allowed).value()));
        }
        found->set(target, value);
    }
    return {};
}

/// A share or seconds, as seconds_or_share has them; the value is allowed.
struct SecondsOrShare {
    float value = 0;
    bool is_percent = false;
};
[[nodiscard]] SecondsOrShare seconds_or_share(const Json& value);

}  // namespace animbridge

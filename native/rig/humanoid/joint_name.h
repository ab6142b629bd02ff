// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rig/humanoid/slots.h"

/// Names of joints, in the many ways of writing one word: "mixamorig:LeftArm", "arm_l", "L Arm", "LEFT.ARM".
namespace animbridge::rig {

/// The parts of a name in lower case: split at separators, digits and capitals; without its namespace, and
/// with full-width letters and digits as ASCII. Empty for names above 256 bytes, which no rig has.
struct NameTokens {
    std::vector<std::string> tokens;
};

/// The meaning of a name, regardless of how it is written.
struct NameKey {
    std::string whole;         ///< all tokens, including the side: "leftarm"
    std::string part;          ///< without the side: "arm"
    Side side = Side::centre;  ///< the name's side; centre: it has none
};

/// The name after its last colon or bar.
[[nodiscard]] std::string_view without_namespace(std::string_view name);

[[nodiscard]] NameTokens tokens_of(std::string_view name);

/// The key of some tokens. Digits with a separator between them stay separate: "finger1-1" is not "finger11".
[[nodiscard]] NameKey key_of(const NameTokens& name, std::size_t first = 0,
                             std::size_t last = ~std::size_t{0});

/// left or right if the token alone means that: "l", "left", "links", "hidari"...
[[nodiscard]] std::optional<Side> side_of_token(std::string_view token);

/// The tokens at the beginning and the end that four of five names share: "rig_" and "_jnt". A side is not a
/// prefix, and a number is not a suffix.
struct SharedTokens {
    std::vector<std::string> prefix;
    std::vector<std::string> suffix;
};
[[nodiscard]] SharedTokens shared_tokens(const std::vector<NameTokens>& names);

/// How many tokens of the name are the prefix; 0 if the name does not begin with it, or consists only of it.
[[nodiscard]] std::size_t prefix_length(const NameTokens& name, const std::vector<std::string>& prefix);
[[nodiscard]] std::size_t suffix_length(const NameTokens& name, const std::vector<std::string>& suffix);

/// The name without its namespace, in lower case, each separator as "_": the form that patterns match.
[[nodiscard]] std::string plain_name(std::string_view name);

}  // namespace animbridge::rig

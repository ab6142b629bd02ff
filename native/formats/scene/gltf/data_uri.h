// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/base.h"

namespace animbridge::scene {

[[nodiscard]] inline bool is_data_uri(std::string_view uri) { return uri.starts_with("data:"); }

/// The bytes of "data:...;base64,..."; nullopt if it has another form.
[[nodiscard]] std::optional<Bytes> bytes_of_data_uri(std::string_view uri);

/// "%20" becomes a space.
[[nodiscard]] std::string percent_decoded(std::string_view uri);

}  // namespace animbridge::scene

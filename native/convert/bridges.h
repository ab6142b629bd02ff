// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "base/reading.h"
#include "convert/formats.h"

namespace animbridge {

/// A document of another format, and what was done to make it.
struct Bridged {
    DocumentPtr document;
    Json report = Json::object();  ///< as docs tell of the bridge
};

struct BridgeInput {
    ByteView bytes;  ///< a whole file of the bridge's source format
    Reading reading = Reading::strict;
    const Json& options;  ///< an object; a bridge refuses members that it does not know
};

/// A way from one format to another without a scene.
struct Bridge {
    std::string_view from;  ///< format ids
    std::string_view to;
    Result<Bridged> (*convert)(const BridgeInput& input);
};

[[nodiscard]] const Bridge* find_bridge(std::string_view from, std::string_view to);

}  // namespace animbridge

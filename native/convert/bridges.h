// SPDX-License-Identifier: MIT
#pragma once

#include <string>
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
    const Json& edits;    ///< what AnyDocument::edited will get: a bridge may measure what comes out then
};

/// A way from one format to another without a scene.
struct Bridge {
    std::string_view from;  ///< format ids
    std::string_view to;
    Result<Bridged> (*convert)(const BridgeInput& input);
};

/// A bridge's answer to an option that it does not have.
[[nodiscard]] tl::unexpected<Error> fail_at_option(const std::string& name, const std::string& known);

[[nodiscard]] const Bridge* find_bridge(std::string_view from, std::string_view to);

}  // namespace animbridge

// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/options/options.h"
#include "formats/format.h"

namespace animbridge {

struct BridgeInput {
    ByteView bytes;  ///< a whole file of the bridge's source format
    Reading reading = Reading::lenient;
    const Json& options;  ///< an object; a bridge refuses members that it does not know
    const Json& edits;    ///< what AnyDocument::edited will get: a bridge can measure the edited result
    const Job& job;
};

/// An exact conversion from one format to another; the bridge's folder exports it.
struct Bridge {
    std::string_view from;  ///< format ids
    std::string_view to;
    std::string_view way;  ///< for people: "from BVH to .anim"
    Result<Made> (*convert)(const BridgeInput& input);
    std::span<const Option> (*options)();
    /// The report as text; `give_back` is its member of that name, unchanged. Null: the target format
    /// describes the report.
    std::string (*describe)(const Json& report, const Json& give_back) = nullptr;
    /// Whether the conversion is meant for the file; if not, and its body is found, its motion is retargeted
    /// instead. Null: it is meant for every file.
    bool (*fits)(ByteView bytes) = nullptr;
    /// The first level of `from`'s check that includes the target program, and the function that adds its
    /// findings. `text`: the file that the document was read from, empty if it is not known. Null: none.
    CheckLevel check_level = CheckLevel::upload;
    void (*check)(const AnyDocument& document, ByteView text, std::vector<Finding>& findings) = nullptr;
};

[[nodiscard]] std::span<const Bridge* const> bridges();

/// Null if there is no exact conversion.
[[nodiscard]] const Bridge* find_bridge(std::string_view from, std::string_view to);

/// The formats and the bridges, with their options, in the form of ab_formats_json.
[[nodiscard]] Json registries_json();

}  // namespace animbridge

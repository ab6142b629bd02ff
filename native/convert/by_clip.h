// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "formats/format.h"

/// The way between two formats that have no exact bridge: document, clip, document.
namespace animbridge {

/// What the caller says about the way.
struct ClipWay {
    const Json& options;  ///< an object of what the one format's to_clip and the other's from_clip take
    const Json&
        retarget;  ///< an object of retarget_options(); null: only where the format asks; false: never
    const AnyDocument* onto = nullptr;  ///< whose skeleton gets the motion; null: the output format's own
    bool in_frames = false;             ///< curves become keys at frames, unless `options` has "keys"
    std::uint32_t memory_mib = 2048;    ///< that the clip and what is made of it may take
};

/// Whether the two formats convert through a clip, with these options.
[[nodiscard]] bool takes_options(const Format& from, const Format& to, const Json& options);

/// The report is from_clip's, with "way": "clip", all that either format leaves out in "left_out", and what
/// retarget_json says in "retarget" if the motion was retargeted. ErrorCode::invalid_argument: one of the
/// formats has no such way, or the motion has no skeleton to go onto. ErrorCode::bad_value names an option
/// that neither knows, or says that the clip needs too much memory.
[[nodiscard]] Result<Made> by_clip(const AnyDocument& document, const Format& to, const ClipWay& way,
                                   const Job& job);

/// The report for people.
[[nodiscard]] std::string describe_by_clip(const Json& report);

}  // namespace animbridge

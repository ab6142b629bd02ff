// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "model/format/format.h"

/// Converts between two formats without an exact bridge: document, clip, document.
namespace animbridge {

/// The caller's options for the conversion.
struct ClipWay {
    const Json& options;  ///< an object with options of the one format's to_clip and the other's from_clip
    const Json&
        retarget;  ///< an object of retarget_options(); null: only if the format requires it; false: never
    const AnyDocument* onto = nullptr;  ///< its skeleton gets the motion; null: the output format's own
    bool in_frames = false;             ///< curves become keys at frames, unless `options` has "keys"
    std::uint32_t memory_mib = 2048;    ///< the most memory of the clip and its results
};

/// Whether the two formats convert through a clip, with these options.
[[nodiscard]] bool takes_options(const Format& from, const Format& to, const Json& options);

/// The report is from_clip's, with "way": "clip", everything that either format leaves out in "left_out",
/// and, if the motion was retargeted, retarget_json's in "retarget". ErrorCode::invalid_argument: one of the
/// formats has no such conversion, or there is no skeleton for the motion. ErrorCode::bad_value names an
/// option that neither knows, or says that the clip needs too much memory.
[[nodiscard]] Result<Made> by_clip(const AnyDocument& document, const Format& to, const ClipWay& way,
                                   const Job& job);

/// The report as text for people.
[[nodiscard]] std::string describe_by_clip(const Json& report);

}  // namespace animbridge

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "base/base.h"
#include "base/json/json.h"
#include "base/options/options.h"
#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/clip/clip.h"
#include "formats/sl_anim/file/file.h"
#include "model/compare/compare.h"
#include "reduce/reduce.h"
#include "rig/armature/armature.h"
#include "rig/curves/curves.h"
#include "rig/exchange/exchange.h"

/// A `.anim` to an armature and back: curves or samples of a scene become a file, which is played and
/// measured. With the options of these ways, of conversions through a clip, and of dropping keys.
namespace animbridge::sl_anim {

struct Export {
    Document document;
    Json report;                        ///< as ab_document_from_curves describes it
    WorstDifference worst{};            ///< at times that the file can hold
    std::vector<std::string> causes{};  ///< of positions far off, in sentences
};

/// Exports an armature's curves to a .anim, and measures it with the viewer's player. `bound`: drop keys of
/// changed tracks while all joints stay within it; null keeps every key.
[[nodiscard]] Result<Export> export_curves(const rig::Armature& armature, const rig::BoneMap& map,
                                           const rig::Timing& timing, std::span<const rig::CurveView> curves,
                                           std::span<const rig::UnchangedCurve> unchanged,
                                           const FromClip& options, const Job& job, const Limits& limits = {},
                                           const reduce::Bound* bound = nullptr);

/// Exports evaluated poses to a .anim, and measures it at every sample. `bound`: drop keys while every sample
/// stays within it; null keeps every sample as a key. The template's records of joints without an exported
/// bone stay.
[[nodiscard]] Result<Export> export_samples(const rig::Armature& armature, const rig::BoneMap& map,
                                            const rig::Timing& timing, const rig::SampleView& samples,
                                            const reduce::Bound* bound, const FromClip& options,
                                            const Job& job, const Limits& limits = {});

struct ReduceOptions {
    std::optional<reduce::Bound> bound{};  ///< null: the default bound, or any bound that the size needs
    std::uint64_t fit_bytes = 0;           ///< 0: no limit
};

[[nodiscard]] std::span<const Option> reduce_options();

/// Reads reduce_options(). The bound is null if neither of its members is given.
[[nodiscard]] Result<ReduceOptions> reduce_options_from(const Json& json);

struct Reduced {
    Document document;
    Json report;  ///< described in animbridge.h at ab_document_reduce
};

/// Drops keys from a file; the keys that stay keep their bits. Errors are measured against what the file
/// played before.
[[nodiscard]] Result<Reduced> reduce_keys(const Document& document, const ReduceOptions& options,
                                          const Job& job);

template <typename Target, auto Field>
void set_bound(Target& options, const Json& value) {
    (*options.bound).*Field = value.get<double>();
}

/// Rows for any Target that has the members of ReduceOptions and a `bound` that is not null.
template <typename Target>
[[nodiscard]] constexpr std::array<OptionRow<Target>, 3> rows_of_reduction() {
    return {{
        {{.name = "max_position_mm",
          .type = OptionType::number,
          .command_name = "--position-mm",
          .value_name = "MM",
          .high = no_limit,
          .above_low = true,
          .standard = "0.5",
          .unit = "mm",
          .help = "How far a joint may move from its position"},
         set_bound<Target, &reduce::Bound::position_mm>},
        {{.name = "max_rotation_degrees",
          .type = OptionType::number,
          .command_name = "--rotation-degrees",
          .value_name = "DEGREES",
          .high = no_limit,
          .above_low = true,
          .standard = "0.05",
          .unit = "degrees",
          .help = "How far a joint's own rotation may be off"},
         set_bound<Target, &reduce::Bound::rotation_degrees>},
        {{.name = "fit_bytes",
          .type = OptionType::integer,
          .command_name = "--fit",
          .value_name = "BYTES",
          .low = 1,
          .high = 9007199254740992.0,
          .without = "no limit",
          .unit = "bytes",
          .help = "Drop keys, with the smallest error, until the file is no larger than this"},
         [](Target& options, const Json& value) {
             options.fit_bytes = static_cast<std::uint64_t>(value.get<std::int64_t>());
         }},
    }};
}

/// How a clip becomes a file: which keys may be dropped, and the header, whose options have the names of
/// those of the viewer's upload.
struct ClipOptions {
    ReduceOptions reduction{};  ///< fits an upload unless the target has no limit or the options set one
    Target target = Target::second_life;
    Header header{};
    std::map<std::string, std::int32_t> joint_priorities{};  ///< keyed by the joints' names in skeleton()
};

[[nodiscard]] std::span<const Option> clip_options();

/// The header is that of a new file. Its loop comes from the clip's markers unless the options set another.
/// ErrorCode::bad_value names the option at fault.
[[nodiscard]] Result<ClipOptions> clip_options_from(const Json& json, const Clip& clip);

/// The options of exports to .anim, which animbridge.h describes.
struct ExportOptions {
    FromClip from_clip{};
    Limits limits{};
    std::optional<reduce::Bound> bound = reduce::Bound();  ///< for samples; null: every key stays
    double stop_above_mm = usual_stop_mm;                  ///< 0: an export never stops because of its error
};

[[nodiscard]] std::span<const Option> curve_options();
/// curve_options(), and those of the bound.
[[nodiscard]] std::span<const Option> sample_options();

/// Reads curve_options(); `base`, the template, may be null. ErrorCode::bad_value names the member.
[[nodiscard]] Result<ExportOptions> curve_options_from(const Json& json, const rig::Timing& timing,
                                                       const Document* base);
/// Like curve_options_from, but also reads the bound.
[[nodiscard]] Result<ExportOptions> sample_options_from(const Json& json, const rig::Timing& timing,
                                                        const Document* base);

// Converts a .anim to an armature and back; fills those members of the format's row.

[[nodiscard]] Result<CurvesMade> to_curves(const Document& document, const ToCurves& request);
[[nodiscard]] Result<Made> from_curves(const FromCurves& request);
[[nodiscard]] Result<Made> from_samples(const FromSamples& request);

/// Each joint once: the viewer plays only its first record.
[[nodiscard]] Result<std::vector<std::string>> played_joints(const Document& document);
[[nodiscard]] Result<void> play(const Document& document, std::span<const double> times_seconds,
                                std::optional<double> stop_seconds, const PoseArrays& out);

// Converts a .anim to the neutral clip and back, for conversions without an exact bridge.

/// Takes no options. ErrorCode::rejected if the viewer refuses the file.
[[nodiscard]] Result<ClipMade> document_to_clip(const Document& document, const Json& options);

/// Drops keys by reduce_options(). Finds joints by their names, like the viewer, and leaves the others out.
/// ErrorCode::invalid_argument if no joint is one of the avatar's (a rig file helps). ErrorCode::bad_value if
/// a joint's rest rotation differs from the avatar's (retargeting helps). ErrorCode::rejected if the viewer
/// refuses the result.
[[nodiscard]] Result<Made> document_from_clip(const ClipRequest& request);

/// The avatar's skeleton.
[[nodiscard]] Skeleton own_skeleton();

/// Whether most of the joints that move are the avatar's, and all of these have the avatar's rest rotation.
[[nodiscard]] bool takes(const Clip& clip);

}  // namespace animbridge::sl_anim

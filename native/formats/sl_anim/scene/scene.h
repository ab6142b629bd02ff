// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "base/base.h"
#include "base/options/options.h"
#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/clip/clip.h"
#include "formats/sl_anim/file/file.h"
#include "model/compare/compare.h"
#include "reduce/reduce.h"
#include "rig/curves/curves.h"
#include "rig/exchange/exchange.h"

/// A `.anim` to an armature and back, and to a clip and back: curves, samples or a clip become a file, which
/// is played and measured. With the options of these ways. Armature space and units: rig/armature.
namespace animbridge::sl_anim::scene {

// From a scene to a .anim.

/// The bones by the rig map. ErrorCode::invalid_argument: a curve is marked unchanged and there is no
/// template. ErrorCode::rejected: the target refuses the duration.
[[nodiscard]] Result<ExportRig> export_rig(const SceneMotion& motion);

/// The clip of a scene as a file, measured with the viewer's player at every key and half-way between, or at
/// every sample. Records of the template stay whose joint has no exported bone or whose channel is unchanged.
[[nodiscard]] Result<Made> document_from_scene(const ClipOfScene& scene);

// ---- fewer keys ----

struct ReduceOptions {
    std::optional<animbridge::reduce::Bound>
        bound{};                  ///< null: the default bound, or any bound that the size needs
    std::uint64_t fit_bytes = 0;  ///< 0: no limit
};

[[nodiscard]] std::span<const Option> reduce_options();

/// Whether the options say how large errors may be.
[[nodiscard]] bool has_bound(const Json& options);

/// Reads reduce_options(). The bound is null if neither of its members is given.
[[nodiscard]] Result<ReduceOptions> reduce_options_from(const Json& json);

struct Reduced {
    file::Document document;
    std::size_t bytes_before = 0;
    std::size_t keys_before = 0;
    std::size_t keys_after = 0;
    WorstDifference worst{};
    ErrorSpreads spread{};
    std::optional<animbridge::reduce::Bound> bound{};  ///< none: nothing was dropped

    /// As ab_document_reduce describes it.
    [[nodiscard]] Json report() const;
};

/// Drops keys from a file; the keys that stay keep their bits. Errors are measured against what the file
/// played before.
[[nodiscard]] Result<Reduced> reduce_keys(const file::Document& document, const ReduceOptions& options,
                                          const Job& job);

/// Rows for any Target that has the members of ReduceOptions.
template <typename Target>
[[nodiscard]] constexpr std::array<OptionRow<Target>, 3> rows_of_reduction() {
    return joined_rows(animbridge::reduce::bound_rows<Target>(), animbridge::reduce::fit_rows<Target>);
}

/// How a file is made of a clip, which a scene or another file gave.
struct ExportOptions {
    clip::FromClip from_clip{};
    check::Limits limits{};
    std::optional<animbridge::reduce::Bound> bound{};  ///< by which keys may go; none: every key stays
    bool are_keys_free = false;                        ///< keys may get other values and times, or go
    bool has_size_curve = false;                       ///< the report says which sizes cost which errors
};

/// The option that requests `has_size_curve`.
template <typename Target>
inline constexpr std::array<OptionRow<Target>, 1> size_curve_rows = {
    {{{.name = "size_curve",
       .type = OptionType::flag,
       .standard = "false",
       .help = "Also report sizes of the file and what they cost: \"size_curve\", a list of {\"bytes\", "
               "\"position_error_mm\", \"rotation_error_degrees\"}"},
      [](Target& options, const Json& value) { options.has_size_curve = value.get<bool>(); }}}};

[[nodiscard]] std::span<const Option> curve_options();
/// curve_options(), and those of the bound.
[[nodiscard]] std::span<const Option> sample_options();

/// What a scene's motion is exported with, by the table of its curves or samples. ErrorCode::bad_value names
/// the member.
[[nodiscard]] Result<ExportOptions> export_options_from(const SceneMotion& motion);

/// Those of conversions, named as the viewer's upload names them.
[[nodiscard]] std::span<const Option> clip_options();
/// The header is that of a new file, with the loop that the clip's markers say, wherever the options do not
/// say another. The file fits an upload, unless the target has no limit or another one is given.
/// ErrorCode::bad_value names the option at fault.
[[nodiscard]] Result<ExportOptions> clip_options_from(const Json& json, const Clip& clip);

// A .anim on an armature, and its poses in bulk: the scene slots of the format's row.

[[nodiscard]] Result<CurvesMade> to_curves(const file::Document& document, const ToCurves& request);

/// Each joint once: the viewer plays only its first record.
[[nodiscard]] Result<std::vector<std::string>> played_joints(const file::Document& document);
[[nodiscard]] Result<void> play(const file::Document& document, std::span<const double> times_seconds,
                                std::optional<double> stop_seconds, const PoseArrays& out);

// Converts a .anim to the neutral clip and back, for conversions without an exact bridge.

/// Takes no options. ErrorCode::rejected if the viewer refuses the file.
[[nodiscard]] Result<ClipMade> document_to_clip(const file::Document& document, const Json& options);

/// Drops keys by reduce_options(). Finds joints by their names, like the viewer, and leaves the others out.
/// ErrorCode::invalid_argument if no joint is one of the avatar's (a rig file helps). ErrorCode::bad_value if
/// a joint's rest rotation differs from the avatar's (retargeting helps). ErrorCode::rejected if the viewer
/// refuses the result.
[[nodiscard]] Result<Made> document_from_clip(const ClipRequest& request);

/// The avatar's skeleton.
[[nodiscard]] Skeleton own_skeleton();

/// Per joint of a clip of document_to_clip: avatar::counted_joints of its tracks.
[[nodiscard]] std::vector<bool> counted(const Clip& clip);

}  // namespace animbridge::sl_anim::scene

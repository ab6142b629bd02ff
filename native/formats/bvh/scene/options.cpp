// SPDX-License-Identifier: MIT
#include "formats/bvh/scene/scene.h"

#include <array>

namespace animbridge::bvh::scene {

namespace {

struct GivenImport : PlacementOptions {
    ImportOptions options{};
};

constexpr auto skeleton_rows = placement_rows<PlacementOptions>(false);
constexpr auto skeleton_table = options_of(skeleton_rows);

constexpr std::array<OptionRow<GivenImport>, 2> match_rows = {{
    {{.name = "match",
      .type = OptionType::choice,
      .choices = {"names", "rig_map"},
      .standard = "rig_map",
      .help = "How joints find their bones. names: by equal names; rig_map: then by similar names and by the "
              "rig map"},
     [](GivenImport& given, const Json& value) { given.options.by_rig_map = value == "rig_map"; }},
    {{.name = "fit_height",
      .type = OptionType::flag,
      .standard = "false",
      .help = "Scale positions by the ratio of the hips' heights instead of by scale, so that feet stay on "
              "the ground"},
     [](GivenImport& given, const Json& value) { given.options.fit_height = value.get<bool>(); }},
}};
constexpr auto import_rows = joined_rows(placement_rows<GivenImport>(false), match_rows);
constexpr auto import_table = options_of(import_rows);

}  // namespace

Result<clip::Placement> PlacementOptions::placement() const {
    const bool z_is_up = up == "Z" || up == "-Z";
    const auto axes = clip::axes_of(forward != "auto" ? forward : z_is_up ? "Y" : "-Z", up);
    if (!axes) {
        Error error{ErrorCode::bad_value, "forward is " + forward + " and up is " + up +
                                              "; allowed are two different ones of the axes X, Y and Z"};
        error.field = "forward";
        return tl::unexpected<Error>(std::move(error));
    }
    return clip::Placement{*axes, scale};
}

std::span<const Option> skeleton_options() { return skeleton_table; }
std::span<const Option> import_options() { return import_table; }

Result<clip::Placement> placement_from(const Json& json) {
    PlacementOptions options;
    return read_options(json, skeleton_rows, options).and_then([&] { return options.placement(); });
}

Result<ImportOptions> import_options_from(const Json& json) {
    GivenImport given;
    TRY_VOID(read_options(json, import_rows, given));
    TRY(given.options.placement, given.placement());
    return given.options;
}

namespace {

struct GivenExport : PlacementOptions {
    ExportOptions options{};
};

void set_tails(GivenExport& given, const Json& value) {
    auto& tails = given.options.tails.emplace();
    for (const Json& point : value) {
        tails.emplace_back(point[0].get<double>(), point[1].get<double>(), point[2].get<double>());
    }
}

void set_names(GivenExport& given, const Json& value) {
    for (const auto& [bone, joint] : value.items()) {
        given.options.names[bone] = text_from_json(joint, "names").value();
    }
}

void set_positions(GivenExport& given, const Json& value) {
    given.options.positions = value == "root"  ? Positions::root
                              : value == "all" ? Positions::all
                                               : Positions::moving;
}

constexpr std::array<OptionRow<GivenExport>, 8> motion_rows = {{
    // Blender's own last frame.
    {{.name = "frame_count",
      .type = OptionType::integer,
      .low = 1,
      .high = 1'048'574,
      .must_be_given = true,
      .unit = "frames of the file",
      .help = "How many frames the file gets"},
     [](GivenExport& given, const Json& value) {
         given.options.frame_count = static_cast<std::size_t>(value.get<std::int64_t>());
     }},
    {{.name = "frame_step",
      .type = OptionType::number,
      .high = largest_scene_number,
      .above_low = true,
      .standard = "1",
      .unit = "frames of the scene",
      .help = "Frames of the scene for each frame of the file"},
     [](GivenExport& given, const Json& value) { given.options.frame_step = value.get<double>(); }},
    {{.name = "frame_time_seconds",
      .type = OptionType::number,
      .high = largest_scene_number,
      .above_low = true,
      .without = "frame_step at the scene's rate",
      .unit = "s",
      .help = "Seconds from one frame of the file to the next"},
     [](GivenExport& given, const Json& value) { given.options.frame_time_seconds = value.get<double>(); }},
    {{.name = "rotation_order",
      .type = OptionType::choice,
      .choices = {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "native"},
      .standard = "ZXY",
      .help = "The order of a joint's three rotation channels. native: each bone's own rotation order, ZXY "
              "for quaternions"},
     [](GivenExport& given, const Json& value) { given.options.rotation_order = value.get<std::string>(); }},
    {{.name = "positions",
      .type = OptionType::choice,
      .choices = {"root", "moving", "all"},
      .standard = "moving",
      .help = "Which joints get position channels besides rotation channels. moving: roots, and bones that "
              "leave their rest position by more than 0.1 mm"},
     set_positions},
    {{.name = "bones",
      .type = OptionType::texts,
      .may_be_null = true,
      .without = "all bones",
      .help = "Names of the bones to export"},
     [](GivenExport& given, const Json& value) { given.options.bones = texts_from_json(value); }},
    {{.name = "tails",
      .type = OptionType::points,
      .may_be_null = true,
      .without = "along the bone's Y axis",
      .unit = "m",
      .help = "For each bone, where its tail is in armature space: a leaf gets its end site there"},
     set_tails},
    {{.name = "names",
      .type = OptionType::texts_by_name,
      .may_be_null = true,
      .without = "the bones' names",
      .allowed = "an object of bones' and joints' names",
      .help = "What joints are called in the file, by bone"},
     set_names},
}};
/// The direction in which the character faces: the caller's, or else the one that the rig map finds. If it
/// finds none, -Y, the direction of Blender's front view.
rig::armature::Facing facing_of(const rig::armature::SceneRig& rig) {
    if (!rig.finds_facing) {
        return rig.armature.facing;
    }
    return rig::armature::find_facing(*rig.avatar, rig.armature,
                                      rig::armature::map_clear_bones(*rig.avatar, rig.armature, rig.map()))
        .value_or(rig::armature::Facing::negative_y);
}

constexpr auto export_rows =
    joined_rows(joined_rows(placement_rows<GivenExport>(true), motion_rows), stop_rows<GivenExport>);
constexpr auto export_table = options_of(export_rows);

}  // namespace

std::span<const Option> export_options() { return export_table; }

Result<ExportOptions> export_options_from(const SceneMotion& motion) {
    GivenExport given;
    TRY_VOID(read_options(motion.options, export_rows, given));
    ExportOptions& options = given.options;
    if (options.frame_time_seconds == 0.0) {
        options.frame_time_seconds = options.frame_step / motion.timing.frames_per_second;
    }
    TRY(options.placement, given.placement());
    if (given.forward == "auto") {
        // A facing is its number of quarter turns from +X, clockwise: from -Y, counterclockwise.
        const std::size_t quarters = (5 - static_cast<std::size_t>(facing_of(*motion.rig))) % 4;
        options.placement.axes = options.placement.axes.rotated(quarters);
    }
    if (motion.template_document != nullptr) {
        options.template_document = as_bvh(*motion.template_document);
    }
    return std::move(options);
}

}  // namespace animbridge::bvh::scene

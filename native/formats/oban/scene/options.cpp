// SPDX-License-Identifier: MIT
#include "formats/oban/scene/scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "formats/oban/file/file.h"

namespace animbridge::oban::scene {

namespace {

/// A matrix is rigid if the products of its axes are off by no more than this: float noise through a few
/// parents.
constexpr double rigid_tolerance = 1e-4;

/// From a valid matrix.
play::Affine affine_of(const Json& value) {
    play::Affine affine;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            const auto number =
                value[4 * static_cast<std::size_t>(column) + static_cast<std::size_t>(row)].get<double>();
            (column < 3 ? affine.linear[column][row] : affine.place[row]) = number;
        }
    }
    return affine;
}

bool is_rigid(const Json& value) {
    const play::Affine affine = affine_of(value);
    const glm::dmat3 products = glm::transpose(affine.linear) * affine.linear;
    bool rigid = glm::determinant(affine.linear) > 0.0;
    for (int column = 0; column < 3; ++column) {
        for (int row = 0; row < 3; ++row) {
            rigid = rigid && std::abs(products[column][row] - (column == row ? 1.0 : 0.0)) <= rigid_tolerance;
        }
    }
    return rigid;
}

/// The given values, before the bound is known to be one.
struct GivenExport {
    ExportOptions options{};
    edit::Bound bound{};
};

play::Space& space_in(play::Space& space) { return space; }
play::Space& space_in(GivenExport& given) { return given.options.space; }

/// Rows of an import's Space or of an export's options.
template <typename Target>
constexpr std::array<OptionRow<Target>, 2> space_rows = {{
    {{.name = "axes",
      .type = OptionType::choice,
      .choices = {"file", "blender"},
      .standard = "file",
      .help = "Which axes the object's own vertices have. file: the game's, Y up, as cameras always have; "
              "blender: the mesh was turned to Z up"},
     [](Target& target, const Json& value) {
         space_in(target).axes = value == "blender" ? play::Axes::blender : play::Axes::file;
     }},
    {{.name = "origin",
      .type = OptionType::matrix,
      .may_be_null = true,
      .is_fine = is_rigid,
      .without = "at the world's origin",
      .unit = "m",
      .allowed = "16 numbers of a matrix, column by column, that rotates and moves without scale, and whose "
                 "last row is 0, 0, 0, 1",
      .help = "Where the object of a local animation (flag ZAxisUp) is"},
     [](Target& target, const Json& value) {
         const play::Affine affine = affine_of(value);
         space_in(target).origin_rotation = glm::normalize(glm::quat_cast(affine.linear));
         space_in(target).origin_place = affine.place;
     }},
}};

template <auto Field>
void set_whole(GivenExport& given, const Json& value) {
    using Number = typename std::remove_reference_t<decltype(given.options.*Field)>::value_type;
    given.options.*Field = static_cast<Number>(value.get<std::int64_t>());
}

constexpr std::array<OptionRow<GivenExport>, 6> header_rows = {{
    {{.name = "flags",
      .type = OptionType::integer,
      .high = std::numeric_limits<std::uint32_t>::max(),
      .without = "the template's, or 0",
      .help = "The file's flags as a number"},
     set_whole<&ExportOptions::flags>},
    {{.name = "half_stop_frame",
      .type = OptionType::integer,
      .high = std::numeric_limits<std::uint16_t>::max(),
      .without = "the template's, or 0",
      .unit = "frames of the file",
      .zero = "none",
      .help = "Doors: the frame of the file (60 a second, from 0) where opening ends and closing begins"},
     set_whole<&ExportOptions::half_stop_frame>},
    {{.name = "frame_length",
      .type = OptionType::integer,
      .high = std::numeric_limits<std::uint16_t>::max(),
      .without = "the template's, or 1",
      .help = "The authoring tool's ticks for each frame: 80 in files of the game. They do not change the "
              "speed"},
     set_whole<&ExportOptions::frame_length>},
    {{.name = "name",
      .type = OptionType::text,
      .without = "the template's",
      .help = "The animation's name in a .oni, without the tag OBAN"},
     [](GivenExport& given, const Json& value) {
         given.options.name = text_from_json(value, "name").value();
     }},
    {{.name = "container",
      .type = OptionType::choice,
      .choices = {"raw", "oni", "xml"},
      .without = "the template's, or oni",
      .help = "What kind of file is made: a raw record, a .oni or OniSplit's XML"},
     [](GivenExport& given, const Json& value) {
         given.options.container = file::container_from_json(value, "container").value();
     }},
    {{.name = "base_matrix",
      .type = OptionType::matrix,
      .without = "no change",
      .unit = "m",
      .help = "From curves only: the object's matrix apart from location and rotation, such as its scale"},
     [](GivenExport& given, const Json& value) { given.options.object_base = affine_of(value); }},
}};

constexpr std::array<Option, 1> door_table = {{{.name = "mirror",
                                                .type = OptionType::flag,
                                                .must_be_given = true,
                                                .help = "Add the closing half, which is the opening half "
                                                        "backwards"}}};

constexpr std::array<OptionRow<GivenExport>, 4> motion_rows = {{
    {{.name = "max_position_mm",
      .type = OptionType::number,
      .high = largest_scene_number,
      .standard = "1",
      .unit = "mm",
      .zero = "every key stays",
      .help = "How far the object may be from where the scene shows it, at every frame of the game"},
     [](GivenExport& given, const Json& value) { given.bound.position_mm = value.get<double>(); }},
    {{.name = "max_rotation_degrees",
      .type = OptionType::number,
      .high = largest_scene_number,
      .standard = "0.05",
      .unit = "degrees",
      .zero = "every key stays",
      .help =
          "How far the object's rotation may be off from what the scene shows, at every frame of the game"},
     [](GivenExport& given, const Json& value) { given.bound.rotation_degrees = value.get<double>(); }},
    {{.name = "camera",
      .type = OptionType::flag,
      .standard = "false",
      .help =
          "Whether the animation moves the game's camera: the report gives the script lines for a camera"},
     [](GivenExport& given, const Json& value) { given.options.is_camera = value.get<bool>(); }},
    {{.name = "door",
      .type = OptionType::object,
      .members = door_table.data(),
      .member_count = door_table.size(),
      .may_be_null = true,
      .without = "not a door",
      .allowed = "{\"mirror\": true or false}",
      .help = "For a door: the animation is the opening half, and half_stop_frame is where closing begins"},
     [](GivenExport& given, const Json& value) { given.options.mirrors = value["mirror"].get<bool>(); }},
}};

constexpr auto import_table = options_of(space_rows<play::Space>);
constexpr auto export_rows = joined_rows(
    joined_rows(joined_rows(space_rows<GivenExport>, header_rows), motion_rows), stop_rows<GivenExport>);
constexpr auto export_table = options_of(export_rows);

}  // namespace

std::span<const Option> import_options() { return import_table; }
std::span<const Option> export_options() { return export_table; }

Result<play::Space> space_from(const Json& json) {
    play::Space space;
    return read_options(json, space_rows<play::Space>, space).map([&] { return space; });
}

Result<ExportOptions> export_options_from(const Json& json) {
    GivenExport given;
    TRY_VOID(read_options(json, export_rows, given));
    const bool drops_keys = given.bound.position_mm > 0.0 && given.bound.rotation_degrees > 0.0;
    given.options.bound = drops_keys ? std::optional(given.bound) : std::nullopt;
    return std::move(given.options);
}

}  // namespace animbridge::oban::scene

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "base/options/options.h"
#include "formats/scene_file/clip/clip.h"
#include "formats/scene_file/file/file.h"
#include "formats/scene_file/reduce/reduce.h"
#include "model/compare/compare.h"
#include "model/format/format.h"
#include "rig/exchange/exchange.h"

/// A scene file to an armature and back: the program that reads and writes files, options, exports that
/// another reader verifies, and the row's ways through a clip.
namespace animbridge::scene_file::scene {

// Exports an armature's motion to a scene file, which is written and read back at once.
//
// The joints are the bones, with the bones' own axes. The report has "container", "joints", "keys", "bytes",
// "duration_seconds", "frames_per_second", "moved_joints", "max_position_error_mm",
// "max_rotation_error_degrees", "worst", "verified_by" and "warnings". Errors are differences between the
// file, as another reader reads it, and what the scene shows.

[[nodiscard]] std::span<const Option> export_options();

/// The bones as joints that rest along the armature's axes. ErrorCode::bad_value: the options name none, or
/// leave one out above one that is exported, whose motion only samples have.
[[nodiscard]] Result<ExportRig> export_rig(const SceneMotion& motion);

[[nodiscard]] Result<Made> document_from_scene(const ClipOfScene& scene);

// A scene in Blender: its skeleton as a new armature, and its animations as curves of an armature.

/// The skeleton, in the form of ab_skeleton_json. ErrorCode::invalid_argument: `document` is null.
[[nodiscard]] Result<Json> skeleton(const AnyDocument* document, const Json& options);

/// One animation as curves of an armature. ErrorCode::bad_value: the scene has no joints, or the options name
/// an animation that it lacks.
[[nodiscard]] Result<CurvesMade> to_curves(const file::Document& document, const ToCurves& request);

[[nodiscard]] std::span<const Option> skeleton_options();
[[nodiscard]] std::span<const Option> to_curves_options();

// Converts a scene to the neutral clip and back.

/// ErrorCode::bad_value: no animation has the name or number of the option "animation"; the message lists
/// those that there are.
[[nodiscard]] Result<ClipMade> document_to_clip(const file::Document& document, const Json& options);

/// A scene without a file: writing it under a name makes one.
[[nodiscard]] Result<Made> document_from_clip(const ClipRequest& request);

/// The document for a file with this name: itself if it was read from such a file, else its motion in a new
/// one (encode.h). ErrorCode::invalid_argument: files with this extension cannot be written.
[[nodiscard]] Result<NamedDocument> as_file_named(const file::Document& document, std::string_view path,
                                                  const ReadOptions& limits, const Job& job);

/// ErrorCode::bad_value: no animation has this name or number.
[[nodiscard]] Result<file::Document> with_animation(const file::Document& document,
                                                    const std::string& animation);

/// The document, of which only a part of the animation is shown and converted; see Format::Edits::trimmed.
[[nodiscard]] Result<file::Document> with_part(const file::Document& document, const Trim& trim);

/// The file's bytes; a GLB if there is no file yet.
[[nodiscard]] Result<Bytes> write(const file::Document& document, const ReadOptions& limits);

/// The clip that `pose`, `compare` and `info` show: the main animation.
[[nodiscard]] Clip main_clip(const file::Document& document);

[[nodiscard]] std::span<const Option> to_clip_options();
[[nodiscard]] std::span<const Option> from_clip_options();

// Rows of options that several calls share.

/// Which animation of a scene to take, and how to map the file's axes.
struct SceneChoice {
    std::optional<std::string> animation{};  ///< a name, or a number from 1
    std::string up{};                        ///< if both are empty: as in the file
    std::string forward{};                   ///< the file's axis that becomes +Y: the way a character's back
                                             ///< faces

    /// The choice for a scene. ErrorCode::bad_value: no animation has the name or number (the message lists
    /// those that there are), or forward and up are one axis.
    [[nodiscard]] Result<clip::ToClip> in(const file::Document& document) const;
};

/// Rows for any Target that is a SceneChoice.
template <typename Target>
[[nodiscard]] constexpr std::array<OptionRow<Target>, 3> choice_rows() {
    return {{
        {{.name = "animation",
          .type = OptionType::text,
          .command_name = "--animation",
          .value_name = "NAME",
          .without = "the one that moves most",
          .help = "The animation of the file to take: its name, or its number from 1"},
         [](Target& given, const Json& value) { given.animation = text_from_json(value, "").value_or(""); }},
        {{.name = "up",
          .type = OptionType::choice,
          .command_name = "--up",
          .choices = {"X", "Y", "Z", "-X", "-Y", "-Z"},
          .without = "as the file says",
          .help = "The file's axis that becomes Blender's +Z"},
         [](Target& given, const Json& value) { given.up = value.get<std::string>(); }},
        {{.name = "forward",
          .type = OptionType::choice,
          .command_name = "--forward",
          .choices = {"X", "Y", "Z", "-X", "-Y", "-Z"},
          .without = "as the file says",
          .help = "The file's axis that becomes Blender's +Y"},
         [](Target& given, const Json& value) { given.forward = value.get<std::string>(); }},
    }};
}

/// The row for any Target with `in_frames`: whether curves become keys at frames (model/frame_keys.h).
template <typename Target>
[[nodiscard]] constexpr std::array<OptionRow<Target>, 1> keys_rows() {
    return {{
        {{.name = "keys",
          .type = OptionType::choice,
          .command_name = "--keys",
          .choices = {"frames", "exact"},
          .without = "frames for .anim, .bvh and .dae, exact for other files",
          .help =
              "Where keys are made. frames: at most one for each frame, at the file's rate or a multiple of "
              "it; exact: as many as the file's curves need, and FBX and COLLADA keep all of them"},
         [](Target& given, const Json& value) { given.in_frames = value == "frames"; }},
    }};
}

/// The rows for calls for which the command has no flags.
template <typename Target, std::size_t count>
[[nodiscard]] constexpr std::array<OptionRow<Target>, count> without_flags(
    std::array<OptionRow<Target>, count> rows) {
    for (OptionRow<Target>& row : rows) {
        row.option.command_name = {};
        row.option.value_name = {};
        row.option.switch_value = true;
        row.option.switch_help = {};
    }
    return rows;
}

/// Rows for any Target with a member `scene`, a FromClip.
template <typename Target>
[[nodiscard]] constexpr std::array<OptionRow<Target>, 3> scene_rows() {
    return {{
        {{.name = "animation_name",
          .type = OptionType::text_without_nul,
          .command_name = "--animation-name",
          .value_name = "NAME",
          .without = "its name in the input, or Animation",
          .help = "The name of the animation in the new file"},
         [](Target& given, const Json& value) {
             given.scene.animation_name = text_from_json(value, "").value_or("");
         }},
        {{.name = "carrier_mesh",
          .type = OptionType::flag,
          .command_name = "--no-carrier-mesh",
          .switch_value = false,
          .standard = "true",
          .help =
              "Add a mesh with one tiny triangle for each joint, so that programs see an armature and not "
              "loose nodes",
          .switch_help = "Write nodes only, without the mesh that makes programs see an armature"},
         [](Target& given, const Json& value) { given.scene.is_skinned = value.get<bool>(); }},
        {{.name = "turn_to_front",
          .type = OptionType::flag,
          .command_name = "--keep-heading",
          .switch_value = false,
          .standard = "true",
          .help = "Turn a body by quarter turns so that it looks to the file's front",
          .switch_help = "Do not turn a body to the file's front"},
         [](Target& given, const Json& value) { given.scene.turns_to_front = value.get<bool>(); }},
    }};
}

/// A kind of file that can be written.
struct Container {
    std::string_view id;                        ///< its id in the program animbridge-scene
    std::string_view extension;                 ///< ".glb"
    std::string_view loader;                    ///< the loader that reads it back
    file::Space space;                          ///< the space of its numbers
    bool has_kinds = false;                     ///< supports keys that hold their value, and cubic splines
    animbridge::reduce::Bound key_bound{0, 0};  ///< within which keys are dropped if the caller names none
};

/// Other programs take long to open files with a key for each frame.
inline constexpr animbridge::reduce::Bound usual_key_bound{0.1, 0.01};

inline constexpr std::array<Container, 4> containers = {{
    {"glb", ".glb", "gltf", {file::Axis::plus_y, file::Axis::plus_z, 1.0, true, true}, true},
    {"gltf", ".gltf", "gltf", {file::Axis::plus_y, file::Axis::plus_z, 1.0, true, true}, true},
    {"fbx",
     ".fbx",
     "fbx",
     {file::Axis::plus_y, file::Axis::plus_z, 0.01, true, true},
     false,
     usual_key_bound},
    {"dae",
     ".dae",
     "collada",
     {file::Axis::plus_y, file::Axis::plus_z, 1.0, true, true},
     false,
     usual_key_bound},
}};

/// Null if no container has this extension.
[[nodiscard]] const Container* container_of_extension(std::string_view extension);
[[nodiscard]] const Container* find_container(std::string_view id);

/// A file, and what became of the scene in it.
struct Encoded {
    file::Document document;  ///< as read from the file, with it
    WorstDifference worst{};  ///< between what another reader finds in the file and what was meant
    Json renamed{};           ///< names that were replaced: [{"name", "written"}]
    Json keys{};              ///< which were dropped: {"before", "after", "bound"}; null: none

    /// "max_position_error_mm", "max_rotation_error_degrees", "worst", "container", "verified_by", "renamed"
    /// where names were replaced, and "dropped_keys" where keys were dropped.
    [[nodiscard]] Json report(const Container& container) const;
};

/// How far the main animation of a scene that was read is from what was wanted. Joints that both have in
/// equal number are pairs in their order. ErrorCode::internal: a joint that moves is not in the file.
[[nodiscard]] Result<WorstDifference> difference(const file::Document& wanted, const file::Document& read);

/// Writes a scene of from_clip in the program animbridge-scene, and reads it back in a second process. Errors
/// are those of run_child, and ErrorCode::rejected if the file cannot be as small as Document::fit_bytes.
/// Names that the file cannot hold are replaced ("renamed").
[[nodiscard]] Result<Encoded> encode(const file::Document& scene, const Container& container,
                                     const ReadOptions& limits = {}, const Job& job = {});

/// Of all channels of all animations.
[[nodiscard]] std::size_t key_count(const file::Document& document);

// The program animbridge-scene, which contains Assimp and ufbx. If they crash, that program ends and not
// this one. ReadOptions::scene_reader is the command that starts it.

/// A request to the program.
struct ChildCall {
    std::vector<std::string> arguments;  ///< as in contract.h, without the limits
    ByteView input;
    std::string doing;  ///< for messages: "reading FBX"
};

/// Returns the program's standard output. ErrorCode::io: it is missing or cannot be started; bad_value: it
/// refuses the input, with its message as the reason; rejected: it crashed, or reached a limit of `options`.
[[nodiscard]] Result<Bytes> run_child(const ChildCall& call, const ReadOptions& options);

/// The program's abilities, as in contract.h, with "text" for people; {"error", "text"} if it does not
/// answer.
[[nodiscard]] Json program_json(const ReadOptions& options);

/// Whether the bytes begin like one of the loaders' files.
[[nodiscard]] bool sniff(ByteView bytes);

/// Reads a file: glTF 2 here, everything else in the program animbridge-scene, with the errors of run_child.
/// ErrorCode::bad_value if no loader recognises the bytes.
[[nodiscard]] Result<file::Document> read(const FileInput& file);

/// Like read, without a copy of the bytes in Document::file.
[[nodiscard]] Result<file::Document> read_motion(const FileInput& file);

/// Gives nodes and animations names that files of this kind can hold, and that readers of COLLADA can
/// distinguish. Returns what was replaced: [{"name", "written"}].
[[nodiscard]] Json make_names_safe(const Container& container, file::Document& document);

}  // namespace animbridge::scene_file::scene

// SPDX-License-Identifier: MIT
#include "formats/scene/through_clip.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "formats/scene/clip.h"
#include "formats/scene/encode.h"
#include "formats/scene/format.h"
#include "formats/scene/from_clip.h"
#include "formats/scene/loaders.h"
#include "model/frame_rate.h"

namespace animbridge::scene {

namespace {

struct GivenToClip {
    std::optional<std::string> animation{};
    std::string up{};
    std::string forward{};
};

constexpr std::array<OptionRow<GivenToClip>, 3> to_clip_rows = {{
    {{.name = "animation",
      .type = OptionType::text,
      .command_name = "--animation",
      .value_name = "NAME",
      .without = "the one that moves most",
      .help = "The animation of the file to take: its name, or its number from 1"},
     [](GivenToClip& given, const Json& value) { given.animation = value.get<std::string>(); }},
    {{.name = "up",
      .type = OptionType::choice,
      .command_name = "--up",
      .choices = {"X", "Y", "Z", "-X", "-Y", "-Z"},
      .without = "as the file says",
      .help = "The file's axis that becomes Blender's +Z"},
     [](GivenToClip& given, const Json& value) { given.up = value.get<std::string>(); }},
    {{.name = "forward",
      .type = OptionType::choice,
      .command_name = "--forward",
      .choices = {"X", "Y", "Z", "-X", "-Y", "-Z"},
      .without = "as the file says",
      .help = "The file's axis that becomes Blender's +Y"},
     [](GivenToClip& given, const Json& value) { given.forward = value.get<std::string>(); }},
}};
constexpr auto to_clip_table = options_of(to_clip_rows);

struct GivenFromClip {
    FromClip options{};
    std::optional<double> frames_per_second{};
};

constexpr std::array<OptionRow<GivenFromClip>, 4> from_clip_rows = {{
    {{.name = "frames_per_second",
      .type = OptionType::number,
      .command_name = "--fps",
      .value_name = "RATE",
      .low = 0.01,
      .high = 100000,
      .without = "the lowest usual rate at which every key is a frame, or 30",
      .help = "Frames per second"},
     [](GivenFromClip& given, const Json& value) { given.frames_per_second = value.get<double>(); }},
    {{.name = "animation_name",
      .type = OptionType::text_without_nul,
      .command_name = "--animation-name",
      .value_name = "NAME",
      .standard = "Animation",
      .help = "The name of the animation in the new file"},
     [](GivenFromClip& given, const Json& value) {
         given.options.animation_name = value.get<std::string>();
     }},
    {{.name = "carrier_mesh",
      .type = OptionType::flag,
      .command_name = "--no-carrier-mesh",
      .switch_value = false,
      .standard = "true",
      .help = "Add a mesh with one tiny triangle for each joint, so that programs see an armature and not "
              "loose nodes",
      .switch_help = "Write nodes only, without the mesh that makes programs see an armature"},
     [](GivenFromClip& given, const Json& value) { given.options.is_skinned = value.get<bool>(); }},
    {{.name = "turn_to_front",
      .type = OptionType::flag,
      .command_name = "--keep-heading",
      .switch_value = false,
      .standard = "true",
      .help = "Turn a body by quarter turns so that it looks to the file's front",
      .switch_help = "Do not turn a body to the file's front"},
     [](GivenFromClip& given, const Json& value) { given.options.turns_to_front = value.get<bool>(); }},
}};
constexpr auto from_clip_table = options_of(from_clip_rows);

std::string names_of(const std::vector<Animation>& animations) {
    constexpr std::size_t most = 20;
    std::string text;
    for (std::size_t i = 0; i < std::min(animations.size(), most); ++i) {
        text += (i == 0 ? "" : ", ") + std::to_string(i + 1) + " \"" + animations[i].name + "\"";
    }
    return text + (animations.size() > most ? ", ..." : "");
}

/// A name comes before a number: an animation may be called "2".
Result<std::optional<std::size_t>> animation_named(const Document& document,
                                                   const std::optional<std::string>& wanted) {
    if (!wanted) {
        return main_animation(document);
    }
    const std::vector<Animation>& all = document.animations;
    const auto named =
        std::find_if(all.begin(), all.end(), [&](const Animation& one) { return one.name == *wanted; });
    if (named != all.end()) {
        return static_cast<std::size_t>(named - all.begin());
    }
    std::size_t number = 0;
    const char* const end = wanted->data() + wanted->size();
    const auto read = std::from_chars(wanted->data(), end, number);
    if (read.ec == std::errc() && read.ptr == end && number >= 1 && number <= all.size()) {
        return number - 1;
    }
    Error error = json_fail("animation", json_text(*wanted),
                            all.empty() ? "none: the file has no animation" : names_of(all))
                      .value();
    return fail(in_request(std::move(error)));
}

std::optional<Axis> axis_named(std::string_view name) {
    const auto index = index_of_name(axis_names, name);
    return index ? std::optional(static_cast<Axis>(*index)) : std::nullopt;
}

Axis opposite(Axis axis) { return static_cast<Axis>(static_cast<int>(axis) ^ 1); }

/// The file's space, with the axes that the options name. What becomes +Y is the back.
Result<Space> space_from(const GivenToClip& given, const Space& own) {
    Space space = own;
    space.up = axis_named(given.up).value_or(own.up);
    const auto back = axis_named(given.forward);
    space.front = back ? opposite(*back) : own.front;
    const auto is_one_line = [&] {
        return static_cast<int>(space.front) / 2 == static_cast<int>(space.up) / 2;
    };
    if (!back && is_one_line()) {
        space.front = own.up;  // what was up is now in front or behind, whichever way round
    }
    if (is_one_line()) {
        Error error{ErrorCode::bad_value,
                    "forward and up are one axis; allowed are two different ones of X, Y "
                    "and Z"};
        error.field = "forward";
        return fail(std::move(error));
    }
    return space;
}

std::vector<std::string> left_out_of_scene(const Document& document, const SceneClip& made) {
    std::vector<std::string> left_out;
    if (made.scaled > 0) {
        left_out.push_back("changing sizes of " + std::to_string(made.scaled) + " joints");
    }
    if (document.animations.size() > 1 && made.animation) {
        left_out.push_back("the other " + std::to_string(document.animations.size() - 1) +
                           " animations: this is \"" + document.animations[*made.animation].name + "\"");
    }
    if (made.joints.renamed > 0) {
        left_out.push_back("the names of " + std::to_string(made.joints.renamed) +
                           " joints, which were empty or taken");
    }
    return left_out;
}

/// The neutral scene of a clip, as the options say.
Result<Document> scene_from(const Clip& clip, const Json& json) {
    GivenFromClip given;
    TRY_VOID(read_options(json, from_clip_rows, given));
    if (clip.skeleton.nodes.empty()) {
        return fail(ErrorCode::bad_value, "the animation has no joints; a scene has at least one");
    }
    given.options.frames_per_second = given.frames_per_second.value_or(usual_rate_of(clip));
    return from_clip(clip, given.options);
}

std::string extension_of(std::string_view path) {
    const std::size_t dot = path.find_last_of('.');
    std::string extension(dot == std::string_view::npos ? "" : path.substr(dot));
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return extension;
}

/// Whether the document's file may have the extension.
bool is_file_of(const Document& document, std::string_view extension) {
    const Loader* loader = document.file.empty() ? nullptr : find_loader(document.loader);
    if (loader == nullptr || std::find(loader->extensions.begin(), loader->extensions.end(), extension) ==
                                 loader->extensions.end()) {
        return false;
    }
    // Of glTF's extensions, one is of text.
    const bool is_binary = text_of(document.file).starts_with("glTF");
    return loader->id != "gltf" || is_binary == (extension != ".gltf");
}

/// The motion of a document that was not made for writing, as one that is.
Result<Document> writable(const Document& document) {
    if (document.loader.empty()) {
        return document;
    }
    return scene_from(main_clip(document), Json::object());
}

}  // namespace

std::span<const Option> to_clip_options() { return to_clip_table; }
std::span<const Option> from_clip_options() { return from_clip_table; }

Clip main_clip(const Document& document) { return to_clip(document, {std::nullopt, document.space}).clip; }

Result<ClipMade> document_to_clip(const Document& document, const Json& options) {
    GivenToClip given;
    TRY_VOID(read_options(options, to_clip_rows, given));
    TRY(const auto animation, animation_named(document, given.animation));
    TRY(const Space space, space_from(given, document.space));
    SceneClip made = to_clip(document, {animation, space});
    if (made.clip.skeleton.nodes.empty()) {
        return fail(ErrorCode::bad_value, "the scene has no joints: nothing can be converted");
    }
    std::vector<std::string> left_out = left_out_of_scene(document, made);
    return ClipMade{std::move(made.clip), std::move(left_out)};
}

Result<Made> document_from_clip(const ClipRequest& request) {
    TRY(auto document, scene_from(request.clip, request.options));
    Json report = {{"frames_per_second", document.frames_per_second},
                   {"joints", request.clip.skeleton.nodes.size()},
                   {"max_rotation_error_degrees", 0.0},
                   {"max_position_error_mm", 0.0},
                   {"left_out", texts_json(left_out_of(request.clip, {}))}};
    return Made{make_document(std::move(document)), std::move(report)};
}

Result<NamedDocument> as_file_named(const Document& document, std::string_view path) {
    const std::string extension = extension_of(path);
    const Container* container = container_of_extension(extension);
    if (is_file_of(document, extension)) {
        return NamedDocument{nullptr};
    }
    if (container == nullptr) {
        std::string allowed;
        for (const Container& one : containers) {
            allowed += (allowed.empty() ? "" : ", ") + std::string(one.extension);
        }
        return fail(ErrorCode::invalid_argument,
                    "scenes are not written as " + extension + "; allowed are " + allowed);
    }
    TRY(const auto scene, writable(document));
    TRY(auto encoded, encode(scene, *container));
    return NamedDocument{make_document(std::move(encoded.document)), std::move(encoded.report)};
}

Result<Bytes> write(const Document& document) {
    if (!document.file.empty()) {
        return document.file;
    }
    return writable(document)
        .and_then([](const Document& scene) { return encode(scene, containers.front()); })
        .map([](Encoded encoded) { return std::move(encoded.document.file); });
}

}  // namespace animbridge::scene

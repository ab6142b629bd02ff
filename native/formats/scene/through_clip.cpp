// SPDX-License-Identifier: MIT
#include "formats/scene/through_clip.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/files/files.h"
#include "base/options/options.h"
#include "formats/scene/clip.h"
#include "formats/scene/encode.h"
#include "formats/scene/format.h"
#include "formats/scene/from_clip.h"
#include "formats/scene/loaders.h"
#include "formats/scene/options.h"
#include "model/clip/clip.h"

namespace animbridge::scene {

namespace {

struct ToClipChoice : SceneChoice {
    bool in_frames = false;
};

constexpr auto to_clip_rows = joined_rows(choice_rows<ToClipChoice>(), keys_rows<ToClipChoice>());
constexpr auto to_clip_table = options_of(to_clip_rows);

struct GivenFromClip {
    FromClip scene{};
    std::optional<double> frames_per_second{};
    StopBound stop{};
};

constexpr std::array<OptionRow<GivenFromClip>, 1> rate_rows_of_clip = {{
    {{.name = "frames_per_second",
      .type = OptionType::number,
      .command_name = "--fps",
      .value_name = "RATE",
      .low = 0.01,
      .high = 100000,
      .without =
          "the lowest usual rate at which every key is a frame, or else about the rate of the keys, and "
          "30 at least",
      .help = "Frames per second"},
     [](GivenFromClip& given, const Json& value) { given.frames_per_second = value.get<double>(); }},
}};
constexpr auto file_rows_of_clip = joined_rows(rate_rows_of_clip, clip_stop_rows<GivenFromClip>);
constexpr auto from_clip_rows = joined_rows(file_rows_of_clip, scene_rows<GivenFromClip>());
constexpr auto from_clip_table = options_of(from_clip_rows);

std::vector<std::string> left_out_of_scene(const Document& document, const SceneClip& made) {
    std::vector<std::string> left_out;
    if (std::string sizes = left_out_sizes(made); !sizes.empty()) {
        left_out.push_back(std::move(sizes));
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

/// "1 joint lies", "3 joints lie".
std::string joints_lie(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " joint lies" : " joints lie");
}

std::vector<std::string> warnings_of_scene(const SceneClip& made) {
    std::vector<std::string> warnings;
    if (made.stretched > 0) {
        warnings.push_back(joints_lie(made.stretched) +
                           " below a scale that differs by axis, so turns and places are not exact "
                           "there and below. "
                           "Apply the scale before you export.");
    }
    if (made.mirrored > 0) {
        warnings.push_back(
            joints_lie(made.mirrored) +
            " below a negative scale, so the motion is mirrored instead. Apply the scale before "
            "you export.");
    }
    return warnings;
}

/// The neutral scene of a clip, by the options.
Result<Document> scene_from(const Clip& clip, const Json& json) {
    GivenFromClip given;
    TRY_VOID(read_options(json, from_clip_rows, given));
    if (clip.skeleton.nodes.empty()) {
        return fail(ErrorCode::bad_value, "the animation has no joints; a scene has at least one");
    }
    given.scene.frames_per_second = given.frames_per_second.value_or(frame_rate_of(clip));
    given.scene.keeps_kinds = true;
    Document document = from_clip(clip, given.scene);
    document.stop_above_mm = given.stop.millimetres;
    document.stop_above_degrees = given.stop.degrees;
    return document;
}

/// Whether the document's file may have the extension.
bool is_file_of(const Document& document, std::string_view extension) {
    const Loader* loader =
        document.file.empty() || !document.part.empty() ? nullptr : find_loader(document.loader);
    if (loader == nullptr || std::find(loader->extensions.begin(), loader->extensions.end(), extension) ==
                                 loader->extensions.end()) {
        return false;
    }
    if (loader->id != "gltf") {
        return true;
    }
    // Two of glTF's extensions imply a body, and one implies text.
    if (extension == ".vrm" || extension == ".vrma") {
        return (document.human_format == "VRMA") == (extension == ".vrma") && !document.human_format.empty();
    }
    const bool is_binary = text_of(document.file).starts_with("glTF");
    return is_binary == (extension != ".gltf");
}

/// The motion of a document that was not made for writing, as one that can be written.
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
    ToClipChoice choice;
    TRY_VOID(read_options(options, to_clip_rows, choice));
    TRY(const ToClip wanted, choice.in(document));
    SceneClip made = to_clip(document, wanted);
    TRY_VOID(made.part);
    if (made.clip.skeleton.nodes.empty()) {
        return fail(ErrorCode::bad_value, "the scene has no joints, so it has no motion");
    }
    std::vector<std::string> left_out = left_out_of_scene(document, made);
    std::vector<std::string> warnings = warnings_of_scene(made);
    std::string name = made.animation ? document.animations[*made.animation].name : std::string();
    FrameKeys frames;
    if (choice.in_frames) {
        frames = sample_at_frames(made.clip, Bends::sample);
    }
    return ClipMade{.clip = std::move(made.clip),
                    .left_out = std::move(left_out),
                    .warnings = std::move(warnings),
                    .name = std::move(name),
                    .frames = frames};
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

Result<NamedDocument> as_file_named(const Document& document, std::string_view path,
                                    const ReadOptions& limits) {
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
    TRY(auto encoded, encode(scene, *container, limits));
    // What another reader finds in the file.
    Json report = encoded.report(*container);
    Made made{make_document(std::move(encoded.document)), std::move(report), std::move(encoded.worst)};
    return unless_too_far(std::move(made), {scene.stop_above_mm, scene.stop_above_degrees},
                          "where it is meant to be")
        .map([](Made kept) {
            return NamedDocument{std::move(kept.document), std::move(kept.report)};
        });
}

Result<Document> with_animation(const Document& document, const std::string& animation) {
    TRY(const ToClip wanted, SceneChoice{animation}.in(document));
    Document chosen = document;
    chosen.chosen_animation = wanted.animation;
    return chosen;
}

Result<Document> with_part(const Document& document, const Trim& trim) {
    Document part = document;
    part.part = trim;
    TRY_VOID(to_clip(part, {std::nullopt, part.space}).part);
    return part;
}

Result<Bytes> write(const Document& document, const ReadOptions& limits) {
    if (!document.file.empty() && document.part.empty()) {
        return document.file;
    }
    return writable(document)
        .and_then([&](const Document& scene) { return encode(scene, containers.front(), limits); })
        .map([](Encoded encoded) { return std::move(encoded.document.file); });
}

}  // namespace animbridge::scene

// SPDX-License-Identifier: MIT

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "scene_child/assimp_scene.h"

namespace animbridge::scene_child {

namespace {

using scene::Axis;

std::optional<int> integer_in(const aiMetadata& metadata, const char* key) {
    std::int32_t value = 0;
    return metadata.Get(key, value) ? std::optional<int>(value) : std::nullopt;
}

/// One axis of an FBX file: its number and its sign.
std::optional<Axis> axis_in(const aiMetadata& metadata, const char* key, const char* sign_key) {
    const auto number = integer_in(metadata, key);
    const auto sign = integer_in(metadata, sign_key);
    if (!number || *number < 0 || *number > 2) {
        return std::nullopt;
    }
    return static_cast<Axis>(2 * *number + (sign && *sign < 0 ? 1 : 0));
}

std::optional<double> number_in(const aiMetadata& metadata, const char* key) {
    double wide = 0;
    if (metadata.Get(key, wide) && std::isfinite(wide)) {
        return wide;
    }
    float narrow = 0;
    if (metadata.Get(key, narrow) && std::isfinite(narrow)) {
        return static_cast<double>(narrow);
    }
    return std::nullopt;
}

/// FBX's numbers of its frame rates (KFbxTime's modes); 0: custom or none.
double fbx_frame_rate(const aiMetadata& metadata) {
    constexpr std::array<double, 19> rates = {0,           120,         100,        60, 50,   48,     30, 30,
                                              29.97002997, 29.97002997, 25,         24, 1000, 23.976, 0,  96,
                                              72,          59.94005994, 119.8801199};
    const auto mode = integer_in(metadata, "FrameRate");
    const double custom = number_in(metadata, "CustomFrameRate").value_or(0);
    if (mode && *mode > 0 && static_cast<std::size_t>(*mode) < rates.size() &&
        rates[static_cast<std::size_t>(*mode)] > 0) {
        return rates[static_cast<std::size_t>(*mode)];
    }
    return custom > 0 ? custom : 0;
}

void take_fbx(scene::Document& document, const aiMetadata& metadata) {
    const auto up = axis_in(metadata, "UpAxis", "UpAxisSign");
    const auto front = axis_in(metadata, "FrontAxis", "FrontAxisSign");
    if (up && front && static_cast<int>(*up) / 2 != static_cast<int>(*front) / 2) {
        document.space.up = *up;
        document.space.front = *front;
        document.space.says_axes = true;
    }
    // In centimetres.
    const auto unit = number_in(metadata, "UnitScaleFactor");
    document.space.metres_per_unit = 0.01 * (unit && *unit > 0 ? *unit : 1);
    document.space.says_unit = unit.has_value() && *unit > 0;
    document.frames_per_second = fbx_frame_rate(metadata);
}

/// The axis of the file's space that the root turns to `image`, in the space of Y up.
std::optional<Axis> axis_turned_to(const aiMatrix4x4& root, double scale, const std::array<int, 3>& image) {
    const std::array<std::array<float, 3>, 3> columns = {
        {{root.a1, root.b1, root.c1}, {root.a2, root.b2, root.c2}, {root.a3, root.b3, root.c3}}};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double along = 0;
        for (std::size_t row = 0; row < 3; ++row) {
            along += static_cast<double>(columns[axis][row]) * image[row];
        }
        if (std::abs(std::abs(along) / scale - 1) < 1e-4) {
            return static_cast<Axis>(2 * axis + (along < 0 ? 1 : 0));
        }
    }
    return std::nullopt;
}

}  // namespace

bool take_root_space(const aiNode& root, scene::Space& space) {
    const aiMatrix4x4& matrix = root.mTransformation;
    const auto determinant = static_cast<double>(matrix.Determinant());
    if (!(determinant > 0) || root.mNumMeshes > 0 || matrix.a4 != 0 || matrix.b4 != 0 || matrix.c4 != 0) {
        return false;
    }
    const double scale = std::cbrt(determinant);
    const auto up = axis_turned_to(matrix, scale, {0, 1, 0});
    const auto front = axis_turned_to(matrix, scale, {0, 0, 1});
    if (!up || !front || !std::isfinite(scale)) {
        return false;
    }
    space = {*up, *front, scale, true, true};
    return true;
}

void take_space(AssimpInput& from, std::string_view loader) {
    scene::Document& document = from.document;
    const aiMetadata* const metadata = from.scene.mMetaData;
    aiString generator;
    if (metadata != nullptr && metadata->Get("SourceAsset_Generator", generator)) {
        document.generator = chars_of(generator);
    }
    if (loader == "fbx" && metadata != nullptr) {
        take_fbx(document, *metadata);
    } else if (loader == "gltf1") {
        document.space.says_axes = true;
        document.space.says_unit = true;
    } else if (loader == "x") {
        // Left-handed with Y up, by its specification; Assimp reverses Z.
        document.space.says_axes = true;
    } else if (loader == "smd" || loader == "mdl") {
        document.space.up = Axis::plus_z;
        document.space.front = Axis::minus_y;
    }
}

}  // namespace animbridge::scene_child

// SPDX-License-Identifier: MIT
#include "scene_child/read/assimp_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <pugixml.hpp>
#include <utility>

namespace animbridge::scene_child::read {

namespace {

using scene_file::file::Axis;

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

void take_fbx(scene_file::file::Document& document, const aiMetadata& metadata) {
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

bool take_root_space(const aiNode& root, scene_file::file::Space& space) {
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
    scene_file::file::Document& document = from.document;
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

namespace {

constexpr std::size_t most_missing_names = 100;

/// A file in memory. It owns its bytes, or refers to those of the scene.
class MemoryStream : public Assimp::IOStream {
public:
    explicit MemoryStream(ByteView bytes) : bytes_(bytes) {}
    explicit MemoryStream(Bytes bytes) : own_(std::move(bytes)), bytes_(own_) {}

    std::size_t Read(void* buffer, std::size_t size, std::size_t count) override {
        if (size == 0) {
            return 0;
        }
        const std::size_t whole = std::min(count, (bytes_.size() - at_) / size);
        if (whole > 0) {
            std::memcpy(buffer, bytes_.data() + at_, whole * size);
        }
        at_ += whole * size;
        return whole;
    }
    std::size_t Write(const void*, std::size_t, std::size_t) override { return 0; }
    aiReturn Seek(std::size_t offset, aiOrigin origin) override {
        std::size_t target = offset;
        if (origin == aiOrigin_CUR) {
            target = at_ + offset;  // wraps for the "negative" offsets that callers pass
        } else if (origin == aiOrigin_END) {
            target = bytes_.size() - offset;
        }
        if (target > bytes_.size()) {
            return aiReturn_FAILURE;
        }
        at_ = target;
        return aiReturn_SUCCESS;
    }
    [[nodiscard]] std::size_t Tell() const override { return at_; }
    [[nodiscard]] std::size_t FileSize() const override { return bytes_.size(); }
    void Flush() override {}

private:
    Bytes own_;
    ByteView bytes_;
    std::size_t at_ = 0;
};

}  // namespace

ServedFiles::ServedFiles(std::string name, ByteView bytes, const std::string& folder)
    : name_(std::move(name)), bytes_(bytes), side_files_(folder) {}

bool ServedFiles::is_scene(std::string_view path) const {
    return scene_file::file::with_slashes(path) == name_;
}

bool ServedFiles::Exists(const char* path) const { return is_scene(path) || side_files_.exists(path); }

Assimp::IOStream* ServedFiles::Open(const char* path, const char* mode) {
    if (std::strchr(mode, 'w') != nullptr || std::strchr(mode, 'a') != nullptr) {
        return nullptr;
    }
    if (is_scene(path)) {
        return std::make_unique<MemoryStream>(bytes_).release();
    }
    std::optional<Bytes> bytes = side_file(path);
    if (!bytes) {
        if (missing_.size() < most_missing_names) {
            missing_.insert(path);
        }
        return nullptr;
    }
    return std::make_unique<MemoryStream>(std::move(*bytes)).release();
}

std::optional<Bytes> ServedFiles::side_file(std::string_view name) const { return side_files_.read(name); }

void ServedFiles::Close(Assimp::IOStream* stream) { const std::unique_ptr<Assimp::IOStream> owned(stream); }

namespace {

/// Visits each element once.
class Collector : public pugi::xml_tree_walker {
public:
    explicit Collector(ColladaWords& words) : words_(words) {}

    bool for_each(pugi::xml_node& element) override {
        const std::string_view name = element.name();
        if (name == "node") {
            take_node(element);
        } else if (name == "animation_clip" && !element.attribute("name").empty()) {
            words_.clip_names.insert(element.attribute("name").value());
        } else if (name == "animation" && std::string_view(element.parent().name()) == "library_animations") {
            ++words_.animations;
        } else if (name == "frame_rate") {
            take_rate(element.text().as_double());
        } else if (name == "Name_array") {
            take_names(element.text().get());
        }
        return true;
    }

private:
    void take_node(const pugi::xml_node& element) {
        const pugi::xml_attribute id = element.attribute("id");
        if (!id.empty()) {
            words_.node_names.emplace(id.value(), element.attribute("name").value());
        }
    }

    /// 3ds Max introduced it: COLLADA itself has no element for the rate.
    void take_rate(double frames_per_second) {
        if (frames_per_second > 0 && std::isfinite(frames_per_second)) {
            words_.frames_per_second = frames_per_second;
        }
    }

    /// Arrays of names are joints or kinds of interpolation.
    void take_names(std::string_view names) {
        for (const std::string_view kind : {"STEP", "BEZIER", "HERMITE", "BSPLINE", "CARDINAL"}) {
            const std::size_t at = names.find(kind);
            const std::size_t end = at + kind.size();
            const auto is_blank = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
            if (at != std::string_view::npos && (at == 0 || is_blank(names[at - 1])) &&
                (end == names.size() || is_blank(names[end]))) {
                words_.has_curves = true;
            }
        }
    }

    ColladaWords& words_;
};

}  // namespace

ColladaWords collada_words(ByteView file) {
    ColladaWords words;
    pugi::xml_document document;
    if (document.load_buffer(file.data(), file.size())) {
        Collector collector(words);
        document.traverse(collector);
    }
    return words;
}

std::string animation_name(const ColladaWords& words, const std::string& from_assimp) {
    for (std::size_t at = from_assimp.find('_'); at != std::string::npos;
         at = from_assimp.find('_', at + 1)) {
        std::string behind = from_assimp.substr(at + 1);
        if (words.clip_names.contains(behind) || from_assimp.compare(0, at, behind) == 0) {
            return behind;
        }
    }
    return from_assimp;
}

}  // namespace animbridge::scene_child::read

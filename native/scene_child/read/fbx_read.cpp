// SPDX-License-Identifier: MIT
#include "scene_child/read/read.h"

#ifdef ANIMBRIDGE_WITH_UFBX

#include <ufbx.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "formats/scene_file/file/file.h"
#include "scene_child/common/common.h"
#include "scene_child/read/fbx.h"

namespace animbridge::scene_child::read {

namespace {

using scene_file::file::NoteKind;

struct Free {
    void operator()(ufbx_scene* scene) const { ufbx_free_scene(scene); }
};

std::string text_from(const ufbx_string& text) { return {text.data, text.length}; }

glm::dmat4 matrix_from(const ufbx_matrix& m) {
    glm::dmat4 result(1);
    for (int column = 0; column < 4; ++column) {
        const ufbx_vec3& from = m.cols[column];
        result[column] = glm::dvec4(from.x, from.y, from.z, column == 3 ? 1 : 0);
    }
    return result;
}

scene_file::file::Placement placement_from(const ufbx_transform& t) {
    const glm::dquat rotation(t.rotation.w, t.rotation.x, t.rotation.y, t.rotation.z);
    return {{t.translation.x, t.translation.y, t.translation.z},
            glm::normalize(rotation),
            {t.scale.x, t.scale.y, t.scale.z}};
}

bool is_fine(const scene_file::file::Placement& p) {
    const std::array numbers = {p.translation.x, p.translation.y, p.translation.z, p.scale.x,
                                p.scale.y,       p.scale.z,       p.rotation.w,    p.rotation.x,
                                p.rotation.y,    p.rotation.z};
    return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
}

/// Makes the document of one FBX scene.
class Reader {
public:
    explicit Reader(const ufbx_scene& scene) : scene_(scene), indices_(scene.nodes.count) {}

    Result<scene_file::file::Document> run() {
        document_.loader = "fbx";
        document_.program = "ufbx " + ufbx_version();
        take_settings();
        take_nodes();
        take_skins();
        TRY_VOID(take_animations());
        common::turn_cameras(document_, camera_turns_);
        for (const ufbx_warning& warning :
             std::span(scene_.metadata.warnings.data, scene_.metadata.warnings.count)) {
            notes_.say("ufbx says: " + text_from(warning.description) + ".");
        }
        document_.notes = notes_.take();
        return std::move(document_);
    }

private:
    void take_settings() {
        const ufbx_scene_settings& settings = scene_.settings;
        const ufbx_application& maker = scene_.metadata.original_application;
        document_.generator = maker.name.length > 0 ? text_from(maker.name) + " " + text_from(maker.version)
                                                    : text_from(scene_.metadata.creator);
        if (settings.frames_per_second > 0 && std::isfinite(settings.frames_per_second)) {
            document_.frames_per_second = settings.frames_per_second;
        }
        scene_file::file::Space& space = document_.space;
        if (settings.unit_meters > 0 && std::isfinite(settings.unit_meters)) {
            space.metres_per_unit = settings.unit_meters;
            space.says_unit = true;
        }
        if (ufbx_coordinate_axes_valid(settings.axes)) {
            space.up = static_cast<scene_file::file::Axis>(settings.axes.up);
            space.front = static_cast<scene_file::file::Axis>(settings.axes.front);
            space.says_axes = true;
        }
    }

    void take_nodes() {
        // An explicit stack: the depth comes from the file.
        std::vector<const ufbx_node*> open;
        const auto push_children = [&](const ufbx_node& node) {
            for (std::size_t i = node.children.count; i > 0; --i) {
                open.push_back(node.children.data[i - 1]);
            }
        };
        push_children(*scene_.root_node);
        while (!open.empty()) {
            const ufbx_node& node = *open.back();
            open.pop_back();
            take_node(node);
            push_children(node);
        }
    }

    void take_node(const ufbx_node& node) {
        const auto index = static_cast<std::uint32_t>(document_.nodes.size());
        indices_[node.typed_id] = index;
        scene_file::file::Node made;
        made.name = text_from(node.name);
        if (node.parent != nullptr && !node.parent->is_root) {
            made.parent = indices_[node.parent->typed_id];
        }
        made.rest = placement_from(node.local_transform);
        if (!is_fine(made.rest)) {
            made.rest = {};
            notes_.add(NoteKind::bad_number, index);
        }
        made.role = role_of(node);
        if (made.role == scene_file::file::NodeRole::camera) {
            take_camera(*node.camera, index);
        }
        document_.nodes.push_back(std::move(made));
    }

    static scene_file::file::NodeRole role_of(const ufbx_node& node) {
        if (node.camera != nullptr) {
            return scene_file::file::NodeRole::camera;
        }
        if (node.light != nullptr) {
            return scene_file::file::NodeRole::light;
        }
        return node.mesh != nullptr ? scene_file::file::NodeRole::mesh : scene_file::file::NodeRole::plain;
    }

    void take_camera(const ufbx_camera& camera, std::uint32_t node) {
        const double field =
            camera.projection_mode == UFBX_PROJECTION_MODE_PERSPECTIVE ? camera.field_of_view_deg.x : 0;
        document_.cameras.push_back({node, field > 0 && field < 180 ? field : 0});
        // An FBX camera looks along +X.
        camera_turns_.emplace(node, *common::camera_turn({1, 0, 0}, {0, 1, 0}));
    }

    void take_skins() {
        for (const ufbx_skin_cluster* cluster :
             std::span(scene_.skin_clusters.data, scene_.skin_clusters.count)) {
            if (cluster->bone_node == nullptr || cluster->bone_node->is_root) {
                continue;
            }
            scene_file::file::Node& bone = document_.nodes[indices_[cluster->bone_node->typed_id]];
            bone.is_skinned = true;
            if (!bone.bind_world) {
                const scene_file::file::Decomposed place =
                    scene_file::file::decompose(matrix_from(cluster->bind_to_world));
                if (place.is_finite && place.has_volume) {
                    bone.bind_world = place.placement;
                }
            }
        }
    }

    /// Error: a curve needs more keys than a file may.
    Result<void> take_animations() {
        for (const ufbx_anim_curve* curve : std::span(scene_.anim_curves.data, scene_.anim_curves.count)) {
            keys_left_ += most_keys_for_each * curve->keyframes.count;
        }
        for (const ufbx_anim_stack* stack : std::span(scene_.anim_stacks.data, scene_.anim_stacks.count)) {
            TRY_VOID(take_animation(text_from(stack->name), *stack->anim));
        }
        if (scene_.anim_stacks.count == 0 && scene_.anim_curves.count > 0) {
            TRY_VOID(take_animation({}, *scene_.anim));
        }
        if (scene_.anim_curves.count > 0) {
            notes_.say(NoteKind::curves_resampled, "0.001 degrees and 0.01 mm");
        }
        return {};
    }

    static void move_back(double seconds, scene_file::file::Channel& channel) {
        for (double& time : channel.times_seconds.edit()) {
            time = std::max(time - seconds, 0.0);
        }
    }

    /// From the take's start, which becomes 0, to its end.
    Result<void> take_animation(std::string name, const ufbx_anim& from) {
        scene_file::file::AnimationMaker maker(std::move(name), notes_);
        const auto range = range_of(from);
        for (const ufbx_node* node : std::span(scene_.nodes.data, scene_.nodes.count)) {
            if (node->is_root) {
                continue;
            }
            for (scene_file::file::Channel& channel : sample_node(
                     from, *node, indices_[node->typed_id], document_.space.metres_per_unit, keys_left_)) {
                if (range) {
                    move_back(range->begin_seconds, channel);
                }
                maker.add(std::move(channel));
            }
            if (keys_left_ == 0) {
                return fail(ErrorCode::bad_value,
                            "'" + text_from(node->name) +
                                "' turns too fast, or repeats for too long after its last key, to be stored "
                                "as keys. In the program that made the file, bake the animation, or shorten "
                                "its take");
            }
        }
        scene_file::file::Animation& made = document_.animations.emplace_back(maker.take());
        if (range) {
            made.duration_seconds =
                std::max(made.duration_seconds, range->end_seconds - range->begin_seconds);
        }
        return {};
    }

    /// So many keys may be added in every file, and so many more for each key that a file has. A second of a
    /// curve that repeats needs 20.
    static constexpr std::size_t most_keys = 300'000;
    static constexpr std::size_t most_keys_for_each = 128;

    const ufbx_scene& scene_;
    std::vector<std::uint32_t> indices_;  ///< in the document, by ufbx's number of the node
    std::map<std::uint32_t, glm::dquat> camera_turns_;
    scene_file::file::Document document_;
    scene_file::file::Notes notes_;
    std::size_t keys_left_ = most_keys;
};

/// The most memory for a file of this size, whatever the lengths in it: nothing expands to more than a
/// thousand times its size.
std::size_t most_memory(std::size_t file_bytes) { return (std::size_t{64} << 20U) + 4096 * file_bytes; }

ufbx_load_opts options(std::size_t file_bytes) {
    ufbx_load_opts options{};
    options.ignore_geometry = true;
    options.ignore_embedded = true;
    options.skip_skin_vertices = true;
    options.skip_mesh_parts = true;
    options.allow_missing_vertex_position = true;
    options.node_depth_limit = static_cast<std::uint32_t>(scene_file::file::deepest_node);
    options.file_format = UFBX_FILE_FORMAT_FBX;
    options.temp_allocator.memory_limit = most_memory(file_bytes);
    options.result_allocator.memory_limit = most_memory(file_bytes);
    // A node below one that scales need not scale: here each placement is explicit.
    options.inherit_mode_handling = UFBX_INHERIT_MODE_HANDLING_COMPENSATE_NO_FALLBACK;
    return options;
}

}  // namespace

std::string ufbx_version() {
    return std::to_string(ufbx_version_major(ufbx_source_version)) + "." +
           std::to_string(ufbx_version_minor(ufbx_source_version)) + "." +
           std::to_string(ufbx_version_patch(ufbx_source_version));
}

Result<scene_file::file::Document> read_by_ufbx(ByteView file) {
    const ufbx_load_opts how = options(file.size());
    ufbx_error error{};
    const std::unique_ptr<ufbx_scene, Free> scene(ufbx_load_memory(file.data(), file.size(), &how, &error));
    if (!scene) {
        std::string words = text_from(error.description);
        if (error.info_length > 0) {
            words += " (" + std::string(error.info, error.info_length) + ")";
        }
        const bool is_memory =
            error.type == UFBX_ERROR_OUT_OF_MEMORY || error.type == UFBX_ERROR_MEMORY_LIMIT;
        return fail(is_memory ? ErrorCode::out_of_memory : ErrorCode::bad_value,
                    "ufbx " + ufbx_version() + " cannot read it: " + words);
    }
    return Reader(*scene).run();
}

}  // namespace animbridge::scene_child::read

#else

namespace animbridge::scene_child::read {

std::string ufbx_version() { return {}; }

Result<scene_file::file::Document> read_by_ufbx(ByteView) {
    return fail(ErrorCode::invalid_argument, "this animbridge-scene was built without ufbx");
}

}  // namespace animbridge::scene_child::read

#endif

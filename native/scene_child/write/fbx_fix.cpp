// SPDX-License-Identifier: MIT
#include "scene_child/write/parts.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>
#include <iterator>
#include <span>
#include <utility>

#include "scene_child/common/common.h"

namespace animbridge::scene_child::write {

namespace {

using scene_file::file::Target;

constexpr double ticks_per_second = 46186158000;
constexpr std::string_view name_separator("\0\x01", 2);
constexpr std::int32_t linear_keys = 4;

std::int64_t fbx_ticks(double seconds) { return std::llround(seconds * ticks_per_second); }

Result<void> expect_part(bool holds, std::string_view what) {
    if (!holds) {
        return fail(ErrorCode::rejected, "Assimp wrote an FBX file without " + std::string(what));
    }
    return {};
}

std::vector<FbxNode*> objects_of(FbxNode& objects, std::string_view name, std::string_view kind = {}) {
    std::vector<FbxNode*> found;
    for (FbxNode& object : objects.children) {
        if (object.name == name && object.properties.size() >= 3 &&
            (kind.empty() || text_of(object.properties[2].data) == kind)) {
            found.push_back(&object);
        }
    }
    return found;
}

void set_values(FbxNode& parent, std::string_view name, FbxProperty values) {
    if (FbxNode* const child = parent.child(name)) {
        child->properties = {std::move(values)};
    }
}

void set_entry_value(FbxNode& parent, std::string_view name, FbxProperty value) {
    constexpr std::size_t before_values = 4;
    if (FbxNode* const entry = parent.entry(name)) {
        entry->properties.resize(before_values);
        entry->properties.push_back(std::move(value));
    }
}

std::vector<FbxProperty> three_numbers(const glm::dvec3& v) {
    return {fbx_number(v.x), fbx_number(v.y), fbx_number(v.z)};
}

void set_header(FbxFile& file) {
    const std::string generator = generator_text();
    if (FbxNode* const creator = file.child("Creator")) {
        creator->properties = {fbx_text(generator)};
    }
    FbxNode* const header = file.child("FBXHeaderExtension");
    if (header == nullptr) {
        return;
    }
    set_values(*header, "Creator", fbx_text(generator));
    FbxNode* const stamp = header->child("CreationTimeStamp");
    if (stamp == nullptr) {
        return;
    }
    // The same document always gives the same bytes.
    constexpr std::array<std::pair<std::string_view, std::int32_t>, 6> no_time = {
        {{"Year", 1970}, {"Month", 1}, {"Day", 1}, {"Hour", 0}, {"Minute", 0}, {"Second", 0}}};
    for (const auto& [part, value] : no_time) {
        set_values(*stamp, part, fbx_number(value));
    }
}

void set_time_span(FbxFile& file, const std::vector<NodeMotion>& motions) {
    double longest = 0;
    for (const NodeMotion& motion : motions) {
        longest = std::max(longest, motion.duration_seconds);
    }
    if (FbxNode* const settings = file.child("GlobalSettings")) {
        set_entry_value(*settings, "TimeSpanStop", fbx_number(fbx_ticks(longest)));
    }
}

void set_rest(FbxNode& model, const scene_file::file::Placement& rest) {
    FbxNode* const list = model.child("Properties70");
    if (list == nullptr) {
        return;
    }
    std::erase_if(list->children, [](const FbxNode& entry) {
        return !entry.properties.empty() && text_of(entry.properties[0].data).starts_with("Lcl ");
    });
    const glm::dvec3 angles = glm::degrees(common::angles_of(rest.rotation, glm::dvec3(0)));
    const auto add = [&](std::string_view name, const glm::dvec3& value) {
        list->children.push_back(fbx_entry(name, name, "", three_numbers(value)));
    };
    add("Lcl Translation", rest.translation);
    add("Lcl Rotation", angles);
    add("Lcl Scaling", rest.scale);
}

/// The models of the document's nodes, by the numbers that are their names.
Result<std::vector<FbxNode*>> models_of(FbxNode& objects, const scene_file::file::Document& document) {
    std::vector<FbxNode*> models(document.nodes.size(), nullptr);
    for (FbxNode* model : objects_of(objects, "Model")) {
        const std::string_view text = text_of(model->properties[1].data);
        const std::string_view name = text.substr(0, text.find('\0'));
        if (name.starts_with('n')) {
            std::size_t node = models.size();
            std::from_chars(name.data() + 1, name.data() + name.size(), node);
            TRY_VOID(expect_part(node < models.size(), "the numbers of its nodes"));
            models[node] = model;
        }
    }
    TRY_VOID(expect_part(std::ranges::find(models, nullptr) == models.end(), "all its nodes"));
    return models;
}

FbxProperty matrix_values(const glm::dmat4& matrix) {
    return fbx_values('d', std::span<const double>(&matrix[0][0], 16));
}

/// Assimp uses the rest pose as the bind pose.
Result<void> set_binds(FbxNode& objects, const scene_file::file::Document& document) {
    const std::vector<FbxNode*> clusters = objects_of(objects, "Deformer", "Cluster");
    const std::vector<glm::dmat4> binds = bind_worlds(document);
    std::size_t next = 0;
    for (std::size_t i = 0; i < document.nodes.size(); ++i) {
        if (document.nodes[i].is_skinned) {
            TRY_VOID(expect_part(next < clusters.size(), "all its clusters"));
            set_values(*clusters[next], "Transform", matrix_values(glm::inverse(binds[i])));
            set_values(*clusters[next], "TransformLink", matrix_values(binds[i]));
            ++next;
        }
    }
    return expect_part(next == clusters.size(), "the clusters of its bones");
}

/// Numbers of three curves, in the form of the file.
using CurveValues = std::array<std::vector<float>, 3>;

CurveValues curve_values_of(const Keys& keys, Target target) {
    CurveValues curves;
    glm::dvec3 angles(0);
    for (std::size_t key = 0; key < keys.times_seconds.size(); ++key) {
        glm::dvec3 value;
        if (target == Target::rotation) {
            angles = common::angles_of(rotation_at(keys, key), angles);
            value = glm::degrees(angles);
        } else {
            value = vector_at(keys, key);
        }
        for (int axis = 0; axis < 3; ++axis) {
            curves[static_cast<std::size_t>(axis)].push_back(static_cast<float>(value[axis]));
        }
    }
    return curves;
}

void set_curve(FbxNode& curve, const std::vector<std::int64_t>& times, const std::vector<float>& values) {
    const auto count = static_cast<std::int32_t>(times.size());
    set_values(curve, "Default", fbx_number(static_cast<double>(values.front())));
    set_values(curve, "KeyTime", fbx_values('l', std::span(times)));
    set_values(curve, "KeyValueFloat", fbx_values('f', std::span(values)));
    set_values(curve, "KeyAttrFlags", fbx_values('i', std::span(&linear_keys, 1)));
    set_values(curve, "KeyAttrRefCount", fbx_values('i', std::span(&count, 1)));
}

/// Puts the keys of one target into a curve node and its three curves.
void set_target(FbxNode& curve_node, std::span<FbxNode* const> curves, const Keys& keys, Target target) {
    constexpr std::array<std::string_view, 3> axes = {"d|X", "d|Y", "d|Z"};
    const CurveValues values = curve_values_of(keys, target);
    std::vector<std::int64_t> times;
    times.reserve(keys.times_seconds.size());
    std::ranges::transform(keys.times_seconds, std::back_inserter(times), fbx_ticks);
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        set_entry_value(curve_node, axes[axis], fbx_number(static_cast<double>(values[axis].front())));
        set_curve(*curves[axis], times, values[axis]);
    }
}

/// Assimp writes three curve nodes for each node, with three curves each, in the order of the keys.
Result<void> set_curves(FbxNode& objects, const std::vector<NodeMotion>& motions) {
    const std::vector<FbxNode*> curve_nodes = objects_of(objects, "AnimationCurveNode");
    const std::vector<FbxNode*> curves = objects_of(objects, "AnimationCurve");
    std::size_t next = 0;
    TRY_VOID(expect_part(curves.size() == 3 * curve_nodes.size(), "three curves for each curve node"));
    for (const NodeMotion& motion : motions) {
        for (const NodeKeys& keys : motion.nodes) {
            TRY_VOID(expect_part(next + 3 <= curve_nodes.size(), "all its curves"));
            for (const Target target : {Target::translation, Target::rotation, Target::scale}) {
                set_target(*curve_nodes[next], std::span(curves).subspan(3 * next, 3), keys.of(target),
                           target);
                ++next;
            }
        }
    }
    return expect_part(next == curve_nodes.size(), "the curves of its keys");
}

/// Assimp connects the curves of the scale to a property that no model has.
void set_scale_connections(FbxNode& connections) {
    constexpr std::size_t property = 3;
    for (FbxNode& one : connections.children) {
        if (one.properties.size() > property && text_of(one.properties[property].data) == "Lcl Scale") {
            one.properties[property] = fbx_text("Lcl Scaling");
        }
    }
}

Result<void> set_stacks(FbxFile& file, FbxNode& objects, const std::vector<NodeMotion>& motions) {
    const std::vector<FbxNode*> stacks = objects_of(objects, "AnimationStack");
    TRY_VOID(expect_part(stacks.size() == motions.size(), "its animations"));
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        stacks[i]->properties[1] = fbx_object_name(motions[i].name, "AnimStack");
        // Assimp 5.4 cuts them to whole seconds.
        for (const std::string_view stop : {"LocalStop", "ReferenceStop"}) {
            set_entry_value(*stacks[i], stop, fbx_number(fbx_ticks(motions[i].duration_seconds)));
        }
    }
    for (FbxNode* layer : objects_of(objects, "AnimationLayer")) {
        layer->properties[1] = fbx_object_name("BaseLayer", "AnimLayer");
    }
    FbxNode* const documents = file.child("Documents");
    FbxNode* const one = documents == nullptr ? nullptr : documents->child("Document");
    if (one != nullptr && !motions.empty()) {
        set_entry_value(*one, "ActiveAnimStackName", fbx_text(to_utf8(motions.front().name)));
    }
    return {};
}

}  // namespace

FbxProperty fbx_object_name(const std::string& name, std::string_view kind) {
    std::string text = to_utf8(name);
    std::ranges::replace(text, '\0', '_');  // it would end the name
    // Blender 5's importer loses the keys of bones that have these; text FBX cannot hold the first.
    std::ranges::replace(text, '"', '\'');
    std::ranges::replace(text, '\\', '/');
    return fbx_text(text.append(name_separator).append(kind));
}

Result<void> mend_fbx(FbxFile& file, const scene_file::file::Document& document,
                      const std::vector<NodeMotion>& motions) {
    FbxNode* const objects = file.child("Objects");
    FbxNode* const connections = file.child("Connections");
    TRY_VOID(expect_part(objects != nullptr && connections != nullptr, "objects or connections"));
    set_header(file);
    set_time_span(file, motions);
    TRY(const std::vector<FbxNode*> models, models_of(*objects, document));
    for (std::size_t i = 0; i < models.size(); ++i) {
        set_rest(*models[i], document.nodes[i].rest);
        models[i]->properties[1] = fbx_object_name(document.nodes[i].name, "Model");
    }
    TRY_VOID(set_binds(*objects, document));
    TRY_VOID(set_curves(*objects, motions));
    set_scale_connections(*connections);
    TRY_VOID(set_stacks(file, *objects, motions));
    add_fbx_cameras(*objects, *connections, document, models);
    return {};
}

}  // namespace animbridge::scene_child::write

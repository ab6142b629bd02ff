// SPDX-License-Identifier: MIT
#include "api/take_armature.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>

#include "api/handles.h"
#include "formats/registry.h"

namespace animbridge::api {

namespace {

Result<std::vector<std::string>> take_names(const ab_armature& given) {
    std::vector<std::string> names;
    std::string_view text(given.names, given.names_size);
    while (!text.empty()) {
        const std::size_t end = text.find('\0');
        if (end == std::string_view::npos) {
            return misuse("armature.names: the last name is not ended by a NUL");
        }
        names.emplace_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    if (names.size() != given.bone_count) {
        return misuse("armature.names holds " + std::to_string(names.size()) + " names, bone_count is " +
                      std::to_string(given.bone_count));
    }
    return names;
}

Result<rig::Bone> take_bone(const ab_armature& given, std::size_t index, std::string name) {
    rig::Bone bone{std::move(name)};
    const std::int32_t parent = given.parents[index];
    if (parent < -1 || parent >= static_cast<std::int64_t>(given.bone_count)) {
        return misuse("armature.parents[" + std::to_string(index) + "], of bone '" + bone.name + "', is " +
                      std::to_string(parent) + "; allowed are -1 and the indices of bones");
    }
    if (parent >= 0) {
        bone.parent = static_cast<std::size_t>(parent);
    }
    std::array<float, 16> matrix{};
    std::memcpy(matrix.data(), given.rest_matrices + 16 * index, sizeof(matrix));
    bone.rest = rig::transform_of(matrix);
    const glm::dvec3& head = bone.rest.translation;
    if (!std::isfinite(glm::dot(bone.rest.rotation, bone.rest.rotation)) ||
        !std::isfinite(glm::dot(head, head))) {
        return misuse("the rest matrix of bone " + bone.name + " is not a placement");
    }
    const unsigned flags = given.flags == nullptr ? 0U : given.flags[index];
    bone.connected = (flags & AB_BONE_CONNECTED) != 0U;
    bone.local_location = (flags & AB_BONE_NO_LOCAL_LOCATION) == 0U;
    bone.inherits_rotation = (flags & AB_BONE_NO_INHERIT_ROTATION) == 0U;
    if (given.rotation_channels != nullptr) {
        const int channel = given.rotation_channels[index];
        if (channel < AB_CHANNEL_ROTATION_QUATERNION || channel > AB_CHANNEL_ROTATION_ZYX ||
            channel == AB_CHANNEL_ROTATION_AXIS_ANGLE) {
            return misuse("armature.rotation_channels[" + std::to_string(index) + "] is " +
                          std::to_string(channel) + "; allowed are quaternion (1) and Euler angles (3 to 8)");
        }
        bone.rotation_channel = static_cast<rig::BoneChannel>(channel);
    }
    return bone;
}

/// An error if the parents of a bone form a cycle.
Result<void> require_roots(const rig::Armature& armature) {
    enum class Visit : std::uint8_t { none, in_progress, done };
    std::vector<Visit> visits(armature.bones.size(), Visit::none);
    std::vector<std::size_t> path;
    for (std::size_t first = 0; first < visits.size(); ++first) {
        path.clear();
        std::optional<std::size_t> bone = first;
        while (bone && visits[*bone] == Visit::none) {
            visits[*bone] = Visit::in_progress;
            path.push_back(*bone);
            bone = armature.bones[*bone].parent;
        }
        if (bone && visits[*bone] == Visit::in_progress) {
            return misuse("armature.parents go in a circle: bone '" + armature.bones[*bone].name +
                          "' is its own ancestor");
        }
        for (const std::size_t passed : path) {
            visits[passed] = Visit::done;
        }
    }
    return {};
}

Result<rig::Armature> take_bones(const ab_armature& given) {
    const bool arrays = given.names != nullptr && given.parents != nullptr && given.rest_matrices != nullptr;
    if (given.bone_count > 0 && !arrays) {
        return misuse("armature: names, parents or rest_matrices is NULL");
    }
    TRY(const auto names, take_names(given));
    rig::Armature armature;
    for (std::size_t i = 0; i < names.size(); ++i) {
        TRY(auto bone, take_bone(given, i, names[i]));
        armature.bones.push_back(std::move(bone));
    }
    return require_roots(armature).map([&] { return std::move(armature); });
}

}  // namespace

Result<rig::SceneRig> take_armature(const ab_armature* pointer) {
    TRY(const auto given, take_struct(pointer, ab_armature{}, "armature"));
    if (given.facing < AB_FACING_AUTO || given.facing > AB_FACING_Y) {
        return misuse("armature.facing is " + std::to_string(given.facing));
    }
    TRY(auto armature, take_bones(given));
    rig::SceneRig taken{std::move(armature), given.facing == AB_FACING_AUTO, &avatar(), &avatar_rig_map()};
    if (!taken.finds_facing) {
        taken.armature.facing = static_cast<rig::Facing>(given.facing - 1);
    }
    if (given.rig_map != nullptr) {
        TRY(auto own, rig::read_rig_map(given.rig_map, avatar()));
        taken.own_map = std::move(own);
    }
    return taken;
}

Result<std::optional<rig::SceneRig>> take_armature_or_object(const ab_armature* pointer) {
    if (pointer == nullptr) {
        return std::nullopt;
    }
    return take_armature(pointer).map([](rig::SceneRig rig) { return std::optional(std::move(rig)); });
}

}  // namespace animbridge::api

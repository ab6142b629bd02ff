// SPDX-License-Identifier: MIT
#include "api/api.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <string_view>
#include <tuple>

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

Result<rig::armature::Bone> take_bone(const ab_armature& given, std::size_t index, std::string name) {
    rig::armature::Bone bone{std::move(name)};
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
    bone.rest = rig::armature::transform_of(matrix);
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
        bone.rotation_channel = static_cast<rig::armature::BoneChannel>(channel);
    }
    return bone;
}

/// An error if the parents of a bone form a cycle.
Result<void> require_roots(const rig::armature::Armature& armature) {
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

Result<rig::armature::Armature> take_bones(const ab_armature& given) {
    const bool arrays = given.names != nullptr && given.parents != nullptr && given.rest_matrices != nullptr;
    if (given.bone_count > 0 && !arrays) {
        return misuse("armature: names, parents or rest_matrices is NULL");
    }
    TRY(const auto names, take_names(given));
    rig::armature::Armature armature;
    for (std::size_t i = 0; i < names.size(); ++i) {
        TRY(auto bone, take_bone(given, i, names[i]));
        armature.bones.push_back(std::move(bone));
    }
    return require_roots(armature).map([&] { return std::move(armature); });
}

}  // namespace

Result<rig::armature::SceneRig> take_armature(const ab_armature* pointer) {
    TRY(const auto given, take_struct(pointer, ab_armature{}, "armature"));
    if (given.facing < AB_FACING_AUTO || given.facing > AB_FACING_Y) {
        return misuse("armature.facing is " + std::to_string(given.facing));
    }
    TRY(auto armature, take_bones(given));
    rig::armature::SceneRig taken{std::move(armature), given.facing == AB_FACING_AUTO, &avatar(),
                                  &avatar_rig_map()};
    if (!taken.finds_facing) {
        taken.armature.facing = static_cast<rig::armature::Facing>(given.facing - 1);
    }
    if (given.rig_map != nullptr) {
        TRY(auto own, rig::armature::read_rig_map(given.rig_map, avatar()));
        taken.own_map = std::move(own);
    }
    return taken;
}

Result<std::optional<rig::armature::SceneRig>> take_armature_or_object(const ab_armature* pointer) {
    if (pointer == nullptr) {
        return std::nullopt;
    }
    return take_armature(pointer).map(
        [](rig::armature::SceneRig rig) { return std::optional(std::move(rig)); });
}

namespace {

/// The bone or object that a curve moves, for messages; an error if it does not exist.
Result<std::string> owner_of(const ab_curve& given, const rig::armature::Armature* armature) {
    if (given.channel == AB_CHANNEL_PROPERTY) {
        if (given.bone != -1 || given.property == nullptr || *given.property == '\0') {
            return misuse(
                "curve.channel is AB_CHANNEL_PROPERTY; such a curve has bone -1, the object, and the name of "
                "a "
                "property");
        }
        return "the property '" + std::string(given.property) + "'";
    }
    if (armature == nullptr) {
        if (given.bone != -1) {
            return misuse("curve.bone is " + std::to_string(given.bone) + "; allowed is -1, the object");
        }
        return std::string("the object");
    }
    if (given.bone < 0 || static_cast<std::size_t>(given.bone) >= armature->bones.size()) {
        return misuse("curve.bone is " + std::to_string(given.bone));
    }
    return "bone '" + armature->bones[static_cast<std::size_t>(given.bone)].name + "'";
}

Result<void> take_curve(const ab_curve& given, TakenCurves& taken) {
    if (given.channel < AB_CHANNEL_LOCATION || given.channel > AB_CHANNEL_PROPERTY) {
        return misuse("curve.channel is " + std::to_string(given.channel));
    }
    const std::size_t bone = given.bone < 0 ? rig::curves::no_bone : static_cast<std::size_t>(given.bone);
    const auto channel = static_cast<rig::armature::BoneChannel>(given.channel);
    if (given.component < 0 ||
        static_cast<std::size_t>(given.component) >= rig::armature::components_of(channel)) {
        return misuse("curve.component is " + std::to_string(given.component));
    }
    const std::string_view property = channel == rig::armature::BoneChannel::property
                                          ? std::string_view(given.property)
                                          : std::string_view();
    if (given.unchanged != 0) {
        taken.unchanged.push_back({bone, channel, property});
        return {};
    }
    const std::size_t keys = given.key_count;
    if (keys == 0) {
        return {};
    }
    if (given.co == nullptr) {
        return misuse("curve.co is NULL");
    }
    const auto pairs = [&](const float* array) {
        return array == nullptr ? std::span<const float>() : std::span(array, 2 * keys);
    };
    const auto bytes = [&](const std::uint8_t* array) {
        return array == nullptr ? std::span<const std::uint8_t>() : std::span(array, keys);
    };
    taken.views.push_back({bone, channel, static_cast<std::size_t>(given.component), pairs(given.co),
                           bytes(given.interpolation), pairs(given.handle_left), pairs(given.handle_right),
                           bytes(given.inserted), property});
    return {};
}

/// The F-curves of a call, to find duplicates.
class GivenCurves {
public:
    /// An error if the curve was added before.
    Result<void> add(const ab_curve& curve, const std::string& owner) {
        const bool named = curve.channel == AB_CHANNEL_PROPERTY;
        if (!given_.emplace(curve.bone, curve.channel, curve.component, named ? curve.property : "").second) {
            return misuse("the curve of " + owner + ", channel " + std::to_string(curve.channel) +
                          ", component " + std::to_string(curve.component) +
                          " is given twice; allowed is once");
        }
        return {};
    }

private:
    std::set<std::tuple<std::int32_t, std::int32_t, std::int32_t, std::string>> given_;
};

}  // namespace

Result<TakenCurves> take_curves(const ab_curve* curves, std::size_t count,
                                const rig::armature::Armature* armature) {
    if (curves == nullptr && count > 0) {
        return misuse("curves is NULL");
    }
    TakenCurves taken;
    GivenCurves seen;
    // The array's stride is the caller's struct_size, not ours.
    const auto* address = reinterpret_cast<const unsigned char*>(curves);
    for (std::size_t i = 0; i < count; ++i) {
        const auto* pointer = reinterpret_cast<const ab_curve*>(address);
        TRY(const auto given, take_struct(pointer, ab_curve{}, "curve"));
        TRY(const auto owner, owner_of(given, armature));
        TRY_VOID(take_curve(given, taken).and_then([&] { return seen.add(given, owner); }));
        address += pointer->struct_size;
    }
    return taken;
}

namespace {

constexpr std::size_t matrix_size = 16;

Result<rig::curves::SampleView> take_object_samples(const ab_samples& given) {
    if (given.object_matrices == nullptr && given.sample_count > 0) {
        return misuse("samples.object_matrices is NULL");
    }
    rig::curves::SampleView view;
    view.object_matrices = {given.object_matrices, matrix_size * given.sample_count};
    return view;
}

}  // namespace

Result<rig::curves::SampleView> take_samples(const ab_samples* pointer,
                                             const rig::armature::Armature* armature) {
    TRY(const auto given, take_struct(pointer, ab_samples{}, "samples"));
    if (armature == nullptr) {
        return take_object_samples(given);
    }
    const std::size_t count = given.sample_count;
    const std::size_t bones = armature->bones.size();
    if (count > 0 && (given.frames == nullptr || (given.matrices == nullptr && bones > 0))) {
        return misuse("samples.frames or samples.matrices is NULL");
    }
    rig::curves::SampleView view;
    view.frames = {given.frames, count};
    view.matrices = {given.matrices, given.matrices == nullptr ? 0 : matrix_size * bones * count};
    if (given.object_matrices != nullptr) {
        view.object_matrices = {given.object_matrices, matrix_size * count};
    }
    if (given.bones != nullptr) {
        view.exported = {given.bones, bones};
    }
    return view;
}

Result<rig::curves::Timing> take_timing(const ab_timing* pointer) {
    TRY(const auto given, take_struct(pointer, ab_timing{}, "timing"));
    if (!(given.frames_per_second > 0.0) || !std::isfinite(given.frames_per_second) ||
        !std::isfinite(given.frame_start)) {
        return misuse("timing: frames_per_second must be more than 0 and frame_start a number");
    }
    return rig::curves::Timing{given.frames_per_second, given.frame_start};
}

namespace {

Result<void> require_finite(const std::vector<std::vector<float>>& all_points) {
    for (const std::vector<float>& points : all_points) {
        const auto found =
            std::ranges::find_if_not(points, [](float number) { return std::isfinite(number); });
        if (found != points.end()) {
            const auto key = static_cast<std::size_t>(found - points.begin()) / 2;
            return fail(ErrorCode::bad_value,
                        "key " + std::to_string(key) + " is at frame " + std::to_string(points[2 * key]) +
                            " with the value " + std::to_string(points[2 * key + 1]) +
                            "; allowed is what single precision holds: use fewer frames per second or a "
                            "smaller scale",
                        "curves");
        }
    }
    return {};
}

/// Per channel the number of F-curves up to its end, so that an index is found by binary search.
std::vector<std::size_t> ends_of(const std::vector<rig::curves::BoneCurves>& channels) {
    std::vector<std::size_t> ends;
    ends.reserve(channels.size());
    for (const rig::curves::BoneCurves& channel : channels) {
        ends.push_back((ends.empty() ? 0 : ends.back()) + channel.points.size());
    }
    return ends;
}

}  // namespace

Result<void> give_curves(rig::curves::CurvesFromClip made, std::string report, ab_curves** out) {
    for (const rig::curves::BoneCurves& curves : made.curves) {
        TRY_VOID(require_finite(curves.points));
        TRY_VOID(require_finite(curves.handles_left));
        TRY_VOID(require_finite(curves.handles_right));
    }
    std::vector<std::size_t> ends = ends_of(made.curves);
    *out =
        std::make_unique<ab_curves>(ab_curves{std::move(made), std::move(report), std::move(ends)}).release();
    return {};
}

}  // namespace animbridge::api

// SPDX-License-Identifier: MIT
#include "formats/mrtk/cycles.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "formats/mrtk/names.h"
#include "formats/mrtk/pose_numbers.h"

namespace animbridge::mrtk {

namespace {

constexpr std::array<std::string_view, 3> cycle_names = {"none", "repeat", "mirror"};

Cycle cycle_of(std::int32_t wrap) {
    return wrap == loop ? Cycle::repeat : wrap == ping_pong ? Cycle::mirror : Cycle::none;
}

/// The wrap mode that means this; the present one if it does.
std::int32_t wrap_of(Cycle cycle, std::int32_t present) {
    if (cycle_of(present) == cycle) {
        return present;
    }
    return cycle == Cycle::repeat ? loop : cycle == Cycle::mirror ? ping_pong : clamp_forever;
}

std::string bone_of(std::size_t curve) {
    if (curve >= first_gaze_curve) {
        return std::string(curve < first_gaze_curve + 3 ? gaze_name : gaze_direction_name);
    }
    return owner_of(curve);
}

/// "L_Wrist.location.2", "pinch_left".
std::string scene_name(std::size_t curve) {
    if (is_switch(curve)) {
        return owner_of(curve);
    }
    const std::size_t place = curve >= first_gaze_curve    ? (curve - first_gaze_curve) % 3
                              : curve >= first_joint_curve ? (curve - first_joint_curve) % pose_curves
                                                           : curve;
    const PoseNumber number = pose_number(place);
    const std::string_view channel =
        number.channel == Channel::translation ? "location" : "rotation_quaternion";
    return bone_of(curve) + "." + std::string(channel) + "." + std::to_string(number.component);
}

/// Whether the curve is an F-curve with the same keys: on bones whose rest does not mix numbers.
bool is_shown(const rig::Armature& armature, std::size_t curve) {
    if (is_switch(curve)) {
        return true;
    }
    const auto bone =
        std::find_if(armature.bones.begin(), armature.bones.end(),
                     [name = bone_of(curve)](const rig::Bone& one) { return one.name == name; });
    constexpr double same_axes_degrees = 1e-3;
    return bone != armature.bones.end() &&
           angle_between_degrees(bone->rest.rotation, glm::dquat(1, 0, 0, 0)) < same_axes_degrees;
}

Result<Cycle> cycle_named(const std::string& name) {
    const auto* const found = std::find(cycle_names.begin(), cycle_names.end(), name);
    if (found == cycle_names.end()) {
        return fail(ErrorCode::bad_value,
                    "cycles: found \"" + name + "\"; allowed are \"none\", \"repeat\" and \"mirror\"");
    }
    return static_cast<Cycle>(found - cycle_names.begin());
}

}  // namespace

bool is_repeating(const CurveView& curve) {
    return curve.size() > 1 && curve.time(curve.size() - 1) > curve.time(0) &&
           (repeats(curve.pre_wrap()) || repeats(curve.post_wrap()));
}

std::size_t repeating_curves(const Document& document) {
    std::size_t count = 0;
    for (std::size_t curve = 0; curve < curve_count; ++curve) {
        count += is_repeating(CurveView(document, curve)) ? 1 : 0;
    }
    return count;
}

Document held(Document document) {
    for (Curve& curve : document.curves) {
        curve.pre_wrap = wrap_of(Cycle::none, curve.pre_wrap);
        curve.post_wrap = wrap_of(Cycle::none, curve.post_wrap);
    }
    return document;
}

void hold(LooseCurve& curve) {
    curve.pre_wrap = wrap_of(Cycle::none, curve.pre_wrap);
    curve.post_wrap = wrap_of(Cycle::none, curve.post_wrap);
}

Json cycles_json(const Document& document, const rig::Armature& armature) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < curve_count; ++i) {
        const CurveView curve(document, i);
        if (is_repeating(curve) && is_shown(armature, i)) {
            const auto name = [](std::int32_t wrap) {
                return cycle_names.at(static_cast<std::size_t>(cycle_of(wrap)));
            };
            rows.push_back({{"curve", scene_name(i)},
                            {"before", name(curve.pre_wrap())},
                            {"after", name(curve.post_wrap())}});
        }
    }
    return rows;
}

Result<std::vector<CurveCycles>> cycles_from(std::span<const std::string> names,
                                             std::span<const std::string> before,
                                             std::span<const std::string> after) {
    if (names.size() != before.size() || names.size() != after.size()) {
        return fail(ErrorCode::bad_value, "cycles_before has " + std::to_string(before.size()) +
                                              " words and cycles_after " + std::to_string(after.size()) +
                                              "; cycle_curves has " + std::to_string(names.size()) +
                                              " names");
    }
    std::vector<CurveCycles> cycles;
    for (std::size_t i = 0; i < names.size(); ++i) {
        TRY(const Cycle first, cycle_named(before[i]));
        TRY(const Cycle last, cycle_named(after[i]));
        for (std::size_t curve = 0; curve < curve_count; ++curve) {
            if (scene_name(curve) == names[i]) {
                cycles.push_back({curve, first, last});
            }
        }
    }
    return cycles;
}

void put_cycles(std::span<const CurveCycles> cycles, const rig::Armature& armature, LooseCurves& curves) {
    for (std::size_t i = 0; i < curve_count; ++i) {
        const auto given = std::find_if(cycles.begin(), cycles.end(),
                                        [&](const CurveCycles& one) { return one.curve == i; });
        if (given == cycles.end() && (!is_shown(armature, i) || !is_repeating(curves[i].view()))) {
            continue;
        }
        const CurveCycles wanted = given == cycles.end() ? CurveCycles{i} : *given;
        curves[i].pre_wrap = wrap_of(wanted.before, curves[i].pre_wrap);
        curves[i].post_wrap = wrap_of(wanted.after, curves[i].post_wrap);
    }
}

}  // namespace animbridge::mrtk

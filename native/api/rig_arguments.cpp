// SPDX-License-Identifier: MIT
#include "api/rig_arguments.h"

#include <array>
#include <cmath>
#include <cstring>

#include "convert/sl_document.h"
#include "formats/sl_anim/skeleton.h"

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
        return misuse("armature.parents[" + std::to_string(index) + "] is " + std::to_string(parent));
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
    return bone;
}

Result<sl_anim::Header> take_header(const ab_sl_header* pointer) {
    sl_anim::Header header;
    if (pointer == nullptr) {
        return header;
    }
    ab_sl_header defaults{};
    defaults.base_priority = header.base_priority;
    defaults.joint_priority = header.joint_priority;
    defaults.ease_in_seconds = header.ease_in_seconds;
    defaults.ease_out_seconds = header.ease_out_seconds;
    defaults.hand_pose = header.hand_pose;
    const auto given = take_struct(pointer, defaults, "header");
    if (!given) {
        return tl::unexpected<Error>(given.error());
    }
    header.base_priority = given->base_priority;
    header.joint_priority = given->joint_priority;
    header.loop = given->loop != 0;
    if (header.loop) {
        header.loop_in_seconds = given->loop_in_seconds;
        header.loop_out_seconds = given->loop_out_seconds;
    }
    header.ease_in_seconds = given->ease_in_seconds;
    header.ease_out_seconds = given->ease_out_seconds;
    header.hand_pose = given->hand_pose;
    header.emote_name = given->emote == nullptr ? "" : given->emote;
    return header;
}

}  // namespace

Result<rig::Armature> take_armature(const ab_armature* pointer) {
    const auto given = take_struct(pointer, ab_armature{}, "armature");
    if (!given) {
        return tl::unexpected<Error>(given.error());
    }
    const bool arrays =
        given->names != nullptr && given->parents != nullptr && given->rest_matrices != nullptr;
    if (given->bone_count > 0 && !arrays) {
        return misuse("armature: names, parents or rest_matrices is NULL");
    }
    if (given->facing < AB_FACING_AUTO || given->facing > AB_FACING_Y) {
        return misuse("armature.facing is " + std::to_string(given->facing));
    }
    const auto names = take_names(*given);
    if (!names) {
        return tl::unexpected<Error>(names.error());
    }
    rig::Armature armature;
    for (std::size_t i = 0; i < names->size(); ++i) {
        auto bone = take_bone(*given, i, (*names)[i]);
        if (!bone) {
            return tl::unexpected<Error>(std::move(bone.error()));
        }
        armature.bones.push_back(std::move(*bone));
    }
    if (given->facing == AB_FACING_AUTO) {
        const Skeleton skeleton = sl_anim::playing_skeleton();
        armature.facing = rig::find_facing(skeleton, armature, rig::map_bones(skeleton, armature));
    } else {
        armature.facing = static_cast<rig::Facing>(given->facing - 1);
    }
    return armature;
}

Result<rig::Timing> take_timing(const ab_timing* pointer) {
    const auto given = take_struct(pointer, ab_timing{}, "timing");
    if (!given) {
        return tl::unexpected<Error>(given.error());
    }
    if (!(given->frames_per_second > 0.0) || !std::isfinite(given->frames_per_second) ||
        !std::isfinite(given->frame_start)) {
        return misuse("timing: frames_per_second must be more than 0 and frame_start a number");
    }
    return rig::Timing{given->frames_per_second, given->frame_start};
}

Result<TakenExport> take_export(const ab_sl_export* pointer, const rig::Timing& timing) {
    const auto given = take_struct(pointer, ab_sl_export{}, "options");
    if (!given) {
        return tl::unexpected<Error>(given.error());
    }
    if (given->encoder < AB_ENCODER_UPLOAD || given->encoder > AB_ENCODER_VIEWER) {
        return misuse("options.encoder is " + std::to_string(given->encoder));
    }
    if (given->target < AB_TARGET_SECOND_LIFE || given->target > AB_TARGET_OPENSIM) {
        return misuse("options.target is " + std::to_string(given->target));
    }
    auto header = take_header(given->header);
    if (!header) {
        return tl::unexpected<Error>(std::move(header.error()));
    }
    TakenExport taken{{static_cast<sl_anim::Encoder>(given->encoder), nullptr, std::move(*header), 0.0F},
                      {static_cast<SlTarget>(given->target), given->fit_bytes}};
    if (given->template_document != nullptr) {
        taken.options.base = as_sl_anim(*given->template_document->document);
        if (taken.options.base == nullptr) {
            return misuse("options.template_document is no Second Life animation");
        }
    }
    if (given->keep_duration != 0 && taken.options.base != nullptr) {
        taken.options.duration_seconds = taken.options.base->duration.value();
        return taken;
    }
    taken.options.duration_seconds = static_cast<float>(timing.seconds_at(given->frame_end));
    if (!(taken.options.duration_seconds >= 0.0F)) {
        return misuse("options.frame_end lies before timing.frame_start");
    }
    return taken;
}

void give_export(SlExport exported, ab_document** out, ab_buffer** report) {
    std::unique_ptr<ab_buffer> told(report == nullptr ? nullptr : new_json_buffer(exported.report));
    *out = new_document(make_document(std::move(exported.document)), "");
    if (report != nullptr) {
        *report = told.release();
    }
}

}  // namespace animbridge::api

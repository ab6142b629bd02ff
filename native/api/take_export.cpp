// SPDX-License-Identifier: MIT
#include "api/take_export.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/json.h"
#include "convert/sl_document.h"
#include "formats/sl_anim/skeleton.h"

namespace animbridge::api {

namespace {

constexpr std::int32_t lowest_priority = -1;
constexpr std::int32_t highest_priority = 6;
constexpr std::uint32_t last_hand_pose = 13;

/// Whether the values are those that animbridge.h allows.
Result<void> check_header(const ab_sl_header& given) {
    const auto outside = [](const char* field, std::int64_t found, const char* allowed) {
        return misuse("header." + std::string(field) + " is " + std::to_string(found) +
                      ", which the viewer refuses or changes; allowed are " + allowed);
    };
    if (given.base_priority < lowest_priority || given.base_priority > highest_priority) {
        return outside("base_priority", given.base_priority, "-1 to 6");
    }
    if (given.joint_priority < lowest_priority || given.joint_priority > highest_priority) {
        return outside("joint_priority", given.joint_priority, "-1 to 6");
    }
    if (given.hand_pose > last_hand_pose) {
        return outside("hand_pose", given.hand_pose, "0 to 13");
    }
    const std::array<std::pair<const char*, float>, 4> seconds = {
        {{"ease_in_seconds", given.ease_in_seconds},
         {"ease_out_seconds", given.ease_out_seconds},
         {"loop_in_seconds", given.loop != 0 ? given.loop_in_seconds : 0.0F},
         {"loop_out_seconds", given.loop != 0 ? given.loop_out_seconds : 0.0F}}};
    for (const auto& [field, value] : seconds) {
        if (!std::isfinite(value)) {
            return misuse("header." + std::string(field) +
                          " is not a finite number, and the viewer refuses that");
        }
    }
    return {};
}

Result<sl_anim::Header> take_header(const ab_sl_header* pointer, bool is_read) {
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
    if (!is_read) {
        return header;
    }
    if (auto allowed = check_header(*given); !allowed) {
        return tl::unexpected<Error>(std::move(allowed.error()));
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

/// By the joints' own names.
Result<std::map<std::string, std::int32_t>> take_priorities(const char* json_or_null) {
    std::map<std::string, std::int32_t> priorities;
    const std::string field = "joint_priorities";
    const auto given = json_or_null == nullptr ? Result<Json>(Json::object()) : parse_json(json_or_null);
    if (!given || !given->is_object()) {
        return given ? json_fail(field, *given, "an object of joints and their priorities")
                     : tl::unexpected<Error>(given.error());
    }
    for (const auto& [name, value] : given->items()) {
        using Limits = std::numeric_limits<std::int32_t>;
        const auto priority = integer_from_json(value, Limits::min(), Limits::max(),
                                                std::string(field).append(".").append(name));
        if (!priority) {
            return tl::unexpected<Error>(priority.error());
        }
        const auto joint = sl_anim::find_joint(name);
        priorities[joint ? sl_anim::skeleton()[*joint].node.name : name] =
            static_cast<std::int32_t>(*priority);
    }
    return priorities;
}

/// Into `taken`, which has its timing already.
Result<void> take_options(const ab_sl_export* pointer, TakenExport& taken) {
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
    auto header = take_header(given->header, given->template_document == nullptr);
    if (!header) {
        return tl::unexpected<Error>(std::move(header.error()));
    }
    auto priorities = take_priorities(given->joint_priorities_json);
    if (!priorities) {
        return tl::unexpected<Error>(std::move(priorities.error()));
    }
    taken.options = {static_cast<sl_anim::Encoder>(given->encoder), nullptr, std::move(*header), 0.0F,
                     std::move(*priorities)};
    taken.limits = {static_cast<SlTarget>(given->target), given->fit_bytes};
    if (given->template_document != nullptr) {
        taken.options.base = as_sl_anim(*given->template_document->document);
        if (taken.options.base == nullptr) {
            return misuse("options.template_document is no Second Life animation");
        }
    }
    if (given->keep_duration != 0 && taken.options.base == nullptr) {
        return misuse(
            "options.keep_duration asks for the template's duration, and there is no "
            "template_document");
    }
    if (given->keep_duration != 0) {
        taken.options.duration_seconds = taken.options.base->duration.value();
        return {};
    }
    taken.options.duration_seconds = static_cast<float>(taken.timing.seconds_at(given->frame_end));
    if (!std::isfinite(taken.options.duration_seconds)) {
        return misuse("options.frame_end is not a number, or too far from timing.frame_start");
    }
    if (!(taken.options.duration_seconds >= 0.0F)) {
        return misuse("options.frame_end lies before timing.frame_start");
    }
    return {};
}

}  // namespace

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

Result<TakenExport> take_export(const ab_armature* armature, const ab_timing* timing,
                                const ab_sl_export* options, const ab_job* job) {
    auto rig = take_armature(armature);
    const auto times = take_timing(timing);
    const auto work = take_job(job);
    if (!rig || !times || !work) {
        return tl::unexpected<Error>(!rig ? rig.error() : !times ? times.error() : work.error());
    }
    TakenExport taken{std::move(*rig), *times, *work, {}, {}};
    if (auto filled = take_options(options, taken); !filled) {
        return tl::unexpected<Error>(std::move(filled.error()));
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

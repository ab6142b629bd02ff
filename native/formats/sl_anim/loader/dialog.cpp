// SPDX-License-Identifier: MIT
#include "formats/sl_anim/loader/loader.h"

#include <algorithm>

#include "base/json/json.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/loader/parts.h"

namespace animbridge::sl_anim::loader {

namespace {

constexpr std::int32_t highest_by_dialog = 4;

/// The dialog shifts the joints' priorities with the base priority, and clamps them to 0..4.
void set_priority(std::int32_t priority, BvhLoaded& loaded) {
    file::Document& document = loaded.document;
    const std::int32_t shift = priority - document.base_priority;
    if (shift == 0) {
        return;
    }
    document.base_priority = priority;
    for (file::Joint& joint : document.joints) {
        const std::int32_t wanted = joint.priority + shift;
        joint.priority = std::clamp(wanted, 0, highest_by_dialog);
        if (wanted > highest_by_dialog) {
            loaded.clamped.push_back(joint.name);
        }
    }
}

float seconds_of(const LoopPoint& point, float duration) {
    return point.is_percent ? point.value * 0.01F * duration : point.value;
}

void set_loop(const BvhLoad& options, BvhLoaded& loaded) {
    file::Document& document = loaded.document;
    const float duration = document.duration.value();
    if (options.loop) {
        document.loop = *options.loop ? 1 : 0;
    }
    if (options.loop_in) {
        document.loop_in_point = RawFloat(seconds_of(*options.loop_in, duration));
    }
    if (options.loop_out) {
        document.loop_out_point = RawFloat(seconds_of(*options.loop_out, duration));
    }
    const float in = document.loop_in_point.value();
    const float out = document.loop_out_point.value();
    if (document.loop != 0 && !(in <= out && out <= duration)) {
        loaded.warnings.emplace_back(
            "the loop is not within the animation: its points must be in order and not after the end");
    }
    if (document.loop == 0 && (options.loop_in || options.loop_out)) {
        loaded.warnings.emplace_back(
            "the loop points have no effect: the animation does not loop. Set the loop too, or no loop "
            "points");
    }
}

float within(float value, float low, float high) { return std::max(low, std::min(value, high)); }

/// Unless the animation loops, each ease is limited to the part that the other leaves.
void set_eases(const BvhLoad& options, BvhLoaded& loaded) {
    file::Document& document = loaded.document;
    float in = options.ease_in_seconds.value_or(document.ease_in_duration.value());
    float out = options.ease_out_seconds.value_or(document.ease_out_duration.value());
    const float wanted_in = in;
    const float wanted_out = out;
    if (document.loop == 0) {
        const float duration = document.duration.value();
        if (options.ease_in_seconds) {
            out = within(out, 0.0F, duration);
            in = within(in, 0.0F, duration - out);
        } else if (options.ease_out_seconds) {
            out = within(out, 0.0F, duration - in);
        }
    }
    if (in != wanted_in || out != wanted_out) {
        loaded.warnings.emplace_back("the eases are cut to " + std::to_string(in) + " s and " +
                                     std::to_string(out) +
                                     " s: together they are no longer than the animation unless it loops");
    }
    document.ease_in_duration = RawFloat(in);
    document.ease_out_duration = RawFloat(out);
}

bool is_same_joint(std::string_view a, std::string_view b) {
    const auto known = avatar::find_joint(a);
    return a == b || (known && known == avatar::find_joint(b));
}

Result<void> set_joint_priorities(const BvhLoad& options, BvhLoaded& loaded) {
    for (const auto& [name, priority] : options.joint_priorities) {
        const std::string_view wanted = name;
        const auto is_meant = [&](std::string_view joint) { return is_same_joint(joint, wanted); };
        bool found = false;
        for (file::Joint& joint : loaded.document.joints) {
            if (is_meant(joint.name)) {
                joint.priority = priority;
                found = true;
                std::erase(loaded.clamped, joint.name);
            }
        }
        if (found) {
            continue;
        }
        if (std::ranges::none_of(loaded.dropped, is_meant)) {
            return fail(in_request(
                json_fail("joint_priorities." + to_utf8(name), json_text(name), "a joint of the file")
                    .value()));
        }
        loaded.warnings.emplace_back(
            "the priority of \"" + name +
            "\" has no effect: the joint is not written, because it does not move. Keep "
            "all joints, or leave out the priority");
    }
    return {};
}

}  // namespace

file::Document loader_header(float duration_seconds, const AnimIni& ini) {
    file::Document document;
    document.base_priority = ini.priority.value_or(2);
    document.duration = RawFloat(duration_seconds);
    document.emote_name = ini.emote.value_or("");
    const LoopShare loop = ini.loop.value_or(LoopShare{});
    document.loop = loop.loop ? 1 : 0;
    document.loop_in_point = RawFloat(loop.loop ? loop.in * duration_seconds : 0.0F);
    document.loop_out_point = RawFloat(loop.loop ? loop.out * duration_seconds : duration_seconds);
    float ease_in = ini.ease_in_seconds.value_or(0.3F);
    float ease_out = ini.ease_out_seconds.value_or(0.3F);
    if (document.loop == 0 && ease_in + ease_out > duration_seconds && duration_seconds != 0.0F) {
        const float scale = duration_seconds / (ease_in + ease_out);
        ease_in *= scale;
        ease_out *= scale;
    }
    document.ease_in_duration = RawFloat(ease_in);
    document.ease_out_duration = RawFloat(ease_out);
    document.hand_pose = ini.hand_pose.value_or(1);
    document.constraints = ini.constraints;
    document.constraint_count = static_cast<std::int32_t>(ini.constraints.size());
    return document;
}

Result<void> apply_dialog(const BvhLoad& options, BvhLoaded& loaded) {
    if (options.priority) {
        set_priority(*options.priority, loaded);
    }
    set_loop(options, loaded);
    set_eases(options, loaded);
    loaded.document.hand_pose = options.hand_pose.value_or(loaded.document.hand_pose);
    loaded.document.emote_name = options.emote.value_or(loaded.document.emote_name);
    return set_joint_priorities(options, loaded);
}

}  // namespace animbridge::sl_anim::loader

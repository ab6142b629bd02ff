// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "base/options/options.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/fix/mends.h"

/// Values of the header, and priorities: no key changes.
namespace animbridge::sl_anim::fix {

namespace {

float seconds_in(RawFloat value) { return value.value(); }

bool is_constant(const file::KeyList& keys) {
    return std::ranges::all_of(keys.coded, [&](const auto& key) { return key.xyz == keys.coded[0].xyz; }) &&
           std::ranges::all_of(keys.legacy, [&](const auto& key) { return key.xyz == keys.legacy[0].xyz; });
}

Outcome stop_at_once(file::Document& document, const Asked& /*asked*/) {
    // The limits of the rule itself.
    constexpr double degrees = 1.0;
    constexpr double mm = 5.0;
    const bool holds = document.loop_in_point == document.loop_out_point;
    if (holds && std::ranges::all_of(document.joints, [](const file::Joint& joint) {
            return is_constant(joint.rotation) && is_constant(joint.position);
        })) {
        document.loop_in_point = RawFloat(0.0F);
    }
    document.loop_out_point = document.duration;
    return Change{.what = "the loop ends with the animation, so that a stop eases out at once",
                  .degrees = degrees,
                  .mm = mm,
                  .has_other_times = true};
}

Outcome hold_the_pose(file::Document& document, const Asked& asked) {
    constexpr int samples = 50;
    const double in = document.loop_in_point.value();
    const double length = static_cast<double>(document.loop_out_point.value()) - in;
    Reach trembles;
    for (int i = 1; i <= samples; ++i) {
        const Reach reach = difference_between(document, in, in + length * i / samples);
        trembles = {std::max(trembles.degrees, reach.degrees), std::max(trembles.mm, reach.mm)};
    }
    document.loop_out_point = document.loop_in_point;
    return Change{.what = "the pose at " + fixed_text(in, 3) + " s is held",
                  .degrees = std::max(trembles.degrees, largest_size(asked.places)),
                  .mm = trembles.mm,
                  .has_other_times = true};
}

Outcome loop_the_pose(file::Document& document, const Asked& /*asked*/) {
    document.loop = 1;
    document.loop_in_point = RawFloat(0.0F);
    document.loop_out_point = document.duration;
    return Change{.what = "the loop is on: the pose stays until it is stopped"};
}

// ---- eases ----

/// Both eases in the same proportion, so that they fill the animation exactly.
Outcome fitting_eases(file::Document& document, const Asked& /*asked*/) {
    const double duration = document.duration.value();
    const double in = std::max(0.0, static_cast<double>(seconds_in(document.ease_in_duration)));
    const double out = std::max(0.0, static_cast<double>(seconds_in(document.ease_out_duration)));
    const double share = duration / (in + out);
    auto ease_in = static_cast<float>(in * share);
    auto ease_out = static_cast<float>(out * share);
    const float whole = document.duration.value();
    // Also in the viewer's single precision.
    while (double{ease_in} + double{ease_out} > double{whole} || ease_in + ease_out > whole ||
           whole - ease_out < ease_in) {
        float& longer = ease_in > ease_out ? ease_in : ease_out;
        longer = std::nextafter(longer, 0.0F);
    }
    document.ease_in_duration = RawFloat(ease_in);
    document.ease_out_duration = RawFloat(ease_out);
    return Change{.what = "the eases fit: " + fixed_text(double{ease_in}, 3) + " s in and " +
                          fixed_text(double{ease_out}, 3) + " s out"};
}

Outcome usual_eases(file::Document& document, const Asked& /*asked*/) {
    constexpr float usual = 0.3F;
    const float duration = document.duration.value();
    const auto mend = [&](RawFloat& ease, RawFloat other) {
        const float room = document.loop != 0 ? duration : duration - std::max(0.0F, other.value());
        if (!(ease.value() > 0.0F)) {
            ease = RawFloat(std::min({usual, duration / 2.0F, room}));
        }
    };
    mend(document.ease_in_duration, document.ease_out_duration);
    mend(document.ease_out_duration, document.ease_in_duration);
    if (!(seconds_in(document.ease_in_duration) > 0.0F) || !(seconds_in(document.ease_out_duration) > 0.0F)) {
        return tl::unexpected<std::string>("the animation leaves no time for an ease");
    }
    return Change{.what = "it eases in for " + fixed_text(double{seconds_in(document.ease_in_duration)}, 3) +
                          " s and out for " + fixed_text(double{seconds_in(document.ease_out_duration)}, 3) +
                          " s"};
}

// ---- emotes and priorities ----

Outcome face_only(file::Document& document, const Asked& /*asked*/) {
    const std::string state(avatar::state_of(document.emote_name).value_or(""));
    const std::string face = state == "express_embarrased" ? "express_embarrassed_emote" : state + "_emote";
    if (!avatar::is_animation_state(face) || !avatar::is_expression(face)) {
        document.emote_name.clear();
        return Change{.what = "the emote is cleared: no expression has its name"};
    }
    document.emote_name = face;
    if (!check::places_of(document, "emote_with_face").empty()) {
        document.emote_name.clear();
        return Change{.what = "the emote is cleared: the animation moves the face itself"};
    }
    return Change{.what = "the emote is " + face + ", which moves the face only"};
}

Outcome above_ao(file::Document& document, const Asked& asked) {
    constexpr std::int32_t ao_priority = 4;
    document.base_priority = std::max(document.base_priority, ao_priority);
    for (const std::string& joint : joints_of(asked.places)) {
        file::Joint* record = record_of(document, joint);
        record->priority = record->priority < ao_priority ? -1 : record->priority;
    }
    return Change{.what = "the base priority is " + std::to_string(document.base_priority) +
                          ", which hips and legs follow",
                  .joints = joints_of(asked.places)};
}

Outcome seen_by_all(file::Document& document, const Asked& asked) {
    for (const std::string& joint : joints_of(asked.places)) {
        record_of(document, joint)->priority = 1;
    }
    return Change{.what = "these joints have priority 1, which hides the viewer's own motion of them",
                  .joints = joints_of(asked.places)};
}

}  // namespace

std::vector<Mend> header_mends() {
    return {{"stop_is_late", stop_at_once},
            {"loop_trembles", hold_the_pose},
            {"pose_flashes", loop_the_pose},
            {"never_at_full_strength", fitting_eases},
            {"ease_longer_than_duration", fitting_eases},
            {"ease_zero", usual_eases},
            {"emote_moves_body", face_only},
            {"below_ao", above_ao, true},
            {"hidden_by_the_viewer", seen_by_all, true}};
}

}  // namespace animbridge::sl_anim::fix

// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "formats/sl_anim/file/file.h"

/// Documents made by hand. Codes decode to round numbers, or are computed here by rounding.
namespace animbridge::test {

inline constexpr std::uint16_t zero_code = 32767;

inline std::uint16_t code_of(double value, double low, double high) {
    return static_cast<std::uint16_t>(std::lround((value - low) / (high - low) * 65535.0));
}

/// A rotation key from its vector part, or a position key in metres, at a fraction of the duration.
inline sl_anim::file::CodedKey rotation_key(double fraction, double x, double y, double z) {
    return {code_of(fraction, 0, 1), {code_of(x, -1, 1), code_of(y, -1, 1), code_of(z, -1, 1)}};
}
inline sl_anim::file::CodedKey position_key(double fraction, double x, double y, double z) {
    return {code_of(fraction, 0, 1), {code_of(x, -5, 5), code_of(y, -5, 5), code_of(z, -5, 5)}};
}

inline sl_anim::file::Joint joint(std::string name, std::vector<sl_anim::file::CodedKey> rotation,
                                  std::vector<sl_anim::file::CodedKey> position = {},
                                  std::int32_t priority = -1) {
    return {std::move(name), priority, {std::move(rotation), {}}, {std::move(position), {}}};
}

/// Not looped, without ease, priority 2.
inline sl_anim::file::Document document(float duration, std::vector<sl_anim::file::Joint> joints) {
    sl_anim::file::Document made;
    made.base_priority = 2;
    made.duration = RawFloat(duration);
    made.loop_out_point = RawFloat(duration);
    made.joints = std::move(joints);
    return made;
}

inline sl_anim::file::Document looped(sl_anim::file::Document made, float in, float out) {
    made.loop = 1;
    made.loop_in_point = RawFloat(in);
    made.loop_out_point = RawFloat(out);
    return made;
}

inline sl_anim::file::Document eased(sl_anim::file::Document made, float in, float out) {
    made.ease_in_duration = RawFloat(in);
    made.ease_out_duration = RawFloat(out);
    return made;
}

/// mTorso rotates from 0 to 90 degrees about Z over the duration.
inline sl_anim::file::Document turning_torso(float duration) {
    return document(duration,
                    {joint("mTorso", {rotation_key(0, 0, 0, 0), rotation_key(1, 0, 0, std::sqrt(0.5))})});
}

/// turning_torso with keys in between.
inline sl_anim::file::Document document_with_middle(float duration) {
    return document(duration, {joint("mTorso", {rotation_key(0, 0, 0, 0), rotation_key(0.3, 0.1, 0, 0),
                                                rotation_key(0.77, 0, 0.2, 0), rotation_key(1, 0, 0, 0.5)})});
}

}  // namespace animbridge::test

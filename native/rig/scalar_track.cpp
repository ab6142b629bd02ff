// SPDX-License-Identifier: MIT
#include "rig/scalar_track.h"

#include <algorithm>
#include <cmath>

namespace animbridge::rig {

namespace {

Error curve_error(const Bone& bone, const CurveView& curve, std::string reason) {
    const bool is_property = curve.channel == BoneChannel::property;
    const std::string name = is_property ? std::string(curve.property) : bone.name;
    Error error{ErrorCode::bad_value,
                (is_property ? "the curve of the property "
                             : "the curve " + std::to_string(curve.component) + " of bone ") +
                    name + " " + std::move(reason)};
    error.field = name;
    return error;
}

}  // namespace

Result<Track> scalar_track(const CurveView& curve, const Bone& bone) {
    Track track{0, Channel::property};
    const std::size_t keys = curve.points.size() / 2;
    bool bezier = false;
    for (std::size_t i = 0; i < keys; ++i) {
        const double frame = curve.points[2 * i];
        const double value = curve.points[2 * i + 1];
        if (!std::isfinite(frame) || !std::isfinite(value)) {
            return fail(curve_error(bone, curve, "has a key that is not a number"));
        }
        if (i > 0 && frame < track.times.back()) {
            return fail(curve_error(bone, curve, "has keys out of the order of time"));
        }
        track.times.push_back(frame);
        track.values.push_back(value);
        const std::uint8_t code = curve.interpolation.empty() ? std::uint8_t{1} : curve.interpolation[i];
        if (code > 2) {
            return fail(curve_error(bone, curve,
                                    "has the interpolation " + std::to_string(code) +
                                        "; constant, linear and Bezier are allowed: bake the others"));
        }
        track.interpolation.push_back(static_cast<Interpolation>(code));
        bezier = bezier || code == 2;
    }
    if (bezier && (curve.handles_left.size() != 2 * keys || curve.handles_right.size() != 2 * keys)) {
        return fail(curve_error(bone, curve, "has Bezier keys without handles"));
    }
    const auto finite = [](std::span<const float> numbers) {
        return std::all_of(numbers.begin(), numbers.end(),
                           [](float number) { return std::isfinite(number); });
    };
    if (bezier && (!finite(curve.handles_left) || !finite(curve.handles_right))) {
        return fail(curve_error(bone, curve, "has a handle that is not a number"));
    }
    for (std::size_t i = 0; bezier && i < keys; ++i) {
        const double frame = track.times[i];
        const double value = track.values[i];
        track.handles.push_back(
            {std::min(0.0, curve.handles_left[2 * i] - frame), curve.handles_left[2 * i + 1] - value,
             std::max(0.0, curve.handles_right[2 * i] - frame), curve.handles_right[2 * i + 1] - value});
    }
    return track;
}

}  // namespace animbridge::rig

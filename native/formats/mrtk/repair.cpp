// SPDX-License-Identifier: MIT
#include "formats/mrtk/repair.h"

#include <vector>

#include "formats/mrtk/player.h"
#include "formats/mrtk/poses.h"

namespace animbridge::mrtk {

namespace {

RotationViews views_of(const LooseCurves& curves, std::size_t pose) {
    const std::size_t first = first_rotation_of(pose);
    return {curves[first].view(), curves[first + 1].view(), curves[first + 2].view(),
            curves[first + 3].view()};
}

/// Changes only the sign bit, so that the other bits stay.
RawFloat negated(RawFloat number) {
    constexpr std::uint32_t sign_bit = 0x80000000U;
    number.bits ^= sign_bit;
    return number;
}

void negate(FullKey& key) {
    key.value = negated(key.value);
    // A tangent of 0 stays as MRTK writes it.
    key.in_tangent = key.in_tangent.value() == 0.0F ? key.in_tangent : negated(key.in_tangent);
    key.out_tangent = key.out_tangent.value() == 0.0F ? key.out_tangent : negated(key.out_tangent);
}

}  // namespace

ContinuedSigns continue_signs(LooseCurves& curves) {
    ContinuedSigns done;
    for (std::size_t pose = 0; pose < pose_count; ++pose) {
        const RotationViews rotation = views_of(curves, pose);
        if (!share_times(rotation)) {
            ++done.skipped;
            continue;
        }
        const std::vector<bool> turns = sign_turns(rotation);
        for (std::size_t key = 0; key < turns.size(); ++key) {
            for (std::size_t i = 0; turns[key] && i < rotation.size(); ++i) {
                negate(curves[first_rotation_of(pose) + i].keys[key]);
            }
            done.keys += turns[key] ? 1 : 0;
        }
        done.rotations += turns.empty() ? 0 : 1;
    }
    return done;
}

std::size_t repair_zero_rotations(LooseCurves& curves) {
    std::size_t repaired = 0;
    for (std::size_t pose = 0; pose < pose_count; ++pose) {
        const RotationViews rotation = views_of(curves, pose);
        if (!share_times(rotation)) {
            continue;
        }
        LooseCurve& w = curves[first_rotation_of(pose) + 3];
        for (std::size_t key = 0; key < w.keys.size(); ++key) {
            if (rotation[0].value(key) == 0.0 && rotation[1].value(key) == 0.0 &&
                rotation[2].value(key) == 0.0 && rotation[3].value(key) == 0.0) {
                w.keys[key].value = RawFloat(1.0F);
                ++repaired;
            }
        }
    }
    return repaired;
}

}  // namespace animbridge::mrtk

// SPDX-License-Identifier: MIT
#pragma once

#include <animbridge/animbridge.h>

#include <cstddef>
#include <utility>

#include "export_calls.h"
#include "library/armature.h"
#include "support.h"

/// Arguments of a call that succeeds: a test makes one of them wrong.
namespace animbridge::test {

struct GoodArguments {
    DocumentHandle document = read_document(fixture("minimal.anim"));
    TestArmature rig{{"mPelvis", "mTorso"}};
    ab_armature armature = rig.view();
    ab_timing timing = usual_timing;
    SlExport options{};
    ab_document* out_document = nullptr;
    ab_buffer* out_buffer = nullptr;
    ab_curves* out_curves = nullptr;

    GoodArguments() { options.frame_end = 31.0; }
    ab_status import_curves(ab_error* error) {
        return ab_curves_from_document(document.get(), &armature, &timing, nullptr, nullptr, &out_curves,
                                       error);
    }
    ab_status from_curves(const ab_curve* curves, std::size_t count, ab_error* error) {
        return sl_from_curves(&armature, &timing, curves, count, options, nullptr, &out_document, nullptr,
                              error);
    }
    [[nodiscard]] bool has_made_nothing() const {
        return out_document == nullptr && out_buffer == nullptr && out_curves == nullptr;
    }
    /// The document that an export has just made, which the caller now owns.
    [[nodiscard]] DocumentHandle made() { return DocumentHandle(std::exchange(out_document, nullptr)); }
};

/// One rotation curve of the bone at index 1, with one key; `co` holds the key and outlives the curve.
[[nodiscard]] inline ab_curve one_key_curve(const float (&co)[2]) {
    ab_curve curve{};
    curve.struct_size = sizeof(curve);
    curve.bone = 1;
    curve.channel = AB_CHANNEL_ROTATION_QUATERNION;
    curve.key_count = 1;
    curve.co = co;
    return curve;
}

}  // namespace animbridge::test

// SPDX-License-Identifier: MIT
#pragma once

#include <animbridge/animbridge.h>

#include <memory>
#include <string>
#include <vector>

#include "export_calls.h"
#include "fuzz_source.h"

/// Arguments that Blender could pass to the C interface, from a fuzzer's bytes: an armature, curves, sampled
/// poses. All small, because a fuzzer finds more in many small scenes than in few large ones.
namespace animbridge::test {

struct FreeHandle {
    void operator()(ab_document* document) const { ab_document_free(document); }
    void operator()(ab_buffer* buffer) const { ab_buffer_free(buffer); }
    void operator()(ab_curves* curves) const { ab_curves_free(curves); }
};
using DocumentHandle = std::unique_ptr<ab_document, FreeHandle>;
using BufferHandle = std::unique_ptr<ab_buffer, FreeHandle>;
using CurvesHandle = std::unique_ptr<ab_curves, FreeHandle>;

/// The views point into their own struct.
struct FuzzView {
    FuzzView() = default;
    ~FuzzView() = default;
    FuzzView(const FuzzView&) = delete;
    FuzzView& operator=(const FuzzView&) = delete;
    FuzzView(FuzzView&&) = delete;
    FuzzView& operator=(FuzzView&&) = delete;
};

/// An armature of up to four bones.
struct FuzzArmature : FuzzView {
    std::string names;
    std::vector<std::int32_t> parents;
    std::vector<float> matrices;
    std::vector<std::uint8_t> flags;
    std::vector<std::uint8_t> channels;
    ab_armature view{};

    explicit FuzzArmature(Source& source);
};

/// One F-curve of up to four keys.
struct FuzzCurve : FuzzView {
    std::vector<float> co;
    std::vector<float> left;
    std::vector<float> right;
    std::vector<std::uint8_t> interpolation;
    std::vector<std::uint8_t> inserted;
    ab_curve view{};

    explicit FuzzCurve(Source& source);
};

/// Up to eight curves, with the views as an array for the C interface.
struct FuzzCurves {
    std::vector<std::unique_ptr<FuzzCurve>> curves;
    std::vector<ab_curve> views;

    explicit FuzzCurves(Source& source);
};

/// Poses of an armature at up to five frames.
struct FuzzSamples : FuzzView {
    std::vector<double> frames;
    std::vector<float> matrices;
    std::vector<float> objects;  ///< a world matrix for each frame
    std::vector<std::uint8_t> bones;
    SlSamples view{};

    FuzzSamples(Source& source, std::size_t bone_count, double first_frame);
};

[[nodiscard]] ab_timing take_timing(Source& source);

/// A template: two joints with two keys each, the rest of the header from the input; or none.
[[nodiscard]] DocumentHandle take_template(Source& source);

[[nodiscard]] SlHeader take_header(Source& source);

/// Without a header; the template can be NULL.
[[nodiscard]] SlExport take_export(Source& source, const ab_document* template_document);

}  // namespace animbridge::test

// SPDX-License-Identifier: MIT
#include "api/take_samples.h"

#include <cmath>

namespace animbridge::api {

namespace {

constexpr std::size_t matrix_size = 16;

Result<rig::SampleView> take_object_samples(const ab_samples& given) {
    if (given.object_matrices == nullptr && given.sample_count > 0) {
        return misuse("samples.object_matrices is NULL");
    }
    rig::SampleView view;
    view.object_matrices = {given.object_matrices, matrix_size * given.sample_count};
    return view;
}

}  // namespace

Result<rig::SampleView> take_samples(const ab_samples* pointer, const rig::Armature* armature) {
    TRY(const auto given, take_struct(pointer, ab_samples{}, "samples"));
    if (armature == nullptr) {
        return take_object_samples(given);
    }
    const std::size_t count = given.sample_count;
    const std::size_t bones = armature->bones.size();
    if (count > 0 && (given.frames == nullptr || (given.matrices == nullptr && bones > 0))) {
        return misuse("samples.frames or samples.matrices is NULL");
    }
    rig::SampleView view;
    view.frames = {given.frames, count};
    view.matrices = {given.matrices, given.matrices == nullptr ? 0 : matrix_size * bones * count};
    if (given.object_matrices != nullptr) {
        view.object_matrices = {given.object_matrices, matrix_size * count};
    }
    if (given.bones != nullptr) {
        view.exported = {given.bones, bones};
    }
    return view;
}

Result<rig::Timing> take_timing(const ab_timing* pointer) {
    TRY(const auto given, take_struct(pointer, ab_timing{}, "timing"));
    if (!(given.frames_per_second > 0.0) || !std::isfinite(given.frames_per_second) ||
        !std::isfinite(given.frame_start)) {
        return misuse("timing: frames_per_second must be more than 0 and frame_start a number");
    }
    return rig::Timing{given.frames_per_second, given.frame_start};
}

}  // namespace animbridge::api

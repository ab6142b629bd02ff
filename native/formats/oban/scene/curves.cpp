// SPDX-License-Identifier: MIT
#include "formats/oban/scene/scene.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string>

#include "formats/oban/file/file.h"

namespace animbridge::oban::scene {

namespace {

template <std::size_t Width>
rig::curves::BoneCurves component_curves(rig::armature::BoneChannel channel, const std::vector<float>& frames,
                                         const std::vector<play::ObjectKey>& keys,
                                         std::array<float, Width> play::ObjectKey::*part) {
    rig::curves::BoneCurves curves{rig::curves::no_bone, channel, {}, {}};
    curves.points.resize(Width);
    for (std::size_t c = 0; c < Width; ++c) {
        curves.points[c].reserve(2 * keys.size());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            curves.points[c].push_back(frames[i]);
            curves.points[c].push_back((keys[i].*part).at(c));
        }
    }
    return curves;
}

Result<void> require_finite(const std::vector<play::ObjectKey>& keys) {
    const auto is_number = [](float number) { return std::isfinite(number); };
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (!std::all_of(keys[i].location.begin(), keys[i].location.end(), is_number) ||
            !std::all_of(keys[i].rotation.begin(), keys[i].rotation.end(), is_number)) {
            Error error{ErrorCode::bad_value, "is too far out for a scene in Blender"};
            error.field = "keys[" + std::to_string(i) + "]";
            return tl::unexpected<Error>(std::move(error));
        }
    }
    return {};
}

Json warnings_json(const std::vector<float>& frames) {
    Json warnings = Json::array();
    std::size_t met = 0;
    for (std::size_t i = 1; i < frames.size(); ++i) {
        met += frames[i] - frames[i - 1] < rig::curves::merge_distance_frames ? 1U : 0U;
    }
    if (met > 0) {
        warnings.push_back(std::to_string(met) +
                           " keys are so close to the one before that Blender may merge the two");
    }
    return warnings;
}

}  // namespace

std::vector<play::ObjectKey> object_keys(const file::Record& record, const play::Space& space) {
    std::vector<play::ObjectKey> keys;
    keys.reserve(record.keys.size());
    bool negated = false;
    for (std::size_t i = 0; i < record.keys.size(); ++i) {
        if (i > 0 && glm::dot(play::standard_rotation(record.keys[i - 1]),
                              play::standard_rotation(record.keys[i])) < 0.0) {
            negated = !negated;
        }
        play::ObjectKey& key = keys.emplace_back(play::object_key(space, record.keys[i]));
        if (negated) {
            std::transform(key.rotation.begin(), key.rotation.end(), key.rotation.begin(), std::negate<>());
        }
    }
    return keys;
}

void put_base(Json& report, const play::Affine& object_base) {
    const glm::dmat3& m = object_base.linear;
    const glm::dvec3& place = object_base.place;
    const bool is_diagonal = place == glm::dvec3(0.0) && m[0][1] == 0.0 && m[0][2] == 0.0 && m[1][0] == 0.0 &&
                             m[1][2] == 0.0 && m[2][0] == 0.0 && m[2][1] == 0.0;
    const bool is_scale = is_diagonal && m[0][0] > 0.0 && m[1][1] > 0.0 && m[2][2] > 0.0;
    report["base"] = is_scale ? (m == glm::dmat3(1.0) ? "none" : "scale") : "matrix";
    report["base_scale"] = is_scale ? Json{m[0][0], m[1][1], m[2][2]} : Json(nullptr);
    Json& numbers = report["base_matrix"] = Json::array();
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 3; ++row) {
            // + 0.0 turns -0 into 0, because the sign means nothing here.
            numbers.push_back((column == 3 ? place[row] : m[column][row]) + 0.0);
        }
        numbers.push_back(column == 3 ? 1.0 : 0.0);
    }
}

Result<Curves> to_curves(const file::Document& document, const rig::curves::Timing& timing,
                         const play::Space& space) {
    const file::Record& record = document.record;
    TRY_VOID(play::require_playable(record));
    const std::vector<play::ObjectKey> keys = object_keys(record, space);
    TRY_VOID(require_finite(keys));
    std::vector<float> frames;
    frames.reserve(keys.size());
    std::transform(record.keys.begin(), record.keys.end(), std::back_inserter(frames),
                   [&](const file::Key& key) { return static_cast<float>(scene_frame(timing, key.time)); });
    Curves made;
    made.curves.push_back(
        component_curves(rig::armature::BoneChannel::location, frames, keys, &play::ObjectKey::location));
    made.curves.push_back(
        component_curves(rig::armature::BoneChannel::quaternion, frames, keys, &play::ObjectKey::rotation));
    const double last = play::Player(record).last_frame();
    made.report = {{"frame_end", scene_frame(timing, last)},
                   {"duration_seconds", last / file::frames_per_second}};
    put_base(made.report,
             space.object_base({play::linear_part(record.base), play::translation_of(record.base)}));
    made.report.update(
        {{"flags", file::flag_names_json(record.flags)},
         {"flags_value", record.flags},
         {"frame_length", record.frame_length},
         {"frame_count", record.frame_count},
         {"half_stop_frame", record.half_stop_frame},
         {"half_stop_scene_frame",
          record.half_stop_frame == 0 ? Json(nullptr) : Json(scene_frame(timing, record.half_stop_frame))},
         {"name", json_text(document.name)},
         {"keys", record.keys.size()},
         {"warnings", warnings_json(frames)}});
    return made;
}

namespace {

/// The parts of a matrix that no rotation changes.
struct Stretch {
    glm::dvec3 scale{1.0};    ///< lengths of the transformed axes
    glm::dvec3 cosines{0.0};  ///< between Y and Z, Z and X, X and Y
    bool is_mirrored = false;
};

double length_of(const glm::dvec3& v) { return std::sqrt(glm::dot(v, v)); }

Stretch stretch_of(const glm::dmat3& m) {
    const glm::dvec3 scale(length_of(m[0]), length_of(m[1]), length_of(m[2]));
    const auto cosine = [&](int a, int b) { return glm::dot(m[a] / scale[a], m[b] / scale[b]); };
    return {scale, {cosine(1, 2), cosine(2, 0), cosine(0, 1)}, glm::determinant(m) < 0.0};
}

bool same_scale(const Stretch& a, const Stretch& b, double tolerance) {
    bool same = true;
    for (int i = 0; i < 3; ++i) {
        same = same && std::abs(a.scale[i] - b.scale[i]) <= tolerance * b.scale[i];
    }
    return same;
}

bool same_shear(const Stretch& a, const Stretch& b, double tolerance) {
    bool same = true;
    for (int i = 0; i < 3; ++i) {
        same = same && std::abs(a.cosines[i] - b.cosines[i]) <= tolerance;
    }
    return same;
}

std::string short_text(double value) {
    std::array<char, 32> text{};
    const auto written =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6);
    return {text.data(), written.ptr};
}

std::string listed_numbers(const glm::dvec3& v) {
    return short_text(v.x) + ", " + short_text(v.y) + ", " + short_text(v.z);
}

tl::unexpected<Error> frame_error(const char* field, std::size_t frame, const std::string& found) {
    Error error{ErrorCode::bad_value, "at frame " + std::to_string(frame) + " of the file " + found};
    error.field = field;
    return tl::unexpected<Error>(std::move(error));
}

std::string no_number_in(const play::Affine& frame) {
    for (int column = 0; column < 4; ++column) {
        const glm::dvec3& v = column < 3 ? frame.linear[column] : frame.place;
        for (int row = 0; row < 3; ++row) {
            if (!std::isfinite(v[row])) {
                return short_text(v[row]) + "; allowed are numbers";
            }
        }
    }
    return {};
}

/// Requires a matrix with three independent directions. The volume below is that of the transformed unit
/// cube, without scale.
Result<void> require_volume(const play::Affine& frame, std::size_t index) {
    constexpr double smallest_volume = 1e-4;
    constexpr double smallest_scale = 1e-20;
    if (const std::string found = no_number_in(frame); !found.empty()) {
        return frame_error("matrix", index, "holds " + found);
    }
    const glm::dmat3& m = frame.linear;
    const glm::dvec3 scale(length_of(m[0]), length_of(m[1]), length_of(m[2]));
    if (!(std::min({scale.x, scale.y, scale.z}) > smallest_scale)) {
        return frame_error("scale", index,
                           "is " + listed_numbers(scale) + ": what is flat has no rotation; no 0 is allowed");
    }
    const glm::dmat3 axes(m[0] / scale.x, m[1] / scale.y, m[2] / scale.z);
    if (!(std::abs(glm::determinant(axes)) > smallest_volume)) {
        return frame_error("shear", index, "is so strong that the object is flat, which has no rotation");
    }
    return {};
}

Result<void> require_same(const Stretch& now, const Stretch& first, std::size_t index) {
    constexpr const char* advice = "; an OBAN animates place and rotation only, so it must not change";
    if (now.is_mirrored != first.is_mirrored) {
        return frame_error("mirroring", index,
                           std::string(now.is_mirrored ? "begins" : "ends") + ", unlike at frame 0" + advice);
    }
    if (!same_scale(now, first, constant_tolerance)) {
        return frame_error(
            "scale", index,
            "is " + listed_numbers(now.scale) + " and at frame 0 " + listed_numbers(first.scale) + advice);
    }
    if (!same_shear(now, first, constant_tolerance)) {
        return frame_error("shear", index,
                           "is " + listed_numbers(now.cosines) + " and at frame 0 " +
                               listed_numbers(first.cosines) + " (cosines between the axes)" + advice);
    }
    return {};
}

/// The square root of a symmetric positive matrix, by Jacobi rotations until it is diagonal.
glm::dmat3 root_of(glm::dmat3 symmetric) {
    constexpr int most_sweeps = 32;  // each sweep about squares the remaining off-diagonal elements
    glm::dmat3 axes(1.0);
    for (int step = 0; step < 3 * most_sweeps; ++step) {
        const int p = step % 3;
        const int q = (step + 1) % 3;
        const double off = symmetric[p][q];
        if (off == 0.0) {
            continue;
        }
        const double ratio = (symmetric[q][q] - symmetric[p][p]) / (2.0 * off);
        const double tangent =
            (ratio < 0.0 ? -1.0 : 1.0) / (std::abs(ratio) + std::sqrt(ratio * ratio + 1.0));
        const double cosine = 1.0 / std::sqrt(tangent * tangent + 1.0);
        glm::dmat3 rotation(1.0);
        rotation[p][p] = rotation[q][q] = cosine;
        rotation[q][p] = tangent * cosine;
        rotation[p][q] = -tangent * cosine;
        symmetric = glm::transpose(rotation) * symmetric * rotation;
        axes = axes * rotation;
    }
    glm::dmat3 roots(0.0);
    for (int i = 0; i < 3; ++i) {
        roots[i][i] = std::sqrt(std::max(symmetric[i][i], 0.0));
    }
    return axes * roots * glm::transpose(axes);
}

/// Undoes float rounding of a number that was meant to be 1 or round.
double rounded(double value) {
    const double step = std::pow(10.0, std::floor(std::log10(value)) - 5.0);
    const double round = std::round(value / step) * step;
    return std::abs(value - 1.0) <= same_base_tolerance                   ? 1.0
           : std::abs(round - value) <= 0.1 * same_base_tolerance * value ? round
                                                                          : value;
}

/// Makes the matrix diagonal if the other elements are only noise.
void clean(glm::dmat3& stretch) {
    const auto off = [&](int a, int b) {
        return std::abs(stretch[a][b]) <= same_base_tolerance * std::min(stretch[a][a], stretch[b][b]);
    };
    if (!off(0, 1) || !off(1, 2) || !off(0, 2)) {
        return;
    }
    glm::dvec3 scale(stretch[0][0], stretch[1][1], stretch[2][2]);
    const double mean = (scale.x + scale.y + scale.z) / 3.0;
    const auto is_mean = [&](double value) { return std::abs(value - mean) <= same_base_tolerance * mean; };
    const bool is_uniform = is_mean(scale.x) && is_mean(scale.y) && is_mean(scale.z);
    stretch = glm::dmat3(0.0);
    for (int i = 0; i < 3; ++i) {
        stretch[i][i] = rounded(is_uniform ? mean : scale[i]);
    }
}

}  // namespace

Result<play::Affine> constant_base(std::span<const play::Affine> frames,
                                   const std::optional<play::Affine>& template_base) {
    glm::dmat3 products(0.0);
    Stretch first;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        TRY_VOID(require_volume(frames[i], i));
        const Stretch now = stretch_of(frames[i].linear);
        first = i == 0 ? now : first;
        TRY_VOID(require_same(now, first, i));
        products += glm::transpose(frames[i].linear) * frames[i].linear;
    }
    play::Affine base{root_of(products / static_cast<double>(frames.size())), glm::dvec3(0.0)};
    if (template_base && require_volume(*template_base, 0)) {
        const Stretch before = stretch_of(template_base->linear);
        const Stretch now = stretch_of(base.linear);
        if (before.is_mirrored == first.is_mirrored && same_scale(now, before, same_base_tolerance) &&
            same_shear(now, before, same_base_tolerance)) {
            return *template_base;
        }
    }
    clean(base.linear);
    if (first.is_mirrored) {
        for (int column = 0; column < 3; ++column) {
            base.linear[column][0] = -base.linear[column][0];
        }
    }
    return base;
}

glm::dquat rotation_before(const glm::dmat3& linear, const glm::dmat3& base_inverse) {
    // Apart from noise, the rest is a rotation. Newton steps find the nearest one; each squares the noise.
    glm::dmat3 rotation = linear * base_inverse;
    for (int step = 0; step < 3; ++step) {
        rotation = (rotation + glm::transpose(glm::inverse(rotation))) * 0.5;
    }
    return glm::normalize(glm::quat_cast(rotation));
}

}  // namespace animbridge::oban::scene

// SPDX-License-Identifier: MIT
#include "formats/scene_file/file/file.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <iterator>

namespace animbridge::scene_file::file {

namespace {

constexpr std::size_t most_texts = 100;

bool all_finite(std::span<const double> row) {
    return std::ranges::all_of(row, [](double value) { return std::isfinite(value); });
}

/// Scales a rotation to unit length; false if it has none.
bool make_unit(std::span<double> row) {
    const double square = row[0] * row[0] + row[1] * row[1] + row[2] * row[2] + row[3] * row[3];
    // Beyond these, squares lose digits or are not finite.
    constexpr double smallest = 1e-200;
    constexpr double largest = 1e200;
    const double length = square > smallest && square < largest
                              ? std::sqrt(square)
                              : std::hypot(std::hypot(row[0], row[1]), std::hypot(row[2], row[3]));
    if (!(length > 1e-12)) {
        return false;
    }
    for (double& value : row) {
        value /= length;
    }
    return true;
}

double dot(std::span<const double> a, std::span<const double> b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/// Moves the kept keys of a channel to its front, one by one.
class Cleaner {
public:
    explicit Cleaner(Channel& channel)
        : target_(channel.target),
          kind_(channel.kind),
          width_(width_of(channel.target)),
          times_(channel.times_seconds),
          values_(channel.values.edit()),
          tangents_(channel.tangents.edit()) {}

    LeftOutKeys run() {
        const std::size_t count = times_.size();
        const bool has_tangents = !tangents_.empty();
        for (std::size_t key = 0; key < count; ++key) {
            take(key, has_tangents);
        }
        if (kept_ < count) {
            times_.edit().resize(kept_);
        }
        values_.resize(kept_ * width_);
        tangents_.resize(has_tangents ? kept_ * 2 * width_ : 0);
        return left_out_;
    }

private:
    void take(std::size_t key, bool has_tangents) {
        const double time = times_[key];
        const std::span<double> row = rows_at(values_, key, width_);
        const std::span<double> tangents =
            has_tangents ? rows_at(tangents_, key, 2 * width_) : std::span<double>();
        if (!std::isfinite(time) || !all_finite(row) || !all_finite(tangents)) {
            ++left_out_.bad_numbers;
            return;
        }
        if (kept_ > 0 && time <= times_[kept_ - 1]) {
            ++left_out_.out_of_order;
            return;
        }
        if (target_ == Target::rotation) {
            if (!make_unit(row)) {
                ++left_out_.zero_length;
                return;
            }
            keep_sign(row);
        }
        if (kept_ != key) {  // else nothing moves, and the times stay shared
            times_.edit()[kept_] = time;
            std::ranges::copy(row, rows_at(values_, kept_, width_).begin());
            std::ranges::copy(tangents,
                              tangents_.begin() + static_cast<std::ptrdiff_t>(kept_ * tangents.size()));
        }
        ++kept_;
    }

    static std::span<double> rows_at(std::vector<double>& numbers, std::size_t key, std::size_t width) {
        return std::span(numbers).subspan(key * width, width);
    }

    /// The one of q and -q that is nearer to the last key. A cubic curve uses the numbers unchanged.
    void keep_sign(std::span<double> row) {
        if (kind_ != KeyKind::cubic && kept_ > 0 && dot(row, rows_at(values_, kept_ - 1, width_)) < 0) {
            std::ranges::transform(row, row.begin(), [](double value) { return -value; });
        }
    }

    Target target_;
    KeyKind kind_;
    std::size_t width_;
    SharedNumbers& times_;
    std::vector<double>& values_;
    std::vector<double>& tangents_;
    LeftOutKeys left_out_{};
    std::size_t kept_ = 0;
};

}  // namespace

void Notes::say(std::string sentence) { say(NoteKind::other, std::move(sentence)); }

void Notes::say(NoteKind kind, std::string detail) {
    const bool is_known = std::ranges::any_of(
        texts_, [&](const Note& note) { return note.kind == kind && note.text == detail; });
    if (!is_known && texts_.size() < most_texts) {
        texts_.push_back({kind, {}, 1, std::move(detail)});
    }
}

std::vector<Note> Notes::take() {
    std::vector<Note> result;
    for (const auto& [what, count] : counts_) {
        result.push_back({what.first, what.second, count, {}});
    }
    std::ranges::move(texts_, std::back_inserter(result));
    counts_.clear();
    texts_.clear();
    return result;
}

LeftOutKeys clean_keys(Channel& channel) { return Cleaner(channel).run(); }

void AnimationMaker::add(Channel channel) {
    const LeftOutKeys left_out = clean_keys(channel);
    add_clean(std::move(channel), left_out);
}

void AnimationMaker::add_clean(Channel channel, const LeftOutKeys& left_out) {
    notes_.add(NoteKind::bad_number, channel.node, left_out.bad_numbers);
    notes_.add(NoteKind::key_order, channel.node, left_out.out_of_order);
    notes_.add(NoteKind::zero_length, channel.node, left_out.zero_length);
    if (channel.times_seconds.empty()) {
        return;
    }
    if (!seen_.emplace(channel.node, channel.target).second) {
        notes_.say("Animation \"" + animation_.name +
                   "\" moves a node twice in the same way. The first of the two is read.");
        return;
    }
    animation_.duration_seconds = std::max(animation_.duration_seconds, channel.times_seconds.back());
    animation_.channels.push_back(std::move(channel));
}

namespace {

// Matrices of files are floats, mostly products of several: three axes are perpendicular to that precision.
constexpr double shear_cosine = 1e-4;

bool all_finite(const glm::dmat4& matrix) {
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) {
            if (!std::isfinite(matrix[column][row])) {
                return false;
            }
        }
    }
    return true;
}

/// The nearest rotation for columns x, y, z: Gram-Schmidt, and always right-handed.
glm::dmat3 rotation_from(const glm::dvec3& x, const glm::dvec3& y) {
    const glm::dvec3 first = glm::normalize(x);
    const glm::dvec3 second = glm::normalize(y - glm::dot(first, y) * first);
    return {first, second, glm::cross(first, second)};
}

}  // namespace

Decomposed decompose(const glm::dmat4& matrix) {
    Decomposed result;
    if (!all_finite(matrix)) {
        result.is_finite = false;
        return result;
    }
    result.placement.translation = glm::dvec3(matrix[3]);
    const glm::dmat3 linear(matrix);
    glm::dvec3 scale(glm::length(linear[0]), glm::length(linear[1]), glm::length(linear[2]));
    const double volume = glm::determinant(linear);
    if (!std::isfinite(volume) || !std::isfinite(scale.x + scale.y + scale.z)) {  // too large to square
        result.placement = {};
        result.is_finite = false;
        return result;
    }
    if (!(scale.x > 0 && scale.y > 0 && scale.z > 0) || volume == 0) {
        result.has_volume = false;
        result.placement.scale = scale;
        return result;
    }
    if (volume < 0) {
        scale.x = -scale.x;
    }
    const glm::dvec3 x = linear[0] / scale.x;
    const glm::dvec3 y = linear[1] / scale.y;
    const glm::dvec3 z = linear[2] / scale.z;
    result.shears = std::abs(glm::dot(x, y)) > shear_cosine || std::abs(glm::dot(x, z)) > shear_cosine ||
                    std::abs(glm::dot(y, z)) > shear_cosine;
    result.placement.scale = scale;
    const glm::dquat rotation = glm::normalize(glm::quat_cast(rotation_from(x, y)));
    // Two axes that are equal except for rounding do not define a third.
    result.has_volume = std::abs(glm::dot(rotation, rotation) - 1) < 1e-6;
    if (result.has_volume) {
        result.placement.rotation = rotation;
    }
    return result;
}

glm::dmat4 matrix_of(const Placement& placement) {
    const glm::dmat3 rotation = glm::mat3_cast(placement.rotation);
    return {glm::dvec4(rotation[0] * placement.scale.x, 0), glm::dvec4(rotation[1] * placement.scale.y, 0),
            glm::dvec4(rotation[2] * placement.scale.z, 0), glm::dvec4(placement.translation, 1)};
}

}  // namespace animbridge::scene_file::file

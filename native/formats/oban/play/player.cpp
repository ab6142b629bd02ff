// SPDX-License-Identifier: MIT
#include "formats/oban/play/play.h"

#include <algorithm>
#include <glm/geometric.hpp>

#include "model/clip/clip.h"

namespace animbridge::oban::play {

namespace {

tl::unexpected<Error> unplayable(std::string field, std::string reason) {
    return fail(ErrorCode::rejected, std::move(reason), std::move(field));
}

template <std::size_t Count>
Result<void> require_numbers(const std::array<RawFloat, Count>& numbers, std::string field) {
    const auto found = std::ranges::find_if(numbers, [](RawFloat number) { return !number.is_finite(); });
    if (found == numbers.end()) {
        return {};
    }
    const float value = found->value();
    const char* const shown = std::isnan(value) ? "nan" : value < 0.0F ? "-inf" : "inf";
    return unplayable(std::move(field),
                      std::string("is ") + shown + ", so nothing can be shown; allowed are finite numbers");
}

Result<void> require_playable_key(const file::Record& record, std::size_t index) {
    const file::Key& key = record.keys[index];
    const auto field = [&](const char* part) { return "keys[" + std::to_string(index) + "]." + part; };
    auto numbers = require_numbers(key.rotation, field("rotation")).and_then([&] {
        return require_numbers(key.position, field("position"));
    });
    if (!numbers) {
        return numbers;
    }
    if (std::ranges::all_of(key.rotation, [](RawFloat number) { return number.value() == 0.0F; })) {
        return unplayable(field("rotation"), "is 0, 0, 0, 0, which is not a rotation; allowed is any other");
    }
    if (index > 0 && key.time <= record.keys[index - 1].time) {
        return unplayable(field("time"), "is " + std::to_string(key.time) + " after a key at " +
                                             std::to_string(record.keys[index - 1].time) +
                                             "; times must ascend");
    }
    return {};
}

/// The remainder with the divisor's sign, so that times before 0 loop too.
double wrapped(double value, double period) {
    const double rest = std::fmod(value, period);
    return rest < 0.0 ? rest + period : rest;
}

}  // namespace

glm::dquat normalised(const glm::dquat& q) {
    const double length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return {q.w / length, q.x / length, q.y / length, q.z / length};
}

Pose blend(const file::Key& a, const file::Key& b, double fraction) {
    const glm::dquat here = standard_rotation(a);
    const glm::dquat there = standard_rotation(b);
    const double dot = here.x * there.x + here.y * there.y + here.z * there.z + here.w * there.w;
    const double rest = 1.0 - fraction;
    const double share = dot < 0.0 ? -fraction : fraction;
    return {normalised({rest * here.w + share * there.w, rest * here.x + share * there.x,
                        rest * here.y + share * there.y, rest * here.z + share * there.z}),
            position_of(a) * rest + position_of(b) * fraction};
}

glm::dmat3 linear_part(const file::Matrix& matrix) {
    glm::dmat3 linear;
    for (int column = 0; column < 3; ++column) {
        for (int row = 0; row < 3; ++row) {
            linear[column][row] =
                matrix.at(3 * static_cast<std::size_t>(column) + static_cast<std::size_t>(row)).value();
        }
    }
    return linear;
}

glm::dvec3 translation_of(const file::Matrix& matrix) {
    return {matrix[9].value(), matrix[10].value(), matrix[11].value()};
}

file::Matrix matrix_from(const glm::dmat3& linear, const glm::dvec3& translation) {
    file::Matrix matrix{};
    for (int column = 0; column < 4; ++column) {
        const glm::dvec3& image = column == 3 ? translation : linear[column];
        for (int row = 0; row < 3; ++row) {
            matrix.at(3 * static_cast<std::size_t>(column) + static_cast<std::size_t>(row)) =
                RawFloat(static_cast<float>(image[row]));
        }
    }
    return matrix;
}

Result<void> require_playable(const file::Record& record) {
    if (record.keys.empty()) {
        return unplayable("keys", "are none: there is nothing to show; allowed are 1 to 32767");
    }
    if (record.keys.size() > file::max_keys) {
        return unplayable("keys",
                          "are " + std::to_string(record.keys.size()) + "; no more than 32767 are allowed");
    }
    if (record.frame_count > file::max_frames) {
        return unplayable("frame_count",
                          "is " + std::to_string(record.frame_count) + "; no more than 32767 are allowed");
    }
    TRY_VOID(require_numbers(record.base, "base_transform"));
    for (std::size_t index = 0; index < record.keys.size(); ++index) {
        TRY_VOID(require_playable_key(record, index));
    }
    return {};
}

Player::Player(const file::Record& record)
    : record_(&record),
      last_frame_(record.frame_count > 0 ? record.frame_count - 1.0 : 0.0),
      base_linear_(linear_part(record.base)),
      base_translation_(translation_of(record.base)) {}

Pose Player::pose(double frame) const {
    const double held = std::min(std::max(frame, 0.0), last_frame_);
    const auto& keys = record_->keys;
    const auto after = std::ranges::upper_bound(keys, held, {}, &file::Key::time);
    const auto at_key = [](const file::Key& key) {
        return Pose{normalised(standard_rotation(key)), position_of(key)};
    };
    if (after == keys.begin()) {
        return at_key(keys.front());
    }
    const file::Key& before = *(after - 1);
    const double start = before.time;
    if (after == keys.end() || start == held) {
        return at_key(before);
    }
    return blend(before, *after, (held - start) / (static_cast<double>(after->time) - start));
}

glm::dmat4 Player::transform(double frame) const {
    const Pose now = pose(frame);
    const glm::dmat3 rotation = glm::mat3_cast(now.rotation);
    glm::dmat4 matrix(rotation * base_linear_);
    matrix[3] = glm::dvec4(rotation * base_translation_ + now.position, 1.0);
    return matrix;
}

double Player::looped_frame(double frames) const {
    if ((record_->flags & file::back_to_back_loop) != 0) {
        if (last_frame_ == 0.0) {
            return 0.0;
        }
        const double phase = wrapped(frames, 2.0 * last_frame_);
        return phase <= last_frame_ ? phase : 2.0 * last_frame_ - phase;
    }
    if ((record_->flags & file::normal_loop) != 0) {
        return std::min(wrapped(frames, last_frame_ + 1.0), last_frame_);
    }
    return std::min(std::max(frames, 0.0), last_frame_);
}

namespace {

constexpr double millimetres_per_unit = 1000.0 * file::metres_per_unit;

/// The matrix's rotation: keeps X, makes Y orthogonal to it, and undoes a mirrored Z. If the vertices
/// coincide, there is no rotation.
glm::dquat direction_of(const glm::dmat4& matrix) {
    const glm::dvec3 x(matrix[0]);
    const glm::dvec3 y(matrix[1]);
    const glm::dvec3 z = glm::cross(x, y);
    const double x_length = glm::length(x);
    const double z_length = glm::length(z);
    if (!(x_length > 0.0) || !(z_length > 0.0)) {
        return {1, 0, 0, 0};
    }
    const glm::dvec3 first = x / x_length;
    const glm::dvec3 third = z / z_length;
    return glm::normalize(glm::quat_cast(glm::dmat3(first, glm::cross(third, first), third)));
}

double linear_difference(const glm::dmat4& a, const glm::dmat4& b) {
    double largest = 0;
    for (int column = 0; column < 3; ++column) {
        for (int row = 0; row < 3; ++row) {
            largest = std::max(largest, std::fabs(a[column][row] - b[column][row]));
        }
    }
    return largest;
}

std::vector<std::string_view> differing_fields(const file::Record& a, const file::Record& b) {
    std::vector<std::string_view> fields;
    const auto add = [&](bool differs, std::string_view name) {
        if (differs) {
            fields.push_back(name);
        }
    };
    add(a.flags != b.flags, "flags");
    add(a.frame_length != b.frame_length, "frame_length");
    add(a.frame_count != b.frame_count, "frame_count");
    add(a.half_stop_frame != b.half_stop_frame, "half_stop_frame");
    add(a.initial != b.initial, "initial_transform");
    add(a.base != b.base, "base_transform");
    return fields;
}

}  // namespace

Result<Difference> compare(const file::Record& a, const file::Record& b, const Job& job) {
    for (const file::Record* record : {&a, &b}) {
        TRY_VOID(require_playable(*record));
    }
    const Player player_a(a);
    const Player player_b(b);
    const auto last = static_cast<std::size_t>(std::max(player_a.last_frame(), player_b.last_frame()));
    Difference difference;
    difference.pose.joint = "object";
    difference.times = 2 * last + 1;
    difference.fields = differing_fields(a, b);
    SpreadCounter counted;
    for (std::size_t i = 0; i < difference.times; ++i) {
        constexpr std::size_t reported_every = 1024;
        if (i % reported_every == 0) {
            const double done = static_cast<double>(i) / static_cast<double>(difference.times);
            TRY_VOID(job.report(done));
        }
        const double frame = static_cast<double>(i) / 2.0;
        const glm::dmat4 first = player_a.transform(frame);
        const glm::dmat4 second = player_b.transform(frame);
        const double millimetres =
            millimetres_per_unit * glm::length(glm::dvec3(first[3]) - glm::dvec3(second[3]));
        const double degrees = angle_between_degrees(direction_of(first), direction_of(second));
        difference.pose.widen(millimetres, degrees, frame / file::frames_per_second);
        counted.add(millimetres, degrees);
        difference.largest_linear = std::max(difference.largest_linear, linear_difference(first, second));
    }
    difference.spread = counted.spreads(Comparison{{difference.pose}, {}, {}}.worst(), 1, difference.times);
    return difference;
}

}  // namespace animbridge::oban::play

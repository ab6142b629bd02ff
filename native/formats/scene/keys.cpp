// SPDX-License-Identifier: MIT
#include "formats/scene/keys.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>

namespace animbridge::scene {

namespace {

constexpr std::size_t most_texts = 100;

bool all_finite(std::span<const double> row) {
    return std::ranges::all_of(row, [](double value) { return std::isfinite(value); });
}

/// Scales a rotation to unit length; false: it has none.
bool make_unit(std::span<double> row) {
    const double square = row[0] * row[0] + row[1] * row[1] + row[2] * row[2] + row[3] * row[3];
    // Beyond them, squares lose digits or are not finite.
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

/// Moves the keys of a channel that stay to its front, one by one.
class Cleaner {
public:
    Cleaner(Channel& channel, Notes& notes)
        : channel_(channel), notes_(notes), width_(width_of(channel.target)) {}

    void run() {
        const std::size_t count = channel_.times_seconds.size();
        const bool has_tangents = !channel_.tangents.empty();
        for (std::size_t key = 0; key < count; ++key) {
            take(key, has_tangents);
        }
        channel_.times_seconds.resize(kept_);
        channel_.values.resize(kept_ * width_);
        channel_.tangents.resize(has_tangents ? kept_ * 2 * width_ : 0);
    }

private:
    void take(std::size_t key, bool has_tangents) {
        const double time = channel_.times_seconds[key];
        const std::span<double> row = rows_at(channel_.values, key, width_);
        const std::span<double> tangents =
            has_tangents ? rows_at(channel_.tangents, key, 2 * width_) : std::span<double>();
        if (!std::isfinite(time) || !all_finite(row) || !all_finite(tangents)) {
            return notes_.add(NoteKind::bad_number, channel_.node);
        }
        if (kept_ > 0 && time <= channel_.times_seconds[kept_ - 1]) {
            return notes_.add(NoteKind::key_order, channel_.node);
        }
        if (channel_.target == Target::rotation) {
            if (!make_unit(row)) {
                return notes_.add(NoteKind::zero_length, channel_.node);
            }
            keep_sign(row);
        }
        channel_.times_seconds[kept_] = time;
        if (kept_ != key) {
            std::ranges::copy(row, rows_at(channel_.values, kept_, width_).begin());
            std::ranges::copy(
                tangents, channel_.tangents.begin() + static_cast<std::ptrdiff_t>(kept_ * tangents.size()));
        }
        ++kept_;
    }

    static std::span<double> rows_at(std::vector<double>& numbers, std::size_t key, std::size_t width) {
        return std::span(numbers).subspan(key * width, width);
    }

    /// Of q and -q the one that is nearer to the key before. A cubic curve runs through the numbers as they
    /// are.
    void keep_sign(std::span<double> row) {
        if (channel_.kind != KeyKind::cubic && kept_ > 0 &&
            dot(row, rows_at(channel_.values, kept_ - 1, width_)) < 0) {
            std::ranges::transform(row, row.begin(), [](double value) { return -value; });
        }
    }

    Channel& channel_;
    Notes& notes_;
    std::size_t width_;
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

void AnimationMaker::add(Channel channel) {
    Cleaner(channel, notes_).run();
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

}  // namespace animbridge::scene

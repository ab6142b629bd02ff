// SPDX-License-Identifier: MIT
#include "scene_child/keys.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>

namespace animbridge::scene_child {

namespace {

using scene::NoteKind;

constexpr std::size_t most_texts = 100;

bool all_finite(std::span<const double> row) {
    return std::ranges::all_of(row, [](double value) { return std::isfinite(value); });
}

/// Scales a rotation to unit length; false: it has none.
bool make_unit(std::span<double> row) {
    const double length = std::hypot(std::hypot(row[0], row[1]), std::hypot(row[2], row[3]));
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

/// Takes the keys of a channel one by one.
class Cleaner {
public:
    Cleaner(scene::Channel& from, Notes& notes) : from_(from), notes_(notes), width_(width_of(from.target)) {
        to_.node = from.node;
        to_.target = from.target;
        to_.kind = from.kind;
        to_.times_seconds.reserve(from.times_seconds.size());
        to_.values.reserve(from.values.size());
        to_.tangents.reserve(from.tangents.size());
    }

    scene::Channel run() {
        for (std::size_t key = 0; key < from_.times_seconds.size(); ++key) {
            take(key);
        }
        return std::move(to_);
    }

private:
    void take(std::size_t key) {
        const double time = from_.times_seconds[key];
        const std::span<double> row = std::span(from_.values).subspan(key * width_, width_);
        std::span<double> tangents;
        if (!from_.tangents.empty()) {
            tangents = std::span(from_.tangents).subspan(key * 2 * width_, 2 * width_);
        }
        if (!std::isfinite(time) || !all_finite(row) || !all_finite(tangents)) {
            return notes_.add(NoteKind::bad_number, from_.node);
        }
        if (!to_.times_seconds.empty() && time <= to_.times_seconds.back()) {
            return notes_.add(NoteKind::key_order, from_.node);
        }
        if (from_.target == scene::Target::rotation) {
            if (!make_unit(row)) {
                return notes_.add(NoteKind::zero_length, from_.node);
            }
            keep_sign(row);
        }
        to_.times_seconds.push_back(time);
        to_.values.insert(to_.values.end(), row.begin(), row.end());
        to_.tangents.insert(to_.tangents.end(), tangents.begin(), tangents.end());
    }

    /// Of q and -q the one that is nearer to the key before. A cubic curve runs through the numbers as they
    /// are.
    void keep_sign(std::span<double> row) const {
        if (from_.kind != scene::KeyKind::cubic && !to_.values.empty() &&
            dot(row, std::span(to_.values).last(width_)) < 0) {
            std::ranges::transform(row, row.begin(), [](double value) { return -value; });
        }
    }

    scene::Channel& from_;
    Notes& notes_;
    std::size_t width_;
    scene::Channel to_;
};

}  // namespace

void Notes::say(std::string sentence) { say(NoteKind::other, std::move(sentence)); }

void Notes::say(NoteKind kind, std::string detail) {
    const bool is_known = std::ranges::any_of(
        texts_, [&](const scene::Note& note) { return note.kind == kind && note.text == detail; });
    if (!is_known && texts_.size() < most_texts) {
        texts_.push_back({kind, {}, 1, std::move(detail)});
    }
}

std::vector<scene::Note> Notes::take() {
    std::vector<scene::Note> result;
    for (const auto& [what, count] : counts_) {
        result.push_back({what.first, what.second, count, {}});
    }
    std::ranges::move(texts_, std::back_inserter(result));
    counts_.clear();
    texts_.clear();
    return result;
}

void AnimationMaker::add(scene::Channel channel) {
    scene::Channel clean = Cleaner(channel, notes_).run();
    if (clean.times_seconds.empty()) {
        return;
    }
    if (!seen_.emplace(clean.node, clean.target).second) {
        notes_.say("Animation \"" + animation_.name +
                   "\" moves a node twice in the same way. The first of the two is read.");
        return;
    }
    animation_.duration_seconds = std::max(animation_.duration_seconds, clean.times_seconds.back());
    animation_.channels.push_back(std::move(clean));
}

}  // namespace animbridge::scene_child

// SPDX-License-Identifier: MIT
#include "reduce/free_track.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <optional>
#include <queue>
#include <tuple>

namespace animbridge::reduce {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// Opposite rotations add up to nothing.
constexpr double least_length = 1e-12;

/// The value with unit length; `other` if it has no direction.
glm::dvec4 unit_or(const glm::dvec4& value, const glm::dvec4& other) {
    const double length = glm::length(value);
    return length > least_length ? value / length : other;
}

double scale_of(const FreeTrack& track, const glm::dvec4& line) {
    return track.rotates ? std::max(glm::length(line), least_length) : 1.0;
}

/// Larger weights would make the equations of noise too inexact.
constexpr double most_weight = 1e3;

/// A key of a window: its sample, its value, and which unknown it is (none: its value stays).
struct WindowKey {
    std::uint32_t sample = none;
    glm::dvec4 value{};
    std::optional<std::size_t> unknown{};
};

/// The normal equations of two neighbouring keys' values.
struct Equations {
    double left = 0;
    double both = 0;
    double right = 0;
    std::array<glm::dvec4, 2> sums{};

    void add(const WindowKey& a, const WindowKey& b, double share, const glm::dvec4& target, double weight) {
        const double to_a = 1.0 - share;
        glm::dvec4 rest = target;
        if (!a.unknown) {
            rest -= to_a * a.value;
        }
        if (!b.unknown) {
            rest -= share * b.value;
        }
        if (a.unknown) {
            (*a.unknown == 0 ? left : right) += weight * to_a * to_a;
            sums[*a.unknown] += weight * to_a * rest;
        }
        if (b.unknown) {
            (*b.unknown == 0 ? left : right) += weight * share * share;
            sums[*b.unknown] += weight * share * rest;
        }
        if (a.unknown && b.unknown) {
            both += weight * to_a * share;
        }
    }
};

/// What the neighbours' values become if a key goes, and the largest error then, as a share of the tolerance.
struct Dropped {
    std::array<glm::dvec4, 2> values{};
    double error = 0;
};

/// Keys as a list from which any can go, each with the price of dropping it.
class Dropper {
public:
    explicit Dropper(FreeTrack& track)
        : track_(track),
          before_(track.wanted.size(), none),
          after_(track.wanted.size(), none),
          values_(track.wanted.size()),
          prices_(track.wanted.size()),
          versions_(track.wanted.size(), 0) {
        std::uint32_t last = none;
        for (std::size_t k = 0; k < track.keys.size(); ++k) {
            const std::uint32_t key = track.keys[k];
            values_[key] = track.values[k];
            before_[key] = last;
            if (last != none) {
                after_[last] = key;
            }
            last = key;
        }
        for (const std::uint32_t key : track.keys) {
            offer(key);
        }
    }

    void run() {
        while (!offers_.empty()) {
            const Offer offer = offers_.top();
            offers_.pop();
            if (versions_[offer.key] == offer.version) {
                drop(offer.key);
            }
        }
        const std::uint32_t first = track_.keys.front();
        track_.keys.clear();
        track_.values.clear();
        for (std::uint32_t key = first; key != none; key = after_[key]) {
            track_.keys.push_back(key);
            track_.values.push_back(values_[key]);
        }
    }

private:
    struct Offer {
        double price;
        std::uint32_t span;  ///< the samples that are solved for anew: of equal prices, short spans go first
        std::uint32_t key;
        std::uint32_t version;

        bool operator<(const Offer& other) const {
            return std::tie(price, span, key) > std::tie(other.price, other.span, other.key);
        }
    };

    /// Keys that cost nearly nothing go by the length of their spans. Without that, a track that holds still
    /// would be dropped from one end, each time with a longer span.
    static constexpr double least_price = 0.05;

    void drop(std::uint32_t key) {
        const std::uint32_t left = before_[key];
        const std::uint32_t right = after_[key];
        values_[left] = prices_[key].values[0];
        values_[right] = prices_[key].values[1];
        after_[left] = right;
        before_[right] = left;
        ++versions_[key];
        offer(left);
        offer(right);
        if (before_[left] != none) {
            offer(before_[left]);
        }
        if (after_[right] != none) {
            offer(after_[right]);
        }
    }

    void offer(std::uint32_t key) {
        ++versions_[key];
        const std::uint32_t left = before_[key];
        const std::uint32_t right = after_[key];
        if (left == none || right == none) {
            return;
        }
        prices_[key] = without(left, right);
        if (prices_[key].error <= 1.0) {
            const std::uint32_t first = before_[left] == none ? left : before_[left];
            const std::uint32_t last = after_[right] == none ? right : after_[right];
            offers_.push({std::max(prices_[key].error, least_price), last - first, key, versions_[key]});
        }
    }

    /// Joins two keys, and solves for their values.
    Dropped without(std::uint32_t left, std::uint32_t right) {
        std::array<WindowKey, 4> window{};
        std::size_t count = 0;
        const auto put = [&](std::uint32_t key, std::optional<std::size_t> unknown) {
            window[count++] = {key, values_[key], unknown};
        };
        const bool moves_left = before_[left] != none;
        const bool moves_right = after_[right] != none;
        if (moves_left) {
            put(before_[left], std::nullopt);
        }
        const std::size_t at = count;
        put(left, moves_left ? std::optional<std::size_t>(0) : std::nullopt);
        put(right, moves_right ? std::optional<std::size_t>(1) : std::nullopt);
        if (moves_right) {
            put(after_[right], std::nullopt);
        }
        const std::span<WindowKey> keys(window.data(), count);
        const Dropped as_is{{values_[left], values_[right]}, pass(keys, false)};
        if (!solve(keys, at)) {
            return as_is;
        }
        const Dropped solved{{keys[at].value, keys[at + 1].value}, pass(keys, true)};
        return solved.error < as_is.error ? solved : as_is;
    }

    /// The largest error over the window; leaves the errors for the weights of the next solution.
    double pass(std::span<const WindowKey> keys, bool is_last) {
        double largest = 0.0;
        equations_ = {};
        for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
            const WindowKey& a = keys[i];
            const WindowKey& b = keys[i + 1];
            const std::uint32_t end = track_.first_after(b.sample);
            for (std::uint32_t sample = track_.first_after(a.sample); sample < end; ++sample) {
                const double share = track_.share(sample, a.sample, b.sample);
                const glm::dvec4 line = a.value + share * (b.value - a.value);
                const double scale = scale_of(track_, line);
                const double error =
                    glm::length(line / scale - track_.wanted[sample]) * track_.per_tolerance[sample];
                largest = std::max(largest, error);
                if (!is_last) {
                    const double weight = track_.per_tolerance[sample] * track_.per_tolerance[sample];
                    equations_.add(a, b, share, scale * track_.wanted[sample], weight);
                }
            }
        }
        return largest;
    }

    /// Puts the solution into the window; false: there is none.
    bool solve(std::span<WindowKey> keys, std::size_t at) const {
        WindowKey& left = keys[at];
        WindowKey& right = keys[at + 1];
        const Equations& e = equations_;
        glm::dvec4 to_left = left.value;
        glm::dvec4 to_right = right.value;
        if (left.unknown && right.unknown) {
            const double determinant = e.left * e.right - e.both * e.both;
            if (!(determinant > 1e-12 * e.left * e.right)) {
                return false;
            }
            to_left = (e.right * e.sums[0] - e.both * e.sums[1]) / determinant;
            to_right = (e.left * e.sums[1] - e.both * e.sums[0]) / determinant;
        } else if (left.unknown && e.left > 0.0) {
            to_left = e.sums[0] / e.left;
        } else if (right.unknown && e.right > 0.0) {
            to_right = e.sums[1] / e.right;
        } else {
            return false;
        }
        left.value = track_.rotates ? unit_or(to_left, left.value) : to_left;
        right.value = track_.rotates ? unit_or(to_right, right.value) : to_right;
        return true;
    }

    FreeTrack& track_;
    std::vector<std::uint32_t> before_;
    std::vector<std::uint32_t> after_;
    std::vector<glm::dvec4> values_;
    std::vector<Dropped> prices_;
    std::vector<std::uint32_t> versions_;
    std::priority_queue<Offer> offers_;
    Equations equations_;
};

/// Least squares for all values of a track, weighted by the errors of the last solution.
class Settler {
public:
    explicit Settler(FreeTrack& track)
        : track_(track),
          count_(track.keys.size()),
          weights_(track.wanted.size(), 1.0),
          own_(count_),
          next_(count_),
          sums_(count_),
          factors_(count_) {}

    void pass(bool weighs_errors) {
        std::ranges::fill(own_, 0.0);
        std::ranges::fill(next_, 0.0);
        std::ranges::fill(sums_, glm::dvec4(0));
        for (std::size_t k = 0; k + 1 < count_; ++k) {
            add_gap(k, weighs_errors);
        }
        solve();
    }

private:
    /// The equations of the samples between a key and the next one.
    void add_gap(std::size_t k, bool weighs_errors) {
        const std::uint32_t a = track_.keys[k];
        const std::uint32_t b = track_.keys[k + 1];
        const std::uint32_t end = track_.first_after(b);
        for (std::uint32_t sample = track_.first_after(a); sample < end; ++sample) {
            const double share = track_.share(sample, a, b);
            const glm::dvec4 line = track_.values[k] + share * (track_.values[k + 1] - track_.values[k]);
            const double scale = scale_of(track_, line);
            const double inverse = track_.per_tolerance[sample];
            if (weighs_errors) {
                const double error = glm::length(line / scale - track_.wanted[sample]) * inverse;
                weights_[sample] =
                    std::clamp(weights_[sample] * (0.05 + error), 1.0 / most_weight, most_weight);
            }
            const double weight = weights_[sample] * inverse * inverse;
            const glm::dvec4 target = scale * track_.wanted[sample];
            own_[k] += weight * (1.0 - share) * (1.0 - share);
            next_[k] += weight * (1.0 - share) * share;
            own_[k + 1] += weight * share * share;
            sums_[k] += weight * (1.0 - share) * target;
            sums_[k + 1] += weight * share * target;
        }
    }

    /// A tridiagonal system; the ends are given.
    void solve() {
        factors_[0] = 0.0;
        sums_[0] = track_.values[0];
        for (std::size_t k = 1; k + 1 < count_; ++k) {
            const double pivot = own_[k] - next_[k - 1] * factors_[k - 1];
            if (!(pivot > 1e-9 * own_[k])) {
                factors_[k] = 0.0;
                sums_[k] = track_.values[k];
                continue;
            }
            factors_[k] = next_[k] / pivot;
            sums_[k] = (sums_[k] - next_[k - 1] * sums_[k - 1]) / pivot;
        }
        for (std::size_t k = count_ - 1; k-- > 1;) {
            const glm::dvec4 value = sums_[k] - factors_[k] * track_.values[k + 1];
            track_.values[k] = track_.rotates ? unit_or(value, track_.values[k]) : value;
        }
    }

    FreeTrack& track_;
    std::size_t count_;
    std::vector<double> weights_;  ///< per sample
    // The equations, per key.
    std::vector<double> own_;
    std::vector<double> next_;
    std::vector<glm::dvec4> sums_;
    std::vector<double> factors_;
};

}  // namespace

void drop_keys(FreeTrack& track) { Dropper(track).run(); }

void settle_values(FreeTrack& track, int passes) {
    if (track.keys.size() < 3) {
        return;
    }
    Settler settler(track);
    for (int pass = 0; pass < passes; ++pass) {
        settler.pass(pass > 0);
    }
}

std::size_t add_keys(FreeTrack& track, const std::vector<double>& errors, double largest) {
    std::vector<std::uint32_t> keys;
    std::vector<glm::dvec4> values;
    for (std::size_t k = 0; k < track.keys.size(); ++k) {
        keys.push_back(track.keys[k]);
        values.push_back(track.values[k]);
        double most = largest;
        std::uint32_t at = none;
        const std::uint32_t end = k + 1 < track.keys.size() ? track.keys[k + 1] : track.keys[k];
        for (std::uint32_t sample = track.keys[k] + 1; sample < end; ++sample) {
            if (errors[sample] > most) {
                most = errors[sample];
                at = sample;
            }
        }
        if (at != none) {
            keys.push_back(at);
            values.push_back(track.wanted[at]);
        }
    }
    const std::size_t added = keys.size() - track.keys.size();
    track.keys = std::move(keys);
    track.values = std::move(values);
    return added;
}

}  // namespace animbridge::reduce

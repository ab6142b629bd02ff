// SPDX-License-Identifier: MIT
#include "reduce/fit.h"

#include <cmath>

namespace animbridge::reduce {

namespace {

constexpr double step = 4.0;        ///< factor between scales until one fits and one does not
constexpr double precision = 1.02;  ///< of the final scale
constexpr double smallest = 1.0 / 4096.0;
constexpr double largest = 1e12;  ///< under this bound, every key may be dropped

/// Tries scales of the unit bound and keeps the smallest that fits.
class Search {
public:
    Search(const Reducer& reducer, const Bound& unit, std::size_t limit,
           const std::function<std::size_t(const std::vector<Kept>&)>& bytes_of, const Job& job)
        : reducer_(reducer), unit_(unit), limit_(limit), bytes_of_(bytes_of), job_(job) {}

    /// Whether the result fits at this scale. The size is not monotonic in the scale, so the smallest scale
    /// that ever fitted is kept.
    Result<bool> try_scale(double scale) {
        const Bound bound = unit_.scaled(scale);
        const double from = 1.0 - std::pow(0.85, tries_);
        const double to = 1.0 - std::pow(0.85, ++tries_);
        TRY(auto reduced, reducer_.within(bound, job_.part(from, to)));
        last_bytes_ = bytes_of_(reduced.kept);
        if (last_bytes_ > limit_) {
            return false;
        }
        if (!best_ || scale < best_scale_) {
            best_ = Fitted{std::move(reduced), bound, last_bytes_};
            best_scale_ = scale;
        }
        return true;
    }

    [[nodiscard]] std::size_t last_bytes() const { return last_bytes_; }
    [[nodiscard]] Fitted best() && { return std::move(*best_); }

private:
    const Reducer& reducer_;
    Bound unit_;
    std::size_t limit_;
    const std::function<std::size_t(const std::vector<Kept>&)>& bytes_of_;
    const Job& job_;
    int tries_ = 0;
    std::size_t last_bytes_ = 0;
    std::optional<Fitted> best_;
    double best_scale_ = 0;
};

}  // namespace

Result<Fitted> fit(const Reducer& reducer, const Bound& unit, bool at_least_unit, std::size_t limit,
                   const std::function<std::size_t(const std::vector<Kept>&)>& bytes_of, const Job& job) {
    Search search(reducer, unit, limit, bytes_of, job);
    const auto failed = [](Result<bool>& tried) { return fail(std::move(tried.error())); };
    auto fits = search.try_scale(largest);
    if (fits && !*fits) {
        return fail(ErrorCode::rejected, "one key per track takes " + std::to_string(search.last_bytes()) +
                                             " bytes; " + std::to_string(limit) +
                                             " are allowed: animate fewer joints");
    }
    fits = fits ? search.try_scale(1.0) : std::move(fits);
    if (!fits) {
        return failed(fits);
    }
    if (*fits && at_least_unit) {
        return std::move(search).best();
    }
    // Find a scale at which it does not fit (low) and one at which it does (high).
    double low = 1.0;
    double high = 1.0;
    if (*fits) {
        while (fits && *fits && low > smallest) {
            high = low;
            low /= step;
            fits = search.try_scale(low);
        }
    } else {
        while (fits && !*fits && high < largest) {
            low = high;
            high *= step;
            fits = search.try_scale(high);
        }
    }
    if (!fits) {
        return failed(fits);
    }
    const bool at_an_end = *fits ? low <= smallest : high >= largest;
    if (at_an_end) {
        return std::move(search).best();
    }
    while (high > low * precision) {
        const double middle = std::sqrt(low * high);
        fits = search.try_scale(middle);
        if (!fits) {
            return failed(fits);
        }
        (*fits ? high : low) = middle;
    }
    return std::move(search).best();
}

}  // namespace animbridge::reduce

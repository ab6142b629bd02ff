// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "base/result.h"

namespace animbridge {

/// Long work tells how far it is and may be asked to stop.
class Job {
public:
    Job() = default;
    /// `keep_going` gets the fraction done, 0..1, and returns false to cancel.
    explicit Job(std::function<bool(double)> keep_going) : keep_going_(std::move(keep_going)) {}

    /// ErrorCode::cancelled once the caller has had enough.
    [[nodiscard]] Result<void> report(double fraction) const {
        if (keep_going_ && !keep_going_(fraction)) {
            return fail(ErrorCode::cancelled, "cancelled");
        }
        return {};
    }

    /// The job of one stage, whose 0..1 is from..to of this one's.
    [[nodiscard]] Job part(double from, double to) const {
        if (!keep_going_) {
            return {};
        }
        return Job([keep_going = keep_going_, from, to](double fraction) {
            return keep_going(from + (to - from) * fraction);
        });
    }

private:
    std::function<bool(double)> keep_going_;
};

}  // namespace animbridge

// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "base/result.h"

namespace animbridge {

/// Progress and cancellation of a long task.
class Job {
public:
    Job() = default;
    /// `keep_going` gets the fraction done, 0 to 1, and returns false to cancel.
    explicit Job(std::function<bool(double)> keep_going) : keep_going_(std::move(keep_going)) {}

    /// Reports progress. ErrorCode::cancelled if the caller cancels.
    [[nodiscard]] Result<void> report(double fraction) const {
        if (keep_going_ && !keep_going_(fraction)) {
            return fail(ErrorCode::cancelled, "cancelled");
        }
        return {};
    }

    /// A job for one stage: the stage's 0 to 1 is `from` to `to` of this job.
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

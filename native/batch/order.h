// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "batch/worker.h"

namespace animbridge::batch {

/// Hands the indices of inputs to threads, and restores the order of the plan for their results: outputs are
/// reserved and rows are reported as if there were one thread. Holds the rows of at most `window` inputs.
class Order {
public:
    /// Gets each finished input in order, one at a time.
    using Tell = std::function<void(std::size_t index, const Finished& finished)>;

    Order(std::size_t count, std::size_t window, Tell tell)
        : count_(count), window_(window), tell_(std::move(tell)) {}

    /// The next input; nullopt: there is none, or the run was stopped. Waits while too many are not reported
    /// yet.
    [[nodiscard]] std::optional<std::size_t> next();
    /// The next inputs, up to the first after which `wants_more` is false: as many as may be handed out at
    /// once. Empty when next() would return nullopt.
    [[nodiscard]] std::vector<std::size_t> next_ones(
        const std::function<bool(std::size_t index)>& wants_more);

    /// Waits until all earlier inputs have reserved their outputs, or never will, and calls `reserve`.
    void in_turn(std::size_t index, const std::function<void()>& reserve);

    /// nullopt: the input was given up, and is not reported.
    void finish(std::size_t index, std::optional<Finished> finished);

    /// Hands out no more inputs.
    void stop();
    [[nodiscard]] bool is_stopped() const;
    /// How many inputs were reported.
    [[nodiscard]] std::size_t told() const;

private:
    void pass_turn(std::size_t index);

    std::size_t count_;
    std::size_t window_;
    Tell tell_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t next_ = 0;
    std::size_t turn_ = 0;
    std::set<std::size_t> passed_;  ///< those after `turn_`
    std::size_t to_tell_ = 0;
    std::map<std::size_t, std::optional<Finished>> waiting_;
    std::size_t told_ = 0;
    std::atomic<bool> is_stopped_ = false;
};

}  // namespace animbridge::batch

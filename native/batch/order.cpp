// SPDX-License-Identifier: MIT
#include "batch/order.h"

namespace animbridge::batch {

std::optional<std::size_t> Order::next() {
    const auto one = next_ones([](std::size_t) { return false; });
    return one.empty() ? std::nullopt : std::optional(one.front());
}

std::vector<std::size_t> Order::next_ones(const std::function<bool(std::size_t index)>& wants_more) {
    std::unique_lock lock(mutex_);
    const auto has_room = [&] { return next_ < to_tell_ + window_; };
    changed_.wait(lock, [&] { return is_stopped_ || next_ == count_ || has_room(); });
    std::vector<std::size_t> taken;
    // Never waits while it has some: the others may wait for these.
    while (!is_stopped_ && next_ != count_ && has_room()) {
        taken.push_back(next_++);
        if (!wants_more(taken.back())) {
            break;
        }
    }
    return taken;
}

void Order::in_turn(std::size_t index, const std::function<void()>& reserve) {
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return turn_ == index; });
    }
    // Nobody else reserves until the turn is passed on.
    reserve();
    const std::lock_guard guard(mutex_);
    pass_turn(index);
    changed_.notify_all();
}

void Order::pass_turn(std::size_t index) {
    if (index < turn_) {
        return;
    }
    passed_.insert(index);
    while (!passed_.empty() && *passed_.begin() == turn_) {
        passed_.erase(passed_.begin());
        ++turn_;
    }
}

void Order::finish(std::size_t index, std::optional<Finished> finished) {
    const std::lock_guard guard(mutex_);
    pass_turn(index);
    waiting_.emplace(index, std::move(finished));
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == to_tell_;
         first = waiting_.erase(first)) {
        if (first->second) {
            tell_(to_tell_, *first->second);
            ++told_;
        }
        ++to_tell_;
    }
    changed_.notify_all();
}

void Order::stop() {
    // Without the lock, which finish() holds while the reader of its report is stuck. A thread that misses
    // this waits for inputs in hand, whose end wakes it.
    is_stopped_ = true;
    changed_.notify_all();
}

bool Order::is_stopped() const { return is_stopped_; }

std::size_t Order::told() const {
    const std::lock_guard guard(mutex_);
    return told_;
}

}  // namespace animbridge::batch

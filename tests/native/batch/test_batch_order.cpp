// SPDX-License-Identifier: MIT
// Threads finish in any order; what they reserve and tell is in the order of the plan.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <numeric>
#include <random>
#include <thread>

#include "batch/run/worker.h"
#include "catch.h"

using namespace animbridge::batch::plan;
using namespace animbridge::batch::run;

namespace {

std::vector<std::size_t> numbers_to(std::size_t count) {
    std::vector<std::size_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    return numbers;
}

Finished row_named(const std::string& name) {
    Finished finished;
    finished.rows.push_back(Row{name});
    return finished;
}

void pause(std::size_t index) {
    std::mt19937 dice(static_cast<std::uint32_t>(index));
    std::this_thread::sleep_for(std::chrono::microseconds(dice() % 300));
}

}  // namespace

TEST_CASE("Outputs are reserved and rows are told in order", "[batch]") {
    constexpr std::size_t count = 500;
    std::vector<std::size_t> reserved;
    std::vector<std::size_t> told;
    std::atomic<std::size_t> in_hand = 0;
    std::atomic<std::size_t> most_in_hand = 0;
    Order order(count, 8, [&](std::size_t index, const Finished& finished) {
        told.push_back(index);
        REQUIRE(finished.rows.front().input == std::to_string(index));
        --in_hand;
    });
    const auto work = [&] {
        while (const auto index = order.next()) {
            most_in_hand = std::max<std::size_t>(most_in_hand, ++in_hand);
            pause(*index);
            if (*index % 3 != 0) {  // some reserve nothing
                order.in_turn(*index, [&] { reserved.push_back(*index); });
            }
            pause(*index + count);
            order.finish(*index, row_named(std::to_string(*index)));
        }
    };
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 5; ++i) {
            threads.emplace_back(work);
        }
    }
    CHECK(told == numbers_to(count));
    CHECK(reserved.size() == count - (count + 2) / 3);
    CHECK(std::is_sorted(reserved.begin(), reserved.end()));
    CHECK(most_in_hand <= 8 + 5);
    CHECK(order.told() == count);
}

TEST_CASE("No more inputs are handed out than may wait", "[batch]") {
    Order order(10, 2, [](std::size_t, const Finished&) {});
    REQUIRE(order.next() == 0);
    REQUIRE(order.next() == 1);
    auto third = std::async(std::launch::async, [&] { return order.next(); });
    order.finish(1, row_named("1"));
    CHECK(third.wait_for(std::chrono::milliseconds(50)) == std::future_status::timeout);
    order.finish(0, row_named("0"));
    CHECK(third.get() == 2);
}

TEST_CASE("A stopped order tells what was finished", "[batch]") {
    std::vector<std::size_t> told;
    Order order(100, 50, [&](std::size_t index, const Finished&) { told.push_back(index); });
    for (std::size_t i = 0; i < 10; ++i) {
        REQUIRE(order.next() == i);
    }
    order.stop();
    CHECK_FALSE(order.next());
    order.finish(1, row_named("1"));
    CHECK(told.empty());
    order.finish(0, std::nullopt);  // given up
    CHECK(told == std::vector<std::size_t>{1});
    for (std::size_t i = 2; i < 10; ++i) {
        order.finish(i, row_named(""));
    }
    CHECK(order.told() == 9);
}

TEST_CASE("A run is asked from other threads how far it is, and is stopped by one of them", "[batch]") {
    // For ThreadSanitizer, which sees each unguarded read.
    Order order(1000, 8, [](std::size_t, const Finished&) {});
    std::thread worker([&] {
        while (const auto index = order.next()) {
            order.in_turn(*index, [] {});
            order.finish(*index, row_named("row"));
        }
    });
    std::thread watcher([&] {
        while (!order.is_stopped()) {
            std::this_thread::yield();
        }
    });
    while (order.told() < 100) {
        std::this_thread::yield();
    }
    order.stop();
    worker.join();
    watcher.join();
    CHECK(order.told() >= 100);
    CHECK(order.is_stopped());
}

// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace animbridge::scene {

/// Numbers whose copies share one array: many channels of a file may use the same keys.
class SharedNumbers {
public:
    SharedNumbers() = default;
    // NOLINTBEGIN(google-explicit-constructor): it replaces an array.
    SharedNumbers(std::vector<double> numbers)
        : numbers_(std::make_shared<std::vector<double>>(std::move(numbers))) {}
    SharedNumbers(std::initializer_list<double> numbers) : SharedNumbers(std::vector<double>(numbers)) {}
    operator const std::vector<double>&() const { return get(); }
    // NOLINTEND(google-explicit-constructor)

    [[nodiscard]] const std::vector<double>& get() const {
        static const std::vector<double> none;
        return numbers_ ? *numbers_ : none;
    }
    /// An array that no copy shares any more. Only the thread that makes a document may call this.
    [[nodiscard]] std::vector<double>& edit() {
        if (!numbers_ || numbers_.use_count() > 1) {
            numbers_ = std::make_shared<std::vector<double>>(get());
        }
        return *numbers_;
    }

    [[nodiscard]] std::size_t size() const { return get().size(); }
    [[nodiscard]] bool empty() const { return get().empty(); }
    [[nodiscard]] const double* data() const { return get().data(); }
    [[nodiscard]] const double& operator[](std::size_t i) const { return get()[i]; }
    [[nodiscard]] const double& front() const { return get().front(); }
    [[nodiscard]] const double& back() const { return get().back(); }
    [[nodiscard]] std::vector<double>::const_iterator begin() const { return get().begin(); }
    [[nodiscard]] std::vector<double>::const_iterator end() const { return get().end(); }
    friend bool operator==(const SharedNumbers& a, const SharedNumbers& b) { return a.get() == b.get(); }

private:
    std::shared_ptr<std::vector<double>> numbers_{};
};

}  // namespace animbridge::scene

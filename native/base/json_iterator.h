// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>

namespace animbridge {

class Json;

/// Iterates over the values of an array or object.
template <typename Value>
class JsonIterator {
public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Json;
    using difference_type = std::ptrdiff_t;
    using pointer = Value*;
    using reference = Value&;

    JsonIterator() noexcept = default;
    JsonIterator(Value* slot, std::size_t slots_each) noexcept : slot_(slot), slots_each_(slots_each) {}
    operator JsonIterator<const Value>() const noexcept requires(!std::is_const_v<Value>) {
        return {slot_, slots_each_};
    }

    [[nodiscard]] Value& operator*() const noexcept { return slot_[slots_each_ - 1]; }
    [[nodiscard]] Value* operator->() const noexcept { return &**this; }
    JsonIterator& operator++() noexcept {
        slot_ += slots_each_;
        return *this;
    }
    JsonIterator operator++(int) noexcept {
        JsonIterator before = *this;
        ++*this;
        return before;
    }
    /// The key of an object's member.
    [[nodiscard]] std::string_view key() const { return slot_->template get<std::string_view>(); }
    friend bool operator==(const JsonIterator& a, const JsonIterator& b) noexcept {
        return a.slot_ == b.slot_;
    }

private:
    Value* slot_ = nullptr;
    std::size_t slots_each_ = 1;
};

/// The range of `for (const auto& [key, value] : json.items())`.
template <typename Value>
class JsonMembers {
public:
    struct Member {
        std::string key;
        Value& value;
    };
    class Iterator {
    public:
        explicit Iterator(JsonIterator<Value> at) noexcept : at_(at) {}
        [[nodiscard]] Member operator*() const { return {std::string(at_.key()), *at_}; }
        Iterator& operator++() noexcept {
            ++at_;
            return *this;
        }
        friend bool operator==(const Iterator&, const Iterator&) noexcept = default;

    private:
        JsonIterator<Value> at_;
    };

    JsonMembers(JsonIterator<Value> begin, JsonIterator<Value> end) noexcept : begin_(begin), end_(end) {}
    [[nodiscard]] Iterator begin() const noexcept { return Iterator(begin_); }
    [[nodiscard]] Iterator end() const noexcept { return Iterator(end_); }

private:
    JsonIterator<Value> begin_;
    JsonIterator<Value> end_;
};

}  // namespace animbridge

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"

namespace animbridge {

namespace {

/// A container of more values or members than this gets all of its room when it opens. The values of
/// smaller ones wait until it is known how many they are. So nothing is larger than it has to be.
constexpr std::size_t few_values = 64;

struct LargeContainer {
    std::size_t number;  ///< from 0, in the order in which the text's containers open
    std::size_t values;
};

/// Counts commas. Text that is no JSON gives wrong counts, yet none for which there is not enough text.
class LargeContainers {
public:
    explicit LargeContainers(std::string_view text) : text_(text) {
        std::size_t place = 0;
        while (place < text.size() && step(place)) {
            ++place;
        }
        std::sort(found_.begin(), found_.end(),
                  [](const LargeContainer& a, const LargeContainer& b) { return a.number < b.number; });
    }

    /// How many values the container has that opens next; 0: few.
    [[nodiscard]] std::size_t next() {
        const std::size_t number = asked_++;
        if (at_ == found_.size() || found_[at_].number != number) {
            return 0;
        }
        return found_[at_++].values;
    }

private:
    struct Level {
        std::size_t number;
        std::size_t commas;
        std::size_t last;   ///< where the last comma is, or the bracket
        std::size_t least;  ///< so far apart are commas: "0," or "\"\":0,"
    };

    /// False: the text breaks off, or is nothing that will be read to the end.
    bool step(std::size_t& place) {
        switch (text_[place]) {
            case '"':
                return skip_text(place);
            case '[':
                return open(place, 2);
            case '{':
                return open(place, 5);
            case ',':
                if (depth_ > 0) {
                    Level& level = levels_.at(depth_ - 1);
                    if (place - level.last >= level.least) {
                        level.last = place;
                        ++level.commas;
                    }
                }
                return true;
            case ']':
            case '}':
                return close();
            default:
                return true;
        }
    }
    bool skip_text(std::size_t& place) {
        while (++place < text_.size()) {
            if (text_[place] == '"') {
                return true;
            }
            place += text_[place] == '\\' ? 1 : 0;
        }
        return false;
    }
    bool open(std::size_t place, std::size_t least) {
        if (depth_ == levels_.size()) {
            return false;
        }
        levels_.at(depth_++) = {opened_++, 0, place, least};
        return true;
    }
    bool close() {
        if (depth_ == 0) {
            return false;
        }
        const Level& level = levels_.at(--depth_);
        if (level.commas >= few_values) {
            found_.push_back({level.number, level.commas + 1});
        }
        return true;
    }

    std::string_view text_;
    std::array<Level, max_json_depth + 1> levels_{};
    std::size_t depth_ = 0;
    std::size_t opened_ = 0;
    std::vector<LargeContainer> found_{};
    std::size_t asked_ = 0;
    std::size_t at_ = 0;
};

/// Takes the parser's events and builds the value of them.
class Builder {
public:
    explicit Builder(std::string_view text) : large_(text) { open_.reserve(max_json_depth + 2); }

    [[nodiscard]] Json taken() { return std::move(root_); }
    [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }
    [[nodiscard]] std::size_t steps() const { return steps_; }

    // The names are those of the library's SAX interface.
    bool null() { return add(nullptr); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(std::int64_t value) { return add(value); }
    bool number_unsigned(std::uint64_t value) { return add(value); }
    bool number_float(double value, const std::string& /*digits*/) { return add(value); }
    bool string(const std::string& value) { return add(value); }
    static bool binary(const std::vector<std::uint8_t>& /*never in text*/) { return false; }
    bool start_object(std::size_t /*unknown*/) { return start(Json::object()); }
    bool start_array(std::size_t /*unknown*/) { return start(Json::array()); }
    bool key(const std::string& value) {
        key_ = value;
        return within_depth();
    }
    bool end_object() { return end(); }
    bool end_array() { return end(); }
    bool parse_error(std::size_t /*place*/, const std::string& /*token*/,
                     const nlohmann::detail::parse_error& problem) {
        // After the library's own name and place comes what is wrong; the place is given in our words.
        const std::string_view what = problem.what();
        const std::size_t colon = what.find(": ");
        problem_ =
            Error{ErrorCode::bad_value,
                  "not JSON: " + std::string(what.substr(colon == std::string_view::npos ? 0 : colon + 2))};
        problem_->byte_offset = static_cast<std::int64_t>(problem.byte);
        return false;
    }
    bool parse_error(std::size_t /*place*/, const std::string& /*token*/,
                     const nlohmann::detail::exception& problem) {
        problem_ = Error{ErrorCode::bad_value, std::string("not JSON: ") + problem.what()};
        return false;
    }

private:
    struct Open {
        Json container;
        Json key;                 ///< under which it goes into the container around it
        bool is_large;            ///< has all the room that it needs
        std::size_t first_value;  ///< of a small one, in `waiting_`
    };

    /// Deeper nesting would exhaust the stack of whoever copies the value.
    bool within_depth() {
        if (open_.size() <= static_cast<std::size_t>(max_json_depth)) {
            return true;
        }
        problem_ = Error{ErrorCode::bad_value,
                         "JSON nested deeper than " + std::to_string(max_json_depth) + " levels"};
        return false;
    }
    bool add(Json value) { return within_depth() && put(std::move(key_), std::move(value)); }
    bool put(Json key, Json value) {
        ++steps_;
        if (open_.empty()) {
            root_ = std::move(value);
            return true;
        }
        Open& around = open_.back();
        const bool is_object = around.container.is_object();
        if (!around.is_large) {
            if (is_object) {
                waiting_.push_back(std::move(key));
            }
            waiting_.push_back(std::move(value));
        } else if (is_object) {
            around.container.append_member(std::move(key), std::move(value));
        } else {
            around.container.push_back(std::move(value));
        }
        return true;
    }
    bool start(Json container) {
        const std::size_t values = large_.next();
        if (!within_depth()) {
            return false;
        }
        if (values > 0) {
            container.reserve(values);
        }
        open_.push_back({std::move(container), std::move(key_), values > 0, waiting_.size()});
        return true;
    }
    bool end() {
        Open closed = std::move(open_.back());
        open_.pop_back();
        if (!closed.is_large) {
            fill(closed);
        }
        steps_ += closed.container.merge_duplicates();
        return put(std::move(closed.key), std::move(closed.container));
    }
    /// What has waited goes into the container, which gets just the room for it.
    void fill(Open& closed) {
        const bool is_object = closed.container.is_object();
        const std::size_t step = is_object ? 2 : 1;
        closed.container.reserve((waiting_.size() - closed.first_value) / step);
        for (std::size_t i = closed.first_value; i < waiting_.size(); i += step) {
            if (is_object) {
                closed.container.append_member(std::move(waiting_[i]), std::move(waiting_[i + 1]));
            } else {
                closed.container.push_back(std::move(waiting_[i]));
            }
        }
        steps_ += closed.container.size();
        waiting_.resize(closed.first_value);
    }

    LargeContainers large_;
    std::vector<Open> open_{};
    std::vector<Json> waiting_{};
    Json key_{};
    Json root_{};
    std::size_t steps_ = 0;
    std::optional<Error> problem_{};
};

}  // namespace

Result<Json> parse_json(std::string_view text, std::size_t* steps) {
    Builder builder(text);
    const bool parsed = nlohmann::json::sax_parse(text, &builder);
    if (steps != nullptr) {
        *steps = builder.steps();
    }
    if (parsed) {
        return builder.taken();
    }
    Error error = builder.problem().value_or(Error{ErrorCode::bad_value, "not JSON"});
    if (error.byte_offset >= 0) {
        const auto place = static_cast<std::size_t>(error.byte_offset);
        const std::string_view before = text.substr(0, std::min(place, text.size()));
        error.line = 1 + std::count(before.begin(), before.end(), '\n');
    }
    return fail(std::move(error));
}

}  // namespace animbridge

// SPDX-License-Identifier: MIT
#include "base/json/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace animbridge {

namespace {

/// A container with more values than this reserves all its memory when it opens. The values of a smaller one
/// wait until it closes and their number is known. So no container takes more memory than it needs.
constexpr std::size_t few_values = 64;

struct LargeContainer {
    std::size_t number;  ///< counts the containers of the text from 0, in the order in which they open
    std::size_t values;
};

/// Finds large containers by counting commas. In text that is not JSON the counts are wrong, but never higher
/// than the length of the text allows.
class LargeContainers {
public:
    explicit LargeContainers(std::string_view text) : text_(text) {
        std::size_t position = 0;
        while (position < text.size() && step(position)) {
            ++position;
        }
        std::ranges::sort(
            found_, [](const LargeContainer& a, const LargeContainer& b) { return a.number < b.number; });
    }

    /// The number of values in the next container to open; 0 if it is small.
    [[nodiscard]] std::size_t values_of_next() {
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
        std::size_t last;   ///< position of the last comma, or of the opening bracket
        std::size_t least;  ///< the shortest distance between commas: "0," or "\"\":0,"
    };

    /// Returns false if the text ends early or contains something that the parser will refuse.
    bool step(std::size_t& position) {
        switch (text_[position]) {
            case '"':
                return skip_text(position);
            case '[':
                return open(position, 2);
            case '{':
                return open(position, 5);
            case ',':
                if (depth_ > 0) {
                    Level& level = levels_.at(depth_ - 1);
                    if (position - level.last >= level.least) {
                        level.last = position;
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
    bool skip_text(std::size_t& position) {
        while (++position < text_.size()) {
            if (text_[position] == '"') {
                return true;
            }
            position += text_[position] == '\\' ? 1 : 0;
        }
        return false;
    }
    bool open(std::size_t position, std::size_t least) {
        if (depth_ == levels_.size()) {
            return false;
        }
        levels_.at(depth_++) = {opened_++, 0, position, least};
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

/// Builds the value from the parser's events.
class Builder {
public:
    explicit Builder(std::string_view text) : large_(text) { open_.reserve(max_json_depth + 2); }

    [[nodiscard]] Json taken() { return std::move(root_); }
    [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }
    [[nodiscard]] std::size_t steps() const { return steps_; }

    // nlohmann::json's SAX interface prescribes these names.
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
    bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                     const nlohmann::detail::parse_error& problem) {
        // The library's message starts with its own name and position, which we report in our own form.
        const std::string_view what = problem.what();
        const std::size_t colon = what.find(": ");
        problem_ =
            Error{ErrorCode::bad_value,
                  "not JSON: " + std::string(what.substr(colon == std::string_view::npos ? 0 : colon + 2))};
        problem_->byte_offset = static_cast<std::int64_t>(problem.byte);
        return false;
    }
    bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                     const nlohmann::detail::exception& problem) {
        problem_ = Error{ErrorCode::bad_value, std::string("not JSON: ") + problem.what()};
        return false;
    }

private:
    struct Open {
        Json container;
        Json key;                 ///< its key in the container around it
        bool is_large;            ///< has reserved all its memory
        std::size_t first_value;  ///< index in `waiting_` of a small container's first value
    };

    /// Copying and destroying a value recurse: deeper nesting could exhaust the stack.
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
        const std::size_t values = large_.values_of_next();
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
    /// Moves the waiting values into the container, which reserves exactly the memory they need.
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
        const auto offset = static_cast<std::size_t>(error.byte_offset);
        const std::string_view before = text.substr(0, std::min(offset, text.size()));
        error.line = 1 + std::ranges::count(before, '\n');
    }
    return fail(std::move(error));
}

}  // namespace animbridge

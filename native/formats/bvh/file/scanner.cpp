// SPDX-License-Identifier: MIT
#include "formats/bvh/file/file.h"

#include <algorithm>
#include <numeric>

#include "formats/bvh/text/text.h"

namespace animbridge::bvh::file {

namespace {

constexpr std::size_t most_per_rule = 100;

constexpr bool is_brace(char c) { return c == '{' || c == '}'; }
constexpr bool is_line_end(char c) { return c == '\n' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text::is_blank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && text::is_blank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

/// Finds where a block opens in the rest of a line that does not end in a blank: at a brace that is a word of
/// its own or ends the line. A name cannot end in a brace, because it would not read back. Does not look past
/// the brace.
std::optional<std::size_t> brace_in(std::string_view line) {
    for (std::size_t i = line.find('{'); i != std::string_view::npos; i = line.find('{', i + 1)) {
        const bool alone =
            (i == 0 || text::is_blank(line[i - 1])) && (i + 1 == line.size() || text::is_blank(line[i + 1]));
        if (alone || i + 1 == line.size()) {
            while (i > 0 && (line[i - 1] == '{' || text::is_blank(line[i - 1]))) {
                --i;
            }
            return i;
        }
    }
    return std::nullopt;
}

/// Line and column of an offset, in a text whose lines end in LF, CR LF or CR.
class LineCounter {
public:
    explicit LineCounter(std::string_view text) : text_(text) {}

    /// `offset` must not decrease from call to call.
    void go_to(std::size_t offset) {
        for (; offset_ < std::min(offset, text_.size()); ++offset_) {
            // In CR LF, the LF ends the line.
            const bool within = text_[offset_] == '\r' && text_.substr(offset_ + 1, 1) == "\n";
            if (is_line_end(text_[offset_]) && !within) {
                ++line_;
                line_start_ = offset_ + 1;
            }
        }
    }
    [[nodiscard]] std::int64_t line() const { return line_; }
    [[nodiscard]] std::int64_t column() const { return static_cast<std::int64_t>(offset_ - line_start_) + 1; }

private:
    std::string_view text_;
    std::size_t offset_ = 0;
    std::int64_t line_ = 1;
    std::size_t line_start_ = 0;
};

/// Parses a number with a decimal comma. Copying it is cheap: numbers are short.
text::ParsedNumber parse_comma_number(std::string_view token) {
    const std::size_t comma = token.find(',');
    // "1, 2" is a list, so a comma at the end is not a decimal comma.
    if (comma == std::string_view::npos || comma + 1 == token.size()) {
        return {0, text::NumberProblem::not_a_number};
    }
    std::string with_point(token);
    with_point[comma] = '.';
    return text::parse_number(with_point);
}

}  // namespace

std::string_view name_in(std::string_view line) {
    const std::string_view text = trimmed(line);
    return trimmed(text.substr(0, brace_in(text).value_or(text.size())));
}

std::string in_quotes(std::string_view found) {
    constexpr std::size_t longest = 40;
    return found.size() <= longest ? "\"" + std::string(found) + "\""
                                   : "\"" + std::string(shortened(found, longest)) + "...\"";
}

Result<void> Scanner::end_at_nul(std::size_t end) {
    const std::size_t nul = text_.substr(0, end).find('\0', offset_);
    if (nul == std::string_view::npos) {
        return {};
    }
    if (!lenient()) {
        return fail_at(nul, "text",
                       "found a NUL byte; allowed is text (lenient reading lets the text end there)");
    }
    note(rule("text_after_nul"), nul, std::to_string(text_.size() - nul) + " bytes from a NUL on");
    text_ = text_.substr(0, nul);
    return {};
}

bool Scanner::skip_blanks() {
    while (offset_ < text_.size() && text::is_blank(text_[offset_])) {
        ++offset_;
    }
    return offset_ < text_.size();
}

std::string_view Scanner::peek() {
    if (!skip_blanks()) {
        return {};
    }
    std::size_t end = offset_ + 1;
    while (!is_brace(text_[offset_]) && end < text_.size() && !text::is_blank(text_[end]) &&
           !is_brace(text_[end])) {
        ++end;
    }
    return text_.substr(offset_, end - offset_);
}

std::string_view Scanner::take() {
    const std::string_view word = peek();
    offset_ += word.size();
    return word;
}

std::size_t Scanner::end_of_token() const {
    const std::string_view ahead = rest();
    return offset_ + static_cast<std::size_t>(std::ranges::find_if(ahead, text::is_blank) - ahead.begin());
}

std::string_view Scanner::take_token() {
    skip_blanks();
    const std::size_t begin = offset_;
    offset_ = end_of_token();
    return text_.substr(begin, offset_ - begin);
}

bool Scanner::take_if(std::string_view word) {
    skip_blanks();
    if (!same_letters(rest().substr(0, word.size()), word)) {
        return false;
    }
    offset_ += word.size();
    return true;
}

const Scanner::NameLine& Scanner::name_line() {
    if (!name_line_ || offset_ < name_line_->begin || offset_ > name_line_->end) {
        const std::string_view ahead = rest();
        const auto* const line_end = std::ranges::find_if(ahead, is_line_end);
        const std::size_t end = offset_ + static_cast<std::size_t>(line_end - ahead.begin());
        std::size_t text_end = end;
        while (text_end > offset_ && text::is_blank(text_[text_end - 1])) {
            --text_end;
        }
        name_line_ = NameLine{offset_, end, text_end};
    }
    return *name_line_;
}

std::string_view Scanner::take_name() {
    const NameLine& whole = name_line();
    const std::string_view line = text_.substr(offset_, std::max(whole.text_end, offset_) - offset_);
    const auto brace = brace_in(line);
    offset_ = brace ? offset_ + *brace : whole.end;
    return trimmed(line.substr(0, brace.value_or(line.size())));
}

Result<double> Scanner::take_number(std::string_view field) {
    if (!skip_blanks()) {
        return fail_here(field, "a number");
    }
    const std::size_t begin = offset_;
    const std::string_view token = take_token();
    text::ParsedNumber number = text::parse_number(token);
    if (number.problem == text::NumberProblem::not_a_number) {
        const text::ParsedNumber with_comma = parse_comma_number(token);
        if (with_comma.problem == text::NumberProblem::none && !lenient()) {
            return fail_at(begin, field,
                           "found " + in_quotes(token) +
                               ", a number with a decimal comma; allowed is a decimal point (lenient reading "
                               "takes commas as points)");
        }
        if (with_comma.problem != text::NumberProblem::not_a_number) {
            number = with_comma;
            note_comma(begin, token);
        }
    }
    if (number.problem == text::NumberProblem::too_large) {
        return fail_at(begin, field, "found " + in_quotes(token) + "; allowed are numbers below 1.8e308");
    }
    if (number.problem == text::NumberProblem::not_a_number) {
        return fail_at(begin, field, "found " + in_quotes(token) + "; allowed is a decimal number");
    }
    return number.value;
}

tl::unexpected<Error> Scanner::fail_at(std::size_t offset, std::string_view field, std::string reason,
                                       ErrorCode code) const {
    LineCounter place(text_);
    place.go_to(offset);
    Error error{code, std::move(reason)};
    error.field = field;
    error.line = place.line();
    error.column = place.column();
    return tl::unexpected<Error>(std::move(error));
}

tl::unexpected<Error> Scanner::fail_here(std::string_view field, std::string_view allowed) {
    const std::string_view found = peek();
    if (found.empty()) {
        return fail_at(offset_, field, "the text ends here; allowed is " + std::string(allowed),
                       ErrorCode::truncated);
    }
    return fail_at(offset_, field, "found " + in_quotes(found) + "; allowed is " + std::string(allowed));
}

void Scanner::note(std::string_view rule, std::size_t offset, std::string found) {
    if (++note_counts_[rule] <= most_per_rule) {
        notes_.push_back({rule, offset, std::move(found)});
    }
}

void Scanner::note_comma(std::size_t offset, std::string_view found) {
    if (++note_counts_[rule("decimal_comma")] == 1) {
        notes_.push_back({rule("decimal_comma"), offset, in_quotes(found)});
    }
}

std::size_t Scanner::commas() const {
    const auto found = note_counts_.find(rule("decimal_comma"));
    return found == note_counts_.end() ? 0 : found->second;
}

void Scanner::forget_commas_after(std::size_t count) {
    note_counts_[rule("decimal_comma")] = count;
    if (count == 0) {
        std::erase_if(notes_, [](const PlacedNote& note) { return note.rule == rule("decimal_comma"); });
    }
}

std::vector<std::int64_t> Scanner::lines_of_notes() const {
    std::vector<std::size_t> order(notes_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order,
                      [&](std::size_t a, std::size_t b) { return notes_[a].offset < notes_[b].offset; });
    std::vector<std::int64_t> lines(notes_.size());
    LineCounter place(text_);
    for (const std::size_t note : order) {
        place.go_to(notes_[note].offset);
        lines[note] = place.line();
    }
    return lines;
}

std::vector<Note> Scanner::take_notes() {
    const std::vector<std::int64_t> lines = lines_of_notes();
    std::vector<Note> notes;
    notes.reserve(notes_.size());
    for (std::size_t i = 0; i < notes_.size(); ++i) {
        notes.push_back({std::string(notes_[i].rule), lines[i], std::move(notes_[i].found)});
    }
    std::ranges::stable_sort(notes, [](const Note& a, const Note& b) { return a.line < b.line; });
    for (const auto& [id, count] : note_counts_) {
        const std::size_t kept = id == rule("decimal_comma") ? 1 : most_per_rule;
        if (count > kept) {
            const auto last = std::find_if(notes.rbegin(), notes.rend(),
                                           [wanted = id](const Note& note) { return note.rule == wanted; });
            last->found += " (and " + std::to_string(count - kept) + " more)";
        }
    }
    return notes;
}

}  // namespace animbridge::bvh::file

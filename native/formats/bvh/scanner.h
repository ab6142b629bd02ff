// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/reading.h"
#include "base/result.h"
#include "formats/bvh/document.h"

/// The parts of `read`.
namespace animbridge::bvh {

/// The name in the text after JOINT or End Site: without blanks around it, up to a brace that stands alone or
/// ends the line.
[[nodiscard]] std::string_view name_in(std::string_view line);

/// Quoted for messages, and shortened if long.
[[nodiscard]] std::string in_quotes(std::string_view found);

/// The text, an offset in it, and notes about it.
class Scanner {
public:
    Scanner(std::string_view text, Reading reading) : text_(text), reading_(reading) {}

    [[nodiscard]] bool lenient() const { return reading_ == Reading::lenient; }
    [[nodiscard]] std::string_view text() const { return text_; }
    [[nodiscard]] std::string_view rest() const { return text_.substr(offset_); }
    [[nodiscard]] std::size_t offset() const { return offset_; }
    void go_to(std::size_t offset) { offset_ = offset; }
    /// Looks for a NUL between here and `end`: an error in strict reading; in lenient reading the text ends
    /// there.
    [[nodiscard]] Result<void> end_at_nul(std::size_t end);

    /// Skips blanks and line ends; returns whether a word follows.
    bool skip_blanks();
    /// The next brace, or the text up to the next blank or brace; empty at the end of the text.
    [[nodiscard]] std::string_view peek();
    [[nodiscard]] std::string_view take();
    /// The offset of the next blank, or the end of the text.
    [[nodiscard]] std::size_t end_of_token() const;
    /// The text up to the next blank.
    [[nodiscard]] std::string_view take_token();
    /// Takes `word`, in any case, if it comes next; any text may follow it.
    [[nodiscard]] bool take_if(std::string_view word);
    /// Takes the name in the rest of the line and leaves a brace after it. Searches for each line's end only
    /// once, even if the line holds many names.
    [[nodiscard]] std::string_view take_name();
    /// Takes a number, like parse_number; lenient reading also accepts a decimal comma.
    [[nodiscard]] Result<double> take_number(std::string_view field);

    /// An error about the text at `offset`.
    [[nodiscard]] tl::unexpected<Error> fail_at(std::size_t offset, std::string_view field,
                                                std::string reason,
                                                ErrorCode code = ErrorCode::bad_value) const;
    /// An error: only `allowed` may come next.
    [[nodiscard]] tl::unexpected<Error> fail_here(std::string_view field, std::string_view allowed);

    /// Keeps the first notes of each rule and counts the rest, so that hostile files stay cheap.
    void note(std::string_view rule, std::size_t offset, std::string found);
    void note_comma(std::size_t offset, std::string_view found);
    [[nodiscard]] std::size_t commas() const;
    /// Drops all but the first `count` comma notes, because the text is read again.
    void forget_commas_after(std::size_t count);
    [[nodiscard]] std::vector<Note> take_notes();

private:
    /// A note whose line number is not known yet.
    struct PlacedNote {
        std::string_view rule;
        std::size_t offset = 0;
        std::string found;
    };
    /// The line that contains the last name.
    struct NameLine {
        std::size_t begin = 0;  ///< where the search for its end began
        std::size_t end = 0;
        std::size_t text_end = 0;  ///< without the blanks at the line's end
    };
    [[nodiscard]] const NameLine& name_line();
    [[nodiscard]] std::vector<std::int64_t> lines_of_notes() const;

    std::string_view text_;
    Reading reading_;
    std::size_t offset_ = 0;
    std::optional<NameLine> name_line_;
    std::vector<PlacedNote> notes_;
    std::map<std::string_view, std::size_t> note_counts_;
};

}  // namespace animbridge::bvh

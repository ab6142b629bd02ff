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

/// The parts of `read`, private to it.
namespace animbridge::bvh {

/// Equal but for the case of the letters A to Z.
[[nodiscard]] bool same_word(std::string_view a, std::string_view b);

/// The name in what stands behind JOINT or End Site: without the blanks around it, up to a brace that stands
/// alone or ends the line.
[[nodiscard]] std::string_view name_in(std::string_view line);

/// As it stands in messages: quoted, and cut where it is long.
[[nodiscard]] std::string quoted(std::string_view found);

/// The text, a place in it, and what there is to tell about it.
class Scanner {
public:
    Scanner(std::string_view text, Reading reading) : text_(text), reading_(reading) {}

    [[nodiscard]] bool lenient() const { return reading_ == Reading::lenient; }
    [[nodiscard]] std::string_view text() const { return text_; }
    [[nodiscard]] std::string_view rest() const { return text_.substr(offset_); }
    [[nodiscard]] std::size_t offset() const { return offset_; }
    void go_to(std::size_t offset) { offset_ = offset; }
    /// No text has a NUL. One between here and `end` is an error, or ends the text.
    [[nodiscard]] Result<void> end_at_nul(std::size_t end);

    /// To the next word, over line ends too; whether there is one.
    bool skip_blanks();
    /// A brace, or whatever stands up to the next blank or brace; "" at the end of the text.
    [[nodiscard]] std::string_view peek();
    [[nodiscard]] std::string_view take();
    /// Where the next blank is, or the end of the text.
    [[nodiscard]] std::size_t end_of_token() const;
    /// What stands up to there.
    [[nodiscard]] std::string_view take_token();
    /// Takes `word`, in any case, if it is what comes next; what follows it may be anything.
    [[nodiscard]] bool take_if(std::string_view word);
    /// The name in the rest of the line; a brace behind it is left to be taken. Looks for the end of each
    /// line once, however many names the line holds.
    [[nodiscard]] std::string_view take_name();
    /// A number, as parse_number has it; a decimal comma is one in lenient reading.
    [[nodiscard]] Result<double> take_number(std::string_view field);

    /// An error about the text at `offset`.
    [[nodiscard]] tl::unexpected<Error> fail_at(std::size_t offset, std::string_view field,
                                                std::string reason,
                                                ErrorCode code = ErrorCode::bad_value) const;
    /// An error when nothing but `allowed` may come next.
    [[nodiscard]] tl::unexpected<Error> fail_here(std::string_view field, std::string_view allowed);

    /// Of each rule the first are kept, the rest counted, so that hostile files stay cheap.
    void note(std::string_view rule, std::size_t offset, std::string found);
    void note_comma(std::size_t offset, std::string_view found);
    [[nodiscard]] std::size_t commas() const;
    /// As if only the first `count` of them had been noted: text is about to be read again.
    void forget_commas_after(std::size_t count);
    [[nodiscard]] std::vector<Note> take_notes();

private:
    /// A note before its line is counted.
    struct PlacedNote {
        std::string_view rule;
        std::size_t offset = 0;
        std::string found;
    };
    /// The line that names were taken from last.
    struct NameLine {
        std::size_t begin = 0;  ///< where the first of them was looked for
        std::size_t end = 0;
        std::size_t text_end = 0;  ///< without the blanks in front of the line's end
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

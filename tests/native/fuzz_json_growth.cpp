// SPDX-License-Identifier: MIT
#include "fuzz_json_growth.h"

#include <vector>

namespace animbridge::test {

namespace {

/// A value of an array or a member of an object, without the commas around it.
struct Piece {
    std::size_t begin;
    std::size_t end;
};

std::size_t end_of_text(std::string_view text, std::size_t place) {
    for (++place; place < text.size() && text[place] != '"'; ++place) {
        place += text[place] == '\\' ? 1 : 0;
    }
    return place;
}

/// In the order of their ends.
std::vector<Piece> pieces_of(std::string_view text) {
    std::vector<Piece> pieces;
    std::vector<std::size_t> begins;
    const auto end_piece = [&](std::size_t place) {
        if (!begins.empty() && place > begins.back()) {
            pieces.push_back({begins.back(), place});
        }
    };
    for (std::size_t place = 0; place < text.size(); ++place) {
        switch (text[place]) {
            case '"':
                place = end_of_text(text, place);
                break;
            case '[':
            case '{':
                begins.push_back(place + 1);
                break;
            case ',':
                end_piece(place);
                if (!begins.empty()) {
                    begins.back() = place + 1;
                }
                break;
            case ']':
            case '}':
                end_piece(place);
                if (!begins.empty()) {
                    begins.pop_back();
                }
                break;
            default:
                break;
        }
    }
    return pieces;
}

/// Whether it is empty, as in an empty array.
bool is_blank(std::string_view piece) { return piece.find_first_not_of(" \t\r\n") == std::string_view::npos; }

}  // namespace

std::string grown_json(std::string_view text, std::size_t bytes, std::uint32_t choice) {
    const std::vector<Piece> pieces = pieces_of(text);
    if (pieces.empty()) {
        return std::string(text.substr(0, bytes));
    }
    const Piece chosen = pieces[choice % pieces.size()];
    const std::string_view piece = text.substr(chosen.begin, chosen.end - chosen.begin);
    std::string grown(text.substr(0, chosen.end));
    while (!is_blank(piece) && grown.size() + 1 + piece.size() + (text.size() - chosen.end) <= bytes) {
        grown += ",";
        grown += piece;
    }
    grown += text.substr(chosen.end);
    return grown.substr(0, bytes);
}

}  // namespace animbridge::test

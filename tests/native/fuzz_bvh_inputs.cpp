// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "bvh_invariants.h"
#include "formats/bvh/text/text.h"
#include "fuzz_inputs.h"

namespace animbridge::test {

namespace {

bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

/// strtod accepts more forms: hexadecimal digits, infinity and NaN.
bool is_plain(const std::string& token) {
    return token.find_first_not_of("0123456789+-.eE") == std::string::npos;
}

void check_token(const std::string& token) {
    const bvh::text::ParsedNumber parsed = bvh::text::parse_number(token);
    char* end = nullptr;
    const double expected = std::strtod(token.c_str(), &end);
    const bool whole = is_plain(token) && !token.empty() && end == token.c_str() + token.size();
    require((parsed.problem != bvh::text::NumberProblem::not_a_number) == whole,
            "what is a number: " + token);
    require(!whole || (parsed.problem == bvh::text::NumberProblem::too_large) == std::isinf(expected),
            "what is too large: " + token);
    require(parsed.problem != bvh::text::NumberProblem::none || same(parsed.value, expected),
            "another value than strtod's: " + token);
}

/// The bulk readers stop at the first bad token, and agree with the token reader up to there.
void check_text(std::string_view text) {
    std::vector<double> fast(text.size() / 2 + 1);
    std::vector<double> portable(fast.size());
    const char* cursor = text.data();
    const char* portable_cursor = text.data();
    const char* const end = text.data() + text.size();
    fast.resize(bvh::text::parse_numbers(cursor, end, fast));
    portable.resize(bvh::text::parse_numbers_portably(portable_cursor, end, portable));
    require(fast.size() == portable.size() && cursor == portable_cursor, "the fast reader stops elsewhere");
    const char* p = text.data();
    for (std::size_t i = 0; i <= fast.size(); ++i) {
        p = std::find_if_not(p, end, bvh::text::is_blank);
        const char* const token_end = std::find_if(p, end, bvh::text::is_blank);
        const std::string token(p, token_end);
        const bvh::text::ParsedNumber parsed = bvh::text::parse_number(token);
        if (i == fast.size()) {
            require(p == end || parsed.problem != bvh::text::NumberProblem::none,
                    "the readers stop early: " + token);
            return;
        }
        require(parsed.problem == bvh::text::NumberProblem::none && same(parsed.value, fast[i]) &&
                    same(parsed.value, portable[i]),
                "another value than the slow reader's: " + token);
        check_token(token);
        p = token_end;
    }
}

void check_value(double value, int decimals) {
    std::array<char, bvh::text::max_number_bytes> text;
    std::array<char, bvh::text::max_number_bytes> expected;
    const std::string_view shortest(text.data(), bvh::text::format_numbers(text.data(), {&value, 1}, {}));
    require(same(bvh::text::parse_number(shortest).value, value),
            "the shortest text reads back to another value");
    const std::string_view fixed(text.data(), bvh::text::format_numbers(text.data(), {&value, 1}, decimals));
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    const int size = std::snprintf(expected.data(), expected.size(), "%.*f", decimals, value);
    require(fixed == std::string_view(expected.data(), static_cast<std::size_t>(size)),
            "other decimals than snprintf's: " + std::string(fixed));
}

}  // namespace

void try_bvh_read(ByteView bytes) { check_bvh_bytes(bytes, Effort::full); }

void try_numbers(ByteView bytes) {
    const std::string_view text = text_of(bytes);
    check_text(text);
    const std::string token(text.substr(0, text.find('\0')));
    if (std::none_of(token.begin(), token.end(), bvh::text::is_blank)) {
        check_token(token);
    }
    for (std::size_t i = 0; i + 9 <= bytes.size(); i += 9) {
        double value = 0;
        std::memcpy(&value, bytes.data() + i, sizeof(value));
        if (std::isfinite(value)) {
            check_value(value, bytes[i + 8] % 18);
        }
    }
}

}  // namespace animbridge::test

// SPDX-License-Identifier: MIT
#include "formats/bvh/text/text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "formats/bvh/text/powers_of_ten.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define ANIMBRIDGE_SSSE3 __attribute__((target("ssse3")))
#include <immintrin.h>
#endif

// The reader's hot loop. A mantissa of up to 2^53 divided by an exact power of ten rounds correctly in one
// division (Clinger's fast path); everything else takes the slow path.
namespace animbridge::bvh::text {

namespace {

/// The fast paths read up to this many bytes from a token's start: a sign, 19 digits, a point and the rest.
constexpr std::ptrdiff_t margin = 32;

const char* skip_blanks(const char* p, const char* end) {
    while (p != end && is_blank(*p)) {
        ++p;
    }
    return p;
}

/// Parses the token at `p` on the slow path. Returns its end, or null if it is not a number.
const char* parse_slowly(const char* p, const char* end, double& out) {
    const char* const token_end = std::find_if(p, end, is_blank);
    const ParsedNumber number = parse_number({p, static_cast<std::size_t>(token_end - p)});
    if (number.problem != NumberProblem::none) {
        return nullptr;
    }
    out = number.value;
    return token_end;
}

/// Parses the token at `p` digit by digit. Returns its end, or null if the fast path does not apply.
inline const char* parse_digits(const char* p, double& out) {
    constexpr std::ptrdiff_t max_digits = 19;
    constexpr std::uint64_t max_mantissa = std::uint64_t{1} << 53U;
    const auto digit = [](char c) { return static_cast<unsigned>(c) - '0'; };
    const bool negative = *p == '-';
    p += negative ? 1 : 0;
    std::uint64_t mantissa = 0;
    const char* const first = p;
    for (; digit(*p) < 10 && p - first < max_digits; ++p) {
        mantissa = mantissa * 10 + digit(*p);
    }
    std::ptrdiff_t digits = p - first;
    std::ptrdiff_t decimals = 0;
    if (*p == '.') {
        const char* const fraction = ++p;
        for (; digit(*p) < 10 && digits < max_digits; ++p, ++digits) {
            mantissa = mantissa * 10 + digit(*p);
        }
        decimals = p - fraction;
    }
    if (digits == 0 || mantissa > max_mantissa || !is_blank(*p)) {
        return nullptr;
    }
    const double value = static_cast<double>(mantissa) / powers_of_ten[static_cast<std::size_t>(decimals)];
    out = negative ? -value : value;
    return p;
}

}  // namespace

std::size_t parse_numbers_portably(const char*& cursor, const char* end, std::span<double> out) {
    std::size_t count = 0;
    const char* p = skip_blanks(cursor, end);
    while (count < out.size() && p != end) {
        const char* after = end - p >= margin ? parse_digits(p, out[count]) : nullptr;
        if (after == nullptr) {
            after = parse_slowly(p, end, out[count]);
        }
        if (after == nullptr) {
            break;
        }
        ++count;
        p = skip_blanks(after, end);
    }
    cursor = p;
    return count;
}

#ifdef ANIMBRIDGE_SSSE3

namespace {

using Shuffle = std::array<std::uint8_t, 16>;

/// The shuffle for a token of `length` bytes with its point at `point` (`length` if it has none). It moves
/// the digits to the register's end, drops the point and puts zeros before them.
constexpr Shuffle shuffle_for(int length, int point) {
    Shuffle shuffle{};
    const int last = point < length ? length - 1 : length;
    for (int i = 0; i < 16; ++i) {
        const int place = i + last - 15;
        const int from = place <= point ? place - 1 : place;
        shuffle[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(from < 0 ? 0x80 : from);
    }
    return shuffle;
}

constexpr std::array<Shuffle, 256> make_shuffles() {
    std::array<Shuffle, 256> shuffles{};
    for (int length = 0; length < 16; ++length) {
        for (int point = 0; point <= length; ++point) {
            shuffles[static_cast<std::size_t>(length) * 16 + static_cast<std::size_t>(point)] =
                shuffle_for(length, point);
        }
    }
    return shuffles;
}

alignas(64) constexpr std::array<Shuffle, 256> shuffles = make_shuffles();

/// The number that 16 digits make, one per byte (0 to 9).
ANIMBRIDGE_SSSE3 inline std::uint64_t number_of(__m128i digits) {
    const __m128i tens = _mm_set1_epi16(0x010A);
    const __m128i hundreds = _mm_set1_epi32(0x00010064);
    const __m128i ten_thousands = _mm_set1_epi32(0x00012710);
    const __m128i pairs = _mm_maddubs_epi16(digits, tens);
    const __m128i fours = _mm_madd_epi16(pairs, hundreds);
    const __m128i eights = _mm_madd_epi16(_mm_packs_epi32(fours, fours), ten_thousands);
    const auto both = static_cast<std::uint64_t>(_mm_cvtsi128_si64(eights));
    return (both & 0xFFFFFFFFU) * 100'000'000U + (both >> 32U);
}

/// Parses the token at `p` in one register. Returns its end, or null if this path does not apply: 16 bytes or
/// more, an exponent, or not a number.
ANIMBRIDGE_SSSE3 inline const char* parse_register(const char* p, double& out) {
    __m128i text;
    std::memcpy(&text, p, sizeof(text));
    const auto mask = [](__m128i bytes) { return static_cast<unsigned>(_mm_movemask_epi8(bytes)); };
    // Bytes from 0x80 up also compare as below the space; the is_blank test below refuses them.
    const unsigned ends = mask(_mm_cmplt_epi8(text, _mm_set1_epi8(0x21)));
    if (ends == 0) {
        return nullptr;
    }
    const auto length = static_cast<unsigned>(std::countr_zero(ends));
    const unsigned token = (ends ^ (ends - 1U)) >> 1U;
    const unsigned points = mask(_mm_cmpeq_epi8(text, _mm_set1_epi8('.'))) & token;
    const __m128i values = _mm_sub_epi8(text, _mm_set1_epi8('0'));
    const __m128i are_digits = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
    const unsigned digits = mask(are_digits) & token;
    const unsigned negative = *p == '-' ? 1U : 0U;
    const auto point = static_cast<unsigned>(std::countr_zero(points | ends));
    if ((digits | points | negative) != token || (points & (points - 1U)) != 0 || digits == 0 ||
        !is_blank(p[length])) {
        return nullptr;
    }
    __m128i order;
    std::memcpy(&order, shuffles[length * 16U + point].data(), sizeof(order));
    const std::uint64_t mantissa = number_of(_mm_shuffle_epi8(_mm_and_si128(values, are_digits), order));
    const unsigned decimals = length - point - (points != 0 ? 1U : 0U);
    // At most 15 digits, so the mantissa is exact.
    const double value = static_cast<double>(static_cast<std::int64_t>(mantissa)) / powers_of_ten[decimals];
    out = std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) | std::uint64_t{negative} << 63U);
    return p + length;
}

ANIMBRIDGE_SSSE3 std::size_t parse_numbers_in_registers(const char*& cursor, const char* end,
                                                        std::span<double> out) {
    std::size_t count = 0;
    const char* p = skip_blanks(cursor, end);
    while (count < out.size() && end - p >= margin) {
        const char* after = parse_register(p, out[count]);
        if (after == nullptr) {
            after = parse_digits(p, out[count]);
        }
        if (after == nullptr) {
            after = parse_slowly(p, end, out[count]);
        }
        if (after == nullptr) {
            break;
        }
        ++count;
        p = skip_blanks(after, end);
    }
    cursor = p;
    return count + (count < out.size() ? parse_numbers_portably(cursor, end, out.subspan(count)) : 0);
}

}  // namespace

std::size_t parse_numbers(const char*& cursor, const char* end, std::span<double> out) {
    // GCC returns an int here, clang a bool.
    static const auto has_registers = static_cast<bool>(__builtin_cpu_supports("ssse3"));
    return has_registers ? parse_numbers_in_registers(cursor, end, out)
                         : parse_numbers_portably(cursor, end, out);
}

#else

std::size_t parse_numbers(const char*& cursor, const char* end, std::span<double> out) {
    return parse_numbers_portably(cursor, end, out);
}

#endif

}  // namespace animbridge::bvh::text

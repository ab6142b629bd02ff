// SPDX-License-Identifier: MIT
#include "rig/humanoid/humanoid.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_map>

#include "rig/humanoid/parts.h"

namespace animbridge::rig::humanoid {

namespace {

constexpr std::size_t longest_joint_name = 256;

enum class Letter : std::uint8_t { lower, upper, digit, other, separator };

Letter kind_of_letter(char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter >= 'a' && letter <= 'z') {
        return Letter::lower;
    }
    if (letter >= 'A' && letter <= 'Z') {
        return Letter::upper;
    }
    if (letter >= '0' && letter <= '9') {
        return Letter::digit;
    }
    return byte >= 0x80 ? Letter::other : Letter::separator;
}

/// Latin letters with accents as the letters without them, U+00C0 to U+00FF in pairs of code and letter. '?':
/// no letter, or two (below).
constexpr std::string_view plain_letters = "AAAAAA?CEEEEIIII?NOOOOO?OUUUUY??aaaaaa?ceeeeiiii?nooooo?ouuuuy?y";
constexpr std::array<std::pair<unsigned, std::string_view>, 5> letter_pairs = {
    {{0xC6, "AE"}, {0xDF, "ss"}, {0xE6, "ae"}, {0x152, "OE"}, {0x153, "oe"}}};

/// A character as ASCII if it is one of Latin with an accent, full width (U+FF01 to U+FF5E), the wide space
/// or the Japanese middle dot; "" for an accent of its own; else nullopt.
std::optional<std::string> as_ascii(unsigned code) {
    for (const auto& [pair, letters] : letter_pairs) {
        if (code == pair) {
            return std::string(letters);
        }
    }
    if (code >= 0xC0 && code <= 0xFF && plain_letters[code - 0xC0] != '?') {
        return std::string(1, plain_letters[code - 0xC0]);
    }
    if (code >= 0x300 && code <= 0x36F) {
        return "";
    }
    if (code >= 0xFF01 && code <= 0xFF5E) {
        return std::string(1, static_cast<char>(code - 0xFEE0));
    }
    return code == 0x3000 || code == 0x30FB ? std::optional<std::string>(" ") : std::nullopt;
}

/// Letters with accents and letters of full width as ASCII, so that "Hüfte" is one word.
std::string folded(std::string_view text) {
    std::string ascii;
    const auto byte = [&](std::size_t at) {
        return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
    };
    for (std::size_t i = 0; i < text.size();) {
        const bool is_two = (byte(i) & 0xE0U) == 0xC0 && (byte(i + 1) & 0xC0U) == 0x80;
        const bool is_three = (byte(i) & 0xF0U) == 0xE0 && (byte(i + 1) & 0xC0U) == 0x80;
        const unsigned code =
            is_two     ? (byte(i) & 0x1FU) << 6U | (byte(i + 1) & 0x3FU)
            : is_three ? (byte(i) & 0x0FU) << 12U | (byte(i + 1) & 0x3FU) << 6U | (byte(i + 2) & 0x3FU)
                       : 0;
        const std::size_t length = is_two ? 2 : is_three ? 3 : 1;
        ascii += as_ascii(code).value_or(std::string(text.substr(i, length)));
        i += length;
    }
    return ascii;
}

/// Whether a token ends before text[i].
bool is_token_border(std::string_view text, std::size_t i) {
    const Letter before = kind_of_letter(text[i - 1]);
    const Letter here = kind_of_letter(text[i]);
    if (before == here) {
        // "HIPJoint": the last capital belongs to the next word.
        return here == Letter::upper && i + 1 < text.size() && kind_of_letter(text[i + 1]) == Letter::lower;
    }
    return !(before == Letter::upper && here == Letter::lower);
}

bool is_number_token(const std::string& token) { return kind_of_letter(token.front()) == Letter::digit; }

std::string lowered(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](char letter) {
        return kind_of_letter(letter) == Letter::upper ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    return lower;
}

constexpr std::array<std::pair<std::string_view, Side>, 41> glued_sides = {{
    {"left", Side::left},      {"right", Side::right},   {"左", Side::left},       {"右", Side::right},
    {"l", Side::left},         {"r", Side::right},       {"lt", Side::left},       {"rt", Side::right},
    {"lft", Side::left},       {"rgt", Side::right},     {"links", Side::left},    {"rechts", Side::right},
    {"linke", Side::left},     {"linker", Side::left},   {"linkes", Side::left},   {"rechte", Side::right},
    {"rechter", Side::right},  {"rechtes", Side::right}, {"hidari", Side::left},   {"migi", Side::right},
    {"zuo", Side::left},       {"you", Side::right},     {"gauche", Side::left},   {"droite", Side::right},
    {"droit", Side::right},    {"izq", Side::left},      {"der", Side::right},     {"izquierda", Side::left},
    {"izquierdo", Side::left}, {"derecha", Side::right}, {"derecho", Side::right}, {"sinistra", Side::left},
    {"sinistro", Side::left},  {"destra", Side::right},  {"destro", Side::right},  {"sx", Side::left},
    {"dx", Side::right},       {"esquerda", Side::left}, {"esquerdo", Side::left}, {"direita", Side::right},
    {"direito", Side::right},
}};
/// The first of these also occur inside a word: "leftarm", "mhipleft", "左腕".
constexpr std::size_t sides_inside_words = 4;

/// Removes the side from a word.
std::pair<std::string, Side> word_and_side(const std::string& token) {
    for (std::size_t i = 0; i < sides_inside_words; ++i) {
        const auto& [word, side] = glued_sides[i];
        if (token.size() > word.size() + 1 && token.starts_with(word)) {
            return {token.substr(word.size()), side};
        }
        if (token.size() > word.size() + 1 && token.ends_with(word)) {
            return {token.substr(0, token.size() - word.size()), side};
        }
    }
    return {token, Side::centre};
}

void append_token(std::string& text, const std::string& token) {
    const bool parts_numbers =
        !text.empty() && kind_of_letter(text.back()) == Letter::digit && is_number_token(token);
    text += (parts_numbers ? "." : "") + token;
}

/// The token that at least this share of the names have at `place`; "" if there is none.
template <typename Place>
std::string common_token(const std::vector<NameTokens>& names, const Place& place,
                         double least_share = 2.0 / 3.0) {
    std::unordered_map<std::string_view, std::size_t> counts;
    const double least = least_share * static_cast<double>(names.size());
    for (const NameTokens& name : names) {
        const std::string* token = place(name);
        if (token != nullptr && static_cast<double>(++counts[*token]) >= least) {
            return *token;
        }
    }
    return "";
}

}  // namespace

std::string_view without_namespace(std::string_view name) {
    const std::size_t border = name.find_last_of(":|");
    return border == std::string_view::npos || border + 1 == name.size() ? name : name.substr(border + 1);
}

NameTokens tokens_of(std::string_view name) {
    if (name.size() > longest_joint_name) {
        return {};
    }
    const std::string text = folded(without_namespace(name));
    NameTokens made;
    std::size_t begin = 0;
    for (std::size_t i = 1; i <= text.size(); ++i) {
        if (i < text.size() && !is_token_border(text, i)) {
            continue;
        }
        if (kind_of_letter(text[begin]) == Letter::separator) {
            // "__Clavicle_L" is a different joint from "Clavicle_L".
            if (i < text.size() && i - begin >= (begin == 0 ? 2 : 3)) {
                made.tokens.emplace_back("_");
            }
        } else {
            made.tokens.push_back(lowered(std::string_view(text).substr(begin, i - begin)));
            // "LUArm", "ULArm": two capitals before the word, one of which is the side.
            std::string& token = made.tokens.back();
            if (made.tokens.size() == 1 && i - begin == 2 && i < text.size() &&
                kind_of_letter(text[begin + 1]) == Letter::upper &&
                (token[0] == 'l' || token[0] == 'r' || token == "ul" || token == "ur")) {
                const std::string second = token.substr(1);
                token.resize(1);
                made.tokens.push_back(second);
            }
        }
        begin = i;
    }
    return made;
}

std::optional<Side> side_of_token(std::string_view token) {
    for (const auto& [word, side] : glued_sides) {
        if (word == token) {
            return side;
        }
    }
    return std::nullopt;
}

NameKey key_of(const NameTokens& name, std::size_t first, std::size_t last) {
    NameKey key;
    last = std::min(last, name.tokens.size());
    std::size_t side_at = last;
    // "LArmR": the first letter says that it is the lower arm.
    const bool is_lower = last == first + 3 && name.tokens[first] == "l" &&
                          name.tokens[last - 1].size() == 1 && side_of_token(name.tokens[last - 1]);
    for (std::size_t i = is_lower ? last - 1 : first; i < last && key.side == Side::centre; ++i) {
        if (const auto side = side_of_token(name.tokens[i])) {
            key.side = *side;
            side_at = i;
        }
    }
    for (std::size_t i = first; i < last; ++i) {
        append_token(key.whole, name.tokens[i]);
        if (i == side_at) {
            continue;
        }
        if (key.side != Side::centre) {
            append_token(key.part, name.tokens[i]);
            continue;
        }
        auto [word, side] = word_and_side(name.tokens[i]);
        if (side != Side::centre) {
            key.side = side;
            side_at = i;
        }
        append_token(key.part, word);
    }
    return key;
}

std::string_view without_number(std::string_view name) {
    const std::size_t at = name.find_last_not_of("0123456789") + 1;
    // "spine1" is a name as it is.
    const bool has_number = at < name.size() && at > 1 && kind_of_letter(name[at - 1]) == Letter::separator;
    return has_number ? name.substr(0, at - 1) : name;
}

bool has_numbers_of_their_own(std::span<const std::string> names) {
    std::vector<std::string_view> numbers;
    for (const std::string_view name : names) {
        if (const auto length = without_number(name).size(); length < name.size()) {
            numbers.push_back(name.substr(length + 1));
        }
    }
    std::ranges::sort(numbers);
    const bool are_different = std::ranges::adjacent_find(numbers) == numbers.end();
    constexpr std::size_t fewest = 5;
    return are_different && numbers.size() >= fewest && numbers.size() * 3 >= names.size() * 2;
}

namespace {

/// Words that say that a joint is a joint.
bool is_bind_word(std::string_view token) {
    constexpr std::array<std::string_view, 12> words = {"bind", "bnd",  "jnt", "joint", "jt",     "bone",
                                                        "bn",   "skin", "skn", "def",   "deform", "rig"};
    return std::ranges::find(words, token) != words.end();
}

/// The name without such words, and without separators at its end; as it is if nothing else is in it.
std::string without_bind_words(std::string_view name) {
    std::string rest;
    std::size_t begin = 0;
    for (std::size_t i = 1; i <= name.size(); ++i) {
        if (i < name.size() && !is_token_border(name, i)) {
            continue;
        }
        const std::string_view part = name.substr(begin, i - begin);
        const bool is_word = kind_of_letter(part.front()) != Letter::separator && is_bind_word(lowered(part));
        // The separator after a word goes with it, so that "a_bind_b" is "a_b".
        const bool is_second = !part.empty() && kind_of_letter(part.front()) == Letter::separator &&
                               (rest.empty() || kind_of_letter(rest.back()) == Letter::separator) &&
                               begin > 0;
        rest += is_word || is_second ? std::string_view() : part;
        begin = i;
    }
    if (rest.size() == name.size()) {
        return rest;
    }
    while (!rest.empty() && kind_of_letter(rest.back()) == Letter::separator) {
        rest.pop_back();
    }
    return rest.empty() ? std::string(name) : rest;
}

/// Whether ".x" says that a joint is of neither side, as ".l" and ".r" say the sides.
bool have_centre_suffix(std::span<const std::string> names) {
    constexpr std::array<std::string_view, 3> suffixes = {".l", ".r", ".x"};
    return std::ranges::all_of(suffixes, [&](std::string_view suffix) {
        return std::ranges::any_of(names, [&](const std::string& name) { return name.ends_with(suffix); });
    });
}

}  // namespace

std::vector<std::string> bare_names(std::span<const std::string> names) {
    const bool are_counted = has_numbers_of_their_own(names);
    const bool have_centre = have_centre_suffix(names);
    std::vector<std::string> bare;
    bare.reserve(names.size());
    std::size_t with_words = 0;
    std::vector<std::string> without_words;
    without_words.reserve(names.size());
    for (const std::string& name : names) {
        bare.emplace_back(are_counted ? without_number(name) : name);
        if (have_centre && bare.back().size() > 2 && bare.back().ends_with(".x")) {
            bare.back().resize(bare.back().size() - 2);
        }
        without_words.push_back(without_bind_words(bare.back()));
        with_words += without_words.back().size() < bare.back().size() ? 1 : 0;
    }
    // In a few names such words tell joints apart: "LHipJoint" is not "LHip".
    constexpr std::size_t fewest = 5;
    return with_words >= fewest && with_words * 2 >= names.size() ? without_words : bare;
}

SharedTokens shared_tokens(const std::vector<NameTokens>& names) {
    SharedTokens shared;
    constexpr std::size_t fewest = 5;
    constexpr std::size_t most = 4;
    if (names.size() < fewest) {
        return shared;
    }
    // A root may have a name of its own; of a bird, most joints may be wings.
    constexpr double nearly_all = 0.9;
    const auto first_token = [](const NameTokens& name) {
        return name.tokens.empty() ? nullptr : &name.tokens.front();
    };
    shared.beginning = common_token(names, first_token, nearly_all);
    for (bool found = true; found && shared.prefix.size() < most;) {
        const std::string token = common_token(names, [&](const NameTokens& name) -> const std::string* {
            const std::size_t at = shared.prefix.size();
            return name.tokens.size() > at + 1 && prefix_length(name, shared.prefix) == at ? &name.tokens[at]
                                                                                           : nullptr;
        });
        found = !token.empty() && !side_of_token(token);
        if (found) {
            shared.prefix.push_back(token);
        }
    }
    const std::string token = common_token(names, [&](const NameTokens& name) -> const std::string* {
        return name.tokens.size() > shared.prefix.size() + 1 ? &name.tokens.back() : nullptr;
    });
    if (!token.empty() && !side_of_token(token) && !is_number_token(token)) {
        shared.suffix.push_back(token);
    }
    return shared;
}

std::size_t prefix_length(const NameTokens& name, const std::vector<std::string>& prefix) {
    const bool has =
        name.tokens.size() > prefix.size() && std::equal(prefix.begin(), prefix.end(), name.tokens.begin());
    return has ? prefix.size() : 0;
}

std::size_t suffix_length(const NameTokens& name, const std::vector<std::string>& suffix) {
    const bool has = name.tokens.size() > suffix.size() &&
                     std::equal(suffix.rbegin(), suffix.rend(), name.tokens.rbegin());
    return has ? suffix.size() : 0;
}

std::string plain_name(std::string_view name) {
    std::string plain = lowered(without_namespace(name));
    std::ranges::replace_if(
        plain, [](char letter) { return kind_of_letter(letter) == Letter::separator && letter != '*'; }, '_');
    return plain;
}

namespace {

constexpr std::size_t longest_name_with_role = 256;

bool has_role_pattern(const RigFile& rig, JointRole role, const std::string& pattern) {
    return std::ranges::any_of(rig.roles, [&](const auto& each) {
        return each.first == role && std::ranges::find(each.second, pattern) != each.second.end();
    });
}

}  // namespace

JointRoles::JointRoles(const RigFile& rig) {
    for (const auto& [role, patterns] : rig.roles) {
        for (const std::string& pattern : patterns) {
            add(role, pattern);
        }
    }
}

JointRoles::JointRoles(std::span<const RigFile> rigs) {
    if (rigs.empty()) {
        return;
    }
    for (const auto& [role, patterns] : rigs.front().roles) {
        for (const std::string& pattern : patterns) {
            if (std::ranges::all_of(rigs, [&, wanted = role](const RigFile& rig) {
                    return has_role_pattern(rig, wanted, pattern);
                })) {
                add(role, pattern);
            }
        }
    }
}

void JointRoles::add(JointRole role, const std::string& pattern) {
    const bool open_begin = pattern.starts_with('*');
    const bool open_end = pattern.size() > 1 && pattern.ends_with('*');
    const std::string text = plain_name(std::string_view(pattern).substr(
        open_begin ? 1 : 0, pattern.size() - (open_begin ? 1 : 0) - (open_end ? 1 : 0)));
    if (open_begin || open_end) {
        open_.push_back({text, open_begin, open_end, role});
    } else {
        whole_.emplace(text, role);
    }
}

JointRole JointRoles::of(std::string_view name) const {
    if (name.size() > longest_name_with_role) {
        return JointRole::none;
    }
    const std::string text = plain_name(name);
    if (const auto found = whole_.find(text); found != whole_.end()) {
        return found->second;
    }
    for (const Pattern& pattern : open_) {
        const bool fits = pattern.open_begin && pattern.open_end
                              ? text.find(pattern.text) != std::string::npos
                          : pattern.open_begin ? text.ends_with(pattern.text)
                                               : text.starts_with(pattern.text);
        if (fits) {
            return pattern.role;
        }
    }
    return JointRole::none;
}

JointRole JointRoles::of(const JointNames& names, std::size_t joint) const {
    // "FootEND" is "foot_end".
    std::string words;
    for (const std::string& token : names.tokens[joint].tokens) {
        words += (words.empty() ? "" : "_") + token;
    }
    for (const std::string_view name : {std::string_view(names.written[joint]),
                                        std::string_view(names.bare[joint]), std::string_view(words)}) {
        if (const JointRole role = of(name); role != JointRole::none) {
            return role;
        }
    }
    return JointRole::none;
}

std::vector<JointRole> JointRoles::of_all(const JointNames& names) const {
    std::vector<JointRole> roles;
    roles.reserve(names.written.size());
    for (std::size_t joint = 0; joint < names.written.size(); ++joint) {
        roles.push_back(of(names, joint));
    }
    return roles;
}

}  // namespace animbridge::rig::humanoid

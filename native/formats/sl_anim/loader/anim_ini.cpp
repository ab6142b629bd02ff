// SPDX-License-Identifier: MIT
#include "formats/sl_anim/loader/loader.h"

#include <algorithm>
#include <cmath>

#include "formats/sl_anim/loader/parts.h"

namespace animbridge::sl_anim::loader {

namespace {

using Words = std::vector<std::string_view>;

Words words_of(std::string_view line) {
    Words words;
    while (!(line = without_leading_blanks(line)).empty()) {
        const auto* const end = std::ranges::find_if(line, is_blank);
        words.push_back(line.substr(0, static_cast<std::size_t>(end - line.begin())));
        line.remove_prefix(words.back().size());
    }
    return words;
}

/// What a line must hold, worded for a message; null if it does.
using Wanted = const char*;

std::optional<float> number_of(std::string_view word) {
    const auto value = cast_float(word);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::int32_t> integer_of(std::string_view word, std::int32_t low, std::int32_t high) {
    const std::string_view digits = word.substr(word.starts_with('-') || word.starts_with('+') ? 1 : 0);
    const bool plain = std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    const auto value = plain && word.size() < 10 ? scan_integer(word) : std::nullopt;
    return value && *value >= low && *value <= high ? value : std::nullopt;
}

Wanted set_emote(AnimIni& ini, const Words& values) {
    if (values.size() != 1) {
        return "one name";
    }
    ini.emote = std::string(values.front());
    return nullptr;
}

Wanted set_priority(AnimIni& ini, const Words& values) {
    ini.priority = values.size() == 1 ? integer_of(values.front(), -1, 6) : std::nullopt;
    return ini.priority ? nullptr : "a whole number from -1 to 6";
}

Wanted set_loop(AnimIni& ini, const Words& values) {
    if (values.size() == 1 && (same_letters(values[0], "true") || same_letters(values[0], "false"))) {
        ini.loop = LoopShare{same_letters(values[0], "true")};
        return nullptr;
    }
    const auto in = values.size() == 2 ? number_of(values[0]) : std::nullopt;
    const auto out = values.size() == 2 ? number_of(values[1]) : std::nullopt;
    if (!in || !out || *in < 0.0F || *in > 1.0F || *out < 0.0F || *out > 1.0F) {
        return "true, false, or where the loop begins and ends as two numbers from 0 to 1";
    }
    ini.loop = LoopShare{true, *in, *out};
    return nullptr;
}

/// A line such as "0.3 linear"; viewers ignore the kind of ease.
Wanted set_ease(std::optional<float>& seconds, const Words& values) {
    seconds = values.size() == 2 ? number_of(values[0]) : std::nullopt;
    return seconds && *seconds >= 0.0F ? nullptr : "seconds and a kind of ease, as in \"0.3 linear\"";
}

Wanted set_hand(AnimIni& ini, const Words& values) {
    const auto pose = values.size() == 1 ? integer_of(values.front(), 0, 13) : std::nullopt;
    if (!pose) {
        return "a hand pose from 0 to 13";
    }
    ini.hand_pose = static_cast<std::uint32_t>(*pose);
    return nullptr;
}

bool set_volume(file::VolumeName& volume, std::string_view name) {
    if (name.size() >= volume.size()) {
        return false;
    }
    std::ranges::copy(name, volume.begin());
    return true;
}

/// Reads the numbers of a constraint's line, each by its word's index.
bool set_numbers(file::Constraint& constraint, const Words& values) {
    const auto set = [&](RawFloat& out, std::size_t place) {
        const auto number = number_of(values[place]);
        out = RawFloat(number.value_or(0.0F));
        return number.has_value();
    };
    bool right = set(constraint.ease_in_start, 1) && set(constraint.ease_in_stop, 2) &&
                 set(constraint.ease_out_start, 3) && set(constraint.ease_out_stop, 4);
    for (std::size_t i = 0; i < 3; ++i) {
        right = right && set(constraint.source_offset.at(i), 6 + i) &&
                set(constraint.target_offset.at(i), 10 + i) &&
                (values.size() < 16 || set(constraint.target_dir.at(i), 13 + i));
    }
    return right;
}

/// Normalises like the viewer, by the reciprocal length; a direction without length becomes 0.
void normalise_direction(file::RawVector& direction) {
    const float x = direction[0].value();
    const float y = direction[1].value();
    const float z = direction[2].value();
    const float length = std::sqrt(x * x + y * y + z * z);
    if (length > 0.0000001F) {
        const float scale = 1.0F / length;
        direction = {RawFloat(x * scale), RawFloat(y * scale), RawFloat(z * scale)};
    } else {
        direction = {};
    }
}

Wanted add_constraint(AnimIni& ini, const Words& values, std::uint8_t type) {
    constexpr Wanted wanted =
        "the chain's length, four times of its eases, the source's volume (15 letters at most) and offset, "
        "the target's "
        "volume and offset, and a direction or none";
    if (values.size() != 13 && values.size() != 16) {
        return wanted;
    }
    file::Constraint constraint;
    const auto chain = integer_of(values[0], 0, 255);
    if (!chain || !set_volume(constraint.source_volume, values[5]) ||
        !set_volume(constraint.target_volume, values[9]) || !set_numbers(constraint, values)) {
        return wanted;
    }
    if (ini.constraints.size() == static_cast<std::size_t>(file::max_constraints)) {
        return "10 constraints at most: with more the viewer ignores them all";
    }
    constraint.type = type;
    constraint.chain_length = static_cast<std::uint8_t>(*chain);
    normalise_direction(constraint.target_dir);
    ini.constraints.push_back(constraint);
    return nullptr;
}

struct Key {
    std::string_view name;
    Wanted (*set)(AnimIni& ini, const Words& values);
};

constexpr std::array<Key, 8> keys = {{
    {"emote", set_emote},
    {"priority", set_priority},
    {"loop", set_loop},
    {"easein", [](AnimIni& ini, const Words& values) { return set_ease(ini.ease_in_seconds, values); }},
    {"easeout", [](AnimIni& ini, const Words& values) { return set_ease(ini.ease_out_seconds, values); }},
    {"hand", set_hand},
    {"constraint", [](AnimIni& ini, const Words& values) { return add_constraint(ini, values, 0); }},
    {"planar_constraint", [](AnimIni& ini, const Words& values) { return add_constraint(ini, values, 1); }},
}};

Wanted set_line(AnimIni& ini, const Words& words) {
    const auto* const key =
        std::ranges::find_if(keys, [&](const Key& row) { return same_letters(row.name, words[0]); });
    if (key == keys.end()) {
        return "emote, priority, loop, easein, easeout, hand, constraint or planar_constraint";
    }
    if (words.size() < 3 || words[1] != "=") {
        return "a key, \"=\" and its values, with blanks between";
    }
    return key->set(ini, Words(words.begin() + 2, words.end()));
}

}  // namespace

Result<AnimIni> read_anim_ini(std::string_view text) {
    AnimIni ini;
    enum class Section : std::uint8_t { none, globals, joint } section = Section::none;
    std::int64_t number = 0;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        ++number;
        const Words words = words_of(line);
        if (words.empty() || words[0].front() == '#' ||
            (number == 1 && line.starts_with("Translations 1.0"))) {
            continue;
        }
        Wanted wanted = nullptr;
        if (words[0].front() == '[') {
            section = words[0] == "[GLOBALS]" ? Section::globals : Section::joint;
            ini.joint_sections += section == Section::joint ? 1U : 0U;
        } else if (section == Section::globals) {
            wanted = set_line(ini, words);
        } else if (section == Section::none) {
            wanted = "a section in brackets, as [GLOBALS]";
        }
        if (wanted != nullptr) {
            Error error{ErrorCode::bad_value,
                        "found \"" + std::string(line.substr(0, 60)) + "\", allowed is " + wanted};
            error.field = "anim.ini";
            error.line = number;
            return tl::unexpected<Error>(std::move(error));
        }
    }
    return ini;
}

}  // namespace animbridge::sl_anim::loader

// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <type_traits>
#include <vector>

#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/codes/codes.h"
#include "formats/sl_anim/fix/fix.h"

/// The table of mends, and the proof that each must pass.
namespace animbridge::sl_anim::fix {

// ---- a mend ----

/// What a mend did, and what it may have changed.
struct Change {
    std::string what{};                 ///< a sentence without its full stop
    std::vector<std::string> joints{};  ///< whose poses may differ; by the viewer's names
    double degrees = 0;                 ///< by how much at most, each in its parent's frame
    double mm = 0;
    double begin_seconds = 0;  ///< and only between these times
    double end_seconds = std::numeric_limits<double>::infinity();
    bool is_retimed = false;       ///< all times are stored anew, for another duration
    bool has_other_times = false;  ///< the loop shows other times of the same keys
    std::vector<std::string>
        carriers{};            ///< joints that move in place of others, and stay displaced as these do
    std::string not_mended{};  ///< why some places of the rule are left; empty: none is
};

/// The change, or why there is none.
using Outcome = tl::expected<Change, std::string>;

struct Asked {
    check::Places places;  ///< where the rule is broken, at least one
    bool keeps_shape = false;
    bool uses_spine = false;
};

struct Mend {
    std::string_view rule;
    Outcome (*apply)(file::Document& document, const Asked& asked);
    bool only_by_name = false;  ///< a matter of taste: the caller must ask for it
};

// In the order in which they are applied.
[[nodiscard]] std::vector<Mend> part_mends();
[[nodiscard]] std::vector<Mend> key_mends();
[[nodiscard]] std::vector<Mend> loop_mends();
[[nodiscard]] std::vector<Mend> position_mends();
[[nodiscard]] std::vector<Mend> header_mends();

// ---- what several mends need ----

/// The record that the viewer plays for a joint; null: none.
[[nodiscard]] file::Joint* record_of(file::Document& document, std::string_view joint);

/// The names of the places' joints, each once.
[[nodiscard]] std::vector<std::string> joints_of(const check::Places& places);

/// The places of each joint, whose places follow one another.
[[nodiscard]] std::vector<check::Places> by_joint(const check::Places& places);

[[nodiscard]] double largest_size(const check::Places& places);

/// The median gap between neighbouring key times, within 1/60 and 1/10 s.
[[nodiscard]] double frame_seconds(const file::Document& document);

/// Of mends that store times anew, or parts of the animation.
inline constexpr std::string_view not_of_legacy =
    "the keys are of version 0.1: convert them first (`animbridge convert IN OUT --as-stored`)";

/// When the viewer plays the key.
[[nodiscard]] inline float played_seconds(const file::CodedKey& key, const file::Document& document) {
    return codes::decode_time(key.time, document.duration.value());
}
[[nodiscard]] inline float played_seconds(const file::LegacyKey& key, const file::Document& /*document*/) {
    return key.time_seconds.value();
}

/// As places have it: those of version 0.1 are measured in the form that an upload stores.
[[nodiscard]] inline double seconds_of(const file::CodedKey& key, const file::Document& document) {
    return static_cast<double>(played_seconds(key, document));
}
[[nodiscard]] inline double seconds_of(const file::LegacyKey& key, const file::Document& document) {
    const float duration = document.duration.value();
    return seconds_of(file::CodedKey{codes::encode_time(key.time_seconds.value(), duration), {}}, document);
}
/// The steps in which times are stored.
[[nodiscard]] inline double step_seconds(const file::Document& document) {
    return static_cast<double>(document.duration.value() * codes::code_step);
}

/// Calls the function with the keys of the list that the document's version has.
template <typename Keys, typename Function>
decltype(auto) with_keys(Keys& list, const file::Document& document, Function&& function) {
    return document.version == file::Version::legacy ? function(list.legacy) : function(list.coded);
}

/// The time of a key as its version stores it: a code, or seconds.
[[nodiscard]] inline std::uint16_t time_of(const file::CodedKey& key) { return key.time; }
[[nodiscard]] inline float time_of(const file::LegacyKey& key) { return key.time_seconds.value(); }
template <typename Key>
using TimeOf = decltype(time_of(Key()));

/// The nearest time that the version stores.
template <typename Key>
[[nodiscard]] TimeOf<Key> stored_time(float seconds, float duration_seconds) {
    if constexpr (std::is_same_v<Key, file::CodedKey>) {
        return codes::encode_key_time(seconds, duration_seconds, codes::Encoder::nearest);
    } else {
        return seconds;
    }
}

/// What a position that is stored anew differs: up to a code on each axis.
inline constexpr double stored_mm = 0.3;
/// What a rotation that is stored anew differs.
inline constexpr double stored_degrees = 0.02;

/// How far joints of the names turn and move in the file, from rest or from one pose: a bound for a change
/// that lets them go.
struct Reach {
    double degrees = 0;
    double mm = 0;
};
[[nodiscard]] Reach reach_from_rest(const file::Document& document, const std::vector<std::string>& joints);

/// The largest difference between two times of the file.
[[nodiscard]] Reach difference_between(const file::Document& document, double seconds, double other_seconds);

/// Adds keys, each before the first later one; those at the same times give way. `made` ascends.
template <typename Key>
void put_keys(std::vector<Key>& keys, const std::vector<Key>& made);
/// A key of this version.
template <typename Key>
[[nodiscard]] Key key_of(const codes::Quaternion& value, TimeOf<Key> time);
template <typename Key>
[[nodiscard]] Key key_of(const codes::Vector& value, TimeOf<Key> time);
template <>
file::CodedKey key_of(const codes::Quaternion& value, std::uint16_t time);
template <>
file::CodedKey key_of(const codes::Vector& value, std::uint16_t time);
template <>
file::LegacyKey key_of(const codes::Quaternion& value, float time);
template <>
file::LegacyKey key_of(const codes::Vector& value, float time);

// ---- the proof ----

/// How far joints moved.
struct Moved {
    double degrees = 0;  ///< in its parent's frame
    double mm = 0;       ///< of any joint of the body, in the avatar's frame
};
/// ErrorCode does not matter: the reason says what the change did that it does not say.
[[nodiscard]] tl::expected<Moved, std::string> proven(const file::Document& before,
                                                      const file::Document& after, const Change& change);

}  // namespace animbridge::sl_anim::fix

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "base/options/options.h"
#include "model/clip/clip.h"

/// Finds the keys that a program needs to show the same motion, and verifies what it drops
/// (docs/second-life-reduction.md). The skeleton and the program's interpolation are arguments. A bound is in
/// millimetres and degrees, and holds at the times that the caller lists.
namespace animbridge::reduce {

/// The largest allowed errors of the played motion: of the position of every counted node in the skeleton's
/// frame, and of the local rotation of every animated node.
struct Bound {
    double position_mm = 0.5;
    double rotation_degrees = 0.05;

    [[nodiscard]] Bound scaled(double factor) const {
        return {position_mm * factor, rotation_degrees * factor};
    }
};

/// {"max_position_mm", "max_rotation_degrees"}
[[nodiscard]] inline Json bound_json(const Bound& bound) {
    return {{"max_position_mm", bound.position_mm}, {"max_rotation_degrees", bound.rotation_degrees}};
}

/// The rows "max_position_mm" and "max_rotation_degrees" for any Target with an optional `bound`. They set
/// it.
template <typename Target>
[[nodiscard]] constexpr std::array<OptionRow<Target>, 2> bound_rows() {
    return {{
        {{.name = "max_position_mm",
          .type = OptionType::number,
          .command_name = "--max-error",
          .value_name = "MM[,DEGREES]",
          .after_comma = "max_rotation_degrees",
          .high = no_limit,
          .above_low = true,
          .standard = "0.5",
          .unit = "mm",
          .help = "How far any joint may be off. The degrees are for its own rotation; if you leave them "
                  "out, they are a tenth of the millimetres"},
         [](Target& options, const Json& value) {
             options.bound = Bound().scaled(value.get<double>() / Bound().position_mm);
         }},
        {{.name = "max_rotation_degrees",
          .type = OptionType::number,
          .high = no_limit,
          .above_low = true,
          .without = "a tenth of max_position_mm",
          .unit = "degrees",
          .help = "How far a joint's own rotation may be off"},
         [](Target& options, const Json& value) {
             options.bound = options.bound.value_or(Bound());
             options.bound->rotation_degrees = value.get<double>();
         }},
    }};
}

/// The row "fit_bytes" for any Target with the member `fit_bytes`: 0 is no limit.
template <typename Target>
inline constexpr std::array<OptionRow<Target>, 1> fit_rows = {{
    {{.name = "fit_bytes",
      .type = OptionType::integer,
      .command_name = "--fit",
      .value_name = "BYTES",
      .low = 1,
      .high = 9007199254740992.0,
      .without = "no limit",
      .unit = "bytes",
      .help = "Drop keys, with the smallest error, until the file is no larger than this"},
     [](Target& options, const Json& value) {
         options.fit_bytes = static_cast<std::uint64_t>(value.get<std::int64_t>());
     }},
}};

// ---- the motion, as a program plays it ----

/// A rotation or translation track as the program plays it: keys are sorted, at most one per time.
struct KeyTrack {
    std::string name;                 ///< the joint's name, for reports
    std::optional<std::size_t> node;  ///< index in the skeleton; nullopt: the skeleton lacks the joint
    Channel channel = Channel::rotation;
    bool may_lose_keys = false;
    std::vector<float> times;  ///< seconds, at least one
    /// The values to reproduce at each checked time, rotations of unit length. Both empty: what all keys of
    /// the track play.
    std::vector<glm::dquat> wanted_rotations{};
    std::vector<glm::dvec3> wanted_translations{};

    [[nodiscard]] std::size_t size() const { return times.size(); }
};

/// Per key of a track: 1 if it stays, else 0.
using Kept = std::vector<std::uint8_t>;

/// The keys around a time, among the kept ones or among all.
struct Bracket {
    std::size_t left = 0;
    std::size_t right = 0;  ///< equal to left before the first key, at a key and after the last
};

/// What the program plays between two keys of a track, in the program's own precision.
class Playback {
public:
    Playback() = default;
    virtual ~Playback() = default;
    Playback(const Playback&) = delete;
    Playback& operator=(const Playback&) = delete;
    Playback(Playback&&) = delete;
    Playback& operator=(Playback&&) = delete;

    /// Of unit length; for a rotation track.
    [[nodiscard]] virtual glm::dquat rotation(std::size_t track, const Bracket& keys,
                                              float seconds) const = 0;
    /// In metres; for a translation track.
    [[nodiscard]] virtual glm::dvec3 translation(std::size_t track, const Bracket& keys,
                                                 float seconds) const = 0;
};

/// The tracks, the nodes that they move, and how they are played. All must outlive their users.
struct PlayedMotion {
    const Skeleton& skeleton;
    const std::vector<bool>& counted;  ///< per node: whether the bound holds for its position
    const std::vector<KeyTrack>& tracks;
    const Playback& playback;
};

// ---- fewer keys ----

/// The largest errors, with joint and time.
struct Errors {
    double position_mm = 0;
    std::string position_joint{};
    double position_at_seconds = 0;
    double rotation_degrees = 0;
    std::string rotation_joint{};
    double rotation_at_seconds = 0;
};

struct Reduced {
    std::vector<Kept> kept;       ///< per track
    std::size_t keys_before = 0;  ///< in the tracks whose keys may be dropped
    std::size_t keys_after = 0;
    Errors errors;
    bool holds = true;  ///< false: the bound does not hold even with all keys, for lack of precision
    std::uint64_t operations = 0;  ///< evaluations of one track at one time: a measure of the work
};

/// Drops keys within a bound and verifies the result: plays the kept keys like the program, at every time,
/// and puts keys back until the bound holds or all keys are back. Deterministic.
class Reducer {
public:
    /// `times`: ascending seconds at which the bound must hold. The parts of `motion` must outlive this.
    Reducer(const PlayedMotion& motion, std::vector<float> times);

    [[nodiscard]] Result<Reduced> within(const Bound& bound, const Job& job) const;

private:
    [[nodiscard]] std::vector<Kept> seed(const Bound& bound, std::uint64_t& operations) const;

    PlayedMotion motion_;
    std::vector<float> times_;
    std::vector<double> reaches_;  ///< per node: metres to its farthest counted descendant at rest
};

struct Fitted {
    Reduced reduced;
    Bound bound;  ///< the file fits under this bound
    std::size_t bytes = 0;
};

/// Finds the smallest bound, in the ratio of `unit` and to 2 %, under which the reduced file has at most
/// `limit` bytes. With `at_least_unit`, the bound is `unit` or larger. `bytes_of` returns the size of a file
/// with only the kept keys. ErrorCode::rejected if even one key per track is too large; the message says how
/// large.
[[nodiscard]] Result<Fitted> fit(const Reducer& reducer, const Bound& unit, bool at_least_unit,
                                 std::size_t limit,
                                 const std::function<std::size_t(const std::vector<Kept>&)>& bytes_of,
                                 const Job& job);

// ---- keys of our own: any value, at any sample ----

/// How a format holds values of keys, and how the program plays them, in the program's own precision.
class Storage {
public:
    Storage() = default;
    virtual ~Storage() = default;
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;
    Storage(Storage&&) = delete;
    Storage& operator=(Storage&&) = delete;

    /// What the program plays of keys with these values: rotations of unit length, metres.
    [[nodiscard]] virtual std::vector<glm::dquat> held(const std::vector<glm::dquat>& rotations) const = 0;
    [[nodiscard]] virtual std::vector<glm::dvec3> held(const std::vector<glm::dvec3>& translations) const = 0;
    /// What it plays between two keys; rotations of unit length.
    [[nodiscard]] virtual glm::dquat between(const glm::dquat& a, const glm::dquat& b, float share) const = 0;
    [[nodiscard]] virtual glm::dvec3 between(const glm::dvec3& a, const glm::dvec3& b, float share) const = 0;
};

/// What one joint shall do.
struct ShownTrack {
    std::string name;                 ///< the joint's name, for reports
    std::optional<std::size_t> node;  ///< index in the skeleton; nullopt: the skeleton lacks the joint
    Channel channel = Channel::rotation;
    bool is_given = false;  ///< the file has its keys already, and plays these values
    // One value for each sample, rotations of unit length; one of the two is empty.
    std::vector<glm::dquat> rotations{};
    std::vector<glm::dvec3> translations{};
};

/// A motion by its samples. All parts must outlive their users.
struct ShownMotion {
    const Skeleton& skeleton;
    const std::vector<bool>& counted;  ///< per node: whether the bound holds for its position
    const std::vector<float>& times;   ///< of the samples, in seconds, ascending
    /// Per sample: when a key for it plays, as the format rounds its time. Ascending, and nearer to the
    /// sample than its neighbours.
    const std::vector<float>& key_times;
    const std::vector<ShownTrack>& tracks;
    const Storage& storage;
};

/// The keys of one track: their samples, and the values to store.
struct NewKeys {
    std::vector<std::uint32_t> samples;
    std::vector<glm::dquat> rotations;
    std::vector<glm::dvec3> translations;

    [[nodiscard]] std::size_t size() const { return samples.size(); }
};

struct NewMotion {
    std::vector<NewKeys> tracks;  ///< one for each track; empty for a given one
    std::size_t key_count = 0;
    Bound bound;  ///< under which the keys were chosen
    Errors errors;
    bool holds = true;  ///< false: the format is not precise enough for the bound
};

/// Finds few keys that show the motion within `bound` at every sample. If they are more than `most_keys`, or
/// without `bound`, finds the smallest bound that so many keys can meet, in the ratio of `bound` or Bound().
/// Values and times of keys are free. Parents come first: the keys of a joint make up for what its parents,
/// as played, are off. `most_keys` is at least the number of tracks. Deterministic.
[[nodiscard]] Result<NewMotion> new_keys(const ShownMotion& motion, const std::optional<Bound>& bound,
                                         std::size_t most_keys, const Job& job);

// ---- for linear interpolation only: the Ramer-Douglas-Peucker algorithm ----

/// Whether each key stays, so that at every key's time the lines between the kept keys are within the bound:
/// the distance in mm, or the angle in degrees after normalising the rotation. `bound` 0: all stay. The track
/// must have whole rows and more than one key, in order of time.
[[nodiscard]] std::vector<bool> needed_keys(const Track& track, double bound);

/// The track with only the needed keys.
[[nodiscard]] Track without_needless_keys(const Track& track, double bound);

}  // namespace animbridge::reduce

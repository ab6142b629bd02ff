// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/sl_anim/codes/codes.h"
#include "formats/sl_anim/file/file.h"

/// What a `.anim` does to the person who wears it, as numbers (docs/second-life-content.md): the motion as
/// the viewer plays it, evaluated once for all rules, and one measure for each rule. A measure does not
/// judge.
namespace animbridge::sl_anim::check {

// ---- the motion ----

/// Groups of joints that no other animation of a classic avatar moves.
enum class Part : std::uint8_t { none, fingers, face, tail, wings, hind_limbs, groin, eye };
inline constexpr std::array<std::string_view, 8> part_names = {"none",  "fingers",    "face",  "tail",
                                                               "wings", "hind limbs", "groin", "eyes"};

/// Changes that nobody sees: about ten codes.
inline constexpr double still_degrees = 0.02;
inline constexpr double still_metres = 0.0001;

/// How far a joint gets from one pose. A kind without keys stays.
struct Range {
    double degrees = 0;
    double metres = 0;
    double degrees_at = 0;
    double metres_at = 0;
};

/// A joint that the file moves: its first record, as the viewer holds it.
struct MovedJoint {
    std::size_t joint = 0;      ///< index into skeleton()
    std::string_view name;      ///< the viewer's
    std::int32_t priority = 0;  ///< its own, or the base priority
    Part part = Part::none;
    bool is_bone = false;
    glm::dquat rest_rotation{1, 0, 0, 0};
    glm::dvec3 rest_position{};
    codes::RotationKeys rotation;
    codes::PositionKeys position;
    Range from_rest{};   ///< over all keys
    Range from_start{};  ///< from the first key, over all keys

    [[nodiscard]] glm::dquat rotation_at(float seconds) const;
    [[nodiscard]] glm::dvec3 position_at(float seconds) const;
};

/// The joints in skeleton order.
struct Motion {
    std::vector<MovedJoint> joints;
    std::vector<float> times;    ///< of all keys, ascending, each once
    double frame_seconds = 0;    ///< the median gap between neighbouring times, within 1/60 and 1/10 s
    bool is_loop = false;        ///< the header's
    bool repeats = false;        ///< is_loop, and in < out <= duration
    bool is_still = false;       ///< nothing moves
    bool is_pose_stand = false;  ///< at least 120 bones are keyed
    bool is_reset = false;       ///< puts joints back at rest
    float duration = 0;
    float loop_in = 0;
    float loop_out = 0;
    float ease_in = 0;
    float ease_out = 0;

    [[nodiscard]] const MovedJoint* find(std::string_view name) const;
};

/// Of a document that the viewer loads. Version 0.1 is taken as the viewer stores it.
[[nodiscard]] Motion motion_of(const file::Document& document);

// ---- what several rules ask of a joint ----

/// A measured amount of a joint: degrees, or metres.
struct Amount {
    std::string_view joint;
    double size = 0;
    std::optional<double> seconds{};
};

/// From its pose at `reference`, within `begin` and `end`.
[[nodiscard]] Range range_of(const MovedJoint& joint, float reference, float begin, float end);

// ---- loops and times ----

/// The seam of a loop at one joint, and its usual step from frame to frame around it.
struct Seam {
    const MovedJoint* joint = nullptr;
    double degrees = 0;
    double step_degrees = 0;
    double metres = 0;
    double step_metres = 0;

    [[nodiscard]] bool jumps_by_rotation() const { return degrees > 2.0 && degrees > 2.0 * step_degrees; }
    [[nodiscard]] bool jumps_by_position() const { return metres > 0.01 && metres > 2.0 * step_metres; }
};
/// Of a motion that repeats. Where the body travels, mPelvis counts by its height.
[[nodiscard]] std::vector<Seam> seams(const Motion& motion);

/// For how long nothing moves after the loop's start and before its end.
struct LoopPauses {
    double start_seconds = 0;
    double end_seconds = 0;
};
[[nodiscard]] LoopPauses loop_pauses(const Motion& motion);

/// The largest rotation in the loop, from the pose at its start.
[[nodiscard]] Amount loop_motion(const Motion& motion);

struct Travel {
    double metres = 0;       ///< mPelvis's horizontal way from the loop's start to its end
    double path_metres = 0;  ///< the length of its horizontal path

    [[nodiscard]] bool leaves() const { return metres > 0.05 && metres > path_metres / 2.0; }
};
[[nodiscard]] Travel loop_travel(const Motion& motion);

/// How much longer than its ease-out a loop may play on after a stop; 0: it eases out at once.
[[nodiscard]] double stop_delay_seconds(const Motion& motion);
/// Whether something moves after the loop's end: then what plays after a stop is an outro.
[[nodiscard]] bool has_outro(const Motion& motion);

/// Where mPelvis is at the end of an animation that does not loop.
struct EndPlace {
    double metres = 0;
    double heading_degrees = 0;
};
[[nodiscard]] EndPlace end_place(const Motion& motion);

// ---- keys ----

/// A key that turns a joint away, and the next one turns it back.
struct Spike {
    std::string_view joint;
    double there_degrees = 0;
    double back_degrees = 0;
    double apart_degrees = 0;  ///< between the keys before and after it
    double rate_ratio = 0;     ///< its speed over the largest one near it
    double seconds = 0;
    double before_seconds = 0;
    double after_seconds = 0;

    [[nodiscard]] double degrees() const {
        return there_degrees < back_degrees ? there_degrees : back_degrees;
    }
};
/// The keys that turn a joint back by at least half of what they turned it, within 0.2 s.
[[nodiscard]] std::vector<Spike> spikes(const Motion& motion);

struct FirstFrame {
    double start_seconds = 0;
    double gap_seconds = 0;     ///< between the first two times
    Amount largest{};           ///< of the limb and spine joints
    std::size_t jumping = 0;    ///< those that jump by more than 15 degrees
    bool is_rest_pose = false;  ///< nearly all of them rest at the first time, and most of these do not then
    double next_degrees = 0;    ///< the largest change in the next interval as long
};
[[nodiscard]] FirstFrame first_frame(const Motion& motion);

/// Neighbouring rotation keys.
struct Turn {
    std::string_view joint;
    double degrees = 0;
    double gap_seconds = 0;
    double seconds = 0;
};
/// Those of at least `degrees`.
[[nodiscard]] std::vector<Turn> turns(const Motion& motion, double degrees);

/// Bytes that the player does not need.
[[nodiscard]] std::size_t redundant_bytes(const Motion& motion);

// ---- the body ----

/// Knees and elbows: how far they bend the wrong way. None if tail, wings or hind limbs move.
[[nodiscard]] std::vector<Amount> wrong_bends(const Motion& motion);

/// The deepest flat sole that stands: metres below its place at rest.
[[nodiscard]] std::optional<Amount> sunk_foot(const Motion& motion);

/// How far the viewer moves the body up (down: negative) when it measures it anew.
struct HeightChange {
    double largest_metres = 0;
    double seconds = 0;
    double end_metres = 0;
    std::string_view joint;  ///< the joint whose position changes it most
};
[[nodiscard]] HeightChange height_change(const Motion& motion);

/// Joints of a part that rest all the time, at a priority that hides others.
struct FrozenPart {
    Part part = Part::none;
    std::size_t keyed = 0;
    std::vector<std::string_view> still;
    std::int32_t priority = 0;  ///< the highest
};
[[nodiscard]] std::vector<FrozenPart> frozen_parts(const Motion& motion);

}  // namespace animbridge::sl_anim::check

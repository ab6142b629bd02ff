// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "model/clip/clip.h"
#include "rig/retarget/retarget.h"

/// Feet on the floor: when they stand, how well, and how the legs must turn so that they stand still. Clip
/// space, metres, seconds.
namespace animbridge::rig::retarget {

// ---- a leg through a motion ----

/// The joints of one side's leg.
struct LegJoints {
    std::string side;                    ///< "left" or "right"
    std::optional<std::size_t> upper{};  ///< none: there is no whole leg, only a foot
    std::optional<std::size_t> lower{};
    std::size_t foot = 0;
    std::optional<std::size_t> toes{};
    std::size_t toes_end = 0;         ///< the last joint of the toes
    std::optional<glm::dvec3> tip{};  ///< of the toes, in the frame of toes_end; none: nothing hangs on it
};

/// The joints of a slot, top first; none: the body lacks it.
using JointsOfSlot = std::function<std::vector<std::size_t>(const std::string& slot)>;

/// The legs with a foot, left first. If one of them has no toes, none has.
[[nodiscard]] std::vector<LegJoints> leg_joints(const Skeleton& skeleton, const JointsOfSlot& joints_of);

/// A leg's places at all times of a motion. What the leg lacks is empty.
struct LegPath {
    std::string side;
    std::vector<glm::dvec3> hips{};    ///< the head of the upper leg
    std::vector<glm::dquat> thighs{};  ///< the upper leg's rotations
    std::vector<glm::dvec3> knees{};
    std::vector<glm::dvec3> ankles{};
    std::vector<glm::dquat> feet{};   ///< the foot's rotations
    std::vector<glm::dvec3> balls{};  ///< the head of the toes
    std::vector<glm::dvec3> tips{};   ///< of the toes

    /// Adds a time. `at`: the joint's transform in clip space.
    void add(const LegJoints& joints, const std::function<Transform(std::size_t joint)>& at);
    [[nodiscard]] bool is_whole() const { return !hips.empty(); }
    /// The same in a space that is turned.
    [[nodiscard]] LegPath turned(const glm::dquat& turn) const;
};

/// About that of a person whose legs are as long; 0 without a whole leg.
[[nodiscard]] double hips_height_metres(const std::vector<LegPath>& legs);

// ---- when feet stand ----

/// Frames, first and last.
struct Contact {
    std::size_t first = 0;
    std::size_t last = 0;
};

/// When one foot is on the floor: its heel, and the ball at the head of its toes. A foot without toes has
/// only a heel, which is its ankle.
struct FootContacts {
    std::vector<Contact> heel{};
    std::vector<Contact> ball{};

    /// When any of them is.
    [[nodiscard]] std::vector<Contact> standing() const;
};

/// The frames at which a motion's loop begins and ends: the same pose, and what follows the last one is what
/// follows the first.
using LoopFrames = std::optional<Contact>;

/// Those of the clip's markers, or the whole motion if it ends as it begins.
[[nodiscard]] LoopFrames loop_frames(const Clip& clip, const std::vector<LegPath>& legs,
                                     const std::vector<double>& times);

struct Planting;
struct StandingFeet;

/// A motion whose loop is played three times: the round in the middle has the loop before and after it. A
/// motion without a loop is played once.
class Rounds {
public:
    Rounds(const std::vector<double>& times, const LoopFrames& loop);

    [[nodiscard]] const std::vector<double>& times() const { return times_; }
    [[nodiscard]] std::vector<LegPath> played(const std::vector<LegPath>& legs) const;
    [[nodiscard]] StandingFeet played(const StandingFeet& standing) const;
    /// In the motion's frames: the loop as in the middle, with which what is before and after it joins.
    [[nodiscard]] StandingFeet once(const StandingFeet& standing) const;
    [[nodiscard]] Planting once(const Planting& planting) const;

private:
    /// Where what is before or after the loop joins it: played frames, and how much of the way between their
    /// corrections.
    struct Joint {
        std::size_t from = 0;
        std::size_t to = 0;
        double weight = 0;
    };
    [[nodiscard]] Joint joint_at(std::size_t frame) const;
    /// The played frame with the correction of a motion's frame.
    [[nodiscard]] std::size_t index_of(std::size_t frame) const;

    Contact loop_;
    std::vector<double> once_;         ///< the motion's times
    std::vector<std::size_t> frames_;  ///< of the motion, in the order in which they are played
    std::vector<double> times_;
};

/// When the feet of a body stand. All members are per leg.
struct StandingFeet {
    std::vector<FootContacts> contacts{};
    std::vector<std::vector<Contact>> supports{};  ///< when the foot carries the body, on whatever
    std::vector<std::vector<bool>> flat{};         ///< per frame: the whole sole is on the floor
    /// Turns clip space so that the floor on which the feet stand is level.
    glm::dquat level{1, 0, 0, 0};
    /// How far the heights over that floor differ at which the feet stand: there is a step, or a steep slope.
    /// 0: the floor is flat.
    double uneven_metres = 0;
    bool is_low = false;  ///< no foot carries the body, and one is still: the body sits, kneels or lies

    [[nodiscard]] bool ever() const;
};

/// The turn after which the floor is level, as each foot's own places show: floors of recordings slope by a
/// degree or two. None: the floor is level, or too steep for that.
[[nodiscard]] glm::dquat level_turn(const std::vector<LegPath>& legs,
                                    const std::vector<std::vector<Contact>>& supports,
                                    double hips_height_metres);

/// The floor's slope before that turn.
[[nodiscard]] double slope_degrees(const glm::dquat& level);

/// The floor is where the lower foot of an upright body stands still. A contact of a heel or ball begins when
/// it is low and slow; it ends when it has risen from its lowest place, has drifted from where it stood, or
/// is fast. The speed for the end is twice that for the start, but the last frames are slow again, and very
/// short contacts do not count, so that a foot near a limit does not flicker. All limits are in proportion to
/// `hips_height_metres`; if that is 0, no foot stands. On a floor that is not flat, only balls have contacts:
/// wherever they are still. A foot that never moves stands, whatever the body does. Contacts go on from the
/// end of a loop to its beginning.
[[nodiscard]] StandingFeet find_contacts(const std::vector<LegPath>& legs, const std::vector<double>& times,
                                         double hips_height_metres, const LoopFrames& loop);

/// Whether none of the feet ever moves farther than this.
[[nodiscard]] bool never_move(const std::vector<LegPath>& legs, double metres);

/// Where a foot's sole is, as the motion shows while the foot stands. Here and below, the floor is level.
/// Soles of one body need not be equally thick: recordings are not that exact.
struct Sole {
    /// The height of heel and ball on the floor. A foot that never stands has no ground.
    double ground_metres = std::numeric_limits<double>::lowest();
    glm::dvec3 heel{0, 0, 0};            ///< in the foot's frame, from the ankle
    std::optional<double> tip_metres{};  ///< the height of the tip of the toes; none: not known

    void lift(double metres) {
        ground_metres += metres;
        if (tip_metres) {
            *tip_metres += metres;
        }
    }
};
/// One for each leg.
[[nodiscard]] std::vector<Sole> soles_of(const std::vector<LegPath>& legs, const StandingFeet& standing);

/// How well a foot stands. `leg`: its index in `standing`.
[[nodiscard]] FootMeasure measure_foot(const LegPath& path, const Sole& sole, std::size_t leg,
                                       const StandingFeet& standing, const std::vector<double>& times);

/// The report on a foot, without what planting changed. `source`: where the contacts were found.
[[nodiscard]] FootReport foot_report(const LegPath& source, const Sole& source_sole, const LegPath& finished,
                                     const Sole& sole, std::size_t leg, const StandingFeet& standing,
                                     const std::vector<double>& times);

/// The largest change of the angle at the knee.
[[nodiscard]] double knee_change_degrees(const LegPath& before, const LegPath& after);

// ---- planting ----

/// Turns of a leg's joints, in clip space: they come after the joints' own rotations. Toes' includes the
/// foot's.
struct LegTurns {
    glm::dquat upper{1, 0, 0, 0};
    glm::dquat lower{1, 0, 0, 0};
    glm::dquat foot{1, 0, 0, 0};
    glm::dquat toes{1, 0, 0, 0};
};

/// How a body must move so that its feet are planted.
struct Planting {
    std::vector<std::vector<LegTurns>> turns{};  ///< per leg and frame; a leg that stays has none
    std::vector<double> lifts{};                 ///< per frame: how far the body is raised; below 0: lowered
    std::vector<std::string> unreached{};        ///< sides with a leg that is too short or too long

    glm::dvec3 up{0, 0, 1};  ///< where lifts go

    [[nodiscard]] double largest_lift() const;  ///< up or down
    /// For legs that were turned: for clip space.
    void turn_back(const glm::dquat& turn);
};

/// Keeps heels and balls in place while they are on the floor: the foot turns until its sole is flat, the
/// leg's two bones bring it there, with the knee in its plane, and toes that would sink bend up. The body
/// goes up and down so that legs keep their lengths, and feet in the air with it, but not into the floor;
/// where a leg is too short, it is lowered, and eased back. Corrections fade over 0.15 s before and after a
/// contact: 4 frames at 30 per second. They are the same at the loop's ends. If the floor is not flat, or no
/// foot ever moves, nothing is planted. `can_lift`: whether the body can be moved up and down.
[[nodiscard]] Planting plant(const std::vector<LegPath>& legs, const StandingFeet& standing,
                             const std::vector<Sole>& soles, const std::vector<double>& times, bool can_lift,
                             const LoopFrames& loop);

/// What to say about it.
[[nodiscard]] std::vector<std::string> warnings_of_planting(const StandingFeet& standing,
                                                            const Planting& planting);

}  // namespace animbridge::rig::retarget

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numeric>
#include <string>
#include <utility>

#include "model/clip/clip.h"
#include "reduce/free_track.h"
#include "reduce/reduce.h"

/// All tracks of a motion, parents first. Instead of poses, each joint has the *gap* between what is wanted
/// and what is played, in its own played frame: how far off every joint is follows from it, and the values
/// that make up for it.
namespace animbridge::reduce {

namespace {

/// A track that moves less than this, as a chord or in metres, and less than this share of the bound, holds
/// still: it gets one key.
constexpr double still = 1e-4;
constexpr double still_share = 0.25;
/// The tolerances are aimed at a bound that is smaller than the wanted one by this factor: where joints add
/// up, the errors are larger, and the repair adds keys there.
constexpr double share_of_aim = 0.85;
/// The share of the keys that the passes use. The repair uses the rest.
constexpr double share_before_repair = 0.9;
constexpr int usual_passes = 3;
constexpr int most_passes = 12;
constexpr int most_rounds = 32;
constexpr int settling_passes = 8;
constexpr int settling_passes_of_repair = 3;

/// What is wanted minus what is played, in the played frame.
struct Gap {
    glm::dquat turn{1, 0, 0, 0};
    glm::dvec3 metres{0, 0, 0};

    /// The gap of a point or joint at rest at `place` in this joint's frame.
    [[nodiscard]] glm::dvec3 at(const glm::dvec3& place) const { return metres + turn * place - place; }
};

glm::dvec4 row(const glm::dquat& q) { return {q.x, q.y, q.z, q.w}; }
glm::dvec4 row(const glm::dvec3& v) { return {v, 0.0}; }
glm::dquat rotation_of(const glm::dvec4& v) { return {v.w, v.x, v.y, v.z}; }

/// A joint with tracks, and the joints that hang on it without tracks of their own.
struct Joint {
    std::size_t node = 0;
    std::optional<std::size_t> parent{};  ///< the next joint above that has tracks
    Transform link{};  ///< the rest transforms of the nodes between the parent and this joint's node
    std::optional<std::size_t> rotation{};  ///< tracks
    std::optional<std::size_t> translation{};

    struct Point {
        std::size_t node;
        glm::dvec3 place;  ///< in the joint's frame
    };
    std::vector<Point> points{};  ///< counted nodes, itself included
    double longest = 0.0;         ///< metres to the farthest joint or point that hangs directly on it

    std::vector<Gap> gaps{};     ///< per sample
    std::vector<float> error{};  ///< per sample: the largest error of a point of it or below it, in mm
};

std::vector<Joint> joints_of(const ShownMotion& motion) {
    const Skeleton& skeleton = motion.skeleton;
    std::vector<Joint> joints;
    std::vector<std::optional<std::size_t>> joint_of(skeleton.nodes.size());
    std::vector<Transform> to_joint(skeleton.nodes.size());  // from a node's frame to its joint's
    std::vector<std::pair<std::optional<std::size_t>, std::optional<std::size_t>>> tracks(
        skeleton.nodes.size());
    for (std::size_t i = 0; i < motion.tracks.size(); ++i) {
        if (const ShownTrack& track = motion.tracks[i]; track.node) {
            (track.channel == Channel::rotation ? tracks[*track.node].first : tracks[*track.node].second) = i;
        }
    }
    for (std::size_t node = 0; node < skeleton.nodes.size(); ++node) {
        const auto parent = skeleton.nodes[node].parent;
        const auto above = parent ? joint_of[*parent] : std::nullopt;
        const Transform& rest = skeleton.nodes[node].rest_local;
        const Transform from_above = parent ? to_joint[*parent] : Transform();
        if (above) {
            const glm::dvec3 place = (from_above * rest).translation;
            joints[*above].longest = std::max(joints[*above].longest, glm::length(place));
        }
        const auto [rotation, translation] = tracks[node];
        if (rotation || translation) {
            joint_of[node] = joints.size();
            to_joint[node] = Transform();
            joints.push_back({node, above, from_above, rotation, translation});
        } else {
            joint_of[node] = above;
            to_joint[node] = from_above * rest;
        }
        if (joint_of[node] && motion.counted[node]) {
            joints[*joint_of[node]].points.push_back({node, to_joint[node].translation});
        }
    }
    return joints;
}

/// A track while its keys are looked for.
struct Fit {
    FreeTrack free{};
    std::vector<glm::dvec4> shown{};   ///< per sample: what the file shall show, with continuous signs
    std::vector<double> tolerance{};   ///< per sample: a chord or metres
    std::vector<glm::dvec4> played{};  ///< per sample
    std::vector<float> off{};          ///< per sample: played against what is shown, its own frame
    bool is_given = false;
    bool is_still = false;
};

struct Worst {
    double excess = 0.0;  ///< the largest error as a share of the bound
    Errors errors{};
};

class Fitter {
public:
    /// `is_calm`: joints do not make up for what trembles in their parents' errors.
    Fitter(const ShownMotion& motion, const Bound& unit, bool is_calm, const Job& job)
        : motion_(motion),
          job_(job),
          is_calm_(is_calm),
          count_(motion.times.size()),
          joints_(joints_of(motion)) {
        for (Joint& joint : joints_) {
            joint.gaps.resize(count_);
            joint.error.resize(count_);
        }
        for (std::size_t i = 0; i < motion.tracks.size(); ++i) {
            fits_.push_back(
                fit_of(motion.tracks[i], std::min(still, still_share * largest_tolerance(i, unit))));
        }
    }

    /// What the job reports from now on.
    void progress(double done) { progress_ = done; }

    /// The tolerances with which a bound begins.
    void aim_at(const Bound& bound) {
        aim_ = bound;
        for (std::size_t i = 0; i < fits_.size(); ++i) {
            fits_[i].tolerance.assign(count_, largest_tolerance(i, bound));
        }
        for (const Joint& joint : joints_) {
            if (joint.rotation && joint.longest > 0.0) {
                Fit& fit = fits_[*joint.rotation];
                const double chord = 0.5 * bound.position_mm / 1000.0 / joint.longest;
                fit.tolerance.assign(count_, std::min(fit.tolerance.front(), chord));
            }
        }
    }

    /// Chooses all keys anew, by the tolerances.
    Result<void> choose() {
        return visit([&](Fit& fit) {
            make_key_of_every_sample(fit.free);
            drop_keys(fit.free);
            settle_values(fit.free, settling_passes);
            keep_one_if_still(fit);
        });
    }

    /// Adds keys where the tolerances do not hold. Returns how many.
    Result<std::size_t> add() {
        std::size_t added = 0;
        TRY_VOID(visit([&](Fit& fit) {
            constexpr double slightly_more = 1.02;
            constexpr int most_steps = 4;
            for (int step = 0; step < most_steps; ++step) {
                settle_values(fit.free, settling_passes_of_repair);
                play(fit);
                const std::size_t now = add_keys(fit.free, shares_of_tolerance(fit), slightly_more);
                added += now;
                if (now == 0) {
                    break;
                }
            }
        }));
        return added;
    }

    /// Moves the tolerances of the next choice: up where the motion is nearer than the aim, down where it is
    /// farther off. Then aims at `bound`.
    void equalize(const Bound& bound) {
        constexpr double eagerness = 0.7;
        const std::size_t reach = std::clamp<std::size_t>(
            motion_.tracks.size() * count_ / std::max<std::size_t>(key_count(), 1), 1, 8);
        const double scale = bound.position_mm / aim_.position_mm;
        for (const Joint& joint : joints_) {
            const std::vector<float> error = largest_around(joint.error, reach);
            for (const auto track : {joint.rotation, joint.translation}) {
                if (!track) {
                    continue;
                }
                Fit& fit = fits_[*track];
                const double most = largest_tolerance(*track, bound);
                for (std::size_t i = 0; i < count_; ++i) {
                    const double factor =
                        std::pow(aim_.position_mm / std::max(double{error[i]}, 1e-6), eagerness);
                    fit.tolerance[i] =
                        std::min(most, fit.tolerance[i] * scale * std::clamp(factor, 0.5, 1.6));
                }
            }
        }
        aim_ = bound;
    }

    /// The largest errors, as shares of the bound.
    [[nodiscard]] Worst measure(const Bound& bound) const {
        Worst worst;
        Errors& errors = worst.errors;
        for (const Joint& joint : joints_) {
            for (std::size_t i = 0; i < count_; ++i) {
                if (joint.error[i] > errors.position_mm) {
                    errors.position_mm = joint.error[i];
                    errors.position_joint = motion_.skeleton.nodes[joint.node].name;
                    errors.position_at_seconds = motion_.times[i];
                }
            }
        }
        double chord = 0.0;
        for (std::size_t t = 0; t < fits_.size(); ++t) {
            const ShownTrack& track = motion_.tracks[t];
            for (std::size_t i = 0; i < count_; ++i) {
                const double off = fits_[t].off[i];
                if (track.channel == Channel::rotation && off > chord) {
                    chord = off;
                    errors.rotation_joint = track.name;
                    errors.rotation_at_seconds = motion_.times[i];
                } else if (track.channel == Channel::translation && !track.node &&
                           1000.0 * off > errors.position_mm) {
                    errors.position_mm = 1000.0 * off;
                    errors.position_joint = track.name;
                    errors.position_at_seconds = motion_.times[i];
                }
            }
        }
        errors.rotation_degrees = degrees_of_chord(chord);
        worst.excess = std::max(errors.position_mm / bound.position_mm,
                                errors.rotation_degrees / bound.rotation_degrees);
        return worst;
    }

    /// Narrows the tolerances where the bound does not hold: of the track that moves the point most, and at
    /// rotations of the joint and its parent.
    void narrow(const Bound& bound, bool all_that_move) {
        std::vector<std::vector<float>> factors(fits_.size());
        const auto take = [&](std::size_t track, std::size_t sample, double factor) {
            if (!can_improve(fits_[track])) {
                return;
            }
            std::vector<float>& list = factors[track];
            list.resize(count_, 1.0F);
            list[sample] = std::min(list[sample], static_cast<float>(factor));
        };
        for (std::size_t j = 0; j < joints_.size(); ++j) {
            narrow_positions(j, bound.position_mm, all_that_move, take);
            narrow_rotations(j, bound.rotation_degrees, take);
        }
        for (std::size_t t = 0; t < fits_.size(); ++t) {
            if (!motion_.tracks[t].node) {
                narrow_alone(t, bound, take);
            }
            if (!factors[t].empty()) {
                apply(fits_[t], factors[t]);
            }
        }
    }

    /// What a round changes.
    struct State {
        std::vector<std::vector<std::uint32_t>> keys;
        std::vector<std::vector<glm::dvec4>> values;
        std::vector<std::vector<double>> tolerances;
    };

    [[nodiscard]] State state() const {
        State state;
        for (const Fit& fit : fits_) {
            state.keys.push_back(fit.free.keys);
            state.values.push_back(fit.free.values);
            state.tolerances.push_back(fit.tolerance);
        }
        return state;
    }

    Result<void> restore(const State& state) {
        for (std::size_t t = 0; t < fits_.size(); ++t) {
            fits_[t].free.keys = state.keys[t];
            fits_[t].free.values = state.values[t];
            fits_[t].tolerance = state.tolerances[t];
        }
        return visit([](Fit&) {});
    }

    [[nodiscard]] std::size_t key_count() const {
        std::size_t keys = 0;
        for (const Fit& fit : fits_) {
            keys += fit.is_given ? 0 : fit.free.keys.size();
        }
        return keys;
    }

    [[nodiscard]] NewMotion result(const Bound& bound) const {
        NewMotion made;
        made.bound = bound;
        const Worst worst = measure(bound);
        made.errors = worst.errors;
        made.holds = worst.excess <= 1.0;
        made.key_count = key_count();
        for (std::size_t t = 0; t < fits_.size(); ++t) {
            NewKeys& keys = made.tracks.emplace_back();
            if (fits_[t].is_given) {
                continue;
            }
            keys.samples = fits_[t].free.keys;
            for (const glm::dvec4& value : fits_[t].free.values) {
                if (motion_.tracks[t].channel == Channel::rotation) {
                    keys.rotations.push_back(rotation_of(value));
                } else {
                    keys.translations.emplace_back(value);
                }
            }
        }
        return made;
    }

private:
    [[nodiscard]] Fit fit_of(const ShownTrack& track, double most) const {
        Fit fit;
        fit.is_given = track.is_given;
        fit.free.rotates = track.channel == Channel::rotation;
        fit.free.times = motion_.times;
        fit.free.key_times = motion_.key_times;
        for (std::size_t i = 0; i < count_; ++i) {
            glm::dvec4 value = fit.free.rotates ? row(track.rotations[i]) : row(track.translations[i]);
            if (fit.free.rotates && i > 0 && glm::dot(value, fit.shown.back()) < 0.0) {
                value = -value;
            }
            fit.shown.push_back(value);
        }
        fit.is_still = std::all_of(fit.shown.begin(), fit.shown.end(), [&](const glm::dvec4& value) {
            return glm::length(value - fit.shown.front()) <= most;
        });
        fit.off.assign(count_, 0.0F);
        fit.played = fit.shown;
        return fit;
    }

    [[nodiscard]] double largest_tolerance(std::size_t track, const Bound& bound) const {
        constexpr double any_rotation = 2.0;  // the longest chord of unit quaternions
        return motion_.tracks[track].channel == Channel::rotation
                   ? std::min(chord_of_degrees(bound.rotation_degrees), any_rotation)
                   : bound.position_mm / 1000.0;
    }

    /// Parents first: each track's wanted values, its keys by `choose`, what they play, and the gaps.
    template <typename Choose>
    Result<void> visit(Choose&& choose) {
        for (std::size_t t = 0; t < fits_.size(); ++t) {
            Fit& fit = fits_[t];
            if (!motion_.tracks[t].node && !fit.is_given) {
                fit.free.wanted = fit.shown;
                keys_of(fit, choose);
                measure_off(fit);
            }
        }
        std::vector<Gap> above(count_);
        for (Joint& joint : joints_) {
            TRY_VOID(job_.report(progress_));
            for (std::size_t i = 0; i < count_; ++i) {
                above[i] = gap_above(joint, i);
            }
            const std::vector<Gap> calm = is_calm_ ? calmed(above) : above;
            if (joint.translation && !fits_[*joint.translation].is_given) {
                want_translations(fits_[*joint.translation], calm);
                keys_of(fits_[*joint.translation], choose);
            }
            if (joint.rotation && !fits_[*joint.rotation].is_given) {
                want_rotations(fits_[*joint.rotation], calm);
                keys_of(fits_[*joint.rotation], choose);
            }
            close(joint, above);
        }
        for (std::size_t j = joints_.size(); j-- > 0;) {
            if (const auto parent = joints_[j].parent) {
                std::vector<float>& error = joints_[*parent].error;
                std::ranges::transform(error, joints_[j].error, error.begin(),
                                       [](float a, float b) { return std::max(a, b); });
            }
        }
        return {};
    }

    static void make_key_of_every_sample(FreeTrack& free) {
        free.keys.resize(free.wanted.size());
        std::iota(free.keys.begin(), free.keys.end(), 0U);
        free.values = free.wanted;
    }

    template <typename Choose>
    void keys_of(Fit& fit, Choose&& choose) {
        FreeTrack& free = fit.free;
        if (fit.is_still) {
            free.keys = {0};
            free.values = {fit.shown.front()};
        } else {
            free.per_tolerance.resize(count_);
            std::transform(fit.tolerance.begin(), fit.tolerance.end(), free.per_tolerance.begin(),
                           [](double tolerance) {
                               constexpr double least = 1e-9;  // far below what a format holds
                               constexpr double most = 1e9;
                               return 1.0 / std::clamp(tolerance, least, most);
                           });
            choose(fit);
        }
        play(fit);
    }

    /// The gap of the frame in which the joint's own transform is.
    [[nodiscard]] Gap gap_above(const Joint& joint, std::size_t sample) const {
        if (!joint.parent) {
            return {};
        }
        const Gap& gap = joints_[*joint.parent].gaps[sample];
        const glm::dquat back = glm::conjugate(joint.link.rotation);
        return {back * gap.turn * joint.link.rotation, back * gap.at(joint.link.translation)};
    }

    /// The gaps without what trembles from sample to sample: a joint that made up for noise of its parents
    /// would need keys at every sample.
    static std::vector<Gap> calmed(const std::vector<Gap>& gaps) {
        std::vector<Gap> calm = gaps;
        for (std::size_t i = 1; i + 1 < gaps.size(); ++i) {
            const auto beside = [&](const glm::dquat& other) {
                return glm::dot(other, gaps[i].turn) < 0.0 ? -other : other;
            };
            calm[i].turn =
                glm::normalize(gaps[i].turn * 2.0 + beside(gaps[i - 1].turn) + beside(gaps[i + 1].turn));
            calm[i].metres = 0.25 * (2.0 * gaps[i].metres + gaps[i - 1].metres + gaps[i + 1].metres);
        }
        return calm;
    }

    static void want_rotations(Fit& fit, const std::vector<Gap>& above) {
        std::vector<glm::dvec4>& wanted = fit.free.wanted;
        wanted.resize(above.size());
        for (std::size_t i = 0; i < above.size(); ++i) {
            wanted[i] = row(above[i].turn * rotation_of(fit.shown[i]));
            if (i > 0 && glm::dot(wanted[i], wanted[i - 1]) < 0.0) {
                wanted[i] = -wanted[i];
            }
        }
    }

    static void want_translations(Fit& fit, const std::vector<Gap>& above) {
        std::vector<glm::dvec4>& wanted = fit.free.wanted;
        wanted.resize(above.size());
        for (std::size_t i = 0; i < above.size(); ++i) {
            wanted[i] = row(above[i].metres + above[i].turn * glm::dvec3(fit.shown[i]));
        }
    }

    /// Plays the keys as the program does.
    void play(Fit& fit) const {
        const FreeTrack& free = fit.free;
        std::vector<glm::dquat> rotations;
        std::vector<glm::dvec3> translations;
        for (const glm::dvec4& value : free.values) {
            if (free.rotates) {
                rotations.push_back(rotation_of(value));
            } else {
                translations.emplace_back(value);
            }
        }
        free.rotates ? play(motion_.storage.held(rotations), fit)
                     : play(motion_.storage.held(translations), fit);
    }

    template <typename Value>
    void play(const std::vector<Value>& held, Fit& fit) const {
        const std::vector<std::uint32_t>& keys = fit.free.keys;
        const std::vector<float>& key_times = motion_.key_times;
        std::size_t right = 0;  // the first key at or after the sample
        for (std::size_t i = 0; i < count_; ++i) {
            const float seconds = motion_.times[i];
            while (right < keys.size() && key_times[keys[right]] < seconds) {
                ++right;
            }
            if (right == 0 || right == keys.size() || key_times[keys[right]] == seconds) {
                fit.played[i] = row(held[std::min(right, keys.size() - 1)]);
                continue;
            }
            const float before = key_times[keys[right - 1]];
            const float share = (seconds - before) / (key_times[keys[right]] - before);
            fit.played[i] = row(motion_.storage.between(held[right - 1], held[right], share));
        }
    }

    static double distance(const Fit& fit, const glm::dvec4& a, const glm::dvec4& b) {
        return fit.free.rotates && glm::dot(a, b) < 0.0 ? glm::length(a + b) : glm::length(a - b);
    }

    void measure_off(Fit& fit) const {
        for (std::size_t i = 0; i < count_; ++i) {
            fit.off[i] = static_cast<float>(distance(fit, fit.played[i], fit.shown[i]));
        }
    }

    std::vector<double> shares_of_tolerance(const Fit& fit) const {
        std::vector<double> shares(count_);
        for (std::size_t i = 0; i < count_; ++i) {
            shares[i] = distance(fit, fit.played[i], fit.free.wanted[i]) * fit.free.per_tolerance[i];
        }
        return shares;
    }

    /// One key for a track that stays within its tolerance of where it begins.
    void keep_one_if_still(Fit& fit) const {
        FreeTrack& free = fit.free;
        const glm::dvec4 begin = free.wanted.front();
        const auto is_near = [&](std::size_t i) {
            return distance(fit, begin, free.wanted[i]) * free.per_tolerance[i] <= 1.0;
        };
        for (std::size_t i = 0; free.keys.size() == 2 && i < count_; ++i) {
            if (!is_near(i)) {
                return;
            }
        }
        if (free.keys.size() == 2) {
            free.keys.pop_back();
            free.values = {begin};
        }
    }

    /// The joint's gaps and errors, from what its tracks play.
    void close(Joint& joint, const std::vector<Gap>& above) {
        const Transform& rest = motion_.skeleton.nodes[joint.node].rest_local;
        for (const auto track : {joint.rotation, joint.translation}) {
            if (track) {
                measure_off(fits_[*track]);
            }
        }
        for (std::size_t i = 0; i < count_; ++i) {
            Transform wanted = rest;
            Transform played = rest;
            if (joint.rotation) {
                wanted.rotation = rotation_of(fits_[*joint.rotation].shown[i]);
                played.rotation = rotation_of(fits_[*joint.rotation].played[i]);
            }
            if (joint.translation) {
                wanted.translation = glm::dvec3(fits_[*joint.translation].shown[i]);
                played.translation = glm::dvec3(fits_[*joint.translation].played[i]);
            }
            const glm::dquat back = glm::conjugate(played.rotation);
            const glm::dvec3 metres =
                above[i].metres + above[i].turn * wanted.translation - played.translation;
            joint.gaps[i] = {back * above[i].turn * wanted.rotation, back * metres};
            double most = 0.0;
            for (const Joint::Point& point : joint.points) {
                const glm::dvec3 off = joint.gaps[i].at(point.place);
                most = std::max(most, glm::dot(off, off));
            }
            joint.error[i] = static_cast<float>(1000.0 * std::sqrt(most));
        }
    }

    /// The largest value within `reach` samples of each.
    static std::vector<float> largest_around(const std::vector<float>& values, std::size_t reach) {
        std::vector<float> largest(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto from = values.begin() + static_cast<std::ptrdiff_t>(i - std::min(i, reach));
            const auto to =
                values.begin() + static_cast<std::ptrdiff_t>(std::min(i + reach + 1, values.size()));
            largest[i] = *std::max_element(from, to);
        }
        return largest;
    }

    /// The part of the bound to which the next round goes, so that it need not come back.
    static constexpr double within_bound = 0.97;

    template <typename Take>
    void narrow_positions(std::size_t j, double bound_mm, bool all_that_move, Take&& take) {
        const Joint& joint = joints_[j];
        for (std::size_t i = 0; i < count_; ++i) {
            if (joint.error[i] <= bound_mm) {
                continue;
            }
            for (const Joint::Point& point : joint.points) {
                const double error_mm = 1000.0 * glm::length(joint.gaps[i].at(point.place));
                if (error_mm > bound_mm) {
                    narrow_chain(j, point.place, i, error_mm - within_bound * bound_mm, all_that_move, take);
                }
            }
        }
    }

    static bool can_improve(const Fit& fit) { return !fit.is_given && !fit.is_still; }

    /// Of the tracks that move a point, narrows the one that moves it most, or all.
    template <typename Take>
    void narrow_chain(std::size_t j, glm::dvec3 place, std::size_t sample, double excess_mm,
                      bool all_that_move, Take&& take) {
        double most = 0.0;
        std::optional<std::size_t> culprit;
        const auto visit_mover = [&](std::size_t track, double moved_mm) {
            if (all_that_move && moved_mm > 0.0) {
                take(track, sample, std::clamp(1.0 - excess_mm / moved_mm, 0.5, 1.0));
            } else if (moved_mm > most) {
                most = moved_mm;
                culprit = track;
            }
        };
        for (std::optional<std::size_t> at = j; at; at = joints_[*at].parent) {
            const Joint& joint = joints_[*at];
            if (joint.rotation && can_improve(fits_[*joint.rotation])) {
                const glm::dquat& turn = joint.gaps[sample].turn;
                visit_mover(*joint.rotation, 1000.0 * glm::length(turn * place - place));
            }
            glm::dvec3 own = motion_.skeleton.nodes[joint.node].rest_local.translation;
            if (joint.translation) {
                const Fit& fit = fits_[*joint.translation];
                own = glm::dvec3(fit.played[sample]);
                if (can_improve(fit)) {
                    visit_mover(*joint.translation,
                                1000.0 * distance(fit, fit.played[sample], fit.free.wanted[sample]));
                }
            }
            place = joint.link.translation + joint.link.rotation * own;
        }
        if (culprit) {
            take(*culprit, sample, std::clamp(1.0 - excess_mm / most, 0.5, 1.0));
        }
    }

    template <typename Take>
    void narrow_rotations(std::size_t j, double bound_degrees, Take&& take) {
        const Joint& joint = joints_[j];
        if (!joint.rotation) {
            return;
        }
        std::optional<std::size_t> above;
        for (auto at = joint.parent; at && !above; at = joints_[*at].parent) {
            above = joints_[*at].rotation;
        }
        const double largest = chord_of_degrees(bound_degrees);
        for (std::size_t i = 0; i < count_; ++i) {
            const double off = fits_[*joint.rotation].off[i];
            if (off > largest) {
                const double factor = within_bound * largest / off;
                take(*joint.rotation, i, std::max(0.5, factor));
                if (above) {
                    take(*above, i, std::max(0.7, factor));
                }
            }
        }
    }

    template <typename Take>
    void narrow_alone(std::size_t track, const Bound& bound, Take&& take) {
        const double largest = largest_tolerance(track, bound);
        for (std::size_t i = 0; i < count_; ++i) {
            if (const double off = fits_[track].off[i]; off > largest) {
                take(track, i, std::max(0.5, within_bound * largest / off));
            }
        }
    }

    /// Narrows a track's tolerances at the samples with a factor below 1 and next to them.
    static void apply(Fit& fit, const std::vector<float>& factors) {
        constexpr double least = 0.3;  // of the tolerance: errors far below it say little
        for (std::size_t i = 0; i < factors.size() && !fit.is_still; ++i) {
            const float before = i > 0 ? factors[i - 1] : 1.0F;
            const float after = i + 1 < factors.size() ? factors[i + 1] : 1.0F;
            const double factor = std::min({before, factors[i], after});
            if (factor < 1.0) {
                const double now = distance(fit, fit.played[i], fit.free.wanted[i]);
                fit.tolerance[i] =
                    factor * std::min(fit.tolerance[i], std::max(now, least * fit.tolerance[i]));
            }
        }
    }

    const ShownMotion& motion_;
    const Job& job_;
    bool is_calm_;
    std::size_t count_;
    std::vector<Joint> joints_;
    std::vector<Fit> fits_;
    Bound aim_;
    double progress_ = 0.0;
};

/// Looks for the scale of the bound at which there are as many keys as there should be. For a motion, keys go
/// by a power of the scale; noise has all its keys until the bound is as large as the noise.
class ScaleSearch {
public:
    /// The next scale to try. `ratio`: of the keys under `scale` to those that there should be.
    double next(double scale, double ratio) {
        constexpr int tries_by_power = 4;  // the first tries also change the tolerances
        if (++tries_ >= tries_by_power) {
            (ratio > 1.0 ? too_small_ : large_enough_) = scale;
        }
        if (tries_ <= tries_by_power || (!too_small_ && !large_enough_)) {
            return scale * std::clamp(std::pow(ratio, 1.6), 0.05, 20.0);
        }
        if (!too_small_ || !large_enough_) {
            constexpr double step = 3.0;
            return ratio > 1.0 ? scale * step : scale / step;
        }
        return std::sqrt(*too_small_ * *large_enough_);
    }

private:
    std::optional<double> too_small_{};
    std::optional<double> large_enough_{};
    int tries_ = 0;
};

/// First all keys by tolerances, then more where the motion is off.
class KeySearch {
public:
    /// `is_calm`: as in Fitter; then the first choice by a bound is good enough for the repair.
    KeySearch(const ShownMotion& motion, const std::optional<Bound>& bound, std::size_t most_keys,
              bool is_calm, const Job& job)
        : most_keys_(most_keys),
          unit_(bound.value_or(Bound())),
          passes_by_bound_(is_calm ? 1 : usual_passes),
          fitter_(motion, unit_, is_calm, job),
          wanted_(unit_),
          is_limited_(!bound) {}

    Result<void> choose() {
        ScaleSearch search;
        fitter_.aim_at(wanted_.scaled(share_of_aim));
        for (int pass = 0; pass < most_passes; ++pass) {
            fitter_.progress(0.6 * pass / most_passes);
            TRY_VOID(fitter_.choose());
            is_limited_ = is_limited_ || fitter_.key_count() > most_keys_;
            double ratio = 1.0;  // of the keys to those that there should be
            if (is_limited_) {
                keep();
                ratio = static_cast<double>(fitter_.key_count()) /
                        (share_before_repair * static_cast<double>(most_keys_));
                wanted_ = unit_.scaled(search.next(wanted_.position_mm / unit_.position_mm, ratio));
            }
            constexpr double near = 0.03;
            const bool is_near = ratio < 1.0 + near && ratio > 1.0 - near;
            const int least_passes = is_limited_ ? usual_passes : passes_by_bound_;
            if ((pass + 1 >= least_passes && is_near) || pass + 1 == most_passes) {
                break;
            }
            fitter_.equalize(wanted_.scaled(share_of_aim));
        }
        keep();
        return {};
    }

    Result<void> repair() {
        double step = 0.95;  // by which the bound is lowered while there are keys left
        bool has_held = false;
        int rounds_in_vain = 0;
        for (int round = 0; round < most_rounds; ++round) {
            fitter_.progress(0.6 + 0.4 * round / most_rounds);
            if (fitter_.measure(wanted_).excess <= 1.0 || rounds_in_vain == most_rounds_in_vain) {
                if (!is_limited_) {
                    break;
                }
                has_held = true;
                wanted_ = wanted_.scaled(step);
                rounds_in_vain = 0;
            }
            const Fitter::State before = fitter_.state();
            fitter_.narrow(wanted_, rounds_in_vain > 0);
            TRY(const std::size_t added, fitter_.add());
            if (fitter_.key_count() <= most_keys_) {
                rounds_in_vain = added == 0 ? rounds_in_vain + 1 : 0;
                keep();
                continue;
            }
            is_limited_ = true;
            TRY_VOID(fitter_.restore(before));
            wanted_ = wanted_.scaled(has_held ? 1.0 / step : 1.06);
            step = has_held ? std::sqrt(step) : step;
            constexpr double smallest_step = 0.99;
            if (step > smallest_step) {
                break;
            }
        }
        return {};
    }

    /// The best of all; none: no try had few enough keys.
    [[nodiscard]] std::optional<NewMotion> best() && { return std::move(best_); }

private:
    static constexpr int most_rounds_in_vain = 3;

    void keep() {
        const Worst worst = fitter_.measure(unit_);
        if (fitter_.key_count() <= most_keys_ && is_better(worst)) {
            best_excess_ = worst.excess;
            constexpr double rounded_up = 1.0 + 1e-6;
            best_ = fitter_.result(is_limited_ ? unit_.scaled(worst.excess * rounded_up) : wanted_);
        }
    }

    /// Near half turns codes are coarse: a rotation that nothing can mend must not hide what positions gain.
    [[nodiscard]] bool is_better(const Worst& worst) const {
        constexpr double about = 1.02;
        return !best_ || worst.excess * about < best_excess_ ||
               (worst.excess <= best_excess_ * about && worst.errors.position_mm < best_->errors.position_mm);
    }

    std::size_t most_keys_;
    Bound unit_;
    int passes_by_bound_;
    Fitter fitter_;
    Bound wanted_;
    bool is_limited_;  ///< by the number of keys, and not by the bound
    std::optional<NewMotion> best_{};
    double best_excess_ = 0.0;
};

Result<std::optional<NewMotion>> found_keys(const ShownMotion& motion, const std::optional<Bound>& bound,
                                            std::size_t most_keys, bool is_calm, const Job& job) {
    KeySearch search(motion, bound, most_keys, is_calm, job);
    TRY_VOID(search.choose());
    TRY_VOID(search.repair());
    return std::move(search).best();
}

/// Whether the search got stuck before it met the bound, or used the keys that there may be.
bool is_stuck(const std::optional<NewMotion>& found, const std::optional<Bound>& bound,
              std::size_t most_keys) {
    constexpr double nearly_all = 0.97;
    const bool is_limited = !bound || !found || found->bound.position_mm > bound->position_mm;
    return !found ||
           (is_limited ? static_cast<double>(found->key_count) < nearly_all * static_cast<double>(most_keys)
                       : !found->holds);
}

bool is_better(const NewMotion& one, const NewMotion& other, const std::optional<Bound>& bound) {
    const auto is_within = [&](const NewMotion& motion) {
        return bound && motion.holds && motion.bound.position_mm <= bound->position_mm;
    };
    return is_within(one) != is_within(other) ? is_within(one)
                                              : one.errors.position_mm < other.errors.position_mm;
}

}  // namespace

Result<NewMotion> new_keys(const ShownMotion& motion, const std::optional<Bound>& bound,
                           std::size_t most_keys, const Job& job) {
    TRY(auto found, found_keys(motion, bound, most_keys, true, job.part(0.0, 0.5)));
    if (is_stuck(found, bound, most_keys)) {
        // Where every last bit counts, so does what trembles.
        TRY(auto other, found_keys(motion, bound, most_keys, false, job.part(0.5, 1.0)));
        if (!found || (other && is_better(*other, *found, bound))) {
            found = std::move(other);
        }
    }
    if (!found) {
        return fail(ErrorCode::rejected, std::to_string(motion.tracks.size()) + " tracks need more than " +
                                             std::to_string(most_keys) + " keys: animate fewer joints");
    }
    return std::move(*found);
}

}  // namespace animbridge::reduce

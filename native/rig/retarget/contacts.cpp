// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <iterator>
#include <limits>
#include <utility>

#include "rig/retarget/feet.h"
#include "rig/retarget/parts.h"

namespace animbridge::rig::retarget {

namespace {

/// The end of the toes in the frame of their last joint: the joint of its own slot, or the first one below.
std::optional<glm::dvec3> tip_of(const Skeleton& skeleton, std::size_t toes,
                                 const std::vector<std::size_t>& named) {
    constexpr double shortest_metres = 1e-4;
    for (std::size_t node = toes + 1; node < skeleton.nodes.size(); ++node) {
        const bool is_tip = named.empty() ? skeleton.nodes[node].parent == toes : node == named.front();
        if (!is_tip) {
            continue;
        }
        Transform link = skeleton.nodes[node].rest_local;
        auto above = skeleton.nodes[node].parent;
        for (; above && *above != toes; above = skeleton.nodes[*above].parent) {
            link = skeleton.nodes[*above].rest_local * link;
        }
        if (above && glm::length(link.translation) > shortest_metres) {
            return link.translation;
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<LegJoints> leg_joints(const Skeleton& skeleton, const JointsOfSlot& joints_of) {
    std::vector<LegJoints> legs;
    for (const std::string side : {"left", "right"}) {
        const auto foot = joints_of(side + "Foot");
        if (foot.empty()) {
            continue;
        }
        LegJoints leg{.side = side, .foot = foot.front()};
        const auto upper = joints_of(side + "UpperLeg");
        const auto lower = joints_of(side + "LowerLeg");
        if (!upper.empty() && !lower.empty()) {
            leg.upper = upper.front();
            leg.lower = lower.front();
        }
        if (const auto toes = joints_of(side + "Toes"); !toes.empty()) {
            leg.toes = toes.front();
            leg.toes_end = toes.back();
            leg.tip = tip_of(skeleton, toes.back(), joints_of(side + "ToeTip"));
        }
        legs.push_back(leg);
    }
    if (!std::ranges::all_of(legs, [](const LegJoints& leg) { return leg.toes.has_value(); })) {
        for (LegJoints& leg : legs) {
            leg.toes.reset();
        }
    }
    return legs;
}

void LegPath::add(const LegJoints& joints, const std::function<Transform(std::size_t joint)>& at) {
    if (joints.upper) {
        const Transform thigh = at(*joints.upper);
        hips.push_back(thigh.translation);
        thighs.push_back(thigh.rotation);
        knees.push_back(at(*joints.lower).translation);
    }
    const Transform foot = at(joints.foot);
    ankles.push_back(foot.translation);
    feet.push_back(foot.rotation);
    if (joints.toes) {
        balls.push_back(at(*joints.toes).translation);
        if (joints.tip) {
            const Transform end = at(joints.toes_end);
            tips.push_back(end.translation + end.rotation * *joints.tip);
        }
    }
}

LegPath LegPath::turned(const glm::dquat& turn) const {
    LegPath made = *this;
    for (std::vector<glm::dvec3>* places : {&made.hips, &made.knees, &made.ankles, &made.balls, &made.tips}) {
        std::ranges::transform(*places, places->begin(),
                               [&](const glm::dvec3& place) { return turn * place; });
    }
    for (std::vector<glm::dquat>* rotations : {&made.thighs, &made.feet}) {
        std::ranges::transform(*rotations, rotations->begin(),
                               [&](const glm::dquat& rotation) { return turn * rotation; });
    }
    return made;
}

double hips_height_metres(const std::vector<LegPath>& legs) {
    constexpr double of_legs = 1.1;
    double longest = 0;
    for (const LegPath& leg : legs) {
        if (leg.is_whole()) {
            longest = std::max(longest, glm::length(leg.knees.front() - leg.hips.front()) +
                                            glm::length(leg.ankles.front() - leg.knees.front()));
        }
    }
    return of_legs * longest;
}

namespace {

// Judgements. For a body whose hips are 0.95 m high:
constexpr double low_share = 0.025;       ///< of the hips' height: 24 mm
constexpr double risen_share = 0.015;     ///< 14 mm
constexpr double slow_per_second = 0.15;  ///< hips' heights a second: 0.14 m/s
constexpr double leave_factor = 2.0;      ///< for speeds
constexpr double last_factor = 0.6;  ///< of slow: a foot that is held while it leaves pulls the knee straight
constexpr double drifted_share = 0.02;  ///< 19 mm from where it stood on average
constexpr double steepest = 0.05;       ///< 3 degrees: more is a slope that somebody walks, or stairs
constexpr double levelest = 1e-4;
constexpr std::size_t least_more = 2;      ///< one foot in two places may be higher for other reasons
constexpr double known_share = 0.25;       ///< 0.24 m: places nearer to each other show no slope
constexpr double uneven_share = 0.06;      ///< 57 mm: less than a step, more than soles differ in a recording
constexpr double lower_foot_share = 0.03;  ///< 29 mm
constexpr double upright_share = 0.6;      ///< of the leg's length: less is kneeling, crouching or lying
constexpr double still_share = 0.005;      ///< 5 mm: a foot that never moves farther
/// A ball whose heel stands taps if it is faster than this share of slow, and this many times the heel.
constexpr double tap_share = 0.5;
constexpr double tap_factor = 4.0;
constexpr double shortest_seconds = 0.08;
constexpr double shortest_gap_seconds = 0.1;  ///< a foot takes that long to another place
/// Speeds are measured over at least this long before and after a frame: a recording's noise is not speed.
constexpr double speed_seconds = 0.03;
/// Before and after a frame. Files of 15 frames a second are not averaged: what bends there is motion.
constexpr double most_averaged_seconds = 0.06;
/// How far the heel is behind the ankle, as a share of the way from the ankle forward to the ball.
constexpr double heel_behind_share = 0.3;

const std::vector<glm::dvec3>& touching(const LegPath& leg) {
    return leg.balls.empty() ? leg.ankles : leg.balls;
}

std::vector<double> speeds_of(const std::vector<glm::dvec3>& places, const std::vector<double>& times) {
    std::vector<double> speeds(times.size(), 0.0);
    std::size_t before = 0;
    std::size_t after = 0;
    for (std::size_t frame = 0; frame < times.size(); ++frame) {
        while (before < frame && times[frame] - times[before + 1] >= speed_seconds) {
            ++before;
        }
        while (after + 1 < times.size() && times[after] - times[frame] < speed_seconds) {
            ++after;
        }
        const double seconds = times[after] - times[before];
        speeds[frame] = seconds > 0.0 ? glm::length(places[after] - places[before]) / seconds : 0.0;
    }
    return speeds;
}

/// How far a place is off the line between those `apart` frames before and after, in the calmest tenth of the
/// frames: the others are motion.
double usual_bend(const std::vector<glm::dvec3>& places, std::size_t apart) {
    std::vector<double> bends;
    for (std::size_t frame = apart; frame + apart < places.size(); ++frame) {
        bends.push_back(glm::length(places[frame - apart] - 2.0 * places[frame] + places[frame + apart]));
    }
    if (bends.empty()) {
        return 0;
    }
    const auto tenth = bends.begin() + static_cast<std::ptrdiff_t>(bends.size() / 10);
    std::ranges::nth_element(bends, tenth);
    return *tenth;
}

/// The standard deviation of a recording's noise. Noise bends as much over two frames as over one; motion,
/// four times as much.
double noise_of(const std::vector<glm::dvec3>& places) {
    // A second difference has six times the variance. A tenth of a normal distribution is within this many
    // standard deviations, between that of a plane (0.46) and that of a space (0.76).
    constexpr double tenth_of_normal = 0.5;
    const double one = usual_bend(places, 1);
    const double two = usual_bend(places, 2);
    return std::sqrt(std::max(16.0 * one * one - two * two, 0.0) / 15.0 / 6.0) / tenth_of_normal;
}

/// The places without noise that would pass for speed: averages over as few frames as that takes.
std::vector<glm::dvec3> steadied(const std::vector<glm::dvec3>& places, const std::vector<double>& times,
                                 double slow) {
    const double noise = noise_of(places);
    const double step = (times.back() - times.front()) / static_cast<double>(times.size());
    std::size_t around = 0;
    const auto speed = [&] {
        const double seconds = std::max(speed_seconds, static_cast<double>(around) * step);
        return noise / seconds / std::sqrt(2.0 * static_cast<double>(2 * around + 1));
    };
    while (speed() > 0.5 * slow && static_cast<double>(around + 1) * step < most_averaged_seconds &&
           around < places.size()) {
        ++around;
    }
    std::vector<glm::dvec3> sums{glm::dvec3(0)};  // of the places before each, from the first one
    for (const glm::dvec3& place : places) {
        sums.push_back(sums.back() + (place - places.front()));
    }
    std::vector<glm::dvec3> calm;
    for (std::size_t frame = 0; frame < places.size(); ++frame) {
        const std::size_t count = std::min({around, frame, places.size() - 1 - frame});
        const glm::dvec3 sum = sums[frame + count + 1] - sums[frame - count];
        calm.push_back(places.front() + sum / static_cast<double>(2 * count + 1));
    }
    return calm;
}

/// Spans that begin in a slow frame and end in one: between them, `begins` and `stays` say what counts.
template <typename Begins, typename Stays>
std::vector<Contact> slow_spans(const std::vector<glm::dvec3>& places, const std::vector<double>& times,
                                double slow, Begins begins, Stays stays) {
    const std::vector<double> speeds = speeds_of(places, times);
    std::vector<Contact> spans;
    bool is_on = false;
    for (std::size_t frame = 0; frame < times.size(); ++frame) {
        const bool was_on = is_on;
        const bool is_slow = speeds[frame] < slow;
        is_on = was_on ? speeds[frame] < leave_factor * slow && stays(frame) : is_slow && begins(frame);
        if (is_on && !was_on) {
            spans.push_back({frame, frame});
        } else if (is_on && speeds[frame] < last_factor * slow) {
            spans.back().last = frame;
        }
    }
    std::erase_if(spans, [&](const Contact& span) {
        // The clip may show only the end of a contact, or its beginning.
        const bool is_cut = span.first == 0 || span.last + 1 == times.size();
        return times[span.last] - times[span.first] < shortest_seconds && !is_cut;
    });
    return spans;
}

glm::dvec3 mean_place(const std::vector<glm::dvec3>& places, const Contact& span) {
    glm::dvec3 sum(0);
    for (std::size_t frame = span.first; frame <= span.last; ++frame) {
        sum += places[frame];
    }
    return sum / static_cast<double>(span.last - span.first + 1);
}

double mean_height(const std::vector<glm::dvec3>& places, const Contact& span) {
    return mean_place(places, span).z;
}

/// The median; the vector loses its order.
double median_of(std::vector<double>& numbers) {
    if (numbers.empty()) {
        return 0;
    }
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    std::ranges::nth_element(numbers, middle);
    return *middle;
}

/// Whether the body ever stands on its leg in the span.
bool is_upright(const LegPath& leg, const Contact& span) {
    bool stands = !leg.is_whole();
    for (std::size_t frame = span.first; frame <= span.last && !stands; ++frame) {
        const double length = glm::length(leg.hips[frame] - leg.knees[frame]) +
                              glm::length(leg.knees[frame] - leg.ankles[frame]);
        stands = leg.hips[frame].z - leg.ankles[frame].z > upright_share * length;
    }
    return stands;
}

std::vector<glm::dvec3> heels_of(const LegPath& path, const glm::dvec3& heel) {
    std::vector<glm::dvec3> heels;
    for (std::size_t frame = 0; frame < path.ankles.size(); ++frame) {
        heels.push_back(path.ankles[frame] + path.feet[frame] * heel);
    }
    return heels;
}

/// Finds the floor and the contacts.
class ContactFinder {
public:
    ContactFinder(std::vector<LegPath> legs, const std::vector<double>& times, double size)
        : legs_(std::move(legs)), times_(times), size_(size) {}

    StandingFeet find() {
        find_supports();
        found_.level = level_turn(legs_, found_.supports, size_);
        if (found_.level != glm::dquat(1, 0, 0, 0)) {
            for (LegPath& leg : legs_) {
                leg = leg.turned(found_.level);
            }
            find_supports();
        }
        for (std::size_t i = 0; i < legs_.size(); ++i) {
            found_.flat.push_back(flat_frames(legs_[i], found_.supports[i]));
            FootContacts contacts;
            (legs_[i].balls.empty() ? contacts.heel : contacts.ball) = found_.supports[i];
            found_.contacts.push_back(std::move(contacts));
        }
        found_.is_low = is_low_ && !found_.ever();
        measure_evenness();
        if (found_.uneven_metres > 0.0 || !found_.ever()) {
            return std::move(found_);
        }
        const std::vector<Sole> soles = soles_of(legs_, found_);
        for (std::size_t leg = 0; leg < legs_.size(); ++leg) {
            find_on(soles[leg], leg);
        }
        return std::move(found_);
    }

private:
    [[nodiscard]] double slow() const { return slow_per_second * size_; }
    [[nodiscard]] std::vector<glm::dvec3> steady(const std::vector<glm::dvec3>& places) const {
        return steadied(places, times_, slow());
    }

    void find_supports() {
        found_.supports.clear();
        is_low_ = false;
        for (const LegPath& leg : legs_) {
            found_.supports.push_back(supports_of(leg));
        }
    }

    /// When the leg's foot carries the body: it is still, and no higher than the other one.
    [[nodiscard]] std::vector<Contact> supports_of(const LegPath& leg) {
        if (never_move({leg}, still_share * size_)) {
            return {{0, times_.size() - 1}};
        }
        const std::vector<glm::dvec3>& places = touching(leg);
        const auto always = [](std::size_t /*frame*/) { return true; };
        std::vector<Contact> spans = slow_spans(steady(places), times_, slow(), always, always);
        std::erase_if(spans, [&](const Contact& span) {
            const double height = mean_height(places, span) - lower_foot_share * size_;
            const bool is_low = !is_upright(leg, span);
            is_low_ = is_low_ || is_low;
            return is_low || std::ranges::any_of(legs_, [&](const LegPath& other) {
                       return mean_height(touching(other), span) < height;
                   });
        });
        return spans;
    }

    void measure_evenness() {
        if (never_move(legs_, still_share * size_)) {
            return;
        }
        double lowest = std::numeric_limits<double>::max();
        double highest = std::numeric_limits<double>::lowest();
        for (std::size_t leg = 0; leg < legs_.size(); ++leg) {
            for (const Contact& span : found_.supports[leg]) {
                const double height = mean_height(touching(legs_[leg]), span);
                lowest = std::min(lowest, height);
                highest = std::max(highest, height);
            }
        }
        found_.uneven_metres = highest - lowest > uneven_share * size_ ? highest - lowest : 0.0;
    }

    [[nodiscard]] std::vector<bool> flat_frames(const LegPath& leg, const std::vector<Contact>& spans) const {
        const std::vector<double> speeds = speeds_of(steady(leg.ankles), times_);
        std::vector<bool> flat(times_.size(), false);
        for (const Contact& span : spans) {
            for (std::size_t frame = span.first; frame <= span.last; ++frame) {
                flat[frame] = speeds[frame] < slow();
            }
        }
        return flat;
    }

    void find_on(const Sole& sole, std::size_t leg) {
        const LegPath& path = legs_[leg];
        FootContacts& contacts = found_.contacts[leg];
        const std::vector<bool>& flat = found_.flat[leg];
        // Without a flat frame, the foot never stands on its heel.
        if (path.balls.empty() || std::ranges::find(flat, true) != flat.end()) {
            contacts.heel = on_ground(steady(heels_of(path, sole.heel)), sole.ground_metres);
        }
        if (!path.balls.empty()) {
            contacts.ball = on_ground(steady(path.balls), sole.ground_metres);
            leave_out_taps(contacts, speeds_of(steady(heels_of(path, sole.heel)), times_),
                           speeds_of(steady(path.balls), times_));
        }
    }

    /// Toes that tap beside a heel that stands must not drag it.
    void leave_out_taps(FootContacts& contacts, const std::vector<double>& heels,
                        const std::vector<double>& balls) const {
        std::erase_if(contacts.ball, [&](const Contact& ball) {
            double heel_sum = 0;
            double ball_sum = 0;
            double count = 0;
            for (const Contact& heel : contacts.heel) {
                for (std::size_t frame = std::max(heel.first, ball.first);
                     frame <= std::min(heel.last, ball.last); ++frame) {
                    heel_sum += heels[frame];
                    ball_sum += balls[frame];
                    count += 1.0;
                }
            }
            return ball_sum > count * tap_share * slow() && ball_sum > tap_factor * heel_sum;
        });
    }

    [[nodiscard]] std::vector<Contact> on_ground(const std::vector<glm::dvec3>& places, double ground) const {
        double lowest = 0;
        glm::dvec3 sum(0);
        double count = 0;
        double ended = std::numeric_limits<double>::lowest();
        return slow_spans(
            places, times_, slow(),
            [&](std::size_t frame) {
                lowest = places[frame].z;
                sum = places[frame];
                count = 1;
                return lowest < ground + low_share * size_ && times_[frame] - ended > shortest_gap_seconds;
            },
            [&](std::size_t frame) {
                lowest = std::min(lowest, places[frame].z);
                const glm::dvec3 away = places[frame] - sum / count;
                sum += places[frame];
                count += 1.0;
                ended = times_[frame];
                return places[frame].z < std::min(lowest + risen_share * size_, ground + low_share * size_) &&
                       std::hypot(away.x, away.y) < drifted_share * size_;
            });
    }

    std::vector<LegPath> legs_;
    const std::vector<double>& times_;
    double size_;
    StandingFeet found_;
    bool is_low_ = false;  ///< a foot is still below a body that is not upright
};

}  // namespace

namespace {

/// The heel is below the ankle and behind it; both directions are the means of the frames.
glm::dvec3 heel_of(const LegPath& path, const std::vector<std::size_t>& flat, double ankle_height) {
    glm::dvec3 down(0);
    glm::dvec3 forward(0);
    for (const std::size_t frame : flat) {
        const glm::dquat to_foot = glm::conjugate(path.feet[frame]);
        down += to_foot * glm::dvec3(0, 0, -1);
        forward += to_foot * (path.balls[frame] - path.ankles[frame]) / static_cast<double>(flat.size());
    }
    const auto unit = direction_of(down);
    return unit ? *unit * std::max(ankle_height, 0.0) -
                      heel_behind_share * (forward - *unit * glm::dot(forward, *unit))
                : glm::dvec3(0);
}

Sole sole_of(const LegPath& path, const std::vector<Contact>& supports, const std::vector<bool>& is_flat) {
    std::vector<double> grounds;
    std::vector<std::size_t> flat;
    for (const Contact& span : supports) {
        for (std::size_t frame = span.first; frame <= span.last; ++frame) {
            grounds.push_back(touching(path)[frame].z);
            if (is_flat[frame] && !path.balls.empty()) {
                flat.push_back(frame);
            }
        }
    }
    Sole sole;
    if (!grounds.empty()) {
        sole.ground_metres = median_of(grounds);
    }
    if (flat.empty()) {
        return sole;
    }
    // In up to half of the frames, it may stand on its toes.
    std::ranges::sort(flat, {}, [&](std::size_t frame) { return path.ankles[frame].z; });
    flat.resize((flat.size() + 1) / 2);
    sole.heel = heel_of(path, flat, path.ankles[flat[flat.size() / 2]].z - sole.ground_metres);
    if (!path.tips.empty()) {
        std::vector<double> tips;
        std::ranges::transform(flat, std::back_inserter(tips),
                               [&](std::size_t frame) { return path.tips[frame].z; });
        sole.tip_metres = std::min(median_of(tips), sole.ground_metres);
    }
    return sole;
}

}  // namespace

std::vector<Contact> FootContacts::standing() const {
    std::vector<Contact> all = heel;
    all.insert(all.end(), ball.begin(), ball.end());
    std::ranges::sort(all, {}, &Contact::first);
    std::vector<Contact> joined;
    for (const Contact& contact : all) {
        if (!joined.empty() && contact.first <= joined.back().last + 1) {
            joined.back().last = std::max(joined.back().last, contact.last);
        } else {
            joined.push_back(contact);
        }
    }
    return joined;
}

bool StandingFeet::ever() const {
    return std::ranges::any_of(
        contacts, [](const FootContacts& foot) { return !foot.heel.empty() || !foot.ball.empty(); });
}

bool never_move(const std::vector<LegPath>& legs, double metres) {
    return std::ranges::all_of(legs, [&](const LegPath& leg) {
        const auto is_still = [&](const std::vector<glm::dvec3>& places) {
            return std::ranges::all_of(places, [&](const glm::dvec3& place) {
                return glm::length(place - places.front()) < metres;
            });
        };
        return is_still(leg.ankles) && is_still(leg.balls) && is_still(leg.tips);
    });
}

glm::dquat level_turn(const std::vector<LegPath>& legs, const std::vector<std::vector<Contact>>& supports,
                      double hips_height_metres) {
    const double known = known_share * hips_height_metres;
    glm::dmat2 spread(known * known);
    glm::dvec2 rise(0);
    std::size_t more = 0;  // places than feet
    for (std::size_t leg = 0; leg < legs.size(); ++leg) {
        more += std::max<std::size_t>(supports[leg].size(), 1) - 1;
        std::vector<glm::dvec3> places;
        glm::dvec3 middle(0);
        for (const Contact& span : supports[leg]) {
            places.push_back(mean_place(touching(legs[leg]), span));
            middle += places.back() / static_cast<double>(supports[leg].size());
        }
        for (const glm::dvec3& place : places) {
            const glm::dvec2 away(place - middle);
            spread += glm::outerProduct(away, away);
            rise += away * (place.z - middle.z);
        }
    }
    const double determinant = glm::determinant(spread);
    const glm::dvec2 slope = determinant > 0.0 ? glm::inverse(spread) * rise : glm::dvec2(0);
    const bool is_slight = glm::length(slope) > levelest && glm::length(slope) < steepest;
    return is_slight && more >= least_more
               ? swing_between(glm::normalize(glm::dvec3(-slope, 1)), glm::dvec3(0, 0, 1))
               : glm::dquat(1, 0, 0, 0);
}

double slope_degrees(const glm::dquat& level) {
    const glm::dvec3 up(0, 0, 1);
    return angle_of_directions_degrees(level * up, up);
}

StandingFeet find_contacts(const std::vector<LegPath>& legs, const std::vector<double>& times,
                           double hips_height_metres, const LoopFrames& loop) {
    if (!(hips_height_metres > 0.0)) {
        StandingFeet none;
        none.contacts.resize(legs.size());
        none.supports.resize(legs.size());
        none.flat.resize(legs.size());
        return none;
    }
    const Rounds rounds(times, loop);
    return rounds.once(ContactFinder(rounds.played(legs), rounds.times(), hips_height_metres).find());
}

std::vector<Sole> soles_of(const std::vector<LegPath>& legs, const StandingFeet& standing) {
    std::vector<Sole> soles;
    for (std::size_t leg = 0; leg < legs.size(); ++leg) {
        soles.push_back(sole_of(legs[leg], standing.supports[leg], standing.flat[leg]));
    }
    return soles;
}

namespace {

/// A path along the floor, and how long it took.
struct Slide {
    double metres = 0;
    double seconds = 0;
    double highest = 0;  ///< over the ground

    void add(const std::vector<Contact>& contacts, const std::vector<glm::dvec3>& places,
             const std::vector<double>& times, double ground) {
        for (const Contact& contact : contacts) {
            seconds += times[contact.last] - times[contact.first];
            for (std::size_t frame = contact.first; frame <= contact.last; ++frame) {
                highest = std::max(highest, places[frame].z - ground);
                if (frame > contact.first) {
                    const glm::dvec3 step = places[frame] - places[frame - 1];
                    metres += std::hypot(step.x, step.y);
                }
            }
        }
    }
};

double depth_of(const std::vector<glm::dvec3>& places, double ground) {
    double depth = 0;
    for (const glm::dvec3& place : places) {
        depth = std::max(depth, ground - place.z);
    }
    return depth;
}

constexpr double mm = 1000.0;

}  // namespace

FootMeasure measure_foot(const LegPath& path, const Sole& sole, std::size_t leg, const StandingFeet& standing,
                         const std::vector<double>& times) {
    const FootContacts& contacts = standing.contacts[leg];
    const std::vector<glm::dvec3> heels = heels_of(path, sole.heel);
    Slide slide;
    slide.add(contacts.heel, heels, times, sole.ground_metres);
    slide.add(contacts.ball, path.balls, times, sole.ground_metres);
    FootMeasure measure;
    measure.slide_mm_per_second = slide.seconds > 0.0 ? mm * slide.metres / slide.seconds : 0.0;
    if (slide.seconds > 0.0 && !(standing.uneven_metres > 0.0)) {
        const double depth =
            std::max({depth_of(heels, sole.ground_metres), depth_of(path.balls, sole.ground_metres),
                      sole.tip_metres ? depth_of(path.tips, *sole.tip_metres) : 0.0});
        measure.depth_mm = mm * depth;
        measure.float_mm = mm * slide.highest;
    }
    return measure;
}

FootReport foot_report(const LegPath& source, const Sole& source_sole, const LegPath& finished,
                       const Sole& sole, std::size_t leg, const StandingFeet& standing,
                       const std::vector<double>& times) {
    FootReport report;
    report.slot = finished.side + (finished.balls.empty() ? "Foot" : "Toes");
    for (const Contact& contact : standing.contacts[leg].standing()) {
        ++report.contacts;
        report.stands_seconds.emplace_back(times[contact.first], times[contact.last]);
        report.contact_seconds += times[contact.last] - times[contact.first];
    }
    report.source_slide_mm_per_second =
        measure_foot(source, source_sole, leg, standing, times).slide_mm_per_second;
    report.now = measure_foot(finished, sole, leg, standing, times);
    return report;
}

double knee_change_degrees(const LegPath& before, const LegPath& after) {
    double largest = 0;
    const auto bend = [](const LegPath& leg, std::size_t frame) {
        const auto thigh = direction_of(leg.knees[frame] - leg.hips[frame]);
        const auto shin = direction_of(leg.ankles[frame] - leg.knees[frame]);
        return thigh && shin ? angle_of_directions_degrees(*thigh, *shin) : 0.0;
    };
    for (std::size_t frame = 0; frame < before.knees.size(); ++frame) {
        largest = std::max(largest, std::abs(bend(after, frame) - bend(before, frame)));
    }
    return largest;
}

}  // namespace animbridge::rig::retarget

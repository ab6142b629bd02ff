// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "convert/convert.h"
#include "convert/retarget/retarget.h"
#include "model/clip/clip.h"
#include "model/compare/compare.h"
#include "model/findings/findings.h"

namespace animbridge {

namespace {

// ---- joints with equal names ----

/// A joint of the first clip and its match in the second.
struct Pair {
    std::size_t a = 0;
    std::size_t b = 0;
    std::optional<std::size_t> above{};  ///< index of the pair that carries it
};

/// In the order of the first skeleton, which has parents first. Each joint is in one pair at most.
std::vector<Pair> pairs_of(const Skeleton& a, const Skeleton& b) {
    std::map<std::string_view, std::size_t> by_name;
    for (std::size_t i = 0; i < b.nodes.size(); ++i) {
        by_name.emplace(b.nodes[i].name, i);
    }
    for (std::size_t i = 0; i < b.nodes.size(); ++i) {
        for (const std::string_view alias : b.nodes[i].aliases) {
            by_name.emplace(alias, i);
        }
    }
    std::vector<bool> is_taken(b.nodes.size());
    std::vector<std::optional<std::size_t>> pair_of(a.nodes.size());  // its own, or the nearest one above
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < a.nodes.size(); ++i) {
        const Node& node = a.nodes[i];
        std::vector<std::string_view> names{node.name};
        names.insert(names.end(), node.aliases.begin(), node.aliases.end());
        const auto above = node.parent ? pair_of[*node.parent] : std::nullopt;
        pair_of[i] = above;
        for (const std::string_view name : names) {
            const auto found = by_name.find(name);
            if (found != by_name.end() && !is_taken[found->second]) {
                is_taken[found->second] = true;
                pair_of[i] = pairs.size();
                pairs.push_back({i, found->second, above});
                break;
            }
        }
    }
    return pairs;
}

/// Per node: whether it has keys of its own.
std::vector<bool> keyed_nodes(const Clip& clip, std::optional<Channel> only = std::nullopt) {
    std::vector<bool> keyed(clip.skeleton.nodes.size());
    for (const Track& track : clip.tracks) {
        const bool counts = track.channel != Channel::property && (!only || track.channel == *only);
        keyed[track.node] = keyed[track.node] || (counts && track.key_count() > 0);
    }
    return keyed;
}

/// The names of joints with keys that are in no pair.
std::vector<std::string> unpaired(const Clip& clip, const std::vector<Pair>& pairs, std::size_t Pair::*side) {
    std::vector<bool> keyed = keyed_nodes(clip);
    for (const Pair& pair : pairs) {
        keyed[pair.*side] = false;
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < keyed.size(); ++i) {
        if (keyed[i]) {
            names.push_back(clip.skeleton.nodes[i].name);
        }
    }
    return names;
}

/// The 24 turns that take axes to axes; the first one turns nothing.
std::vector<glm::dquat> turns_of_axes() {
    constexpr double half = 0.70710678118654752440;
    const glm::dquat about_x(half, half, 0, 0);
    const glm::dquat about_y(half, 0, half, 0);
    const glm::dquat about_z(half, 0, 0, half);
    const glm::dquat none(1, 0, 0, 0);
    const std::array<glm::dquat, 6> of_z = {
        none, about_x, about_x * about_x, glm::conjugate(about_x), about_y, glm::conjugate(about_y)};
    std::vector<glm::dquat> turns;
    for (const glm::dquat& first : of_z) {
        glm::dquat turn = first;
        for (int quarter = 0; quarter < 4; ++quarter) {
            turns.push_back(glm::normalize(turn));
            turn = turn * about_z;
        }
    }
    return turns;
}

/// Two clips whose joints have equal names and rest alike.
struct Matched {
    std::vector<Pair> pairs{};
    std::vector<Transform> rest_a{};
    std::vector<Transform> rest_b{};
    glm::dquat turn{1, 0, 0, 0};   ///< from the first clip's axes to the second's
    glm::dquat whole{1, 0, 0, 0};  ///< then, by which the second body is turned as a whole

    /// The position of the first clip's joint as seen in the second clip.
    [[nodiscard]] glm::dvec3 seen_in_b(const glm::dvec3& place) const {
        return rest_b[pairs.front().b].translation +
               whole * (turn * (place - rest_a[pairs.front().a].translation));
    }
    /// The longest distance between resting joints of a pair, and the sum of the angles between them.
    [[nodiscard]] std::pair<double, double> apart() const {
        double farthest = 0;
        double turned = 0;
        for (const Pair& pair : pairs) {
            farthest = std::max(
                farthest, glm::length(seen_in_b(rest_a[pair.a].translation) - rest_b[pair.b].translation));
            turned += chord(product(turn, rest_a[pair.a].rotation), rest_b[pair.b].rotation);
        }
        return {farthest, turned};
    }
    [[nodiscard]] double size() const {
        double farthest = 0;
        for (const Pair& pair : pairs) {
            farthest = std::max(
                farthest, glm::length(rest_b[pair.b].translation - rest_b[pairs.front().b].translation));
        }
        return farthest;
    }
};

/// nullopt if at most half of the joints that move have equal names, or the skeletons rest differently.
std::optional<Matched> matched_by_names(const Clip& a, const Clip& b) {
    Matched matched{pairs_of(a.skeleton, b.skeleton), world_at_rest(a.skeleton), world_at_rest(b.skeleton)};
    const std::vector<bool> keyed_a = keyed_nodes(a);
    const std::vector<bool> keyed_b = keyed_nodes(b);
    const auto moving = std::ranges::count(keyed_a, true) + std::ranges::count(keyed_b, true);
    const auto known =
        std::ranges::count_if(matched.pairs, [&](const Pair& pair) { return keyed_a[pair.a]; }) +
        std::ranges::count_if(matched.pairs, [&](const Pair& pair) { return keyed_b[pair.b]; });
    if (known == 0 || 2 * known <= moving) {
        return std::nullopt;
    }
    constexpr double same_rest = 0.001;
    const double tolerated = same_rest * matched.size();
    double least = 0;
    std::optional<glm::dquat> best;
    for (const glm::dquat& turn : turns_of_axes()) {
        matched.turn = turn;
        const auto [farthest, turned] = matched.apart();
        if (farthest <= tolerated && (!best || turned < least)) {
            best = turn;
            least = turned;
        }
    }
    matched.turn = best.value_or(matched.turn);
    return best ? std::optional(std::move(matched)) : std::nullopt;
}

/// Plays two clips. Rotations are those since the rest pose, so that bones may rest with any roll.
class NamedComparison {
public:
    /// `counts`: per pair.
    NamedComparison(const Clip& a, const Clip& b, Matched matched, const std::vector<bool>& counts)
        : matched_(std::move(matched)), a_(a), b_(b), turned_a_(pairs().size()), turned_b_(pairs().size()) {
        for (std::size_t i = 0; i < pairs().size(); ++i) {
            moves_.push_back(counts[i] && (a_.moves(pairs()[i].a) || b_.moves(pairs()[i].b)));
            joints_.push_back({a.skeleton.nodes[pairs()[i].a].name});
        }
        body_ = topmost(a, b, Channel::translation);
        turned_ = topmost(a, b, Channel::rotation);
    }

    /// What sets the second body apart as a whole, and is left out of what follows.
    struct Whole {
        glm::dquat turn{1, 0, 0, 0};
        glm::dvec3 path_offset{0, 0, 0};
    };
    Whole take_out_whole(const std::vector<double>& times) {
        std::vector<glm::dquat> turns;
        for (std::size_t i = 0; turned_ && i < times.size(); ++i) {
            pose(times[i]);
            turns.push_back(product(since_rest_b(*turned_), glm::conjugate(since_rest_a(*turned_))));
        }
        matched_.whole = turn_of_body(std::move(turns));
        std::vector<glm::dvec3> apart;
        for (std::size_t i = 0; body_ && i < times.size(); ++i) {
            pose(times[i]);
            apart.push_back(distance(*body_));
        }
        offset_ = offset_of_path(std::move(apart));
        return {matched_.whole, offset_};
    }

    void compare_at(double seconds) {
        pose(seconds);
        for (std::size_t i = 0; i < pairs().size(); ++i) {
            const Pair& pair = pairs()[i];
            turned_a_[i] = since_rest_a(pair);
            turned_b_[i] = since_rest_b(pair);
            if (!moves_[i]) {
                continue;
            }
            const double millimetres = 1000.0 * glm::length(distance(pair));
            const double degrees = angle_between_degrees(own(turned_a_, i), own(turned_b_, i));
            joints_[i].widen(millimetres, degrees, seconds);
            counted_.add(millimetres, degrees);
        }
    }

    [[nodiscard]] Comparison take(std::size_t times) {
        Comparison comparison;
        for (std::size_t i = 0; i < pairs().size(); ++i) {
            if (moves_[i]) {
                comparison.joints.push_back(std::move(joints_[i]));
            }
        }
        comparison.times = times;
        comparison.spread = counted_.spreads(comparison.worst(), comparison.joints.size(), times);
        return comparison;
    }

    [[nodiscard]] const std::vector<Pair>& pairs() const { return matched_.pairs; }

private:
    void pose(double seconds) {
        a_.pose(seconds);
        b_.pose(seconds);
    }
    [[nodiscard]] glm::dvec3 distance(const Pair& pair) const {
        return b_.world()[pair.b].translation - matched_.seen_in_b(a_.world()[pair.a].translation) - offset_;
    }
    /// The turn of a joint since the rest pose, in the second clip's axes.
    [[nodiscard]] glm::dquat since_rest_a(const Pair& pair) const {
        const glm::dquat turned =
            product(a_.world()[pair.a].rotation, glm::conjugate(matched_.rest_a[pair.a].rotation));
        return product(product(product(matched_.whole, matched_.turn), turned),
                       glm::conjugate(matched_.turn));
    }
    [[nodiscard]] glm::dquat since_rest_b(const Pair& pair) const {
        return product(b_.world()[pair.b].rotation, glm::conjugate(matched_.rest_b[pair.b].rotation));
    }
    /// The topmost pair of which a joint has keys of that channel.
    [[nodiscard]] std::optional<Pair> topmost(const Clip& a, const Clip& b, Channel channel) const {
        const std::vector<bool> keyed_a = keyed_nodes(a, channel);
        const std::vector<bool> keyed_b = keyed_nodes(b, channel);
        const auto found = std::ranges::find_if(
            pairs(), [&](const Pair& pair) { return keyed_a[pair.a] || keyed_b[pair.b]; });
        return found == pairs().end() ? std::nullopt : std::optional(*found);
    }
    /// The turn of a joint relative to the joint that carries it.
    [[nodiscard]] glm::dquat own(const std::vector<glm::dquat>& turned, std::size_t pair) const {
        const auto above = pairs()[pair].above;
        return above ? product(glm::conjugate(turned[*above]), turned[pair]) : turned[pair];
    }

    Matched matched_;
    ClipPoser a_;
    ClipPoser b_;
    std::vector<glm::dquat> turned_a_;
    std::vector<glm::dquat> turned_b_;
    std::vector<bool> moves_{};
    std::vector<JointDifference> joints_{};
    std::optional<Pair> body_{};    ///< the topmost one with keys of its place
    std::optional<Pair> turned_{};  ///< the topmost one with keys of its rotation
    glm::dvec3 offset_{0, 0, 0};
    SpreadCounter counted_{};
};

// ---- two motions ----

/// A document as a motion.
struct Motion : RigMotion {
    const Format& format;
};

Result<Motion> motion_of(const AnyDocument& document, const RigText& rig, rig::humanoid::RigUse use) {
    const Format& format = document.format();
    if (format.clip.to_clip == nullptr) {
        return fail(ErrorCode::invalid_argument,
                    std::string(format.noun) + " can be compared only with another one" +
                        (format.reasons.no_clip.empty() ? "" : ": ") + std::string(format.reasons.no_clip));
    }
    return motion_with_rig(document, at_body_size(format, Json::object()), rig, use)
        .map([&](RigMotion motion) {
            return Motion{std::move(motion), format};
        });
}

/// Times within this are one time: files round them.
constexpr double same_seconds = 1e-4;

/// The times to compare, without those that only one of them has.
std::vector<double> times_within(const Clip& a, const Clip& b, double seconds) {
    std::vector<double> times = times_to_compare(a, b);
    const auto past = std::ranges::upper_bound(times, seconds + same_seconds);
    times.erase(std::max(past, times.begin() + 1), times.end());
    return times;
}

/// The differences, and what they leave out.
struct Measured {
    std::string_view by;
    Comparison comparison{};
    glm::dquat turn{1, 0, 0, 0};
    glm::dvec3 path_offset{0, 0, 0};
    std::vector<std::string> warnings{};
};

/// Per pair: whether both formats count its joints, or one of them has keys.
std::vector<bool> counted_pairs(const std::vector<Pair>& pairs, const Motion& a, const Motion& b) {
    const auto counted = [](const Motion& motion) {
        const auto counts = motion.format.clip.counted;
        return counts == nullptr ? std::vector<bool>(motion.clip.skeleton.nodes.size(), true)
                                 : counts(motion.clip);
    };
    const std::vector<bool> counted_a = counted(a);
    const std::vector<bool> counted_b = counted(b);
    const std::vector<bool> keyed_a = keyed_nodes(a.clip);
    const std::vector<bool> keyed_b = keyed_nodes(b.clip);
    std::vector<bool> counts;
    counts.reserve(pairs.size());
    for (const Pair& pair : pairs) {
        counts.push_back((counted_a[pair.a] && counted_b[pair.b]) || keyed_a[pair.a] || keyed_b[pair.b]);
    }
    return counts;
}

Result<Measured> by_names(const Motion& a, const Motion& b, Matched matched, double seconds, const Job& job) {
    const std::vector<bool> counts = counted_pairs(matched.pairs, a, b);
    NamedComparison joints(a.clip, b.clip, std::move(matched), counts);
    const std::vector<double> times = times_within(a.clip, b.clip, seconds);
    Measured measured{"names"};
    const auto whole = joints.take_out_whole(times);
    measured.turn = whole.turn;
    measured.path_offset = whole.path_offset;
    for (std::size_t i = 0; i < times.size(); ++i) {
        TRY_VOID(job.report(static_cast<double>(i) / static_cast<double>(times.size())));
        joints.compare_at(times[i]);
    }
    measured.comparison = joints.take(times.size());
    measured.comparison.only_in_a = unpaired(a.clip, joints.pairs(), &Pair::a);
    measured.comparison.only_in_b = unpaired(b.clip, joints.pairs(), &Pair::b);
    return measured;
}

Result<Measured> by_parts(const RigMotion& a, const RigMotion& b,
                          const rig::retarget::RetargetOptions& options, double seconds, const Job& job) {
    if (a.rig.slots.empty() || b.rig.slots.empty()) {
        return fail(
            ErrorCode::invalid_argument,
            "the two files can't be compared by joints with equal names and rest poses, and no body is found "
            "in the " +
                std::string(a.rig.slots.empty() ? "first" : "second") +
                " one. Compare files of one skeleton, or of two people");
    }
    return rig::retarget::likeness(a.clip, a.rig, b.clip, b.rig, options, seconds + same_seconds, job)
        .map([&](rig::retarget::Likeness found) {
            Measured measured{"parts", std::move(found.parts), found.turn, found.path_offset_metres,
                              std::move(found.warnings)};
            for (const RigMotion* motion : {&a, &b}) {
                measured.warnings.insert(measured.warnings.end(), motion->rig.warnings.begin(),
                                         motion->rig.warnings.end());
            }
            return measured;
        });
}

/// How far all turns of joints differ, as angles from the rest pose: these are the same in all axes. The
/// first motion is `later` seconds ahead.
double turns_apart(const RigMotion& a, const RigMotion& b, const std::vector<Pair>& joints, double seconds,
                   double later) {
    constexpr int times = 48;
    ClipPoser poser_a(a.clip);
    ClipPoser poser_b(b.clip);
    double apart = 0;
    for (int i = 0; i < times; ++i) {
        const double at = seconds * i / times;
        poser_a.pose(at + std::max(later, 0.0));
        poser_b.pose(at + std::max(-later, 0.0));
        for (const Pair& pair : joints) {
            const auto angle = [](const ClipPoser& poser, const Clip& clip, std::size_t node) {
                return angle_between_degrees(poser.local()[node].rotation,
                                             clip.skeleton.nodes[node].rest_local.rotation);
            };
            apart += std::abs(angle(poser_a, a.clip, pair.a) - angle(poser_b, b.clip, pair.b));
        }
    }
    return apart;
}

/// The joints with equal names or of the same part, of which both turn. The topmost ones do not count: the
/// bodies may be turned as a whole.
std::vector<Pair> turning_pairs(const RigMotion& a, const RigMotion& b) {
    std::vector<Pair> joints = pairs_of(a.clip.skeleton, b.clip.skeleton);
    for (const rig::humanoid::FoundSlot& slot : a.rig.slots) {
        if (const auto joint = b.rig.joint_of(slot.slot)) {
            joints.push_back({slot.joint, *joint});
        }
    }
    const std::vector<bool> turns_a = keyed_nodes(a.clip, Channel::rotation);
    const std::vector<bool> turns_b = keyed_nodes(b.clip, Channel::rotation);
    std::erase_if(joints, [&](const Pair& pair) {
        auto above = a.clip.skeleton.nodes[pair.a].parent;
        while (above && !turns_a[*above]) {
            above = a.clip.skeleton.nodes[*above].parent;
        }
        return !above || !turns_a[pair.a] || !turns_b[pair.b];
    });
    return joints;
}

/// How much later the first motion shows what the second one shows: some frames, if it is longer, and the
/// motions are then much more alike. The Second Life viewer leaves out the first frame of a BVH.
double seconds_later(const RigMotion& a, const RigMotion& b) {
    constexpr std::ptrdiff_t most_frames = 64;
    constexpr double much = 0.5;
    const double longer = a.clip.duration_seconds - b.clip.duration_seconds;
    const std::vector<Pair> joints = turning_pairs(a, b);
    std::vector<double> frames = frame_times_of(longer > 0.0 ? a.clip : b.clip);
    frames.erase(std::ranges::upper_bound(frames, std::abs(longer) + same_seconds), frames.end());
    frames.erase(frames.begin() + std::min<std::ptrdiff_t>(most_frames, std::ssize(frames)), frames.end());
    const double seconds = std::min(a.clip.duration_seconds, b.clip.duration_seconds);
    double least = much * turns_apart(a, b, joints, seconds, 0.0);
    double best = 0;
    for (const double frame : frames) {
        const double later = longer > 0.0 ? frame : -frame;
        if (const double apart = turns_apart(a, b, joints, seconds, later); apart < least) {
            least = apart;
            best = later;
        }
    }
    return best;
}

/// Leaves out a first frame that is a pose if the other clip does not begin with one. Returns the clip that
/// had it, "a" or "b"; null: none.
Json leave_out_first_frame(RigMotion& a, RigMotion& b) {
    const auto in_a = rig::retarget::odd_first_frame(a.clip, a.rig);
    const auto in_b = rig::retarget::odd_first_frame(b.clip, b.rig);
    if (in_a.has_value() == in_b.has_value()) {
        return nullptr;
    }
    RigMotion& motion = in_a ? a : b;
    motion.clip = rig::retarget::without_first_frame(motion.clip, in_a ? *in_a : *in_b);
    return in_a ? "a" : "b";
}

}  // namespace

Result<Json> compare_documents(const AnyDocument& a, const AnyDocument& b, const Json& retarget,
                               const Job& job) {
    Json bounds = Json::object();
    const Json given = retarget.is_object() ? take_bounds(retarget, bounds) : Json();
    if (&a.format() == &b.format() && given.is_null()) {
        return a.compare(b, job);
    }
    const Json options = given.is_null() ? Json::object() : given;
    TRY(const auto rigs, given_rigs(options));
    TRY(auto first, motion_of(a, rigs.source, rig::humanoid::RigUse::source));
    TRY(auto second, motion_of(b, rigs.target, rig::humanoid::RigUse::target));
    TRY(const auto wanted, motion_options(first, second.reference, options));
    TRY_VOID(job.report(0.2));
    const double seconds_a = first.clip.duration_seconds;
    const double seconds_b = second.clip.duration_seconds;
    const double later = seconds_later(first, second);
    if (later != 0.0) {
        Clip& clip = later > 0.0 ? first.clip : second.clip;
        const double end = clip.duration_seconds;
        clip = trimmed(std::move(clip), std::abs(later), end);
    }
    Json left_out = leave_out_first_frame(first, second);
    const double seconds = std::min(first.clip.duration_seconds, second.clip.duration_seconds);
    auto matched = given.is_null() ? matched_by_names(first.clip, second.clip) : std::nullopt;
    TRY(const auto measured, matched
                                 ? by_names(first, second, std::move(*matched), seconds, job.part(0.2, 1.0))
                                 : by_parts(first, second, wanted, seconds, job.part(0.2, 1.0)));
    Json report = comparison_json(measured.comparison);
    report["by"] = measured.by;
    if (measured.by == "parts") {
        report["rotations_in"] = "limb";
    }
    report["seconds"] = {{"a", seconds_a}, {"b", seconds_b}, {"compared", seconds}, {"later", later}};
    report["turned_degrees"] = angle_between_degrees(measured.turn, {1, 0, 0, 0});
    const glm::dvec3& offset = measured.path_offset;
    report["path_offset_metres"] = {offset.x, offset.y, offset.z};
    report["first_frame_left_out"] = std::move(left_out);
    report["warnings"] = texts_json(measured.warnings);
    return report;
}

}  // namespace animbridge

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <iterator>

#include "base/options/options.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/fix/mends.h"
#include "formats/sl_anim/play/play.h"
#include "model/clip/clip.h"

/// Both files are played, and the codes of both are compared.
namespace animbridge::sl_anim::fix {

namespace {

bool is_named(const Change& change, const std::string& record) {
    const auto known = avatar::find_joint(record);
    return known &&
           std::ranges::find(change.joints, avatar::skeleton()[*known].node.name) != change.joints.end();
}

/// The keys that a change must not touch: all, or those before and after it.
template <typename Key>
std::vector<Key> untouched(const file::Document& document, const std::vector<Key>& keys, const Change& change,
                           bool is_whole) {
    std::vector<Key> kept;
    std::ranges::copy_if(keys, std::back_inserter(kept), [&](const Key& key) {
        const double seconds = seconds_of(key, document);
        return is_whole || seconds < change.begin_seconds || seconds > change.end_seconds;
    });
    return kept;
}

/// Equal codes; where times are stored anew, equal values in the same order, of which some may have met.
template <typename Key>
bool are_kept(const std::vector<Key>& before, const std::vector<Key>& after, bool is_retimed) {
    if (!is_retimed) {
        return before == after;
    }
    auto next = before.begin();
    return std::ranges::all_of(after, [&](const Key& key) {
        next = std::find_if(next, before.end(), [&](const Key& old) { return old.xyz == key.xyz; });
        return next != before.end() && next++ != before.end();
    });
}

bool keeps_the_rest(const file::Document& before, const file::Document& after, const Change& change) {
    std::size_t at = 0;
    for (const file::Joint& old : before.joints) {
        const bool named = is_named(change, old.name);
        const bool is_there = at < after.joints.size() && after.joints[at].name == old.name;
        if (!is_there) {
            if (!named) {
                return false;
            }
            continue;
        }
        const file::Joint& made = after.joints[at++];
        const auto same = [&](const file::KeyList& one, const file::KeyList& other) {
            const auto kept = [&](const auto& old_keys, const auto& new_keys) {
                return are_kept(untouched(before, old_keys, change, !named),
                                untouched(after, new_keys, change, !named), change.is_retimed);
            };
            return kept(one.coded, other.coded) && kept(one.legacy, other.legacy);
        };
        // A named joint may have lost a track, or got one.
        const bool is_whole = !named || change.begin_seconds > 0.0 || std::isfinite(change.end_seconds);
        if (is_whole && !(same(old.rotation, made.rotation) && same(old.position, made.position))) {
            return false;
        }
        if (!named && old.priority != made.priority) {
            return false;
        }
    }
    // What is new belongs to a joint that the change names.
    return std::all_of(after.joints.begin() + static_cast<std::ptrdiff_t>(at), after.joints.end(),
                       [&](const file::Joint& joint) { return is_named(change, joint.name); });
}

/// Key times of both files, and the midpoints between them, as long as the new one lasts.
std::vector<float> compared_times(const file::Document& before, const file::Document& after) {
    constexpr std::size_t most = 8'000;  // keys and midpoints of a minute at 60 a second
    std::vector<float> times = {0.0F, after.duration.value()};
    for (const file::Document* document : {&before, &after}) {
        std::ranges::copy(play::key_times_and_midpoints(*document), std::back_inserter(times));
    }
    std::erase_if(times, [&](float time) { return !(time <= after.duration.value()); });
    times = sorted_unique(std::move(times));
    std::vector<float> some;
    const std::size_t step = times.size() / most + 1;
    for (std::size_t i = 0; i < times.size(); i += step) {
        some.push_back(times[i]);
    }
    return some;
}

/// How far two players differ.
class BothPlayed {
public:
    BothPlayed(const file::Document& before, const file::Document& after)
        : before_(before),
          after_(after),
          later_seconds_(before.version == file::Version::legacy ? step_seconds(before) : 0.0) {
        std::vector<bool> has_track(avatar::skeleton().size());
        for (const play::Player* player : {&before_, &after_}) {
            for (const auto& joint : player->joints()) {
                if (joint.joint) {
                    has_track[*joint.joint] = true;
                }
            }
        }
        counted_ = avatar::counted_joints(has_track);
    }

    void compare(float old_seconds, float new_seconds, double shown_seconds, const Change& change) {
        auto old_pose = before_.local_pose(old_seconds);
        auto new_pose = after_.local_pose(new_seconds);
        const bool is_inside =
            shown_seconds >= change.begin_seconds && shown_seconds <= change.end_seconds + later_seconds_;
        for (std::size_t i = 0; i < counted_.size(); ++i) {
            const double degrees = angle_between_degrees(old_pose[i].rotation, new_pose[i].rotation);
            const double mm = 1000.0 * glm::distance(old_pose[i].translation, new_pose[i].translation);
            all.degrees = std::max(all.degrees, degrees);
            Reach& local = is_inside ? inside : outside;
            local.degrees = std::max(local.degrees, degrees);
            local.mm = std::max(local.mm, mm);
        }
        old_pose = play::Player::to_world(std::move(old_pose));
        new_pose = play::Player::to_world(std::move(new_pose));
        for (std::size_t i = 0; i < counted_.size(); ++i) {
            if (counted_[i]) {
                all.mm = std::max(all.mm,
                                  1000.0 * glm::distance(old_pose[i].translation, new_pose[i].translation));
            }
        }
    }
    /// While the loop repeats three times.
    void compare_rounds(const Change& change) {
        const auto seconds = static_cast<double>(after_.duration_seconds());
        constexpr int samples = 600;
        for (int i = 0; i <= samples; ++i) {
            const double now = 3.0 * seconds * i / samples;
            compare(before_.state_at(now).clip_seconds, after_.state_at(now).clip_seconds, now, change);
        }
    }

    Moved all{};
    Reach inside{};
    Reach outside{};

private:
    play::Player before_;
    play::Player after_;
    double later_seconds_;  ///< that keys may be than where they are measured
    std::vector<bool> counted_;
};

std::string moved_text(const Reach& reach) {
    return fixed_text(reach.degrees, 2) + " degrees and " + fixed_text(reach.mm, 2) + " mm";
}

}  // namespace

tl::expected<Moved, std::string> proven(const file::Document& before, const file::Document& after,
                                        const Change& change) {
    if (!keeps_the_rest(before, after, change)) {
        return tl::unexpected<std::string>("it would change keys of other joints or times");
    }
    BothPlayed played(before, after);
    if (change.has_other_times) {
        played.compare_rounds(change);
    } else {
        for (const float time : compared_times(before, after)) {
            played.compare(time, time, double{time}, change);
        }
    }
    // Times that are stored anew are off by half a code at most, which fast joints show.
    const double faster = change.is_retimed ? 10.0 : 1.0;
    const Reach& in = played.inside;
    const Reach& out = played.outside;
    if (in.degrees > change.degrees + faster * stored_degrees || in.mm > change.mm + faster * stored_mm) {
        return tl::unexpected<std::string>("it would move joints by " + moved_text(in) + ", more than " +
                                           moved_text({change.degrees, change.mm}));
    }
    if (out.degrees > faster * stored_degrees || out.mm > faster * stored_mm) {
        return tl::unexpected<std::string>("it would move joints at other times, by " + moved_text(out));
    }
    return played.all;
}

}  // namespace animbridge::sl_anim::fix

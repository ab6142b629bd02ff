// SPDX-License-Identifier: MIT
#include "formats/sl_anim/reduce/reduce.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_set>

#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/codes/codes.h"
#include "formats/sl_anim/play/play.h"

namespace animbridge::sl_anim::reduce {

namespace {

template <typename Value>
void take_played(const codes::Keys<Value>& keys, animbridge::reduce::KeyTrack& track,
                 std::vector<std::uint32_t>& file_index, std::vector<Value>& values) {
    std::vector<std::uint32_t> order(keys.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return keys.times[a] < keys.times[b]; });
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i + 1 < order.size() && keys.times[order[i]] == keys.times[order[i + 1]]) {
            continue;
        }
        file_index.push_back(order[i]);
        track.times.push_back(keys.times[order[i]]);
        values.push_back(keys.values[order[i]]);
    }
}

/// The keys as an upload stores them, each key separately.
file::KeyList in_form(file::KeyList keys, Channel channel, float duration, Form form) {
    if (form == Form::as_written) {
        return keys;
    }
    for (file::CodedKey& key : keys.coded) {
        const auto [x, y, z] = key.xyz;
        key.time = codes::restore_time(key.time, duration);
        key.xyz = channel == Channel::translation
                      ? std::array{codes::restore_position(x), codes::restore_position(y),
                                   codes::restore_position(z)}
                      : codes::restore_rotation(codes::from_stored(
                            codes::decode(x, -codes::rotation_limit, codes::rotation_limit),
                            codes::decode(y, -codes::rotation_limit, codes::rotation_limit),
                            codes::decode(z, -codes::rotation_limit, codes::rotation_limit)));
    }
    return keys;
}

file::KeyList filtered(const file::KeyList& keys, const std::vector<std::uint8_t>& stays) {
    file::KeyList result;
    for (std::size_t i = 0; i < keys.coded.size(); ++i) {
        if (stays[i] != 0) {
            result.coded.push_back(keys.coded[i]);
        }
    }
    for (std::size_t i = 0; i < keys.legacy.size(); ++i) {
        if (stays[i] != 0) {
            result.legacy.push_back(keys.legacy[i]);
        }
    }
    return result;
}

void take_wanted(const Track& wanted, animbridge::reduce::KeyTrack& track) {
    for (std::size_t i = 0; i < wanted.key_count(); ++i) {
        if (wanted.channel == Channel::rotation) {
            track.wanted_rotations.push_back(glm::normalize(wanted.rotation(i)));
        } else {
            track.wanted_translations.push_back(wanted.translation(i));
        }
    }
}

}  // namespace

/// The tracks of the file that play: those with keys, in the first record of each joint.
struct Reducer::Prepared final : animbridge::reduce::Playback {
    explicit Prepared(ReduceTask& task)
        : document(task.document),
          motion{avatar::playing_skeleton(), counted, tracks, *this},
          reducer(take(task)) {}

    [[nodiscard]] glm::dquat rotation(std::size_t track, const animbridge::reduce::Bracket& keys,
                                      float seconds) const override {
        const auto unit = [](const codes::Quaternion& q) {
            return glm::normalize(glm::dquat(q.w, q.x, q.y, q.z));
        };
        const auto& values = played[track].rotations;
        const auto& times = tracks[track].times;
        if (keys.left == keys.right || times[keys.right] == seconds) {
            return unit(values[keys.right]);
        }
        return unit(
            codes::interpolate(share_of(times, keys, seconds), values[keys.left], values[keys.right]));
    }

    [[nodiscard]] glm::dvec3 translation(std::size_t track, const animbridge::reduce::Bracket& keys,
                                         float seconds) const override {
        const auto wide = [](const codes::Vector& p) { return glm::dvec3(p[0], p[1], p[2]); };
        const auto& values = played[track].positions;
        const auto& times = tracks[track].times;
        if (keys.left == keys.right || times[keys.right] == seconds) {
            return wide(values[keys.right]);
        }
        return wide(
            codes::interpolate(share_of(times, keys, seconds), values[keys.left], values[keys.right]));
    }

    [[nodiscard]] file::Document with_kept_keys(const std::vector<animbridge::reduce::Kept>& kept) const {
        file::Document result = document;
        for (std::size_t i = 0; i < tracks.size(); ++i) {
            if (std::find(kept[i].begin(), kept[i].end(), std::uint8_t{0}) == kept[i].end()) {
                continue;
            }
            file::Joint& joint = result.joints[played[i].record];
            file::KeyList& keys = tracks[i].channel == Channel::rotation ? joint.rotation : joint.position;
            std::vector<std::uint8_t> stays(file::key_count(keys), 0);
            for (std::size_t key = 0; key < tracks[i].size(); ++key) {
                stays[played[i].file_index[key]] = kept[i][key];
            }
            keys = filtered(keys, stays);
        }
        return result;
    }

    [[nodiscard]] ReducedFile file_of(animbridge::reduce::Reduced reduced) const {
        return {with_kept_keys(reduced.kept), reduced.keys_before, reduced.keys_after,
                std::move(reduced.errors),    reduced.holds,       reduced.operations};
    }

    /// The position of a track in the file, and its keys as the viewer plays them: decoded, sorted, and only
    /// the last of equal times. Single precision, as in the viewer.
    struct PlayedKeys {
        std::size_t record = 0;                 ///< index into the document's joints
        std::vector<std::uint32_t> file_index;  ///< per key, its index in the file's list
        std::vector<codes::Quaternion> rotations;
        std::vector<codes::Vector> positions;
    };

    const file::Document& document;
    std::vector<animbridge::reduce::KeyTrack> tracks{};
    std::vector<PlayedKeys> played{};
    std::vector<bool> counted = std::vector<bool>(avatar::skeleton().size(), false);
    animbridge::reduce::Motion motion;
    animbridge::reduce::Reducer reducer;

private:
    static float share_of(const std::vector<float>& times, const animbridge::reduce::Bracket& keys,
                          float seconds) {
        return (seconds - times[keys.left]) / (times[keys.right] - times[keys.left]);
    }

    void add_track(std::size_t record, std::optional<std::size_t> known, Channel channel,
                   const ReduceTask& task) {
        const file::Joint& joint = document.joints[record];
        const file::KeyList& keys = channel == Channel::rotation ? joint.rotation : joint.position;
        if (file::key_count(keys) == 0) {
            return;
        }
        const std::string& name = known ? avatar::skeleton()[*known].node.name : joint.name;
        const bool may_lose_keys = task.reducible == nullptr || task.reducible->contains({name, channel});
        if (known) {
            counted[*known] = true;
        }
        animbridge::reduce::KeyTrack& track = tracks.emplace_back(
            animbridge::reduce::KeyTrack{joint.name, known, channel, may_lose_keys, std::vector<float>()});
        PlayedKeys& values = played.emplace_back();
        values.record = record;
        const float duration = document.duration.value();
        const file::KeyList formed = in_form(keys, channel, duration, task.form);
        if (channel == Channel::rotation) {
            take_played(codes::decode_rotations(formed, duration), track, values.file_index,
                        values.rotations);
        } else {
            take_played(codes::decode_positions(formed, duration), track, values.file_index,
                        values.positions);
        }
    }

    animbridge::reduce::Reducer take(ReduceTask& task) {
        std::unordered_set<std::string> seen;
        for (std::size_t i = 0; i < document.joints.size(); ++i) {
            const auto known = avatar::find_joint(document.joints[i].name);
            if (seen.insert(known ? avatar::skeleton()[*known].node.name : document.joints[i].name).second) {
                add_track(i, known, Channel::rotation, task);
                add_track(i, known, Channel::translation, task);
            }
        }
        counted = avatar::counted_joints(std::move(counted));
        for (const Track& wanted : task.wanted == nullptr ? std::vector<Track>{} : task.wanted->tracks) {
            for (animbridge::reduce::KeyTrack& track : tracks) {
                if (track.node == wanted.node && track.channel == wanted.channel) {
                    take_wanted(wanted, track);
                }
            }
        }
        return {motion, task.times.empty() ? play::key_times_and_midpoints(document) : std::move(task.times)};
    }
};

Reducer::Reducer(ReduceTask task) : prepared_(std::make_unique<const Prepared>(task)) {}

Reducer::~Reducer() = default;

Result<ReducedFile> Reducer::within(const animbridge::reduce::Bound& bound, const Job& job) const {
    return prepared_->reducer.within(bound, job).map([&](animbridge::reduce::Reduced reduced) {
        return prepared_->file_of(std::move(reduced));
    });
}

Result<FittedFile> Reducer::fit(const animbridge::reduce::Bound& unit, bool at_least_unit, std::size_t limit,
                                const std::function<std::size_t(const file::Document&)>& bytes_of,
                                const Job& job) const {
    const auto bytes_of_kept = [&](const std::vector<animbridge::reduce::Kept>& kept) {
        return bytes_of(prepared_->with_kept_keys(kept));
    };
    return animbridge::reduce::fit(prepared_->reducer, unit, at_least_unit, limit, bytes_of_kept, job)
        .map([&](animbridge::reduce::Fitted fitted) {
            return FittedFile{prepared_->file_of(std::move(fitted.reduced)), fitted.bound, fitted.bytes};
        });
}

Result<ThinnedFile> thinned(const ReduceTask& task, const animbridge::reduce::Bound* bound,
                            std::uint64_t fit_bytes, const Job& job) {
    const bool too_large = fit_bytes > 0 && check::counted_bytes(task.document) > fit_bytes;
    if (bound == nullptr && !too_large) {
        return ThinnedFile{task.document};
    }
    const Reducer reducer(task);
    if (!too_large) {
        TRY(auto reduced, reducer.within(*bound, job));
        return ThinnedFile{std::move(reduced.document), reduced.keys_after, *bound, reduced.holds};
    }
    TRY(auto fitted, reducer.fit(bound == nullptr ? animbridge::reduce::Bound() : *bound, bound != nullptr,
                                 static_cast<std::size_t>(fit_bytes), check::counted_bytes, job));
    return ThinnedFile{std::move(fitted.reduced.document), fitted.reduced.keys_after, fitted.bound,
                       fitted.reduced.holds};
}

}  // namespace animbridge::sl_anim::reduce

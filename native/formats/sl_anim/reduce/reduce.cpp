// SPDX-License-Identifier: MIT
#include "formats/sl_anim/reduce/reduce.h"

#include <algorithm>
#include <iterator>
#include <map>
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
    animbridge::reduce::PlayedMotion motion;
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

namespace {

constexpr std::size_t bytes_of_key = 8;

/// Whether most tracks have a key at most times, as in a recording.
bool is_recording(const Clip& clip, const std::vector<float>& times) {
    const std::size_t keys =
        std::accumulate(clip.tracks.begin(), clip.tracks.end(), std::size_t{0},
                        [](std::size_t sum, const Track& track) { return sum + track.key_count(); });
    return !times.empty() && 2 * keys >= clip.tracks.size() * times.size();
}

/// The viewer's 16-bit codes.
class Codes final : public animbridge::reduce::Storage {
public:
    Codes(float duration_seconds, codes::Encoder encoder, Form form)
        : duration_(duration_seconds), encoder_(encoder), form_(form) {}

    [[nodiscard]] file::KeyList encoded(std::vector<float> times,
                                        const std::vector<glm::dquat>& rotations) const {
        codes::RotationKeys keys{std::move(times), {}};
        std::transform(rotations.begin(), rotations.end(), std::back_inserter(keys.values),
                       [](const glm::dquat& q) { return single(q); });
        return {codes::encode_rotations(keys, duration_, encoder_), {}};
    }

    [[nodiscard]] file::KeyList encoded(std::vector<float> times,
                                        const std::vector<glm::dvec3>& translations) const {
        codes::PositionKeys keys{std::move(times), {}};
        std::transform(translations.begin(), translations.end(), std::back_inserter(keys.values),
                       [](const glm::dvec3& v) { return single(v); });
        return {codes::encode_positions(keys, duration_, encoder_), {}};
    }

    /// When a key plays that is stored at this time.
    [[nodiscard]] float played_at(float seconds) const {
        const std::uint16_t code = codes::encode_key_time(seconds, duration_, encoder_);
        return codes::decode_time(form_ == Form::as_stored ? codes::restore_time(code, duration_) : code,
                                  duration_);
    }

    [[nodiscard]] std::vector<glm::dquat> held(const std::vector<glm::dquat>& rotations) const override {
        const file::KeyList stored = in_form(encoded(std::vector<float>(rotations.size()), rotations),
                                             Channel::rotation, duration_, form_);
        std::vector<glm::dquat> values;
        for (const codes::Quaternion& q : codes::decode_rotations(stored, duration_).values) {
            values.push_back(wide(q));
        }
        return values;
    }

    [[nodiscard]] std::vector<glm::dvec3> held(const std::vector<glm::dvec3>& translations) const override {
        const file::KeyList stored = in_form(encoded(std::vector<float>(translations.size()), translations),
                                             Channel::translation, duration_, form_);
        std::vector<glm::dvec3> values;
        for (const codes::Vector& v : codes::decode_positions(stored, duration_).values) {
            values.push_back(wide(v));
        }
        return values;
    }

    [[nodiscard]] glm::dquat between(const glm::dquat& a, const glm::dquat& b, float share) const override {
        return wide(codes::interpolate(share, single(a), single(b)));
    }

    [[nodiscard]] glm::dvec3 between(const glm::dvec3& a, const glm::dvec3& b, float share) const override {
        return wide(codes::interpolate(share, single(a), single(b)));
    }

private:
    static codes::Quaternion single(const glm::dquat& q) {
        return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z),
                static_cast<float>(q.w)};
    }
    static codes::Vector single(const glm::dvec3& v) {
        return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
    }
    static glm::dquat wide(const codes::Quaternion& q) {
        return glm::normalize(glm::dquat(q.w, q.x, q.y, q.z));
    }
    static glm::dvec3 wide(const codes::Vector& v) { return {v[0], v[1], v[2]}; }

    float duration_;
    codes::Encoder encoder_;
    Form form_;
};

/// The tracks of a document as a motion to show: new keys for those of `task.wanted`, the others as they
/// play.
class Shown {
public:
    explicit Shown(const ReduceTask& task)
        : document_(task.document), codes_(task.document.duration.value(), task.encoder, task.form) {
        for (const float seconds : task.times) {
            const float played = codes_.played_at(seconds);
            if (key_times_.empty() || key_times_.back() < played) {
                times_.push_back(seconds);
                key_times_.push_back(played);
            }
        }
        std::map<clip::TrackName, const Track*> wanted;
        for (const Track& track : task.wanted->tracks) {
            wanted[{task.wanted->skeleton.nodes[track.node].name, track.channel}] = &track;
        }
        std::unordered_set<std::string> seen;
        for (std::size_t i = 0; i < document_.joints.size(); ++i) {
            const file::Joint& joint = document_.joints[i];
            const auto known = avatar::find_joint(joint.name);
            const std::string name = known ? avatar::skeleton()[*known].node.name : joint.name;
            if (!seen.insert(name).second) {
                continue;
            }
            for (const Channel channel : {Channel::rotation, Channel::translation}) {
                const file::KeyList& keys = channel == Channel::rotation ? joint.rotation : joint.position;
                const clip::TrackName track{name, channel};
                if (file::key_count(keys) == 0) {
                    continue;
                }
                if (known) {
                    counted_[*known] = true;
                }
                const bool may_change = task.reducible == nullptr || task.reducible->contains(track);
                const auto found = may_change ? wanted.find(track) : wanted.end();
                add(i, {joint.name, known, channel, found == wanted.end()},
                    found == wanted.end() ? nullptr : found->second, task.form);
            }
        }
        counted_ = avatar::counted_joints(std::move(counted_));
    }

    Result<ThinnedFile> thinned(const animbridge::reduce::Bound* bound, std::uint64_t fit_bytes,
                                const Job& job) const {
        std::size_t most_keys = keys_;
        if (fit_bytes > 0) {
            const std::size_t others = check::counted_bytes(document_) - bytes_of_key * keys_;
            const std::size_t left = fit_bytes > others ? fit_bytes - others : 0;
            most_keys = std::min(most_keys, left / bytes_of_key);
        }
        TRY(auto made, animbridge::reduce::new_keys(
                           {avatar::playing_skeleton(), counted_, times_, key_times_, tracks_, codes_},
                           bound == nullptr ? std::nullopt : std::optional(*bound), most_keys, job));
        ThinnedFile file{document_, made.key_count, made.bound, made.holds, made.errors};
        for (std::size_t i = 0; i < tracks_.size(); ++i) {
            if (!tracks_[i].is_given) {
                file::Joint& joint = file.document.joints[records_[i]];
                (tracks_[i].channel == Channel::rotation ? joint.rotation : joint.position) =
                    encoded(made.tracks[i]);
            }
        }
        return file;
    }

private:
    void add(std::size_t record, animbridge::reduce::ShownTrack shown, const Track* wanted, Form form) {
        const file::Joint& joint = document_.joints[record];
        const file::KeyList& keys = shown.channel == Channel::rotation ? joint.rotation : joint.position;
        if (wanted != nullptr) {
            TrackCursor cursor(*wanted);
            for (const float seconds : times_) {
                if (shown.channel == Channel::rotation) {
                    shown.rotations.push_back(cursor.rotation_at(seconds));
                } else {
                    shown.translations.push_back(cursor.translation_at(seconds));
                }
            }
            keys_ += file::key_count(keys);
        } else {
            const float duration = document_.duration.value();
            const file::KeyList formed = in_form(keys, shown.channel, duration, form);
            if (shown.channel == Channel::rotation) {
                const auto played = codes::as_played(codes::decode_rotations(formed, duration));
                for (const float seconds : times_) {
                    const codes::Quaternion q = codes::value_at(played, seconds);
                    shown.rotations.push_back(glm::normalize(glm::dquat(q.w, q.x, q.y, q.z)));
                }
            } else {
                const auto played = codes::as_played(codes::decode_positions(formed, duration));
                for (const float seconds : times_) {
                    const codes::Vector v = codes::value_at(played, seconds);
                    shown.translations.emplace_back(v[0], v[1], v[2]);
                }
            }
        }
        tracks_.push_back(std::move(shown));
        records_.push_back(record);
    }

    [[nodiscard]] file::KeyList encoded(const animbridge::reduce::NewKeys& keys) const {
        std::vector<float> times;
        std::transform(keys.samples.begin(), keys.samples.end(), std::back_inserter(times),
                       [&](std::uint32_t sample) { return times_[sample]; });
        return keys.rotations.empty() ? codes_.encoded(std::move(times), keys.translations)
                                      : codes_.encoded(std::move(times), keys.rotations);
    }

    const file::Document& document_;
    Codes codes_;
    std::vector<float> times_{};
    std::vector<float> key_times_{};
    std::vector<animbridge::reduce::ShownTrack> tracks_{};
    std::vector<std::size_t> records_{};  ///< per track, its joint in the document
    std::vector<bool> counted_ = std::vector<bool>(avatar::skeleton().size(), false);
    std::size_t keys_ = 0;  ///< of the tracks that get new ones
};

}  // namespace

namespace {

/// Beyond this, new keys show nothing like the motion.
constexpr double far_off_mm = 50.0;

Result<double> off_with_every_key(const ReduceTask& task, const Job& job) {
    return play::measure(*task.wanted, task.document, job).map([](const play::Measured& measured) {
        return measured.at_held_times.position_mm;
    });
}

}  // namespace

Result<ThinnedFile> thinned(const ReduceTask& task, const animbridge::reduce::Bound* bound,
                            std::uint64_t fit_bytes, const Job& job) {
    const bool too_large = fit_bytes > 0 && check::counted_bytes(task.document) > fit_bytes;
    if (bound == nullptr && !too_large) {
        return ThinnedFile{task.document};
    }
    ReduceTask as_is = task;
    if (task.wanted != nullptr && !is_recording(*task.wanted, task.times)) {
        as_is.wanted = nullptr;
        as_is.times.clear();
    } else if (task.wanted != nullptr && task.document.version == file::Version::coded) {
        auto made = Shown(task).thinned(bound, fit_bytes, job.part(0.0, 0.8));
        if (!made && made.error().code != ErrorCode::rejected) {
            return made;
        }
        // Between keys that are nearly half a turn apart, as in noise, the viewer's path is another one.
        TRY(const double own_mm,
            made && made->holds ? Result<double>(far_off_mm) : off_with_every_key(task, job.part(0.8, 0.9)));
        if (made && made->errors.position_mm <= own_mm) {
            return made;
        }
    }
    const Job rest = job.part(0.9, 1.0);
    const Reducer reducer(std::move(as_is));
    if (!too_large) {
        TRY(auto reduced, reducer.within(*bound, rest));
        return ThinnedFile{std::move(reduced.document), reduced.keys_after, *bound, reduced.holds,
                           std::move(reduced.errors)};
    }
    TRY(auto fitted, reducer.fit(bound == nullptr ? animbridge::reduce::Bound() : *bound, bound != nullptr,
                                 static_cast<std::size_t>(fit_bytes), check::counted_bytes, rest));
    return ThinnedFile{std::move(fitted.reduced.document), fitted.reduced.keys_after, fitted.bound,
                       fitted.reduced.holds, std::move(fitted.reduced.errors)};
}

}  // namespace animbridge::sl_anim::reduce

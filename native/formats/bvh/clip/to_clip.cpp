// SPDX-License-Identifier: MIT
#include "formats/bvh/clip/clip.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace animbridge::bvh::clip {

namespace {

/// A joint's tracks and its running state.
struct JointTracks {
    std::optional<std::size_t> rotation{};  ///< indices into Clip::tracks
    std::optional<std::size_t> translation{};
    SignKeeper signs{};
};

/// Makes keys block by block and joint by joint, so that memory is read once in order and written once.
class TrackWriter {
public:
    TrackWriter(const file::Document& document, const Placement& placement, Clip& clip)
        : document_(document), placement_(placement), clip_(clip), motions_(joint_motions(document)) {
        for (std::size_t joint = 0; joint < motions_.size(); ++joint) {
            JointTracks& tracks = tracks_.emplace_back();
            if (motions_[joint].rotates()) {
                tracks.rotation = add_track(joint, Channel::rotation);
            }
            if (motions_[joint].moves()) {
                tracks.translation = add_track(joint, Channel::translation);
            }
            if (tracks.rotation || tracks.translation) {
                animated_.push_back(joint);
            }
        }
    }

    Result<void> write(double frame_seconds) {
        write_times(frame_seconds);
        const std::size_t frames = document_.frame_count;
        for (std::size_t first = 0; first < frames; first += block_frames) {
            const std::size_t count = std::min(block_frames, frames - first);
            for (const std::size_t joint : animated_) {
                if (tracks_[joint].rotation) {
                    write_rotations(joint, first, count);
                }
                if (tracks_[joint].translation && !write_positions(joint, first, count)) {
                    return too_far(joint, first);
                }
            }
        }
        return {};
    }

private:
    std::size_t add_track(std::size_t node, Channel channel) {
        Track& track = clip_.tracks.emplace_back();
        track.node = node;
        track.channel = channel;
        track.times.reserve(document_.frame_count);
        track.values.reserve(document_.frame_count * width_of(channel));
        prefer_huge_pages(track.times.data(), track.times.capacity() * sizeof(double));
        prefer_huge_pages(track.values.data(), track.values.capacity() * sizeof(double));
        return clip_.tracks.size() - 1;
    }

    /// Call it after all tracks have reserved their memory: huge pages are available only for untouched
    /// memory.
    void write_times(double frame_seconds) {
        std::vector<double> times(document_.frame_count);
        for (std::size_t frame = 0; frame < times.size(); ++frame) {
            times[frame] = static_cast<double>(frame) * frame_seconds;
        }
        for (Track& track : clip_.tracks) {
            track.times = times;
        }
    }

    void write_rotations(std::size_t joint, std::size_t first, std::size_t count) {
        motions_[joint].rotations(first, count, rotations_);
        tracks_[joint].signs.follow(rotations_, count);
        const auto& [source, sign] = placement_.axes;
        const Lane& w = rotations_.parts[0];
        const Lane& x = rotations_.parts.at(1U + source[0]);
        const Lane& y = rotations_.parts.at(1U + source[1]);
        const Lane& z = rotations_.parts.at(1U + source[2]);
        for (std::size_t i = 0; i < count; ++i) {
            rows_[4 * i] = w[i];
            rows_[4 * i + 1] = x[i] * sign[0];
            rows_[4 * i + 2] = y[i] * sign[1];
            rows_[4 * i + 3] = z[i] * sign[2];
        }
        append(*tracks_[joint].rotation, 4 * count);
    }

    [[nodiscard]] bool write_positions(std::size_t joint, std::size_t first, std::size_t count) {
        motions_[joint].positions(first, count, positions_);
        bool within = true;
        for (std::size_t i = 0; i < count; ++i) {
            const glm::dvec3 place =
                placement_.place({positions_.parts[0][i], positions_.parts[1][i], positions_.parts[2][i]});
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const double value = place[static_cast<int>(axis)];
                rows_[3 * i + axis] = value;
                within = within && std::abs(value) <= largest_number;
            }
        }
        append(*tracks_[joint].translation, 3 * count);
        return within;
    }

    void append(std::size_t track, std::size_t numbers) {
        std::vector<double>& values = clip_.tracks[track].values;
        values.insert(values.end(), rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(numbers));
    }

    [[nodiscard]] tl::unexpected<Error> too_far(std::size_t joint, std::size_t frame) const {
        return fail(ErrorCode::bad_value,
                    "joint " + document_.joints[joint].name + " is beyond 1e30 metres in the " +
                        std::to_string(block_frames) + " frames from " + std::to_string(frame),
                    "MOTION");
    }

    const file::Document& document_;
    const Placement& placement_;
    Clip& clip_;
    std::vector<JointMotion> motions_;
    std::vector<JointTracks> tracks_{};
    std::vector<std::size_t> animated_{};  ///< joints with a track
    QuaternionBlock rotations_{};
    PositionBlock positions_{};
    alignas(64) std::array<double, 4 * block_frames> rows_{};
};

Result<Skeleton> skeleton_of(const file::Document& document, const Placement& placement) {
    Skeleton skeleton;
    skeleton.nodes.reserve(document.joints.size());
    for (const file::Joint& joint : document.joints) {
        const glm::dvec3 offset = placement.place({joint.offset[0], joint.offset[1], joint.offset[2]});
        for (int axis = 0; axis < 3; ++axis) {
            if (!(std::abs(offset[axis]) <= largest_number)) {
                return fail(ErrorCode::bad_value, "joint " + joint.name + " rests beyond 1e30 metres",
                            "OFFSET");
            }
        }
        skeleton.nodes.push_back({joint.name, {}, joint.parent, {{1, 0, 0, 0}, offset}});
    }
    return skeleton;
}

}  // namespace

Result<Clip> to_clip(const file::Document& document, const Placement& placement, double frame_seconds) {
    TRY(auto skeleton, skeleton_of(document, placement));
    Clip clip{std::move(skeleton), {}, {}, 0.0};
    if (document.frame_count == 0) {
        return clip;
    }
    clip.duration_seconds = static_cast<double>(document.frame_count - 1) * frame_seconds;
    if (!(std::abs(clip.duration_seconds) <= largest_number)) {
        return fail(ErrorCode::bad_value, "the animation is longer than 1e30 seconds", "Frame Time");
    }
    TRY_VOID(TrackWriter(document, placement, clip).write(frame_seconds));
    return clip;
}

Result<Clip> to_clip(const file::Document& document, const Placement& placement) {
    return to_clip(document, placement, document.frame_time_seconds);
}

namespace {

void collect_times(const file::Document& document, double frame_seconds, std::vector<double>& times) {
    for (std::size_t frame = 0; frame < document.frame_count; ++frame) {
        times.push_back(static_cast<double>(frame) * frame_seconds);
    }
}

}  // namespace

Result<Comparison> compare(const file::Document& a, const file::Document& b, const Job& job) {
    const bool timed = a.frame_time_seconds > 0.0 && b.frame_time_seconds > 0.0;
    const double seconds_a = timed ? a.frame_time_seconds : 1.0;
    const double seconds_b = timed ? b.frame_time_seconds : 1.0;
    const auto clip_a = to_clip(a, {}, seconds_a);
    const auto clip_b = to_clip(b, {}, seconds_b);
    if (!clip_a || !clip_b) {
        return tl::unexpected<Error>(!clip_a ? clip_a.error() : clip_b.error());
    }
    std::vector<double> frames{0.0};
    collect_times(a, seconds_a, frames);
    collect_times(b, seconds_b, frames);
    const std::vector<double> times = with_midpoints(sorted_unique(std::move(frames)));
    return compare_clips(*clip_a, *clip_b, times, job);
}

}  // namespace animbridge::bvh::clip

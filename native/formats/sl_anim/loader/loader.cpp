// SPDX-License-Identifier: MIT
#include "formats/sl_anim/loader/loader.h"

#include <algorithm>
#include <cmath>

#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/loader/parts.h"

namespace animbridge::sl_anim::loader {

namespace {

constexpr float metres_per_inch = 0.02540005F;

/// x_sl = z_bvh, y_sl = x_bvh, z_sl = y_bvh: a rotation by 120 degrees about (1, 1, 1).
constexpr codes::Quaternion bvh_axes{0.5F, 0.5F, 0.5F, 0.5F};

/// Converts frames to seconds.
class Clock {
public:
    Clock(const BvhMotion& motion, const BvhLoad& options)
        : frame_time_(motion.frame_time_seconds),
          // The offset added to a frame's number; times below 0 become 0.
          first_(!options.reference_frame               ? 0.0F
                 : options.timing == BvhTiming::pre2022 ? 1.0F
                                                        : -1.0F),
          frames_(frames_of(static_cast<float>(motion.frames), options)) {}

    [[nodiscard]] float duration() const { return frames_ * frame_time_; }
    [[nodiscard]] float at(std::size_t frame) const {
        return std::max(static_cast<float>(frame) + first_, 0.0F) * frame_time_;
    }

private:
    static float frames_of(float frames, const BvhLoad& options) {
        if (!options.reference_frame) {
            return std::max(frames - 1.0F, 1.0F);
        }
        return options.timing == BvhTiming::pre2022 ? frames : std::max(frames - 2.0F, 1.0F);
    }

    float frame_time_;
    float first_;
    float frames_;
};

/// Each frame's rotations about the file's axes as one, the last channel first. If a channel repeats, the
/// viewer does not recognise the order and rotates about x, then y, then z.
std::vector<codes::Quaternion> rotations_of(const BvhJoint& joint) {
    const auto& [a, b, c] = joint.order;
    const bool named = a != b && b != c && a != c;
    const std::array<std::size_t, 3> order =
        named ? std::array<std::size_t, 3>{c, b, a} : std::array<std::size_t, 3>{0, 1, 2};
    std::vector<codes::Quaternion> rotations;
    rotations.reserve(joint.rotations.size());
    for (const codes::Vector& degrees : joint.rotations) {
        const auto rotation = [&](std::size_t index) {
            return codes::about_axis(order.at(index), degrees.at(order.at(index)));
        };
        rotations.push_back(codes::first_then(codes::first_then(rotation(0), rotation(1)), rotation(2)));
    }
    return rotations;
}

/// Turns one joint of the file into a joint of the document.
class JointLoader {
public:
    JointLoader(const BvhJoint& joint, const BvhLoad& options, const Clock& clock)
        : joint_(joint),
          options_(options),
          clock_(clock),
          translated_(bvh_joint_named(joint.name)),
          rotations_(rotations_of(joint)),
          first_key_(options.reference_frame && rotations_.size() > 1 ? 1 : 0) {}

    /// Null if the loader drops the joint.
    std::optional<file::Joint> load(std::int32_t priority) {
        if (rotations_.empty()) {
            return std::nullopt;
        }
        const bool measured = options_.reference_frame;
        const KeptFrames rotation_frames = keep_rotations(
            rotations_, {measured ? rotations_.front() : codes::Quaternion{}, first_key_}, joint_.depth);
        const bool writes_positions = !translated_ || joint_.has_position_track;
        if (joint_.positions.empty() && writes_positions) {
            zeros_.assign(rotations_.size(), codes::Vector{});
        }
        const std::vector<codes::Vector>& positions = joint_.positions.empty() ? zeros_ : joint_.positions;
        const codes::Vector first_position = positions.empty() ? codes::Vector{} : positions.front();
        const KeptFrames position_frames = keep_positions(positions, {first_position, first_key_});
        const bool is_single = rotations_.size() == 1;
        const bool kept_anyway = options_.keep_all_joints && is_known_to_upload(name());
        if (!rotation_frames.moves && !position_frames.moves && !is_single && !kept_anyway) {
            return std::nullopt;
        }
        file::Joint made{std::string(name()), translated_ ? priority : 0, {}, {}};
        made.rotation.coded = rotation_keys(rotation_frames.kept);
        if (writes_positions) {
            made.position.coded = position_keys(positions, position_frames.kept);
        }
        return made;
    }

    /// Whether `load` clamped a position to the format's range.
    [[nodiscard]] bool was_cut() const { return was_cut_; }

private:
    [[nodiscard]] std::string_view name() const {
        return translated_ ? *translated_ : std::string_view(joint_.name);
    }
    [[nodiscard]] bool is_pelvis() const { return translated_ == "mPelvis"; }
    [[nodiscard]] codes::Quaternion frame() const { return translated_ ? bvh_axes : codes::Quaternion{}; }
    [[nodiscard]] codes::Quaternion first_rotation() const {
        return is_pelvis() && options_.reference_frame ? rotations_.front() : codes::Quaternion{};
    }
    [[nodiscard]] bool is_key(const std::vector<std::uint8_t>& kept, std::size_t frame) const {
        return options_.reduce_keys ? kept[frame] != 0 : frame >= first_key_;
    }

    [[nodiscard]] std::vector<file::CodedKey> rotation_keys(const std::vector<std::uint8_t>& kept) const {
        const codes::Quaternion before = codes::conjugate(frame());
        const codes::Quaternion back = codes::conjugate(first_rotation());
        std::vector<file::CodedKey> keys;
        for (std::size_t i = 0; i < rotations_.size(); ++i) {
            if (!is_key(kept, i)) {
                continue;
            }
            const codes::Quaternion converted =
                codes::first_then(codes::first_then(codes::first_then(before, rotations_[i]), back), frame());
            const codes::Vector stored = codes::to_stored(converted);
            keys.push_back({codes::encode_time(clock_.at(i), clock_.duration()),
                            {codes::encode_component(stored[0], codes::rotation_limit),
                             codes::encode_component(stored[1], codes::rotation_limit),
                             codes::encode_component(stored[2], codes::rotation_limit)}});
        }
        return keys;
    }

    [[nodiscard]] std::vector<file::CodedKey> position_keys(const std::vector<codes::Vector>& positions,
                                                            const std::vector<std::uint8_t>& kept) {
        const codes::Vector origin = is_pelvis() ? positions.front() : codes::Vector{};
        const codes::Quaternion back = codes::conjugate(first_rotation());
        std::vector<file::CodedKey> keys;
        for (std::size_t i = 0; i < positions.size(); ++i) {
            if (!is_key(kept, i)) {
                continue;
            }
            const codes::Vector& p = positions[i];
            const codes::Vector inches = codes::rotated(
                codes::rotated({p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]}, back), frame());
            file::CodedKey key{codes::encode_time(clock_.at(i), clock_.duration()), {}};
            std::ranges::transform(inches, key.xyz.begin(), [&](float value) {
                const float metres = value * metres_per_inch;
                was_cut_ = was_cut_ || std::abs(metres) > codes::position_limit;
                return codes::encode_component(metres, codes::position_limit);
            });
            keys.push_back(key);
        }
        return keys;
    }

    const BvhJoint& joint_;
    const BvhLoad& options_;
    const Clock& clock_;
    std::optional<std::string_view> translated_;  ///< the avatar's joint; null: keep the file's name and axes
    std::vector<codes::Quaternion> rotations_;
    std::vector<codes::Vector> zeros_{};
    std::size_t first_key_;
    bool was_cut_ = false;
};

/// Adds the warning "what: a, b", unless there are no names.
void warn_of_joints(const std::string& what, const std::vector<std::string>& names, BvhLoaded& loaded) {
    std::string sentence;
    for (const std::string& name : names) {
        sentence += sentence.empty() ? what + ": " : ", ";
        sentence += name;
    }
    if (!sentence.empty()) {
        loaded.warnings.push_back(std::move(sentence));
    }
}

void warn_of_ini(const AnimIni& ini, BvhLoaded& loaded) {
    if (ini.loop && ini.loop->loop) {
        loaded.warnings.emplace_back(
            "the loop points of anim.ini are taken as shares of the animation's duration; a viewer reads "
            "them before it knows the duration, and sets both to 0");
    }
    if (ini.joint_sections > 0) {
        loaded.warnings.emplace_back("the joint sections of anim.ini are passed over, as viewers do");
    }
}

}  // namespace

Result<BvhLoaded> load_bvh(const BvhMotion& motion, const BvhLoad& options) {
    const Clock clock(motion, options);
    BvhLoaded loaded;
    loaded.document = loader_header(clock.duration(), options.ini);
    std::vector<std::string> cut;
    std::vector<std::string> placed;
    for (const BvhJoint& joint : motion.joints) {
        JointLoader loader(joint, options, clock);
        auto made = loader.load(loaded.document.base_priority);
        if (!made) {
            loaded.dropped.push_back(joint.name);
            continue;
        }
        if (loader.was_cut()) {
            cut.push_back(joint.name);
        }
        if (joint.has_position_track && &joint != &motion.joints.front()) {
            placed.push_back(joint.name);
        }
        if (!is_known_to_upload(made->name)) {
            loaded.unknown_joints.push_back(made->name);
        }
        loaded.document.joints.push_back(std::move(*made));
    }
    warn_of_joints(
        "positions beyond 5 m are limited to 5 m; are they in another unit than inches, or does the figure "
        "walk far from the origin? Scale the file to inches, or start the motion at the origin",
        cut, loaded);
    warn_of_joints(
        "the viewer reads positions of joints below the first as bone offsets in inches; unless they are "
        "that, the avatar collapses or flies apart: export positions for the root only",
        placed, loaded);
    warn_of_ini(options.ini, loaded);
    TRY_VOID(apply_dialog(options, loaded));
    return loaded;
}

namespace {

constexpr float position_motion_inches = 0.001F;
constexpr float position_chord_inches = 0.03F;
constexpr float rotation_motion = 0.001F;
constexpr float rotation_chord = 0.01F;

float squared_distance(const codes::Vector& a, const codes::Vector& b) {
    const float x = a[0] - b[0];
    const float y = a[1] - b[1];
    const float z = a[2] - b[2];
    return x * x + y * y + z * z;
}

/// The rotated x and y axes, by which the loader compares rotations.
struct Axes {
    codes::Vector x;
    codes::Vector y;

    explicit Axes(const codes::Quaternion& q)
        : x(codes::rotated({1, 0, 0}, q)), y(codes::rotated({0, 1, 0}, q)) {}
};

float deviation(const Axes& a, const Axes& b) {
    return std::sqrt(squared_distance(a.x, b.x)) + std::sqrt(squared_distance(a.y, b.y));
}

KeptFrames all_from(std::size_t first, std::size_t frames) {
    KeptFrames result;
    result.kept.assign(frames, 1);
    std::fill_n(result.kept.begin(), std::min(first, frames), std::uint8_t{0});
    return result;
}

float share(std::size_t frame, std::size_t last_kept) { return 1.0F / static_cast<float>(frame - last_kept); }

}  // namespace

KeptFrames keep_positions(std::span<const codes::Vector> positions,
                          const Reference<codes::Vector>& reference) {
    const std::size_t first = reference.first_key;
    KeptFrames result = all_from(first, positions.size());
    const auto moved = [&](std::size_t frame) {
        return squared_distance(positions[frame], reference.value) >
               position_motion_inches * position_motion_inches;
    };
    result.moves = first < positions.size() && moved(first);
    for (std::size_t frame = 0; first == 0 && frame < positions.size(); ++frame) {
        result.moves = result.moves || moved(frame);
    }
    std::size_t last_kept = first;
    for (std::size_t frame = first + 2; frame < positions.size(); ++frame) {
        // The loader looks at the frame after the tested one, so it never looks at the second key frame.
        result.moves = result.moves || moved(frame);
        const codes::Vector chord =
            codes::interpolate(share(frame, last_kept), positions[frame], positions[last_kept]);
        if (squared_distance(chord, positions[frame - 1]) < position_chord_inches * position_chord_inches) {
            result.kept[frame - 1] = 0;
        } else {
            last_kept = frame - 1;
        }
    }
    return result;
}

KeptFrames keep_rotations(std::span<const codes::Quaternion> rotations,
                          const Reference<codes::Quaternion>& reference, std::size_t depth) {
    const std::size_t first = reference.first_key;
    KeptFrames result = all_from(first, rotations.size());
    if (first >= rotations.size()) {
        return result;
    }
    const float threshold = rotation_chord / std::max(static_cast<float>(depth) * 0.33F, 1.0F);
    const Axes still(reference.value);
    const auto moved = [&](const Axes& axes) { return deviation(still, axes) > rotation_motion; };
    result.moves = moved(Axes(rotations[first]));
    for (std::size_t frame = 0; first == 0 && !result.moves && frame < rotations.size(); ++frame) {
        result.moves = moved(Axes(rotations[frame]));
    }
    std::size_t last_kept = first;
    float largest = 0.0F;
    std::size_t after_largest = first;
    for (std::size_t frame = first + 2; frame < rotations.size(); ++frame) {
        const Axes tested(rotations[frame - 1]);
        result.moves = result.moves || moved(tested);
        // The loader does not align signs: between a quaternion and its negative the chord is far off.
        const codes::Quaternion chord =
            codes::lerp(share(frame, last_kept), rotations[frame], rotations[last_kept]);
        const float off = deviation(Axes(chord), tested);
        const bool is_end = frame + 1 == rotations.size() && frame - last_kept > 2;
        if (off >= threshold || is_end) {
            last_kept = frame - 1;
            if (largest > 0.0F) {
                result.kept[after_largest] = 1;
                largest = 0.0F;
            }
            continue;
        }
        result.kept[frame - 1] = 0;
        if (off > largest) {
            largest = off;
            after_largest = frame;
        }
    }
    return result;
}

std::string name_read_from(const std::string& name) {
    constexpr std::size_t longest = 79;
    std::string joined = name;
    std::replace_if(
        joined.begin(), joined.end(), [](char c) { return c == ' ' || c == '\t'; }, '_');
    return bvh_joint_named(joined) ? joined : name.substr(0, std::min(longest, name.find_first_of(" \t")));
}

std::optional<std::string_view> bvh_joint_named(std::string_view name) {
    const auto known = avatar::find_joint(name);
    if (!known) {
        return std::nullopt;
    }
    const avatar::SkeletonJoint& joint = avatar::skeleton()[*known];
    const bool is_alias = joint.kind == avatar::JointKind::attachment_point && joint.node.name != name;
    return joint.kind == avatar::JointKind::bone || is_alias
               ? std::optional<std::string_view>(joint.node.name)
               : std::nullopt;
}

bool is_known_to_upload(std::string_view name) {
    const auto known = avatar::find_joint(name);
    return known && !avatar::skeleton()[*known].on_screen;
}

}  // namespace animbridge::sl_anim::loader

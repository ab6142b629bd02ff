// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// A clip: an animation of no particular format. A skeleton, tracks of keys, markers, and how all of it
/// plays.
///
/// Clip space is right-handed with Z up; metres, seconds, unit Hamilton quaternions (w, x, y, z). A node's
/// rest transform is relative to its parent. A key is constant, linear or Bezier with handles.
namespace animbridge {

// ---- transforms ----

/// A rigid transform: x -> rotation * x + translation.
struct Transform {
    glm::dquat rotation{1, 0, 0, 0};
    glm::dvec3 translation{0, 0, 0};
};

/// a * b, as GLM computes it. GLM's own operator is a call, which takes half the time of posing a skeleton.
[[nodiscard]] inline glm::dquat product(const glm::dquat& a, const glm::dquat& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z, a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x};
}

/// Applies `local` first, then `parent`.
[[nodiscard]] inline Transform operator*(const Transform& parent, const Transform& local) {
    return {product(parent.rotation, local.rotation),
            parent.translation + parent.rotation * local.translation};
}

[[nodiscard]] inline Transform inverse(const Transform& given) {
    const glm::dquat back = glm::conjugate(given.rotation);
    return {back, -(back * given.translation)};
}

/// A place as seen from a frame.
[[nodiscard]] inline glm::dvec3 seen_from(const Transform& frame, const glm::dvec3& place) {
    return glm::conjugate(frame.rotation) * (place - frame.translation);
}

[[nodiscard]] inline bool is_finite(const glm::dvec3& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

// ---- the skeleton ----

/// What makes a node a camera: its viewing direction, in the node's own frame.
struct Camera {
    enum class Axes : std::uint8_t {
        looks_down_z,  ///< looks along -Z, with Y up in its picture, as in glTF and Blender
        looks_along_y  ///< looks along Y, with Z up
    };
    Axes axes = Axes::looks_down_z;
    double horizontal_field_degrees = 0;  ///< 0: unknown or orthographic
};

struct Node {
    std::string name;
    std::span<const std::string_view> aliases{};  ///< other names in files and rigs; static storage
    std::optional<std::size_t> parent{};          ///< index of an earlier node; none: a root
    Transform rest_local{};                       ///< the rest pose, in the parent's frame
    std::optional<Camera> camera{};               ///< none: not a camera
    bool is_idle = false;        ///< neither it nor a node below it moves the file's meshes, but others do
    bool is_attachment = false;  ///< it is a mesh that hangs on a joint that skins name, and carries no node
};

/// Joints, parents before children.
struct Skeleton {
    std::vector<Node> nodes;

    [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
};

[[nodiscard]] std::vector<std::string> names_of(const Skeleton& skeleton);

// ---- tracks ----

/// What a track changes. A key holds all the numbers of its channel, or one of them (Track::component).
enum class Channel : std::uint8_t {
    translation,  ///< x, y, z in metres, in the parent's frame; replaces the rest translation
    rotation,     ///< w, x, y, z, in the parent's frame; replaces the rest rotation. A key need not have unit
                  ///< length
    property,     ///< one number that is not part of the pose, such as a visibility (Track::property)
};

[[nodiscard]] constexpr std::size_t width_of(Channel channel) {
    switch (channel) {
        case Channel::translation:
            return 3;
        case Channel::rotation:
            return 4;
        case Channel::property:
            return 1;
    }
    return 0;
}

/// How a value changes between a key and the next one.
enum class Interpolation : std::uint8_t { step, linear, bezier };

/// The handles of a Bezier key, as offsets from it: time in the unit of the track's times, and value. For a
/// weighted tangent, the handle's time is the weight times the length of the segment.
struct Handles {
    double in_time = 0;  ///< at or before the key: 0 or less
    double in_value = 0;
    double out_time = 0;  ///< at or after the key: 0 or more
    double out_value = 0;
};

/// Keys of one channel of one node. Times do not decrease. Before the first and after the last key, the value
/// is held.
struct Track {
    std::size_t node = 0;
    Channel channel = Channel::rotation;
    std::vector<double> times{};                 ///< seconds from the clip's start
    std::vector<double> values{};                ///< times.size() rows of width() numbers
    std::vector<Interpolation> interpolation{};  ///< per key; empty: all linear
    std::vector<Handles> handles{};              ///< one per number of `values`; empty unless a key is Bezier
    std::vector<bool> inserted{};  ///< per key; true: added to follow the player's curve; empty: none
    /// The only number of the channel that the keys hold, if the source keys each number by itself; none:
    /// all.
    std::optional<std::uint8_t> component{};
    std::string property{};  ///< what a Channel::property track animates, such as "visibility"; else empty

    [[nodiscard]] std::size_t width() const { return component ? 1 : width_of(channel); }
    [[nodiscard]] std::size_t key_count() const { return times.size(); }
    [[nodiscard]] Interpolation interpolation_after(std::size_t key) const {
        return interpolation.empty() ? Interpolation::linear : interpolation[key];
    }
    [[nodiscard]] std::span<const double> value(std::size_t key) const {
        return std::span(values).subspan(key * width(), width());
    }
    [[nodiscard]] glm::dquat rotation(std::size_t key) const {
        const auto row = value(key);
        return {row[0], row[1], row[2], row[3]};
    }
    [[nodiscard]] glm::dvec3 translation(std::size_t key) const {
        const auto row = value(key);
        return {row[0], row[1], row[2]};
    }
    void add_key(double time, std::span<const double> row) {
        times.push_back(time);
        values.insert(values.end(), row.begin(), row.end());
    }
};

// ---- the clip ----

/// A time with a meaning, such as a loop point.
struct Marker {
    std::string name;
    double time_seconds = 0;
};

/// A skeleton and the tracks that move it.
struct Clip {
    Skeleton skeleton;
    std::vector<Track> tracks;
    std::vector<Marker> markers;
    double duration_seconds = 0;
    double frames_per_second = 0;  ///< as in the source; 0: the source has no rate
};

/// How long the clip holds its first pose: no track that moves has its first key earlier.
[[nodiscard]] double leading_hold_seconds(const Clip& clip);

/// The tracks of whole rows that rotate and move a node; null: none.
struct NodeTracks {
    const Track* rotation = nullptr;
    const Track* translation = nullptr;
};

/// One entry per node of the clip's skeleton. The clip must outlive the result.
[[nodiscard]] std::vector<NodeTracks> tracks_by_node(const Clip& clip);

// ---- values and poses at a time ----

/// One number of a track's rows at a time. Evaluates step, linear and Bezier segments like Blender 3.4 to
/// 5.x, which shortens handles that reach beyond their segment. `track` must have at least one key.
[[nodiscard]] double evaluate(const Track& track, double time, std::size_t number = 0);

/// Like evaluate, on the Bezier segment that begins at `key`, which is not the last one.
[[nodiscard]] double bezier_between(const Track& track, std::size_t key, double time, std::size_t number = 0);

/// The value of a cubic Bezier at a parameter from 0 to 1.
[[nodiscard]] constexpr double cubic_bezier(double p0, double p1, double p2, double p3, double u) {
    const double v = 1.0 - u;
    return v * v * v * p0 + 3.0 * v * v * u * p1 + 3.0 * v * u * u * p2 + u * u * u * p3;
}

/// A place in a list of key times.
struct KeyPosition {
    std::size_t key = 0;
    double fraction = 0;  ///< of the way to the next key, below 1; 0: at `key`, which may be the last
};

/// Finds times that mostly ascend among key times without a search per step. There must be at least one
/// key time, and the list must outlive the cursor.
class KeyCursor {
public:
    explicit KeyCursor(const std::vector<double>& times) : times_(&times) {}

    [[nodiscard]] KeyPosition find(double time);
    [[nodiscard]] const std::vector<double>& times() const { return *times_; }

private:
    const std::vector<double>* times_;
    std::size_t last_ = 0;
};

/// The value of a track of whole rows at a time whose position among the key times is given. Between
/// linear keys, rotations are lerped and normalised; between Bezier keys, each number follows its own
/// curve, and rotations are normalised. Rotations are of unit length; a key of length 0 means no
/// rotation. At a key, the result is the key's value, normalised, with its sign.
[[nodiscard]] glm::dquat rotation_at(const Track& track, const KeyPosition& position, double time);
[[nodiscard]] glm::dvec3 translation_at(const Track& track, const KeyPosition& position, double time);

/// rotation_at for positions that mostly ascend in one track: it normalises the keys around a position
/// once and keeps them for the times up to the next key.
class UnitKeys {
public:
    [[nodiscard]] glm::dquat rotation_at(const Track& track, const KeyPosition& position, double time);

private:
    static constexpr std::size_t no_key = static_cast<std::size_t>(-1);

    std::size_t key_ = no_key;
    bool has_next_ = false;
    glm::dquat here_{1, 0, 0, 0};
    glm::dquat next_{1, 0, 0, 0};
};

/// Reads a track of whole rows at times that mostly ascend. Before the first and after the last key, the
/// value is held. The track must have at least one key, and outlive the cursor.
class TrackCursor {
public:
    explicit TrackCursor(const Track& track) : track_(&track), keys_(track.times) {}

    [[nodiscard]] glm::dquat rotation_at(double time) {
        return animbridge::rotation_at(*track_, keys_.find(time), time);
    }
    [[nodiscard]] glm::dvec3 translation_at(double time) {
        return animbridge::translation_at(*track_, keys_.find(time), time);
    }

private:
    const Track* track_;
    KeyCursor keys_;
};

/// Poses a clip at times that mostly ascend; see TrackCursor. The clip must outlive it.
class ClipPoser {
public:
    explicit ClipPoser(const Clip& clip);

    /// A node without keys is at rest, and so is each number without a track if a node's numbers have
    /// separate tracks. Takes time in proportion to the number of nodes that move.
    void pose(double time_seconds);

    /// Whether the node can move in clip space: it or an ancestor has keys. Other nodes are posed once,
    /// by the constructor.
    [[nodiscard]] bool moves(std::size_t node) const { return moves_[node]; }

    /// Per node, in the parent's frame, at the last posed time.
    [[nodiscard]] const std::vector<Transform>& local() const { return local_; }
    /// Per node, in clip space, at the last posed time.
    [[nodiscard]] const std::vector<Transform>& world() const { return world_; }

private:
    /// The tracks of one channel whose numbers are keyed separately; null: at rest.
    struct Components {
        std::size_t node = 0;
        Channel channel = Channel::rotation;
        std::array<const Track*, 4> tracks{};
    };

    /// A track of whole rows and the index of its clock; no track: at rest.
    struct Rows {
        const Track* track = nullptr;
        std::size_t clock = 0;
    };

    void add_track(const Track& track);
    std::size_t clock_of(const std::vector<double>& times);
    void pose_components(double time_seconds);
    void place(std::size_t node);

    const Clip* clip_;

    std::vector<Rows> rotations_;
    std::vector<Rows> translations_;
    std::vector<UnitKeys> unit_keys_;  ///< of `rotations_`
    /// Tracks with equal times, as in recordings, share a clock: the time is looked up once for all of
    /// them.
    std::vector<KeyCursor> clocks_;
    std::vector<KeyPosition> positions_;  ///< per clock, at the last posed time
    std::vector<Components> components_;
    std::vector<Transform> local_;
    std::vector<Transform> world_;
    std::vector<bool> moves_;
    std::vector<std::size_t> moving_;  ///< the moving nodes, parents first
};

// ---- rotations ----

/// The angle between two orientations in degrees, 0 to 180. The quaternions need not be of unit length,
/// and q equals -q. Uses the chord.
[[nodiscard]] double angle_between_degrees(const glm::dquat& a, const glm::dquat& b);

/// The distance between two unit quaternions, the nearer of q and -q: 2 sin(angle / 4), precise for small
/// angles.
[[nodiscard]] inline double chord(const glm::dquat& a, const glm::dquat& b) {
    const glm::dquat difference = glm::dot(a, b) < 0.0 ? a + b : a - b;
    return std::sqrt(glm::dot(difference, difference));
}

/// The chord of an angle, and back. From 180 degrees on the chord is infinite: no rotation is farther
/// away.
[[nodiscard]] double chord_of_degrees(double degrees);
[[nodiscard]] double degrees_of_chord(double chord);

/// Three different axes, 0, 1, 2 for x, y, z, in the order of rotation about the fixed axes: as
/// quaternions, third * second * first.
struct EulerOrder {
    int first = 0;
    int second = 1;
    int third = 2;

    bool operator==(const EulerOrder&) const = default;
};

/// The rotation, of unit length. `angles` are radians about x, y and z, whatever the order of rotation.
[[nodiscard]] glm::dquat rotation_of_euler(const EulerOrder& order, const glm::dvec3& angles);

/// The angles closest to `before` that give the rotation. At gimbal lock, where many are equally close,
/// the axis that rotates first keeps its angle. `rotation` must be of unit length.
[[nodiscard]] glm::dvec3 euler_near(const EulerOrder& order, const glm::dquat& rotation,
                                    const glm::dvec3& before);

// ---- rates ----

/// Frames per second if nothing else is known.
inline constexpr double usual_rate = 30.0;

/// The rates at which animation is recorded and played, ascending.
inline constexpr std::array<double, 9> usual_rates = {24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 100.0, 120.0};

/// The rate to sample the clip at: that of its source, if it has one. Else the lowest usual rate at which
/// every key is at a frame; inserted keys do not count. If there is none, about the rate at which the
/// source was recorded, and at least usual_rate. Recordings leave out keys, but different ones on each
/// track, and all keys are at frames of the recorder. So the rate follows from the shortest times between
/// keys of any track: this rate rounded, if every key is then at a frame; else the usual rate nearest to
/// it.
[[nodiscard]] double frame_rate_of(const Clip& clip);

// ---- clips in another form ----

/// The handles of a Bezier segment that was cut in two, of the sides that belong to it.
struct SplitBezier {
    Handles start{};  ///< of the key before: its right side
    Handles cut{};    ///< of the new key: both sides
    Handles end{};    ///< of the key after: its left side
};
/// Cuts the segment that begins at `key` at `time` inside it, for one number.
[[nodiscard]] SplitBezier split_bezier(const Track& track, std::size_t key, double time,
                                       std::size_t number = 0);

/// Whether the track's keys are whole rows, and steps or lines.
[[nodiscard]] bool has_linear_rows(const Track& track);

/// The clip with rotations and translations as tracks of whole rows whose keys are steps or lines, for
/// formats that have nothing else. Such tracks stay unchanged. The others get a key at each of their
/// keys' times, and between them inserted keys at multiples of `step_seconds` (above 0); a jump gets an
/// inserted key just before it. Tracks of properties stay.
[[nodiscard]] Clip with_linear_rows(const Clip& clip, double step_seconds);

/// Multiply the rotation of a camera's node by it, on the right, to get the same picture with other axes.
[[nodiscard]] glm::dquat turn_between(Camera::Axes from, Camera::Axes to);

/// The clip with all its cameras looking along these axes of their nodes; the cameras' children keep
/// their place. nullopt: all cameras do so already.
[[nodiscard]] std::optional<Clip> with_camera_axes(const Clip& clip, Camera::Axes axes);

/// How many chords show a straight turn within a hundredth of a degree once it is cut. A chord turns fastest
/// in its middle, so the error grows with the third power of its angle. 1: the two that the cut makes are
/// enough.
[[nodiscard]] int chords_of_turn(double degrees);

/// Adds a key at a time, marked as inserted, that does not change what the track shows, and returns its
/// index; if there is a key within a nanosecond, that one. Outside the keys, the nearest value is held. A
/// straight turn of more than 20 degrees gets more keys: cut in two, it would turn unevenly. The track must
/// have at least one key.
std::size_t insert_key(Track& track, double seconds);

/// The part of a clip from `start_seconds` to `end_seconds`, moved to 0. Keys inside stay unchanged; a
/// track that is cut between two keys gets a key there that keeps its curve, if the handles there do not
/// overlap in time. Markers outside move to the cut.
[[nodiscard]] Clip trimmed(Clip clip, double start_seconds, double end_seconds);

}  // namespace animbridge

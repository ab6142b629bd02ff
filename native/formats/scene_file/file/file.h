// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <initializer_list>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "base/options/options.h"
#include "model/format/format.h"
#include "reduce/reduce.h"

/// What a scene file (FBX, glTF, COLLADA and others) says about motion, as a document: nodes, how they move,
/// and the file's bytes (docs/scenes.md). Numbers are in the file's unit and axes (Space), and in seconds.
/// `read` and `write` are in formats/scene_file/scene, because other programs do that.
namespace animbridge::scene_file::file {

/// Numbers whose copies share one array: many channels of a file may use the same keys.
class SharedNumbers {
public:
    SharedNumbers() = default;
    // NOLINTBEGIN(google-explicit-constructor): it replaces an array.
    SharedNumbers(std::vector<double> numbers)
        : numbers_(std::make_shared<std::vector<double>>(std::move(numbers))) {}
    SharedNumbers(std::initializer_list<double> numbers) : SharedNumbers(std::vector<double>(numbers)) {}
    operator const std::vector<double>&() const { return get(); }
    // NOLINTEND(google-explicit-constructor)

    [[nodiscard]] const std::vector<double>& get() const {
        static const std::vector<double> none;
        return numbers_ ? *numbers_ : none;
    }
    /// An array that no copy shares any more. Only the thread that makes a document may call this.
    [[nodiscard]] std::vector<double>& edit() {
        if (!numbers_ || numbers_.use_count() > 1) {
            numbers_ = std::make_shared<std::vector<double>>(get());
        }
        return *numbers_;
    }

    [[nodiscard]] std::size_t size() const { return get().size(); }
    [[nodiscard]] bool empty() const { return get().empty(); }
    [[nodiscard]] const double* data() const { return get().data(); }
    [[nodiscard]] const double& operator[](std::size_t i) const { return get()[i]; }
    [[nodiscard]] const double& front() const { return get().front(); }
    [[nodiscard]] const double& back() const { return get().back(); }
    [[nodiscard]] std::vector<double>::const_iterator begin() const { return get().begin(); }
    [[nodiscard]] std::vector<double>::const_iterator end() const { return get().end(); }
    friend bool operator==(const SharedNumbers& a, const SharedNumbers& b) { return a.get() == b.get(); }

private:
    std::shared_ptr<std::vector<double>> numbers_{};
};

// ---- the document: nodes and how they move ----
// Meshes, materials and everything else stay in the file.

/// x -> translation + rotation * (scale * x), in the parent's frame and in the file's unit.
struct Placement {
    glm::dvec3 translation{0, 0, 0};
    glm::dquat rotation{1, 0, 0, 0};  ///< unit
    glm::dvec3 scale{1, 1, 1};        ///< negative if the node mirrors
};

/// What is attached to a node. If several apply, a node has the last of them.
enum class NodeRole : std::uint8_t {
    plain,
    mesh,
    light,
    camera,
};

struct Node {
    std::string name;                       ///< as in the file; may be empty or occur twice
    std::optional<std::uint32_t> parent{};  ///< index of an earlier node; nullopt: a root
    Placement rest{};                       ///< without animation
    NodeRole role = NodeRole::plain;
    bool is_skinned = false;  ///< a mesh's skin names the node as one of its bones
    std::optional<Placement>
        bind_world{};  ///< its pose when the first such skin was bound, in the file's world space
};

/// A camera looks along the node's own -Z, and +Y is up in its picture, whatever the file's convention.
struct Camera {
    std::uint32_t node = 0;
    double horizontal_field_degrees = 0;  ///< 0: unknown or orthographic
};

enum class Target : std::uint8_t { translation, rotation, scale };

[[nodiscard]] constexpr std::size_t width_of(Target target) { return target == Target::rotation ? 4 : 3; }

/// The interpolation from one key to the next.
enum class KeyKind : std::uint8_t {
    step,
    linear,  ///< rotations by slerp
    cubic,  ///< glTF's cubic spline: Hermite with tangents in value per second; rotations are then normalised
};

/// Keys of one part of a node's placement. Before the first key and after the last, the value is held.
struct Channel {
    std::uint32_t node = 0;
    Target target = Target::rotation;
    KeyKind kind = KeyKind::linear;
    SharedNumbers times_seconds{};  ///< strictly increasing; at least one
    SharedNumbers values{};         ///< a row for each key; rotations w, x, y, z, unit
    /// For cubic channels: for each key the row of its in-tangent and of its out-tangent; else empty.
    SharedNumbers tangents{};
    /// The keys are those of frames, and not chosen by anybody. Only known of a clip's.
    bool is_recording = false;
};

struct Animation {
    std::string name;                 ///< as in the file; may be empty or occur twice
    double duration_seconds = 0;      ///< from 0 to the last key, or as in the file if that is longer
    std::vector<Channel> channels{};  ///< at most one for each node and target
};

/// A direction of the file's space.
enum class Axis : std::uint8_t { plus_x, minus_x, plus_y, minus_y, plus_z, minus_z };

/// "X", "-X", ...
inline constexpr std::array<std::string_view, 6> axis_names = {"X", "-X", "Y", "-Y", "Z", "-Z"};

/// What the file defines about its space.
struct Space {
    Axis up = Axis::plus_y;
    Axis front = Axis::plus_z;  ///< the direction in which a character faces
    double metres_per_unit = 1;
    bool says_axes = false;  ///< false: `up` and `front` are a guess
    bool says_unit = false;  ///< false: `metres_per_unit` is a guess
};

/// A body part that the file names, such as in VRM.
struct HumanBone {
    std::string slot;  ///< VRM 1.0's name: "leftUpperArm"
    std::uint32_t node = 0;
};

/// The kinds of changes and omissions in reading.
enum class NoteKind : std::uint8_t {
    shear,              ///< a node's rest matrix shears; the shear is left out
    key_order,          ///< keys whose times do not increase; the later ones are left out
    bad_number,         ///< numbers that are not finite; their keys or placements are left out
    zero_length,        ///< rotations of length 0; their keys are left out
    no_frame_rate,      ///< no ticks per second: 25 are assumed
    side_file_missing,  ///< a file beside this one could not be read
    curves_resampled,   ///< curves were sampled to a bound, which is in the text
    other,              ///< described only by the text
};

struct Note {
    NoteKind kind = NoteKind::other;
    std::optional<std::uint32_t> node{};
    std::uint64_t count = 1;  ///< how often
    std::string text{};       ///< a sentence for NoteKind::other, else a detail; may be empty
};

struct Document {
    std::string loader;          ///< id of the loader that read the file
    std::string program{};       ///< the program that read it: "AnimBridge", "ufbx 0.21.2", "Assimp 6.0.5"
    std::string generator{};     ///< the program that made the file, if the file names it
    std::string human_format{};  ///< "VRM 1.0", "VRM 0.x", "VRMA": the source of `human_bones`
    Space space{};
    double frames_per_second = 0;  ///< 0: not in the file
    std::vector<Node> nodes{};     ///< parents before children
    std::vector<Camera> cameras{};
    std::vector<Animation> animations{};
    std::vector<HumanBone> human_bones{};  ///< at most as many as nodes
    std::vector<Note> notes{};
    std::optional<std::size_t> chosen_animation{};  ///< what the caller shows and converts; not from the file
    Trim part{};                                    ///< the part of the animation; not from the file
    Bytes file{};  ///< the file that was read or written; empty if there is none yet
    /// When this is written, no file is made if a joint in it is farther off. 0: never stop.
    double stop_above_mm = 20;
    double stop_above_degrees = 5;
    /// When this is written, keys of recordings are dropped within this; 0: all stay. None: as is usual for
    /// the kind of file.
    std::optional<animbridge::reduce::Bound> key_bound{};
    /// When this is written, more keys of recordings are dropped until the file is no larger. 0: no limit.
    std::uint64_t fit_bytes = 0;
    /// When this is written, rotations get keys where programs that do not turn evenly are farther off.
    double uneven_degrees = 0.002;
};

/// The greatest depth of a node below its root.
inline constexpr std::size_t deepest_node = 1000;

inline constexpr std::array<std::string_view, 4> role_names = {"plain", "mesh", "light", "camera"};
inline constexpr std::array<std::string_view, 3> target_names = {"translation", "rotation", "scale"};
inline constexpr std::array<std::string_view, 3> key_kind_names = {"step", "linear", "cubic"};
inline constexpr std::array<std::string_view, 8> note_names = {
    "shear",         "key_order",         "bad_number",       "zero_length",
    "no_frame_rate", "side_file_missing", "curves_resampled", "other"};

// ---- JSON ----

/// Everything except Document::file, in the form of docs/scenes.md.
[[nodiscard]] Json to_json(const Document& document);

/// The most memory that to_json and its text take for the numbers of the channels, which may share theirs.
[[nodiscard]] std::uint64_t json_bytes(const Document& document);

/// The inverse of to_json: a document without a file. ErrorCode::bad_value names the member at fault, and
/// everything that validate refuses.
[[nodiscard]] Result<Document> from_json(const Json& json);

// ---- the wire form ----
// What animbridge-scene and the library exchange through a pipe. Both come from one build, so the form has no
// versions; its first bytes identify the build.

/// Everything except Document::file.
[[nodiscard]] Bytes to_wire(const Document& value);

/// Checks everything that Document guarantees: counts against the bytes, parents before children and depth,
/// indices, finite numbers, unit rotations, key times. ErrorCode::bad_value or truncated names the field and
/// the byte. Memory is at most four times the bytes, plus 1 MiB.
[[nodiscard]] Result<Document> from_wire(ByteView bytes);

/// Makes the same checks as from_wire; the error says what is wrong.
[[nodiscard]] Result<void> validate(const Document& document);

// ---- the format's row ----

[[nodiscard]] DocumentPtr make_document(Document document);

// ---- kinds of scene files ----

/// A kind of scene file, recognised by its first bytes.
struct Loader {
    std::string_view id;                           ///< "fbx", "gltf", "collada", ...
    std::string_view title;                        ///< "FBX"
    std::string_view noun;                         ///< "an FBX file"
    std::span<const std::string_view> extensions;  ///< lower case, with the dot
    bool (*sniff)(ByteView bytes);
    bool has_side_files = false;  ///< parts of it may be in other files beside it
};

/// The loaders of files with nodes and motion.
[[nodiscard]] std::span<const Loader> loaders();

/// Null if no loader has this id.
[[nodiscard]] const Loader* find_loader(std::string_view id);

/// The loader whose signature the bytes have; null if there is none.
[[nodiscard]] const Loader* loader_of(ByteView bytes);

// ---- for readers: making a valid document ----

/// Counts what reading changed, and makes a note for each kind and node.
class Notes {
public:
    void add(NoteKind kind, std::optional<std::uint32_t> node, std::uint64_t count = 1) {
        if (count > 0) {
            counts_[{kind, node}] += count;
        }
    }
    /// Adds a sentence about the whole file. Only the first hundred are kept.
    void say(std::string sentence);
    void say(NoteKind kind, std::string detail);
    [[nodiscard]] std::vector<Note> take();

private:
    std::map<std::pair<NoteKind, std::optional<std::uint32_t>>, std::uint64_t> counts_;
    std::vector<Note> texts_;
};

/// Keys of a channel that a document cannot have.
struct LeftOutKeys {
    std::uint64_t bad_numbers = 0;
    std::uint64_t out_of_order = 0;
    std::uint64_t zero_length = 0;
};

/// Makes the channel valid for a document: times that increase, finite numbers, unit rotations whose signs do
/// not flip. Drops keys that cannot be made valid.
LeftOutKeys clean_keys(Channel& channel);

/// Builds one animation of a document.
class AnimationMaker {
public:
    AnimationMaker(std::string name, Notes& notes) : notes_(notes) { animation_.name = std::move(name); }

    /// Adds `channel` after clean_keys. A channel without keys is left out; so is a second one for the same
    /// node and target, with a note.
    void add(Channel channel);
    /// Like add, for a channel that is already clean.
    void add_clean(Channel channel, const LeftOutKeys& left_out);
    [[nodiscard]] Animation take() { return std::move(animation_); }

private:
    Notes& notes_;
    Animation animation_{};
    std::set<std::pair<std::uint32_t, Target>> seen_{};
};

inline constexpr double degrees_per_radian = 180.0 / std::numbers::pi;

struct Decomposed {
    Placement placement{};
    bool shears = false;     ///< the matrix has a shear, which `placement` leaves out
    bool is_finite = true;   ///< false: the matrix is not a transform, and `placement` is the identity
    bool has_volume = true;  ///< false: an axis has no length, and the rotation is a guess
};

/// Splits an affine matrix. A mirror becomes a negative scale of x.
[[nodiscard]] Decomposed decompose(const glm::dmat4& matrix);

[[nodiscard]] glm::dmat4 matrix_of(const Placement& placement);

/// The name with slashes, and without a leading "./". Assimp puts a slash before a side file's name if the
/// scene's own name has no folder.
[[nodiscard]] std::string with_slashes(std::string_view path);

/// Files beside a scene, all inside one folder. Links do not lead out of it.
class SideFiles {
public:
    /// Empty: there are no side files.
    explicit SideFiles(const std::string& folder);

    [[nodiscard]] bool exists(std::string_view name) const { return !find(name).empty(); }
    /// nullopt: no file has this name.
    [[nodiscard]] std::optional<std::uintmax_t> size_of(std::string_view name) const;
    /// nullopt: no file has this name, or it cannot be read.
    [[nodiscard]] std::optional<Bytes> read(std::string_view name) const;

private:
    /// The file's path; empty if it is outside the folder or does not exist.
    [[nodiscard]] std::filesystem::path find(std::string_view path) const;

    std::filesystem::path folder_;  ///< canonical, or empty
};

}  // namespace animbridge::scene_file::file

namespace animbridge::scene_file {

extern const Format format;

}  // namespace animbridge::scene_file

namespace animbridge {

/// The scene inside, owned by `document`; null if the document is of another format.
[[nodiscard]] const scene_file::file::Document* as_scene(const AnyDocument& document);

}  // namespace animbridge

/// The protocol between the library and the program animbridge-scene.
///
///     animbridge-scene read --version V --loader ID --memory-mib N --cpu-seconds N [--name FILE]
///                      [--folder DIR]
///         standard input: the file; standard output: its wire form
///     animbridge-scene write --version V --container ID --memory-mib N --cpu-seconds N
///         standard input: a wire form; standard output: the file
///     animbridge-scene formats
///         standard output: JSON, {"assimp": version or null, "ufbx": version or null, "reads": [loader
///         ids], "writes": [container ids]}
///
/// Exit status 0: success. 1: failure; standard error has one line with the reason, without the file's name.
/// Any other status, and every signal, is a crash or a limit; standard error may then contain anything. The
/// program closes every descriptor above 2 and sets its own limits before it reads a byte. `--version` is the
/// library's; a program of another version refuses. `--name` is for loaders that need an extension; without
/// `--folder`, no other file can be opened.
namespace animbridge::scene_file::file::contract {

inline constexpr std::string_view program = "animbridge-scene";

inline constexpr int exit_fine = 0;
inline constexpr int exit_error = 1;

}  // namespace animbridge::scene_file::file::contract

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "base/options/options.h"
#include "model/clip/clip.h"
#include "model/compare/compare.h"
#include "model/findings/findings.h"

/// A format is one row, `const Format`: what it is called, and what can be done with its documents. A bridge
/// is an exact way between two formats. The rows lie in the formats' folders; the registries list them.
namespace animbridge {

namespace editing {
struct Tools;
}  // namespace editing

struct Format;
struct ClipMade;
struct ClipRequest;
struct CurvesMade;
struct ExportRig;
struct Made;
struct NamedDocument;
struct PoseArrays;
struct SceneMotion;
struct Skeleton;
struct Stored;
struct ToCurves;

// ---- documents ----

/// An immutable document of any format. Copies share it.
class AnyDocument {
public:
    template <typename Document>
    AnyDocument(const Format& format, Document document)
        : format_(&format), held_(std::make_shared<const HeldOf<Document>>(std::move(document))) {}

    [[nodiscard]] const Format& format() const { return *format_; }

    /// The format's own document; null if it is of another type.
    template <typename Document>
    [[nodiscard]] const Document* get() const {
        const auto* held = dynamic_cast<const HeldOf<Document>*>(held_.get());
        return held == nullptr ? nullptr : &held->document;
    }

    /// The bytes of a file of the format. Only a scene that was not read from a file can fail. `limits`: for
    /// the program that writes it.
    [[nodiscard]] Result<Bytes> write(const ReadOptions& limits = {}) const;
    [[nodiscard]] Json to_json() const;
    [[nodiscard]] Json info() const;
    /// `asset_name` is the file's name; some programs use it to judge the file.
    /// `purpose`: one of the format's Checks::purposes, what the animation is for; "": not known. Formats
    /// without that purpose ignore it.
    [[nodiscard]] Result<std::vector<Finding>> check(CheckLevel level, std::string_view asset_name,
                                                     std::string_view purpose = {}) const;
    /// What lenient reading tolerated.
    [[nodiscard]] std::vector<Finding> tolerated() const;
    /// Plays both and measures the differences; `other` must be of the same format. For any two: convert.
    [[nodiscard]] Result<Json> compare(const AnyDocument& other, const Job& job) const;
    /// ErrorCode::invalid_argument: the format has no player, or no ease that a stop could begin.
    [[nodiscard]] Result<void> require_player(std::optional<double> stop_seconds) const;
    /// The player's poses at times in seconds since the start, as `animbridge pose --json` prints them.
    [[nodiscard]] Result<Json> pose(std::span<const double> times_seconds,
                                    std::optional<double> stop_seconds) const;
    /// What the target program stores for this file.
    [[nodiscard]] Result<Stored> as_stored() const;
    /// The document to write into a file with this name. `limits`: for the program that writes it.
    [[nodiscard]] Result<NamedDocument> as_file_named(std::string_view path, const ReadOptions& limits = {},
                                                      const Job& job = {}) const;
    /// A copy with other values, by the table "edited" of the format's options, and how that changes what its
    /// target program does.
    [[nodiscard]] Result<Made> edited(const Json& edits) const;
    /// The document without the keys that the player does not need. `options`: an object, described by the
    /// format.
    [[nodiscard]] Result<Made> reduced(const Json& options, const Job& job) const;
    /// The document with the findings mended that mend themselves; see Format::Edits::fixed.
    [[nodiscard]] Result<Made> fixed(const Json& options, std::string_view asset_name) const;

private:
    struct Held {
        Held() = default;
        virtual ~Held() = default;
        Held(const Held&) = delete;
        Held& operator=(const Held&) = delete;
        Held(Held&&) = delete;
        Held& operator=(Held&&) = delete;
    };
    template <typename Document>
    struct HeldOf final : Held {
        explicit HeldOf(Document kept) : document(std::move(kept)) {}
        Document document;
    };

    const Format* format_;
    std::shared_ptr<const Held> held_;
};

using DocumentPtr = std::unique_ptr<AnyDocument>;

/// A document that was made from other data, and the report about it.
struct Made {
    DocumentPtr document;
    Json report = Json::object();
    /// How far it is from what it was made of, where the format measures that; decides whether it is written.
    WorstDifference worst{};
    std::vector<std::string> causes{};  ///< sentences: why it may be far off
    // How far off the caller allows it to be, whatever else.
    double tolerated_mm = 0.0;
    double tolerated_degrees = 0.0;
    /// Ids of findings for which the grid or game that the file is for does not refuse it.
    std::vector<std::string_view> only_reported{};
};

/// What a program stores instead of a file, or an error if it refuses the file; and its findings.
struct Stored {
    Result<DocumentPtr> document;
    std::vector<Finding> findings;
};

/// The document to write for a file's name, and the report about it.
struct NamedDocument {
    DocumentPtr document;  ///< null: the original document
    Json report = Json::object();
};

/// Joins documents of one format, one after another. ErrorCode::invalid_argument: they are of several
/// formats, or of one that cannot be joined.
[[nodiscard]] Result<Made> joined(std::span<const AnyDocument* const> documents, const Json& options);

// ---- the row ----

/// One of the documents inside another.
struct Child {
    std::string selector;  ///< for `child`, which finds the document fast by it
    std::string name;      ///< its own, or the selector if it is empty or already taken
};

/// For formats with one document per file.
inline constexpr std::string_view no_children = "only a level holds documents of its own";

/// The messages for what a format does not support.
struct Reasons {
    std::string_view no_pose{};
    std::string_view no_store{};
    std::string_view no_edit{};
    std::string_view no_reduce{};
    std::string_view no_motion{};  ///< neither curves nor poses
    std::string_view no_clip{};    ///< no conversion through a clip
    std::string_view no_children{};
    std::string_view no_child{};  ///< this document has none
    std::string_view no_join{};
};

/// The options of one of a format's calls: its "options_json".
struct OptionTable {
    std::string_view call;  ///< what reads them: a function of the row, "from_curves", or "from_samples"
    std::span<const Option> options;
};

/// A file among others that are checked together.
struct SetMember {
    std::string name;
    Json facts;  ///< Checks::facts_for_set
};

/// A file to read.
struct FileInput {
    ByteView bytes;
    const ReadOptions& options;
    std::string_view path{};  ///< empty if the bytes do not come from a file
};

/// A format: its folder exports one. The row has a table for each room of the folder. Members that are null
/// are what the format does not support; `reasons` has the messages.
struct Format {
    std::string_view id;
    std::string_view title;
    std::string_view noun;        ///< with its article, for messages: "a BVH"
    std::string_view made_for{};  ///< the target program, for messages; empty: any program
    /// A table for each function of the row that takes options. Null if there are none.
    std::vector<OptionTable> (*options)() = nullptr;

    struct Files {
        std::span<const std::string_view> extensions{};  ///< lower case, with the dot
        /// Whether files may have no extension: then `sniff` recognises them by their first 64 bytes.
        bool has_bare_names = false;
        /// The extensions of files that can be written; empty: all.
        std::span<const std::string_view> written_extensions{};
        /// The extensions of files for which curves become keys at frames, unless the caller asks for exact
        /// ones.
        std::span<const std::string_view> framed_extensions{};
        bool (*sniff)(ByteView bytes) = nullptr;
        /// Whether bytes may belong to a file with this format's extension; asked before sniff. For files
        /// that have no signature and begin like those of another format. May be null.
        bool (*may_be)(ByteView bytes) = nullptr;
        Result<DocumentPtr> (*read)(const FileInput& file) = nullptr;
        Result<Bytes> (*write)(const AnyDocument& document, const ReadOptions& limits) = nullptr;
        Result<DocumentPtr> (*from_json)(const Json& json) = nullptr;
        Json (*to_json)(const AnyDocument& document) = nullptr;
        /// The most memory that to_json and its text take. Null: it is in proportion to the file.
        std::uint64_t (*json_bytes)(const AnyDocument& document) = nullptr;
        /// For formats with several containers, chosen by the extension. May be null.
        Result<NamedDocument> (*as_named)(const AnyDocument& document, std::string_view path,
                                          const ReadOptions& limits, const Job& job) = nullptr;
        /// Information from the separate program that reads and writes the files, with "text" for people. May
        /// be null.
        Json (*program)(const ReadOptions& limits) = nullptr;
    } file{};

    struct Checks {
        std::span<const Rule> (*rules)() = nullptr;       ///< what may be found
        CheckLevel default_level = CheckLevel::playback;  ///< if the caller does not name a level
        Result<std::vector<Finding>> (*findings)(const AnyDocument& document, CheckLevel level,
                                                 std::string_view asset_name) = nullptr;
        /// What an animation may be for: some rules depend on it, and a file does not say it. May be empty,
        /// and the function null.
        std::span<const std::string_view> purposes{};
        Result<std::vector<Finding>> (*for_purpose)(const AnyDocument& document, CheckLevel level,
                                                    std::string_view asset_name,
                                                    std::string_view purpose) = nullptr;
        /// What lenient reading tolerated. May be null.
        std::vector<Finding> (*tolerated)(const AnyDocument& document) = nullptr;
        /// What the target program stores for the file. May be null.
        Stored (*as_stored)(const AnyDocument& document) = nullptr;
        Json (*info)(const AnyDocument& document) = nullptr;
        /// Numbers on how well it plays that only the format has. May be null.
        Json (*measures)(const AnyDocument& document) = nullptr;
        /// What files do to each other that play on one figure: facts about each, and from the facts about
        /// all of them the findings of each. Both may be null.
        Json (*facts_for_set)(const AnyDocument& document) = nullptr;
        std::vector<std::vector<Finding>> (*in_set)(std::span<const SetMember> members, CheckLevel level,
                                                    std::string_view purpose) = nullptr;
    } check{};

    struct Playing {
        /// The names of the joints that the player poses, and their poses at times. Times are finite. Both
        /// may be null.
        Result<std::vector<std::string>> (*joints)(const AnyDocument& document) = nullptr;
        Result<void> (*poses)(const AnyDocument& document, std::span<const double> times_seconds,
                              std::optional<double> stop_seconds, const PoseArrays& out) = nullptr;
        bool has_ease = false;  ///< a stop begins an ease; without one, `poses` gets no stop
        Result<Json> (*compare)(const AnyDocument& a, const AnyDocument& b, const Job& job) = nullptr;
    } play{};

    /// Conversions without an exact bridge (rig/exchange). Each may be null.
    struct Clips {
        Result<ClipMade> (*to_clip)(const AnyDocument& document, const Json& options) = nullptr;
        Result<Made> (*from_clip)(const ClipRequest& request) = nullptr;
        /// For formats whose documents all have the same skeleton: that skeleton, and whether the clip's
        /// joints have the format's names. A clip with others must be retargeted first; if the format has no
        /// skeleton of its own, from_clip finds the parts of the body. Both null: from_clip takes every
        /// skeleton.
        Skeleton (*own_skeleton)() = nullptr;
        /// Per joint of a clip of to_clip: whether comparisons count it, although only joints above it move.
        /// Null: they count all.
        std::vector<bool> (*counted)(const Clip& clip) = nullptr;
        bool (*takes)(const Clip& clip) = nullptr;
        /// The skeleton, in the form of ab_skeleton_json. `document` is null if all files of the format have
        /// the same skeleton.
        Result<Json> (*skeleton)(const AnyDocument* document, const Json& options) = nullptr;
        /// The text of a rig file with what the document itself defines about its joints; empty: nothing.
        std::string (*rig_file)(const AnyDocument& document) = nullptr;
        bool has_properties = false;  ///< curves of custom properties are part of the motion
        /// Files of the format differ as formats do (FBX, glTF): options of conversions also apply between
        /// them, which then go through a clip.
        bool converts_to_itself = false;
        // What options there are.
        bool has_axes = false;          ///< to_clip: "forward" and "up", for files that leave them open
        bool has_size = false;          ///< "scale", for files without a unit; to_clip: also "auto"
        bool has_sampling = false;      ///< to_clip: "keys", exact ones or those at frames
        bool finds_body = false;        ///< from_clip: "source_rig"; it finds the parts in every skeleton
        bool has_bounds = false;        ///< from_clip: "stop_above_mm" and "stop_above_degrees"
        bool names_animations = false;  ///< from_clip: "animation_name"
    } clip{};

    /// Armatures and objects of scenes (rig/exchange). Each may be null.
    struct Scenes {
        Result<CurvesMade> (*to_curves)(const AnyDocument& document, const ToCurves& request) = nullptr;
        /// The skeleton that an armature's bones are in the clip that from_clip gets of a scene.
        Result<ExportRig> (*export_rig)(const SceneMotion& motion) = nullptr;
        /// For formats that no clip can say: in place of export_rig and from_clip.
        Result<Made> (*from_scene)(const SceneMotion& motion) = nullptr;
        bool moves_object = false;  ///< and not an armature
    } scene{};

    /// Each may be null.
    struct Edits {
        /// Takes the options of the table "edited". The report has "findings": those of a check of the
        /// default level that the copy has and the document does not, in the form of findings_json.
        Result<Made> (*edited)(const AnyDocument& document, const Json& edits) = nullptr;
        Result<Made> (*reduced)(const AnyDocument& document, const Json& options, const Job& job) = nullptr;
        /// The document with its findings mended, by the table "fixed" of the format's options. The report
        /// says what was done and what is left; see ab_document_fix. Null: findings say what to do.
        Result<Made> (*fixed)(const AnyDocument& document, const Json& options,
                              std::string_view asset_name) = nullptr;
        /// A document that puts back what this one leaves changed after it has played. Its pointer is null if
        /// nothing stays.
        DocumentPtr (*undeforming)(const AnyDocument& document) = nullptr;
        /// Joins documents of this format, one after another, with the options of the table "joined".
        Result<Made> (*joined)(std::span<const AnyDocument* const> documents, const Json& options) = nullptr;
        /// The document with only a part of its animation, moved to 0. ErrorCode::bad_value names "trim".
        /// Null: the format has no time.
        Result<DocumentPtr> (*trimmed)(const AnyDocument& document, const Trim& trim) = nullptr;
        /// The document with these tracks in place of its own ones, or of the keys that it has for the same
        /// joints; everything else stays. `changed`: over the skeleton of the format's to_clip with the same
        /// options. Null: the format's files can only be written as a whole.
        Result<DocumentPtr> (*with_tracks)(const AnyDocument& document, const Clip& changed,
                                           const Json& to_clip) = nullptr;
        /// The document after those tools that its own numbers allow exactly; `left` loses them, and `rows`
        /// gets what they did (editing::done). Null: every tool goes through the clip.
        Result<DocumentPtr> (*tools)(const AnyDocument& document, editing::Tools& left, Json& rows) = nullptr;
        /// The document with another of its animations as the one that is shown and converted, by its name or
        /// its number from 1. Null: files hold one animation.
        Result<DocumentPtr> (*with_animation)(const AnyDocument& document,
                                              const std::string& animation) = nullptr;
    } edit{};

    /// For files that hold many documents: all null, or none.
    struct Level {
        /// The document with this name; without a name, the only one.
        Result<DocumentPtr> (*child)(const AnyDocument& document,
                                     std::optional<std::string_view> name) = nullptr;
        /// All documents inside that have data.
        std::vector<Child> (*children)(const AnyDocument& document) = nullptr;
        /// The option of conversions that names one of them, besides "animation".
        std::string_view child_option{};
        Result<DocumentPtr> (*with_child)(const AnyDocument& document, std::optional<std::string_view> name,
                                          const AnyDocument& child) = nullptr;
    } level{};

    /// Reports as text: of `info` on the named file; of poses; of as_named, with how exact the file is if
    /// `is_measured`; and of an edit, without its findings. All but the first may be null.
    struct Texts {
        std::string (*info)(const std::string& file, const Json& info) = nullptr;
        std::string (*poses)(const Json& report) = nullptr;
        std::string (*naming)(const Json& report, bool is_measured) = nullptr;
        std::string (*edit)(const Json& report) = nullptr;
    } text{};

    Reasons reasons{};  ///< for members that are null above
};

// ---- functions for a row ----

/// Makes a row's function on any document from one on the format's own document.
template <auto function>
struct OnDocument;

template <typename Answer, typename Document, typename... Rest, Answer (*function)(const Document&, Rest...)>
struct OnDocument<function> {
    static Answer call(const AnyDocument& document, Rest... rest) {
        return function(*document.get<Document>(), std::forward<Rest>(rest)...);
    }
};
template <auto function>
inline constexpr auto on_document = &OnDocument<function>::call;

/// The row's `write` for a format that can always write.
template <Bytes (*function)(const AnyDocument&)>
Result<Bytes> always(const AnyDocument& document, const ReadOptions& /*limits*/) {
    return function(document);
}

/// Like OnDocument, for two documents of the format.
template <auto function>
struct OnDocuments;

template <typename Answer, typename Document, typename... Rest,
          Answer (*function)(const Document&, const Document&, Rest...)>
struct OnDocuments<function> {
    static Answer call(const AnyDocument& a, const AnyDocument& b, Rest... rest) {
        return function(*a.get<Document>(), *b.get<Document>(), std::forward<Rest>(rest)...);
    }
};
template <auto function>
inline constexpr auto on_documents = &OnDocuments<function>::call;

// ---- poses, and the player of formats whose files play as their clip: no program has rules for them ----

/// A caller's arrays for poses, described at ab_pose; each may be null.
struct PoseArrays {
    std::size_t joint_capacity = 0;
    double* clip_seconds = nullptr;
    double* ease_weights = nullptr;
    double* local_rotations = nullptr;
    double* local_positions = nullptr;
    double* world_rotations = nullptr;
    double* world_positions = nullptr;
    Json* rows = nullptr;  ///< an array, for formats that say other things of a pose: one row for each time

    static void put(double* array, std::size_t row, std::initializer_list<double> values) {
        if (array != nullptr) {
            std::ranges::copy(values, array + row * values.size());
        }
    }
    static void put(double* array, std::size_t row, const glm::dquat& q) {
        put(array, row, {q.w, q.x, q.y, q.z});
    }
    static void put(double* array, std::size_t row, const glm::dvec3& v) { put(array, row, {v.x, v.y, v.z}); }
};

/// ErrorCode::invalid_argument if the arrays are too small for this many joints.
[[nodiscard]] Result<void> require_room(const PoseArrays& out, std::size_t joints);

/// {"poses": [...]} of what `play` puts into arrays. A pose is what the format says (PoseArrays::rows), or
/// {"seconds", "clip_seconds", "weight", "joints": [{"joint", "local_rotation_wxyz", "local_position",
/// "world_rotation_wxyz", "world_position"}]}, where a joint lacks what is NaN.
[[nodiscard]] Result<Json> poses_json(std::span<const double> times_seconds,
                                      const std::vector<std::string>& joints,
                                      const std::function<Result<void>(const PoseArrays& out)>& play);

/// Implements a row's `play`. ErrorCode::invalid_argument: the arrays are too small for the joints.
[[nodiscard]] Result<void> play_clip(const Clip& clip, std::span<const double> times_seconds,
                                     const PoseArrays& out);

// ---- bridges, and the registries ----

struct BridgeInput {
    /// Of the bridge's source format. An error: its reader refuses the file, but a bridge with another reader
    /// may accept `bytes`.
    const Result<DocumentPtr>& document;
    ByteView bytes;  ///< the whole file that the document was read from
    Reading reading = Reading::lenient;
    const Json& options;  ///< an object; a bridge refuses members that it does not know
    const Json& edits;    ///< what AnyDocument::edited will get: a bridge can measure the edited result
    const Job& job;
};

/// An exact conversion from one format to another; the bridge's folder exports it.
struct Bridge {
    std::string_view from;  ///< format ids
    std::string_view to;
    std::string_view way;  ///< for people: "from BVH to .anim"
    Result<Made> (*convert)(const BridgeInput& input);
    std::span<const Option> (*options)();
    /// The report as text; `give_back` is its member of that name, unchanged. Null: the target format
    /// describes the report.
    std::string (*describe)(const Json& report, const Json& give_back) = nullptr;
    /// Whether the conversion is meant for the file; if not, and its body is found, its motion is retargeted
    /// instead. Null: it is meant for every file.
    bool (*fits)(const AnyDocument& document) = nullptr;
    /// Whether any of the document's parts is known. If none is, the bridge takes the document only if it is
    /// asked for. Null: `fits` says it.
    bool (*knows_any)(const AnyDocument& document) = nullptr;
    /// The first level of `from`'s check that includes the target program, and the function that adds its
    /// findings. `text`: the file that the document was read from, empty if it is not known. Null: none.
    CheckLevel check_level = CheckLevel::upload;
    void (*check)(const AnyDocument& document, ByteView text, std::vector<Finding>& findings) = nullptr;
};

[[nodiscard]] std::span<const Bridge* const> bridges();

/// Null if there is no exact conversion.
[[nodiscard]] const Bridge* find_bridge(std::string_view from, std::string_view to);

/// The formats and the bridges, with their options, in the form of ab_formats_json.
[[nodiscard]] Json registries_json();

}  // namespace animbridge

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/base.h"
#include "base/files/files.h"
#include "base/json/json.h"
#include "convert/convert.h"
#include "model/findings/findings.h"

/// What a batch will do (docs/batch.md): the request, the inputs that its patterns find, where each output
/// goes, and the row that reports one output. Paths are UTF-8, with the separators of the system.
namespace animbridge::batch::plan {

// ---- the request ----

/// The values of `--to`: the extension of the outputs, without the dot.
inline constexpr std::array<std::string_view, 10> targets = {"anim", "bvh",  "oni", "xml", "bin",
                                                             "glb",  "gltf", "fbx", "dae", "json"};
/// The additional target if there is a Blender.
inline constexpr std::string_view blend_target = "blend";

/// A share of the inputs: the `number`th of `count`, from 1.
struct Shard {
    std::uint32_t number = 1;
    std::uint32_t count = 1;

    /// For names of files: "-2-of-8"; "" if it is all of them.
    [[nodiscard]] std::string suffix() const {
        return count == 1 ? "" : "-" + std::to_string(number) + "-of-" + std::to_string(count);
    }
};

/// One run.
struct Request {
    std::vector<std::string> inputs{};  ///< files, folders, patterns
    std::vector<std::string> lists{};   ///< files with one path per line; "-": standard input
    std::string target{};               ///< one of `targets`
    std::string out{};                  ///< the output folder; "": nothing is written
    std::string report{};               ///< the file of the JSON report; "": none
    std::vector<std::string> words{};   ///< as typed: options that affect the results, for Blender
    std::string level{};                ///< for checking the outputs; "": the format's default
    /// An output with a finding of this class or a worse one makes the run fail; nullopt: none does.
    std::optional<FindingClass> fail_on = FindingClass::rejected;
    std::uint32_t jobs = 1;  ///< threads
    /// The command line that starts Blender with the add-on, for inputs that need it; empty: there is none.
    std::vector<std::string> blender{};
    std::vector<std::string> blender_words{};  ///< as typed: the options only for Blender
    Shard shard{};
    bool quiet = false;
    bool json_lines = false;
    bool newer = false;         ///< skip inputs that are older than their output
    bool resume = false;        ///< convert only what the ledger lacks or what has changed
    bool retry_failed = false;  ///< like `resume`, and also what failed
    bool digest = false;        ///< recognise inputs by their content instead of their time
    ConvertOptions conversion{};
    std::string version{};  ///< this program's version
    /// Gives the options in an error the names that the user typed. May be empty.
    std::function<Error(Error)> as_typed{};
};

// ---- the inputs ----

/// Stands for a path where millions are remembered: the first half of its SHA-256.
using PathKey = std::array<std::uint64_t, 2>;
[[nodiscard]] PathKey key_of(std::string_view path);

struct PathKeyHash {
    std::size_t operator()(const PathKey& key) const { return static_cast<std::size_t>(key[0]); }
};
using PathKeys = std::unordered_set<PathKey, PathKeyHash>;
template <typename Value>
using PathMap = std::unordered_map<PathKey, Value, PathKeyHash>;

/// A file to convert.
struct Input {
    std::string path;
    std::string folder{};  ///< for its outputs, below the output folder
    std::string fault{};   ///< why it cannot be read; "" if it can
    /// How many earlier inputs have the same path below the output folder.
    std::uint32_t before = 0;
    std::string animation{};  ///< the named one: "walk.fbx#Run"; "": all

    /// As the user gave it: the path, and the animation if one was named.
    [[nodiscard]] std::string given() const;
    /// The path below the output folder, with "/", and the animation: the key of an input in ledgers and
    /// shards.
    [[nodiscard]] std::string relative() const;
    [[nodiscard]] bool is_blend() const;
};

/// The inputs of a run, in order. A million take about 100 bytes each, plus their names.
class Plan {
public:
    /// Adds an input, if it is in the shard. Each file is added once.
    void add(Input input);

    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    [[nodiscard]] Input at(std::size_t index) const;
    /// Whether a file, by the key of its real path, is an input of this run or of another shard of it.
    [[nodiscard]] bool has_file(const PathKey& key) const { return files_.contains(key); }
    /// Of a BVH: the input beside it that is a pose. Firestorm's poser saves both, and the BVH holds less.
    [[nodiscard]] std::optional<std::string> pose_beside(const Input& input) const;
    /// Remembers the file; returns whether it is new.
    bool add_file(const PathKey& key) { return files_.insert(key).second; }

    explicit Plan(Shard shard) : shard_(shard) {}

private:
    [[nodiscard]] bool is_in_shard(std::string_view relative) const;

    struct Folder {
        std::string path;    ///< of the inputs
        std::string output;  ///< of their outputs
    };
    struct Entry {
        std::uint64_t name;  ///< its offset in `names_`; it ends before the next one's
        std::uint32_t folder;
    };

    Shard shard_;
    std::vector<Folder> folders_;
    std::vector<Entry> entries_;
    std::string names_;
    std::map<std::size_t, std::string> faults_;
    std::map<std::size_t, std::uint32_t> repeated_;
    std::map<std::size_t, std::string> animations_;
    PathKeys files_;
    PathMap<std::uint32_t> places_;
};

/// The inputs of all arguments, each file once, in the order of the arguments and by name in folders. Among
/// the files in folders, only those without an extension are opened. ErrorCode::io: a list cannot be read.
[[nodiscard]] Result<Plan> planned(const Request& request);

/// The files of known formats in a folder and the folders below it, by name, without those in the folder
/// `out` of the outputs ("": none). ErrorCode::invalid_argument: there are none, or both are one folder.
[[nodiscard]] Result<std::vector<Input>> files_in(const std::string& folder, const std::string& out = "");

/// The shard, from 1, of an input, by its path below the output folder.
[[nodiscard]] std::uint32_t shard_of(std::string_view relative, std::uint32_t count);

/// The stem of an output's name: Black Dragon writes names of poses with % and numbers, which Firestorm never
/// loads. `stem`: the input's; `bytes`: its content.
[[nodiscard]] std::string stem_for(std::string_view stem, ByteView bytes, const Request& request);

// ---- the row of an output ----

/// `skipped`: the input's format cannot become the target. `current`: the output exists and is up to date.
enum class Status : std::uint8_t { ok, failed, skipped, current };
[[nodiscard]] std::string_view name_of(Status status);

/// One output, or an input without one.
struct Row {
    std::string input;
    std::string output{};  ///< "" if there is none
    Status status = Status::failed;
    std::string error{};            ///< why it failed or was skipped
    Json findings = Json::array();  ///< null: the output was not checked
    /// A summary of the worst findings: "refused by Second Life: 25 unknown joints; add --retarget". "": the
    /// target program accepts the output, and no finding makes the run fail.
    std::string verdict{};
    std::string_view verdict_word{};  ///< "refused", or the class of those findings
    bool fails = false;               ///< whether they make the run fail
    std::vector<std::string> warnings{};
    std::vector<std::string> notes{};  ///< decisions that an import into Blender made by itself
    Json conversion{};  ///< the report of a conversion between two formats, as the command prints it
    std::vector<std::string> only_reported{};            ///< as in Made
    std::optional<double> max_rotation_error_degrees{};  ///< for an export from Blender
    std::optional<double> max_position_error_mm{};       ///< for an export from Blender
    std::uint64_t bytes_in = 0;
    std::uint64_t bytes_out = 0;
    double seconds = 0;
    std::string digest{};  ///< SHA-256 of the output
    /// Whether the input itself caused this, and would again. False if the file system failed, or if the
    /// output belongs to another input.
    bool is_lasting = true;
    /// Whether a later try may work: the file system failed, or there was too little memory.
    bool may_work_later = false;
    /// Whether a program that was started for it was asked to end (SIGINT, SIGTERM).
    bool was_cancelled = false;
};

/// In the form of the batch report of Blender.
[[nodiscard]] Json json_of(const Row& row);

/// The content of a row besides names and sizes: the members of its JSON that are not empty, without "status"
/// if that is "ok". "conversion" is without lists of more than 8 items and without lists of objects.
[[nodiscard]] Json report_of(const Row& row);
/// Sets the members of report_of from JSON.
void take_report(Row& row, const Json& json);

/// Members of a report's JSON; empty if they are missing or of another type.
[[nodiscard]] std::optional<double> reported_number(const Json& object, std::string_view key);
[[nodiscard]] std::string reported_text(const Json& object, std::string_view key);

/// The counts of a run.
struct Totals {
    std::uint64_t inputs = 0;
    std::uint64_t outputs = 0;
    std::uint64_t failed = 0;
    std::uint64_t skipped = 0;
    std::uint64_t current = 0;
    std::uint64_t refused = 0;  ///< written or current, and the target program refuses them
    std::uint64_t failing = 0;  ///< written or current, and their findings make the run fail
    std::uint64_t findings = 0;
    std::uint64_t bytes_in = 0;
    std::uint64_t bytes_out = 0;

    /// Adds the rows of one input.
    void add(const std::vector<Row>& rows);
};
[[nodiscard]] Json json_of(const Totals& totals, double seconds);

/// "1,234,567"
[[nodiscard]] std::string grouped(std::uint64_t number);

/// How the table shows paths: the width of their column in characters, and whether longer ones are cut or
/// extend beyond it.
struct PathColumn {
    std::size_t width = 0;
    bool is_cut = false;
};
/// Texts of an input's rows, and how many rows have each.
using Repeated = std::map<std::string, std::uint64_t>;
[[nodiscard]] Repeated repeated_in(const std::vector<Row>& rows);
/// The table's lines for one of an input's rows, without control characters. Texts that are shown are removed
/// from `repeated`, so that they appear once; "" if nothing is left.
[[nodiscard]] std::string table_lines(const Row& row, const PathColumn& paths, Repeated& repeated);
/// Such as "3 written, 0 failed, ...".
[[nodiscard]] std::string summary_line(const Totals& totals, double seconds);

/// The greatest width of the table's column of paths.
inline constexpr std::size_t widest_place = 60;

/// The verdict on an output that its target program refuses.
inline constexpr std::string_view refused_word = "refused";

// ---- where outputs go ----

/// The outputs of one run: each path inside the output folder is used once, and is never an input. For one
/// thread at a time; a path takes about 100 bytes.
class Outputs {
public:
    Outputs(const Plan& plan, const Request& request, const Folder& out);

    /// Reserves the path for the input with this index, makes its folder, and returns the path below the
    /// output folder, without links. The error says what already has the path.
    [[nodiscard]] Result<std::string> claim(const std::string& output, std::size_t input);

private:
    struct RealFolder {
        std::string path;
        std::string real;
    };

    [[nodiscard]] std::string real_place(const std::string& output);
    [[nodiscard]] std::string owner_of(const std::string& place, const std::string& below) const;

    const Plan& plan_;
    const Folder& out_;
    std::string root_;
    std::string report_;
    RealFolder last_{};
    PathMap<std::size_t> owners_{};
    PathMap<std::size_t> alike_owners_{};
};

/// Whether the folder's file system ignores case in names. Tries it with a file.
[[nodiscard]] bool ignores_case(const Folder& folder);

/// Where the outputs go, relative to a folder that is searched, so that they are not taken for inputs.
class Destination {
public:
    Destination(const Request& request, const std::string& base);

    /// Whether a file below the folder is an output of this run, or of an earlier one with the same
    /// arguments. If the output folder is below the searched one, this is true for every file in it; if both
    /// are the same, for files with the target's ending.
    [[nodiscard]] bool holds(const std::string& real, const std::string& name) const;
    /// Whether a folder below the searched one is the output folder, or holds ledgers.
    [[nodiscard]] bool holds_folder(const std::string& real) const;
    [[nodiscard]] bool is_same() const { return is_same_; }

private:
    std::string ending_;
    std::string out_;
    std::string report_;
    bool is_same_ = false;
    bool is_below_ = false;
};

/// Names of files in lower case, without their ending, and the last number that each name used.
struct TakenStems {
    std::set<std::string> names{};
    std::map<std::string, std::size_t> numbers{};
};

/// The words as a file name without its ending, with a number if it is already taken. Names that differ only
/// in the case of A to Z count as equal. Adds the result to `taken`.
[[nodiscard]] std::string free_stem(const std::string& words, const std::string& ending, TakenStems& taken);

// ---- paths ----

/// Removes parts that are empty or "."; keeps "..". Returns "." if nothing is left.
[[nodiscard]] std::string tidy_path(std::string_view path);

/// The path of an input or output below its folder in the form of ledgers: with "/" on every system.
[[nodiscard]] std::string with_slashes(std::string path);

/// The text from the last dot of a name, unless the name begins or ends with that dot; else "".
[[nodiscard]] std::string_view suffix_of(std::string_view name);
/// The name without its suffix.
[[nodiscard]] std::string_view stem_of(std::string_view name);

/// The absolute path with all links followed, as far as it exists. It is equal for all paths to the same
/// file.
[[nodiscard]] std::string real_path(const std::string& path);

/// Whether a real path is the folder, or below it.
[[nodiscard]] bool is_in_folder(std::string_view real, std::string_view folder);

/// What a path leads to if it is not a file, such as "a folder"; "" for a file.
[[nodiscard]] std::string file_type_of(const std::string& path);

// ---- patterns, by the rules of shells, for shells that leave them to programs ----

/// Whether the text contains *, ? or [.
[[nodiscard]] bool has_wildcard(std::string_view text);

/// Whether one name matches one part of a pattern: * is any text, ? one character, [a-c] one of several and
/// [!a-c] none of them.
[[nodiscard]] bool name_matches(std::string_view name, std::string_view pattern);

struct Matches {
    std::string base;  ///< the folder before the first part with a wildcard; "": the current one
    std::vector<std::string> paths;  ///< sorted by their parts
};

/// The pattern must be tidy. "**" matches any number of folders, including none. A name that begins with a
/// dot needs a part that does too. Links to folders are followed once.
[[nodiscard]] Matches matches_of(const std::string& pattern);

}  // namespace animbridge::batch::plan

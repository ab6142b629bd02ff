// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base.h"
#include "base/files/files.h"
#include "batch/plan/plan.h"

/// The parts of a run: the result of an output, one input by one thread, the order of rows, Blender's share,
/// what a run prints, and what it leaves if it is killed.
namespace animbridge::batch::run {

// ---- the result of one output, whoever makes it ----

/// Marks the row as failed, for this reason.
void fail_row(plan::Row& row, const Error& error);

/// A failed row that keeps only its input.
[[nodiscard]] plan::Row without_output(const plan::Row& row, const Error& error);

/// Sets the row's verdict from its findings. `has_body`: whether the input has a body that can be retargeted.
void judge(plan::Row& row, const plan::Request& request, const std::function<bool()>& has_body);

/// Marks the existing output as kept, without reading it.
void leave_output(plan::Row& row);

/// Whether the output is newer than the input.
[[nodiscard]] bool is_newer(const std::string& output, const std::string& input);

/// The size of a file; 0 if it does not exist.
[[nodiscard]] std::uint64_t size_of(const std::string& path);

// ---- one input, and the order of all ----

/// The result of an input.
struct Finished {
    std::vector<plan::Row> rows;
    std::string input_digest{};  ///< SHA-256 of the input's bytes, if requested
};

/// Converts one input into rows, one per output. Several threads may use one worker.
class Worker {
public:
    /// Reserves an output for the input that is converted, and returns its path below the output folder.
    /// Inputs reserve theirs in the order of the plan.
    using Claim = std::function<Result<std::string>(const std::string& output)>;
    /// Calls its argument when it is the input's turn to reserve outputs.
    using InTurn = std::function<void(const std::function<void(const Claim&)>&)>;

    /// `out`: the output folder.
    Worker(const plan::Request& request, const Folder& out) : request_(request), out_(out) {}

    /// A failure is a row, not an exception. `in_turn` is called at most once.
    [[nodiscard]] Finished convert(const plan::Input& input, const InTurn& in_turn) const;

    /// Whether an input is skipped because its output is newer. For a scene or a .blend file, only its
    /// content determines the names of its outputs.
    [[nodiscard]] bool is_left_out(const plan::Input& input) const;

    /// The path of the output, for an input with one output.
    [[nodiscard]] std::string single_output(const plan::Input& input) const;

private:
    struct Task;
    struct Tasks;
    struct Source;

    [[nodiscard]] Tasks tasks_of(const plan::Input& input, const std::string& path, ByteView bytes) const;
    [[nodiscard]] Tasks parts_of(const plan::Input& input, ByteView bytes) const;
    [[nodiscard]] static Task named_part(const plan::Input& input, const AnyDocument& whole,
                                         const Json& name);
    [[nodiscard]] Tasks animations_of(const plan::Input& input, ByteView bytes) const;
    void reserve(Tasks& tasks, const plan::Input& input, const Claim& claim) const;
    void reserve(Task& task, const plan::Input& input, const Claim& claim) const;
    void split(Tasks& tasks, const plan::Input& input, ByteView bytes) const;
    [[nodiscard]] Result<ConvertedFile> converted(const Task& task, const plan::Input& input,
                                                  const Source& whole, const std::string& output) const;
    [[nodiscard]] static std::string name_of(const Task& task, const plan::Input& input);
    void run(Task& task, const plan::Input& input, const Source& source) const;
    [[nodiscard]] Result<void> write(Task& task, const plan::Input& input, const Source& whole) const;
    [[nodiscard]] bool has_no_way(const std::string& name, const Source& source, const Error& error) const;
    [[nodiscard]] std::string ending() const { return "." + request_.target; }

    const plan::Request& request_;
    const Folder& out_;
};

/// Hands the indices of inputs to threads, and restores the order of the plan for their results: outputs are
/// reserved and rows are reported as if there were one thread. Holds the rows of at most `window` inputs.
class Order {
public:
    /// Gets each finished input in order, one at a time.
    using Tell = std::function<void(std::size_t index, const Finished& finished)>;

    Order(std::size_t count, std::size_t window, Tell tell)
        : count_(count), window_(window), tell_(std::move(tell)) {}

    /// The next input; nullopt: there is none, or the run was stopped. Waits while too many are not reported
    /// yet.
    [[nodiscard]] std::optional<std::size_t> next();
    /// The next inputs, up to the first after which `wants_more` is false: as many as may be handed out at
    /// once. Empty when next() would return nullopt.
    [[nodiscard]] std::vector<std::size_t> next_ones(
        const std::function<bool(std::size_t index)>& wants_more);

    /// Waits until all earlier inputs have reserved their outputs, or never will, and calls `reserve`.
    void in_turn(std::size_t index, const std::function<void()>& reserve);

    /// nullopt: the input was given up, and is not reported.
    void finish(std::size_t index, std::optional<Finished> finished);

    /// Hands out no more inputs.
    void stop();
    [[nodiscard]] bool is_stopped() const;
    /// How many inputs were reported.
    [[nodiscard]] std::size_t told() const;

private:
    void pass_turn(std::size_t index);

    std::size_t count_;
    std::size_t window_;
    Tell tell_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t next_ = 0;
    std::size_t turn_ = 0;
    std::set<std::size_t> passed_;  ///< those after `turn_`
    std::size_t to_tell_ = 0;
    std::map<std::size_t, std::optional<Finished>> waiting_;
    std::size_t told_ = 0;
    std::atomic<bool> is_stopped_ = false;
};

// ---- Blender ----

/// Blender's results for an input. The outputs of the rows are in `folder`; their paths are below it.
struct Staged {
    std::vector<plan::Row> rows{};
    std::string folder{};
};

/// Converts the inputs that need Blender, many in one process. Outputs stay in a separate folder until it is
/// their turn, so that parallel processes give the same result as one. Several threads may use it.
class Blender {
public:
    Blender(const plan::Request& request, const plan::Plan& plan);

    /// Whether an input needs Blender, and there is a program to start.
    [[nodiscard]] bool takes(const plan::Input& input) const;
    /// Whether any input needs Blender.
    [[nodiscard]] bool is_used() const { return inputs_each_ != 0; }
    /// How many inputs each process gets, so that all processes get some.
    [[nodiscard]] std::size_t inputs_each() const { return inputs_each_; }

    /// In the order of the inputs; nullopt: the run was stopped before. A failure becomes a row. `folder` is
    /// new and belongs to the caller's WorkFolder.
    [[nodiscard]] std::vector<std::optional<Staged>> convert(const std::vector<plan::Input>& inputs,
                                                             const Result<Folder>& folder,
                                                             const std::function<bool()>& is_stopped) const;

private:
    const plan::Request& request_;
    std::size_t inputs_each_ = 0;
};

/// A folder for convert(), which is removed with this object.
class WorkFolder {
public:
    WorkFolder(const Folder& in, std::string name)
        : in_(in), name_(std::move(name)), made_(in.folder(name_)) {}
    ~WorkFolder();
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    /// ErrorCode::io: it cannot be created.
    [[nodiscard]] const Result<Folder>& folder() const { return made_; }

private:
    const Folder& in_;
    std::string name_;
    Result<Folder> made_;
};

/// Removes what killed runs left: the folders whose names begin with `work`.
void remove_old_work(const Folder& in, const std::string& work);

/// Blender's results after what the request asks of files: clip tools, edits, fixes, and parts.
[[nodiscard]] Staged refined(Staged staged, const plan::Request& request);

/// Moves Blender's results for an input to their places, once it is the input's turn to reserve outputs. Each
/// file is written like any other output, below `out`.
[[nodiscard]] Finished placed(const plan::Input& input, const Staged& staged, const plan::Request& request,
                              const Folder& out, const Worker::InTurn& in_turn);

// ---- what a run prints and reports ----

/// Why a run ended early.
struct Stop {
    std::string signal{};
    int exit_code = 0;
    std::uint64_t inputs_left = 0;
};

/// Prints the progress of a run: on standard output, rows as a table or as JSON, and a summary; on standard
/// error a progress bar, if that is a terminal. Only one thread at a time may call it.
class Console {
public:
    /// `width`: that of the table's column of paths.
    Console(const plan::Request& request, std::size_t width);
    ~Console();
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;

    /// Prints the rows of a finished input; `number`: its number, from 1.
    void rows(const std::vector<plan::Row>& rows, std::uint64_t number, std::uint64_t count);
    void end(const plan::Totals& totals, double seconds, const Stop* stop);

    /// Why standard output failed; "" if it did not.
    [[nodiscard]] const std::string& problem() const { return problem_; }

private:
    void print(std::string_view text);
    [[nodiscard]] bool shows(const plan::Row& row) const;
    void clear_bar();
    void draw_bar(std::uint64_t number, std::uint64_t count);

    const plan::Request& request_;
    plan::PathColumn paths_;
    bool has_bar_;
    bool is_bar_drawn_ = false;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point drawn_{};
    std::string problem_;
};

/// Such as "1:05" or "2:03:04".
[[nodiscard]] std::string clock_text(double seconds);

/// Such as "[######....] 12/40  31.2 files/s  0:01 left"; at most 100 columns.
[[nodiscard]] std::string progress_text(std::uint64_t number, std::uint64_t count, double seconds);

/// Prints a message on standard error, like the command.
void complain(std::string_view message);

/// The JSON report of a run: {"rows": [...], "totals": {...}}. Rows go straight to the file, so memory does
/// not grow.
class ReportFile {
public:
    /// `path` "": no report is written.
    explicit ReportFile(const std::string& path);

    void add(const plan::Row& row);
    /// ErrorCode::io: the report was not written; the reason is that of the first error.
    [[nodiscard]] Result<void> finish(const plan::Totals& totals, double seconds, const Stop* stop);

private:
    void write(std::string_view text);

    std::optional<PartialFile> file_{};
    std::string buffer_{};
    bool has_rows_ = false;
    Result<void> state_{};
};

// ---- what a killed run leaves, and locks ----

/// How many times an input may end the program that converts it.
inline constexpr std::uint32_t most_kills = 3;

/// Records in a file which inputs are being converted: a run that is killed leaves the file, and the next run
/// knows which inputs may be the cause. Several threads may use it. A run goes on if it cannot write it.
class InHand {
public:
    /// `name`: the name of the file in the folder, which must outlive this. `remembers`: whether to use what
    /// a killed run left.
    InHand(const Folder& folder, std::string name, bool remembers);
    /// Removes the file, because the run has ended by itself.
    ~InHand();
    InHand(const InHand&) = delete;
    InHand& operator=(const InHand&) = delete;

    /// How many runs in a row were killed while they converted the input.
    [[nodiscard]] std::uint32_t kills(const plan::Input& input);

    /// Records an input as long as this exists.
    class Hold {
    public:
        Hold(InHand& all, const plan::Input& input) : all_(all), key_(input.relative(), input.before) {
            all_.begin(key_);
        }
        ~Hold() { all_.finish(key_); }
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;

    private:
        InHand& all_;
        std::pair<std::string, std::uint32_t> key_;
    };

private:
    using Key = std::pair<std::string, std::uint32_t>;

    void begin(const Key& key);
    void finish(const Key& key);

    const Folder& folder_;
    std::string name_;
    Result<AppendFile> file_;
    std::mutex mutex_;      ///< guards the members below
    std::size_t size_ = 0;  ///< how much this run wrote
    /// The number of kills if this run is killed now.
    std::map<Key, std::uint32_t> kills_;
};

/// The locks of a run: of the whole folder, or of one shard in it.
struct Locks {
    std::optional<FileLock> folder{};
    std::optional<FileLock> shard{};
};

/// `own`: the folder of ledgers and locks. ErrorCode::io: another run has locked the folder or the shard.
[[nodiscard]] Result<Locks> locked(const plan::Request& request, const Folder& own);

}  // namespace animbridge::batch::run

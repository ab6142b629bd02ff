// SPDX-License-Identifier: MIT
#include "batch/run/run.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <new>
#include <thread>

#include "base/files/files.h"
#include "base/system/system.h"
#include "batch/run/ledger.h"
#include "batch/run/worker.h"

namespace animbridge::batch::run {

namespace fs = std::filesystem;

namespace {

/// How many inputs per thread may be finished before an earlier one.
constexpr std::size_t window_per_job = 64;
constexpr std::size_t least_window = 256;
/// How many inputs a thread takes at once if some are for Blender.
constexpr std::size_t inputs_in_hand = 1024;

/// For an input with an unexpected failure.
plan::Row failed_row(const std::string& path, const std::exception& problem) {
    const bool is_memory = dynamic_cast<const std::bad_alloc*>(&problem) != nullptr;
    plan::Row row{path};
    row.error = path + (is_memory ? ": out of memory" : std::string(": internal error: ") + problem.what());
    row.is_lasting = false;
    row.may_work_later = is_memory;
    return row;
}

/// For an input that ended this program each time.
plan::Row killing_row(const std::string& path) {
    plan::Row row{path};
    row.error = path + ": the program was killed each of the " + std::to_string(most_kills) +
                " times that it converted this file. Look at the memory that is left; --retry-failed tries "
                "it again.";
    return row;
}

/// One run, once it is known that it may begin.
class Run {
public:
    /// `out`: the output folder. `own`: the parent of folders for unfinished work, whose names begin with
    /// `work`. `in_hand`: the name of a file for InHand there.
    Run(const plan::Request& request, const plan::Plan& plan, Ledger& ledger, std::string options,
        const Folder& out, const Folder& own, std::string work, const std::string& in_hand);

    int run();

private:
    void work();
    void work_with_blender();
    std::vector<std::size_t> taken_share();
    std::vector<std::optional<Staged>> staged_safely(const std::vector<plan::Input>& inputs,
                                                     const Result<Folder>& folder);
    /// `staged`: Blender's results for the input; null: it is not for Blender.
    std::optional<Finished> finished_safely(std::size_t index, const Staged* staged);
    Finished finished(std::size_t index, const Staged* staged);
    std::optional<Finished> kept_of(const plan::Input& input, const std::optional<Fingerprint>& state);
    void store(const plan::Input& input, const Finished& finished, const std::optional<Fingerprint>& state);
    void tell(std::size_t index, const Finished& finished);
    bool is_in_vain(const Finished& finished) const;
    void asked_to_end(const char* name, int exit_code, int count);
    int end(double seconds);

    const plan::Request& request_;
    const plan::Plan& plan_;
    Ledger& ledger_;
    std::string options_;
    const Folder& out_;
    const Folder& own_;
    std::string work_;
    plan::Outputs outputs_;
    Worker worker_;
    Blender blender_;
    Console console_;
    ReportFile report_;
    Order order_;
    InHand in_hand_;
    plan::Totals totals_;
    std::mutex mutex_;  ///< guards the members below
    std::string signal_;
    int signal_exit_code_ = 0;
    std::string ledger_problem_;
};

/// The width that the outputs need in the column of paths, if each input has one.
std::size_t place_width(const plan::Plan& plan, const Worker& worker) {
    std::size_t width = 0;
    for (std::size_t i = 0; i < plan.size() && width < plan::widest_place; ++i) {
        width = std::max(width, worker.single_output(plan.at(i)).size());
    }
    return std::min(width, plan::widest_place);
}

/// A thread with Blender has many inputs at once.
std::size_t window_of(const plan::Request& request, const Blender& blender) {
    const std::size_t in_hand = blender.is_used() ? inputs_in_hand : 0;
    return std::max(least_window, (window_per_job + 2 * in_hand) * request.jobs);
}

Run::Run(const plan::Request& request, const plan::Plan& plan, Ledger& ledger, std::string options,
         const Folder& out, const Folder& own, std::string work, const std::string& in_hand)
    : request_(request),
      plan_(plan),
      ledger_(ledger),
      options_(std::move(options)),
      out_(out),
      own_(own),
      work_(std::move(work)),
      outputs_(plan, request, out),
      worker_(request, out),
      blender_(request, plan),
      console_(request, place_width(plan, worker_)),
      report_(request.report),
      order_(plan.size(), window_of(request, blender_),
             [this](std::size_t index, const Finished& finished) { tell(index, finished); }),
      in_hand_(own, in_hand, request.resume || request.retry_failed) {}

int Run::run() {
    const auto start = std::chrono::steady_clock::now();
    {
        const EndingRequests requests(
            [this](const char* name, int exit_code, int count) { asked_to_end(name, exit_code, count); });
        std::vector<std::jthread> threads;
        const std::size_t count =
            std::min<std::size_t>(request_.jobs, std::max<std::size_t>(plan_.size(), 1));
        for (std::size_t i = 1; i < count; ++i) {
            threads.emplace_back([this] { work(); });
        }
        work();
    }
    return end(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

void Run::work() {
    if (blender_.is_used()) {
        work_with_blender();
        return;
    }
    while (const auto index = order_.next()) {
        order_.finish(*index, finished_safely(*index, nullptr));
    }
}

/// Each process gets many inputs. Those between them that need no Blender are done afterwards: their outputs
/// are reserved in the order of the plan.
void Run::work_with_blender() {
    for (auto share = taken_share(); !share.empty(); share = taken_share()) {
        std::vector<std::size_t> indices;
        std::vector<plan::Input> inputs;
        for (const std::size_t index : share) {
            plan::Input input = plan_.at(index);
            if (blender_.takes(input) && !worker_.is_left_out(input) &&
                !kept_of(input, fingerprint_of(input.path))) {
                indices.push_back(index);
                inputs.push_back(std::move(input));
            }
        }
        std::optional<WorkFolder> work;
        std::vector<std::optional<Staged>> made;
        if (!inputs.empty()) {
            work.emplace(own_, work_ + std::to_string(share.front()));
            made = staged_safely(inputs, work->folder());
        }
        for (const std::size_t index : share) {
            const auto found = std::ranges::lower_bound(indices, index);
            if (found == indices.end() || *found != index) {
                order_.finish(index, finished_safely(index, nullptr));
                continue;
            }
            const auto& staged = made[static_cast<std::size_t>(found - indices.begin())];
            order_.finish(index, staged ? finished_safely(index, &*staged) : std::nullopt);
        }
    }
}

/// Like convert(), but without exceptions.
std::vector<std::optional<Staged>> Run::staged_safely(const std::vector<plan::Input>& inputs,
                                                      const Result<Folder>& folder) {
    try {
        return blender_.convert(inputs, folder, [this] { return order_.is_stopped(); });
    } catch (const std::exception& problem) {
        std::vector<std::optional<Staged>> failed(inputs.size());
        std::ranges::transform(inputs, failed.begin(), [&](const plan::Input& input) {
            return Staged{{failed_row(input.path, problem)}, ""};
        });
        return failed;
    }
}

std::vector<std::size_t> Run::taken_share() {
    std::size_t count = 0;
    std::size_t for_blender = 0;
    return order_.next_ones([&](std::size_t index) {
        for_blender += blender_.takes(plan_.at(index)) ? 1 : 0;
        return ++count < inputs_in_hand && for_blender < blender_.inputs_each();
    });
}

/// nullopt: the input failed while the run was asked to end, perhaps because of that.
std::optional<Finished> Run::finished_safely(std::size_t index, const Staged* staged) {
    Finished done;
    try {
        done = finished(index, staged);
    } catch (const std::exception& problem) {
        done.rows = {failed_row(plan_.at(index).given(), problem)};
    }
    return is_in_vain(done) ? std::nullopt : std::optional(std::move(done));
}

/// Whether an input failed while the run was asked to end, perhaps because of that.
bool Run::is_in_vain(const Finished& finished) const {
    const auto& rows = finished.rows;
    const bool has_failed =
        std::ranges::any_of(rows, [](const plan::Row& row) { return row.status == plan::Status::failed; });
    const bool was_cancelled =
        std::ranges::any_of(rows, [](const plan::Row& row) { return row.was_cancelled; });
    if (was_cancelled && !order_.is_stopped()) {
        // The other program may have got the signal first.
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return has_failed && order_.is_stopped();
}

/// The row of a BVH beside the pose that it was saved with.
Finished copy_skipped(const plan::Input& input, const std::string& pose) {
    plan::Row row{input.given()};
    row.status = plan::Status::skipped;
    row.error = input.given() + ": the pose beside it, " + pose +
                ", holds more, and is converted instead. To convert the BVH, name it alone.";
    row.is_lasting = false;
    return {{std::move(row)}};
}

/// The ledger's result for an input that need not be converted again.
std::optional<Finished> Run::kept_of(const plan::Input& input, const std::optional<Fingerprint>& state) {
    const bool resumes = request_.resume || request_.retry_failed;
    const auto known = resumes && state ? ledger_.row_of(input) : std::nullopt;
    return known ? kept(input, *known, *state, options_, request_) : std::nullopt;
}

Finished Run::finished(std::size_t index, const Staged* staged) {
    const plan::Input input = plan_.at(index);
    if (const auto pose = plan_.pose_beside(input)) {
        return copy_skipped(input, *pose);
    }
    const auto claim = [&](const std::string& output) { return outputs_.claim(output, index); };
    const auto in_turn = [&](const std::function<void(const Worker::Claim&)>& reserve) {
        order_.in_turn(index, [&] { reserve(claim); });
    };
    const auto state = input.fault.empty() ? fingerprint_of(input.path) : std::nullopt;
    if (staged == nullptr) {
        if (auto rows = kept_of(input, state)) {
            order_.in_turn(index, [&] { reserve_kept(*rows, claim); });
            return std::move(*rows);
        }
    }
    const bool is_killer = in_hand_.kills(input) >= most_kills;
    const InHand::Hold hold(in_hand_, input);
    Finished done = staged != nullptr ? placed(input, refined(*staged, request_), request_, out_, in_turn)
                    : is_killer       ? Finished{{killing_row(input.given())}}
                                      : worker_.convert(input, in_turn);
    store(input, done, state);
    return done;
}

void Run::store(const plan::Input& input, const Finished& finished, const std::optional<Fingerprint>& state) {
    auto row = state ? ledger_row_of(input, finished, *state, request_) : std::nullopt;
    if (!row || is_in_vain(finished)) {
        return;
    }
    row->options = options_;
    if (const auto stored = ledger_.append(*row); !stored) {
        const std::lock_guard guard(mutex_);
        ledger_problem_ = ledger_problem_.empty() ? stored.error().message() : ledger_problem_;
        order_.stop();
    }
}

void Run::tell(std::size_t index, const Finished& finished) {
    totals_.add(finished.rows);
    for (const plan::Row& row : finished.rows) {
        report_.add(row);
    }
    console_.rows(finished.rows, index + 1, plan_.size());
}

void Run::asked_to_end(const char* name, int exit_code, int count) {
    if (count > 1) {
        end_process_at_once(exit_code);
    }
    {
        const std::lock_guard guard(mutex_);
        signal_ = name;
        signal_exit_code_ = exit_code;
    }
    complain("Stopping after the files in hand. Press Ctrl-C again to stop at once.");
    order_.stop();
}

int Run::end(double seconds) {
    const bool is_stopped = !signal_.empty() && order_.told() < plan_.size();
    const Stop stop{signal_, signal_exit_code_, plan_.size() - order_.told()};
    const Stop* const why = is_stopped ? &stop : nullptr;
    const auto reported = report_.finish(totals_, seconds, why);
    console_.end(totals_, seconds, why);
    if (const auto stored = ledger_.store(); !stored && ledger_problem_.empty()) {
        ledger_problem_ = stored.error().message();
    }
    if (!reported) {
        complain("the report cannot be written: " + reported.error().message());
    }
    if (!ledger_problem_.empty()) {
        complain("the run stopped, because its ledger cannot be written: " + ledger_problem_ +
                 ". Make room, and go on with --resume");
    }
    if (!console_.problem().empty()) {
        complain("cannot write to standard output: " + console_.problem());
    }
    if (is_stopped) {
        return signal_exit_code_;
    }
    const bool is_all_skipped =
        totals_.skipped > 0 && totals_.outputs + totals_.current + totals_.failed == 0;
    const bool has_failed = totals_.failed + totals_.failing > 0 || is_all_skipped || !reported ||
                            !ledger_problem_.empty() || !console_.problem().empty();
    return has_failed ? 1 : 0;
}

void warn_of_unreadable(const Ledger& ledger) {
    if (ledger.unreadable() > 0) {
        complain(counted(ledger.unreadable(), "line") +
                 " of the ledger can't be read. Inputs without another line are converted again");
    }
}

/// The output folder, created if it is missing.
Result<Folder> output_folder(const plan::Request& request) {
    std::error_code ignored;
    const fs::path path = path_of(request.out);
    if (fs::exists(path, ignored) && !fs::is_directory(path, ignored)) {
        return fail(ErrorCode::invalid_argument, "--out " + request.out + " is a file; give a folder");
    }
    return Folder::open(request.out);
}

}  // namespace

Result<int> run(const plan::Request& request) {
    TRY(std::string options, options_digest(request));
    TRY(const Folder out, output_folder(request));
    TRY(const Folder own, out.folder(std::string(own_folder_name)));
    TRY(const Locks locks, locked(request, own));
    TRY(const plan::Plan plan, plan::planned(request));
    TRY(const auto ledger,
        Ledger::open(own, ledger_name(request.shard), request.resume || request.retry_failed));
    warn_of_unreadable(*ledger);
    const std::string work = "work" + request.shard.suffix() + "-";
    remove_old_work(own, work);
    const std::string in_hand = "in-hand-of-" + ledger_name(request.shard);
    return Run(request, plan, *ledger, std::move(options), out, own, work, in_hand).run();
}

}  // namespace animbridge::batch::run

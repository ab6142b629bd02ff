// SPDX-License-Identifier: MIT
#include "batch/run.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <exception>
#include <filesystem>
#include <new>
#include <thread>

#include "base/ending.h"
#include "base/file_error.h"
#include "base/file_lock.h"
#include "base/paths.h"
#include "batch/console.h"
#include "batch/ledger.h"
#include "batch/order.h"
#include "batch/plan_file.h"
#include "batch/report.h"
#include "batch/resume.h"

namespace animbridge::batch {

namespace fs = std::filesystem;

namespace {

/// So many inputs for each thread may be finished before an earlier one is.
constexpr std::size_t window_per_job = 64;
constexpr std::size_t least_window = 256;

/// Waits for its threads at the end of the scope. Not every system's library has std::jthread yet.
struct Threads {
    Threads() = default;
    ~Threads() {
        for (std::thread& thread : all) {
            thread.join();
        }
    }
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;
    Threads(Threads&&) = delete;
    Threads& operator=(Threads&&) = delete;

    std::vector<std::thread> all;
};

/// Whether Ctrl-C or a request to end may have ended a program that was started for the input.
bool was_ended_by_signal(const Finished& finished) {
    return std::any_of(finished.rows.begin(), finished.rows.end(), [](const Row& row) {
        return row.error.find(" signal " + std::to_string(SIGINT) + ".") != std::string::npos ||
               row.error.find(" signal " + std::to_string(SIGTERM) + ".") != std::string::npos;
    });
}

/// One run, after it is known that it may begin.
class Run {
public:
    Run(const Request& request, const Plan& plan, Ledger& ledger, std::string options);

    int run();

private:
    void work();
    std::optional<Finished> finished_safely(std::size_t index);
    Finished finished(std::size_t index);
    void store(const Input& input, const Finished& finished, const std::optional<Fingerprint>& state);
    void tell(std::size_t index, const Finished& finished);
    bool is_in_vain(const Finished& finished) const;
    void asked_to_end(const char* name, int exit_code, int count);
    int end(double seconds);

    const Request& request_;
    const Plan& plan_;
    Ledger& ledger_;
    std::string options_;
    Outputs outputs_;
    Worker worker_;
    Console console_;
    ReportFile report_;
    Order order_;
    Totals totals_;
    std::mutex mutex_;  ///< of what follows
    std::string signal_;
    int signal_exit_code_ = 0;
    std::string ledger_problem_;
};

/// The column of paths is as wide as the outputs' need, if each input has one.
std::size_t place_width(const Plan& plan, const Worker& worker) {
    std::size_t width = 0;
    for (std::size_t i = 0; i < plan.size() && width < widest_place; ++i) {
        width = std::max(width, worker.single_output(plan.at(i)).size());
    }
    return std::min(width, widest_place);
}

Run::Run(const Request& request, const Plan& plan, Ledger& ledger, std::string options)
    : request_(request),
      plan_(plan),
      ledger_(ledger),
      options_(std::move(options)),
      outputs_(plan, request),
      worker_(request),
      console_(request, place_width(plan, worker_)),
      report_(request.report),
      order_(plan.size(), std::max(least_window, window_per_job * request.jobs),
             [this](std::size_t index, const Finished& finished) { tell(index, finished); }) {}

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
    while (const auto index = order_.next()) {
        order_.finish(*index, finished_safely(*index));
    }
}

/// nullopt: the input failed while the run was asked to end, perhaps because of that.
std::optional<Finished> Run::finished_safely(std::size_t index) {
    Finished done;
    try {
        done = finished(index);
    } catch (const std::exception& problem) {
        Row row{plan_.at(index).path};
        const bool is_memory = dynamic_cast<const std::bad_alloc*>(&problem) != nullptr;
        row.error =
            row.input + (is_memory ? ": out of memory" : std::string(": internal error: ") + problem.what());
        row.is_lasting = false;
        row.may_work_later = is_memory;
        done.rows = {std::move(row)};
    }
    return is_in_vain(done) ? std::nullopt : std::optional(std::move(done));
}

/// Whether an input failed while the run was asked to end, perhaps because of that.
bool Run::is_in_vain(const Finished& finished) const {
    const bool has_failed = std::any_of(finished.rows.begin(), finished.rows.end(),
                                        [](const Row& row) { return row.status == Status::failed; });
    if (has_failed && was_ended_by_signal(finished) && !order_.is_stopped()) {
        // The other program may have been told first.
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return has_failed && order_.is_stopped();
}

Finished Run::finished(std::size_t index) {
    const Input input = plan_.at(index);
    const auto claim = [&](const std::string& output) { return outputs_.claim(output, index); };
    const auto state = input.fault.empty() ? fingerprint_of(input.path) : std::nullopt;
    const bool resumes = request_.resume || request_.retry_failed;
    const auto known = resumes && state ? ledger_.row_of(input) : std::nullopt;
    if (auto rows = known ? kept(input, *known, *state, options_, request_) : std::nullopt) {
        order_.in_turn(index, [&] { reserve_kept(*rows, claim); });
        return std::move(*rows);
    }
    Finished done = worker_.convert(input, [&](const std::function<void(const Worker::Claim&)>& reserve) {
        order_.in_turn(index, [&] { reserve(claim); });
    });
    store(input, done, state);
    return done;
}

void Run::store(const Input& input, const Finished& finished, const std::optional<Fingerprint>& state) {
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
    for (const Row& row : finished.rows) {
        report_.add(row);
        console_.row(row, index + 1, plan_.size());
    }
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
    const bool has_failed = totals_.failed > 0 || is_all_skipped || !reported || !ledger_problem_.empty() ||
                            !console_.problem().empty();
    return has_failed ? 1 : 0;
}

/// The locks of a run: of the whole folder, or of one shard in it.
struct Locks {
    std::optional<FileLock> folder{};
    std::optional<FileLock> shard{};
};

Result<FileLock> taken(const std::string& path, FileLock::Kind kind, const std::string& out) {
    TRY(auto lock, FileLock::take(path, kind, this_process()));
    if (lock) {
        if (!lock->is_held()) {
            complain(out + ": the file system has no locks. Make sure that no other run writes there");
        }
        return std::move(*lock);
    }
    const std::string owner = FileLock::owner_of(path);
    return io_error(out, "another run writes there: " + (owner.empty() ? "its owner is not known" : owner) +
                             ". Wait for it, or choose another folder");
}

Result<Locks> locked(const Request& request, const std::string& own_folder) {
    const bool is_whole = request.shard.count == 1;
    Locks locks;
    TRY(locks.folder, taken(joined_path(own_folder, "lock"),
                            is_whole ? FileLock::Kind::exclusive : FileLock::Kind::shared, request.out));
    if (!is_whole) {
        const std::string name =
            "lock-" + std::to_string(request.shard.number) + "-of-" + std::to_string(request.shard.count);
        TRY(locks.shard, taken(joined_path(own_folder, name), FileLock::Kind::exclusive, request.out));
    }
    return locks;
}

Result<std::string> made_own_folder(const Request& request) {
    std::error_code problem;
    if (fs::exists(path_of(request.out), problem) && !fs::is_directory(path_of(request.out), problem)) {
        return fail(ErrorCode::invalid_argument, "--out " + request.out + " is a file; give a folder");
    }
    std::string folder = joined_path(request.out, own_folder_name);
    fs::create_directories(path_of(folder), problem);
    if (problem && !fs::is_directory(path_of(folder))) {
        return io_error(folder, "cannot make the folder", problem.value());
    }
    return folder;
}

void warn_of_unreadable(const Ledger& ledger) {
    if (ledger.unreadable() > 0) {
        complain(counted(ledger.unreadable(), "line") +
                 " of the ledger can't be read. Inputs without another line are converted again");
    }
}

/// A part of another run, which has the folder's lock and its ledger.
Result<int> run_planned(const Request& request, std::string options) {
    TRY(const Plan plan, read_plan(request));
    TRY(const auto ledger, Ledger::open(request.ledger, false));
    return Run(request, plan, *ledger, std::move(options)).run();
}

}  // namespace

Result<int> run(const Request& request) {
    TRY(std::string options, options_digest(request));
    if (!request.planned.empty()) {
        return run_planned(request, std::move(options));
    }
    TRY(const std::string own_folder, made_own_folder(request));
    TRY(const Locks locks, locked(request, own_folder));
    TRY(const Plan plan, planned(request));
    TRY(const auto ledger, Ledger::open(joined_path(own_folder, ledger_name(request.shard)),
                                        request.resume || request.retry_failed));
    warn_of_unreadable(*ledger);
    if (!request.plan.empty()) {
        TRY(const std::size_t count, write_plan(request, plan, *ledger, options));
        if (!request.quiet) {
            complain(request.plan + " lists " + counted(count, "input") + " of " + grouped(plan.size()) +
                     ".");
        }
        return 0;
    }
    return Run(request, plan, *ledger, std::move(options)).run();
}

}  // namespace animbridge::batch

// SPDX-License-Identifier: MIT
#include "batch/ledger.h"

#include <cerrno>
#include <fstream>

#include "base/files/files.h"

namespace animbridge::batch {

namespace {

/// Longer rows are not ours.
constexpr std::size_t longest_line = std::size_t{64} << 20U;

/// The end of the last complete line.
Result<std::uint64_t> end_of_lines(const std::string& path) {
    std::uint64_t end = 0;
    TRY_VOID(
        for_each_line(path, [&](std::string_view line, std::uint64_t at) { end = at + line.size() + 1; }));
    return end;
}

}  // namespace

std::string ledger_name(Shard shard) {
    return shard.count == 1
               ? "ledger.jsonl"
               : "ledger-" + std::to_string(shard.number) + "-of-" + std::to_string(shard.count) + ".jsonl";
}

Result<void> for_each_line(const std::string& path,
                           const std::function<void(std::string_view line, std::uint64_t at)>& take) {
    std::ifstream file(path_of(path), std::ios::binary);
    if (!file) {
        return io_error(path, "cannot open", errno);
    }
    std::string line;
    for (std::uint64_t at = 0; std::getline(file, line) && !file.eof(); at += line.size() + 1) {
        if (line.size() > longest_line) {
            return io_error(path, "it is not a ledger: a line has more than 64 MiB");
        }
        take(line, at);
    }
    return file.bad() ? io_error(path, "cannot read", errno) : Result<void>();
}

std::optional<std::string> line_at(const std::string& path, std::uint64_t at) {
    std::ifstream file(path_of(path), std::ios::binary);
    std::string line;
    file.seekg(static_cast<std::streamoff>(at));
    return std::getline(file, line) ? std::optional(std::move(line)) : std::nullopt;
}

Result<std::unique_ptr<Ledger>> Ledger::open(const Folder& folder, const std::string& name, bool remembers) {
    TRY(AppendFile file, AppendFile::open(folder, name, AppendFile::Begin::with_what_is_there));
    const std::string path = folder.place_of(name);
    TRY(const std::uint64_t end, end_of_lines(path));
    TRY_VOID(file.cut_to(end));
    auto ledger = std::unique_ptr<Ledger>(new Ledger(path, std::move(file)));
    if (remembers) {
        TRY_VOID(for_each_line(path, [&](std::string_view line, std::uint64_t at) {
            if (const auto row = row_from_line(line); row) {
                ledger->places_[row->key()] = at;
            } else {
                ++ledger->unreadable_;
            }
        }));
    }
    return ledger;
}

std::optional<LedgerRow> Ledger::row_of(const Input& input) const {
    const auto place = places_.find(ledger_key(input.relative(), input.before));
    if (place == places_.end()) {
        return std::nullopt;
    }
    const auto line = line_at(path_, place->second);
    const auto row = line ? row_from_line(*line) : Result<LedgerRow>(fail(ErrorCode::io, "gone"));
    return row ? std::optional(*row) : std::nullopt;
}

Result<void> Ledger::append(const LedgerRow& row) {
    const std::string line = line_of(row);
    const std::lock_guard guard(mutex_);
    return file_.append(line);
}

Result<void> Ledger::store() {
    const std::lock_guard guard(mutex_);
    return file_.store();
}

}  // namespace animbridge::batch

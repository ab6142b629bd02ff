// SPDX-License-Identifier: MIT
#include "batch/report.h"

#include <filesystem>

#include "base/file_error.h"
#include "base/paths.h"

namespace animbridge::batch {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t buffer_bytes = std::size_t{64} << 10U;

}  // namespace

ReportFile::ReportFile(std::string path) : path_(std::move(path)), partial_(path_ + ".partial") {
    if (path_.empty()) {
        return;
    }
    std::error_code ignored;
    if (const fs::path folder = path_of(path_).parent_path(); !folder.empty()) {
        fs::create_directories(folder, ignored);
    }
    auto opened = AppendFile::open(partial_, AppendFile::Begin::empty);
    if (opened) {
        file_ = std::move(*opened);
        buffer_ = "{\"rows\": [";
    } else {
        state_ = fail(std::move(opened.error()));
    }
}

void ReportFile::write(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= buffer_bytes && state_) {
        state_ = file_->append(buffer_);
        buffer_.clear();
    }
}

void ReportFile::add(const Row& row) {
    if (file_ && state_) {
        write((has_rows_ ? ",\n " : "\n ") + json_of(row).dump());
        has_rows_ = true;
    }
}

Result<void> ReportFile::finish(const Totals& totals, double seconds, const Stop* stop) {
    if (path_.empty() || !state_) {
        return state_;
    }
    buffer_ += std::string(has_rows_ ? "\n" : "") + "],\n\"totals\": " + json_of(totals, seconds).dump();
    if (stop != nullptr) {
        buffer_ +=
            ",\n\"stopped\": " + Json({{"signal", stop->signal}, {"inputs_left", stop->inputs_left}}).dump();
    }
    buffer_ += "}\n";
    TRY_VOID(file_->append(buffer_));
    file_.reset();
    std::error_code problem;
    fs::rename(path_of(partial_), path_of(path_), problem);
    return problem ? Result<void>(io_error(path_, "cannot put the report in place", problem.value()))
                   : Result<void>();
}

}  // namespace animbridge::batch

// SPDX-License-Identifier: MIT
#include "batch/report.h"

namespace animbridge::batch {

namespace {

constexpr std::size_t buffer_bytes = std::size_t{64} << 10U;

}  // namespace

ReportFile::ReportFile(const std::string& path) {
    if (path.empty()) {
        return;
    }
    auto opened = PartialFile::open(path);
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
    if (!file_ || !state_) {
        return state_;
    }
    buffer_ += std::string(has_rows_ ? "\n" : "") + "],\n\"totals\": " + json_of(totals, seconds).dump();
    if (stop != nullptr) {
        buffer_ +=
            ",\n\"stopped\": " + Json({{"signal", stop->signal}, {"inputs_left", stop->inputs_left}}).dump();
    }
    buffer_ += "}\n";
    TRY_VOID(file_->append(buffer_));
    return file_->finish();
}

}  // namespace animbridge::batch

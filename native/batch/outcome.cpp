// SPDX-License-Identifier: MIT
#include "batch/outcome.h"

#include <filesystem>

#include "base/paths.h"

namespace animbridge::batch {

namespace fs = std::filesystem;

void fail_row(Row& row, const Error& error) {
    row.error = error.message();
    row.may_work_later = error.code == ErrorCode::io || error.code == ErrorCode::out_of_memory;
    row.is_lasting = !row.may_work_later;
}

std::uint64_t size_of(const std::string& path) {
    std::error_code problem;
    const auto size = fs::file_size(path_of(path), problem);
    return problem ? 0 : size;
}

void leave_output(Row& row) {
    row.status = Status::current;
    row.bytes_out = size_of(row.output);
    row.is_lasting = false;
}

bool is_newer(const std::string& output, const std::string& input) {
    std::error_code problem;
    const auto written = fs::last_write_time(path_of(output), problem);
    const auto read = problem ? fs::file_time_type() : fs::last_write_time(path_of(input), problem);
    return !problem && written > read;
}

}  // namespace animbridge::batch

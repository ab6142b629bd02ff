// SPDX-License-Identifier: MIT
#include "batch/outputs.h"

#include <filesystem>

#include "base/file.h"
#include "base/file_error.h"
#include "base/paths.h"

namespace animbridge::batch {

namespace fs = std::filesystem;

namespace {

std::string folder_of(const std::string& path) { return text_of_path(path_of(path).parent_path()); }

tl::unexpected<Error> refused(const std::string& source, const std::string& reason) {
    return fail(ErrorCode::invalid_argument, source + " " + reason + ".");
}

}  // namespace

Outputs::Outputs(const Plan& plan, const Request& request)
    : plan_(plan),
      out_(request.out),
      root_(real_path(request.out)),
      report_(request.report.empty() ? "" : real_path(request.report)) {}

std::string Outputs::real_place(const std::string& output) {
    std::error_code ignored;
    if (fs::is_symlink(path_of(output), ignored)) {
        return real_path(output);
    }
    const std::string folder = folder_of(output);
    if (last_.path != folder || last_.real.empty()) {
        last_ = {folder, real_path(folder.empty() ? "." : folder)};
    }
    return joined_path(last_.real, name_in_path(output));
}

std::string Outputs::owner_of(const std::string& place, const std::string& folder) const {
    if (place == report_) {
        return "the report";
    }
    if (const auto same = owners_.find(key_of(place)); same != owners_.end()) {
        return plan_.at(same->second).given();
    }
    const auto alike = alike_owners_.find(key_of(in_lower_case(place)));
    return alike != alike_owners_.end() && ignores_case(folder) ? plan_.at(alike->second).given() : "";
}

Result<void> Outputs::make_folder(const std::string& folder) {
    if (folder == made_ || folder.empty()) {
        return {};
    }
    std::error_code problem;
    fs::create_directories(path_of(folder), problem);
    if (problem && !fs::is_directory(path_of(folder), problem)) {
        return io_error(folder, "cannot make the folder", problem.value());
    }
    made_ = folder;
    return {};
}

Result<void> Outputs::claim(const std::string& output, std::size_t input) {
    const std::string place = real_place(output);
    const std::string source = plan_.at(input).path;
    if (!is_in_folder(place, root_) || place == root_) {
        return refused(source, "would be written to " + place + ", which is not in the folder " + out_ +
                                   ". Nothing is written outside the output folder");
    }
    const std::string folder = folder_of(output);
    if (const std::string owner = owner_of(place, folder); !owner.empty()) {
        return refused(source, "would be written to " + output + ", which already belongs to " + owner +
                                   ". Convert it into another folder");
    }
    if (plan_.has_file(key_of(place))) {
        return refused(source, "would be written to " + output +
                                   ", which is an input. Choose another folder for the outputs");
    }
    std::error_code ignored;
    const bool exists = fs::exists(fs::symlink_status(path_of(output), ignored));
    if (const std::string type = exists ? file_type_of(place) : ""; !type.empty()) {
        return refused(source, "would be written to " + output + ", but that is " + type +
                                   ". Remove it, or choose another folder for the outputs");
    }
    TRY_VOID(make_folder(folder));
    owners_.emplace(key_of(place), input);
    alike_owners_.emplace(key_of(in_lower_case(place)), input);
    return {};
}

bool ignores_case(const std::string& folder) {
    const std::string small = joined_path(folder, ".animbridge.case.tmp");
    std::error_code problem;
    if (!write_file(small, {})) {
        return false;
    }
    const bool is_found = fs::exists(path_of(joined_path(folder, ".ANIMBRIDGE.CASE.TMP")), problem);
    fs::remove(path_of(small), problem);
    return is_found;
}

}  // namespace animbridge::batch

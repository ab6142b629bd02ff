// SPDX-License-Identifier: MIT
#include "batch/outputs.h"

#include <filesystem>

#include "base/base.h"
#include "base/files/files.h"

namespace animbridge::batch {

namespace fs = std::filesystem;

namespace {

std::string folder_of(const std::string& path) { return text_of_path(path_of(path).parent_path()); }

tl::unexpected<Error> refused(const std::string& source, const std::string& reason) {
    return fail(ErrorCode::invalid_argument, source + " " + reason + ".");
}

}  // namespace

Outputs::Outputs(const Plan& plan, const Request& request, const Folder& out)
    : plan_(plan),
      out_(out),
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

std::string Outputs::owner_of(const std::string& place, const std::string& below) const {
    if (place == report_) {
        return "the report";
    }
    if (const auto same = owners_.find(key_of(place)); same != owners_.end()) {
        return plan_.at(same->second).given();
    }
    const auto alike = alike_owners_.find(key_of(in_lower_case(place)));
    if (alike == alike_owners_.end()) {
        return "";
    }
    const auto folder = out_.folder(folder_of(below));
    return folder && ignores_case(*folder) ? plan_.at(alike->second).given() : "";
}

Result<std::string> Outputs::claim(const std::string& output, std::size_t input) {
    const std::string place = real_place(output);
    const std::string source = plan_.at(input).path;
    if (!is_in_folder(place, root_) || place == root_) {
        return refused(source, "would be written to " + place + ", which is not in the folder " +
                                   out_.place_of("") + ". Nothing is written outside the output folder");
    }
    std::string below = place.substr(joined_path(root_, "x").size() - 1);
    if (const std::string owner = owner_of(place, below); !owner.empty()) {
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
    TRY_VOID(out_.folder(folder_of(below)));
    owners_.emplace(key_of(place), input);
    alike_owners_.emplace(key_of(in_lower_case(place)), input);
    return below;
}

bool ignores_case(const Folder& folder) {
    const std::string small = ".animbridge.case.tmp";
    if (!folder.write(small, {})) {
        return false;
    }
    const bool is_found = folder.has(".ANIMBRIDGE.CASE.TMP");
    folder.remove(small);
    return is_found;
}

}  // namespace animbridge::batch

// SPDX-License-Identifier: MIT
#include "batch/plan/plan.h"

#include <algorithm>
#include <filesystem>

#include "formats/registry.h"

namespace animbridge::batch::plan {

namespace {

std::string mark_of(const std::string& animation) { return animation.empty() ? "" : "#" + animation; }

}  // namespace

std::string Input::given() const { return path + mark_of(animation); }

std::string Input::relative() const {
    return with_slashes(joined_path(folder, name_in_path(path))) + mark_of(animation);
}

bool Input::is_blend() const { return in_lower_case(std::string(suffix_of(name_in_path(path)))) == ".blend"; }

std::uint32_t shard_of(std::string_view relative, std::uint32_t count) {
    // Without the extension: inputs that would give the same output are in the same shard.
    const std::size_t name = relative.rfind('/') + 1;
    const std::string_view stem = stem_of(relative.substr(name));
    const Sha256 digest = sha256(view_of(relative.substr(0, name + stem.size())));
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < sizeof hash; ++i) {
        hash = hash << 8U | digest.at(i);
    }
    return static_cast<std::uint32_t>(hash % count) + 1;
}

bool Plan::is_in_shard(std::string_view relative) const {
    return shard_.count == 1 || shard_of(relative, shard_.count) == shard_.number;
}

void Plan::add(Input input) {
    const std::string relative = input.relative();
    if (!is_in_shard(relative)) {
        return;
    }
    if (input.fault.empty()) {
        input.before = places_[key_of(relative)]++;
    }
    const std::size_t index = entries_.size();
    const std::size_t name = name_begin(input.path);
    Folder folder{input.path.substr(0, name), std::move(input.folder)};
    if (folders_.empty() || folders_.back().path != folder.path || folders_.back().output != folder.output) {
        folders_.push_back(std::move(folder));
    }
    entries_.push_back({names_.size(), static_cast<std::uint32_t>(folders_.size() - 1)});
    names_.append(input.path, name);
    if (!input.fault.empty()) {
        faults_.emplace(index, std::move(input.fault));
    }
    if (input.before != 0) {
        repeated_.emplace(index, input.before);
    }
    if (!input.animation.empty()) {
        animations_.emplace(index, std::move(input.animation));
    }
}

Input Plan::at(std::size_t index) const {
    const Entry& entry = entries_.at(index);
    const std::uint64_t end = index + 1 < entries_.size() ? entries_[index + 1].name : names_.size();
    const auto fault = faults_.find(index);
    const auto repeated = repeated_.find(index);
    const auto animation = animations_.find(index);
    const Folder& folder = folders_[entry.folder];
    return {folder.path + names_.substr(entry.name, end - entry.name), folder.output,
            fault == faults_.end() ? "" : fault->second, repeated == repeated_.end() ? 0 : repeated->second,
            animation == animations_.end() ? "" : animation->second};
}

std::optional<std::string> Plan::pose_beside(const Input& input) const {
    const Format& poses = *find_format("sl_pose");
    const Format& copies = *find_format("bvh");
    const std::string suffix = in_lower_case(std::string(suffix_of(input.path)));
    if (!has_extension(copies, suffix)) {
        return std::nullopt;
    }
    std::string beside =
        input.path.substr(0, input.path.size() - suffix.size()) + std::string(poses.file.extensions.front());
    if (!has_file(key_of(real_path(beside)))) {
        return std::nullopt;
    }
    const auto bytes = read_file(beside);
    return bytes && poses.file.sniff(*bytes) ? std::optional(std::move(beside)) : std::nullopt;
}

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

Destination::Destination(const Request& request, const std::string& base)
    : ending_("." + request.target),
      out_(request.out.empty() ? "" : real_path(request.out)),
      report_(request.report.empty() ? "" : real_path(request.report)) {
    const std::string searched = real_path(base.empty() ? "." : base);
    is_same_ = searched == out_;
    is_below_ = !is_same_ && !out_.empty() && is_in_folder(out_, searched);
}

bool Destination::holds(const std::string& real, const std::string& name) const {
    if (!report_.empty() && real == report_) {
        return true;
    }
    return is_same_ ? in_lower_case(std::string(suffix_of(name))) == ending_
                    : is_below_ && is_in_folder(real, out_);
}

bool Destination::holds_folder(const std::string& real) const {
    return is_below_ && is_in_folder(real, out_);
}

std::string free_stem(const std::string& words, const std::string& ending, TakenStems& taken) {
    std::string stem = file_stem(words, ending);
    if (taken.names.insert(in_lower_case(stem)).second) {
        return stem;
    }
    std::size_t& number = taken.numbers.try_emplace(in_lower_case(stem), 1).first->second;
    do {
        const std::string suffix = "_" + std::to_string(++number);
        stem = file_stem(words, suffix + ending).append(suffix);
    } while (!taken.names.insert(in_lower_case(stem)).second);
    return stem;
}

}  // namespace animbridge::batch::plan

// SPDX-License-Identifier: MIT
#include "batch/plan.h"

#include <algorithm>

#include "base/base.h"
#include "base/files/files.h"

namespace animbridge::batch {

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

}  // namespace animbridge::batch

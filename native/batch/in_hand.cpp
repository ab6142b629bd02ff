// SPDX-License-Identifier: MIT
#include "batch/in_hand.h"

#include <limits>

#include "base/files/files.h"
#include "base/json/json.h"
#include "batch/ledger.h"

namespace animbridge::batch {

namespace {

constexpr std::int64_t largest_count = std::numeric_limits<std::uint32_t>::max();

/// The largest size of the file; only its last line matters.
constexpr std::size_t most_bytes = std::size_t{1} << 20U;

}  // namespace

InHand::InHand(const Folder& folder, std::string name, bool remembers)
    : folder_(folder),
      name_(std::move(name)),
      file_(AppendFile::open(folder_, name_, AppendFile::Begin::with_what_is_there)) {
    if (!remembers) {
        return;
    }
    std::string last;
    // A file that cannot be read is ignored.
    (void)for_each_line(folder_.place_of(name_), [&](std::string_view line, std::uint64_t) { last = line; });
    const auto json = parse_json(last);
    if (!json || !json->is_array()) {
        return;
    }
    for (const Json& row : *json) {
        if (!row.is_object()) {
            continue;
        }
        const auto path = text_from_json(row.value("path", Json()), "path");
        const auto before = integer_from_json(row.value("before", Json()), 0, largest_count, "before");
        const auto kills = integer_from_json(row.value("kills", Json()), 1, largest_count, "kills");
        if (path && before && kills) {
            kills_[{*path, static_cast<std::uint32_t>(*before)}] = static_cast<std::uint32_t>(*kills);
        }
    }
}

InHand::~InHand() {
    file_ = fail(ErrorCode::io, "");  // closed: not every system removes an open file
    folder_.remove(name_);
}

std::uint32_t InHand::kills(const Input& input) {
    const std::lock_guard guard(mutex_);
    const auto known = kills_.find({input.relative(), input.before});
    return known == kills_.end() ? 0 : known->second;
}

void InHand::begin(const Key& key) {
    const std::lock_guard guard(mutex_);
    ++kills_[key];
    Json all = Json::array();
    for (const auto& [each, kills] : kills_) {
        all.push_back({{"path", json_text(each.first)}, {"before", each.second}, {"kills", kills}});
    }
    const std::string line = all.dump() + "\n";
    // Cutting the file each time would take a fifth of a millisecond.
    if (file_ && size_ > most_bytes && file_->cut_to(0)) {
        size_ = 0;
    }
    if (file_ && file_->append(line)) {
        size_ += line.size();
    }
}

void InHand::finish(const Key& key) {
    const std::lock_guard guard(mutex_);
    kills_.erase(key);
}

}  // namespace animbridge::batch

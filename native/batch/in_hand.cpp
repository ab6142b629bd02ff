// SPDX-License-Identifier: MIT
#include "batch/in_hand.h"

#include <filesystem>
#include <limits>

#include "base/file.h"
#include "base/json.h"
#include "base/paths.h"
#include "batch/ledger.h"

namespace animbridge::batch {

namespace {

constexpr std::int64_t largest_count = std::numeric_limits<std::uint32_t>::max();

}  // namespace

InHand::InHand(std::string path, bool remembers)
    : path_(std::move(path)), file_(AppendFile::open(path_, AppendFile::Begin::with_what_is_there)) {
    if (!remembers) {
        return;
    }
    // A file that cannot be read says nothing.
    (void)for_each_line(path_, [&](std::string_view line, std::uint64_t) {
        const auto json = parse_json(line);
        if (!json || !json->is_object() || json->size() != 3) {
            return;
        }
        const auto path = text_from_json(json->value("path", Json()), "path");
        const auto before = integer_from_json(json->value("before", Json()), 0, largest_count, "before");
        const auto kills = integer_from_json(json->value("kills", Json()), 1, largest_count, "kills");
        if (path && before && kills) {
            kills_[{*path, static_cast<std::uint32_t>(*before)}] = static_cast<std::uint32_t>(*kills);
        }
    });
}

InHand::~InHand() {
    file_ = fail(ErrorCode::io, "");  // closed: not every system removes an open file
    std::error_code ignored;
    std::filesystem::remove(path_of(path_), ignored);
}

std::uint32_t InHand::kills(const Input& input) {
    const std::lock_guard guard(mutex_);
    const auto known = kills_.find({input.relative(), input.before});
    return known == kills_.end() ? 0 : known->second;
}

void InHand::begin(const Key& key) {
    const std::lock_guard guard(mutex_);
    ++kills_[key];
    std::string text;
    for (const auto& [each, kills] : kills_) {
        const Json row = {{"path", json_text(each.first)}, {"before", each.second}, {"kills", kills}};
        text += row.dump() + "\n";
    }
    if (file_ && file_->cut_to(0)) {
        (void)file_->append(text);
    }
}

void InHand::finish(const Key& key) {
    const std::lock_guard guard(mutex_);
    kills_.erase(key);
}

}  // namespace animbridge::batch

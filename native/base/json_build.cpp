// SPDX-License-Identifier: MIT
// Arrays and objects from braced lists, and members that replace others.
#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "base/json_value.h"

namespace animbridge {

namespace {

/// Up to this many members, every pair is compared, which needs no memory.
constexpr std::size_t few_members = 8;

}  // namespace

Json Json::array(std::initializer_list<JsonItem> items) {
    Json made(Kind::array);
    made.reserve(items.size());
    for (const JsonItem& item : items) {
        made.push_back(item.taken());
    }
    return made;
}

Json Json::object(std::initializer_list<JsonItem> members) {
    return members.size() == 0 ? Json(Kind::object) : Json(members);
}

Json::Json(std::initializer_list<JsonItem> items) {
    const bool pairs = std::all_of(items.begin(), items.end(), [](const JsonItem& item) {
        return item.json().is_array() && item.json().size() == 2 && item.json()[0].is_string();
    });
    if (!pairs) {
        *this = array(items);
        return;
    }
    kind_ = Kind::object;
    reserve(items.size());
    for (const JsonItem& item : items) {
        Json pair = item.taken();
        append_member(std::move(pair[0]), std::move(pair[1]));
    }
}

Json& Json::find_or_add(std::string_view key) {
    if (Json* const slot = find_slot(key)) {
        return slot[1];
    }
    append_member(key, nullptr);
    return slots()[stored_size() * 2 - 1];
}

void Json::update(const Json& other) {
    if (!other.is_object()) {
        other.refuse("an object");
    }
    for (const_iterator at = other.begin(); at != other.end(); ++at) {
        (*this)[at.key()] = *at;
    }
}

/// Gives the early member the late one's value. merge_duplicates then removes the late member, which has no
/// key.
void Json::keep_last(std::size_t early, std::size_t late) noexcept {
    slots()[early * 2 + 1] = std::move(slots()[late * 2 + 1]);
    slots()[late * 2] = nullptr;
}

/// Compares every pair.
bool Json::merge_few(std::size_t& compared) {
    bool merged = false;
    for (std::size_t late = 1; late < stored_size(); ++late) {
        for (std::size_t early = 0; early < late; ++early) {
            const Json& key = slots()[early * 2];
            ++compared;
            if (!key.is_null() && key.text() == slots()[late * 2].text()) {
                keep_last(early, late);
                merged = true;
                break;
            }
        }
    }
    return merged;
}

bool Json::merge_many(std::size_t& compared) {
    const auto key = [&](std::size_t member) { return slots()[member * 2].text(); };
    std::vector<std::size_t> order(stored_size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        ++compared;
        const int order_of_keys = key(a).compare(key(b));
        return order_of_keys != 0 ? order_of_keys < 0 : a < b;
    });
    bool merged = false;
    std::size_t early = 0;
    for (std::size_t i = 1; i < order.size(); ++i) {
        if (key(order[early]) == key(order[i])) {
            keep_last(order[early], order[i]);
            merged = true;
        } else {
            early = i;
        }
    }
    return merged;
}

std::size_t Json::merge_duplicates() {
    std::size_t compared = 0;
    if (!is_object() || !(stored_size() <= few_members ? merge_few(compared) : merge_many(compared))) {
        return compared;
    }
    const std::size_t count = stored_size();
    Json* const first = slots();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (!first[i * 2].is_null()) {
            first[kept * 2].swap(first[i * 2]);
            first[kept * 2 + 1].swap(first[i * 2 + 1]);
            ++kept;
        }
    }
    std::destroy_n(first + kept * 2, (count - kept) * 2);
    store_size(kept);
    return compared;
}

void Json::erase(std::string_view key) {
    if (Json* const slot = find_slot(key)) {
        Json* const last = slots() + stored_size() * 2;
        std::move(slot + 2, last, slot);
        std::destroy_n(last - 2, 2);
        store_size(stored_size() - 1);
    }
}

}  // namespace animbridge

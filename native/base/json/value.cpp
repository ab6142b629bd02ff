// SPDX-License-Identifier: MIT
#include "base/json/json.h"

#include <algorithm>
#include <memory>
#include <new>
#include <numeric>
#include <stdexcept>

// How a value is stored: inside its 16 bytes, or in a block on the heap.
namespace animbridge {

namespace {

/// A block starts with the number of its slots.
constexpr std::size_t head_bytes = sizeof(std::size_t);
static_assert(head_bytes % alignof(Json) == 0);

}  // namespace

Json::Json(const Json& other) : short_size_(other.short_size_) {
    if (other.is_structured()) {
        Json copy(other.kind_);  // its destructor cleans up if memory runs out half-way
        copy.reserve(other.size());
        const Json* const end = other.slots() + other.size() * other.slots_each();
        for (const Json* slot = other.slots(); slot != end; slot += other.slots_each()) {
            if (other.is_object()) {
                copy.append_member(slot[0], slot[1]);
            } else {
                copy.push_back(*slot);
            }
        }
        take(copy);
    } else if (other.kind_ == Kind::long_text) {
        set_text(other.text());
    } else {
        raw_ = other.raw_;
        kind_ = other.kind_;
    }
}

void Json::swap(Json& other) noexcept {
    std::swap(raw_, other.raw_);
    std::swap(short_size_, other.short_size_);
    std::swap(kind_, other.kind_);
}

void Json::set_text(std::string_view text) {
    if (text.size() <= short_room) {
        std::ranges::copy(text, raw_.begin());
        short_size_ = static_cast<std::uint8_t>(text.size());
        kind_ = Kind::short_text;
        return;
    }
    auto* const block = static_cast<char*>(::operator new(text.size()));
    std::ranges::copy(text, block);
    store(0, block);
    store_size(text.size());
    kind_ = Kind::long_text;
}

void Json::free_block() noexcept {
    if (kind_ == Kind::long_text) {
        ::operator delete(load<char*>(0));
    } else if (Json* const first = slots()) {
        std::destroy_n(first, stored_size() * slots_each());
        ::operator delete(reinterpret_cast<char*>(first) - head_bytes);
    }
}

std::size_t Json::slot_room() const noexcept {
    std::size_t room = 0;
    if (const Json* const first = slots()) {
        std::memcpy(&room, reinterpret_cast<const char*>(first) - head_bytes, sizeof(room));
    }
    return room;
}

void Json::make_room(std::size_t slot_count) {
    if (slot_count <= slot_room()) {
        return;
    }
    if (slot_count > (SIZE_MAX - head_bytes) / sizeof(Json)) {
        throw std::bad_alloc();
    }
    auto* const block = static_cast<char*>(::operator new(head_bytes + slot_count * sizeof(Json)));
    std::memcpy(block, &slot_count, sizeof(slot_count));
    auto* const made = reinterpret_cast<Json*>(block + head_bytes);
    if (Json* const old = slots()) {
        std::uninitialized_move_n(old, stored_size() * slots_each(), made);
        ::operator delete(reinterpret_cast<char*>(old) - head_bytes);  // its moved-from values own nothing
    }
    store(0, made);
}

void Json::reserve(std::size_t count) {
    if (!is_structured()) {
        refuse("an array or an object");
    }
    make_room(count * slots_each());
}

/// Makes room for one more value or member.
void Json::grow() {
    const std::size_t used = stored_size() * slots_each();
    if (used + slots_each() > slot_room()) {
        make_room(std::max<std::size_t>(used * 2, 4));
    }
}

void Json::push_back(Json value) {
    if (is_null()) {
        kind_ = Kind::array;
        store(0, static_cast<Json*>(nullptr));
        store_size(0);
    }
    if (!is_array()) {
        refuse("an array");
    }
    grow();
    const std::size_t count = stored_size();
    new (slots() + count) Json(std::move(value));
    store_size(count + 1);
}

void Json::append_member(Json key, Json value) {
    if (is_null()) {
        *this = object();
    }
    if (!is_object() || !key.is_string()) {
        refuse("an object and a text");
    }
    grow();
    const std::size_t count = stored_size();
    Json* const slot = slots() + count * 2;
    new (slot) Json(std::move(key));
    new (slot + 1) Json(std::move(value));
    store_size(count + 1);
}

// Arrays and objects from braced lists, and members that replace others.

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
    const bool pairs = std::ranges::all_of(items, [](const JsonItem& item) {
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
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
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

// What a value is, what it holds, and whether two are equal.

const char* Json::type_name() const noexcept {
    switch (kind_) {
        case Kind::null:
            return "null";
        case Kind::boolean:
            return "boolean";
        case Kind::short_text:
        case Kind::long_text:
            return "string";
        case Kind::array:
            return "array";
        case Kind::object:
            return "object";
        default:
            return "number";
    }
}

std::size_t Json::size() const noexcept { return is_structured() ? stored_size() : is_null() ? 0 : 1; }

Json& Json::element(std::size_t index) const {
    if (!is_array() || index >= stored_size()) {
        refuse("an array with this element");
    }
    return slots()[index];
}

Json* Json::find_slot(std::string_view key) const {
    const std::size_t count = is_object() ? stored_size() : 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (slots()[i * 2].text() == key) {
            return slots() + i * 2;
        }
    }
    return nullptr;
}

Json::const_iterator Json::find(std::string_view key) const {
    const Json* const slot = find_slot(key);
    return slot == nullptr ? end() : const_iterator(slot, slots_each());
}

Json& Json::member(std::string_view key) const {
    Json* const slot = find_slot(key);
    if (slot == nullptr) {
        refuse("an object with this member");
    }
    return slot[1];
}

bool Json::contains(std::string_view key) const { return find_slot(key) != nullptr; }

Json Json::value(std::string_view key, const Json& otherwise) const {
    if (!is_object()) {
        refuse("an object");
    }
    const Json* const slot = find_slot(key);
    return slot == nullptr ? otherwise : slot[1];
}

Json::iterator Json::begin() noexcept { return {is_structured() ? slots() : nullptr, slots_each()}; }
Json::iterator Json::end() noexcept {
    return {is_structured() ? slots() + stored_size() * slots_each() : nullptr, slots_each()};
}
Json::const_iterator Json::begin() const noexcept {
    return {is_structured() ? slots() : nullptr, slots_each()};
}
Json::const_iterator Json::end() const noexcept {
    return {is_structured() ? slots() + stored_size() * slots_each() : nullptr, slots_each()};
}
JsonMembers<const Json> Json::items() const noexcept {
    return is_object() ? JsonMembers<const Json>(begin(), end()) : JsonMembers<const Json>({}, {});
}
JsonMembers<Json> Json::items() noexcept {
    return is_object() ? JsonMembers<Json>(begin(), end()) : JsonMembers<Json>({}, {});
}

std::string_view Json::text() const {
    if (kind_ == Kind::short_text) {
        return {raw_.data(), short_size_};
    }
    return kind_ == Kind::long_text ? std::string_view(load<const char*>(0), stored_size())
                                    : (refuse("a string"), std::string_view());
}

void Json::refuse(const char* wanted) const {
    throw std::logic_error(std::string("JSON: found ") + type_name() + ", wanted is " + wanted);
}

bool Json::equals(const Json& other) const {
    if (is_number() && other.is_number()) {
        if (is_number_float() || other.is_number_float()) {
            return number<double>() == other.number<double>();
        }
        // A negative integer and a natural number can have the same bits.
        const bool below = kind_ == Kind::integer && load<std::int64_t>(0) < 0;
        const bool other_below = other.kind_ == Kind::integer && other.load<std::int64_t>(0) < 0;
        return below == other_below && load<std::uint64_t>(0) == other.load<std::uint64_t>(0);
    }
    if (is_string() && other.is_string()) {
        return text() == other.text();
    }
    if (kind_ != other.kind_) {
        return false;
    }
    if (is_structured()) {
        const std::size_t count = stored_size() * slots_each();
        return stored_size() == other.stored_size() && std::equal(slots(), slots() + count, other.slots());
    }
    return is_null() || load<bool>(0) == other.load<bool>(0);
}

}  // namespace animbridge

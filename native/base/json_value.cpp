// SPDX-License-Identifier: MIT
// How a value is stored: inside its 16 bytes, or in a block on the heap.
#include "base/json_value.h"

#include <algorithm>
#include <memory>
#include <new>

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
        std::copy(text.begin(), text.end(), raw_.begin());
        short_size_ = static_cast<std::uint8_t>(text.size());
        kind_ = Kind::short_text;
        return;
    }
    auto* const block = static_cast<char*>(::operator new(text.size()));
    std::copy(text.begin(), text.end(), block);
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

}  // namespace animbridge

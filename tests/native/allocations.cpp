// SPDX-License-Identifier: MIT
#include "allocations.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <pugixml.hpp>

namespace {

struct State {
    bool counting = false;
    bool goes_on_failing = false;
    std::size_t failing = 0;
    std::size_t count = 0;
    std::ptrdiff_t live = 0;
    std::ptrdiff_t bytes = 0;
    std::ptrdiff_t peak = 0;
};

thread_local State state;

/// The size of an allocation, which no standard function returns.
std::size_t size_of(void* memory) {
#ifdef _WIN32
    return _msize(memory);
#else
    return malloc_usable_size(memory);
#endif
}

void* allocate(std::size_t size) noexcept {
    if (state.counting) {
        const std::size_t number = state.count++;
        if (number == state.failing || (state.goes_on_failing && number > state.failing)) {
            return nullptr;
        }
    }
    void* const memory = std::malloc(size > 0 ? size : 1);
    if (state.counting && memory != nullptr) {
        ++state.live;
        state.bytes += static_cast<std::ptrdiff_t>(size_of(memory));
        state.peak = std::max(state.peak, state.bytes);
    }
    return memory;
}

void give_back(void* memory) noexcept {
    if (state.counting && memory != nullptr) {
        --state.live;
        state.bytes -= static_cast<std::ptrdiff_t>(size_of(memory));
    }
    std::free(memory);
}

void* allocate_or_throw(std::size_t size) {
    if (void* const memory = allocate(size)) {
        return memory;
    }
    throw std::bad_alloc();
}

// pugixml allocates with malloc.
const bool pugixml_is_counted = [] {
    pugi::set_memory_management_functions(&allocate, &give_back);
    return true;
}();

}  // namespace

void* operator new(std::size_t size) { return allocate_or_throw(size); }
void* operator new[](std::size_t size) { return allocate_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t& /*tag*/) noexcept { return allocate(size); }
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete[](void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t /*size*/) noexcept { give_back(memory); }
void operator delete(void* memory, const std::nothrow_t& /*tag*/) noexcept { give_back(memory); }
void operator delete[](void* memory, const std::nothrow_t& /*tag*/) noexcept { give_back(memory); }

namespace animbridge::test {

Allocations::Allocations(std::size_t failing, Then then) {
    state = State{};
    state.failing = failing;
    state.goes_on_failing = then == Then::fails;
    state.counting = true;
}
Allocations::~Allocations() { state.counting = false; }
std::size_t Allocations::count() { return state.count; }
std::ptrdiff_t Allocations::live() { return state.live; }
std::size_t Allocations::peak_bytes() {
    return static_cast<std::size_t>(std::max(state.peak, std::ptrdiff_t{0}));
}

}  // namespace animbridge::test

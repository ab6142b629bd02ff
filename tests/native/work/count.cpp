// SPDX-License-Identifier: MIT
#include "work/count.h"

#include <cstring>

namespace {

std::uint64_t work = 0;

}  // namespace

namespace animbridge::test {

std::uint64_t work_so_far() { return work; }

}  // namespace animbridge::test

// The compiler and the linker require these names.
extern "C" {

/// The compiler inserts a call into each block of the counted code.
void __sanitizer_cov_trace_pc();
void __sanitizer_cov_trace_pc() { ++work; }

void* __real_memchr(const void* bytes, int wanted, std::size_t size);
void* __wrap_memchr(const void* bytes, int wanted, std::size_t size);
void* __wrap_memchr(const void* bytes, int wanted, std::size_t size) {
    void* const found = __real_memchr(bytes, wanted, size);
    const auto* const begin = static_cast<const unsigned char*>(bytes);
    work +=
        found == nullptr ? size : static_cast<std::size_t>(static_cast<unsigned char*>(found) - begin) + 1;
    return found;
}

int __real_memcmp(const void* a, const void* b, std::size_t size);
int __wrap_memcmp(const void* a, const void* b, std::size_t size);
int __wrap_memcmp(const void* a, const void* b, std::size_t size) {
    work += size;
    return __real_memcmp(a, b, size);
}

void* __real_memcpy(void* to, const void* from, std::size_t size);
void* __wrap_memcpy(void* to, const void* from, std::size_t size);
void* __wrap_memcpy(void* to, const void* from, std::size_t size) {
    work += size;
    return __real_memcpy(to, from, size);
}

void* __real_memmove(void* to, const void* from, std::size_t size);
void* __wrap_memmove(void* to, const void* from, std::size_t size);
void* __wrap_memmove(void* to, const void* from, std::size_t size) {
    work += size;
    return __real_memmove(to, from, size);
}

void* __real_memset(void* to, int value, std::size_t size);
void* __wrap_memset(void* to, int value, std::size_t size);
void* __wrap_memset(void* to, int value, std::size_t size) {
    work += size;
    return __real_memset(to, value, size);
}

std::size_t __real_strlen(const char* text);
std::size_t __wrap_strlen(const char* text);
std::size_t __wrap_strlen(const char* text) {
    const std::size_t size = __real_strlen(text);
    work += size;
    return size;
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

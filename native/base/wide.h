// SPDX-License-Identifier: MIT
#pragma once

/// Compiles a function twice, the second time for processors with AVX2, which run it in half the time. The
/// results are equal, because neither version fuses or reorders operations. The sanitizers' runtimes do not
/// support this kind of dispatch.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define ANIMBRIDGE_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define ANIMBRIDGE_WIDE
#endif
#define ANIMBRIDGE_INLINE __attribute__((always_inline)) inline

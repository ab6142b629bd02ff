// SPDX-License-Identifier: MIT
#pragma once

/// Inner loops that are built a second time for newer processors' wider registers. That takes half the time
/// and changes no result, since neither version fuses or reorders. The sanitizers' runtimes do not support
/// such dispatch.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define ANIMBRIDGE_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define ANIMBRIDGE_WIDE
#endif
#define ANIMBRIDGE_INLINE __attribute__((always_inline)) inline

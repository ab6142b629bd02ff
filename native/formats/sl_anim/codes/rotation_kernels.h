// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// The inner loops over rotations, in blocks of keys with one array per component, so that compilers use
/// vector registers. The arithmetic is that of codes.h, operation by operation; tests compare both bit for
/// bit. E, D and N: encode, decode and to_stored.
namespace animbridge::sl_anim::codes {

inline constexpr std::size_t block_keys = 64;

template <typename Number>
using Lane = std::array<Number, block_keys>;

struct RotationBlock {
    alignas(64) Lane<float> x;
    alignas(64) Lane<float> y;
    alignas(64) Lane<float> z;
    alignas(64) Lane<float> w;
};

struct CodeBlock {
    alignas(64) Lane<std::int32_t> x;
    alignas(64) Lane<std::int32_t> y;
    alignas(64) Lane<std::int32_t> z;
};

/// Decodes codes to the rotations that the viewer plays.
void decode_block(const CodeBlock& codes, RotationBlock& out);

/// What the viewer's serializer writes for these rotations (no NaN): E(D(E(N(q)))).
void viewer_codes(const RotationBlock& rotations, CodeBlock& out);

/// Finds the best of the 27 neighbouring codes for unit rotations with w >= 0: best when decoded, or when
/// decoded after an upload.
void search_codes(const RotationBlock& targets, bool after_upload, CodeBlock& out);

}  // namespace animbridge::sl_anim::codes

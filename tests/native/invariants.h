// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

#include "formats/sl_anim/file/file.h"
#include "model/clip/clip.h"

/// Invariants for every input, used by the tests that replay damaged fixtures and by the fuzz targets.
/// Without Catch.
namespace animbridge::test {

/// A broken invariant, described in words.
struct BrokenInvariant : std::logic_error {
    using std::logic_error::logic_error;
};

inline void require(bool holds, const char* what) {
    if (!holds) {
        throw BrokenInvariant(what);
    }
}
inline void require(bool holds, const std::string& what) { require(holds, what.c_str()); }

enum class Effort {
    quick,  ///< read and write
    full,   ///< also everything that works with a document
};

/// Checks bytes for the reader: it refuses them with a proper error, or reads them without loss into a
/// document that everything else can use. Returns whether it reads them.
bool check_bytes(ByteView bytes, Effort effort);

/// Checks any document: its file and its JSON read back to it, and checks, clip, player and upload behave.
void check_document(const sl_anim::file::Document& document, Effort effort);

/// Checks that keys are sorted and finite, counts agree, and rotations are near unit length.
void check_clip(const Clip& clip);

/// Checks a reader's error: a code, a field, a position within the input, and a message in UTF-8.
void check_error(const Error& error, std::size_t input_size);

}  // namespace animbridge::test

// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

#include "formats/sl_anim/document.h"
#include "model/clip.h"

/// What must hold for every input whatever. Used by the tests that replay damaged fixtures, and by the fuzz
/// targets: without Catch.
namespace animbridge::test {

/// What does not hold, in words.
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
    full,   ///< and everything that works with a document
};

/// Bytes given to the reader: refused with a proper error, or read without loss into a document that
/// everything else can work with. Whether they were read.
bool check_bytes(ByteView bytes, Effort effort);

/// A document from anywhere: its file reads back to it, its JSON too, checks, clip, player and upload behave.
void check_document(const sl_anim::Document& document, Effort effort);

/// Sorted, finite, counts that fit together, rotations near unit length.
void check_clip(const Clip& clip);

/// An error of a reader: a code, a field, a place within the input, and a message in UTF-8.
void check_error(const Error& error, std::size_t input_size);

}  // namespace animbridge::test

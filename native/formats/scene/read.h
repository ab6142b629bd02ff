// SPDX-License-Identifier: MIT
#pragma once

#include "formats/scene/document.h"
#include "model/format/format.h"

namespace animbridge::scene {

/// Whether the bytes begin like one of the loaders' files.
[[nodiscard]] bool sniff(ByteView bytes);

/// Reads a file: glTF 2 here, everything else in the program animbridge-scene, with the errors of run_child.
/// ErrorCode::bad_value if no loader recognises the bytes.
[[nodiscard]] Result<Document> read(const FileInput& file);

/// Like read, without a copy of the bytes in Document::file.
[[nodiscard]] Result<Document> read_motion(const FileInput& file);

}  // namespace animbridge::scene

// SPDX-License-Identifier: MIT
#pragma once

#include "base/bytes.h"
#include "formats/oban/document.h"

namespace animbridge::oban {

/// The file's bytes; a raw record and a .oni equal the bytes that were read. A document in a .oni must come
/// from read_oni, new_oni or with_record, so that `before` and `after` fit the record's size.
[[nodiscard]] Bytes write(const Document& document);

}  // namespace animbridge::oban

// SPDX-License-Identifier: MIT
#pragma once

#include "base/bytes.h"
#include "formats/oban/document.h"

namespace animbridge::oban {

/// The file again: what was read comes back to the bit from a raw record and a .oni. A document of a .oni is
/// one from read_oni, new_oni or with_record: what is before and after the record fits its size.
[[nodiscard]] Bytes write(const Document& document);

}  // namespace animbridge::oban

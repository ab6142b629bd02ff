// SPDX-License-Identifier: MIT
#pragma once

#include "base/bytes.h"
#include "base/reading.h"
#include "formats/mrtk/document.h"

namespace animbridge::mrtk {

/// Reads versions 1.0 and 1.1. Bytes after the end are kept.
///
/// Lenient reading also accepts three layouts that MRTK does not read: without the list of markers, and
/// version 1.1 with the keys of 1.0, with the list and without. Such a layout must end exactly at the end of
/// the file, with wrap modes that Unity has and times that do not decrease. It is tried if the specified
/// layout does not fit, or if that leaves bytes over but has wrap modes that Unity lacks or times that
/// decrease: then it fits only by accident.
///
/// ErrorCode::unsupported_version: another version, or a fork with more curves in a pose.
/// ErrorCode::truncated and ErrorCode::bad_value, about the specified layout, name the curve's field and the
/// byte.
[[nodiscard]] Result<Document> read(ByteView bytes, Reading reading);

}  // namespace animbridge::mrtk

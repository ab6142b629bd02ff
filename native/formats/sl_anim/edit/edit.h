// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/json/json.h"
#include "base/options/options.h"
#include "editing/editing.h"
#include "formats/sl_anim/file/file.h"

/// A `.anim` with other header values, or a part of it. What an edit does not name stays bit for bit.
namespace animbridge::sl_anim::edit {

/// The header values that an edit can change. Any value that the file can hold is allowed.
[[nodiscard]] std::span<const Option> edit_options();

/// A copy with other header values. `edits` is an object of edit_options(). Name a joint as in the file, or
/// by any name that the viewer accepts for it. ErrorCode::bad_value names the member, what was found and what
/// is allowed.
[[nodiscard]] Result<file::Document> edit(file::Document document, const Json& edits);

/// A part of the animation; see Format::Edits::trimmed. Keys inside the part keep their values bit for bit. A
/// joint that moves across a cut gets a key there with the pose that the viewer shows. The loop is cut to its
/// part inside, or becomes the whole animation if none is left; a loop that holds one pose of the part stays.
/// The document must be playable and of version 1.0.
[[nodiscard]] Result<file::Document> trimmed(file::Document document, const Trim& trim);

/// The tools that the codes allow exactly (Format::Edits::tools): parts, mirroring, reversing, speed, new
/// times and holding. Values stay bit for bit, or change by a rule on codes. ErrorCode::rejected: no joint is
/// left.
[[nodiscard]] Result<file::Document> with_tools(file::Document document, editing::Tools& left, Json& rows);

}  // namespace animbridge::sl_anim::edit

// SPDX-License-Identifier: MIT
#pragma once

#include "base/windows/handle.h"

#include <memory>
#include <string>

#include "base/folder.h"

namespace animbridge {

/// The handle is held without the right to rename or remove the folder, so that `path` stays its path.
struct Folder::Opened {
    Handle handle;
    std::wstring path;  ///< absolute, without links
    std::shared_ptr<const Opened> above{};
};

/// Whether what was opened with FILE_FLAG_OPEN_REPARSE_POINT is a symbolic link or a junction. Files and
/// folders of OneDrive and of volumes without duplicates are reparse points too, and lead nowhere.
[[nodiscard]] bool is_link(const Handle& file);

/// The path of an open file or folder, links followed; empty where the system cannot say.
[[nodiscard]] std::wstring final_path(const Handle& file);

/// The path of what has this name in the folder. ErrorCode::io: it is not a name.
[[nodiscard]] Result<std::wstring> path_in(const Folder& folder, const std::string& name);

/// A file in the folder, with the arguments of CreateFileW. Refuses links of both kinds. ErrorCode::io:
/// `doing` failed, or it is another thing.
[[nodiscard]] Result<Handle> opened_file(const Folder& folder, const std::string& name, DWORD access,
                                         DWORD share, DWORD creation, const std::string& doing);

}  // namespace animbridge

// SPDX-License-Identifier: MIT
#pragma once

#include "base/windows/handle.h"

#include <memory>
#include <string>

#include "base/folder.h"

namespace animbridge {

/// The handle is opened without sharing the right to rename or remove the folder, so that `path` stays valid.
struct Folder::Opened {
    Handle handle;
    std::wstring path;  ///< absolute, without links
    std::shared_ptr<const Opened> above{};
};

/// Whether a file opened with FILE_FLAG_OPEN_REPARSE_POINT is a symbolic link or a junction. Files and
/// folders of OneDrive and of volumes with deduplication are reparse points too, but not links.
[[nodiscard]] bool is_link(const Handle& file);

/// The path of an open file or folder after following links; empty if the system does not report it.
[[nodiscard]] std::wstring final_path(const Handle& file);

/// The path of this name in the folder. ErrorCode::io: it is not a valid name.
[[nodiscard]] Result<std::wstring> path_in(const Folder& folder, const std::string& name);

/// A file in the folder, opened with the arguments of CreateFileW. Refuses symbolic and hard links.
/// ErrorCode::io: `doing` failed, or it is not a regular file.
[[nodiscard]] Result<Handle> opened_file(const Folder& folder, const std::string& name, DWORD access,
                                         DWORD share, DWORD creation, const std::string& doing);

}  // namespace animbridge

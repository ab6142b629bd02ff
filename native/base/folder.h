// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"

namespace animbridge {

/// An open folder. Everything below it is reached from it step by step and never through a link. So nothing
/// outside it is created, changed or removed, whatever others meanwhile do to the names in it. Several
/// threads may use it.
///
/// `name`: of a file, link or folder in it. `below`: a path below it, UTF-8, without "..". A link on the way,
/// or in place of the file, is an ErrorCode::io.
class Folder {
public:
    /// Follows links, because the path is the caller's own. Creates missing folders. "": the current folder.
    /// ErrorCode::io: something else has that name, or the folder cannot be created.
    [[nodiscard]] static Result<Folder> open(const std::string& path);

    /// A folder below this one; creates missing folders. `below` "": this folder.
    [[nodiscard]] Result<Folder> folder(const std::string& below) const;
    /// Like write_file, but does not follow links.
    [[nodiscard]] Result<void> write(const std::string& below, ByteView bytes,
                                     NewFile begins = NewFile::unnamed_where_possible) const;

    /// Gives a file another name; replaces a file that has that name.
    [[nodiscard]] Result<void> rename(const std::string& from, const std::string& to) const;
    /// Removes a file, a link, or a folder with its contents, as far as the system allows.
    void remove(const std::string& name) const;
    /// Whether anything has this name, even a link.
    [[nodiscard]] bool has(const std::string& name) const;
    /// The names in the folder, in no particular order.
    [[nodiscard]] std::vector<std::string> names() const;

    /// The path of this name, below the path that the caller gave. For messages, and for reading.
    [[nodiscard]] std::string place_of(const std::string& name) const;

    /// The system's handle, for functions that open files in the folder.
    struct Opened;
    [[nodiscard]] const Opened& opened() const { return *opened_; }

private:
    Folder(std::string path, std::shared_ptr<const Opened> opened)
        : path_(std::move(path)), opened_(std::move(opened)) {}

    /// The folder with this name. ErrorCode::io: it does not exist, or is a link.
    [[nodiscard]] Result<Folder> step(const std::string& name, bool makes) const;
    /// Removes a file, a link or an empty folder.
    void remove_one(const std::string& name) const;
    [[nodiscard]] Result<void> write_here(const std::string& name, ByteView bytes, NewFile begins) const;

    std::string path_;
    std::shared_ptr<const Opened> opened_;
};

// Why an existing file cannot be used.
inline constexpr const char* not_a_file = "it is not a regular file. Remove it";
inline constexpr const char* link_in_the_way =
    "it is a link, and nothing is written through a link here. Remove it";
inline constexpr const char* shared_file =
    "it is a hard link, and the file has another name elsewhere. Put a copy in its place";

}  // namespace animbridge

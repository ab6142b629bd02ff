// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"

namespace animbridge {

/// An open folder. What lies below it is reached from it, step by step and never through a link. So nothing
/// outside it is made, changed or removed, whatever others do to the names in it meanwhile. Several threads
/// may use it.
///
/// `name`: of what lies in it. `below`: a path below it, UTF-8, without "..". A link on the way, or in a
/// file's place, is an ErrorCode::io.
class Folder {
public:
    /// Follows links, for the path is the caller's own. Makes what is missing. "": the current folder.
    /// ErrorCode::io: there is something else, or it cannot be made.
    [[nodiscard]] static Result<Folder> open(const std::string& path);

    /// A folder below this one. Makes what is missing. `below` "": this one.
    [[nodiscard]] Result<Folder> folder(const std::string& below) const;
    /// As write_file, without following a link.
    [[nodiscard]] Result<void> write(const std::string& below, ByteView bytes,
                                     NewFile begins = NewFile::unnamed_where_possible) const;

    /// Gives a file another name, which may be another file's.
    [[nodiscard]] Result<void> rename(const std::string& from, const std::string& to) const;
    /// Removes a file, a link, or a folder with all that is in it, as far as the system lets it.
    void remove(const std::string& name) const;
    /// Whether there is anything with this name.
    [[nodiscard]] bool has(const std::string& name) const;
    /// What there is in it, in no order.
    [[nodiscard]] std::vector<std::string> names() const;

    /// The path, as the caller gave it, of what has this name. For messages, and for reading.
    [[nodiscard]] std::string place_of(const std::string& name) const;

    /// The system's, for what opens files in it.
    struct Opened;
    [[nodiscard]] const Opened& opened() const { return *opened_; }

private:
    Folder(std::string path, std::shared_ptr<const Opened> opened)
        : path_(std::move(path)), opened_(std::move(opened)) {}

    /// The folder with this name. ErrorCode::io: there is none, or a link.
    [[nodiscard]] Result<Folder> step(const std::string& name, bool makes) const;
    /// Removes a file, a link or an empty folder.
    void remove_one(const std::string& name) const;
    [[nodiscard]] Result<void> write_here(const std::string& name, ByteView bytes, NewFile begins) const;

    std::string path_;
    std::shared_ptr<const Opened> opened_;
};

// What may be in a file's place.
inline constexpr const char* not_a_file = "it is not a regular file. Remove it";
inline constexpr const char* link_in_the_way =
    "it is a link, and nothing is written through a link here. Remove it";
inline constexpr const char* shared_file =
    "it is a hard link, and the file has another name elsewhere. Put a copy in its place";

}  // namespace animbridge

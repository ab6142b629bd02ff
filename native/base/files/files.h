// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/base.h"

/// Files: read whole, written so that a path holds either the old content or all of the new, named so that no
/// input decides where, and reached from open folders so that no link leads elsewhere.
///
/// Paths are UTF-8 with the separators of the system. Errors are ErrorCode::io and name the path.
namespace animbridge {

// ---- whole files ----

/// The most bytes that are read from a file: far above the limits of every format, small enough for memory.
inline constexpr std::size_t max_file_bytes = std::size_t{4} << 30U;

/// Reads the whole file. `path` is UTF-8. ErrorCode::io: the path is a directory, is missing, is unreadable,
/// or holds more than `most_bytes`. A file that announces a larger size is refused before it is read; from a
/// pipe, at most `most_bytes` are held in memory.
[[nodiscard]] Result<Bytes> read_file(const std::string& path, std::size_t most_bytes = max_file_bytes);

/// How a new file starts. The kernel removes a file without a name when the process ends, however it ends.
enum class NewFile { unnamed_where_possible, named };

/// Writes a new file and then moves it to `path`, so that `path` holds either the old content or all of the
/// new. In detail:
/// - A symbolic link is followed: its target is replaced or created. A FIFO, device or socket is written
///   into.
/// - A new file has the permissions that the umask and the folder give it. A replaced file keeps its
///   permissions, but not its owner, access lists or other hard links.
/// - If the process ends half-way, the old file stays whole and nothing else is left. The one exception:
///   SIGKILL on a file system without unnamed files leaves a ".animbridge.*.tmp".
/// - Replacing a file waits until the new content is on disk, so that a power cut leaves one of the two.
///   Creating a file does not wait, like other programs.
[[nodiscard]] Result<void> write_file(const std::string& path, ByteView bytes,
                                      NewFile begins = NewFile::unnamed_where_possible);

// ---- names and paths ----

/// The longest file name that common file systems allow, in bytes.
inline constexpr std::size_t longest_file_name = 255;
/// Reserved for the suffix that a program adds while it writes, such as ".XXXXXX".
inline constexpr std::size_t neighbour_bytes = 7;
/// The longest ending, in bytes, that is considered: a longer one would leave no room for the name.
inline constexpr std::size_t longest_ending = 64;

/// Turns any text into a file name without its `ending` (a number, an extension, or both). Every output that
/// is named after text in a file gets its name here, so that no file can decide where it is written.
///
/// The result is UTF-8, not empty, a name rather than a path, and valid on Windows too: no control
/// characters, none of <>:"/\|?*, no device (CON, COM1.x), no dot or space at either end. "_" replaces each
/// character that is not allowed, and "animation" a name with nothing left. The name fits the file system
/// together with its ending and a temporary suffix; a longer one is cut between two characters. A valid name
/// stays unchanged.
[[nodiscard]] std::string file_stem(std::string_view words, std::string_view ending);

/// In lower case, with the dot; "" if the last part of the path has none.
[[nodiscard]] std::string extension_of(std::string_view path);

/// The characters that can separate the parts of a path, including a drive's colon.
#ifdef _WIN32
inline constexpr std::string_view path_separators = "/\\:";
inline constexpr char preferred_separator = '\\';
#else
inline constexpr std::string_view path_separators = "/";
inline constexpr char preferred_separator = '/';
#endif

/// The suffix of the names of programs.
#ifdef _WIN32
inline constexpr std::string_view program_suffix = ".exe";
#else
inline constexpr std::string_view program_suffix;
#endif

/// The offset of the last part of the path; the path's length if it ends with a separator.
[[nodiscard]] inline std::size_t name_begin(std::string_view path) {
    return path.find_last_of(path_separators) + 1;
}

/// The last part of the path.
[[nodiscard]] inline std::string_view name_in_path(std::string_view path) {
    return path.substr(name_begin(path));
}

/// Either may be empty.
[[nodiscard]] inline std::string joined_path(std::string_view folder, std::string_view name) {
    if (folder.empty() || folder == ".") {
        return std::string(name.empty() ? folder : name);
    }
    std::string path(folder);
    if (!name.empty() && path_separators.find(path.back()) == std::string_view::npos) {
        path += preferred_separator;
    }
    return path.append(name);
}

/// For the standard library, which does not take UTF-8 on Windows. There, bytes that are not UTF-8 become
/// U+FFFD, because no file has such a name.
[[nodiscard]] inline std::filesystem::path path_of(std::string_view utf8) {
#ifdef _WIN32
    const std::string text = to_utf8(utf8);
    return {std::u8string(text.begin(), text.end())};
#else
    return {utf8};
#endif
}

/// The inverse of path_of.
[[nodiscard]] inline std::string text_of_path(const std::filesystem::path& path) {
#ifdef _WIN32
    const std::u8string text = path.u8string();
    return {text.begin(), text.end()};
#else
    return path.string();
#endif
}

// ---- folders ----

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

// ---- files that grow, and locks ----

/// A file that only grows, line by line: a log that survives if its process ends at any moment. Use it from
/// one thread at a time.
class AppendFile {
public:
    /// `anew` first removes a file of this name.
    enum class Begin : std::uint8_t { with_what_is_there, anew };

    /// Creates the file if it is missing. ErrorCode::io: it cannot be opened, is not a regular file, or has
    /// another name elsewhere.
    [[nodiscard]] static Result<AppendFile> open(const Folder& folder, const std::string& name, Begin begin);

    AppendFile(AppendFile&&) noexcept;
    AppendFile& operator=(AppendFile&&) noexcept;
    AppendFile(const AppendFile&) = delete;
    AppendFile& operator=(const AppendFile&) = delete;
    ~AppendFile();

    /// Hands the whole text to the system in one call. If the disk has room for only a part, that part is
    /// removed again. ErrorCode::io: nothing was added.
    [[nodiscard]] Result<void> append(std::string_view text);

    /// Truncates the file to its first `bytes`.
    [[nodiscard]] Result<void> cut_to(std::uint64_t bytes);

    /// Waits until the file is on the disk, if the file system can report that.
    [[nodiscard]] Result<void> store();

private:
    struct Opened;
    explicit AppendFile(std::unique_ptr<Opened> opened);
    std::unique_ptr<Opened> opened_;
};

/// A file that grows under its name with ".partial" appended, and gets its real name when it is complete.
class PartialFile {
public:
    /// Creates the folders of `path`, and follows links. ErrorCode::io: the file cannot be created, or `path`
    /// is not a regular file, which a rename would replace.
    [[nodiscard]] static Result<PartialFile> open(const std::string& path);

    [[nodiscard]] Result<void> append(std::string_view text) { return file_->append(text); }
    [[nodiscard]] Result<void> store() { return file_->store(); }
    /// Gives the file its real name. Call it last.
    [[nodiscard]] Result<void> finish();

private:
    PartialFile(Folder folder, std::string name, AppendFile file)
        : folder_(std::move(folder)), name_(std::move(name)), file_(std::move(file)) {}

    Folder folder_;
    std::string name_;
    std::optional<AppendFile> file_;
};

/// A lock that other processes respect; also those on other machines, if the file system supports that. The
/// system releases it when the process ends, however it ends. The file stays.
class FileLock {
public:
    enum class Kind : std::uint8_t { shared, exclusive };

    /// Creates the file if it is missing, and stores `owner` in it. nullopt: another process holds the lock.
    /// ErrorCode::io: the file cannot be created, is not a regular file, or has another name elsewhere. On a
    /// file system without locks, this returns a lock that is not held.
    [[nodiscard]] static Result<std::optional<FileLock>> take(const Folder& folder, const std::string& name,
                                                              Kind kind, const std::string& owner);
    /// What the last process that got the lock stored in the file; "" if it cannot be read.
    [[nodiscard]] static std::string owner_of(const std::string& path);

    FileLock(FileLock&&) noexcept;
    FileLock& operator=(FileLock&&) noexcept;
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    ~FileLock();

    /// False on a file system without locks.
    [[nodiscard]] bool is_held() const;

private:
    struct Held;
    explicit FileLock(std::unique_ptr<Held> held);
    std::unique_ptr<Held> held_;
};

/// Describes this process, now: "process 4711 on render03 since 2026-05-04 12:30:00 UTC".
[[nodiscard]] std::string this_process();

// ---- the standard streams and arguments of a program ----

enum class Stream : unsigned char { output, error };

/// Occupies closed standard streams, so that no file gets their number and receives their text. Writing to
/// such a stream still fails.
void hold_standard_streams();

/// Writes the whole text, UTF-8, without changing line ends. Returns "", or why it failed.
[[nodiscard]] std::string write_to(Stream stream, std::string_view text);

/// All of standard input. ErrorCode::io: it cannot be read, or holds more than `most_bytes`.
[[nodiscard]] Result<Bytes> read_input_stream(std::size_t most_bytes = max_file_bytes);

/// Whether the stream is shown to a person, in a terminal or console.
[[nodiscard]] bool is_terminal(Stream stream);

/// Whether `path` is standard output, such as /dev/stdout.
[[nodiscard]] bool is_output_stream(const std::string& path);

/// The program's arguments in UTF-8, on systems where main gets them in another form. The first is the
/// program's name.
[[nodiscard]] std::vector<std::string> utf8_arguments(int count, const char* const* given);

// ---- hashes ----

using Sha256 = std::array<std::uint8_t, 32>;

/// SHA-256 (FIPS 180-4) of the bytes.
[[nodiscard]] Sha256 sha256(ByteView bytes);

/// sha256 as 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256_hex(ByteView bytes);

// ---- for the halves of each system ----

/// An ErrorCode::io about the file `path`.
[[nodiscard]] inline tl::unexpected<Error> io_error(const std::string& path, std::string reason) {
    Error error{ErrorCode::io, std::move(reason)};
    error.file = path;
    return fail(std::move(error));
}

/// As above, with `doing` and the system's message for `error_number` as the reason.
[[nodiscard]] inline tl::unexpected<Error> io_error(const std::string& path, const std::string& doing,
                                                    int error_number) {
    return io_error(path, doing + ": " + std::generic_category().message(error_number));
}

// Why an existing file cannot be used.
inline constexpr const char* not_a_file = "it is not a regular file. Remove it";
inline constexpr const char* link_in_the_way =
    "it is a link, and nothing is written through a link here. Remove it";
inline constexpr const char* shared_file =
    "it is a hard link, and the file has another name elsewhere. Put a copy in its place";

/// Reads at most `size` bytes into `into`. Returns how many it read; 0 at the end of the file.
using ReadSome = std::function<Result<std::size_t>(std::uint8_t* into, std::size_t size)>;

/// The error for a file of `found` bytes, of which at most `most_bytes` may be read.
[[nodiscard]] tl::unexpected<Error> file_too_large(const std::string& path, const std::string& found,
                                                   std::size_t most_bytes);

/// Reads to the end rather than up to the announced size: a pipe announces none (0), and a file can grow
/// meanwhile. ErrorCode::io: the file has more than `most_bytes`. Errors of `read_some` are returned.
[[nodiscard]] Result<Bytes> read_to_end(const ReadSome& read_some, std::size_t announced,
                                        std::size_t most_bytes, const std::string& path);

}  // namespace animbridge

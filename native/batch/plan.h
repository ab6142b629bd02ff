// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "batch/file_paths.h"
#include "batch/request.h"

namespace animbridge::batch {

/// A file to convert.
struct Input {
    std::string path;
    std::string folder{};  ///< for its outputs, below the output folder
    std::string fault{};   ///< why it cannot be read; "" if it can
    /// How many earlier inputs have the same path below the output folder.
    std::uint32_t before = 0;
    std::string animation{};  ///< the named one: "walk.fbx#Run"; "": all

    /// As the user gave it: the path, and the animation if one was named.
    [[nodiscard]] std::string given() const;
    /// The path below the output folder, with "/", and the animation: the key of an input in ledgers and
    /// shards.
    [[nodiscard]] std::string relative() const;
    [[nodiscard]] bool is_blend() const;
};

/// The inputs of a run, in order. A million take about 100 bytes each, plus their names.
class Plan {
public:
    /// Adds an input, if it is in the shard. Each file is added once.
    void add(Input input);

    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    [[nodiscard]] Input at(std::size_t index) const;
    /// Whether a file, by the key of its real path, is an input of this run or of another shard of it.
    [[nodiscard]] bool has_file(const PathKey& key) const { return files_.contains(key); }
    /// Remembers the file; returns whether it is new.
    bool add_file(const PathKey& key) { return files_.insert(key).second; }

    explicit Plan(Shard shard) : shard_(shard) {}

private:
    [[nodiscard]] bool is_in_shard(std::string_view relative) const;

    struct Folder {
        std::string path;    ///< of the inputs
        std::string output;  ///< of their outputs
    };
    struct Entry {
        std::uint64_t name;  ///< its offset in `names_`; it ends before the next one's
        std::uint32_t folder;
    };

    Shard shard_;
    std::vector<Folder> folders_;
    std::vector<Entry> entries_;
    std::string names_;
    std::map<std::size_t, std::string> faults_;
    std::map<std::size_t, std::uint32_t> repeated_;
    std::map<std::size_t, std::string> animations_;
    PathKeys files_;
    PathMap<std::uint32_t> places_;
};

/// The inputs of all arguments, each file once, in the order of the arguments and by name in folders. Among
/// the files in folders, only those without an extension are opened. ErrorCode::io: a list cannot be read.
[[nodiscard]] Result<Plan> planned(const Request& request);

/// The shard, from 1, of an input, by its path below the output folder.
[[nodiscard]] std::uint32_t shard_of(std::string_view relative, std::uint32_t count);

}  // namespace animbridge::batch

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
    std::string folder{};  ///< of its outputs, below the output folder
    std::string fault{};   ///< why it cannot be read; "": it can
    /// How many inputs before this one have the same place below the output folder.
    std::uint32_t before = 0;
    std::string animation{};  ///< the one that was named: "walk.fbx#Run"; "": all

    /// As it was given: the path, and the animation if one was named.
    [[nodiscard]] std::string given() const;
    /// The place below the output folder, with "/", and the animation: what ledgers and shards know an input
    /// by.
    [[nodiscard]] std::string relative() const;
    [[nodiscard]] bool is_blend() const;
};

/// The inputs of a run, in order. A million take about 100 bytes each, and their names.
class Plan {
public:
    /// Adds what an argument stands for, as far as it is in the shard. Each file is added once.
    void add(Input input);

    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    [[nodiscard]] Input at(std::size_t index) const;
    /// Whether a file, by the key of its real path, is an input of this run or of another shard of it.
    [[nodiscard]] bool has_file(const PathKey& key) const { return files_.contains(key); }
    /// Whether the file is new; then it is remembered.
    bool add_file(const PathKey& key) { return files_.insert(key).second; }

    explicit Plan(Shard shard) : shard_(shard) {}

private:
    [[nodiscard]] bool is_in_shard(std::string_view relative) const;

    struct Folder {
        std::string path;    ///< of the inputs
        std::string output;  ///< of their outputs
    };
    struct Entry {
        std::uint64_t name;  ///< where it begins in `names_`; it ends before the next one's
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

/// The inputs of all arguments, each file once, in the order of the arguments and by name in folders. Of the
/// files in folders, only those without an extension are opened. ErrorCode::io: a list cannot be read.
[[nodiscard]] Result<Plan> planned(const Request& request);

/// The shard, from 1, that an input belongs to, by its place below the output folder.
[[nodiscard]] std::uint32_t shard_of(std::string_view relative, std::uint32_t count);

}  // namespace animbridge::batch

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "base/append_file.h"
#include "batch/plan.h"

namespace animbridge::batch {

/// So many times an input may end the program that converts it.
inline constexpr std::uint32_t most_kills = 3;

/// The inputs that are converted now, in a file: a run that is killed leaves it, and the next run knows which
/// inputs may be to blame. Several threads may use it. A file that cannot be written is no reason to stop.
class InHand {
public:
    /// `name`: of the file in the folder, which outlives this. `remembers`: whether what a killed run left
    /// counts.
    InHand(const Folder& folder, std::string name, bool remembers);
    /// The run has ended by itself: removes the file.
    ~InHand();
    InHand(const InHand&) = delete;
    InHand& operator=(const InHand&) = delete;
    InHand(InHand&&) = delete;
    InHand& operator=(InHand&&) = delete;

    /// How many runs in a row were killed while they converted the input.
    [[nodiscard]] std::uint32_t kills(const Input& input);

    /// An input that is in hand as long as this is there.
    class Hold {
    public:
        Hold(InHand& all, const Input& input) : all_(all), key_(input.relative(), input.before) {
            all_.begin(key_);
        }
        ~Hold() { all_.finish(key_); }
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;
        Hold(Hold&&) = delete;
        Hold& operator=(Hold&&) = delete;

    private:
        InHand& all_;
        std::pair<std::string, std::uint32_t> key_;
    };

private:
    using Key = std::pair<std::string, std::uint32_t>;

    void begin(const Key& key);
    void finish(const Key& key);

    const Folder& folder_;
    std::string name_;
    Result<AppendFile> file_;
    std::mutex mutex_;      ///< of what follows
    std::size_t size_ = 0;  ///< of what this run wrote
    /// How many kills there are if this run is killed now.
    std::map<Key, std::uint32_t> kills_;
};

}  // namespace animbridge::batch

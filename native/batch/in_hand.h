// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "base/files/files.h"
#include "batch/plan.h"

namespace animbridge::batch {

/// How many times an input may end the program that converts it.
inline constexpr std::uint32_t most_kills = 3;

/// Records in a file which inputs are being converted: a run that is killed leaves the file, and the next run
/// knows which inputs may be the cause. Several threads may use it. A run goes on if it cannot write it.
class InHand {
public:
    /// `name`: the name of the file in the folder, which must outlive this. `remembers`: whether to use what
    /// a killed run left.
    InHand(const Folder& folder, std::string name, bool remembers);
    /// Removes the file, because the run has ended by itself.
    ~InHand();
    InHand(const InHand&) = delete;
    InHand& operator=(const InHand&) = delete;
    InHand(InHand&&) = delete;
    InHand& operator=(InHand&&) = delete;

    /// How many runs in a row were killed while they converted the input.
    [[nodiscard]] std::uint32_t kills(const Input& input);

    /// Records an input as long as this exists.
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
    std::mutex mutex_;      ///< guards the members below
    std::size_t size_ = 0;  ///< how much this run wrote
    /// The number of kills if this run is killed now.
    std::map<Key, std::uint32_t> kills_;
};

}  // namespace animbridge::batch

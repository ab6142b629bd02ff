// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>

#include "base/base.h"
#include "formats/scene_file/file/file.h"
#include "reduce/reduce.h"

/// Fewer keys for recordings (clip::is_recording) in scenes that are to be written, by the search of
/// reduce::new_keys. What an animator keyed stays as it is.
namespace animbridge::scene_file::reduce {

/// A scene with fewer keys.
struct Thinned {
    file::Document document;
    std::size_t keys_before = 0;  ///< of all channels
    std::size_t keys_after = 0;
    animbridge::reduce::Bound bound;  ///< under which the keys were chosen
};

/// The scene with new keys for its recordings, so that every node is within `bound` at every key of the
/// scene. Times of new keys are those of keys, their values are free. nullopt: all keys stay, because there
/// are no recordings, nodes change their size, or fewer keys do not hold the bound. Without a bound: about
/// `most_keys` in all channels, or as few as there can be, under the smallest bound that these can hold.
[[nodiscard]] Result<std::optional<Thinned>> thinned(const file::Document& document,
                                                     const std::optional<animbridge::reduce::Bound>& bound,
                                                     std::size_t most_keys, const Job& job);

}  // namespace animbridge::scene_file::reduce

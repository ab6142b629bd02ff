// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "formats/sl_anim/document.h"
#include "model/clip.h"
#include "reduce/fit.h"

namespace animbridge::sl_anim {

struct TrackName;

/// Which form of a file is played.
enum class Form : std::uint8_t {
    as_written,  ///< the file's own numbers
    as_stored,   ///< what the viewer stores when the file is uploaded (version 1.0): some codes are others
};

/// Which keys may go, and what the result is compared with.
struct ReduceTask {
    /// No finding of class *rejected* but for its duration, at least one key. Outlives the reducer.
    const Document& document;
    /// Ascending clip seconds: the bound must hold at each. Empty: all key times of the document, and
    /// half-way between.
    std::vector<float> times{};
    /// Tracks with a key at each of `times`: what shall be shown. Other tracks shall stay as the document
    /// plays them. nullptr: none.
    const Clip* wanted = nullptr;
    /// The tracks that may lose keys; nullptr: all.
    const std::set<TrackName>* reducible = nullptr;
    Form form = Form::as_written;
};

struct ReducedFile {
    Document document;
    std::size_t keys_before = 0;  ///< of the tracks that may lose keys, as the viewer plays them
    std::size_t keys_after = 0;
    reduce::Errors errors;
    bool holds = true;             ///< false: at some times even all keys miss the bound, by the codes' steps
    std::uint64_t operations = 0;  ///< looks at one track at one time
};

struct FittedFile {
    ReducedFile reduced;
    reduce::Bound bound;  ///< the one under which it fits
    std::size_t bytes = 0;
};

/// Drops keys of a .anim, as the viewer plays them on the avatar (reduce::Reducer). What stays keeps its
/// place and its bits; what is not played goes where its track loses a key.
class Reducer {
public:
    explicit Reducer(ReduceTask task);
    ~Reducer();
    Reducer(const Reducer&) = delete;
    Reducer& operator=(const Reducer&) = delete;
    Reducer(Reducer&&) = delete;
    Reducer& operator=(Reducer&&) = delete;

    [[nodiscard]] Result<ReducedFile> within(const reduce::Bound& bound, const Job& job) const;

    /// As reduce::fit; `bytes_of` says how large a file counts.
    [[nodiscard]] Result<FittedFile> fit(const reduce::Bound& unit, bool at_least_unit, std::size_t limit,
                                         const std::function<std::size_t(const Document&)>& bytes_of,
                                         const Job& job) const;

private:
    struct Prepared;
    std::unique_ptr<const Prepared> prepared_;
};

}  // namespace animbridge::sl_anim

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "formats/sl_anim/clip/clip.h"
#include "formats/sl_anim/codes/codes.h"
#include "formats/sl_anim/file/file.h"
#include "model/clip/clip.h"
#include "reduce/reduce.h"

/// Fewer keys for the same motion, as the viewer plays it on the avatar, within a bound (millimetres and
/// degrees) or within a size in bytes (docs/second-life-reduction.md). The search is that of reduce::Reducer.
namespace animbridge::sl_anim::reduce {

/// The form in which a file plays.
enum class Form : std::uint8_t {
    as_written,  ///< the file's own numbers
    as_stored,   ///< what the viewer stores after an upload (version 1.0), where some codes differ
};

/// Which keys may be dropped, and what the result is compared with.
struct ReduceTask {
    /// Needs at least one key and no finding of class *rejected*, except for its duration. Must outlive the
    /// reducer.
    const file::Document& document;
    /// Clip times in ascending order, in seconds, at which the bound must hold. Empty: all key times of the
    /// document and the midpoints between them.
    std::vector<float> times{};
    /// The motion to show, of which the document has every key. Then keys are our own: `thinned` moves their
    /// values and times. All other tracks stay as the document plays them. Null: keys that stay keep their
    /// bits.
    const Clip* wanted = nullptr;
    /// The tracks that may lose keys; null for all.
    const std::set<clip::TrackName>* reducible = nullptr;
    Form form = Form::as_written;
    codes::Encoder encoder = codes::Encoder::upload;  ///< for new keys
};

struct ReducedFile {
    file::Document document;
    std::size_t keys_before = 0;  ///< in the tracks that may lose keys, counted as the viewer plays them
    std::size_t keys_after = 0;
    animbridge::reduce::Errors errors;
    /// False: at some times the bound does not hold even with all keys, because the format is not precise
    /// enough.
    bool holds = true;
    std::uint64_t operations = 0;  ///< evaluations of one track at one time
};

struct FittedFile {
    ReducedFile reduced;
    animbridge::reduce::Bound bound;  ///< the file fits under this bound
    std::size_t bytes = 0;
};

/// The keys that stay keep their order and their bits. A track that loses a key also loses the keys that
/// never play.
class Reducer {
public:
    explicit Reducer(ReduceTask task);
    ~Reducer();
    Reducer(const Reducer&) = delete;
    Reducer& operator=(const Reducer&) = delete;
    Reducer(Reducer&&) = delete;
    Reducer& operator=(Reducer&&) = delete;

    [[nodiscard]] Result<ReducedFile> within(const animbridge::reduce::Bound& bound, const Job& job) const;

    /// Like reduce::fit; `bytes_of` returns the size to limit.
    [[nodiscard]] Result<FittedFile> fit(const animbridge::reduce::Bound& unit, bool at_least_unit,
                                         std::size_t limit,
                                         const std::function<std::size_t(const file::Document&)>& bytes_of,
                                         const Job& job) const;

private:
    struct Prepared;
    std::unique_ptr<const Prepared> prepared_;
};

/// A file that lost keys as far as it was asked to.
struct ThinnedFile {
    file::Document document;
    std::optional<std::size_t> keys_after{};  ///< in the tracks that may lose keys; none: nothing was dropped
    std::optional<animbridge::reduce::Bound> bound{};  ///< under which keys went; none: nothing was dropped
    bool holds = true;                                 ///< as in ReducedFile
    animbridge::reduce::Errors errors{};
};

/// Drops keys within `bound` (null: none go), or as many as it takes where the file counts more than
/// `fit_bytes` (0: no limit).
[[nodiscard]] Result<ThinnedFile> thinned(const ReduceTask& task, const animbridge::reduce::Bound* bound,
                                          std::uint64_t fit_bytes, const Job& job);

}  // namespace animbridge::sl_anim::reduce

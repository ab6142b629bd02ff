// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/job.h"
#include "formats/sl_anim/clip.h"
#include "formats/sl_anim/document.h"
#include "model/clip.h"
#include "reduce/key_tracks.h"

namespace animbridge::reduce {

/// How far what the viewer shows may be from what is wanted: the place of every joint of the avatar in the
/// frame of mRoot, and every animated joint's local rotation.
struct Bound {
    double position_mm = 0.5;
    double rotation_degrees = 0.05;

    [[nodiscard]] Bound scaled(double factor) const {
        return {position_mm * factor, rotation_degrees * factor};
    }
};

/// Which keys may go, and what the result is compared with.
struct Task {
    /// No finding of class *rejected* but for its duration, at least one key.
    const sl_anim::Document& document;
    /// Ascending clip seconds: the bound must hold at each. Empty: all key times of the document, and
    /// half-way between.
    std::vector<float> times{};
    /// Tracks with a key at each of `times`: what shall be shown. Other tracks shall stay as the document
    /// plays them. nullptr: none.
    const Clip* wanted = nullptr;
    /// The tracks that may lose keys; nullptr: all.
    const std::set<sl_anim::TrackName>* reducible = nullptr;
    Form form = Form::as_written;
};

/// The largest errors, and where.
struct Errors {
    double position_mm = 0;
    std::string position_joint{};
    double position_at_seconds = 0;
    double rotation_degrees = 0;
    std::string rotation_joint{};
    double rotation_at_seconds = 0;
};

struct Reduced {
    sl_anim::Document document;
    std::size_t keys_before = 0;  ///< of the tracks that may lose keys, as the viewer plays them
    std::size_t keys_after = 0;
    Errors errors;
    bool holds = true;             ///< false: at some times even all keys miss the bound, by the codes' steps
    std::uint64_t operations = 0;  ///< looks at one track at one time: what bounds the work
};

/// Drops keys of a .anim within a bound that is checked, not hoped for: the kept keys are played as the
/// viewer plays them at every time, and where the bound is broken keys are put back until it holds or all are
/// there. Deterministic.
class Reducer {
public:
    explicit Reducer(Task task);
    ~Reducer();
    Reducer(const Reducer&) = delete;
    Reducer& operator=(const Reducer&) = delete;
    Reducer(Reducer&&) = delete;
    Reducer& operator=(Reducer&&) = delete;

    [[nodiscard]] Result<Reduced> within(const Bound& bound, const Job& job) const;

private:
    struct Prepared;
    std::unique_ptr<const Prepared> prepared_;
};

}  // namespace animbridge::reduce

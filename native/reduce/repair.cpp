// SPDX-License-Identifier: MIT
#include "reduce/passes.h"

#include <algorithm>

#include "model/clip/clip.h"

namespace animbridge::reduce {

namespace {

constexpr std::size_t times_between_reports = 64;

/// A dropped key to put back into a gap between kept keys.
struct Proposal {
    std::size_t gap = 0;  ///< the kept key before it
    std::size_t key = 0;
    double weight = 0;
};

bool can_be_repaired(const TrackError& error) {
    return error.kept.left != error.all.left || error.kept.right != error.all.right;
}

class Round {
public:
    Round(const PlayedMotion& motion, const std::vector<Kept>& kept, const Bound& bound, bool fill)
        : motion_(motion),
          kept_(kept),
          bound_(bound),
          fill_(fill),
          largest_chord_(chord_of_degrees(bound.rotation_degrees)),
          pass_(motion, kept),
          proposals_(motion.tracks.size()) {}

    void check(std::size_t index, float seconds) {
        pass_.go_to(index, seconds);
        seconds_ = seconds;
        const auto errors = pass_.track_errors();
        for (std::size_t i = 0; i < errors.size(); ++i) {
            const double metres = glm::length(errors[i].moved);
            const bool rotation_is_off = !(errors[i].rotation_chord <= largest_chord_);
            // A joint that the skeleton lacks has no position in it: only its own track can be judged.
            const bool position_is_off = !motion_.tracks[i].node && !(metres * 1000.0 <= bound_.position_mm);
            if (rotation_is_off || position_is_off) {
                propose(i, std::max(errors[i].rotation_chord / largest_chord_,
                                    metres * 1000.0 / bound_.position_mm));
            }
        }
        for (const std::size_t joint : pass_.nodes()) {
            const double error_mm = pass_.position_error_mm(joint);
            if (!(error_mm <= bound_.position_mm)) {
                repair_position(joint, error_mm / bound_.position_mm);
            }
        }
    }

    [[nodiscard]] const std::vector<std::vector<Proposal>>& proposals() const { return proposals_; }

private:
    /// Visits the tracks that move a joint, with the metres by which each track's error moves it.
    template <typename Visit>
    void visit_movers(std::size_t joint, Visit&& visit) {
        const auto errors = pass_.track_errors();
        std::optional<std::size_t> node = joint;
        while (node) {
            const auto rotation = pass_.rotation_track(*node);
            if (rotation && *node != joint) {
                const double lever = glm::length(pass_.wanted_position(joint) - pass_.wanted_position(*node));
                visit(*rotation, 2.0 * errors[*rotation].rotation_chord * lever);
            }
            if (const auto translation = pass_.position_track(*node)) {
                visit(*translation, glm::length(errors[*translation].moved));
            }
            node = motion_.skeleton.nodes[*node].parent;
        }
    }

    void repair_position(std::size_t joint, double excess) {
        std::optional<std::size_t> culprit;
        double most = 0.0;
        visit_movers(joint, [&](std::size_t track, double metres) {
            if (!can_be_repaired(pass_.track_errors()[track])) {
                return;
            }
            if (fill_) {
                propose(track, excess);
            } else if (!culprit || metres > most) {
                culprit = track;
                most = metres;
            }
        });
        if (culprit) {
            propose(*culprit, excess);
        }
    }

    void propose(std::size_t track, double weight) {
        const TrackError& error = pass_.track_errors()[track];
        const Kept& kept = kept_[track];
        const std::size_t left = error.all.left;
        const std::size_t right = error.all.right;
        std::vector<Proposal>& list = proposals_[track];
        if (fill_) {
            for (const std::size_t key : {left, right}) {
                if (kept[key] == 0 && (list.empty() || list.back().key < key)) {
                    list.push_back({error.kept.left, key, weight});
                }
            }
            return;
        }
        if (kept[left] != 0 && kept[right] != 0) {
            return;
        }
        const auto& times = motion_.tracks[track].times;
        const bool right_is_nearer = times[right] - seconds_ <= seconds_ - times[left];
        const bool takes_right = kept[left] != 0 || (kept[right] == 0 && right_is_nearer);
        const Proposal proposal{error.kept.left, takes_right ? right : left, weight};
        if (list.empty() || list.back().gap != proposal.gap) {
            list.push_back(proposal);
        } else if (proposal.weight > list.back().weight) {
            list.back() = proposal;
        }
    }

    PlayedMotion motion_;
    const std::vector<Kept>& kept_;
    Bound bound_;
    bool fill_;
    double largest_chord_;
    PosePass pass_;
    float seconds_ = 0;
    std::vector<std::vector<Proposal>> proposals_;
};

/// Marks the times between the kept keys around `key`, which is still dropped, to be checked again.
void mark_gap(const KeyTrack& track, const Kept& kept, std::size_t key, const std::vector<float>& times,
              std::vector<std::uint8_t>& dirty) {
    std::size_t left = key;
    while (left > 0 && kept[left] == 0) {
        --left;
    }
    std::size_t right = key;
    while (right < track.size() && kept[right] == 0) {
        ++right;
    }
    const auto from = std::lower_bound(times.begin(), times.end(), track.times[left]);
    const auto to =
        right == track.size() ? times.end() : std::upper_bound(from, times.end(), track.times[right]);
    std::fill(dirty.begin() + (from - times.begin()), dirty.begin() + (to - times.begin()), std::uint8_t{1});
}

/// Puts the proposed keys back. Returns false if there are none.
bool apply(const std::vector<KeyTrack>& tracks, const std::vector<std::vector<Proposal>>& proposals,
           const std::vector<float>& times, std::vector<Kept>& kept, std::vector<std::uint8_t>& dirty) {
    bool any = false;
    std::fill(dirty.begin(), dirty.end(), std::uint8_t{0});
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        for (const Proposal& proposal : proposals[i]) {
            mark_gap(tracks[i], kept[i], proposal.key, times, dirty);
            kept[i][proposal.key] = 1;
            any = true;
        }
    }
    return any;
}

/// Checks the marked times.
Result<void> check_marked(const std::vector<std::uint8_t>& dirty, const std::vector<float>& times,
                          Round& round, const Job& job, double done) {
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (i % times_between_reports == 0) {
            TRY_VOID(job.report(done));
        }
        if (dirty[i] != 0) {
            round.check(i, times[i]);
        }
    }
    return {};
}

}  // namespace

Result<void> put_keys_back(const PlayedMotion& motion, const std::vector<float>& times, const Bound& bound,
                           std::vector<Kept>& kept, const Job& job, std::uint64_t& operations) {
    std::vector<std::uint8_t> dirty(times.size(), 1);
    for (int count = 0; count < 2 * rounds_of_single_keys; ++count) {
        Round round(motion, kept, bound, count >= rounds_of_single_keys);
        operations +=
            motion.tracks.size() * static_cast<std::size_t>(std::count(dirty.begin(), dirty.end(), 1));
        TRY_VOID(check_marked(dirty, times, round, job, count / (count + 4.0)));
        if (!apply(motion.tracks, round.proposals(), times, kept, dirty)) {
            return {};
        }
    }
    for (Kept& all : kept) {
        std::fill(all.begin(), all.end(), std::uint8_t{1});
    }
    return {};
}

Result<Errors> largest_errors(const PlayedMotion& motion, const std::vector<float>& times,
                              const std::vector<Kept>& kept, const Job& job) {
    PosePass pass(motion, kept);
    Errors errors;
    double most_chord = 0.0;
    const auto widen_position = [&](double millimetres, const std::string& joint, float seconds) {
        if (millimetres > errors.position_mm) {
            errors.position_mm = millimetres;
            errors.position_joint = joint;
            errors.position_at_seconds = seconds;
        }
    };
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (i % times_between_reports == 0) {
            TRY_VOID(job.report(static_cast<double>(i) / static_cast<double>(times.size())));
        }
        pass.go_to(i, times[i]);
        const auto tracks_now = pass.track_errors();
        for (std::size_t t = 0; t < tracks_now.size(); ++t) {
            const std::string& name = motion.tracks[t].name;
            if (tracks_now[t].rotation_chord > most_chord) {
                most_chord = tracks_now[t].rotation_chord;
                errors.rotation_joint = name;
                errors.rotation_at_seconds = times[i];
            }
            if (!motion.tracks[t].node) {
                widen_position(glm::length(tracks_now[t].moved) * 1000.0, name, times[i]);
            }
        }
        for (const std::size_t node : pass.nodes()) {
            widen_position(pass.position_error_mm(node), motion.skeleton.nodes[node].name, times[i]);
        }
    }
    errors.rotation_degrees = degrees_of_chord(most_chord);
    return errors;
}

}  // namespace animbridge::reduce

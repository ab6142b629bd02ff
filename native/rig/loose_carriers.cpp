// SPDX-License-Identifier: MIT
#include "rig/loose_carriers.h"

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>

namespace animbridge::rig {

namespace {

/// Bones from which the search continues. Gaps are a few joints long; this keeps large rigs fast.
constexpr std::size_t most_carrier_steps = 32;

class CarrierSearch {
public:
    CarrierSearch(const SampleView& samples, const Armature& armature, const BoneMap& map,
                  const LooseBone& loose)
        : samples_(samples),
          armature_(armature),
          map_(map),
          loose_(loose),
          came_from_(armature.bones.size()) {}

    std::vector<std::size_t> find() {
        std::vector<std::size_t> reached = {loose_.bone};
        for (std::size_t step = 0; step < std::min(reached.size(), most_carrier_steps); ++step) {
            const std::size_t from = reached[step];
            for (std::size_t bone = 0; bone < armature_.bones.size(); ++bone) {
                if (map_.node_of_bone[bone] || came_from_[bone] || !carries(bone, from)) {
                    continue;
                }
                came_from_[bone] = from;
                if (!loose_.ancestor || stays_on(*loose_.ancestor, bone)) {
                    return path_to(bone);
                }
                reached.push_back(bone);
            }
        }
        return {};
    }

private:
    /// The path from the bone next to the loose one.
    [[nodiscard]] std::vector<std::size_t> path_to(std::size_t bone) const {
        std::vector<std::size_t> path;
        for (std::size_t at = bone; at != loose_.bone; at = *came_from_[at]) {
            path.push_back(at);
        }
        std::reverse(path.begin(), path.end());
        return path;
    }

    [[nodiscard]] bool carries(std::size_t carrier, std::size_t carried) const {
        constexpr double same_place = 0.001;  // metres; controls have exactly their bone's position
        const auto& at = armature_.bones[carrier].rest.translation;
        return glm::length(at - armature_.bones[carried].rest.translation) > same_place &&
               stays_on(carrier, carried);
    }

    [[nodiscard]] Transform pose(std::size_t bone, std::size_t sample) const {
        std::array<float, 16> numbers{};
        const auto row =
            samples_.matrices.subspan(16 * (sample * armature_.bones.size() + bone), numbers.size());
        std::copy(row.begin(), row.end(), numbers.begin());
        return transform_of(numbers);
    }

    /// Whether a bone's head stays at its rest position on another bone, within a tenth of the motion.
    [[nodiscard]] bool stays_on(std::size_t carrier, std::size_t carried) const {
        const double tolerance = loose_.most_mm / 10000.0;  // metres
        const glm::dvec3 at_rest =
            seen_from(armature_.bones[carrier].rest, armature_.bones[carried].rest.translation);
        for (std::size_t sample = 0; sample < samples_.frames.size(); ++sample) {
            const glm::dvec3 now = seen_from(pose(carrier, sample), pose(carried, sample).translation);
            if (!(glm::length(now - at_rest) < tolerance)) {
                return false;
            }
        }
        return true;
    }

    const SampleView& samples_;
    const Armature& armature_;
    const BoneMap& map_;
    LooseBone loose_;
    std::vector<std::optional<std::size_t>> came_from_;  ///< of the bones that were reached
};

}  // namespace

std::vector<std::size_t> loose_carriers(const SampleView& samples, const Armature& armature,
                                        const BoneMap& map, const LooseBone& loose) {
    return CarrierSearch(samples, armature, map, loose).find();
}

}  // namespace animbridge::rig

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rig/humanoid/found_rig.h"
#include "rig/humanoid/rest_body.h"
#include "rig/humanoid/slots.h"

namespace animbridge::rig {

/// Which joint has which humanoid slot, while a map is being built.
class SlotMap {
public:
    struct Pair {
        std::size_t joint = 0;
        FoundBy by = FoundBy::convention;
        double score = 0;
    };

    explicit SlotMap(std::size_t joint_count);

    [[nodiscard]] const std::optional<Pair>& at(std::size_t slot) const { return pairs_[slot]; }
    [[nodiscard]] std::optional<std::size_t> joint(std::size_t slot) const {
        return pairs_[slot] ? std::optional(pairs_[slot]->joint) : std::nullopt;
    }
    [[nodiscard]] std::optional<std::size_t> joint(std::string_view slot) const {
        const auto index = find_slot(slot);
        return index ? joint(*index) : std::nullopt;
    }
    [[nodiscard]] std::optional<std::size_t> slot_of(std::size_t joint) const { return slot_of_[joint]; }
    void set(std::size_t slot, const Pair& pair);
    /// Leaves the slot without a joint, and records why.
    void drop(std::size_t slot, std::string why);
    void clear();
    [[nodiscard]] const std::string& why(std::size_t slot) const { return why_[slot]; }

    /// The nearest ancestor slot that has a joint; the root does not count.
    [[nodiscard]] std::optional<std::size_t> slot_above(std::size_t slot) const;
    [[nodiscard]] std::size_t count_required() const;

private:
    std::vector<std::optional<Pair>> pairs_;           ///< per slot
    std::vector<std::string> why_;                     ///< per slot
    std::vector<std::optional<std::size_t>> slot_of_;  ///< per joint
};

/// Whether a joint can have the slot: it is below the joint of the slot above it, and above those of the
/// slots below.
[[nodiscard]] bool is_in_place(const SlotMap& map, const RestBody& body, std::size_t slot, std::size_t joint);

/// Drops the slots whose joints are not where the tree requires them.
void drop_misplaced(SlotMap& map, const RestBody& body);

/// Unit vectors to the body's left and to its front, in clip space.
struct BodyAxes {
    glm::dvec3 left{0, 1, 0};
    glm::dvec3 forward{1, 0, 0};
};
/// From pairs of left and right joints and the line from the hips up; nullopt if there is no pair.
[[nodiscard]] std::optional<BodyAxes> body_axes(const SlotMap& map, const RestBody& body);

/// Drops slots whose side by name differs from their side by geometry. Returns a warning, or "".
[[nodiscard]] std::string drop_wrong_sides(SlotMap& map, const RestBody& body);

/// The horizontal direction in which the body faces; nullopt if the rest pose does not determine it.
[[nodiscard]] std::optional<glm::dvec3> facing_of(const SlotMap& map, const RestBody& body);

}  // namespace animbridge::rig

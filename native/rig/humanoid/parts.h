// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/clip/clip.h"
#include "rig/humanoid/humanoid.h"

/// How find_rig works, in the order of its steps: names, the best rig, the tree, gaps, and what is missing.
namespace animbridge::rig::humanoid {

// ---- the rig that explains the names ----

/// A name in a rig file.
struct KnownName {
    std::size_t rig = 0;
    std::size_t row = 0;   ///< index in the rig's slots or chains
    std::size_t rank = 0;  ///< 0: the preferred name
    bool is_chain = false;
    bool is_shared = false;    ///< the left and the right slot have the same name, as in files of one hand
    Side side = Side::centre;  ///< the slot's side
    const std::string* text = nullptr;
};

struct JointNames;

/// The names of all rigs, for look-ups in many ways of writing. `rigs` must outlive it.
class NameIndex {
public:
    explicit NameIndex(std::span<const RigFile> rigs);

    struct Found {
        std::size_t name = 0;  ///< index in names()
        double quality = 0;    ///< 0 to 1: how similarly both are written
    };
    /// The known names that a joint's name may be, each once, the most similar first.
    void look_up(const JointNames& names, std::size_t joint, std::vector<Found>& out) const;

    /// Whether the left and the right hand share this name.
    [[nodiscard]] bool is_shared(const NameTokens& tokens, const SharedTokens& shared) const;

    [[nodiscard]] const std::vector<KnownName>& names() const { return names_; }

private:
    struct Entry {
        std::size_t name = 0;
        double quality = 0;
    };
    struct Variant {
        std::size_t first = 0;
        std::size_t last = 0;
        double quality = 0;
    };
    void add_rows(std::size_t rig, const std::vector<RigNames>& rows, bool is_chain);
    void add(const KnownName& known);
    void add_key(const NameKey& key, const Entry& entry);
    [[nodiscard]] std::vector<Variant> variants(const NameTokens& tokens, const SharedTokens& shared) const;

    std::span<const RigFile> rigs_;
    std::vector<KnownName> names_;
    std::vector<std::vector<std::string>> prefixes_;
    std::unordered_map<std::string, std::vector<Entry>> entries_;
};

/// The names of joints, split once.
struct JointNames {
    /// `given`: per joint, the side if it comes from elsewhere than the name; empty: none.
    explicit JointNames(const Skeleton& skeleton, std::span<const Side> given = {});

    std::vector<std::string> written;
    std::vector<std::string> bare;   ///< without numbers and words that tell nothing: bare_names()
    std::vector<NameTokens> tokens;  ///< of the bare names
    std::vector<NameKey> keys;
    bool are_counted = false;  ///< the names end with numbers that tell nothing
    std::vector<Side> sides;   ///< from the joint's name or as given, else that of the joint above it
    SharedTokens shared;

    /// Whether a part of the joint's name begins with the word. What nearly all names begin with does not
    /// count.
    [[nodiscard]] bool has_word(std::size_t joint, std::string_view word) const;
};

/// Which joint has which slot of one rig.
struct RigMatch {
    struct Pair {
        std::size_t joint = 0;
        double quality = 0;
    };
    std::size_t rig = 0;
    std::vector<std::optional<Pair>> slots;        ///< per slot of the rig
    std::vector<std::vector<std::size_t>> chains;  ///< per chain of the rig: its joints that were found
    double total = 0;  ///< the evidence for the rig: found names minus contradictions
    double score = 0;  ///< 0 to 1
};

/// The slots that every joint can have by its name: for each known name at most eight joints, the best first.
class NameMatches {
public:
    NameMatches(const Skeleton& skeleton, const JointNames& names, const NameIndex& index,
                std::span<const RigFile> rigs);

    /// The slots of the rig that its names determine.
    [[nodiscard]] RigMatch match(std::size_t rig) const;

private:
    struct Candidate {
        std::size_t joint = 0;
        double quality = 0;
    };
    void keep(std::size_t name, Candidate candidate);
    [[nodiscard]] bool has_expected_parent(const KnownName& known, std::size_t joint) const;

    const Skeleton& skeleton_;
    const JointNames& names_;
    const NameIndex& index_;
    std::span<const RigFile> rigs_;
    std::vector<std::vector<Candidate>> candidates_;  ///< per known name
    std::vector<std::vector<std::size_t>> names_of_rig_;
};

/// The convention that explains most of the names; nullopt if none explains enough of a body or of a hand.
[[nodiscard]] std::optional<RigMatch> choose_rig(const NameMatches& matches, std::span<const RigFile> rigs,
                                                 const JointNames& names, const RestBody& body, RigUse use);

/// Whether enough names match to identify the convention: 6 of 15 required parts, or most of a hand.
[[nodiscard]] bool is_enough(const RigMatch& match, const RigFile& rig);

// ---- slots, checked by the tree and the rest pose ----

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

/// The matched slots that are parts of a humanoid body.
[[nodiscard]] SlotMap map_of(const RigMatch& match, const RigFile& rig, std::size_t joint_count, FoundBy by);

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

/// Which way the parts that have a front say that the body faces, if the map's sides are right: 1 forward, -1
/// backward, 0 nothing.
struct FrontSigns {
    int feet = 0;     ///< feet, else eyes, else thumbs
    int hinges = 0;   ///< knees bend forward, and elbows backward: 2 if both do so clearly
    int thighs = 0;   ///< thighs that are raised point forward: legs swing less far backward
    int targets = 0;  ///< joints beside the body at which head and knees point

    /// How many say that the body faces forward, minus those that say backward.
    [[nodiscard]] int sum() const { return feet + hinges + thighs + targets; }
};
[[nodiscard]] FrontSigns front_signs(const SlotMap& map, const RestBody& body);

/// Exchanges left and right.
[[nodiscard]] SlotMap with_swapped_sides(const SlotMap& map, std::size_t joint_count);

/// Drops slots whose side by name differs from their side by geometry. If feet and hinges agree that the
/// names swap all sides, they are exchanged. Returns a warning, or "".
[[nodiscard]] std::string check_sides(SlotMap& map, const RestBody& body);

/// The horizontal direction in which the body faces; nullopt if the rest pose does not determine it.
[[nodiscard]] std::optional<glm::dvec3> facing_of(const SlotMap& map, const RestBody& body);

// ---- joints without a slot ----

/// The roles of joints without a slot, from patterns of their names.
class JointRoles {
public:
    /// Uses the patterns of one rig.
    explicit JointRoles(const RigFile& rig);
    /// If no rig fits: uses the patterns that all rigs agree on.
    explicit JointRoles(std::span<const RigFile> rigs);

    [[nodiscard]] JointRole of(std::string_view name) const;
    /// By the joint's name as written, else by its bare name, else by its words.
    [[nodiscard]] JointRole of(const JointNames& names, std::size_t joint) const;
    [[nodiscard]] std::vector<JointRole> of_all(const JointNames& names) const;

private:
    struct Pattern {
        std::string text;
        bool open_begin = false;
        bool open_end = false;
        JointRole role = JointRole::none;
    };
    void add(JointRole role, const std::string& pattern);

    std::unordered_map<std::string, JointRole> whole_;
    std::vector<Pattern> open_;
};

/// Joints that move one part together, between two slots of the body. The tree defines them; the rig file's
/// names do where the tree cannot (joints that are not each other's parents, a tail, a chain of the caller's
/// own). `match` and `rig` may be null.
[[nodiscard]] std::vector<FoundChain> find_chains(const SlotMap& map, const RestBody& body,
                                                  const JointNames& names,
                                                  const std::vector<JointRole>& roles, const RigMatch* match,
                                                  const RigFile* rig);

// ---- what the names of a convention leave open ----

/// The slots that a joint's name means in any rig: each once, in the order of humanoid_slots().
class NameMeanings {
public:
    NameMeanings(const JointNames& names, const NameIndex& index, std::span<const RigFile> rigs)
        : names_(names), index_(index), rigs_(rigs) {}

    [[nodiscard]] std::vector<std::size_t> of(std::size_t joint) const;
    /// Whether the names of two joints are different, but only in their numbers.
    [[nodiscard]] bool differ_in_number(std::size_t one, std::size_t other) const;
    /// Whether, besides, the other one's number is larger.
    [[nodiscard]] bool counts_on(std::size_t one, std::size_t other) const;

private:
    const JointNames& names_;
    const NameIndex& index_;
    std::span<const RigFile> rigs_;
};

/// Drops slots whose joint's name has several meanings, unless a neighbour confirms this one.
void drop_unconfirmed(SlotMap& map, const NameMeanings& meanings);

/// Fills empty slots by names that mean one slot in all rigs, and by names with several meanings if the
/// joints above and below leave only one. `open`: per slot, whether it may be filled; `roles`: joints with a
/// role get no slot.
void fill_by_name(SlotMap& map, const RestBody& body, const NameMeanings& meanings,
                  const std::vector<bool>& open, const std::vector<JointRole>& roles);

/// Moves the neck up if its joint carries the arms: then that joint is the last of the spine (Rigify's
/// metarig in MPFB). `neck_chain`: joints of the convention's neck.
void mend_neck(SlotMap& map, const RestBody& body, const std::vector<std::size_t>& neck_chain);

/// Fills the root with the joint above all others of the body, if its name may mean the root.
void fill_root(SlotMap& map, const RestBody& body, const NameMeanings& meanings);

/// Fills a limb's middle or upper part with the only joint between its neighbours, if it is on their side.
void fill_by_structure(SlotMap& map, const RestBody& body, const JointNames& names,
                       const std::vector<JointRole>& roles);

/// Where two joints in a row may be the foot by their names, an ankle and a foot, the upper one is it, and
/// the other one is the toes. The same goes for lower legs: those of hoofed bodies have two parts.
void mend_legs(SlotMap& map, const RestBody& body, const NameMeanings& meanings);

/// Fills feet and hands that controls hold: a leg or an arm ends at its lower part, and a joint with the name
/// of the end is near it, elsewhere in the tree.
void fill_severed(SlotMap& map, const RestBody& body, const NameMeanings& meanings);

/// The slots without a joint: those that a body needs, those that the rig file lists, and fingers of a hand
/// that has others; each with the nearest joints and the reason. `rig`: null if no rig file fits.
[[nodiscard]] std::vector<MissingSlot> missing_slots(const SlotMap& map, const RestBody& body,
                                                     const JointNames& names, const NameMeanings& meanings,
                                                     const RigFile* rig);

// ---- the body by its shape alone ----

/// A limb of a shape: a chain of joints, and which of them are upper part, lower part and end.
struct ShapedLimb {
    std::size_t top = 0;                ///< the child of the torso that begins it
    std::vector<std::size_t> joints{};  ///< those that have a bone, top first
    std::vector<double> breadths{};     ///< per joint: how far it is from that of the other limb
    std::size_t last = 0;               ///< index of the last joint that can be the hand or the foot
    std::optional<std::size_t> palm{};  ///< the joint at which fingers part
    std::array<std::optional<std::size_t>, 3> parts{};  ///< joints: upper, lower, hand or foot
    bool is_arm = false;
    Side side = Side::centre;
    double score = 0;

    /// Whether it and its other limb have a joint (an index) in one place: collarbones do, upper arms and
    /// legs don't. `length`: of the limb.
    [[nodiscard]] bool begin_together(std::size_t joint, double length) const;
    /// How well three of its joints (indices) divide the limb: evenly, straight between them, and wholly.
    [[nodiscard]] double score_of(const RestBody& body, const std::array<std::size_t, 3>& at) const;
    /// Chooses the best `parts` of those in which the `fixed` ones (indices) have their place. `other`: the
    /// limb on the other side, for the parts that are best for both; null: none.
    void choose(const RestBody& body, const std::array<std::optional<std::size_t>, 3>& fixed,
                const ShapedLimb* other = nullptr);
};

/// The name of a part on the limb's side: "leftToes" for "Toes".
[[nodiscard]] std::string slot_of(const ShapedLimb& limb, const char* part);
/// The slot of the limb's upper part (0), lower part (1) or end (2).
[[nodiscard]] std::size_t part_slot(const ShapedLimb& limb, std::size_t part);

/// What structure and geometry say of a skeleton, whatever its names are.
struct BodyShape {
    SlotMap map;
    std::array<ShapedLimb, 4> limbs{};  ///< two legs, two arms
    std::size_t legs_at = 0;            ///< the joint at which the legs part
    std::size_t arms_at = 0;            ///< the joint at which the arms part
    std::vector<std::size_t> spine{};   ///< the joints above the hips, up to the arms
    std::span<const JointRole>
        roles{};  ///< per joint, by its name; a joint with one fills no slot beside a limb
    bool sides_by_name = false;
    bool sides_are_known = true;   ///< false: neither names nor the body say which side is the left one
    std::string looks_like{};      ///< "four legs"; empty: a person
    bool lacks_head = false;       ///< and no more than a head above the arms
    bool are_limbs_named = false;  ///< it stands upright, and its arms and legs are called so, with a side
};

/// Two mirrored chains to the ground, one chain up, two mirrored chains where it parts. nullopt: the skeleton
/// has no such body. Names only decide sides; leaves with a role do not count. Time is about linear in the
/// joints.
[[nodiscard]] std::optional<BodyShape> find_shape(const RestBody& body, const JointNames& names,
                                                  const std::vector<JointRole>& roles);

/// Whether a spine lies across the direction of the legs, as in animals.
[[nodiscard]] bool is_across(const glm::dvec3& legs, const glm::dvec3& spine);

/// Whether the shape's arms and legs are those that the names know, if they know most of them. If not, the
/// shape is that of something else in the file.
[[nodiscard]] bool is_same_body(const SlotMap& map, const BodyShape& shape, const RestBody& body);

/// Fills the slots of the spine that are empty with these joints: the first, the middle and the last.
void fill_spine(SlotMap& map, const std::vector<std::size_t>& spine);

/// Names and shape together: the shape fills what names lack. Where they differ, it decides which joint hangs
/// where, unless the names divide a limb about as well.
void agree(SlotMap& map, BodyShape shape, const RestBody& body, const NameMeanings& meanings);

}  // namespace animbridge::rig::humanoid

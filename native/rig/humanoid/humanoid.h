// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "model/clip/clip.h"

/// Which joint of any skeleton is which part of a human body, by rig files, names and rest poses: find_rig
/// (docs/rig-maps.md). Clip space, metres.
namespace animbridge::rig::humanoid {

// ---- the parts of a body ----

enum class Side : unsigned char { centre, left, right };

/// A part of a body: VRM 1.0's 55 humanoid bones by their names there, and parts that VRM lacks: the root,
/// the fingers' metacarpals, the palm, fingertips, heel and toe tip.
struct Slot {
    std::string_view name;    ///< "leftUpperArm"
    std::string_view parent;  ///< the slot above it: "leftShoulder"; "" for the root
    std::string_view toward;  ///< the slot that it points at: "leftLowerArm"; "" if none is defined
    Side side = Side::centre;
    bool required = false;  ///< one of VRM's 15 required bones
};

/// Parents before children.
[[nodiscard]] std::span<const Slot> humanoid_slots();

/// The index of a slot in humanoid_slots(); nullopt if the name is not a slot.
[[nodiscard]] std::optional<std::size_t> find_slot(std::string_view name);

/// The same part on the other side: "leftHand" for "rightHand"; a central part is its own mirror.
[[nodiscard]] std::size_t mirrored_slot(std::size_t slot);

// ---- what is found in a skeleton ----

/// How the joint of a slot was found.
enum class FoundBy : std::uint8_t {
    given,       ///< the caller's rig file, or a map inside the file itself
    convention,  ///< a name of the rig's convention
    name,        ///< a name from elsewhere, in a gap that the convention leaves
    structure,   ///< the joint's place in the tree, confirmed by a name or a side
    shape,       ///< the shape of the body, whatever the joint's name is
};

struct FoundSlot {
    std::string slot;  ///< a humanoid slot's name, or a name of the caller's rig file
    std::size_t joint = 0;
    FoundBy by = FoundBy::convention;
    double score = 1;  ///< 0 to 1
};

/// Joints, each below the last, that move one part together: "spine" (above the hips, up to the neck),
/// "neck", "tail", "leftUpperArm" if a rig splits that bone. They include the joints of slots.
struct FoundChain {
    std::string name;
    std::vector<std::size_t> joints;  ///< at least two, top first; not necessarily each other's parents
};

struct MissingSlot {
    std::string slot;
    std::vector<std::size_t> candidates;  ///< the nearest ones, best first
    std::string why;
};

/// What a joint without a slot is for.
enum class JointRole : std::uint8_t { none, twist, helper, leaf, attachment };

struct FoundRig {
    std::string convention;            ///< the rig file's id; "" if no rig file fits
    double score = 0;                  ///< 0 to 1
    std::optional<glm::dvec3> facing;  ///< the horizontal unit vector in which the body faces, clip space
    double height_metres = 0;          ///< of the rest pose, lowest to highest joint
    std::vector<FoundSlot> slots;      ///< in the order of humanoid_slots()
    std::vector<FoundChain> chains;
    std::vector<MissingSlot> missing;
    std::vector<JointRole> roles;       ///< per joint
    std::vector<std::size_t> unmapped;  ///< joints without a slot, a chain or a role
    std::vector<std::string> warnings;  ///< sentences
    std::string looks_like;             ///< what the body has that no person has: "four legs"; else ""
    /// The names are those of one hand, and none says left or right. Then nothing is found.
    bool is_hand_without_side = false;
    bool swaps_sides = false;  ///< by the body, the names call the left side right
    /// Per joint: its local rotation in the rig file's reference pose; nullopt: as at rest. Empty: the file
    /// has none.
    std::vector<std::optional<glm::dquat>> reference_local;

    [[nodiscard]] std::optional<std::size_t> joint_of(std::string_view slot) const {
        for (const FoundSlot& found : slots) {
            if (found.slot == slot) {
                return found.joint;
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] std::vector<std::size_t> joints_of(std::span<const std::string_view> slots_wanted) const {
        std::vector<std::size_t> joints;
        for (const std::string_view slot : slots_wanted) {
            if (const auto joint = joint_of(slot)) {
                joints.push_back(*joint);
            }
        }
        return joints;
    }
};

// ---- rig files: the names of a rig's joints, as data ----

/// The role of a rig in a retarget.
enum class RigUse : std::uint8_t { source, target };

/// An entry of the file, and the names that belong to it.
struct RigNames {
    std::string of;
    std::vector<std::string> names;  ///< as in files of the rig; the preferred one first
};

struct RigFile {
    std::string id;
    std::string title;
    std::string source;
    std::string licence;
    std::string note;
    std::int64_t rank = 1000;           ///< if several rigs are equally good, the lowest is reported
    std::optional<RigUse> use;          ///< if the names are of bones for one purpose only
    bool loose = false;                 ///< the joints of slots are not each other's parents
    bool built_in = false;              ///< the built-in rigs fill the gaps that this file leaves
    std::vector<std::string> prefixes;  ///< what may precede every name
    std::vector<RigNames> slots;        ///< per slot: its names
    std::vector<RigNames> parents;      ///< per name: names of joints above it, of which one is expected
    std::vector<RigNames> chains;       ///< per chain: its joints, top first
    std::vector<std::pair<JointRole, std::vector<std::string>>> roles;  ///< patterns: '*' only at the ends
    std::vector<std::pair<std::string, glm::dquat>> reference;  ///< joint, local rotation in clip space

    /// Whether it has slots, and all of them are parts of a humanoid body.
    [[nodiscard]] bool is_humanoid() const;
};

/// Reads a rig file. ErrorCode::bad_value names the member at fault: unknown, missing, of another type, or
/// too long.
[[nodiscard]] Result<RigFile> read_rig_file(std::string_view json);

/// What the readers of rig files and of rig maps share. ErrorCode::bad_value names the member.
[[nodiscard]] Error rig_member_error(std::string reason, std::string member);
/// Text that is not empty.
[[nodiscard]] Result<std::string> rig_text(const Json& value, const std::string& member);
[[nodiscard]] Result<std::vector<std::string>> rig_texts(const Json& value, const std::string& member,
                                                         std::size_t most);
[[nodiscard]] Result<bool> rig_switch(const Json& root, const char* member);
/// Version 1, in the first of the `known` members, and no unknown ones. `what`: "a rig file".
[[nodiscard]] Result<void> check_rig_members(const Json& root, std::span<const std::string_view> known,
                                             std::string_view what);

/// The rigs of people that come with the library; read at the first call. Others, such as "quadruped", count
/// only if the caller names them.
[[nodiscard]] const std::vector<RigFile>& built_in_rigs();

/// The texts of all rig files that come with the library.
[[nodiscard]] std::span<const std::string_view> built_in_rig_texts();

/// One of them. ErrorCode::bad_value lists all ids.
[[nodiscard]] Result<std::string_view> built_in_rig_text(std::string_view id);

// ---- finding ----

/// Which joint is which part of a body. Whole conventions come first, then names in the gaps that the best
/// one leaves, then the joint's place in the tree if a name or a side confirms it. A slot that would be a
/// guess stays empty and is listed as missing; a skeleton that no rig file fits gets no slots.
///
/// `known`: usually built_in_rigs(). `own`: the caller's rig file, whose names take precedence and whose
/// slots may have any names; null: none. `use`: the purpose of the skeleton, for armatures with a set of
/// bones for each purpose. ErrorCode::bad_value: no joint has a name of `own`. Time is about linear in the
/// joints.
[[nodiscard]] Result<FoundRig> find_rig(const Skeleton& skeleton, std::span<const RigFile> known,
                                        const RigFile* own = nullptr, RigUse use = RigUse::source);

/// Exchanges the left and the right parts of a rig that was found.
void swap_sides(FoundRig& rig);

/// The report that `animbridge rig --json` prints (docs/rig-maps.md).
[[nodiscard]] Json rig_json(const FoundRig& rig, const Skeleton& skeleton);

/// "given", "convention", "name", "structure" or "shape".
[[nodiscard]] std::string_view name_of(FoundBy by);

// ---- names of joints, in the many ways of writing one: "mixamorig:LeftArm", "arm_l", "LEFT.ARM" ----

/// The parts of a name in lower case: split at separators, digits and capitals; without its namespace, and
/// with full-width letters and letters with accents as ASCII. Empty for names above 256 bytes, which no rig
/// has.
struct NameTokens {
    std::vector<std::string> tokens;
};

/// The meaning of a name, regardless of how it is written.
struct NameKey {
    std::string whole;         ///< all tokens, including the side: "leftarm"
    std::string part;          ///< without the side: "arm"
    Side side = Side::centre;  ///< the name's side; centre: it has none
};

/// The name after its last colon or bar.
[[nodiscard]] std::string_view without_namespace(std::string_view name);

[[nodiscard]] NameTokens tokens_of(std::string_view name);

/// The key of some tokens. Digits with a separator between them stay separate: "finger1-1" is not "finger11".
[[nodiscard]] NameKey key_of(const NameTokens& name, std::size_t first = 0,
                             std::size_t last = ~std::size_t{0});

/// left or right if the token alone means that: "l", "left", "links", "hidari"...
[[nodiscard]] std::optional<Side> side_of_token(std::string_view token);

/// The tokens at the beginning and the end that two of three names share: "rig_" and "_jnt". A side is not a
/// prefix, and a number is not a suffix.
struct SharedTokens {
    std::vector<std::string> prefix;
    std::vector<std::string> suffix;
    std::string beginning;  ///< what nearly all names begin with, also those that have no other token
};
[[nodiscard]] SharedTokens shared_tokens(const std::vector<NameTokens>& names);

/// Whether two thirds of the names end with a separator and a number, each with a different one: exporters
/// count joints like that ("Hips_01", "Spine_02").
[[nodiscard]] bool has_numbers_of_their_own(std::span<const std::string> names);

/// The name without a separator and a number at its end.
[[nodiscard]] std::string_view without_number(std::string_view name);

/// The names without such numbers if they have them, without ".x" beside ".l" and ".r", and without words
/// such as "bind" and "JNT" if at least half of the names have one.
[[nodiscard]] std::vector<std::string> bare_names(std::span<const std::string> names);

/// How many tokens of the name are the prefix; 0 if the name does not begin with it, or consists only of it.
[[nodiscard]] std::size_t prefix_length(const NameTokens& name, const std::vector<std::string>& prefix);
[[nodiscard]] std::size_t suffix_length(const NameTokens& name, const std::vector<std::string>& suffix);

/// The name without its namespace, in lower case, each separator as "_": the form that patterns match.
[[nodiscard]] std::string plain_name(std::string_view name);

// ---- the rest pose ----

/// The tree and the rest pose of a skeleton, indexed for finding a map. Time and memory are linear in the
/// joints.
class RestBody {
public:
    explicit RestBody(const Skeleton& skeleton);

    [[nodiscard]] std::size_t joint_count() const { return heads_.size(); }
    /// Clip space, metres.
    [[nodiscard]] const glm::dvec3& head(std::size_t joint) const { return heads_[joint]; }
    [[nodiscard]] const std::vector<std::size_t>& children(std::size_t joint) const {
        return children_[joint];
    }
    [[nodiscard]] const std::optional<std::size_t>& parent(std::size_t joint) const {
        return parents_[joint];
    }
    /// Whether `above` is an ancestor of `joint`, or the joint itself.
    [[nodiscard]] bool is_above(std::size_t above, std::size_t joint) const {
        return first_[above] <= first_[joint] && first_[joint] < last_[above];
    }
    /// Whether the joint's head is where its parent's is: there is no bone between them.
    [[nodiscard]] bool is_at_parent(std::size_t joint) const { return at_parent_[joint]; }
    /// Whether the joint carries nothing but another one in its place, which is the one that counts: it
    /// carries joints, unless they are a face's, or the joint's name begins with its name.
    [[nodiscard]] bool hands_over(std::size_t joint) const { return hands_over_[joint]; }
    /// Whether neither the joint nor one below it moves a mesh, although others do: it is a control, or an
    /// end.
    [[nodiscard]] bool is_idle(std::size_t joint) const { return idle_[joint]; }
    /// Whether it is no joint, but a mesh that hangs on one: a hat, or a hand of its own.
    [[nodiscard]] bool is_attachment(std::size_t joint) const { return attachment_[joint]; }
    /// The joints from `above` down to `joint`, including both; empty if `above` is not an ancestor.
    [[nodiscard]] std::vector<std::size_t> path(std::size_t above, std::size_t joint) const;
    [[nodiscard]] double height_metres() const { return height_metres_; }

private:
    void place(const Skeleton& skeleton);
    void number(const Skeleton& skeleton);
    void measure();
    void find_doubles(const Skeleton& skeleton);

    std::vector<glm::dvec3> heads_;
    std::vector<std::optional<std::size_t>> parents_;
    std::vector<std::vector<std::size_t>> children_;
    std::vector<std::size_t> first_;  ///< position in depth-first order: a joint's descendants follow it
    std::vector<std::size_t> last_;   ///< one after its last descendant
    std::vector<bool> at_parent_;
    std::vector<bool> hands_over_;
    std::vector<bool> idle_;
    std::vector<bool> attachment_;
    double height_metres_ = 0;
};

}  // namespace animbridge::rig::humanoid

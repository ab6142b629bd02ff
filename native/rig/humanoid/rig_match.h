// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/clip/clip.h"
#include "rig/humanoid/joint_name.h"
#include "rig/humanoid/rig_file.h"

namespace animbridge::rig {

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

/// The names of all rigs, for look-ups in many ways of writing. `rigs` must outlive it.
class NameIndex {
public:
    explicit NameIndex(std::span<const RigFile> rigs);

    struct Found {
        std::size_t name = 0;  ///< index in names()
        double quality = 0;    ///< 0 to 1: how similarly both are written
    };
    /// The known names that a joint's name may be, each once, the most similar first. `side`: the joint's,
    /// for names that both hands share.
    void look_up(std::string_view name, const NameTokens& tokens, const SharedTokens& shared, Side side,
                 std::vector<Found>& out) const;

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

    std::vector<NameTokens> tokens;
    std::vector<NameKey> keys;
    std::vector<Side> sides;  ///< from the joint's name or as given, else that of the joint above it
    SharedTokens shared;
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

}  // namespace animbridge::rig

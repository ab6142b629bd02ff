// SPDX-License-Identifier: MIT
#include "rig/humanoid/humanoid.h"

#include <algorithm>
#include <tuple>

#include "rig/humanoid/parts.h"

namespace animbridge::rig::humanoid {

namespace {

// How similar two names are. Only the order matters, and that a rig with its own names beats any other.
constexpr double same_name = 1.0;
constexpr double same_letters = 0.98;  ///< except for case and separators
constexpr double same_part = 0.95;     ///< the side is written differently
constexpr double loss_of_prefix = 0.03;
constexpr double loss_of_words = 0.01;  ///< without a number and words that tell nothing
constexpr double wrong_parent = 0.3;
constexpr double idle = 0.3;  ///< moves no mesh, although another joint with the name does

constexpr std::size_t most_joints_per_name = 8;
constexpr std::size_t parents_looked_at = 4;

std::string side_letter(Side side) { return side == Side::left ? "L:" : side == Side::right ? "R:" : "C:"; }

/// Sets the slot's side, and whether the other side's slot has the name too.
void say_side(const RigFile& rig, KnownName& known) {
    const auto slot = known.is_chain ? std::nullopt : find_slot(rig.slots[known.row].of);
    if (!slot || humanoid_slots()[*slot].side == Side::centre) {
        return;
    }
    known.side = humanoid_slots()[*slot].side;
    const std::string_view other = humanoid_slots()[mirrored_slot(*slot)].name;
    known.is_shared = std::ranges::any_of(rig.slots, [&](const RigNames& row) {
        return row.of == other && std::ranges::find(row.names, *known.text) != row.names.end();
    });
}

}  // namespace

NameIndex::NameIndex(std::span<const RigFile> rigs) : rigs_(rigs) {
    for (const RigFile& rig : rigs) {
        for (const std::string& prefix : rig.prefixes) {
            prefixes_.push_back(tokens_of(prefix).tokens);
        }
    }
    std::ranges::sort(prefixes_);
    prefixes_.erase(std::unique(prefixes_.begin(), prefixes_.end()), prefixes_.end());
    for (std::size_t rig = 0; rig < rigs.size(); ++rig) {
        add_rows(rig, rigs[rig].slots, false);
        add_rows(rig, rigs[rig].chains, true);
    }
}

void NameIndex::add_rows(std::size_t rig, const std::vector<RigNames>& rows, bool is_chain) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
        for (std::size_t rank = 0; rank < rows[row].names.size(); ++rank) {
            KnownName known{rig, row, rank, is_chain, false, Side::centre, &rows[row].names[rank]};
            say_side(rigs_[rig], known);
            add(known);
        }
    }
}

void NameIndex::add(const KnownName& known) {
    const std::size_t name = names_.size();
    names_.push_back(known);
    const NameTokens tokens = tokens_of(*known.text);
    add_key(key_of(tokens), {name, same_letters});
    for (const std::string& prefix : rigs_[known.rig].prefixes) {
        if (const std::size_t length = prefix_length(tokens, tokens_of(prefix).tokens); length > 0) {
            add_key(key_of(tokens, length), {name, same_letters - loss_of_prefix});
            break;
        }
    }
}

void NameIndex::add_key(const NameKey& key, const Entry& entry) {
    if (key.whole.empty()) {
        return;
    }
    entries_["=" + key.whole].push_back(entry);
    const KnownName& known = names_[entry.name];
    if (known.is_shared) {
        entries_[side_letter(known.side) + "hand:" + key.whole].push_back(entry);
    } else if (key.side != Side::centre && !key.part.empty()) {
        entries_[side_letter(key.side) + key.part].push_back(entry);
    }
}

std::vector<NameIndex::Variant> NameIndex::variants(const NameTokens& tokens,
                                                    const SharedTokens& shared) const {
    std::vector<Variant> made = {{0, tokens.tokens.size(), 0}};
    const auto add_variant = [&](std::size_t first, std::size_t last) {
        if (first + last > 0 && first + last < tokens.tokens.size()) {
            made.push_back({first, tokens.tokens.size() - last, loss_of_prefix});
        }
    };
    const std::size_t first = prefix_length(tokens, shared.prefix);
    const std::size_t last = suffix_length(tokens, shared.suffix);
    // "Armature_J_Bip_C_Hips": what all names share may be part of the rig's own names.
    for (std::size_t length = 1; length <= shared.prefix.size(); ++length) {
        if (length < tokens.tokens.size() &&
            std::equal(tokens.tokens.begin(), tokens.tokens.begin() + static_cast<std::ptrdiff_t>(length),
                       shared.prefix.begin())) {
            add_variant(length, 0);
        }
    }
    add_variant(0, last);
    if (first > 0 && last > 0) {
        add_variant(first, last);
    }
    for (const auto& prefix : prefixes_) {
        if (const std::size_t length = prefix_length(tokens, prefix); length > 0 && length != first) {
            add_variant(length, 0);
        }
    }
    return made;
}

void NameIndex::look_up(const JointNames& names, std::size_t joint, std::vector<Found>& out) const {
    out.clear();
    const std::string_view bare = without_namespace(names.written[joint]);
    const Side side = names.sides[joint];
    const auto take = [&](const std::string& key, double loss, bool only_same) {
        const auto found = entries_.find(key);
        if (found == entries_.end()) {
            return;
        }
        for (const Entry& entry : found->second) {
            const KnownName& known = names_[entry.name];
            const bool is_same = without_namespace(*known.text) == bare;
            if ((known.is_shared && known.side != side) || (only_same && !is_same)) {
                continue;
            }
            out.push_back({entry.name, is_same ? same_name : entry.quality - loss});
        }
    };
    const auto take_all = [&](const NameTokens& tokens, double less, bool only_same) {
        for (const Variant& variant : variants(tokens, names.shared)) {
            const NameKey key = key_of(tokens, variant.first, variant.last);
            const double lost = variant.quality + less;
            take("=" + key.whole, lost, only_same);
            const double loss = lost + same_letters - same_part;
            if (key.side != Side::centre && !key.part.empty()) {
                take(side_letter(key.side) + key.part, loss, only_same);
                take(side_letter(key.side) + "hand:" + key.part, loss, only_same);
            } else if (side != Side::centre) {
                take(side_letter(side) + "hand:" + key.whole, loss, only_same);
            }
        }
    };
    const NameTokens written = tokens_of(bare);
    const bool is_plain = written.tokens == names.tokens[joint].tokens;
    take_all(names.tokens[joint], is_plain ? 0 : loss_of_words, false);
    if (!is_plain) {
        take_all(written, 0, names.are_counted);
    }
    std::ranges::sort(out, [](const Found& a, const Found& b) {
        return std::tuple(a.name, -a.quality) < std::tuple(b.name, -b.quality);
    });
    out.erase(
        std::unique(out.begin(), out.end(), [](const Found& a, const Found& b) { return a.name == b.name; }),
        out.end());
}

bool NameIndex::is_shared(const NameTokens& tokens, const SharedTokens& shared) const {
    const auto possible = variants(tokens, shared);
    return std::ranges::any_of(possible, [&](const Variant& variant) {
        const auto found = entries_.find("=" + key_of(tokens, variant.first, variant.last).whole);
        return found != entries_.end() && std::ranges::any_of(found->second, [&](const Entry& entry) {
                   return names_[entry.name].is_shared;
               });
    });
}

namespace {

std::vector<std::string> joint_names_of(const Skeleton& skeleton) {
    std::vector<std::string> names;
    names.reserve(skeleton.nodes.size());
    for (const Node& node : skeleton.nodes) {
        names.push_back(node.name);
    }
    return names;
}

}  // namespace

JointNames::JointNames(const Skeleton& skeleton, std::span<const Side> given)
    : written(joint_names_of(skeleton)),
      bare(bare_names(written)),
      are_counted(has_numbers_of_their_own(written)),
      sides(skeleton.nodes.size(), Side::centre) {
    tokens.reserve(bare.size());
    for (const std::string& name : bare) {
        tokens.push_back(tokens_of(name));
    }
    shared = shared_tokens(tokens);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::size_t first = prefix_length(tokens[i], shared.prefix);
        keys.push_back(key_of(tokens[i], first));
        const auto parent = skeleton.nodes[i].parent;
        const Side above = parent ? sides[*parent] : Side::centre;
        const Side own = keys[i].side != Side::centre || given.empty() ? keys[i].side : given[i];
        sides[i] = own != Side::centre ? own : above;
    }
}

bool JointNames::has_word(std::size_t joint, std::string_view word) const {
    const auto& all = tokens[joint].tokens;
    const bool begins_alike = !all.empty() && all.front() == shared.beginning;
    const std::size_t first =
        std::max<std::size_t>(prefix_length(tokens[joint], shared.prefix), begins_alike ? 1 : 0);
    return std::any_of(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(), [&](const auto& token) {
        const bool is_other = token.starts_with("armature") || token.starts_with("armo");  // armor
        return token.starts_with(word) && !(word == "arm" && is_other);
    });
}

NameMatches::NameMatches(const Skeleton& skeleton, const JointNames& names, const NameIndex& index,
                         std::span<const RigFile> rigs)
    : skeleton_(skeleton),
      names_(names),
      index_(index),
      rigs_(rigs),
      candidates_(index.names().size()),
      names_of_rig_(rigs.size()) {
    for (std::size_t name = 0; name < index.names().size(); ++name) {
        names_of_rig_[index.names()[name].rig].push_back(name);
    }
    std::vector<NameIndex::Found> found;
    for (std::size_t joint = 0; joint < skeleton.nodes.size(); ++joint) {
        index.look_up(names, joint, found);
        for (const NameIndex::Found& each : found) {
            keep(each.name, {joint, each.quality});
        }
    }
    for (std::size_t name = 0; name < candidates_.size(); ++name) {
        for (Candidate& candidate : candidates_[name]) {
            if (!has_expected_parent(index.names()[name], candidate.joint)) {
                candidate.quality -= wrong_parent;
            }
        }
        // Controls have the names of the joints that follow them.
        const auto is_idle = [&](const Candidate& each) { return skeleton.nodes[each.joint].is_idle; };
        const bool moves_any = !std::ranges::all_of(candidates_[name], is_idle);
        for (Candidate& candidate : candidates_[name]) {
            candidate.quality -= moves_any && is_idle(candidate) ? idle : 0.0;
        }
    }
}

void NameMatches::keep(std::size_t name, Candidate candidate) {
    auto& kept = candidates_[name];
    if (kept.size() < most_joints_per_name) {
        kept.push_back(candidate);
        return;
    }
    const auto worst = std::ranges::min_element(
        kept, [](const Candidate& a, const Candidate& b) { return a.quality < b.quality; });
    if (worst->quality < candidate.quality) {
        *worst = candidate;
    }
}

bool NameMatches::has_expected_parent(const KnownName& known, std::size_t joint) const {
    const auto& hints = rigs_[known.rig].parents;
    const auto hint =
        std::ranges::find_if(hints, [&](const RigNames& each) { return each.of == *known.text; });
    if (hint == hints.end()) {
        return true;
    }
    auto above = skeleton_.nodes[joint].parent;
    for (std::size_t i = 0; i < parents_looked_at && above; ++i, above = skeleton_.nodes[*above].parent) {
        // What all joints' names share may be part of the rig's names ("mHipLeft"), or precede them.
        const NameKey& key = names_.keys[*above];
        const NameKey whole_key = key_of(tokens_of(names_.written[*above]));
        const bool fits = std::ranges::any_of(hint->names, [&](const std::string& name) {
            const NameTokens tokens = tokens_of(name);
            NameKey expected = key_of(tokens);
            for (const std::string& prefix : rigs_[known.rig].prefixes) {
                const std::size_t length = prefix_length(tokens, tokens_of(prefix).tokens);
                expected = length > 0 ? key_of(tokens, length) : expected;
            }
            const auto is_expected = [&](const NameKey& one) {
                return expected.part == one.part && expected.side == one.side;
            };
            return is_expected(key) || is_expected(whole_key);
        });
        if (fits) {
            return true;
        }
    }
    return false;
}

RigMatch NameMatches::match(std::size_t rig) const {
    struct Claim {
        std::size_t name;
        Candidate candidate;
    };
    std::vector<Claim> claims;
    for (const std::size_t name : names_of_rig_[rig]) {
        for (const Candidate& candidate : candidates_[name]) {
            claims.push_back({name, candidate});
        }
    }
    const auto& names = index_.names();
    std::ranges::stable_sort(claims, [&](const Claim& a, const Claim& b) {
        return std::tuple(names[a.name].is_chain, names[a.name].rank, -a.candidate.quality,
                          a.candidate.joint) < std::tuple(names[b.name].is_chain, names[b.name].rank,
                                                          -b.candidate.quality, b.candidate.joint);
    });
    RigMatch made;
    made.rig = rig;
    made.slots.resize(rigs_[rig].slots.size());
    made.chains.resize(rigs_[rig].chains.size());
    std::vector<std::size_t> taken;
    for (const Claim& claim : claims) {
        const KnownName& name = names[claim.name];
        if (name.is_chain) {
            auto& chain = made.chains[name.row];
            if (std::ranges::find(chain, claim.candidate.joint) == chain.end()) {
                chain.push_back(claim.candidate.joint);  // once, if two of the chain's names mean it
            }
            continue;
        }
        if (!made.slots[name.row] && std::ranges::find(taken, claim.candidate.joint) == taken.end()) {
            made.slots[name.row] = {claim.candidate.joint, claim.candidate.quality};
            taken.push_back(claim.candidate.joint);
        }
    }
    return made;
}

}  // namespace animbridge::rig::humanoid

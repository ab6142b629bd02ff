// SPDX-License-Identifier: MIT
#include "rig/armature/armature.h"

#include <algorithm>

#include "base/json/json.h"
#include "rig/humanoid/humanoid.h"

namespace animbridge::rig::armature {

namespace {

/// How names mark the left and right of a body part; '*' is the part.
struct SideForm {
    std::string left;
    std::string right;
};

/// The pattern with `part` instead of its '*'.
std::string filled(std::string pattern, const std::string& part) {
    return pattern.replace(pattern.find('*'), 1, part);
}

bool is_pattern(const std::string& text) { return std::ranges::count(text, '*') == 1; }

/// Whether the text matches the pattern; a pattern without '*' matches only itself.
bool fits(const std::string& text, const std::string& pattern) {
    const std::size_t star = pattern.find('*');
    if (star == std::string::npos) {
        return text == pattern;
    }
    return text.size() + 1 >= pattern.size() && text.starts_with(pattern.substr(0, star)) &&
           text.ends_with(pattern.substr(star + 1));
}

// Each name is added once per pair of sides: without a limit, a small file could fill the memory.
constexpr std::size_t most_map_names = 200'000;

/// Reads JSON maps into a RigMap. Earlier names rank higher.
class Reader {
public:
    Reader(const Skeleton& skeleton, RigMap& map) : skeleton_(skeleton), map_(map) {}

    /// `roots`: the map, then the maps whose names rank after its own.
    Result<void> read(const std::vector<const Json*>& roots) {
        for (const auto& step : {&Reader::read_prefixes, &Reader::read_below_parent}) {
            TRY_VOID(each(roots, step));
        }
        TRY_VOID(read_names(*roots.front()));
        TRY_VOID(read_sides(*roots.back()));  // the defaults, for a map without "sides"
        return each(roots, &Reader::read_aliases);
    }

    Result<void> read_head(const Json& root) {
        static constexpr std::array<std::string_view, 9> known = {
            "animbridge_rig_map", "name",  "built_in", "names",       "prefixes",
            "tolerant",           "sides", "aliases",  "below_parent"};
        TRY_VOID(humanoid::check_rig_members(root, known, "a rig map"));
        TRY(auto name, text_from_json(root.value("name", Json("")), "name"));
        map_.name = std::move(name);
        return {};
    }

private:
    Result<void> each(const std::vector<const Json*>& roots, Result<void> (Reader::*step)(const Json&)) {
        for (const Json* root : roots) {
            TRY_VOID((this->*step)(*root));
        }
        return {};
    }

    Result<void> read_prefixes(const Json& root) {
        // Limited, because every name is compared with every prefix.
        TRY(const auto prefixes, humanoid::rig_texts(root.value("prefixes", Json::array()), "prefixes", 256));
        TRY(const auto tolerant,
            humanoid::rig_texts(root.value("tolerant", Json::array()), "tolerant", most_map_names));
        for (const std::string& prefix : prefixes) {
            map_.prefixes.push_back(folded_name(prefix, {}));
        }
        tolerant_.insert(tolerant_.end(), tolerant.begin(), tolerant.end());
        return {};
    }

    Result<void> read_sides(const Json& root) {
        if (!root.contains("sides")) {
            return {};
        }
        const Json& sides = root["sides"];
        constexpr std::size_t most = 64;
        if (!sides.is_array() || sides.size() > most) {
            return json_fail("sides", sides, "an array of at most 64 pairs like [\"*.L\", \"*.R\"]");
        }
        sides_.clear();
        for (const Json& pair : sides) {
            TRY(const auto both, humanoid::rig_texts(pair, "sides", 2));
            if (both.size() != 2 || !is_pattern(both[0]) || !is_pattern(both[1])) {
                return json_fail("sides", pair, "a pair like [\"*.L\", \"*.R\"], each with one *");
            }
            sides_.push_back({both[0], both[1]});
        }
        return {};
    }

    Result<void> read_below_parent(const Json& root) {
        map_.below_parent.from = "below its joint's bone";
        const Json rows = root.value("below_parent", Json::object());
        return add_rows(rows, "below_parent", {&map_.below_parent});
    }

    /// Adds the names in the map, then the joints' own names, exact and tolerant.
    Result<void> read_names(const Json& root) {
        const Json names = root.value("names", Json::object());
        if (!names.is_object()) {
            return json_fail("names", names, "an object of joints and bones");
        }
        NameTable named{"named by the map", false, {}};
        for (const auto& [joint, bone] : names.items()) {
            TRY(const auto text, humanoid::rig_text(bone, "names." + joint));
            TRY(const auto node, node_named(joint, "names"));
            TRY_VOID(add(text, node, "names", named));
        }
        NameTable exact{"own name", false, {}};
        NameTable folded{"own name, tolerantly", true, {}};
        for (std::size_t node = 0; node < skeleton_.nodes.size(); ++node) {
            const std::string& name = skeleton_.nodes[node].name;
            if (map_.below_parent.node_of.contains(name)) {
                continue;
            }
            exact.node_of.emplace(name, node);
            if (std::ranges::any_of(tolerant_,
                                    [&](const std::string& pattern) { return fits(name, pattern); })) {
                folded.node_of.emplace(folded_name(name, map_.prefixes), node);
            }
        }
        for (NameTable* const table : {&named, &exact, &folded}) {  // a list of tables would copy them
            map_.tables.push_back(std::move(*table));
        }
        map_.own_tables = map_.tables.size();
        return {};
    }

    Result<void> read_aliases(const Json& root) {
        TRY_VOID(read_sides(root));
        const Json groups = root.value("aliases", Json::array());
        constexpr std::size_t most = 256;
        if (!groups.is_array() || groups.size() > most) {
            return json_fail("aliases", groups, "an array of at most 256 groups");
        }
        for (const Json& group : groups) {
            TRY(const Json* const from, json_member(group, "from"));
            TRY(const Json* const joints, json_member(group, "joints"));
            TRY(const auto title, humanoid::rig_text(*from, "aliases.from"));
            const Json exact_only = group.value("exact", Json(false));
            if (!exact_only.is_boolean()) {
                return json_fail("aliases.exact", exact_only, "true or false");
            }
            TRY(const auto only_with, folded_texts(group, "only_with"));
            NameTable exact{title, false, {}, only_with};
            NameTable folded{title + ", tolerantly", true, {}, only_with};
            std::vector<NameTable*> tables = {&exact};
            if (!exact_only.get<bool>()) {
                tables.push_back(&folded);
            }
            TRY_VOID(add_rows(*joints, "aliases, \"" + title + "\"", tables));
            map_.tables.push_back(std::move(exact));
            map_.tables.push_back(std::move(folded));
        }
        return {};
    }

    [[nodiscard]] Result<std::vector<std::string>> folded_texts(const Json& group,
                                                                const std::string& member) const {
        TRY(auto names,
            humanoid::rig_texts(group.value(member, Json::array()), "aliases." + member, most_map_names));
        std::ranges::transform(names, names.begin(),
                               [&](const std::string& name) { return folded_name(name, map_.prefixes); });
        return names;
    }

    [[nodiscard]] Result<std::size_t> node_named(const std::string& joint, const std::string& field) const {
        const auto node = skeleton_.find(joint);
        if (!node) {
            return fail(humanoid::rig_member_error("'" + joint + "' is not a joint of the skeleton", field));
        }
        return *node;
    }

    Result<void> add(const std::string& name, std::size_t node, const std::string& field, NameTable& table) {
        if (++names_read_ > most_map_names) {
            return fail(humanoid::rig_member_error("makes more than 200000 names, sides counted", field));
        }
        const auto [entry, is_new] =
            table.node_of.emplace(table.folded ? folded_name(name, map_.prefixes) : name, node);
        if (!is_new && entry->second != node) {
            return fail(humanoid::rig_member_error("the name '" + name + "' stands for " +
                                                       skeleton_.nodes[entry->second].name + " and for " +
                                                       skeleton_.nodes[node].name + "; allowed is one joint",
                                                   field));
        }
        return {};
    }

    /// Adds {"joint": [names]} to all tables. A joint with '*' means the left and the right joint.
    Result<void> add_rows(const Json& rows, const std::string& field, const std::vector<NameTable*>& tables) {
        if (!rows.is_object()) {
            return json_fail(field, rows, "an object of joints and their names");
        }
        for (const auto& [joint, value] : rows.items()) {
            TRY(const auto names, humanoid::rig_texts(value, field, most_map_names));
            for (NameTable* table : tables) {
                TRY_VOID(add_names(joint, names, field, *table));
            }
        }
        return {};
    }

    Result<void> add_names(const std::string& joint, const std::vector<std::string>& names,
                           const std::string& field, NameTable& table) {
        for (const std::string& name : names) {
            TRY_VOID(is_pattern(joint) ? add_sides(joint, name, field, table)
                                       : add_one(joint, name, field, table));
        }
        return {};
    }

    Result<void> add_one(const std::string& joint, const std::string& name, const std::string& field,
                         NameTable& table) {
        TRY(const auto node, node_named(joint, field));
        return add(name, node, field, table);
    }

    Result<void> add_sides(const std::string& joint, const std::string& name, const std::string& field,
                           NameTable& table) {
        if (sides_.empty()) {
            return fail(
                humanoid::rig_member_error("'" + joint + "' needs \"sides\" to say how * is written", field));
        }
        for (const SideForm& form : sides_) {
            TRY_VOID(add_one(filled(joint, "Left"), filled(form.left, name), field, table));
            TRY_VOID(add_one(filled(joint, "Right"), filled(form.right, name), field, table));
        }
        return {};
    }

    const Skeleton& skeleton_;
    RigMap& map_;
    std::vector<std::string> tolerant_{};
    std::vector<SideForm> sides_{};
    std::size_t names_read_ = 0;
};

}  // namespace

Result<RigMap> read_rig_map(std::string_view json, const Skeleton& skeleton) {
    TRY(const auto root, parse_json(json));
    const auto in_map = [](Error error) {
        error.reason = "rig map: " + error.reason;
        return fail(std::move(error));
    };
    RigMap map;
    Reader reader(skeleton, map);
    if (auto head = reader.read_head(root); !head) {
        return in_map(head.error());
    }
    const auto wants_built_in = humanoid::rig_switch(root, "built_in");
    if (!wants_built_in) {
        return in_map(wants_built_in.error());
    }
    Json built_in;
    std::vector<const Json*> roots = {&root};
    if (*wants_built_in) {
        built_in = parse_json(built_in_rig_map_json()).value();
        roots.push_back(&built_in);
    }
    if (auto done = reader.read(roots); !done) {
        return in_map(done.error());
    }
    return map;
}

}  // namespace animbridge::rig::armature

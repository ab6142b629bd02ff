// SPDX-License-Identifier: MIT
#include "formats/scene/safe_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/base.h"

namespace animbridge::scene {

namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20U || c == '\x7F'; }

/// Text FBX ends a name at a quote, and Blender 5 loses the keys of bones with a backslash. A NUL ends the
/// name in binary FBX. XML cannot hold control characters.
std::string safe_name(std::string_view container, const std::string& name) {
    std::string safe = to_utf8(name);
    if (container == "fbx") {
        std::replace(safe.begin(), safe.end(), '"', '\'');
        std::replace(safe.begin(), safe.end(), '\\', '/');
    }
    if (container == "fbx" || container == "dae") {
        std::replace_if(safe.begin(), safe.end(), is_control, '_');
    }
    return safe;
}

/// Numbers continue from the last node with that name, so that many equal names take no longer.
class UniqueNames {
public:
    std::string of(const std::string& wanted) {
        std::string name = wanted;
        while (!taken_.insert(name).second) {
            name = wanted + "." + std::to_string(1 + ++repeats_[wanted]);
        }
        return name;
    }

private:
    std::set<std::string> taken_;
    std::map<std::string, std::size_t> repeats_;
};

void rename(std::string& name, std::string safe, Json& renamed) {
    if (safe != name) {
        renamed.push_back({{"name", json_text(name)}, {"written", safe}});
        name = std::move(safe);
    }
}

}  // namespace

Json make_names_safe(const Container& container, Document& document) {
    Json renamed = Json::array();
    UniqueNames unique;
    for (Node& node : document.nodes) {
        std::string safe = safe_name(container.id, node.name);
        if (container.id == "dae") {
            safe = unique.of(safe.empty() ? "_" : safe);
        }
        rename(node.name, std::move(safe), renamed);
    }
    for (Animation& animation : document.animations) {
        rename(animation.name, safe_name(container.id, animation.name), renamed);
    }
    return renamed;
}

}  // namespace animbridge::scene

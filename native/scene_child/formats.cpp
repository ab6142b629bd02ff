// SPDX-License-Identifier: MIT
#include "scene_child/formats.h"

#include <nlohmann/json.hpp>

#include "scene_child/read/read.h"
#include "scene_child/write/write.h"

namespace animbridge::scene_child {

std::string formats_json() {
    nlohmann::ordered_json json;
    const std::string assimp = read::assimp_version();
    const std::string ufbx = read::ufbx_version();
    json["assimp"] = assimp.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(assimp);
    json["ufbx"] = ufbx.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(ufbx);
    json["reads"] = nlohmann::ordered_json::array();
    for (const read::Loader& loader : read::loaders()) {
        const bool is_read_here = loader.id == "fbx" && !ufbx.empty();
        if (loader.reads_motion && (is_read_here || read::has_loader(loader))) {
            json["reads"].push_back(loader.id);
        }
    }
    json["writes"] = nlohmann::ordered_json::array();
    for (const std::string_view container : write::written_containers()) {
        json["writes"].push_back(container);
    }
    return json.dump(2) + "\n";
}

}  // namespace animbridge::scene_child

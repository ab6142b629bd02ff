// SPDX-License-Identifier: MIT
#include "scene_child/formats.h"

#include <nlohmann/json.hpp>

#include "scene_child/assimp_read.h"
#include "scene_child/fbx_read.h"
#include "scene_child/loaders.h"
#include "scene_child/write.h"

namespace animbridge::scene_child {

std::string formats_json() {
    nlohmann::ordered_json json;
    json["assimp"] = assimp_version();
    json["ufbx"] = nullptr;
    if (const std::string version = ufbx_version(); !version.empty()) {
        json["ufbx"] = version;
    }
    json["reads"] = nlohmann::ordered_json::array();
    for (const Loader& loader : loaders()) {
        if (loader.reads_motion && has_loader(loader)) {
            json["reads"].push_back(loader.id);
        }
    }
    json["writes"] = nlohmann::ordered_json::array();
    for (const std::string_view container : written_containers()) {
        json["writes"].push_back(container);
    }
    return json.dump(2) + "\n";
}

}  // namespace animbridge::scene_child

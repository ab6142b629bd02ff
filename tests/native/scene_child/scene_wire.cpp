// SPDX-License-Identifier: MIT
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "base/json/json.h"
#include "formats/scene_file/file/file.h"

/// scene_wire FILE: reads the JSON of a scene and prints its wire form, the input of animbridge-scene.
int main(int count, char** arguments) {
    using namespace animbridge;
    if (count != 2) {
        std::cerr << "scene_wire wants a file\n";
        return 1;
    }
    std::ifstream in(arguments[1], std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    const auto document =
        parse_json(text).and_then([](const Json& json) { return scene_file::file::from_json(json); });
    if (!document) {
        std::cerr << document.error().message() << "\n";
        return 1;
    }
    const Bytes wire = scene_file::file::to_wire(*document);
    std::cout.write(text_of(wire).data(), static_cast<std::streamsize>(wire.size()));
    return std::cout ? 0 : 1;
}

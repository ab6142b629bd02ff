// SPDX-License-Identifier: MIT
#include "scene_child/gltf_attempt.h"

#include "formats/scene/wire.h"
#include "invariants.h"
#include "scene_child/gltf_read.h"

namespace animbridge::test {

void try_gltf_read(ByteView bytes) {
    const auto file = scene_child::parse_gltf(bytes);
    if (!file || scene_child::is_first_version(*file)) {
        return;
    }
    const auto document = scene_child::read_gltf(*file, {bytes, "gltf"});
    if (!document) {
        require(!document.error().reason.empty(), "an error does not say why");
        return;
    }
    const auto valid = scene::validate(*document);
    require(valid.has_value(), valid ? "" : valid.error().message());
}

}  // namespace animbridge::test

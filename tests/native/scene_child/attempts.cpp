// SPDX-License-Identifier: MIT
#include "scene_child/attempts.h"

#include "formats/scene/wire.h"
#include "invariants.h"
#include "scene_child/dae_read.h"
#include "scene_child/gltf_read.h"

namespace animbridge::test {

namespace {

void check(const Result<scene::Document>& document) {
    if (!document) {
        require(!document.error().reason.empty(), "an error does not say why");
        return;
    }
    const auto valid = scene::validate(*document);
    require(valid.has_value(), valid ? "" : valid.error().message());
}

}  // namespace

void try_gltf_read(ByteView bytes) {
    const auto file = scene_child::parse_gltf(bytes);
    if (!file || scene_child::is_first_version(*file)) {
        return;
    }
    check(scene_child::read_gltf(*file, {bytes, "gltf"}));
}

void try_dae_read(ByteView bytes) { check(scene_child::read_written_dae(bytes)); }

}  // namespace animbridge::test

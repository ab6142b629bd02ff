// SPDX-License-Identifier: MIT
#include "scene_child/attempts.h"

#include "formats/scene/wire.h"
#include "invariants.h"
#include "scene_child/dae_read.h"

namespace animbridge::test {

void try_dae_read(ByteView bytes) {
    const auto document = scene_child::read_written_dae(bytes);
    if (!document) {
        require(!document.error().reason.empty(), "an error does not say why");
        return;
    }
    const auto valid = scene::validate(*document);
    require(valid.has_value(), valid ? "" : valid.error().message());
}

}  // namespace animbridge::test

// SPDX-License-Identifier: MIT
// For a build without meshoptimizer.
#include "formats/scene/gltf/meshopt.h"

namespace animbridge::scene {

Result<void> decode_meshopt(const MeshoptRows& /*rows*/, ByteView /*packed*/, std::uint8_t* /*into*/) {
    return fail(ErrorCode::bad_value,
                "this AnimBridge was built without meshoptimizer: export it without compression");
}

}  // namespace animbridge::scene

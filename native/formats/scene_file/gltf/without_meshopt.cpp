// SPDX-License-Identifier: MIT
#include "formats/scene_file/gltf/parts.h"

// For a build without meshoptimizer.
namespace animbridge::scene_file::gltf {

Result<void> decode_meshopt(const MeshoptRows& /*rows*/, ByteView /*packed*/, std::uint8_t* /*into*/) {
    return fail(ErrorCode::bad_value,
                "this AnimBridge was built without meshoptimizer: export it without compression");
}

}  // namespace animbridge::scene_file::gltf

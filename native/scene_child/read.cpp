// SPDX-License-Identifier: MIT
#include "scene_child/read.h"

#include <exception>
#include <new>
#include <string>

#include "scene_child/assimp_read.h"
#include "scene_child/dae_read.h"
#include "scene_child/fbx_read.h"
#include "scene_child/loaders.h"

namespace animbridge::scene_child {

Result<scene::Document> read_scene(const ReadCall& call) {
    try {
        if (call.loader == "fbx" && !ufbx_version().empty()) {
            return read_by_ufbx(call.bytes);
        }
        if (call.loader == "collada_written") {
            return read_written_dae(call.bytes);
        }
        const Loader* const loader = find_loader(call.loader == "fbx_assimp" ? "fbx" : call.loader);
        if (loader == nullptr) {
            return fail(ErrorCode::invalid_argument,
                        "there is no loader \"" + std::string(call.loader) + "\"");
        }
        return read_by_assimp(*loader, call);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::out_of_memory, "memory ran out while it was read");
    } catch (const std::exception& fault) {
        return fail(ErrorCode::bad_value, std::string("the loader failed: ") + fault.what());
    } catch (...) {
        return fail(ErrorCode::internal, "the loader failed and does not say why");
    }
}

}  // namespace animbridge::scene_child

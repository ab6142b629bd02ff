// SPDX-License-Identifier: MIT
#include "scene_child/read/read.h"

#include <algorithm>
#include <array>
#include <exception>
#include <new>

namespace animbridge::scene_child::read {

Result<scene_file::file::Document> read_scene(const ReadCall& call) {
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

namespace {

constexpr std::array table{
    // These read motion.
    Loader{"fbx", "Autodesk FBX Importer", "fbx", true},
    Loader{"gltf1", "glTF Importer", "gltf", true},
    Loader{"collada", "Collada Importer", "dae", true},
    Loader{"x", "Direct3D XFile Importer", "x", true},
    Loader{"ase", "ASE Importer", "ase", true},
    Loader{"b3d", "BlitzBasic 3D Importer", "b3d", true},
    Loader{"irr", "Irrlicht Scene Reader", "irr", true},
    Loader{"lws", "LightWave Scene Importer", "lws", true},
    Loader{"mdl", "Quake Mesh / 3D GameStudio Mesh Importer", "mdl", true},
    Loader{"md5", "Doom 3 / MD5 Mesh Importer", "md5mesh", true},
    Loader{"ogre", "Ogre3D Mesh Importer", "mesh.xml", true},
    Loader{"ogre_binary", "Ogre3D Mesh Importer", "mesh", true},
    Loader{"smd", "Valve SMD Importer", "smd", true},
    // These read nodes, and some a skeleton.
    Loader{"3d", "Unreal Mesh Importer", "3d"},
    Loader{"3ds", "Discreet 3DS Importer", "3ds"},
    Loader{"3mf", "3mf Importer", "3mf"},
    Loader{"ac", "AC3D Importer", "ac"},
    Loader{"amf", "Additive manufacturing file format(AMF) Importer", "amf"},
    Loader{"assbin", "Assimp Binary Importer", "assbin"},
    Loader{"blend", "Blender 3D Importer", "blend"},
    Loader{"bsp", "Quake III BSP Importer", "pk3"},
    Loader{"bvh", "BVH Importer", "bvh"},
    Loader{"cob", "TrueSpace Object Importer", "cob"},
    Loader{"csm", "CharacterStudio Motion Importer", "csm"},
    Loader{"dxf", "Drawing Interchange Format (DXF) Importer", "dxf"},
    Loader{"hmp", "3D GameStudio Heightmap (HMP) Importer", "hmp"},
    Loader{"ifc", "Industry Foundation Classes (IFC) Importer", "ifc"},
    Loader{"iqm", "Inter-Quake Model Importer", "iqm"},
    Loader{"irrmesh", "Irrlicht Mesh Reader", "irrmesh"},
    Loader{"lwo", "LightWave/Modo Object Importer", "lwo"},
    Loader{"md2", "Quake II Mesh Importer", "md2"},
    Loader{"md3", "Quake III Mesh Importer", "md3"},
    Loader{"mdc", "Return To Castle Wolfenstein Mesh Importer", "mdc"},
    Loader{"ms3d", "Milkshape 3D Importer", "ms3d"},
    Loader{"ndo", "Nendo Mesh Importer", "ndo"},
    Loader{"nff", "Neutral File Format Importer", "nff"},
    Loader{"obj", "Wavefront Object Importer", "obj"},
    Loader{"off", "OFF Importer", "off"},
    Loader{"ogex", "Open Game Engine Exchange", "ogex"},
    Loader{"ply", "Stanford Polygon Library (PLY) Importer", "ply"},
    Loader{"pmx", "MMD Importer", "pmx"},
    Loader{"q3o", "Quick3D Importer", "q3o"},
    Loader{"raw", "Raw Importer", "raw"},
    Loader{"sib", "Silo SIB Importer", "sib"},
    Loader{"stl", "Stereolithography (STL) Importer", "stl"},
    Loader{"ter", "Terragen Heightmap Importer", "ter"},
    Loader{"x3d", "Extensible 3D(X3D", "x3d"},
    Loader{"xgl", "XGL Importer", "xgl"},
};

}  // namespace

std::span<const Loader> loaders() { return table; }

const Loader* find_loader(std::string_view id) {
    const auto* const found = std::ranges::find(table, id, &Loader::id);
    return found == table.end() ? nullptr : &*found;
}

}  // namespace animbridge::scene_child::read

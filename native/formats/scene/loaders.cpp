// SPDX-License-Identifier: MIT
#include "formats/scene/loaders.h"

#include <algorithm>
#include <array>

namespace animbridge::scene {

namespace {

template <std::size_t count = 1>
using Extensions = std::array<std::string_view, count>;

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view blanks = " \t\r\n";

/// The first bytes, where text files say what they are, without a byte order mark and blanks in front.
std::string_view beginning(ByteView bytes) {
    constexpr std::size_t longest_look = 4096;
    std::string_view text = text_of(bytes.first(std::min(bytes.size(), longest_look)));
    if (text.starts_with(byte_order_mark)) {
        text.remove_prefix(byte_order_mark.size());
    }
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text;
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

bool is_fbx(ByteView bytes) {
    const std::string_view text = beginning(bytes);
    return text.starts_with("Kaydara FBX Binary") || text.starts_with("; FBX") ||
           (text.starts_with(';') && contains(text, "FBXHeaderExtension:")) ||
           text.starts_with("FBXHeaderExtension:");
}

/// A glTF's JSON has the member "asset" with a "version"; it need not come first.
bool is_gltf(ByteView bytes) {
    if (text_of(bytes).starts_with("glTF")) {
        return true;
    }
    const std::string_view text = text_of(bytes);
    return beginning(bytes).starts_with('{') && contains(text, "\"asset\"") &&
           (contains(text, "\"nodes\"") || contains(text, "\"scenes\"") || contains(text, "\"meshes\""));
}

bool is_xml_with(ByteView bytes, std::string_view element) {
    const std::string_view text = beginning(bytes);
    return text.starts_with('<') && contains(text, element);
}

bool is_collada(ByteView bytes) { return is_xml_with(bytes, "<COLLADA"); }
bool is_irr(ByteView bytes) { return is_xml_with(bytes, "<irr_scene"); }
bool is_ogre(ByteView bytes) { return is_xml_with(bytes, "<mesh>") && contains(text_of(bytes), "<geometry"); }
bool is_x(ByteView bytes) { return text_of(bytes).starts_with("xof "); }
bool is_b3d(ByteView bytes) { return text_of(bytes).starts_with("BB3D"); }
bool is_lws(ByteView bytes) { return text_of(bytes).starts_with("LWSC"); }
bool is_ase(ByteView bytes) { return beginning(bytes).starts_with("*3DSMAX_ASCIIEXPORT"); }
bool is_md5(ByteView bytes) {
    return text_of(bytes).starts_with("MD5Version") && contains(beginning(bytes), "numJoints");
}
bool is_smd(ByteView bytes) {
    const std::string_view text = beginning(bytes);
    return text.starts_with("version 1") && contains(text, "nodes");
}
bool is_mdl(ByteView bytes) { return text_of(bytes).starts_with("IDST"); }

constexpr Extensions<> fbx_extensions = {".fbx"};
constexpr Extensions<4> gltf_extensions = {".glb", ".gltf", ".vrm", ".vrma"};
constexpr Extensions<> collada_extensions = {".dae"};
constexpr Extensions<> x_extensions = {".x"};
constexpr Extensions<> b3d_extensions = {".b3d"};
constexpr Extensions<> lws_extensions = {".lws"};
constexpr Extensions<> ase_extensions = {".ase"};
constexpr Extensions<2> md5_extensions = {".md5mesh", ".md5anim"};
constexpr Extensions<> smd_extensions = {".smd"};
constexpr Extensions<> mdl_extensions = {".mdl"};
constexpr Extensions<> irr_extensions = {".irr"};
constexpr Extensions<> ogre_extensions = {".mesh.xml"};

constexpr std::array<Loader, 12> table = {{
    {"fbx", "FBX", "an FBX file", fbx_extensions, is_fbx, false},
    {"gltf", "glTF", "a glTF file", gltf_extensions, is_gltf, true},
    {"collada", "COLLADA", "a COLLADA file", collada_extensions, is_collada, false},
    {"x", "DirectX", "a DirectX file", x_extensions, is_x, false},
    {"b3d", "Blitz3D", "a Blitz3D file", b3d_extensions, is_b3d, false},
    {"lws", "LightWave scene", "a LightWave scene", lws_extensions, is_lws, true},
    {"ase", "3ds Max ASCII", "a 3ds Max ASCII file", ase_extensions, is_ase, false},
    {"md5", "Doom 3 MD5", "a Doom 3 MD5 file", md5_extensions, is_md5, true},
    {"smd", "Valve SMD", "a Valve SMD file", smd_extensions, is_smd, false},
    {"mdl", "Half-Life model", "a Half-Life model", mdl_extensions, is_mdl, true},
    {"irr", "Irrlicht scene", "an Irrlicht scene", irr_extensions, is_irr, true},
    {"ogre", "Ogre XML", "an Ogre XML mesh", ogre_extensions, is_ogre, true},
}};

}  // namespace

std::span<const Loader> loaders() { return table; }

const Loader* find_loader(std::string_view id) {
    const auto* const found =
        std::find_if(table.begin(), table.end(), [&](const Loader& loader) { return loader.id == id; });
    return found == table.end() ? nullptr : found;
}

const Loader* loader_of(ByteView bytes) {
    const auto* const found =
        std::find_if(table.begin(), table.end(), [&](const Loader& loader) { return loader.sniff(bytes); });
    return found == table.end() ? nullptr : found;
}

}  // namespace animbridge::scene

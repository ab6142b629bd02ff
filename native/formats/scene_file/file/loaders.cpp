// SPDX-License-Identifier: MIT
#include "formats/scene_file/file/file.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace animbridge::scene_file::file {

namespace {

template <std::size_t count = 1>
using Extensions = std::array<std::string_view, count>;

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view blanks = " \t\r\n";

/// UTF-16 text as text of one byte per character: what identifies a file is ASCII. Empty: it is not such
/// text.
std::string narrowed(std::string_view text) {
    const bool is_little = text.starts_with("\xFF\xFE");
    const bool is_big = text.starts_with("\xFE\xFF");
    std::string narrow;
    for (std::size_t at = 2; (is_little || is_big) && at + 1 < text.size(); at += 2) {
        const char high = text[is_little ? at + 1 : at];
        narrow.push_back(high == '\0' ? text[is_little ? at : at + 1] : '?');
    }
    return narrow;
}

/// The first characters, where text files identify themselves, without a byte order mark and leading blanks.
std::string beginning(ByteView bytes) {
    constexpr std::size_t longest_look = 8192;
    const std::string_view text = text_of(bytes.first(std::min(bytes.size(), longest_look)));
    std::string narrow = narrowed(text);
    if (narrow.empty()) {
        narrow = text.starts_with(byte_order_mark) ? text.substr(byte_order_mark.size()) : text;
    }
    narrow.erase(0, std::min(narrow.find_first_not_of(blanks), narrow.size()));
    return narrow;
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

bool is_fbx(ByteView bytes) {
    const std::string text = beginning(bytes);
    return text.starts_with("Kaydara FBX Binary") || text.starts_with("; FBX") ||
           (text.starts_with(';') && contains(text, "FBXHeaderExtension:")) ||
           text.starts_with("FBXHeaderExtension:");
}

/// Whether JSON has a member of this name that is an object.
bool has_object(std::string_view json, std::string_view name) {
    for (std::size_t at = json.find(name); at != std::string_view::npos; at = json.find(name, at + 1)) {
        std::string_view rest = json.substr(at + name.size());
        for (const char sign : {':', '{'}) {
            rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
            if (!rest.starts_with(sign)) {
                break;
            }
            rest.remove_prefix(1);
            if (sign == '{') {
                return true;
            }
        }
    }
    return false;
}

/// A glTF's JSON has the member "asset" with a "version"; it need not come first, and nothing else is
/// required.
bool is_gltf(ByteView bytes) {
    const std::string_view text = text_of(bytes);
    return text.starts_with("glTF") || (beginning(bytes).starts_with('{') && has_object(text, "\"asset\"") &&
                                        contains(text, "\"version\""));
}

bool is_xml_with(ByteView bytes, std::string_view element) {
    const std::string text = beginning(bytes);
    return text.starts_with('<') && contains(text, element);
}

bool is_collada(ByteView bytes) { return is_xml_with(bytes, "<COLLADA"); }
bool is_irr(ByteView bytes) { return is_xml_with(bytes, "<irr_scene"); }
bool is_ogre(ByteView bytes) {
    return is_xml_with(bytes, "<mesh>") &&
           (contains(text_of(bytes), "<geometry") || contains(beginning(bytes), "<sharedgeometry"));
}
bool is_x(ByteView bytes) { return text_of(bytes).starts_with("xof "); }
bool is_b3d(ByteView bytes) { return text_of(bytes).starts_with("BB3D"); }
bool is_lws(ByteView bytes) { return text_of(bytes).starts_with("LWSC"); }
bool is_ase(ByteView bytes) { return beginning(bytes).starts_with("*3DSMAX_ASCIIEXPORT"); }
bool is_md5(ByteView bytes) {
    return text_of(bytes).starts_with("MD5Version") && contains(beginning(bytes), "numJoints");
}
bool is_smd(ByteView bytes) {
    const std::string text = beginning(bytes);
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
        std::ranges::find_if(table, [&](const Loader& loader) { return loader.id == id; });
    return found == table.end() ? nullptr : found;
}

const Loader* loader_of(ByteView bytes) {
    const auto* const found =
        std::ranges::find_if(table, [&](const Loader& loader) { return loader.sniff(bytes); });
    return found == table.end() ? nullptr : found;
}

namespace {

namespace fs = std::filesystem;

/// From UTF-8, the encoding of names in files, whatever the system's own encoding. Empty: it is not UTF-8,
/// and the system has other names.
fs::path path_of(std::string_view name) {
    try {
        return std::u8string(name.begin(), name.end());
    } catch (const std::runtime_error&) {
        return {};
    }
}

bool is_inside(const fs::path& file, const fs::path& folder) {
    return std::ranges::mismatch(folder, file).in1 == folder.end();
}

}  // namespace

std::string with_slashes(std::string_view path) {
    std::string result(path);
    std::ranges::replace(result, '\\', '/');
    while (result.starts_with("./")) {
        result.erase(0, 2);
    }
    if (result.starts_with('/') && result.find('/', 1) == std::string::npos) {
        result.erase(0, 1);
    }
    return result;
}

SideFiles::SideFiles(const std::string& folder) {
    std::error_code fault;
    if (!folder.empty()) {
        folder_ = fs::canonical(path_of(folder), fault);
    }
}

fs::path SideFiles::find(std::string_view path) const {
    const std::string text = with_slashes(path);
    const fs::path wanted = path_of(text);
    // A name with a NUL would end earlier for the system than for us.
    if (folder_.empty() || wanted.empty() || text.find('\0') != std::string::npos || wanted.is_absolute()) {
        return {};
    }
    std::error_code fault;
    fs::path found = fs::canonical(folder_ / wanted, fault);  // follows links, so that none leads outside
    if (fault || !is_inside(found, folder_) || !fs::is_regular_file(found, fault)) {
        return {};
    }
    return found;
}

std::optional<std::uintmax_t> SideFiles::size_of(std::string_view name) const {
    const fs::path found = find(name);
    std::error_code fault;
    const std::uintmax_t size = found.empty() ? 0 : fs::file_size(found, fault);
    return found.empty() || fault ? std::nullopt : std::optional(size);
}

std::optional<Bytes> SideFiles::read(std::string_view name) const {
    const auto size = size_of(name);
    std::ifstream file(find(name), std::ios::binary);
    if (!size || !file) {
        return std::nullopt;
    }
    Bytes bytes(*size);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

}  // namespace animbridge::scene_file::file

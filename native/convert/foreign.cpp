// SPDX-License-Identifier: MIT
#include "convert/foreign.h"

#include <algorithm>
#include <array>

namespace animbridge {

namespace {

/// Matches a file that starts with `start` and contains `later` in its first bytes; "" matches any.
struct Signature {
    std::string_view start;
    std::string_view later;
    std::string_view kind;
};

constexpr std::array<Signature, 17> signatures = {{
    {"%YAML", "unity3d", "a Unity animation (YAML)"},
    {"%YAML", "", "a YAML file, as Unity writes its animations"},
    {"animVersion", "", "a Maya animation"},
    {"//Maya ASCII", "", "a Maya scene"},
    {"RSRC", "", "a Godot animation (binary resource)"},
    {"RSCC", "", "a Godot animation (compressed resource)"},
    {"[gd_resource", "", "a Godot animation (text resource)"},
    {"FORM", "ANIM", "an Amiga animation (IFF ANIM)"},
    {"BLENDER", "", "a Blender file"},
    {"SEAnim", "", "an SEAnim animation"},
    {"<llsd", "", "a file of a Second Life viewer (LLSD), such as a saved pose"},
    {"<?xml", "<llsd", "a file of a Second Life viewer (LLSD), such as a saved pose"},
    {"\x89PNG\r\n", "", "a PNG image"},
    {"\xFF\xD8\xFF", "", "a JPEG image"},
    {"GIF8", "", "a GIF image"},
    {"PK\x03\x04", "", "a ZIP file"},
    {"%PDF-", "", "a PDF file"},
}};

}  // namespace

std::string_view foreign_kind(ByteView bytes) {
    constexpr std::size_t longest_look = 128;
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    std::string_view text = text_of(bytes.first(std::min(bytes.size(), longest_look)));
    if (text.starts_with(byte_order_mark)) {
        text.remove_prefix(byte_order_mark.size());
    }
    const auto* const found =
        std::find_if(signatures.begin(), signatures.end(), [&](const Signature& signature) {
            return text.starts_with(signature.start) &&
                   text.find(signature.later, signature.start.size()) != std::string_view::npos;
        });
    return found == signatures.end() ? std::string_view() : found->kind;
}

}  // namespace animbridge

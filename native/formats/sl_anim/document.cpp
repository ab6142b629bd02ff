// SPDX-License-Identifier: MIT
#include "formats/sl_anim/document.h"

#include <algorithm>

namespace animbridge::sl_anim {

std::string_view volume_text(const VolumeName& name) {
    const auto* const end = std::find(name.begin(), name.end(), '\0');
    return {name.data(), static_cast<std::size_t>(end - name.begin())};
}

std::size_t record_bytes(const Joint& joint, Version version) {
    const std::size_t key_bytes = version == Version::coded ? sizeof(CodedKey) : sizeof(LegacyKey);
    return joint.name.size() + 13 + key_bytes * (key_count(joint.rotation) + key_count(joint.position));
}

std::size_t file_bytes(const Document& document) {
    std::size_t bytes = header_bytes + document.emote_name.size() + sizeof(document.constraint_count);
    for (const Joint& joint : document.joints) {
        bytes += record_bytes(joint, document.version);
    }
    return bytes + constraint_bytes * document.constraints.size() + document.trailing.size();
}

}  // namespace animbridge::sl_anim

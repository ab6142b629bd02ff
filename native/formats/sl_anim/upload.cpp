// SPDX-License-Identifier: MIT
#include "formats/sl_anim/upload.h"

#include <algorithm>

#include "formats/sl_anim/check.h"
#include "formats/sl_anim/emote.h"
#include "formats/sl_anim/keys.h"
#include "formats/sl_anim/restore.h"
#include "formats/sl_anim/skeleton.h"

namespace animbridge::sl_anim {

namespace {

KeyList store_rotations(const KeyList& keys, float duration) {
    const RotationKeys loaded = as_played(decode_rotations(keys, duration));
    std::vector<CodedKey> stored(loaded.size());
    for (std::size_t i = 0; i < loaded.size(); ++i) {
        stored[i] = {encode_time(loaded.times[i], duration), restore_rotation(loaded.values[i])};
    }
    return {std::move(stored), {}};
}

KeyList store_positions(const KeyList& keys, float duration) {
    const PositionKeys loaded = as_played(decode_positions(keys, duration));
    std::vector<CodedKey> stored(loaded.size());
    for (std::size_t i = 0; i < loaded.size(); ++i) {
        stored[i].time = encode_time(loaded.times[i], duration);
        std::transform(
            loaded.values[i].begin(), loaded.values[i].end(), stored[i].xyz.begin(), [](float loaded_value) {
                // The viewer serialises once to find the size, which quantises the loaded positions, and then
                // for real.
                const std::uint16_t sized = encode(loaded_value, -position_limit, position_limit);
                return encode_component(decode(sized, -position_limit, position_limit), position_limit);
            });
    }
    return {std::move(stored), {}};
}

Constraint store_constraint(Constraint constraint) {
    for (VolumeName* name : {&constraint.source_volume, &constraint.target_volume}) {
        std::fill(name->begin() + static_cast<std::ptrdiff_t>(volume_text(*name).size()), name->end(), '\0');
        name->back() = '\0';
    }
    return constraint;
}

}  // namespace

Document stored_form(const Document& document) {
    Document stored = document;
    stored.version = Version::coded;
    stored.base_priority = std::min(document.base_priority, std::int32_t{6});
    stored.emote_name = emote_of(document.emote_name) == Emote::known ? document.emote_name : "";
    stored.loop = document.loop != 0 ? 1 : 0;
    const float duration = document.duration.value();
    for (Joint& joint : stored.joints) {
        if (const auto known = find_joint(joint.name)) {
            joint.name = skeleton()[*known].node.name;
        }
        joint.rotation = store_rotations(joint.rotation, duration);
        joint.position = store_positions(joint.position, duration);
    }
    // The viewer loads constraints to the front of a list and writes them from there, which reverses them.
    std::reverse(stored.constraints.begin(), stored.constraints.end());
    std::transform(stored.constraints.begin(), stored.constraints.end(), stored.constraints.begin(),
                   store_constraint);
    stored.constraint_count = static_cast<std::int32_t>(stored.constraints.size());
    stored.trailing.clear();
    return stored;
}

UploadPrediction predict_upload(const Document& document) {
    UploadPrediction prediction;
    prediction.findings = check(document, {CheckLevel::upload, {}});
    if (!any_rejected(prediction.findings)) {
        prediction.stored = stored_form(document);
    }
    return prediction;
}

}  // namespace animbridge::sl_anim

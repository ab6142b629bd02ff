// SPDX-License-Identifier: MIT
#include <array>

#include "formats/sl_anim/checker.h"
#include "formats/sl_anim/restore.h"
#include "formats/sl_anim/rules.h"
#include "formats/sl_anim/upload.h"

namespace animbridge::sl_anim {

namespace {

using Codes = std::array<std::uint16_t, 3>;

Codes stored_rotation(const Codes& xyz) {
    return restore_rotation(from_stored(decode(xyz[0], -rotation_limit, rotation_limit),
                                        decode(xyz[1], -rotation_limit, rotation_limit),
                                        decode(xyz[2], -rotation_limit, rotation_limit)));
}

Codes stored_position(const Codes& xyz) {
    return {restore_position(xyz[0]), restore_position(xyz[1]), restore_position(xyz[2])};
}

/// How many codes of a track are others once the viewer has stored them.
std::size_t drifted_codes(const KeyList& keys, float duration, Codes (*stored)(const Codes&)) {
    std::size_t drifted = 0;
    for (const CodedKey& key : keys.coded) {
        const Codes after = stored(key.xyz);
        drifted += restore_time(key.time, duration) != key.time ? 1U : 0U;
        for (std::size_t i = 0; i < after.size(); ++i) {
            drifted += after.at(i) != key.xyz.at(i) ? 1U : 0U;
        }
    }
    return drifted;
}

}  // namespace

void check_storing(const Document& document, FindingList& findings) {
    if (document.constraints.size() > 1) {
        findings.add(rule::constraint_order_reversed,
                     std::to_string(document.constraints.size()) + " constraints");
    }
    const bool block_ignored = document.constraint_count < 0 || document.constraint_count > max_constraints;
    if (!document.trailing.empty() && !block_ignored) {
        findings.add(rule::trailing_bytes_dropped, std::to_string(document.trailing.size()) + " bytes", {},
                     -1, static_cast<std::int64_t>(file_bytes(document) - document.trailing.size()));
    }
    if (document.version == Version::legacy) {
        findings.add(rule::legacy_version_converted, "version 0.1", {}, -1, 0);
    }
    std::size_t drifted = 0;
    for (const Joint& joint : document.joints) {
        drifted += drifted_codes(joint.rotation, document.duration.value(), stored_rotation);
        drifted += drifted_codes(joint.position, document.duration.value(), stored_position);
    }
    if (drifted > 0) {
        findings.add(rule::codes_drift_on_upload, std::to_string(drifted) + " codes");
    }
}

void check_stored_size(const Document& document, FindingList& findings) {
    const std::size_t bytes = file_bytes(stored_form(document));
    if (bytes > max_upload_bytes) {
        findings.add(rule::file_too_large, std::to_string(bytes) + " bytes as stored");
    }
}

}  // namespace animbridge::sl_anim

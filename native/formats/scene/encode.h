// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "base/options/options.h"
#include "formats/scene/document.h"
#include "model/compare/compare.h"

namespace animbridge::scene {

/// A kind of file that can be written.
struct Container {
    std::string_view id;         ///< its id in the program animbridge-scene
    std::string_view extension;  ///< ".glb"
    std::string_view loader;     ///< the loader that reads it back
    Space space;                 ///< the space of its numbers
    bool has_kinds = false;      ///< supports keys that hold their value, and cubic splines
};

inline constexpr std::array<Container, 4> containers = {{
    {"glb", ".glb", "gltf", {Axis::plus_y, Axis::plus_z, 1.0, true, true}, true},
    {"gltf", ".gltf", "gltf", {Axis::plus_y, Axis::plus_z, 1.0, true, true}, true},
    {"fbx", ".fbx", "fbx", {Axis::plus_y, Axis::plus_z, 0.01, true, true}},
    {"dae", ".dae", "collada", {Axis::plus_y, Axis::plus_z, 1.0, true, true}},
}};

/// Null if no container has this extension.
[[nodiscard]] const Container* container_of_extension(std::string_view extension);
[[nodiscard]] const Container* find_container(std::string_view id);

/// A file, and what became of the scene in it.
struct Encoded {
    Document document;        ///< as read from the file, with it
    WorstDifference worst{};  ///< between what another reader finds in the file and what was meant
    Json renamed{};           ///< names that were replaced: [{"name", "written"}]

    /// "max_position_error_mm", "max_rotation_error_degrees", "worst", "container", "verified_by", and
    /// "renamed" where names were replaced.
    [[nodiscard]] Json report(const Container& container) const;
};

/// How far the main animation of a scene that was read is from what was wanted. Joints that both have in
/// equal number are pairs in their order. ErrorCode::internal: a joint that moves is not in the file.
[[nodiscard]] Result<WorstDifference> difference(const Document& wanted, const Document& read);

/// Writes a scene of from_clip in the program animbridge-scene, and reads it back in a second process. Errors
/// are those of run_child. Names that the file cannot hold are replaced ("renamed").
[[nodiscard]] Result<Encoded> encode(const Document& scene, const Container& container,
                                     const ReadOptions& limits = {});

}  // namespace animbridge::scene

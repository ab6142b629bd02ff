// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "formats/mrtk/document.h"

/// A recording that is put together curve by curve.
namespace animbridge::mrtk {

struct NewMarker {
    RawFloat time;
    std::string name;
};

/// Every curve has full keys here, whatever the version.
struct Builder {
    std::array<std::vector<FullKey>, curve_count> keys{};
    /// Of the curves, by number; those of new curves hold.
    std::array<Curve, curve_count> wraps{};
    std::vector<NewMarker> markers{};

    /// The keys, wrap modes and markers of a document.
    [[nodiscard]] static Builder of(const Document& document);

    /// The keys and wrap modes of a document's curves. Section by section, a file has all curves or none.
    void copy(const Document& document, std::size_t first_curve, std::size_t count);

    [[nodiscard]] bool has_gaze() const;
    /// Whether version 1.1 holds all keys as they are: tangents and weights of 0.
    [[nodiscard]] bool is_linear() const;
    /// Whether the section has a key.
    [[nodiscard]] bool has(Section section) const;

    /// A file of version 1.0 or 1.1. Of version 1.0, the gaze is left out; of 1.1, all tangents and weights,
    /// and the sections without a key.
    [[nodiscard]] Document build(bool is_1_1) const;
};

}  // namespace animbridge::mrtk

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/mrtk/curves/curves.h"
#include "formats/mrtk/file/file.h"
#include "model/findings/findings.h"

/// What `check` looks at, part by part, and how it counts.
namespace animbridge::mrtk::check {

/// The document that is checked, and the findings so far.
struct Checked {
    const file::Document& document;
    std::vector<std::size_t> offsets;  ///< curve_offsets()
    FindingList& findings;

    /// The offset in the file at which a key begins.
    [[nodiscard]] std::int64_t offset_of(std::size_t curve, std::size_t key) const {
        return static_cast<std::int64_t>(offsets[curve] + file::curve_header_bytes +
                                         key * file::key_bytes(document, curve));
    }
};

/// Counts the places of one curve or pose that break rules. Describes only the first of each rule, so that a
/// file full of them stays cheap.
class PlaceCounts {
public:
    /// `words() -> std::string` describes what was found.
    template <typename Words>
    void add(std::string_view rule, std::size_t curve, std::size_t key, Words&& words) {
        for (Place& place : places_) {
            if (place.rule == rule) {
                ++place.count;
                return;
            }
        }
        places_.push_back({rule, curve, key, 1, std::forward<Words>(words)()});
    }
    /// Adds one finding for each rule, about `owner`.
    void report(const std::string& owner, Checked& checked) const;

private:
    struct Place {
        std::string_view rule;
        std::size_t curve = 0;
        std::size_t key = 0;
        std::size_t count = 0;
        std::string found{};
    };
    std::vector<Place> places_{};
};

/// The part of a key that makes the motion undefined ("time", "in tangent"); empty if none does. An infinite
/// tangent is a step.
[[nodiscard]] std::string_view undefined_part(const file::FullKey& key);

void check_header(Checked& checked);
void check_markers(Checked& checked);
void check_keys(Checked& checked);
void check_poses(Checked& checked);

}  // namespace animbridge::mrtk::check

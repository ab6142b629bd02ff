// SPDX-License-Identifier: MIT
#include "formats/scene/encode.h"

#include <algorithm>
#include <utility>

#include "formats/scene/child.h"
#include "formats/scene/clip.h"
#include "formats/scene/from_clip.h"
#include "formats/scene/read.h"
#include "formats/scene/safe_names.h"
#include "formats/scene/through_clip.h"
#include "formats/scene/wire.h"
#include "model/compare/compare.h"
#include "rig/exchange/exchange.h"

namespace animbridge::scene {

namespace {

/// Files store times as floats. Two times that are equal there are compared once.
std::vector<double> times_in_file(std::vector<double> times) {
    const auto is_same = [](double a, double b) { return static_cast<float>(a) == static_cast<float>(b); };
    times.erase(std::unique(times.begin(), times.end(), is_same), times.end());
    return times;
}

Result<Bytes> written(const Document& placed, const Container& container, const ReadOptions& limits) {
    const Bytes wire = to_wire(placed);
    return run_child({{"write", "--container", std::string(container.id)},
                      wire,
                      "writing " + std::string(container.extension)},
                     limits);
}

}  // namespace

const Container* container_of_extension(std::string_view extension) {
    const auto* const found = std::find_if(containers.begin(), containers.end(),
                                           [&](const Container& one) { return one.extension == extension; });
    return found == containers.end() ? nullptr : found;
}

const Container* find_container(std::string_view id) {
    const auto* const found = std::find_if(containers.begin(), containers.end(),
                                           [&](const Container& one) { return one.id == id; });
    return found == containers.end() ? nullptr : found;
}

Result<WorstDifference> difference(const Document& wanted, const Document& read) {
    const Clip meant = main_clip(wanted);
    const Clip found = main_clip(read);
    TRY(const auto comparison,
        compare_clips(meant, found, times_in_file(times_to_compare(meant, found)), {}));
    if (!comparison.only_in_a.empty() && !meant.tracks.empty()) {
        return fail(ErrorCode::internal, "the written file lacks the joint " + comparison.only_in_a.front() +
                                             ". Nothing was written");
    }
    return comparison.worst();
}

Json Encoded::report(const Container& container) const {
    Json report = {{"max_position_error_mm", worst.position_mm},
                   {"max_rotation_error_degrees", worst.rotation_degrees},
                   {"worst", worst_json(worst)},
                   {"container", container.id},
                   {"verified_by", document.program}};
    if (!renamed.empty()) {
        report["renamed"] = renamed;
    }
    return report;
}

Result<Encoded> encode(const Document& scene, const Container& container, const ReadOptions& limits) {
    Document placed = in_space(container.has_kinds ? scene : with_lines(scene), container.space);
    Json renamed = make_names_safe(container, placed);
    TRY(auto file, written(placed, container, limits));
    ReadOptions verifying = limits;
    verifying.is_for_verifying = true;
    TRY(auto document, read_motion({file, verifying, {}}));
    document.file = std::move(file);
    TRY(auto worst, difference(placed, document));
    return Encoded{std::move(document), std::move(worst), std::move(renamed)};
}

}  // namespace animbridge::scene

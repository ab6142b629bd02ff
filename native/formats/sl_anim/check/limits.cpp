// SPDX-License-Identifier: MIT
#include "formats/sl_anim/check/check.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "formats/sl_anim/check/rules.h"

namespace animbridge::sl_anim::check {

namespace {

constexpr std::string_view opensim_name = "OpenSim";

std::string seconds_text(double seconds) {
    std::array<char, 64> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), seconds, std::chars_format::fixed, 3);
    return {text.data(), end.ptr};
}

}  // namespace

Grid target_from(const Json& grid) { return grid == "opensim" ? Grid::opensim : Grid::second_life; }

void report_target(Grid target, Made& made) {
    if (target == Grid::opensim) {
        made.only_reported = {rule("file_too_large"), rule("duration_too_long")};
        made.report["only_reported"] = Json(made.only_reported);
        made.report["made_for"] = opensim_name;
    }
}

std::size_t counted_bytes(const file::Document& document) {
    return std::max(file::file_bytes(document), file::file_bytes(stored_form(document)));
}

Result<void> require_playable(const file::Document& document) {
    return animbridge::require_accepted(viewer_name, check(document, {CheckLevel::playback, {}}));
}

Result<void> require_duration(float duration_seconds, Grid target) {
    constexpr float most = max_duration_seconds;
    if (!std::isfinite(duration_seconds)) {
        // Time codes are meaningless for such a duration, and the encoders cannot handle it.
        return fail(ErrorCode::rejected, "the animation lasts " + seconds_text(duration_seconds) +
                                             " s; allowed are seconds that single precision holds: use more "
                                             "frames per second or an earlier last frame");
    }
    if (target == Grid::second_life && duration_seconds > most) {
        return fail(ErrorCode::rejected,
                    "the animation lasts " + seconds_text(duration_seconds) + " s, " +
                        seconds_text(double{duration_seconds} - double{most}) +
                        " s more than the 60 s that Second Life takes: shorten it, play it faster, or split "
                        "it into parts");
    }
    return {};
}

Result<void> require_size(const file::Document& document, Grid target) {
    if (target != Grid::second_life) {
        return {};
    }
    constexpr std::size_t most = max_upload_bytes;
    const std::size_t bytes = counted_bytes(document);
    if (bytes > most) {
        return fail(ErrorCode::rejected,
                    "the animation takes " + std::to_string(bytes) + " bytes after the upload, " +
                        std::to_string(bytes - most) + " more than the " + std::to_string(most) +
                        " that Second Life takes: fit it to this size, which drops keys under the smallest "
                        "error that does; or allow larger errors, sample fewer frames or animate fewer than "
                        "its " +
                        std::to_string(document.joints.size()) + " joints");
    }
    return {};
}

Result<void> require_accepted(const file::Document& document, Grid target) {
    auto findings = check(document, {CheckLevel::playback, {}});
    if (target == Grid::second_life) {
        return animbridge::require_accepted(viewer_name, findings);
    }
    std::erase_if(findings,
                  [](const Finding& finding) { return finding.rule->id == rule("duration_too_long"); });
    return animbridge::require_accepted(opensim_name, findings);
}

}  // namespace animbridge::sl_anim::check

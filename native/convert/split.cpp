// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/files/files.h"
#include "convert/convert.h"
#include "editing/editing.h"
#include "formats/registry.h"
#include "model/clip/clip.h"
#include "rig/exchange/exchange.h"

namespace animbridge {

namespace {

/// After a part that is not the last, its last pose is held this long, so that the next one can begin late.
constexpr double overlap_seconds = 0.3;
/// Two parts are not cut closer together.
constexpr double least_seconds = 0.1;

bool has_eases(const Format& format) {
    return has_option(options_of_call(format, "edited"), "ease_out_duration");
}

/// A part of the document, with what makes it follow the others.
class Parts {
public:
    Parts(const AnyDocument& document, Clip clip) : document_(document), clip_(std::move(clip)) {}

    [[nodiscard]] double duration_seconds() const { return clip_.duration_seconds; }

    [[nodiscard]] Result<DocumentPtr> part(const TrimSpan& span) const {
        const auto side = [](double seconds) { return TrimPoint{seconds, TrimPoint::Unit::seconds}; };
        TRY(auto made,
            document_.format().edit.trimmed(document_, {side(span.start_seconds), side(span.end_seconds)}));
        if (!has_eases(document_.format())) {
            return made;
        }
        Json edits = {{"loop", false}};
        if (span.start_seconds > 0.0) {
            edits["ease_in_duration"] = 0.0;
        }
        if (span.end_seconds < duration_seconds()) {
            edits["ease_out_duration"] = overlap_seconds;
            edits["hold_last"] = overlap_seconds;
        }
        return editing::edited(*made, edits, {}, editing::Difference::not_measured).map([](Made edited) {
            return std::move(edited.document);
        });
    }

    [[nodiscard]] Result<bool> fits(const TrimSpan& span, const SplitLimits& limits) const {
        const bool is_last = span.end_seconds >= duration_seconds();
        const double held = has_eases(document_.format()) && !is_last ? overlap_seconds : 0.0;
        if (limits.seconds && span.end_seconds - span.start_seconds + held > *limits.seconds + 1e-6) {
            return false;
        }
        if (!limits.bytes) {
            return true;
        }
        TRY(const auto made, part(span));
        TRY(const Bytes bytes, made->write());
        return bytes.size() <= *limits.bytes;
    }

    [[nodiscard]] double slowest(const TrimSpan& span) const { return editing::slowest_moment(clip_, span); }

    [[nodiscard]] std::vector<double> marker_times() const {
        std::vector<double> times;
        for (const Marker& marker : clip_.markers) {
            const bool is_loop = std::ranges::find(loop_markers, marker.name) != loop_markers.end();
            if (!is_loop && marker.time_seconds > least_seconds &&
                marker.time_seconds < duration_seconds() - least_seconds) {
                times.push_back(marker.time_seconds);
            }
        }
        std::ranges::sort(times);
        return times;
    }

private:
    const AnyDocument& document_;
    Clip clip_;
};

/// The latest end of a part that begins at a time, within the limits.
Result<double> latest_end(const Parts& parts, double start, const SplitLimits& limits) {
    const double whole = parts.duration_seconds();
    TRY(const bool is_last, parts.fits({start, whole}, limits));
    if (is_last) {
        return whole;
    }
    double fitting = start;
    double too_far = whole;
    constexpr double precise_seconds = 1e-3;
    while (too_far - fitting > precise_seconds) {
        const double middle = (fitting + too_far) / 2.0;
        TRY(const bool fits, parts.fits({start, middle}, limits));
        (fits ? fitting : too_far) = middle;
    }
    if (fitting - start < least_seconds) {
        return fail(ErrorCode::rejected,
                    "the part after " + shown_number(start) +
                        " s does not fit, however short it is. Leave out joints, or allow more",
                    "split");
    }
    return fitting;
}

Result<std::vector<double>> cuts_of(Parts& parts, const SplitLimits& limits) {
    if (limits.at_markers) {
        auto times = parts.marker_times();
        if (times.empty()) {
            return fail(ErrorCode::rejected, "the file has no markers besides those of its loop", "split");
        }
        return times;
    }
    std::vector<double> cuts;
    double start = 0.0;
    while (true) {
        TRY(const double end, latest_end(parts, start, limits));
        if (end >= parts.duration_seconds()) {
            return cuts;
        }
        const double cut = parts.slowest({start, end});
        start = cut - start < least_seconds ? end : cut;
        cuts.push_back(start);
    }
}

}  // namespace

std::optional<SplitLimits> split_from(std::string_view text) {
    if (text == "markers") {
        return SplitLimits{{}, {}, true};
    }
    if (text.size() < 2) {
        return std::nullopt;
    }
    double number = 0;
    const char* const end = text.data() + text.size() - 1;
    const auto [stopped, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stopped != end || !std::isfinite(number)) {
        return std::nullopt;
    }
    if (text.back() == 's' && number >= 1.0) {
        return SplitLimits{number, {}, false};
    }
    constexpr double most_bytes = 1e15;
    const bool is_size = text.back() == 'b' && number >= 1.0 && number <= most_bytes;
    return is_size ? std::optional(SplitLimits{{}, static_cast<std::uint64_t>(number), false}) : std::nullopt;
}

std::string split_name(const std::string& output, std::size_t number) {
    const std::size_t dot = output.size() - extension_of(output).size();
    return output.substr(0, dot) + "-" + std::to_string(number) + output.substr(dot);
}

Result<std::vector<SplitPart>> split(const AnyDocument& document, const SplitLimits& limits) {
    const Format& format = document.format();
    if (format.clip.to_clip == nullptr || format.edit.trimmed == nullptr) {
        return fail(ErrorCode::invalid_argument, std::string(format.noun) + " cannot be split into files",
                    "split");
    }
    if (limits.bytes && format.file.as_named != nullptr) {
        return fail(ErrorCode::invalid_argument,
                    std::string(format.noun) + " can be split by seconds or markers, and not by bytes",
                    "split");
    }
    TRY(auto made, format.clip.to_clip(document, at_body_size(format, Json::object())));
    Parts parts(document, std::move(made.clip));
    TRY(const auto cuts, cuts_of(parts, limits));
    std::vector<SplitPart> all;
    double start = 0.0;
    for (std::size_t i = 0; i <= cuts.size(); ++i) {
        const TrimSpan span{start, i < cuts.size() ? cuts[i] : parts.duration_seconds()};
        TRY(auto part,
            cuts.empty() ? Result<DocumentPtr>(std::make_unique<AnyDocument>(document)) : parts.part(span));
        all.push_back({std::move(part), span});
        start = span.end_seconds;
    }
    return all;
}

Result<std::vector<PartFile>> part_files(const AnyDocument& document, const std::string& output,
                                         const SplitLimits& limits, const ReadOptions& options) {
    TRY_VOID(require_name_for(document.format(), output));
    TRY(auto parts, split(document, limits));
    std::vector<PartFile> files;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string name = split_name(output, i + 1);
        Json unused = Json::object();
        TRY(const auto named, named_for(std::move(parts[i].document), name, unused, options));
        TRY(auto bytes, named->write(options));
        const TrimSpan& span = parts[i].span;
        Json row = {{"output", json_text(name)},
                    {"start_seconds", span.start_seconds},
                    {"end_seconds", span.end_seconds},
                    {"bytes", bytes.size()}};
        files.push_back({name, std::move(bytes), std::move(row)});
    }
    return files;
}

Result<std::vector<PartFile>> part_files(const ConvertedFile& whole, const std::string& output,
                                         const ConvertOptions& options) {
    ReadOptions reading;
    reading.memory_mib = options.reading.memory_mib;
    TRY(const auto document, read_document(whole.view(), "", output, reading));
    return part_files(*document, output, *options.split, reading);
}

Result<Json> write_parts(std::span<const PartFile> files) {
    Json rows = Json::array();
    for (const PartFile& file : files) {
        std::error_code none;
        if (std::filesystem::exists(path_of(file.name), none)) {
            return fail(
                in_file({ErrorCode::invalid_argument, "a file with this name exists; choose another output"},
                        file.name));
        }
        rows.push_back(file.row);
    }
    for (const PartFile& file : files) {
        TRY_VOID(write_file(file.name, file.bytes));
    }
    return rows;
}

}  // namespace animbridge

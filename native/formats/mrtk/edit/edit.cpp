// SPDX-License-Identifier: MIT
#include "formats/mrtk/edit/edit.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "formats/mrtk/check/check.h"
#include "formats/mrtk/play/play.h"

namespace animbridge::mrtk::edit {

namespace {

constexpr double most_speed = 1000.0;

struct Edits {
    bool repair_rotation_w = false;
    bool repair_zero_rotations = false;
    bool continue_signs = false;
    bool start_at_zero = false;
    std::optional<double> speed{};
    std::optional<std::int32_t> minor{};
};

template <auto Field>
constexpr OptionRow<Edits> flag_row(std::string_view name, std::string_view command_name,
                                    std::string_view help) {
    return {{.name = name,
             .type = OptionType::flag,
             .command_name = command_name,
             .standard = "false",
             .help = help},
            [](Edits& edits, const Json& value) { edits.*Field = value.get<bool>(); }};
}

template <auto Field>
constexpr OptionRow<Edits> number_row(Option option) {
    return {option, [](Edits& edits, const Json& value) { edits.*Field = value.get<double>(); }};
}

// In the order in which they are done.
constexpr std::array<OptionRow<Edits>, 6> edit_rows = {{
    flag_row<&Edits::repair_rotation_w>("repair_rotation_w", "--repair-rotation-w",
                                        "Restore the W of rotations that MRTK 2.6.0 to 2.7.2 lost"),
    flag_row<&Edits::repair_zero_rotations>("repair_zero_rotations", "--repair-zero-rotations",
                                            "Make each zero quaternion no rotation"),
    flag_row<&Edits::continue_signs>("continue_signs", "--continue-signs",
                                     "Give each quaternion the sign that is nearest to the one before it"),
    flag_row<&Edits::start_at_zero>("start_at_zero", "--start-at-zero",
                                    "Move a recording that begins before 0 seconds to 0"),
    number_row<&Edits::speed>({.name = "speed",
                               .type = OptionType::number,
                               .low = 1.0 / most_speed,
                               .high = most_speed,
                               .without = "1",
                               .help = "Play faster, or slower below 1"}),
    {{.name = "version",
      .type = OptionType::choice,
      .command_name = "--mrtk-version",
      .value_name = "VERSION",
      .choices = {"1.0", "1.1"},
      .without = "the file's",
      .help =
          "Version of the format: 1.0 loads in every MRTK 2 and has no gaze; 1.1 loads from 2.6 on and has "
          "straight lines between keys only"},
     [](Edits& edits, const Json& value) { edits.minor = value == "1.1" ? 1 : 0; }},
}};
constexpr auto table = options_of(edit_rows);

/// Edits one document.
class Editor {
public:
    explicit Editor(const file::Document& document)
        : like_(curves::head_of(document)), curves_(curves::taken_apart(document)) {}

    Json report = Json::object();

    void repair_w(const file::Document& document) {
        const RestoredW done = restore_w(document, curves_);
        report["repair_rotation_w"] = {{"rotations", done.rotations},
                                       {"keys", done.keys},
                                       {"by_next_joint", done.by_child},
                                       {"by_twin", done.by_twin},
                                       {"by_continuity", done.by_continuity}};
    }
    void repair_zeros() {
        report["repair_zero_rotations"] = {{"keys", mrtk::edit::repair_zero_rotations(curves_)}};
    }
    void continue_signs() {
        const ContinuedSigns done = mrtk::edit::continue_signs(curves_);
        report["continue_signs"] = {
            {"keys", done.keys}, {"rotations", done.rotations}, {"skipped_rotations", done.skipped}};
    }
    void cut_end(double seconds) {
        seconds = as_float(seconds);
        cut_each([&](curves::LooseCurve& curve,
                     bool is_switch) { return curves::cut_after(curve, seconds, is_switch); },
                 [&](double time) { return time <= seconds; });
    }
    void cut_start(double seconds) {
        seconds = as_float(seconds);
        cut_each([&](curves::LooseCurve& curve,
                     bool is_switch) { return curves::cut_before(curve, seconds, is_switch); },
                 [&](double time) { return time >= seconds; });
        retime_all(-seconds, 1.0);
    }
    void start_at_zero() {
        double first = 0;
        for (const curves::LooseCurve& curve : curves_) {
            for (const file::FullKey& key : curve.keys) {
                first = std::min(first, static_cast<double>(key.time.value()));
            }
        }
        if (first < 0.0) {
            retime_all(-first, 1.0);
        }
        report["start_at_zero"] = {{"moved_seconds", -first + 0.0}};
    }
    void set_speed(double speed) {
        retime_all(0.0, speed);
        report["speed"] = speed;
    }
    void set_version(std::int32_t minor) {
        const file::Document before = take();
        report["version"] = version_json(change_version(like_, curves_, minor));
        measure_version(before, report["version"]);
    }
    void sort() {
        for (curves::LooseCurve& curve : curves_) {
            if (!curve.view().is_sorted()) {
                curves::sort_keys(curve);
            }
        }
    }
    [[nodiscard]] file::Document take() const { return curves::put_together(like_, curves_); }

private:
    /// The error of lines instead of curves; null if the recording cannot be played.
    void measure_version(const file::Document& before, Json& change) const {
        const auto measured = play::compare(before, take(), Job());
        const WorstDifference worst = measured ? measured->worst() : WorstDifference();
        change["max_position_error_mm"] = measured ? Json(worst.position_mm) : Json(nullptr);
        change["max_rotation_error_degrees"] = measured ? Json(worst.rotation_degrees) : Json(nullptr);
    }
    /// The time of a key at the cut, rounded to a float.
    static double as_float(double seconds) { return static_cast<double>(static_cast<float>(seconds)); }
    /// Cuts each curve, and drops the markers that are not to be kept. A curve that is cut repeats no more:
    /// what is left of it is not what it repeated.
    template <typename Cut, typename Keep>
    void cut_each(Cut cut, Keep keep) {
        for (std::size_t i = 0; i < file::curve_count; ++i) {
            const bool did_repeat = curves::is_repeating(curves_[i].view());
            const std::size_t before = curves_[i].keys.size();
            const std::size_t added = cut(curves_[i], file::is_switch(i));
            const bool is_cut = added > 0 || curves_[i].keys.size() < before;
            if (did_repeat && is_cut) {
                curves::hold(curves_[i]);
            }
        }
        keep_markers(keep);
    }
    template <typename Keep>
    void keep_markers(Keep keep) {
        std::vector<file::Marker> kept;
        std::string names;
        const std::vector<file::NamedMarker> named = file::named_markers(like_);
        for (std::size_t i = 0; i < named.size(); ++i) {
            if (keep(static_cast<double>(named[i].time.value()))) {
                kept.push_back(like_.markers[i]);
                names += named[i].name;
            }
        }
        like_.markers = std::move(kept);
        like_.marker_names = std::move(names);
    }
    void retime_all(double shift, double speed) {
        for (curves::LooseCurve& curve : curves_) {
            curves::retime(curve, shift, speed);
        }
        for (file::Marker& marker : like_.markers) {
            marker.time = curves::retimed(marker.time, shift, speed);
        }
    }

    file::Document like_;
    curves::LooseCurves curves_;
};

/// These depend on times, so the recording must be playable.
bool needs_times(const Edits& edits) { return edits.repair_rotation_w || edits.speed || edits.start_at_zero; }

}  // namespace

std::span<const Option> edit_options() { return table; }

Result<Edited> edit(const file::Document& document, const Json& edits) {
    Edits wanted;
    TRY_VOID(read_options(edits, edit_rows, wanted));
    if (needs_times(wanted)) {
        TRY_VOID(check::require_playable(document));
    }
    Editor editor(document);
    if (wanted.repair_rotation_w) {
        editor.repair_w(document);
    }
    if (wanted.repair_zero_rotations) {
        editor.repair_zeros();
    }
    if (wanted.continue_signs) {
        editor.continue_signs();
    }
    if (wanted.start_at_zero) {
        editor.start_at_zero();
    }
    if (wanted.speed) {
        editor.set_speed(*wanted.speed);
    }
    if (wanted.minor) {
        editor.set_version(*wanted.minor);
    }
    Json report = std::move(editor.report);
    return Edited{report.empty() ? document : editor.take(), std::move(report)};
}

Result<file::Document> trimmed(const file::Document& document, const Trim& trim) {
    TRY_VOID(check::require_playable(document));
    TRY(const TrimSpan span, trim.in(curves::duration_seconds(document), 0.0));
    Editor editor(document);
    editor.sort();
    if (trim.end) {
        editor.cut_end(span.end_seconds);
    }
    if (trim.start) {
        editor.cut_start(span.start_seconds);
    }
    return editor.take();
}

namespace {

/// "1 key" or "12 keys" of a report's member.
std::string counted(const Json& report, std::string_view member, const std::string& one,
                    const std::string& many) {
    return plain_text(report[member]) + " " + (report[member] == 1 ? one : many);
}

/// The changes that happened, with their counts.
class Happened {
public:
    explicit Happened(const Json& report) : report_(report) {}

    void add(std::string_view member, const std::string& one, const std::string& many) {
        if (report_[member] != 0) {
            add(counted(report_, member, one, many));
        }
    }
    void add(const std::string& text) { text_ += (text_.empty() ? "" : ", ") + text; }
    [[nodiscard]] std::string line(const std::string& what) const {
        return what + ": " + (text_.empty() ? "nothing changed" : text_) + "\n";
    }

private:
    const Json& report_;
    std::string text_{};
};

std::string version_line(const Json& change) {
    Happened happened(change);
    const std::string layout = plain_text(change["from_layout"]);
    if (layout == "no_markers" || layout == "wide_keys_no_markers") {
        happened.add("an empty list of markers was added");
    }
    if (layout == "wide_keys" || layout == "wide_keys_no_markers") {
        happened.add("the layout of the keys is now the version's");
    }
    happened.add("curved_segments", "curved segment became lines", "curved segments became lines");
    happened.add("line_keys", "key added on them", "keys added on them");
    happened.add("steps", "step kept by a key just before it", "steps kept by a key just before each");
    happened.add("gaze_keys", "key of the gaze left out", "keys of the gaze left out");
    happened.add("empty_sections", "omitted section added without keys",
                 "omitted sections added without keys");
    if (change["curved_segments"] != 0 && !change["max_position_error_mm"].is_null()) {
        happened.add("at most " + measured_text(change["max_position_error_mm"].get<double>()) + " mm and " +
                     measured_text(change["max_rotation_error_degrees"].get<double>()) + " degrees off");
    }
    const std::string from = plain_text(change["from"]);
    const std::string to = plain_text(change["to"]);
    return happened.line("version " + (from == to ? to : from + " to " + to));
}

std::string restored_line(const Json& done) {
    return "W restored: " + counted(done, "rotations", "rotation, ", "rotations, ") +
           counted(done, "keys", "key; ", "keys; ") + plain_text(done["by_next_joint"]) +
           " by the next joint, " + plain_text(done["by_twin"]) + " by a joint with the same rotation, " +
           plain_text(done["by_continuity"]) + " by continuity alone\n";
}

std::string signs_line(const Json& done) {
    std::string text = "signs: " + counted(done, "keys", "key", "keys") + " negated in " +
                       counted(done, "rotations", "rotation", "rotations");
    if (done["skipped_rotations"] != 0) {
        text +=
            "; " + counted(done, "skipped_rotations", "rotation left, whose curves differ in their key times",
                           "rotations left, whose curves differ in their key times");
    }
    return text + "\n";
}

std::string moved_line(const Json& done) {
    return done["moved_seconds"] == 0.0 ? "not moved: the recording does not begin before 0 s\n"
                                        : "moved by " + six_digits(done["moved_seconds"]) + " s\n";
}

}  // namespace

std::string describe_edit(const Json& report) {
    std::string text;
    const auto with = [&](std::string_view name, const auto& line) {
        if (report.contains(name)) {
            text += line(report[name]);
        }
    };
    with("repair_rotation_w", restored_line);
    with("repair_zero_rotations", [](const Json& done) {
        return "zero quaternions: " + counted(done, "keys", "key", "keys") + " made no rotation\n";
    });
    with("continue_signs", signs_line);
    with("start_at_zero", moved_line);
    with("speed", [](const Json& speed) { return "speed: " + six_digits(speed) + "\n"; });
    with("version", version_line);
    return text;
}

}  // namespace animbridge::mrtk::edit

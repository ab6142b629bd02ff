// SPDX-License-Identifier: MIT
#include <string>
#include <string_view>
#include <vector>

#include "base/text_table.h"
#include "formats/mrtk/edit.h"

namespace animbridge::mrtk {

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

}  // namespace animbridge::mrtk

// SPDX-License-Identifier: MIT
#include "formats/oban/check/check.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <glm/geometric.hpp>

#include "base/options/options.h"
#include "formats/oban/play/play.h"

namespace animbridge::oban::check {

namespace {

using enum FindingClass;
using enum CheckLevel;

// clang-format off
constexpr std::array<Rule, 20> all_rules = {{
    {"keys_none", rejected, playback,
     "The animation has no keys: the object has no defined position.",
     "Add a key at frame 0."},
    {"keys_too_many", rejected, playback,
     "OniSplit refuses animations with more than 32,767 keys.",
     "Export the animation again: unneeded keys are dropped."},
    {"frame_count_too_large", rejected, playback,
     "OniSplit misreads more than 32,767 frames as a negative number and refuses the file.",
     "Shorten the animation to 32,767 frames (9 minutes), or split it."},
    {"key_not_finite", rejected, playback,
     "A key is not a number: the object disappears.",
     "Delete the key, or set it again."},
    {"base_not_finite", rejected, playback,
     "BaseTransform is not a number: the object disappears.",
     "Set BaseTransform to the identity, unless the object is scaled."},
    {"rotation_without_direction", rejected, playback,
     "The rotation is 0, 0, 0, 0, which is not a rotation: the object disappears.",
     "Set the rotation again; no rotation is 0, 0, 0, 1."},
    {"key_times_not_increasing", rejected, playback,
     "Key times do not increase: the game may show any of these keys.",
     "Sort the keys, with at most one for each frame."},
    {"first_key_not_at_0", risky, playback,
     "The first key is not at frame 0. AnimBridge holds it from the start; the game may not.",
     "Move the first key to frame 0."},
    {"last_key_not_at_end", risky, playback,
     "The last key is not at the last frame: the end is held or cut off.",
     "Set FrameCount to the last key's time plus 1."},
    {"rotation_not_unit", risky, playback,
     "The rotation is not normalised: the object may be scaled.",
     "Normalise the rotation, or export the animation again."},
    {"half_stop_beyond_end", risky, playback,
     "HalfStopFrame, at which a door is open, is after the last frame.",
     "Set it to the frame at which the door is open, or to 0 if the object is not a door."},
    {"loop_flags_both", risky, playback,
     "NormalLoop and BackToBackLoop are both set. AnimBridge plays back and forth; the game may not.",
     "Clear one of the two flags."},
    {"initial_transform_differs", advice, strict,
     "InitialTransform does not match frame 0. Tools that show it place the object elsewhere; playback is not affected.",
     "Export the animation again: InitialTransform is then made from the first key."},
    {"door_not_symmetric", advice, strict,
     "The motion after HalfStopFrame does not mirror the motion before it: a door that is stopped halfway jumps.",
     "Export the animation as a door: the closing half then mirrors the opening half."},
    {"local_far_from_origin", advice, strict,
     "ZAxisUp is set, so keys are relative to the object, but one is more than 10 m away from it.",
     "Check that the positions are relative, or clear the flag."},
    {"flags_unknown", advice, strict,
     "Unknown flags are set. They are kept, but OniSplit's XML shows all flags as a number.",
     "Clear the flags unless the file came with them."},
    {"bytes_behind_keys", advice, strict,
     "There are bytes after the keys. OniSplit's XML and raw records cannot store them.",
     "Export the animation again to remove them."},
    {"checksum_unknown", advice, strict,
     "The header's checksum is not that of the PC, Mac or PS2. OniSplit reads the file as one for the Mac.",
     "Export the animation again: the new file has the PC's checksum."},
    {"name_not_writable", advice, strict,
     "The name is not OBAN and 1 to 59 printable ASCII characters: AnimBridge cannot write it to a new file.",
     "Rename the animation."},
    {"raw_part_outside", advice, strict,
     "The raw part is outside the file: the file may be cut off. OBANs do not use it.",
     "Export the animation again: the new file has no raw part."},
}};
// clang-format on

/// The id of a rule; one that the table lacks does not compile.
consteval std::string_view rule(std::string_view id) { return id_in(all_rules, id); }

// Offsets of fields in a record and in a container's header.
constexpr std::int64_t flags_at = 0x14;
constexpr std::int64_t initial_at = 0x18;
constexpr std::int64_t base_at = 0x48;
constexpr std::int64_t frame_count_at = 0x7a;
constexpr std::int64_t half_stop_at = 0x7c;
constexpr std::int64_t count_at = 0x7e;
constexpr std::int64_t position_in_key = 16;
constexpr std::int64_t time_in_key = 28;
constexpr std::int64_t raw_offset_at = 0x30;

// Tolerances that docs/oban-format.md explains.
constexpr double initial_tolerance = 1e-4;  // relative
constexpr double length_tolerance = 1e-3;   // relative
constexpr double door_units = 0.01;         // a millimetre
constexpr double door_degrees = 0.05;
constexpr double far_units = 100.0;  // 10 m

/// The findings about one record, or about what is around records.
class RecordFindings {
public:
    RecordFindings(CheckLevel level, RecordPlace place)
        : found_(rules(), level, "animations"), place_(std::move(place)) {}

    /// `at`: the field's offset from the record's start.
    void add(std::string_view rule_id, std::int64_t at, std::string found, std::int64_t key = -1) {
        found_.add(rule_id, std::move(found), place_.name, key, place_.start < 0 ? -1 : place_.start + at);
    }

    [[nodiscard]] bool any_rejected() const { return found_.any_rejected(); }

    /// In the order of the table of rules.
    [[nodiscard]] std::vector<Finding> take() {
        std::vector<Finding> findings = found_.take();
        std::ranges::sort(findings, [](const Finding& a, const Finding& b) { return a.rule < b.rule; });
        return findings;
    }

private:
    FindingList found_;
    RecordPlace place_;
};

std::int64_t last_frame_of(const file::Record& record) { return std::max(record.frame_count - 1, 0); }

std::int64_t key_at(std::size_t key) {
    return static_cast<std::int64_t>(file::head_bytes + sizeof(file::Key) * key);
}

std::string texts_of(std::span<const RawFloat> numbers) {
    std::string text;
    for (const RawFloat number : numbers) {
        text += text.empty() ? "" : ", ";
        text += six_digits(static_cast<double>(number.value()));
    }
    return text;
}

bool all_finite(std::span<const RawFloat> numbers) {
    return std::ranges::all_of(numbers, [](RawFloat number) { return number.is_finite(); });
}

double length_of(std::span<const RawFloat> numbers) {
    double sum = 0;
    for (const RawFloat number : numbers) {
        sum += static_cast<double>(number.value()) * static_cast<double>(number.value());
    }
    return std::sqrt(sum);
}

void check_counts(const file::Record& record, RecordFindings& findings) {
    const std::string keys = std::to_string(record.keys.size()) + " keys";
    if (record.keys.empty()) {
        findings.add(rule("keys_none"), count_at, keys);
    }
    if (record.keys.size() > file::max_keys) {
        findings.add(rule("keys_too_many"), count_at, keys + "; 32767 are allowed");
    }
    if (record.frame_count > file::max_frames) {
        findings.add(rule("frame_count_too_large"), frame_count_at,
                     std::to_string(record.frame_count) + "; 32767 are allowed");
    }
    if (record.half_stop_frame > last_frame_of(record)) {
        findings.add(rule("half_stop_beyond_end"), half_stop_at,
                     std::to_string(record.half_stop_frame) + "; 0 to " +
                         std::to_string(last_frame_of(record)) + " are allowed");
    }
    if (!record.tail.empty()) {
        findings.add(rule("bytes_behind_keys"), count_at, std::to_string(record.tail.size()) + " bytes");
    }
    if (!all_finite(record.base)) {
        findings.add(rule("base_not_finite"), base_at,
                     texts_of(record.base) + "; finite numbers are allowed");
    }
}

void check_flags(const file::Record& record, RecordFindings& findings) {
    if ((record.flags & ~file::known_flags) != 0) {
        findings.add(rule("flags_unknown"), flags_at,
                     std::to_string(record.flags) + ", with bits of " +
                         std::to_string(record.flags & ~file::known_flags) + "; the known ones make 0 to 31");
    }
    if ((record.flags & file::normal_loop) != 0 && (record.flags & file::back_to_back_loop) != 0) {
        findings.add(rule("loop_flags_both"), flags_at, "both flags");
    }
}

void check_times(const file::Record& record, RecordFindings& findings) {
    const auto& keys = record.keys;
    if (keys.empty()) {
        return;
    }
    const auto last = keys.size() - 1;
    if (keys.front().time != 0) {
        findings.add(rule("first_key_not_at_0"), key_at(0) + time_in_key,
                     "time " + std::to_string(keys.front().time) + "; 0 is allowed", 0);
    }
    if (keys.back().time != record.frame_count - 1) {
        findings.add(rule("last_key_not_at_end"), key_at(last) + time_in_key,
                     "time " + std::to_string(keys.back().time) + "; " +
                         std::to_string(record.frame_count - 1) + " is allowed",
                     static_cast<std::int64_t>(last));
    }
    for (std::size_t i = 1; i < keys.size(); ++i) {
        if (keys[i].time <= keys[i - 1].time) {
            findings.add(
                rule("key_times_not_increasing"), key_at(i) + time_in_key,
                "time " + std::to_string(keys[i].time) + " after " + std::to_string(keys[i - 1].time),
                static_cast<std::int64_t>(i));
        }
    }
}

void check_rotation(const file::Key& key, std::size_t index, RecordFindings& findings) {
    const auto number = static_cast<std::int64_t>(index);
    if (!all_finite(key.rotation)) {
        findings.add(rule("key_not_finite"), key_at(index),
                     "rotation " + texts_of(key.rotation) + "; finite numbers are allowed", number);
        return;
    }
    const double length = length_of(key.rotation);
    if (!(length > 0.0)) {
        findings.add(rule("rotation_without_direction"), key_at(index),
                     "rotation 0, 0, 0, 0; a length of 1 is allowed", number);
    } else if (std::fabs(length - 1.0) > length_tolerance) {
        findings.add(rule("rotation_not_unit"), key_at(index),
                     "length " + six_digits(length) + "; 0.999 to 1.001 is allowed", number);
    }
}

void check_keys(const file::Record& record, RecordFindings& findings) {
    const bool is_local = (record.flags & file::z_axis_up) != 0;
    for (std::size_t i = 0; i < record.keys.size(); ++i) {
        const file::Key& key = record.keys[i];
        const auto number = static_cast<std::int64_t>(i);
        check_rotation(key, i, findings);
        if (!all_finite(key.position)) {
            findings.add(rule("key_not_finite"), key_at(i) + position_in_key,
                         "position " + texts_of(key.position) + "; finite numbers are allowed", number);
        }
        if (is_local && length_of(key.position) > far_units) {
            findings.add(rule("local_far_from_origin"), key_at(i) + position_in_key,
                         "position " + texts_of(key.position) + "; within 100 units (10 m) is expected",
                         number);
        }
    }
}

/// The 12 numbers in the file's order.
std::array<double, 12> numbers_of(const glm::dmat4& matrix) {
    std::array<double, 12> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers.at(i) = matrix[static_cast<int>(i / 3)][static_cast<int>(i % 3)];
    }
    return numbers;
}

/// The tolerance of the linear part is relative to its largest number, that of the translation to its largest
/// or 1.
void check_initial(const file::Record& record, const play::Player& player, RecordFindings& findings) {
    const auto expected = numbers_of(player.transform(0));
    const auto check_part = [&](std::size_t first, std::size_t last, double floor) {
        double scale = floor;
        for (std::size_t i = first; i < last; ++i) {
            scale = std::max(scale, std::fabs(expected.at(i)));
        }
        for (std::size_t i = first; i < last; ++i) {
            const auto found = static_cast<double>(record.initial.at(i).value());
            if (!(std::fabs(found - expected.at(i)) <= initial_tolerance * scale)) {
                findings.add(rule("initial_transform_differs"), initial_at,
                             "number " + std::to_string(i + 1) + " is " + six_digits(found) +
                                 "; frame 0 has " + six_digits(expected.at(i)));
            }
        }
    };
    check_part(0, 9, 0.0);
    check_part(9, 12, 1.0);
}

double degrees_between(glm::dquat a, const glm::dquat& b) {
    constexpr double degrees_per_radian = 57.29577951308232;
    a = glm::dot(a, b) < 0 ? -a : a;
    const glm::dquat difference = a + -b;
    return degrees_per_radian * 4.0 * std::asin(std::min(glm::length(difference) / 2.0, 1.0));
}

void check_door(const file::Record& record, const play::Player& player, RecordFindings& findings) {
    const std::int64_t middle = record.half_stop_frame;
    const std::int64_t last = last_frame_of(record);
    if (middle == 0 || middle > last) {
        return;
    }
    for (std::int64_t i = 1; i <= std::min(middle, last - middle); ++i) {
        const play::Pose a = player.pose(static_cast<double>(middle - i));
        const play::Pose b = player.pose(static_cast<double>(middle + i));
        const double apart = glm::length(a.position - b.position);
        const double degrees = degrees_between(a.rotation, b.rotation);
        if (apart > door_units || degrees > door_degrees) {
            findings.add(rule("door_not_symmetric"), half_stop_at,
                         "frames " + std::to_string(middle - i) + " and " + std::to_string(middle + i) +
                             " are " + measured_text(apart / door_units) + " mm and " +
                             measured_text(degrees) + " degrees apart");
            return;
        }
    }
    if (std::abs(last - 2 * middle) > 1) {
        findings.add(rule("door_not_symmetric"), half_stop_at,
                     std::to_string(middle) + ", but the last frame is " + std::to_string(last) +
                         ": the halves differ in length");
    }
}

}  // namespace

std::vector<Finding> check_record(const file::Record& record, CheckLevel level, const RecordPlace& place) {
    RecordFindings findings(level, place);
    check_counts(record, findings);
    check_flags(record, findings);
    check_times(record, findings);
    check_keys(record, findings);
    if (!findings.any_rejected() && level == CheckLevel::strict) {
        const play::Player player(record);
        check_initial(record, player, findings);
        check_door(record, player, findings);
    }
    return findings.take();
}

std::vector<Finding> check_container(const file::ContainerTables& tables, ByteView file, CheckLevel level) {
    RecordFindings findings(level, {});
    const file::ContainerHeader& header = tables.header;
    if (header.checksum != file::pc_checksum && header.checksum != file::mac_checksum &&
        header.checksum != file::ps2_checksum) {
        std::array<char, 17> digits{};
        std::to_chars(digits.data(), digits.data() + digits.size(), header.checksum, 16);
        findings.add(rule("checksum_unknown"), 0,
                     std::string("0x") + digits.data() + "; those of PC, Mac and PS2 are allowed");
    }
    const std::size_t raw_end = std::size_t{header.raw_offset} + header.raw_size;
    if (header.version == file::oni_version && raw_end > file.size()) {
        findings.add(rule("raw_part_outside"), raw_offset_at,
                     "an end at " + std::to_string(raw_end) + "; " + std::to_string(file.size()) +
                         " at most is allowed");
    }
    constexpr std::size_t longest_shown = 80;
    static_assert(longest_shown > file::max_name);
    for (std::size_t i = 0; i < tables.instances.size(); ++i) {
        const file::Instance& instance = tables.instances[i];
        const auto name = tables.name_of(file, i, longest_shown);
        if (!instance.is_oban() || !instance.has_data() || !name) {
            continue;
        }
        const bool printable = std::ranges::all_of(*name, [](char c) { return c >= ' ' && c <= '~'; });
        if (!printable || name->size() <= file::tag_name.size() || name->size() > file::max_name) {
            findings.add(rule("name_not_writable"),
                         static_cast<std::int64_t>(file::instance_at(i, file::InstanceField::name_offset)),
                         "\"" + std::string(*name) + "\"; 5 to 63 printable ASCII characters are allowed");
        }
    }
    return findings.take();
}

std::vector<Finding> check(const file::Document& document, CheckLevel level) {
    const std::int64_t start =
        document.container == file::Container::xml ? -1 : static_cast<std::int64_t>(document.before.size());
    std::vector<Finding> findings = check_record(document.record, level, {start, {}});
    if (document.container == file::Container::oni) {
        const Bytes file = file::write(document);
        if (const auto tables = file::read_container(file)) {
            const std::vector<Finding> around = check_container(*tables, file, level);
            findings.insert(findings.end(), around.begin(), around.end());
        }
    }
    return findings;
}

std::span<const Rule> rules() { return all_rules; }

}  // namespace animbridge::oban::check

// SPDX-License-Identifier: MIT
#include "formats/oban/edit/edit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "model/clip/clip.h"

namespace animbridge::oban::edit {

namespace {

/// Adds "layout" if the bytes around the record would be lost.
void leave_layout(const file::Document& document, std::vector<std::string_view>& left) {
    if (document.container != file::Container::oni) {
        return;
    }
    const auto made = file::new_oni(document.record, document.name);
    if (!made || made->before != document.before || made->after != document.after) {
        left.emplace_back("layout");
    }
}

void leave_ids(const file::Record& before, const file::Record& now, std::vector<std::string_view>& left) {
    if (now.res_id != before.res_id) {
        left.emplace_back("res_id");
    }
    if (now.lev_id != before.lev_id) {
        left.emplace_back("lev_id");
    }
}

void leave_name(const file::Document& document, std::vector<std::string_view>& left) {
    if (!document.name.empty()) {
        left.emplace_back("name");
    }
}

Result<Changed> in_oni(const file::Document& document, std::string_view name_if_none) {
    const std::string_view name = document.name.empty() ? name_if_none : std::string_view(document.name);
    TRY(auto made, file::new_oni(document.record, name));
    Changed changed{std::move(made), {}};
    leave_ids(document.record, changed.document.record, changed.left_behind);
    return changed;
}

Result<Changed> in_xml(const file::Document& document) {
    if (document.record.keys.size() > file::max_keys) {
        return fail(
            ErrorCode::rejected,
            "found " + std::to_string(document.record.keys.size()) + ", allowed in OniSplit's XML are 32767",
            "keys");
    }
    // Read the text back: the document must have what it has.
    TRY(auto held, file::read_xml(file::write_xml(document.record)));
    held.name = document.name;
    return Changed{std::move(held), left_behind_in_xml(document)};
}

Result<Changed> in_raw(const file::Document& document) {
    Changed changed{{file::Container::raw, document.name, document.record, {}, {}}, {}};
    if (!changed.document.record.tail.empty()) {
        changed.document.record.tail.clear();
        changed.left_behind.emplace_back("tail");
    }
    leave_name(document, changed.left_behind);
    leave_layout(document, changed.left_behind);
    return changed;
}

/// Names keep bits without a name; a number sets all bits.
void set_flags(Changed& changed, const Json& value) {
    std::uint32_t& flags = changed.document.record.flags;
    flags = value.is_array() ? (flags & ~file::known_flags) | file::flags_from_json(value, "").value()
                             : static_cast<std::uint32_t>(value.get<std::int64_t>());
}

template <auto Field>
void set_count(Changed& changed, const Json& value) {
    changed.document.record.*Field = static_cast<std::uint16_t>(value.get<std::int64_t>());
}

/// edit() sets options that may fail, and last the container, when the name is known.
void set_later(Changed& /*changed*/, const Json& /*value*/) {}

constexpr std::string_view the_files = "the file's";

constexpr std::array<OptionRow<Changed>, 5> edit_rows = {{
    {{.name = "flags",
      .type = OptionType::bits,
      .command_name = "--flags",
      .value_name = "FLAGS",
      .high = std::numeric_limits<std::uint32_t>::max(),
      .choices = {"NormalLoop", "BackToBackLoop", "RandomStartFrame", "Autostart", "ZAxisUp"},
      .without = the_files,
      .help = "The file's flags: a number sets all bits; names leave bits without a name as they are"},
     set_flags},
    {{.name = "half_stop_frame",
      .type = OptionType::integer,
      .command_name = "--half-stop-frame",
      .value_name = "FRAME",
      .high = std::numeric_limits<std::uint16_t>::max(),
      .without = the_files,
      .unit = "frames of the file",
      .zero = "none",
      .help = "Doors: the frame of the file (60 a second, from 0) where opening ends and closing begins"},
     set_count<&file::Record::half_stop_frame>},
    {{.name = "frame_length",
      .type = OptionType::integer,
      .command_name = "--frame-length",
      .value_name = "TICKS",
      .high = std::numeric_limits<std::uint16_t>::max(),
      .without = the_files,
      .help = "The authoring tool's ticks for each frame: 80 in files of the game. They do not change the "
              "speed"},
     set_count<&file::Record::frame_length>},
    {{.name = "name",
      .type = OptionType::text,
      .command_name = "--name",
      .value_name = "NAME",
      .without = the_files,
      .help = "The animation's name in a .oni, without the tag OBAN"},
     set_later},
    {{.name = "container",
      .type = OptionType::choice,
      .choices = {"raw", "oni", "xml"},
      .without = "what the file is",
      .help =
          "What kind of file is made: a raw record, a .oni or OniSplit's XML. Where a file is written, its "
          "extension decides"},
     set_later},
}};
constexpr auto edit_table = options_of(edit_rows);

/// Keeps the file's own name as stored if only its tag differs.
Result<void> set_name(Changed& changed, const Json& value) {
    file::Document& document = changed.document;
    TRY(const auto name, text_from_json(value, "name"));
    TRY(const auto stored, file::stored_name(name));
    if (file::without_tag(stored) == document.name) {
        return {};
    }
    if (document.container != file::Container::oni) {
        document.name = file::without_tag(stored);
        return {};
    }
    return made_anew(document, document.record, stored).map([&](Changed made) { changed = std::move(made); });
}

}  // namespace

void add_once(std::vector<std::string_view>& fields, std::string_view field) {
    if (std::ranges::find(fields, field) == fields.end()) {
        fields.push_back(field);
    }
}

std::vector<std::string_view> left_behind_in_xml(const file::Document& document) {
    std::vector<std::string_view> left = file::left_out_of_xml(document.record);
    leave_name(document, left);
    leave_layout(document, left);
    return left;
}

Result<Changed> in_container(const file::Document& document, file::Container container,
                             std::string_view name_if_none) {
    if (container == file::Container::raw) {
        return in_raw(document);
    }
    if (document.container == container) {
        return Changed{document, {}};
    }
    return container == file::Container::oni ? in_oni(document, name_if_none) : in_xml(document);
}

Result<Changed> made_anew(const file::Document& document, file::Record record, std::string_view name) {
    std::vector<std::string_view> left;
    leave_layout(document, left);
    return file::new_oni(std::move(record), name).map([&](file::Document made) {
        leave_ids(document.record, made.record, left);
        return Changed{std::move(made), std::move(left)};
    });
}

Result<Changed> with_record(const file::Document& document, file::Record record) {
    const bool same_size = file::record_bytes(record) == file::record_bytes(document.record);
    if (document.container != file::Container::oni || same_size) {
        return Changed{
            {document.container, document.name, std::move(record), document.before, document.after}, {}};
    }
    if (auto made = file::resized(document, record)) {
        return Changed{std::move(*made), {}};
    }
    return made_anew(document, std::move(record), document.name);
}

std::span<const Option> edit_options() { return edit_table; }

Result<Changed> edit(const file::Document& document, const Json& edits) {
    Changed edited{document, {}};
    TRY_VOID(read_options(edits, edit_rows, edited));
    if (const auto name = edits.find("name"); name != edits.end()) {
        TRY_VOID(set_name(edited, *name));
    }
    const auto container = edits.find("container");
    if (container == edits.end()) {
        return edited;
    }
    const auto wanted = file::container_from_json(*container, "container");
    auto changed =
        wanted ? in_container(edited.document, *wanted, "") : tl::unexpected<Error>(wanted.error());
    if (changed) {
        const auto left = std::exchange(changed->left_behind, std::move(edited.left_behind));
        for (const std::string_view field : left) {
            if (field != "name") {  // the document still has it; `named` reports it when the file is written
                add_once(changed->left_behind, field);
            }
        }
    }
    return changed;
}

namespace {

/// What the game shows at a frame, as a key.
file::Key key_at(const play::Player& player, std::int32_t frame) {
    const play::Pose pose = player.pose(frame);
    const glm::dquat& q = pose.rotation;
    const auto raw = [](double number) { return RawFloat(static_cast<float>(number)); };
    return {{raw(q.x), raw(q.y), raw(q.z), raw(-q.w)},
            {raw(pose.position.x), raw(pose.position.y), raw(pose.position.z)},
            frame};
}

/// The keys that a cut adds, from one frame to another; `other` is the frame of the key at the other end. The
/// game follows a chord, and a part of a chord is a different one once its ends are normalised: where that is
/// visible, every frame gets a key.
std::vector<file::Key> cut_keys(const play::Player& player, std::int32_t from, std::int32_t to,
                                std::int32_t other) {
    constexpr double seen_degrees = 10.0;
    const std::int32_t cut = other < from ? to : from;
    const bool is_long =
        angle_between_degrees(player.pose(cut).rotation, player.pose(other).rotation) > seen_degrees;
    std::vector<file::Key> keys;
    for (std::int32_t frame = from; frame <= to; ++frame) {
        if (is_long || frame == cut) {
            keys.push_back(key_at(player, frame));
        }
    }
    return keys;
}

}  // namespace

Result<file::Document> trimmed(const file::Document& document, const Trim& trim) {
    const file::Record& whole = document.record;
    TRY_VOID(play::require_playable(whole));
    const play::Player player(whole);
    TRY(const TrimSpan span, trim.in(player.last_frame() / file::frames_per_second, file::frames_per_second));
    const auto frame_of = [](double seconds) {
        return static_cast<std::int32_t>(std::lround(seconds * file::frames_per_second));
    };
    const std::int32_t first = frame_of(span.start_seconds);
    const std::int32_t last = std::max(frame_of(span.end_seconds), first);
    file::Record part = whole;
    std::erase_if(part.keys, [&](const file::Key& key) { return key.time < first || key.time > last; });
    const std::int32_t first_key = part.keys.empty() ? last : part.keys.front().time;
    const std::vector<file::Key> before = cut_keys(player, first, first_key - 1, first_key);
    part.keys.insert(part.keys.begin(), before.begin(), before.end());
    const std::int32_t last_key = part.keys.empty() ? first - 1 : part.keys.back().time;
    const std::vector<file::Key> after = cut_keys(player, last_key + 1, last, last_key);
    part.keys.insert(part.keys.end(), after.begin(), after.end());
    for (file::Key& key : part.keys) {
        key.time -= first;
    }
    part.frame_count = static_cast<std::uint16_t>(last - first + 1);
    part.half_stop_frame =
        static_cast<std::uint16_t>(std::clamp<std::int32_t>(whole.half_stop_frame - first, 0, last - first));
    return with_record(document, std::move(part)).map([](Changed changed) {
        return std::move(changed.document);
    });
}

namespace {

/// Moves every key to another frame.
template <typename Move>
void move_keys(file::Record& record, Move&& move) {
    std::vector<file::Key> moved;
    for (file::Key key : record.keys) {
        key.time = static_cast<std::int32_t>(std::lround(move(static_cast<double>(key.time))));
        if (!moved.empty() && moved.back().time == key.time) {
            moved.pop_back();
        }
        moved.push_back(key);
    }
    record.keys = std::move(moved);
    record.half_stop_frame =
        static_cast<std::uint16_t>(std::lround(move(static_cast<double>(record.half_stop_frame))));
}

}  // namespace

Result<file::Document> with_tools(const file::Document& document, editing::Tools& left, Json& rows) {
    namespace tools = editing;
    file::Record record = document.record;
    TRY_VOID(play::require_playable(record));
    double last = play::Player(record).last_frame();
    if (std::exchange(left.reverse, false)) {
        std::ranges::reverse(record.keys);
        move_keys(record, [&](double frame) { return last - frame; });
        rows.push_back(tools::done("reverse", "the motion plays backwards"));
    }
    const double seconds = last / file::frames_per_second;
    TRY(const auto factor, tools::take_speed(left, seconds, seconds));
    if (factor) {
        move_keys(record, [&](double frame) { return frame / *factor; });
        last = std::round(last / *factor);
        rows.push_back(tools::done("speed",
                                   "it plays " + shown_number(*factor) +
                                       " times as fast, in whole frames, and lasts " +
                                       shown_number(last / file::frames_per_second) + " s",
                                   {{"factor", *factor}}));
    }
    const double first_hold =
        std::round(std::exchange(left.hold_first_seconds, 0.0) * file::frames_per_second);
    const double last_hold = std::round(std::exchange(left.hold_last_seconds, 0.0) * file::frames_per_second);
    if (first_hold + last_hold > 0.0) {
        // The game has no pose before the first key, and ends at the last one.
        file::Key held = record.keys.front();
        move_keys(record, [&](double frame) { return frame + first_hold; });
        record.keys.insert(record.keys.begin(), first_hold > 0.0 ? 1 : 0, held);
        last += first_hold + last_hold;
        held = record.keys.back();
        held.time = static_cast<std::int32_t>(last);
        record.keys.insert(record.keys.end(), last_hold > 0.0 ? 1 : 0, held);
        rows.push_back(tools::done("hold", "the first or last pose is held"));
    }
    if (last >= static_cast<double>(file::max_frames)) {
        return fail(ErrorCode::rejected, "it would last more frames than the game plays, 32,767", "speed");
    }
    record.frame_count = static_cast<std::uint16_t>(last + 1.0);
    return with_record(document, std::move(record)).map([](Changed changed) {
        return std::move(changed.document);
    });
}

}  // namespace animbridge::oban::edit

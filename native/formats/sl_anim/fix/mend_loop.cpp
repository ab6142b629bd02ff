// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>

#include "base/options/options.h"
#include "editing/editing.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/edit/edit.h"
#include "formats/sl_anim/fix/mends.h"

/// Loops: pauses, travel, seams.
namespace animbridge::sl_anim::fix {

namespace {

std::string shown_seconds(double seconds) { return fixed_text(seconds, 3) + " s"; }

/// One and a half codes of a time, in which a key is stored anew.
double time_slack(double duration_seconds) { return 1.5 * duration_seconds / double{codes::max_code}; }

/// Whether a key after the time shows another pose, more than the limits of `stop_is_late`.
bool moves_after(const file::Document& document, double seconds) {
    constexpr double degrees = 1.0;
    constexpr double mm = 5.0;
    constexpr int samples = 60;
    const double ends = document.duration.value();
    for (int i = 1; i <= samples; ++i) {
        const Reach reach = difference_between(document, seconds, seconds + (ends - seconds) * i / samples);
        if (reach.degrees > degrees || reach.mm > mm) {
            return true;
        }
    }
    return false;
}

std::vector<std::string> all_joints(const file::Document& document) {
    std::vector<std::string> joints;
    for (const file::Joint& joint : document.joints) {
        if (const auto known = avatar::find_joint(joint.name)) {
            joints.push_back(avatar::skeleton()[*known].node.name);
        }
    }
    return joints;
}

/// Widens the change's times to those of the unchanged keys around what differs.
template <typename Key>
void note_times(const std::vector<Key>& from, const std::vector<Key>& to, const file::Document& before,
                Change& change) {
    const auto start = std::ranges::mismatch(from, to);
    if (start.in1 == from.end() && start.in2 == to.end()) {
        return;
    }
    const auto end = std::mismatch(from.rbegin(), from.rend(), to.rbegin(), to.rend());
    const double first = start.in1 == from.begin() ? 0.0 : seconds_of(*std::prev(start.in1), before);
    const double last = end.first == from.rbegin() ? static_cast<double>(before.duration.value())
                                                   : seconds_of(*std::prev(end.first), before);
    change.begin_seconds = std::min(change.begin_seconds, first);
    change.end_seconds = std::max(change.end_seconds, last);
}

/// Names the joints whose keys differ, and the times between the unchanged keys around them.
void note_differences(const file::Document& before, const file::Document& after, Change& change) {
    change.begin_seconds = std::numeric_limits<double>::infinity();
    change.end_seconds = 0;
    for (const file::Joint& old : before.joints) {
        const auto known = avatar::find_joint(old.name);
        const auto made = std::ranges::find(after.joints, old.name, &file::Joint::name);
        if (!known || made == after.joints.end() || old == *made) {
            continue;
        }
        change.joints.push_back(avatar::skeleton()[*known].node.name);
        for (const auto track : {&file::Joint::rotation, &file::Joint::position}) {
            note_times((old.*track).coded, ((*made).*track).coded, before, change);
            note_times((old.*track).legacy, ((*made).*track).legacy, before, change);
        }
    }
}

tl::expected<file::Document, std::string> with_tool(const file::Document& document, const char* tool) {
    auto made = editing::edited(*file::make_document(document), {{tool, true}}, {},
                                editing::Difference::not_measured);
    if (!made) {
        return tl::unexpected(made.error().reason);
    }
    return *as_sl_anim(*made->document);
}

// ---- pauses ----

Outcome without_pauses(file::Document& document, const Asked& asked) {
    Change change{.what = "the loop no longer waits:"};
    for (const check::Place& place : asked.places) {
        const bool is_start = place.begin_seconds == double{document.loop_in_point.value()};
        if (is_start) {
            document.loop_in_point = RawFloat(static_cast<float>(place.end_seconds));
            change.what += " it begins at " + shown_seconds(place.end_seconds);
            continue;
        }
        const double ends = place.begin_seconds;
        change.what += (change.what.back() == ':' ? " it ends at " : ", and ends at ") + shown_seconds(ends);
        if (document.loop_out_point != document.duration &&
            moves_after(document, static_cast<double>(document.loop_out_point.value()))) {
            document.loop_out_point = RawFloat(static_cast<float>(ends));
            continue;
        }
        if (document.version == file::Version::legacy) {
            return tl::unexpected(std::string(not_of_legacy));
        }
        Trim trim;
        trim.end = TrimPoint{ends};
        auto cut = edit::trimmed(document, trim);
        if (!cut) {
            return tl::unexpected(cut.error().reason);
        }
        document = *std::move(cut);
        change.joints = all_joints(document);
        change.begin_seconds = ends - time_slack(ends);
        change.is_retimed = true;
    }
    return change;
}

// ---- travel ----

tl::expected<file::Document, std::string> without_way(file::Document& document) {
    auto made = with_tool(document, "no_travel");
    if (!made) {
        return made;
    }
    const file::Joint* old = record_of(document, "mPelvis");
    file::Joint* hips = record_of(*made, "mPelvis");
    // The height stays as it is, code by code.
    std::map<std::uint16_t, std::uint16_t> height_codes;
    for (const file::CodedKey& key : old->position.coded) {
        height_codes[key.time] = key.xyz[2];
    }
    for (file::CodedKey& key : hips->position.coded) {
        const auto same = height_codes.find(key.time);
        key.xyz[2] = same == height_codes.end() ? key.xyz[2] : same->second;
    }
    return made;
}

Outcome without_travel(file::Document& document, const Asked& asked) {
    auto made = without_way(document);
    if (!made) {
        return tl::unexpected(made.error());
    }
    const double in = document.loop_in_point.value();
    const double length = static_cast<double>(document.loop_out_point.value()) - in;
    const double longest = std::max(in, static_cast<double>(document.duration.value()) - in);
    const double way = asked.places.front().size;
    document = *std::move(made);
    return Change{.what = "the way of " + fixed_text(way, 2) + " m each round is taken out, " +
                          fixed_text(way / length, 2) + " m/s",
                  .joints = {"mPelvis"},
                  .mm = 1000.0 * way * longest / length + stored_mm};
}

/// The way is taken out evenly, and what is left of it at the end from the whole.
Outcome ended_at_home(file::Document& document, const Asked& asked) {
    constexpr double away_metres = 0.5;
    constexpr std::string_view turned =
        "the body turns away, which no fix changes: turn mPelvis back to 0 at the end, or loop the animation";
    if (asked.places.front().size <= away_metres) {
        return tl::unexpected(std::string(turned));
    }
    auto made = without_way(document);
    if (!made) {
        return tl::unexpected(made.error());
    }
    const float duration = document.duration.value();
    const auto before =
        codes::as_played(codes::decode_positions(record_of(document, "mPelvis")->position, duration));
    const codes::Vector away = codes::value_at(before, duration);
    if (std::hypot(double{away[0]}, double{away[1]}) <= stored_mm / 1000.0) {
        return tl::unexpected<std::string>(
            "the hips end higher or lower than the body stands, which no fix changes: bring mPelvis back at "
            "the end");
    }
    file::KeyList& list = record_of(*made, "mPelvis")->position;
    const auto played = codes::as_played(codes::decode_positions(list, duration));
    const codes::Vector end = codes::value_at(played, duration);
    double way = 0;
    with_keys(list, document, [&]<typename Key>(std::vector<Key>& keys) {
        for (Key& key : keys) {
            const codes::Vector place = codes::value_at(played, played_seconds(key, document));
            const Key moved = key_of<Key>(codes::Vector{place[0] - end[0], place[1] - end[1], 0.0F}, {});
            key.xyz = {moved.xyz[0], moved.xyz[1], key.xyz[2]};
            const codes::Vector old = codes::value_at(before, played_seconds(key, document));
            way = std::max(
                way, std::hypot(double{place[0]} - end[0] - old[0], double{place[1]} - end[1] - old[1]));
        }
    });
    document = *std::move(made);
    Change change{.what = "the way is taken out: the hips end where the body stands",
                  .joints = {"mPelvis"},
                  .mm = 1000.0 * way + stored_mm};
    if (!check::places_of(document, "ends_away").empty()) {
        change.not_mended = turned;
    }
    return change;
}

// ---- seams ----

Outcome closed_seam(file::Document& document, const Asked& /*asked*/) {
    constexpr double most_degrees = 90.0;
    const Reach seam = difference_between(document, static_cast<double>(document.loop_in_point.value()),
                                          static_cast<double>(document.loop_out_point.value()));
    if (seam.degrees > most_degrees) {
        return tl::unexpected("a joint would turn by " + fixed_text(seam.degrees, 0) +
                              " degrees to meet the loop's start: choose other loop points (`animbridge "
                              "edit IN OUT --loop-points best`), or close it anyway (`--close-loop`)");
    }
    auto made = with_tool(document, "close_loop");
    if (!made) {
        return tl::unexpected(made.error());
    }
    Change change{
        .what = "the loop ends in the pose of its start, " + fixed_text(seam.degrees, 1) + " degrees away",
        .degrees = seam.degrees,
        .mm = seam.mm};
    note_differences(document, *made, change);
    document = *std::move(made);
    return change;
}

/// Gives a track of the longer animation the keys that a loop needs to come back to its start: that at the
/// old end, and at the new one a key with what the old track has there, in its own bits if it has a key.
template <typename Key, typename Keys>
void close_with_key(std::vector<Key>& keys, const std::vector<Key>& old_keys, const Keys& played,
                    const file::Document& before, float duration) {
    const bool moves = std::ranges::any_of(keys, [&](const Key& key) { return key.xyz != keys.front().xyz; });
    if (!moves) {
        return;
    }
    const float in = before.loop_in_point.value();
    const float old_end = before.duration.value();
    const auto same = std::find_if(old_keys.rbegin(), old_keys.rend(),
                                   [&](const Key& key) { return played_seconds(key, before) == in; });
    Key last = key_of<Key>(codes::value_at(played, in), stored_time<Key>(duration, duration));
    last.xyz = same != old_keys.rend() ? same->xyz : last.xyz;
    const double ends = played.times.back();
    if (ends + 1.5 * double{duration * codes::code_step} < double{old_end}) {
        put_keys<Key>(keys, {key_of<Key>(played.values.back(), stored_time<Key>(old_end, duration))});
    }
    put_keys<Key>(keys, {last});
}

Outcome with_closing_frame(file::Document& document, const Asked& asked) {
    if (document.loop_out_point != document.duration) {
        return closed_seam(document, asked);
    }
    const file::Document before = document;
    const float old_duration = document.duration.value();
    const float in = document.loop_in_point.value();
    const Reach seam = difference_between(document, double{in}, double{old_duration});
    editing::Tools tools;
    tools.hold_last_seconds = frame_seconds(document);
    if (double{old_duration} + tools.hold_last_seconds > double{check::max_duration_seconds}) {
        return tl::unexpected<std::string>("it would last longer than 60 s");
    }
    Json rows = Json::array();
    auto longer = edit::with_tools(document, tools, rows);
    if (!longer) {
        return tl::unexpected(longer.error().reason);
    }
    document = *std::move(longer);
    const float duration = document.duration.value();
    for (std::size_t i = 0; i < document.joints.size(); ++i) {
        const file::Joint& old = before.joints[i];
        file::Joint& joint = document.joints[i];
        const auto close = [&](file::KeyList& list, const file::KeyList& old_list, const auto& played) {
            close_with_key(list.coded, old_list.coded, played, before, duration);
            close_with_key(list.legacy, old_list.legacy, played, before, duration);
        };
        close(joint.rotation, old.rotation,
              codes::as_played(codes::decode_rotations(old.rotation, old_duration)));
        close(joint.position, old.position,
              codes::as_played(codes::decode_positions(old.position, old_duration)));
    }
    return Change{.what = "the loop gets its closing frame, in the pose of its start: it lasts " +
                          shown_seconds(double{duration}),
                  .joints = all_joints(document),
                  .degrees = seam.degrees,
                  .mm = seam.mm,
                  .begin_seconds = double{old_duration} - time_slack(double{duration}),
                  .is_retimed = true};
}

}  // namespace

std::vector<Mend> loop_mends() {
    return {{"loop_waits", without_pauses},
            {"loop_travels", without_travel},
            {"ends_away", ended_at_home, true},
            {"loop_jumps", closed_seam},
            {"loop_skips_a_frame", with_closing_frame}};
}

}  // namespace animbridge::sl_anim::fix

// SPDX-License-Identifier: MIT
// Every option of every format and bridge: its row is whole, and agrees with itself.
#include <map>
#include <set>
#include <string>

#include "catch.h"
#include "convert/convert.h"
#include "formats/registry.h"
#include "model/format/format.h"
#include "playback/playback.h"

using namespace animbridge;

namespace {

void check_row(const Option& option);

void check_table(std::span<const Option> options) {
    std::set<std::string_view> names;
    for (const Option& option : options) {
        INFO(option.name);
        CHECK(names.insert(option.name).second);
        check_row(option);
    }
}

bool is_phrase(std::string_view text) {
    return !text.empty() && text.front() >= 'A' && text.front() <= 'Z' && text.back() != '.';
}

void check_row(const Option& option) {
    CHECK(is_phrase(option.help));
    CHECK((option.switch_help.empty() || is_phrase(option.switch_help)));
    CHECK(option.low <= option.high);
    // A number may have words instead, such as "auto".
    CHECK((option.type == OptionType::number ||
           (option.type == OptionType::choice || option.type == OptionType::bits) ==
               !choices_of(option).empty()));
    CHECK(option.clear_name.empty() == option.clear_help.empty());
    CHECK((option.clear_help.empty() || is_phrase(option.clear_help)));
    CHECK((option.type == OptionType::object) == (option.members != nullptr));
    CHECK((option.standard.empty() || option.without.empty()));
    if (!option.standard.empty()) {
        CHECK(check_option(option, default_of(option), "default").has_value());
    }
    if (!option.zero.empty()) {
        CHECK(check_option(option, Json(0), "zero").has_value());
    }
    // A switch that sets false has its own help text.
    CHECK((option.switch_value || !option.switch_help.empty()));
    check_table({option.members, option.member_count});
}

const Option& option_named(std::string_view format, std::string_view call, std::string_view name) {
    for (const OptionTable& table : option_tables(*find_format(format))) {
        for (const Option& option : table.options) {
            if (table.call == call && option.name == name) {
                return option;
            }
        }
    }
    throw std::out_of_range("no such option");
}

}  // namespace

TEST_CASE("every row of every table is whole", "[options]") {
    std::size_t tables = 0;
    for (const Format& format : formats()) {
        for (const OptionTable& table : option_tables(format)) {
            INFO(format.id << " " << table.call);
            CHECK(!table.options.empty());
            check_table(table.options);
            ++tables;
        }
        for (const auto call : {"from_curves", "from_samples"}) {
            CHECK(playback::takes_scenes(format) == !options_of_call(format, call).empty());
        }
    }
    for (const Bridge* bridge : bridges()) {
        INFO(bridge->way);
        check_table(bridge->options());
        ++tables;
    }
    CHECK(tables >= 13);
}

TEST_CASE("a format that can be edited says what", "[options]") {
    for (const Format& format : formats()) {
        INFO(format.id);
        CHECK((format.edit.edited == nullptr) == options_of_call(format, "edited").empty());
    }
}

TEST_CASE("what a row says of conversions, its tables say too", "[options]") {
    for (const Format& format : formats()) {
        INFO(format.id);
        const auto has = [&](const char* call, const char* option) {
            return has_option(options_of_call(format, call), option);
        };
        CHECK(format.clip.has_axes == has("to_clip", "up"));
        CHECK(format.clip.has_size == has("to_clip", "scale"));
        CHECK(format.clip.has_sampling == has("to_clip", "keys"));
        CHECK(format.clip.finds_body == has("from_clip", "source_rig"));
        CHECK(format.clip.has_bounds == has("from_clip", "stop_above_mm"));
        CHECK(format.clip.names_animations == has("from_clip", "animation_name"));
    }
}

TEST_CASE("a flag of the command means one option in all edits, and takes the same type", "[options]") {
    std::map<std::string_view, const Option*> by_flag;
    for (const Format& format : formats()) {
        for (const Option& option : options_of_call(format, "edited")) {
            INFO(format.id << " " << option.name);
            const auto [found, is_new] = by_flag.try_emplace(option.command_name, &option);
            CHECK((option.command_name.empty() || is_new ||
                   (found->second->name == option.name && found->second->type == option.type)));
        }
    }
    CHECK(by_flag.size() > 10);
}

TEST_CASE("the tables say what the readers do", "[options]") {
    CHECK(default_of(option_named("sl_anim", "from_samples", "max_position_mm")) == 0.5);
    CHECK(default_of(option_named("oban", "from_samples", "max_position_mm")) == 1.0);
    CHECK(default_of(option_named("bvh", "from_curves", "rotation_order")) == "ZXY");
    CHECK(option_named("bvh", "from_samples", "frame_count").must_be_given);
    const Json formats = all_options_json().at("formats");
    const Json& header = formats.at(0).at("options").at("from_curves").at(2);
    CHECK(header.at("name") == "header");
    CHECK(header.at("members").at(0).at("name") == "base_priority");
    CHECK(header.at("members").at(0).at("high") == 6);
}

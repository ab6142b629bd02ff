// SPDX-License-Identifier: MIT
// From BVH to .anim through the command and the C interface: options, report, lenient reading, stored form.
#include "bridges/bvh_to_sl_anim/bridge.h"

#include "bvh_text.h"
#include "catch.h"
#include "convert/convert.h"
#include "formats/bvh/file/file.h"
#include "formats/sl_anim/file/file.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

const std::string moving = two_joints({"0 0 0 0 0 0 0 0 0", "0 0 0 0 0 0 60 0 0", "0 0 0 0 0 0 0 0 0"});

Result<Made> convert(const std::string& text, const std::string& options = "{}",
                     Reading reading = Reading::strict) {
    const auto json = parse_json(options);
    REQUIRE(json.has_value());
    const Json no_edits = Json::object();
    const Job job;
    const auto document = read_document(bytes_of(text), "bvh", "test.bvh", {reading});
    return bvh_to_sl_anim::bridge.convert({document, bytes_of(text), reading, *json, no_edits, job});
}

Made converted(const std::string& text, const std::string& options = "{}",
               Reading reading = Reading::strict) {
    auto bridged = convert(text, options, reading);
    INFO((bridged ? "" : bridged.error().message()));
    REQUIRE(bridged.has_value());
    return std::move(*bridged);
}

const sl_anim::file::Document& document_of(const Made& bridged) { return *as_sl_anim(*bridged.document); }

std::string with(std::string text, const std::string& what, const std::string& instead) {
    return text.replace(text.find(what), what.size(), instead);
}

}  // namespace

TEST_CASE("the report tells what became of the file", "[bvh-to-sl]") {
    const Made bridged = converted(moving, R"({"priority": 6})");
    const Json& report = bridged.report;
    CHECK(report.at("frames") == 3);
    CHECK(report.at("joints") == 1);
    CHECK(report.at("keys") == 2);
    CHECK(report.at("duration_seconds") == Json(0.1));
    CHECK(report.at("dropped") == Json::array({"hip"}));
    CHECK(report.at("clamped") == Json::array({"mChest"}));
    CHECK(report.at("unknown_joints") == Json::array());
    CHECK(report.at("warnings") == Json::array());
    CHECK(report.at("tolerated") == Json::array());
    CHECK(report.at("broken_rule").is_null());
}

TEST_CASE("every option arrives", "[bvh-to-sl]") {
    const auto upload = bvh_to_sl_anim::upload_from_json(*parse_json(
        R"({"grid": "opensim", "loader": "pre2022", "priority": 3, "joint_priorities": {"mHead": -1}, "loop": true, "loop_in": 0.5,
            "loop_out": "80.5%", "ease_in": 0, "ease_out": 10, "hand_pose": 13, "emote": "dance1", "reduce_keys": false,
            "keep_all_joints": true, "reference_frame": false, "anim_ini": "[GLOBALS]\nhand = 2\n"})"));
    REQUIRE(upload.has_value());
    CHECK(upload->target == sl_anim::check::Grid::opensim);
    const sl_anim::loader::BvhLoad* const load = &upload->load;
    CHECK(load->timing == sl_anim::loader::BvhTiming::pre2022);
    CHECK(load->priority == 3);
    CHECK(load->joint_priorities.at("mHead") == -1);
    CHECK(load->loop == true);
    CHECK(load->loop_in->value == 0.5F);
    CHECK(!load->loop_in->is_percent);
    CHECK(load->loop_out->value == 80.5F);
    CHECK(load->loop_out->is_percent);
    CHECK(load->ease_in_seconds == 0.0F);
    CHECK(load->ease_out_seconds == 10.0F);
    CHECK(load->hand_pose == 13U);
    CHECK(load->emote == "dance1");
    CHECK(!load->reduce_keys);
    CHECK(load->keep_all_joints);
    CHECK(!load->reference_frame);
    CHECK(load->ini.hand_pose == 2U);
}

TEST_CASE("wrong options are errors that name the member and what is allowed", "[bvh-to-sl]") {
    for (const auto& [options, member, allowed] : {
             std::array<const char*, 3>{R"({"speed": 1})", "speed", "reference_frame, anim_ini"},
             {R"({"grid": "moon"})", "grid", "opensim"},
             {R"({"loader": "old"})", "loader", "pre2022"},
             {R"({"priority": 7})", "priority", "0 to 6"},
             {R"({"priority": -1})", "priority", "0 to 6"},
             {R"({"priority": 2.5})", "priority", "0 to 6"},
             {R"({"priority": 18446744073709551615})", "priority", "0 to 6"},
             {R"({"joint_priorities": {"mHead": 7}})", "joint_priorities", "-1 to 6"},
             {R"({"joint_priorities": []})", "joint_priorities", "object"},
             {R"({"loop": 1})", "loop", "true or false"},
             {R"({"loop_in": "20"})", "loop_in", "100%"},
             {R"({"loop_in": "101%"})", "loop_in", "100%"},
             {R"({"loop_in": "nan%"})", "loop_in", "100%"},
             {R"({"loop_out": -1})", "loop_out", "0 to 60"},
             {R"({"loop_out": 61})", "loop_out", "0 to 60"},
             {R"({"ease_in": 10.5})", "ease_in", "0 to 10"},
             {R"({"ease_out": "1"})", "ease_out", "0 to 10"},
             {R"({"hand_pose": 14})", "hand_pose", "0 to 13"},
             {R"({"emote": "a\u0000b"})", "emote", "NUL"},
             {R"({"emote": 1})", "emote", "text"},
             {R"({"reduce_keys": "no"})", "reduce_keys", "true or false"},
             {R"({"anim_ini": 1})", "anim_ini", "text"},
             {R"({"anim_ini": "[GLOBALS]\nhand = 99\n"})", "anim.ini", "0 to 13"},
         }) {
        const auto refused = convert(moving, options);
        INFO(options);
        REQUIRE(!refused.has_value());
        const std::string message = refused.error().message();
        INFO(message);
        CHECK(message.find(member) != std::string::npos);
        CHECK(message.find(allowed) != std::string::npos);
    }
    CHECK(!bvh_to_sl_anim::upload_from_json(Json::array()).has_value());
}

TEST_CASE("what the loader refuses is an error, or read leniently and told", "[bvh-to-sl]") {
    const std::string lower = with(moving, "JOINT chest", "joint chest");
    const auto refused = convert(lower);
    REQUIRE(!refused.has_value());
    CHECK(refused.error().code == ErrorCode::rejected);
    CHECK(refused.error().line == 6);
    const Made lenient = converted(lower, "{}", Reading::lenient);
    CHECK(document_of(lenient) == document_of(converted(moving)));
    CHECK(lenient.report.at("broken_rule").at("line") == 6);
    CHECK(lenient.report.at("tolerated") == Json::array());
    const Made short_of_frames = converted(with(moving, "Frames: 3", "Frames: 4"), "{}", Reading::lenient);
    CHECK(short_of_frames.report.at("tolerated").at(0).at("id") == "frame_count_differs");
    CHECK(lenient.report.at("broken_rule").at("reason").get<std::string>().find("JOINT") !=
          std::string::npos);
    // If the loader accepts the file, its own reading is used, lenient or not.
    CHECK(converted(moving, "{}", Reading::lenient).report.at("broken_rule").is_null());
    CHECK(!convert("HIERARCHY\nnothing", "{}", Reading::lenient).has_value());
}

TEST_CASE("the JSON of a BVH says what was tolerated in the file", "[bvh-to-sl]") {
    const FileBytes file =
        load(fixture_folder().parent_path() / "bvh" / "loader" / "rule01_channels_two_rotations.bvh");
    const auto document = read_document(file, "", "two.bvh");
    REQUIRE(document.has_value());
    const std::string json = json_of(**document);
    const auto from_file = converted_file(file, "two.bvh", "two.anim", {});
    const auto from_json = converted_file(view_of(json), "two.json", "two.anim", {});
    REQUIRE(from_file.has_value());
    REQUIRE(from_json.has_value());
    CHECK(from_json->bytes == from_file->bytes);
    CHECK(!from_file->report.at("tolerated").empty());
    CHECK(from_json->report.at("tolerated") == from_file->report.at("tolerated"));
}

TEST_CASE("a lenient reading knows channels by their names, and any number of them", "[bvh-to-sl]") {
    // The hip's channels are in another order; the chest has only one.
    const std::string text =
        "HIERARCHY\n" +
        bvh_joint("ROOT Hip", "6 Zrotation Zposition Xrotation Yposition Yrotation Xposition") +
        bvh_joint("JOINT chest", "1 Xrotation") + end_site + "}\n}\n" +
        bvh_motion({"0 0 0 0 0 0 0", "0 3 0 2 0 1 60", "0 0 0 0 0 0 0"});
    std::vector<std::string> warnings;
    const auto document = bvh::file::read(bytes_of(text), Reading::lenient);
    REQUIRE(document.has_value());
    const sl_anim::loader::BvhMotion motion = bvh_to_sl_anim::motion_for_loader(*document, warnings);
    CHECK(warnings.empty());
    REQUIRE(motion.joints.size() == 2);
    CHECK(motion.joints[0].positions[1] == sl_anim::codes::Vector{1, 2, 3});
    CHECK(motion.joints[0].order == std::array<std::size_t, 3>{2, 0, 1});
    CHECK(motion.joints[0].depth == 1);
    CHECK(motion.joints[1].order == std::array<std::size_t, 3>{0, 1, 2});
    CHECK(motion.joints[1].rotations[1] == sl_anim::codes::Vector{60, 0, 0});
    CHECK(!motion.joints[1].has_position_track);
    const Made bridged = converted(text, "{}", Reading::lenient);
    CHECK(bridged.report.at("broken_rule").at("line") == 2);
    CHECK(bridged.report.at("unknown_joints") == Json::array({"Hip"}));
}

TEST_CASE("one that loads though its upload is refused is written with the reasons", "[bvh-to-sl]") {
    const ScratchFolder folder;
    const auto refused_of = [&](const std::string& text) {
        const std::string in = (folder.path() / "in.bvh").string();
        save(in, {text.begin(), text.end()});
        const auto done = convert_file(in, (folder.path() / "out.anim").string(), {});
        std::vector<std::string> ids;
        for (const Json& finding : done.value().report.at("refused")) {
            ids.push_back(finding.at("id").get<std::string>());
        }
        CHECK(done->is_refused == !ids.empty());
        return ids;
    };
    using Ids = std::vector<std::string>;
    const Made unknown = converted(with(moving, "chest", "tentacle"));
    CHECK(refused_of(with(moving, "chest", "tentacle")) == Ids{"joint_unknown_on_upload"});
    CHECK(unknown.report.at("unknown_joints") == Json::array({"tentacle"}));
    CHECK(!unknown.document->as_stored()->document.has_value());
    const Made nothing = converted(two_joints({"0 0 0 0 0 0 0 0 0", "0 0 0 0 0 0 0 0 0"}));
    CHECK(refused_of(two_joints({"0 0 0 0 0 0 0 0 0", "0 0 0 0 0 0 0 0 0"})) ==
          Ids{"joint_count_out_of_range"});
    CHECK(refused_of(moving).empty());
    CHECK(!nothing.document->as_stored()->document.has_value());
    CHECK(converted(moving).document->as_stored()->document.has_value());
}

TEST_CASE("a whole file is converted, stored form and all", "[bvh-to-sl]") {
    const ScratchFolder scratch;
    const auto file = [&](const char* name) { return (scratch.path() / name).string(); };
    save(file("in.bvh"), {moving.begin(), moving.end()});
    ConvertOptions options;
    const auto done = convert_file(file("in.bvh"), file("out.anim"), options);
    REQUIRE(done.has_value());
    CHECK(done->bridge == &bvh_to_sl_anim::bridge);
    CHECK(done->report.at("input_format") == "bvh");
    CHECK(done->report.at("dropped") == Json::array({"hip"}));
    const FileBytes buffer = load(file("out.anim"));
    CHECK(Bytes(buffer) == converted(moving).document->write().value());
    options.as_stored = true;
    REQUIRE(convert_file(file("in.bvh"), file("stored.anim"), options).has_value());
    CHECK(Bytes(load(file("stored.anim"))) ==
          (*converted(moving).document->as_stored()->document)->write().value());
    // A refused upload leaves no file.
    const std::string unknown = with(moving, "chest", "tentacle");
    save(file("unknown.bvh"), {unknown.begin(), unknown.end()});
    CHECK(!convert_file(file("unknown.bvh"), file("none.anim"), options).has_value());
    CHECK(!std::filesystem::exists(file("none.anim")));
}

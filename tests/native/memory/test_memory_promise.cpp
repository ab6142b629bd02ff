// SPDX-License-Identifier: MIT
// The memory limits of animbridge.h, on the inputs of each format that need the most memory for their size.
#include <animbridge/animbridge.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "allocations.h"
#include "base/base.h"
#include "base/json/json.h"
#include "build.h"
#include "catch.h"
#include "formats/mrtk/curves/curves.h"
#include "formats/oban/file/file.h"
#include "formats/oban/level/level.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

// The limits in animbridge.h.
constexpr std::size_t reading_factor = 16;
constexpr std::size_t report_factor = 32;
constexpr std::size_t info_factor = 112;  // a level's instances can share one long name
constexpr std::size_t slack = 1U << 20U;

/// Large enough to make the additional 1 MiB irrelevant.
constexpr std::size_t input_bytes = 3U << 20U;

/// The peak memory of the call, in addition to the memory in use before.
std::size_t peak_of(const std::function<void()>& call) {
    const Allocations counting;
    call();
    return Allocations::peak_bytes();
}

struct Input {
    std::string name;
    std::string text;
    const char* format = nullptr;

    [[nodiscard]] const std::uint8_t* data() const { return view_of(text).data(); }
};

void check_peak(const Input& input, const char* what, std::size_t factor, std::size_t peak) {
    const double times = static_cast<double>(peak) / static_cast<double>(input.text.size());
    INFO(what << " of " << input.name << ": " << times << " times the input");
    CHECK(peak <= factor * input.text.size() + slack);
}

ab_document* read_within_promise(const Input& input) {
    ab_document* document = nullptr;
    ab_error error{};
    error.struct_size = sizeof(error);
    const std::size_t peak = peak_of([&] {
        ab_document_read(input.data(), input.text.size(), input.format, nullptr, nullptr, &document, &error);
    });
    UNSCOPED_INFO(error.message);
    check_peak(input, "reading", reading_factor, peak);
    return document;
}

/// Reading and every report.
void check_document(const Input& input) {
    ab_document* const document = read_within_promise(input);
    INFO(input.name);
    REQUIRE(document != nullptr);
    using Report = std::function<ab_status(ab_buffer**)>;
    const std::vector<std::pair<const char*, Report>> reports = {
        {"info", [&](ab_buffer** out) { return ab_document_info(document, out, nullptr); }},
        {"check", [&](ab_buffer** out) { return ab_document_check(document, "strict", out, nullptr); }},
        {"JSON", [&](ab_buffer** out) { return ab_document_json(document, out, nullptr); }}};
    for (const auto& [what, report] : reports) {
        const Report& make = report;  // clang 14 cannot capture a structured binding
        ab_buffer* made = nullptr;
        ab_status status = AB_ERROR_INTERNAL;
        const std::size_t peak = peak_of([&] { status = make(&made); });
        INFO(what);
        CHECK(status == AB_OK);
        ab_buffer_free(made);
        check_peak(input, what, std::string_view(what) == "info" ? info_factor : report_factor, peak);
    }
    if (std::strcmp(ab_document_format(document), "sl_anim") == 0) {
        const double seconds = 0.5;
        ab_status status = AB_ERROR_INTERNAL;
        const std::size_t peak = peak_of([&] {
            ab_pose arrays{};
            arrays.struct_size = sizeof(arrays);
            arrays.joint_capacity = ab_document_joint_count(document);
            status = ab_document_pose(document, &seconds, 1, -1.0, &arrays, nullptr);
        });
        CHECK((status == AB_OK || status == AB_ERROR_REJECTED));
        check_peak(input, "pose", report_factor, peak);
    }
    ab_document_free(document);
}

/// Repeats `piece` to about the length of an input.
std::string repeated(const std::string& piece, std::size_t bytes = input_bytes) {
    std::string text;
    text.reserve(bytes + piece.size());
    while (text.size() < bytes) {
        text += piece;
    }
    return text;
}

/// The same, separated by commas.
std::string list_of(const std::string& piece) {
    std::string text = repeated(piece + ",");
    text.pop_back();
    return text;
}

std::string distinct_keys(const std::string& value) {
    std::string text = "{\"format\":\"none\"";
    for (int i = 0; text.size() < input_bytes; ++i) {
        text += ",\"" + std::to_string(i) + "\":" + value;
    }
    return text + "}";
}

std::string nested(std::size_t depth, const std::string& open, const std::string& close) {
    return repeated(open, depth * open.size()) + repeated(close, depth * close.size());
}

// ---- documents as JSON ----

std::string sl_json(const std::string& joints, const char* version) {
    return "{\"format\":\"sl_anim\",\"version\":\"" + std::string(version) +
           "\",\"base_priority\":2,\"duration\":1,\"emote_name\":\"\",\"loop_in_point\":0,\"loop_out_point\":"
           "1,"
           "\"loop\":0,\"ease_in_duration\":0,\"ease_out_duration\":0,\"hand_pose\":0,\"joints\":[" +
           joints + "],\"constraint_count\":0,\"constraints\":[],\"trailing_hex\":\"\"}";
}

std::string keyed_joint(const std::string& keys) {
    return "{\"name\":\"mHead\",\"priority\":2,\"rotation_keys\":[" + keys + "],\"position_keys\":[]}";
}

std::string bvh_json_of(const std::string& sites, const std::string& notes) {
    return R"({"format":"bvh","joints":[{"name":"a","parent":null,"offset":[0,0,0],"channels":[],"end_sites":[)" +
           sites + R"(]}],"frame_time_seconds":0.1,"frame_count":0,"motion":[],"notes":[)" + notes + "]}";
}

/// One joint, and as many frames as `row` fits into an input.
std::string bvh_json(const std::string& row, const char* channels) {
    std::string rows = list_of(row);
    const auto frames = (rows.size() + 1) / (row.size() + 1);
    return R"({"format":"bvh","joints":[{"name":"a","parent":null,"offset":[0,0,0],"channels":[)" +
           std::string(channels) + R"(],"end_sites":[]}],"frame_time_seconds":0.1,"frame_count":)" +
           std::to_string(frames) + ",\"motion\":[" + rows + "],\"notes\":[]}";
}

// ---- files ----

Input anim(std::string name, sl_anim::file::Document made) {
    const Bytes bytes = sl_anim::file::write(made);
    return {std::move(name), std::string(text_of(bytes)), "sl_anim"};
}

sl_anim::file::Document with_keys(sl_anim::file::Joint joint, sl_anim::file::Version version) {
    sl_anim::file::Document made = document(1.0F, {std::move(joint)});
    made.version = version;
    return made;
}

Input anim_of_joints(const char* what, const std::string& name) {
    sl_anim::file::Document made = document(1.0F, {});
    made.joints.assign(input_bytes / (name.size() + 13),
                       joint(name, {}, {}, std::numeric_limits<int>::min()));
    return anim(what, std::move(made));
}

Input anim_of_coded_keys() {
    const sl_anim::file::CodedKey longest{65535, {65535, 65535, 65535}};
    return anim("an .anim of coded keys",
                with_keys(joint("mHead", {}, std::vector(input_bytes / sizeof(longest), longest)),
                          sl_anim::file::Version::coded));
}

Input anim_of_legacy_keys(const char* what, std::uint32_t bits) {
    RawFloat number;
    number.bits = bits;
    sl_anim::file::Joint made{"mHead", 2, {}, {}};
    made.rotation.legacy.assign(input_bytes / sizeof(sl_anim::file::LegacyKey),
                                {number, {number, number, number}});
    return anim(what, with_keys(std::move(made), sl_anim::file::Version::legacy));
}

/// Each joint has a rotation key, so that `pose` has a result.
Input anim_of_keyed_joints() {
    sl_anim::file::Document made = document(1.0F, {});
    made.joints.assign(input_bytes / 25, joint("hip", {rotation_key(0, 0, 0, 0)}));
    return anim("an .anim of joints with a key each", std::move(made));
}

std::string bvh_with(const std::string& hierarchy, const std::string& motion, std::size_t frames) {
    return "HIERARCHY\n" + hierarchy + "MOTION\nFrames: " + std::to_string(frames) + "\nFrame Time: 0.1\n" +
           motion;
}

Input bvh_of_motion(const std::string& what, const std::string& row, const std::string& channels) {
    const std::string motion = repeated(row);
    return {what,
            bvh_with("ROOT a\n{\nOFFSET 0 0 0\nCHANNELS " + channels + "\n}\n", motion,
                     motion.size() / row.size()),
            "bvh"};
}

Input bvh_of_joints(const std::string& name) {
    return {"a BVH of joints named " + std::to_string(name.size()) + " bytes",
            bvh_with("ROOT " + name + "\n{\nOFFSET 0 0 0 CHANNELS 0\n" +
                         repeated("JOINT a\n{OFFSET 0 0 0 CHANNELS 0}\n") + "}\n",
                     "", 0),
            "bvh"};
}

Input bvh_of_end_sites() {
    return {"a BVH of end sites",
            bvh_with("ROOT a\n{\nOFFSET 0 0 0 CHANNELS 0\n" + repeated("End Site\n{OFFSET 0 0 0       }\n") +
                         "}\n",
                     "", 0),
            "bvh"};
}

Input raw_oban(std::uint32_t bits) {
    RawFloat number;
    number.bits = bits;
    oban::file::Record record;
    record.keys.assign(65535, {{number, number, number, number}, {number, number, number}, 0});
    const Bytes bytes = oban::file::write_record(record);
    return {"an OBAN of keys", std::string(text_of(bytes)), "oban"};
}

Input xml_oban() {
    const std::string key =
        "<OBANKeyFrame><Rotation>0 0 0 1</Rotation><Translation>0 0 0</Translation>"
        "<Time>0</Time></OBANKeyFrame>";
    const std::string matrix = "1 0 0 0 1 0 0 0 1 0 0 0";
    return {"OniSplit's XML of keys",
            "<Oni><OBAN id=\"0\"><Flags></Flags><InitialTransform>" + matrix +
                "</InitialTransform><BaseTransform>" + matrix +
                "</BaseTransform><FrameLength>1</FrameLength><FrameCount>1</FrameCount>"
                "<HalfStopFrame>0</HalfStopFrame><KeyFrames>" +
                repeated(key) + "</KeyFrames></OBAN></Oni>",
            "oban"};
}

/// Placeholders that all have the same name.
Input level_of_instances(const char* what, const std::string& name) {
    oban::file::ContainerTables tables;
    tables.header.version = oban::file::level_version;
    tables.header.instance_count = static_cast<std::uint32_t>(input_bytes / sizeof(oban::file::Instance));
    tables.instances.assign(tables.header.instance_count,
                            {oban::file::oban_tag, 0, 0, 0, oban::file::placeholder});
    std::string file(text_of(oban::file::write_tables(tables)));
    tables.header.name_offset = static_cast<std::uint32_t>(oban::file::aligned(file.size()));
    tables.header.name_size = static_cast<std::uint32_t>(oban::file::aligned(name.size() + 5));
    tables.header.data_offset = tables.header.name_offset + tables.header.name_size;
    file = std::string(text_of(oban::file::write_tables(tables)));
    file.resize(tables.header.name_offset);
    file += "OBAN" + name;
    file.resize(tables.header.data_offset);
    return {what, std::move(file), "oban_level"};
}

Input level_of_keys() {
    RawFloat nan;
    nan.bits = 0x7fc00000;
    oban::file::Record record;
    record.keys.assign(30000, {{nan, nan, nan, nan}, {nan, nan, nan}, 0});
    std::vector<std::pair<std::string, oban::file::Record>> obans;
    for (const char* const name : {"a", "b", "c"}) {
        obans.emplace_back(name, record);
    }
    const auto package =
        oban::level::new_package(std::move(obans), "level1_Final", oban::level::Platform::pc);
    REQUIRE(package.has_value());
    return {"a level of keys", std::string(text_of(package->dat)), "oban_level"};
}

constexpr std::size_t sharing_channels = 1000;
constexpr std::size_t shared_keys = 20000;

std::string binary_gltf(std::string json, const std::string& chunk) {
    json.resize((json.size() + 3) / 4 * 4, ' ');
    const auto number = [](std::size_t value) {
        const auto bits = static_cast<std::uint32_t>(value);
        std::string bytes(sizeof bits, '\0');
        std::memcpy(bytes.data(), &bits, sizeof bits);
        return bytes;
    };
    return "glTF" + number(2) + number(28 + json.size() + chunk.size()) + number(json.size()) + "JSON" +
           json + number(chunk.size()) + std::string("BIN\0", 4) + chunk;
}

/// glTF whose channels all use the same keys. Every second one is (0, 0, z, w), the others turn nothing.
Input gltf_of_shared_keys(float z, float w) {
    std::vector<float> numbers;
    for (std::size_t key = 0; key < shared_keys; ++key) {
        numbers.push_back(static_cast<float>(key));
    }
    for (std::size_t key = 0; key < shared_keys; ++key) {
        const bool is_turned = key % 2 == 1;
        numbers.insert(numbers.end(), {0.0F, 0.0F, is_turned ? z : 0.0F, is_turned ? w : 1.0F});
    }
    std::string chunk(numbers.size() * sizeof(float), '\0');
    std::memcpy(chunk.data(), numbers.data(), chunk.size());
    std::string nodes;
    std::string channels;
    for (std::size_t node = 0; node < sharing_channels; ++node) {
        const std::string comma = node == 0 ? "" : ",";
        nodes += comma + "{}";
        channels +=
            comma + R"({"sampler":0,"target":{"path":"rotation","node":)" + std::to_string(node) + "}}";
    }
    const std::string count = std::to_string(shared_keys);
    const std::string times_bytes = std::to_string(shared_keys * sizeof(float));
    return {
        "glTF of shared keys",
        binary_gltf(R"({"asset":{"version":"2.0"},"nodes":[)" + nodes + R"(],"buffers":[{"byteLength":)" +
                        std::to_string(chunk.size()) + R"(}],"bufferViews":[{"buffer":0,"byteLength":)" +
                        times_bytes + R"(},{"buffer":0,"byteOffset":)" + times_bytes + R"(,"byteLength":)" +
                        std::to_string(chunk.size() - shared_keys * sizeof(float)) +
                        R"(}],"accessors":[{"bufferView":0,"componentType":5126,"type":"SCALAR","count":)" +
                        count + R"(},{"bufferView":1,"componentType":5126,"type":"VEC4","count":)" + count +
                        R"(}],"animations":[{"samplers":[{"input":0,"output":1}],"channels":[)" + channels +
                        "]}]}",
                    chunk),
        "scene"};
}

}  // namespace

TEST_CASE("parsed JSON stays within the promise", "[memory-promise]") {
    const std::vector<Input> inputs = {
        {"numbers", "{\"format\":[" + list_of("0") + "]}"},
        {"empty objects", "{\"format\":[" + list_of("{}") + "]}"},
        {"empty arrays", "{\"format\":[" + list_of("[]") + "]}"},
        {"arrays of one", "{\"format\":[" + list_of("[0]") + "]}"},
        {"objects of one", "{\"format\":[" + list_of("{\"\":0}") + "]}"},
        {"nested arrays", "{\"format\":[" + list_of(nested(30, "[", "]")) + "]}"},
        {"nested objects",
         "{\"format\":[" + list_of(nested(29, "{\"\":", "") + "0" + nested(29, "", "}")) + "]}"},
        {"arrays of 65", "{\"format\":[" + list_of("[" + nested(64, "0,", "") + "0]") + "]}"},
        {"texts", "{\"format\":[" + list_of("\"\"") + "]}"},
        {"texts of 15", "{\"format\":[" + list_of("\"123456789012345\"") + "]}"},
        {"distinct keys", distinct_keys("0")},
        {"distinct keys of objects", distinct_keys("{}")},
        {"equal keys", "{" + list_of("\"a\":0") + "}"},
        {"a long text", "{\"format\":\"" + repeated("a") + "\"}"},
        {"a long text of escapes", "{\"format\":\"" + repeated("\\u0001") + "\"}"},
        {"a long key", "{\"" + repeated("a") + "\":0}"},
        {"a text that does not end", "{\"format\":\"" + repeated("a")},
        {"commas in an array", "{\"format\":[" + repeated(",") + "]}"},
        {"commas in an object", "{\"format\":{" + repeated(",") + "}}"},
        {"commas in nested objects", repeated("{\"\":", 31 * 4) + repeated("{,},,") + "}"},
        {"a long number", "{\"format\":" + repeated("1") + "}"},
    };
    for (const Input& input : inputs) {
        CHECK(read_within_promise(input) == nullptr);  // JSON, but not a document
    }
}

TEST_CASE("documents read from JSON stay within the promise", "[memory-promise]") {
    const std::vector<Input> inputs = {
        {"coded keys", sl_json(keyed_joint(list_of("[0,0,0,0]")), "1.0")},
        {"legacy keys", sl_json(keyed_joint(list_of("[0,0,0,0]")), "0.1")},
        {"joints",
         sl_json(list_of(R"({"name":"a","priority":0,"rotation_keys":[],"position_keys":[]})"), "1.0")},
        {"frames of a number", bvh_json("[0]", "\"Xposition\"")},
        {"frames of nothing", bvh_json("[]", "")},
        {"end sites", bvh_json_of(list_of(R"({"name":"","offset":[0,0,0]})"), "")},
        {"notes", bvh_json_of("", list_of(R"({"rule":"","line":0,"found":""})"))},
    };
    for (const Input& input : inputs) {
        check_document(input);
    }
}

TEST_CASE("reports and JSON of a .anim stay within the promise", "[memory-promise]") {
    check_document(anim_of_coded_keys());
    check_document(anim_of_legacy_keys("an .anim of legacy keys", 0x00800000));
    check_document(anim_of_legacy_keys("an .anim of legacy keys that are not finite", 0x7fc00000));
    check_document(anim_of_keyed_joints());
}

TEST_CASE("reports and JSON of a BVH stay within the promise", "[memory-promise]") {
    check_document(bvh_of_motion("a BVH of short numbers", "0\n", "1 Xposition"));
    check_document(bvh_of_motion("a BVH of large numbers", "9e15\n", "1 Xposition"));
    check_document(bvh_of_motion("a BVH of rows", "0 0 0 0 0 0\n",
                                 "6 Xposition Yposition Zposition Xrotation Yrotation Zrotation"));
    check_document(bvh_of_motion("a BVH of empty frames", "\n", "0"));
    check_document(bvh_of_end_sites());
    check_document(bvh_of_joints("a"));
}

TEST_CASE("reports and JSON of a raw OBAN stay within the promise", "[memory-promise]") {
    check_document(raw_oban(0x7fc00000));
    check_document(raw_oban(0x00800000));
}

TEST_CASE("a .anim of empty joints stays within the promise", "[memory-promise-formats]") {
    check_document(anim_of_joints("an .anim of empty joints", "a"));
    check_document(anim_of_joints("an .anim of empty joints that are known", "hip"));
    check_document(anim_of_joints("an .anim of empty joints without names", ""));
}

TEST_CASE("OniSplit's XML stays within the promise", "[memory-promise-formats]") {
    check_document(xml_oban());
    for (const char* const piece :
         {"<a/>", "<a/>        ", "<a/>x       ", "<a b='' c='' d='' e=''/>", "&amp;"}) {
        const Input input{piece, "<Oni><OBAN id=\"0\">" + repeated(piece) + "</OBAN></Oni>", "oban"};
        CHECK(read_within_promise(input) == nullptr);
    }
}

TEST_CASE("a level of shared names stays within the promise", "[memory-promise-formats]") {
    check_document(level_of_keys());
    check_document(level_of_instances("a level without names", ""));
    check_document(level_of_instances("a level with a shared name", std::string(251, 'a')));
    check_document(
        level_of_instances("a level with a shared name of control characters", std::string(251, '\1')));
    check_document(
        level_of_instances("a level with a shared name that is not UTF-8", std::string(251, '\xff')));
}

TEST_CASE("BVH joints below a long name stay within the promise", "[memory-promise-formats]") {
    check_document(bvh_of_joints(std::string(256, 'a')));
    check_document(bvh_of_joints(std::string(256, '\1')));
}

TEST_CASE("every fixture of Second Life is read within the promise", "[memory-promise]") {
    for (const Fixture& row : fixtures()) {
        const auto bytes = row.bytes();
        ab_document_free(read_within_promise({row.file, std::string(text_of(bytes)), "sl_anim"}));
    }
}

TEST_CASE("glTF is read and described within the promise, however many channels share its keys",
          "[memory-promise-formats]") {
    const Input input = gltf_of_shared_keys(0.0F, 1.0F);
    ab_document* const document = read_within_promise(input);
    REQUIRE(document != nullptr);
    for (const bool is_check : {false, true}) {
        ab_buffer* made = nullptr;
        ab_status status = AB_ERROR_INTERNAL;
        const std::size_t peak = peak_of([&] {
            status = is_check ? ab_document_check(document, "strict", &made, nullptr)
                              : ab_document_info(document, &made, nullptr);
        });
        CHECK(status == AB_OK);
        ab_buffer_free(made);
        check_peak(input, "a report", report_factor, peak);
    }
    ab_document_free(document);
}

TEST_CASE("what is made of shared keys stays within the limit for scenes", "[memory-promise-formats]") {
    const Input input = gltf_of_shared_keys(0.6F, 0.8F);
    // For each channel, a clip holds five numbers per key, and six more keys between two that are 74 degrees
    // apart.
    constexpr std::size_t clip_mib =
        (sharing_channels * ((shared_keys - 1) * 7 + 1) * 5 * sizeof(double)) >> 20U;
    const auto read = [&](std::size_t mib) {
        ab_document* document = nullptr;
        const std::string options = "{\"memory_mib\":" + std::to_string(mib) + "}";
        const ab_status status = ab_document_read(input.data(), input.text.size(), input.format, nullptr,
                                                  options.c_str(), &document, nullptr);
        ab_document_free(document);
        return status;
    };
    CHECK(read(clip_mib - 1) == AB_ERROR_BAD_VALUE);
    CHECK(read(clip_mib + 2) == AB_OK);
}

TEST_CASE("a recording takes at most three times its size", "[memory-promise]") {
    for (const std::int32_t minor : {0, 1}) {
        mrtk::curves::LooseCurves curves(mrtk::file::curve_count);
        const std::size_t key_bytes =
            minor == 0 ? sizeof(mrtk::file::FullKey) : sizeof(mrtk::file::SimpleKey);
        curves[0].keys.resize(input_bytes / key_bytes);
        mrtk::file::Document like;
        like.minor = minor;
        const Bytes bytes = mrtk::file::write(mrtk::curves::put_together(like, curves));
        const Input input{"a recording of 1." + std::to_string(minor), std::string(text_of(bytes)), "mrtk"};
        ab_document* document = nullptr;
        const std::size_t peak = peak_of([&] {
            ab_document_read(input.data(), input.text.size(), input.format, nullptr, nullptr, &document,
                             nullptr);
        });
        CHECK(document != nullptr);
        ab_document_free(document);
        // The caller's bytes are one of the three.
        check_peak(input, "reading", 2, peak);
    }
}

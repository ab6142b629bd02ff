// SPDX-License-Identifier: MIT
// Documents as JSON: members, their types, and errors.
#include <algorithm>

#include "build.h"
#include "catch.h"
#include "convert/convert.h"
#include "formats/sl_anim/file/file.h"
#include "json_place.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

/// A document that uses every field.
Json sample(bool legacy = false) {
    sl_anim::file::Document document = turning_torso(2.0F);
    document.joints.push_back(joint("mChest", {}, {position_key(0.5, 1, 2, 3)}));
    document.constraints.resize(1);
    document.constraint_count = 1;
    document.trailing = {0xde, 0xad};
    if (legacy) {
        document.version = sl_anim::file::Version::legacy;
        const auto zero = RawFloat(0.0F);
        for (auto& one : document.joints) {
            one.rotation.legacy = {{zero, {zero, zero, zero}}};
            one.position = one.rotation;
        }
    }
    return sl_anim::file::to_json(document);
}

/// An invalid change must fail with an error at `field`.
void must_fail(Json json, const std::string& place, const Json& wrong, const std::string& field) {
    place_in(json, place) = wrong;
    INFO("at " << place << ": " << wrong.dump());
    const auto document = sl_anim::file::from_json(json);
    REQUIRE_FALSE(document.has_value());
    CHECK(document.error().code == ErrorCode::bad_value);
    CHECK(document.error().field == field);
    CHECK_FALSE(document.error().reason.empty());
}

/// Turns a JSON pointer into a field name: /joints/0/name is joints[0].name.
std::string field_of(const std::string& pointer) {
    std::string field;
    std::size_t start = 1;
    while (start <= pointer.size()) {
        const std::size_t end = std::min(pointer.find('/', start), pointer.size());
        const std::string part = pointer.substr(start, end - start);
        const bool index = std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
        field += index ? "[" + part + "]" : (field.empty() ? "" : ".") + part;
        start = end + 1;
    }
    return field;
}

}  // namespace

TEST_CASE("the members of a document", "[json]") {
    const Json json = sample();
    std::vector<std::string> names;
    for (const auto& [key, value] : json.items()) {
        names.push_back(key);
    }
    CHECK(names == std::vector<std::string>{"format", "version", "base_priority", "duration", "emote_name",
                                            "loop_in_point", "loop_out_point", "loop", "ease_in_duration",
                                            "ease_out_duration", "hand_pose", "joints", "constraint_count",
                                            "constraints", "trailing_hex"});
    CHECK(json["format"] == "sl_anim");
    CHECK(json["version"] == "1.0");
    CHECK(json["duration"] == 2.0);
    CHECK(json["joints"][0]["name"] == "mTorso");
    CHECK(json["joints"][0]["rotation_keys"][0] == Json::array({0, 32768, 32768, 32768}));
    CHECK(json["joints"][1]["position_keys"].size() == 1);
    CHECK(json["trailing_hex"] == "dead");
    CHECK(sample(true)["version"] == "0.1");
}

TEST_CASE("members in another order are fine, missing and unknown ones are not", "[json]") {
    const Json json = sample();
    std::vector<std::string> keys;
    for (const auto& [key, value] : json.items()) {
        keys.push_back(key);
    }
    Json turned = Json::object();
    for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
        turned[*key] = json[*key];
    }
    CHECK(sl_anim::file::from_json(turned).value() == sl_anim::file::from_json(json).value());
    for (const auto& [key, value] : json.items()) {
        Json less = json;
        less.erase(key);
        INFO("without " << key);
        const auto document = sl_anim::file::from_json(less);
        REQUIRE_FALSE(document.has_value());
        CHECK(document.error().field == key);
        CHECK(document.error().reason == "is missing");
    }
    Json more = json;
    more["durations"] = 1;
    CHECK_FALSE(sl_anim::file::from_json(more).has_value());
    more = json;
    more["joints"][1]["prority"] = 1;
    const auto joint = sl_anim::file::from_json(more);
    REQUIRE_FALSE(joint.has_value());
    CHECK(joint.error().field == "joints[1]");
    more = json;
    more["constraints"][0].erase("target_dir");
    CHECK(sl_anim::file::from_json(more).error().field == "constraints[0].target_dir");
}

TEST_CASE("values of a wrong type are errors that name their field", "[json]") {
    const std::vector<Json> any = {
        nullptr, true, "text", 0.5, -7000000000, Json::array({1}), Json::object({{"a", 1}})};
    const std::vector<std::string> integers = {"/base_priority",     "/loop",
                                               "/hand_pose",         "/constraint_count",
                                               "/joints/0/priority", "/constraints/0/chain_length",
                                               "/constraints/0/type"};
    for (const std::string& pointer : integers) {
        for (const Json& wrong : any) {
            must_fail(sample(), pointer, wrong, field_of(pointer));
        }
    }
    const std::vector<std::string> floats = {"/duration",
                                             "/loop_in_point",
                                             "/loop_out_point",
                                             "/ease_in_duration",
                                             "/ease_out_duration",
                                             "/constraints/0/ease_in_start",
                                             "/constraints/0/ease_in_stop",
                                             "/constraints/0/ease_out_start",
                                             "/constraints/0/ease_out_stop"};
    for (const std::string& pointer : floats) {
        for (const Json& wrong : {Json(nullptr), Json(true), Json("1.5"), Json::array({1}), Json(1e300),
                                  Json::object({{"bits", "zz"}})}) {
            must_fail(sample(), pointer, wrong, field_of(pointer));
        }
    }
    const std::vector<std::string> texts = {"/emote_name", "/joints/0/name"};
    for (const std::string& pointer : texts) {
        for (const Json& wrong : {Json(nullptr), Json(1), Json::array({"a"}), Json::object({{"hex", "0"}}),
                                  Json(std::string("a\0b", 3)), Json::object({{"hex", "6100"}})}) {
            must_fail(sample(), pointer, wrong, field_of(pointer));
        }
    }
    const std::vector<std::string> arrays = {"/joints", "/constraints", "/joints/0/rotation_keys",
                                             "/joints/0/position_keys"};
    for (const std::string& pointer : arrays) {
        for (const Json& wrong : {Json(nullptr), Json(1), Json("a"), Json::object({{"a", 1}})}) {
            must_fail(sample(), pointer, wrong, field_of(pointer));
        }
    }
}

TEST_CASE("keys, vectors and volumes have their exact sizes", "[json]") {
    for (const Json& wrong :
         {Json::array({1, 2, 3}), Json::array({1, 2, 3, 4, 5}), Json::array(), Json::array({0, 0, 0, 65536}),
          Json::array({-1, 0, 0, 0}), Json::array({0, 0.5, 0, 0}), Json(1), Json(nullptr)}) {
        must_fail(sample(), "/joints/0/rotation_keys/1", wrong, "joints[0].rotation_keys[1]");
        must_fail(sample(), "/joints/1/position_keys/0", wrong, "joints[1].position_keys[0]");
    }
    for (const Json& wrong :
         {Json::array({1, 2, 3}), Json::array({0, "a", 0, 0}), Json::array({nullptr, 0, 0, 0}), Json("a")}) {
        must_fail(sample(true), "/joints/0/rotation_keys/0", wrong, "joints[0].rotation_keys[0]");
    }
    for (const Json& wrong :
         {Json::array({1, 2}), Json::array({1, 2, 3, 4}), Json::array({1, "2", 3}), Json(0)}) {
        must_fail(sample(), "/constraints/0/source_offset", wrong, "constraints[0].source_offset");
        must_fail(sample(), "/constraints/0/target_dir", wrong, "constraints[0].target_dir");
    }
    for (const Json& wrong : {Json("GROUND"), Json("a name of more than sixteen bytes"), Json(1),
                              Json::object({{"hex", "00"}})}) {
        must_fail(sample(), "/constraints/0/target_volume", wrong, "constraints[0].target_volume");
    }
    must_fail(sample(), "/version", "1.1", "version");
    must_fail(sample(), "/version", 1.0, "version");
    must_fail(sample(), "/format", "fbx", "format");
    must_fail(sample(), "/trailing_hex", "abc", "trailing_hex");
    must_fail(sample(), "/trailing_hex", "XY", "trailing_hex");
    must_fail(sample(), "/trailing_hex", 1, "trailing_hex");
}

TEST_CASE("counts of constraints must fit", "[json]") {
    must_fail(sample(), "/constraint_count", 0, "constraint_count");
    must_fail(sample(), "/constraint_count", 2, "constraint_count");
    must_fail(sample(), "/constraint_count", 11, "constraint_count");
    must_fail(sample(), "/constraint_count", -1, "constraint_count");
    Json ignored = sample();
    ignored["constraints"] = Json::array();
    ignored["constraint_count"] = 11;
    CHECK(sl_anim::file::from_json(ignored).has_value());
}

TEST_CASE("no document is no document", "[json]") {
    for (const char* const text : {"1", "null", "[]", "\"a\"", "{}", "true"}) {
        INFO(text);
        CHECK_FALSE(sl_anim::file::from_json(*parse_json(text)).has_value());
    }
}

TEST_CASE("names that are not UTF-8 and odd floats go through text", "[json]") {
    sl_anim::file::Document document = turning_torso(2.0F);
    document.joints[0].name = "m\xffTorso\xc3";
    document.emote_name = "\x80";
    document.duration = RawFloat(-0.0F);
    document.loop_in_point.bits = 0x7f800001;  // a signalling NaN
    document.ease_in_duration.bits = 0xffc12345;
    document.constraints.resize(1);
    document.constraints[0].source_volume = {'G', 'R', 'O', 'U', 'N', 'D', '\0', '\xfe', '_', 'L', 'E', 'G'};
    document.constraint_count = 1;
    const auto parsed = parse_json(print_json(sl_anim::file::to_json(document)));
    REQUIRE(parsed.has_value());
    CHECK(sl_anim::file::from_json(*parsed).value() == document);
}

TEST_CASE("a JSON file is recognised, whatever it is called", "[json]") {
    const std::string text = "\n\t " + print_json(sample());
    const auto read = read_document(view_of(text), "", "x.anim");
    REQUIRE(read.has_value());
    CHECK((*read)->write().value() == sl_anim::file::write(sl_anim::file::from_json(sample()).value()));
    const auto other = read_document(view_of("{\"format\": \"fbx\"}"), "", "x.json");
    REQUIRE_FALSE(other.has_value());
    CHECK(other.error().field == "format");
    CHECK(other.error().file == "x.json");
    for (const char* const broken : {"{", "{}", "{\"format\": 3}", "{\"format\": \"sl_anim\"}"}) {
        const auto failed = read_document(view_of(broken), "", "x.json");
        REQUIRE_FALSE(failed.has_value());
        CHECK(failed.error().code == ErrorCode::bad_value);
    }
}

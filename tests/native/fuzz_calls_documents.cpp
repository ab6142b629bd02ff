// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <filesystem>

#include "fuzz_calls.h"
#include "fuzz_scratch.h"

namespace animbridge::test {

namespace {

constexpr std::array<const char*, 6> formats = {"sl_anim", "bvh", "oban", "oban_level", "fbx", ""};

/// Whether it is a text file that the library writes: a BVH, or OniSplit's XML with its byte order mark.
bool is_text(ByteView file) {
    return text_of(file).starts_with("HIERARCHY") || text_of(file).starts_with("\xef\xbb\xbf");
}

bool is_json(ByteView file) {
    const auto first = std::find_if(file.begin(), file.end(), [](std::uint8_t c) { return c > ' '; });
    return first != file.end() && *first == '{';
}

bool is_oban(const ab_document* document) { return std::string_view(ab_document_format(document)) == "oban"; }

/// A record of a level can have a tail, which only its JSON can hold.
bool has_tail(const ab_document* document) {
    if (!is_oban(document)) {
        return false;
    }
    const auto json = parse_json(json_of(document));
    return json->at("record").at("tail_hex") != "";
}

/// Checks that a document's JSON reads back to it.
void check_json(const ab_document* document) {
    const std::string text = json_of(document);
    const ByteView bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    const DocumentHandle again = read_again(bytes, nullptr);
    require(std::string_view(ab_document_format(again.get())) == ab_document_format(document),
            "JSON of another format");
    require(json_of(again.get()) == text, "JSON reads back to another document");
}

/// Checks that a file reads back: binary bit for bit, text to the same text.
void check_file(const ab_document* document, const Bytes& file) {
    if (has_tail(document)) {
        return;
    }
    const DocumentHandle again = read_again(file, ab_document_format(document));
    const Bytes second = written_by(again.get());
    if (!is_text(file)) {
        require(second == file, "a file that reads back to another one");
        // A separate record does not hold the name that it has in its level.
        require(is_oban(document) || json_of(again.get()) == json_of(document),
                "a file that reads back to another document");
        return;
    }
    const DocumentHandle third = read_again(second, ab_document_format(document));
    require(written_by(third.get()) == second, "text that changes each time it is written");
}

}  // namespace

void Calls::read() {
    const bool own_file = !file_.empty() && source_.below(4) == 3;
    const Bytes file = own_file ? file_ : take_file(source_);
    const std::size_t choice = source_.below(256);
    const char* const format = choice < 240 ? nullptr : formats.at(choice % formats.size());
    const bool strictly = source_.below(4) == 3;
    const std::uint8_t* const data = or_null(file.data());
    Out<ab_document> out;
    ab_document** const place = or_null(out.place());
    const char* const options = strictly ? R"({"strict": true})" : nullptr;
    const ab_status status = made([&](ab_error* e) {
        return ab_document_read(data, file.size(), format, choice % 2 == 0 ? nullptr : "a.oban", options,
                                place, e);
    });
    DocumentHandle document = out.taken(status);
    if (document != nullptr && !is_json(file)) {
        const Bytes written = written_by(document.get());
        require(is_text(written) || written == file,
                std::string("a binary file that is not written as it was read: ") +
                    ab_document_format(document.get()));
    }
    keep(std::move(document));
}

void Calls::write() {
    const ab_document* const given = document();
    if (given == nullptr) {
        Out<ab_buffer> out;
        require(out.taken(ab_document_write(given, nullptr, out.place(), nullptr)) == nullptr,
                "no document is written");
        return;
    }
    file_ = written_by(given);
    check_file(given, file_);
    check_json(given);
}

void Calls::tell() {
    constexpr std::array<const char*, 5> levels = {"playback", "upload", "strict", "lenient", nullptr};
    const ab_document* const given = document();
    Out<ab_buffer> info;
    const BufferHandle told =
        info.taken(made([&](ab_error* e) { return ab_document_info(given, info.place(), e); }));
    if (told != nullptr) {
        require(json_in(told).at("format") == ab_document_format(given), "info of another format");
    }
    const char* const level = levels.at(source_.below(levels.size()));
    Out<ab_buffer> findings;
    const BufferHandle found = findings.taken(
        made([&](ab_error* e) { return ab_document_check(given, level, findings.place(), e); }));
    if (found != nullptr) {
        require(json_in(found).at("findings").is_array(), "findings that are no list");
    }
}

void Calls::compare() {
    const ab_document* const a = document();
    const ab_document* const b = document();
    Out<ab_buffer> out;
    ab_buffer** const place = or_null(out.place());
    const BufferHandle report =
        out.taken(made([&](ab_error* e) { return ab_document_compare(a, b, nullptr, place, e); }));
    if (report != nullptr && a == b) {
        const Json json = json_in(report);
        require(json.at("max_position_mm") == 0.0 && json.at("max_rotation_degrees") == 0.0,
                "a document that differs from itself");
    }
}

void Calls::edit() {
    const std::string edits =
        take_object(source_, {{"base_priority", {"3", "-1", "7", "\"x\"", "2147483648"}},
                              {"emote_name", {"\"express_smile\"", "\"\"", "\"a\\u0000b\"", "null"}},
                              {"loop", {"true", "false", "1"}},
                              {"loop_in_point", {"0", "0.25", "-1", "1e39", "1e400"}},
                              {"ease_in_duration", {"0", "0.5", "1e-46"}},
                              {"hand_pose", {"1", "13", "14", "-1", "4294967296"}},
                              {"joint_priorities", {"{\"mTorso\":5}", "{\"mTorso\":5,\"x\":1}", "{}", "[]"}},
                              {"flags", {"0", "31", "4294967295", "[\"Autostart\"]", "[\"x\"]"}},
                              {"half_stop_frame", {"0", "5", "65536"}},
                              {"frame_length", {"0", "80", "-1"}},
                              {"name", {"\"lift\"", "\"\"", "\"OBANx\"", "\"\\ud800\""}},
                              {"container", {"\"raw\"", "\"oni\"", "\"xml\"", "\"zip\""}},
                              {"decimals", {"3", "0", "null", "99"}}});
    const ab_document* const given = document();
    const char* const text = or_null(edits.c_str());
    Out<ab_document> out;
    Out<ab_buffer> report;
    const ab_status status =
        made([&](ab_error* e) { return ab_document_edit(given, text, out.place(), report.place(), e); });
    const BufferHandle read = report.taken(status);
    require(read == nullptr || json_in(read).at("findings").is_array(), "an edit without findings");
    keep(out.taken(status));
}

void Calls::fix() {
    const std::string options = take_object(source_, {{"only", {"[\"key_spike\"]", "[]", "[\"x\"]", "1"}},
                                                      {"keep_shape", {"true", "false"}},
                                                      {"use_spine", {"true", "0"}},
                                                      {"purpose", {"\"dance\"", "\"x\""}}});
    const ab_document* const given = document();
    const char* const text = or_null(options.c_str());
    Out<ab_document> out;
    Out<ab_buffer> report;
    const ab_status status = made(
        [&](ab_error* e) { return ab_document_fix(given, text, out.place(), nullptr, report.place(), e); });
    const BufferHandle read = report.taken(status);
    require(read == nullptr || json_in(read).at("left").is_array(), "a fix without what is left");
    keep(out.taken(status));
}

void Calls::convert_file() {
    constexpr std::array<const char*, 8> names = {"out.anim", "out.bvh", "out.oni",  "out.oban",
                                                  "out.xml",  "out.dat", "out.json", "out.fbx"};
    const Scratch folder;
    const ab_document* const given = document();
    const std::string input = folder.file("in.json");
    const std::string output = folder.file(names.at(source_.below(names.size())));
    if (given != nullptr) {
        const std::string text = json_of(given);
        const DocumentHandle same =
            read_again({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, nullptr);
        made([&](ab_error* e) { return ab_document_write_file(same.get(), input.c_str(), nullptr, e); });
    }
    const std::string options = take_object(source_, {{"as_stored", {"true", "false"}},
                                                      {"strict", {"true", "1"}},
                                                      {"input_format", {"\"bvh\"", "\"sl_anim\"", "\"x\""}},
                                                      {"edits", {"{}", "{\"base_priority\":1}"}},
                                                      {"conversion", {"{}", "{\"oban\":\"lift\"}"}}});
    Out<ab_buffer> report;
    const ab_status status = made([&](ab_error* e) {
        return ab_convert_file(input.c_str(), output.c_str(), options.c_str(), nullptr, report.place(), e);
    });
    const BufferHandle told = report.taken(status);
    require(std::filesystem::exists(output) == (status == AB_OK), "a file without success, or the reverse");
    require(folder.count() == (given != nullptr ? 1 : 0) + (status == AB_OK ? 1 : 0), "a file left over");
    Out<ab_document> out;
    keep(out.taken(made([&](ab_error* e) {
        return ab_document_read_file(output.c_str(), nullptr, nullptr, out.place(), e);
    })));
}

}  // namespace animbridge::test

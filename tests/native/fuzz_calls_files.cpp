// SPDX-License-Identifier: MIT
// Files to start with: a small one of each kind, with a little of everything in its format.
#include <array>

#include "formats/oban/edit/edit.h"
#include "formats/oban/file/file.h"
#include "formats/oban/level/level.h"
#include "fuzz_calls.h"

namespace animbridge::test {

namespace {

oban::file::Record small_record() {
    oban::file::Record record;
    record.flags = oban::file::normal_loop;
    record.frame_count = 11;
    record.half_stop_frame = 5;
    record.keys = {{{RawFloat(0.0F), RawFloat(0.0F), RawFloat(0.0F), RawFloat(-1.0F)},
                    {RawFloat(1.5F), RawFloat(-2.25F), RawFloat(0.0F)},
                    0},
                   {{RawFloat(0.0F), RawFloat(0.6F), RawFloat(0.0F), RawFloat(-0.8F)},
                    {RawFloat(0.1F), RawFloat(0.2F), RawFloat(30.0F)},
                    10}};
    return record;
}

Bytes oban_file(oban::file::Container container) {
    return oban::file::write(
        oban::edit::in_container({oban::file::Container::raw, "", small_record(), {}, {}}, container, "door")
            .value()
            .document);
}

Bytes level_file() {
    oban::file::Record other = small_record();
    other.keys.pop_back();
    other.flags = oban::file::z_axis_up;
    return oban::level::new_package({{"OBANdoor", small_record()}, {"OBANlift", std::move(other)}},
                                    "level7_Final", oban::level::Platform::pc)
        .value()
        .dat;
}

Bytes bvh_file() {
    constexpr std::string_view text =
        "HIERARCHY\nROOT hip\n{\nOFFSET 0 40 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
        "Yrotation\nJOINT chest\n{\nOFFSET 0 5 0\nCHANNELS 3 Xrotation Zrotation Yrotation\nEnd Site\n{\n"
        "OFFSET 0 4 0\n}\n}\n}\nMOTION\nFrames: 3\nFrame Time: 0.1\n0 40 0 0 0 0 0 0 0\n0 41 0 10 20 30 1 2 "
        "3\n"
        "0 40.5 1 5 -20 179 -1 0 90\n";
    const ByteView bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    return {bytes.begin(), bytes.end()};
}

Bytes sl_file(sl_anim::file::Version version) {
    sl_anim::file::Document document;
    document.version = version;
    document.base_priority = 3;
    document.duration = document.loop_out_point = RawFloat(0.5F);
    document.loop = 1;
    document.ease_in_duration = RawFloat(0.25F);
    document.emote_name = "express_smile";
    for (const char* const name : {"mPelvis", "mTorso", "nobody"}) {
        sl_anim::file::Joint joint{name, 4, {}, {}};
        if (version == sl_anim::file::Version::coded) {
            joint.rotation.coded = {{0, {32767, 32767, 32767}}, {65535, {40000, 32767, 30000}}};
            joint.position.coded = {{0, {32767, 32767, 32767}}, {30000, {33000, 32767, 32767}}};
        } else {
            joint.rotation.legacy = {sl_anim::file::LegacyKey{}, sl_anim::file::LegacyKey{}};
        }
        document.joints.push_back(std::move(joint));
    }
    return sl_anim::file::write(document);
}

Bytes as_json(ByteView file) {
    const std::string text = json_of(read_again(file, nullptr).get());
    return {text.begin(), text.end()};
}

const std::vector<Bytes>& all_files() {
    static const std::vector<Bytes> files = [] {
        std::vector<Bytes> all = {sl_file(sl_anim::file::Version::coded),
                                  sl_file(sl_anim::file::Version::coded),
                                  bvh_file(),
                                  bvh_file(),
                                  oban_file(oban::file::Container::oni),
                                  oban_file(oban::file::Container::xml),
                                  level_file(),
                                  sl_file(sl_anim::file::Version::legacy)};
        for (const std::size_t i : {0U, 2U, 4U, 6U}) {
            all.push_back(as_json(all[i]));
        }
        return all;
    }();
    return files;
}

}  // namespace

Bytes take_file(Source& source) {
    const std::size_t choice = source.below(16);
    if (choice >= all_files().size()) {
        const ByteView any = source.take_bytes();
        return {any.begin(), any.end()};
    }
    Bytes file = all_files()[choice];
    const std::size_t changes = source.below(8) / 2;
    for (std::size_t i = 0; i < changes; ++i) {
        file[source.take<std::uint16_t>() % file.size()] = source.take<std::uint8_t>();
    }
    return file;
}

}  // namespace animbridge::test

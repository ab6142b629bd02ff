// SPDX-License-Identifier: MIT
// The peak memory of each format's reader, whatever the file, as animbridge.h promises it.
#include <cstring>
#include <new>
#include <pugixml.hpp>
#include <string>
#include <utility>
#include <vector>

#include "allocations.h"
#include "catch.h"
#include "convert/convert.h"
#include "formats/oban/file/file.h"
#include "formats/sl_anim/file/file.h"
#include "formats/sl_anim/loader/loader.h"

using namespace animbridge;
using animbridge::test::Allocations;

namespace {

constexpr std::size_t large = 2'000'000;

std::size_t promised(std::size_t bytes) { return 16 * bytes + (1U << 20U); }

/// The peak memory in bytes while `bytes` are read, successfully or not.
std::size_t peak_of_reading(ByteView bytes, const std::string& format, Reading reading) {
    (void)read_document(bytes.first(0), format, "", reading);  // builds permanent tables
    const Allocations allocations;
    (void)read_document(bytes, format, "", reading);
    return Allocations::peak_bytes();
}

void check_promise(ByteView bytes, const std::string& format) {
    for (const Reading reading : {Reading::strict, Reading::lenient}) {
        const std::size_t peak = peak_of_reading(bytes, format, reading);
        INFO(peak << " bytes for " << bytes.size() << ": "
                  << static_cast<double>(peak) / static_cast<double>(bytes.size()) << " times as many");
        CHECK(peak <= promised(bytes.size()));
    }
}

void check_promise(const std::string& text, const std::string& format) {
    check_promise(view_of(text), format);
}

std::string so_often(const std::string& text, std::size_t bytes) {
    std::string all;
    all.reserve(bytes + text.size());
    while (all.size() < bytes) {
        all += text;
    }
    return all;
}

Bytes anim_with(std::size_t joints, const sl_anim::file::Joint& joint) {
    sl_anim::file::Document document;
    document.joints.assign(joints, joint);
    return sl_anim::file::write(document);
}

/// A level with these descriptors, one small record and one block of names.
Bytes level_with(std::vector<oban::file::Instance> instances, const std::string& names, const Bytes& data) {
    oban::file::ContainerTables tables;
    tables.instances = std::move(instances);
    oban::file::ContainerHeader& header = tables.header;
    header.version = oban::file::level_version;
    header.instance_count = static_cast<std::uint32_t>(tables.instances.size());
    const std::size_t tables_end =
        sizeof(oban::file::ContainerHeader) + sizeof(oban::file::Instance) * tables.instances.size();
    header.data_offset = static_cast<std::uint32_t>(oban::file::aligned(tables_end));
    header.data_size = static_cast<std::uint32_t>(data.size());
    header.name_offset = static_cast<std::uint32_t>(header.data_offset + data.size());
    header.name_size = static_cast<std::uint32_t>(names.size());
    Bytes file = oban::file::write_tables(tables);
    file.resize(header.data_offset);
    file.insert(file.end(), data.begin(), data.end());
    file.insert(file.end(), names.begin(), names.end());
    return file;
}

Bytes bare_record() {
    Bytes record(oban::file::head_bytes);
    record[0] = 1;
    return record;
}

const std::string matrix_text = "1 0 0 0 1 0 0 0 1 0 0 0";

std::string xml_with(const std::string& keys) {
    return "<Oni><OBAN><Flags/><InitialTransform>" + matrix_text + "</InitialTransform><BaseTransform>" +
           matrix_text +
           "</BaseTransform><FrameLength>1</FrameLength><FrameCount>1</FrameCount>"
           "<HalfStopFrame>0</HalfStopFrame><KeyFrames>" +
           keys + "</KeyFrames></OBAN></Oni>";
}

std::string bvh_with(const std::string& joints, const std::string& motion) {
    return "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n" + joints + "}\nMOTION\n" + motion;
}

/// Counts pugixml's allocations too, until it is destroyed.
class CountedXml {
public:
    CountedXml() {
        pugi::set_memory_management_functions(
            [](std::size_t size) { return ::operator new(size, std::nothrow); },
            [](void* memory) { ::operator delete(memory); });
    }
    ~CountedXml() { pugi::set_memory_management_functions(allocate_, free_); }
    CountedXml(const CountedXml&) = delete;
    CountedXml& operator=(const CountedXml&) = delete;
    CountedXml(CountedXml&&) = delete;
    CountedXml& operator=(CountedXml&&) = delete;

private:
    pugi::allocation_function allocate_ = pugi::get_memory_allocation_function();
    pugi::deallocation_function free_ = pugi::get_memory_deallocation_function();
};

}  // namespace

TEST_CASE("a .anim of small joints is read within the promise", "[reader-memory]") {
    const std::vector<sl_anim::file::CodedKey> one_key(1);
    const std::vector<sl_anim::file::Joint> joints = {
        {"", 0, {}, {}},
        {"mTorso", 0, {one_key, {}}, {}},
        {"mTorso", 0, {one_key, {}}, {one_key, {}}},
        {"a_name_of_more_than_fifteen_bytes", 0, {}, {}},
    };
    for (const sl_anim::file::Joint& joint : joints) {
        const std::size_t size = sl_anim::file::record_bytes(joint, sl_anim::file::Version::coded);
        Bytes bytes = anim_with(large / size, joint);
        check_promise(bytes, "sl_anim");
        bytes.pop_back();  // an error that shows only at the end
        check_promise(bytes, "sl_anim");
    }
}

TEST_CASE("a .anim that announces as many joints as can be, and has one, is read within the promise",
          "[reader-memory]") {
    Bytes bytes = anim_with(1, {"", 0, {std::vector<sl_anim::file::CodedKey>(large / 8), {}}, {}});
    const auto most = static_cast<std::uint32_t>((bytes.size() - sl_anim::file::header_bytes) / 13);
    std::memcpy(bytes.data() + sl_anim::file::header_bytes - sizeof most, &most, sizeof most);
    check_promise(bytes, "sl_anim");
}

TEST_CASE("a level is read within the promise, whatever its instances share", "[reader-memory]") {
    const Bytes record = bare_record();
    const auto size = static_cast<std::uint32_t>(record.size());
    const std::string long_name = "OBAN" + std::string(300, 'x') + '\0';
    const oban::file::Instance shared{oban::file::oban_tag, oban::file::pre_header_bytes, 0, size, 0};
    const oban::file::Instance empty{oban::file::oban_tag, 0, 0, 0, oban::file::placeholder};
    const std::size_t count = large / sizeof(oban::file::Instance);
    check_promise(level_with(std::vector<oban::file::Instance>(count, shared), long_name, record),
                  "oban_level");
    check_promise(level_with(std::vector<oban::file::Instance>(count, empty), long_name, record),
                  "oban_level");
    // Instances of other kinds may overlap.
    std::vector<oban::file::Instance> others;
    Bytes data(large);
    for (std::uint32_t i = 0; i < count; ++i) {
        others.push_back({0x11111111, std::uint32_t{oban::file::pre_header_bytes} + i, 0, 16, 0});
    }
    check_promise(level_with(std::move(others), long_name, data), "oban_level");
    std::vector<oban::file::Instance> small;
    Bytes records;
    for (std::size_t i = 0; i < large / record.size(); ++i) {
        small.push_back({oban::file::oban_tag,
                         static_cast<std::uint32_t>(records.size() + oban::file::pre_header_bytes), 0, size,
                         0});
        records.insert(records.end(), record.begin(), record.end());
    }
    check_promise(level_with(std::move(small), long_name, records), "oban_level");
}

TEST_CASE("an OBAN is read within the promise, alone and in a .oni", "[reader-memory]") {
    oban::file::Record record;
    record.keys.resize(60'000);
    for (oban::file::Key& key : record.keys) {
        key.rotation[3] = RawFloat(1.0F);
    }
    const auto oni = oban::file::new_oni(record, "door");
    REQUIRE(oni);
    check_promise(oban::file::write(*oni), "oban");
    check_promise(oban::file::write({oban::file::Container::raw, {}, record, {}, {}}), "oban");
    // A .oni announces instances like a level.
    Bytes many = level_with(
        std::vector<oban::file::Instance>(large / sizeof(oban::file::Instance),
                                          oban::file::Instance{oban::file::oban_tag, 8, 0, 0x80, 0}),
        std::string("OBANx") + '\0', bare_record());
    std::memcpy(many.data() + oban::file::version_at, &oban::file::oni_version,
                sizeof oban::file::oni_version);
    check_promise(many, "oban");
}

TEST_CASE("XML is read within the promise, and refused where its tags stand too close", "[reader-memory]") {
    const std::string key =
        "<OBANKeyFrame><Rotation>0 0 0 1</Rotation><Translation>0 0 "
        "0</Translation><Time>0</Time></OBANKeyFrame>";
    const std::string densest = xml_with(so_often(key, large));
    REQUIRE(read_document(view_of(densest), "oban", "").has_value());
    const CountedXml counted;
    check_promise(densest, "oban");
    for (const char* const part :
         {"<a>", "<a>x", "<a/>", "<a/>x", "<a b=''/>", "<a b=''/>x", "<a b='' c='' d=''/>xxx",
          "<a b='' c=''/>", "<![CDATA[]]>", "<a>xxxxxxxxx", "<a b='' c=''>x", "<!---->x", "&lt;",
          "<a>x</a>xxxxxxxxxxxxxxxx", "<?p?>", "<a>x<![CDATA[]]>yyyy"}) {
        INFO(part);
        check_promise(xml_with(so_often(part, large)), "oban");
        check_promise(so_often(part, large), "oban");
    }
    check_promise("<Oni" + so_often(" a=''", large) + "/>", "oban");
    // The limit that refuses them does not apply to a small file, whatever its content.
    CHECK(read_document(view_of(xml_with(so_often("<!---->", 20'000))), "oban", "").has_value());
}

TEST_CASE("a BVH of small joints, notes and numbers is read within the promise", "[reader-memory]") {
    const std::string no_frames = "Frames: 0\nFrame Time: 0.1\n";
    for (const char* const part :
         {"JOINT a\n{\n}\n", "JOINT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\n", "End Site\n{\n}\n",
          "End Site\n{\nOFFSET 0 0 0.000000\n}\n", "JOINT a_name_of_some_length_and_more\n{\n}\n",
          "JOINT a\n{\nEnd Site b_that_has_a_long_name\n{\n}\n}\n",
          "JOINT a\n{\nCHANNELS 1 Xscale\nCHANNELS 0\n}\n", "OFFSET 0 0 0\n", "}\n", "{"}) {
        INFO(part);
        check_promise(bvh_with(so_often(part, large), no_frames), "bvh");
    }
    const std::string many = std::to_string(large / 2);
    for (const char* const frame : {"0\n", "1,5\n", "1e300\n", "7 8\n", "\n", "x\n"}) {
        for (const std::string& count : {many, std::string("1"), std::string("18446744073709551615")}) {
            INFO(frame << " in frames declared as " << count);
            check_promise(bvh_with("", "Frames: " + count + "\nFrame Time: 0.1\n" + so_often(frame, large)),
                          "bvh");
        }
    }
}

TEST_CASE("the viewer's loader reads a BVH within its own promise of ten times the input",
          "[reader-memory]") {
    const std::string joint = "JOINT a\n{\nOFFSET\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\n";
    const std::string root = "HIERARCHY\nROOT hip\n{\nOFFSET\nCHANNELS 6 Xrotation Yrotation Zrotation\n}\n";
    const std::string motion = "MOTION\nFrames: 1000000\nFrame Time: 0.1\n";
    for (const std::string& text :
         {root + so_often(joint, large) + motion, root + motion + so_often("1 2 3 4 5 6\n", large),
          root + motion + so_often("0 ", large), root + so_often("}\n", large)}) {
        const Allocations allocations;
        (void)sl_anim::loader::read_bvh_as_viewer(view_of(text));
        const std::size_t peak = Allocations::peak_bytes();
        INFO(peak << " bytes for " << text.size());
        CHECK(peak <= 10 * text.size() + (1U << 20U));
    }
}

// SPDX-License-Identifier: MIT
#include "work/hostile_files.h"

#include <cstring>

#include "formats/oban/file/file.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/file/file.h"

namespace animbridge::test {

namespace {

using sl_anim::file::CodedKey;
using sl_anim::file::Document;

Bytes anim_of(std::size_t n, std::size_t bytes_each,
              const std::function<sl_anim::file::Joint(std::size_t)>& joint) {
    Document document;
    document.duration = RawFloat(1.0F);
    for (std::size_t i = 0; i < n / bytes_each; ++i) {
        document.joints.push_back(joint(i));
    }
    return sl_anim::file::write(document);
}

Bytes empty_joints(std::size_t n) {
    return anim_of(n, 13, [](std::size_t) { return sl_anim::file::Joint{}; });
}

Bytes joints_of_one_name(std::size_t n) {
    return anim_of(n, 28, [](std::size_t) {
        return sl_anim::file::Joint{"mTorso", 9, {{CodedKey{}}, {}}, {}};
    });
}

Bytes unknown_joints(std::size_t n) {
    return anim_of(n, 32, [](std::size_t i) {
        return sl_anim::file::Joint{"joint" + std::to_string(i), -5, {{CodedKey{}}, {}}, {}};
    });
}

Bytes keys_of(std::size_t n, const std::function<CodedKey(std::size_t)>& key) {
    Document document;
    document.duration = RawFloat(1.0F);
    sl_anim::file::Joint& joint = document.joints.emplace_back();
    joint.name = "mTorso";
    for (std::size_t i = 0; i < n / sizeof(CodedKey); ++i) {
        joint.rotation.coded.push_back(key(i));
    }
    return sl_anim::file::write(document);
}

Bytes backward_keys(std::size_t n) {
    return keys_of(n, [](std::size_t i) {
        return CodedKey{static_cast<std::uint16_t>(65535 - i % 65536), {}};
    });
}

Bytes keys_at_one_time(std::size_t n) {
    return keys_of(n, [](std::size_t) { return CodedKey{7, {65535, 65535, 65535}}; });
}

Bytes bytes_of_text(const std::string& text) { return {text.begin(), text.end()}; }

std::string times(const std::string& text, std::size_t count) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) {
        all += text;
    }
    return all;
}

std::string xml_around(const std::string& keys) {
    const std::string matrix = "1 0 0 0 1 0 0 0 1 0 0 0";
    return "<Oni><OBAN><Flags/><InitialTransform>" + matrix + "</InitialTransform><BaseTransform>" + matrix +
           "</BaseTransform><FrameLength>1</FrameLength><FrameCount>1</FrameCount><HalfStopFrame>0</"
           "HalfStopFrame>"
           "<KeyFrames>" +
           keys + "</KeyFrames></OBAN></Oni>";
}

Bytes xml_keys(std::size_t n) {
    const std::string key =
        "<OBANKeyFrame><Rotation>0 0 0 1</Rotation><Translation>0 0 "
        "0</Translation><Time>0</Time></OBANKeyFrame>";
    return bytes_of_text(xml_around(times(key, n / key.size())));
}

Bytes xml_comments(std::size_t n) {
    const std::string comment = "<!-- nothing to see -->";
    return bytes_of_text(xml_around(times(comment, n / comment.size())));
}

Bytes xml_deep(std::size_t n) {
    return bytes_of_text(times("<deep_element>", n / 29) + times("</deep_element>", n / 29));
}

Bytes xml_attributes(std::size_t n) {
    std::string text = "<Oni";
    for (std::size_t i = 0; text.size() < n; ++i) {
        text += " a" + std::to_string(i) + "=\"\"";
    }
    return bytes_of_text(text + "/>");
}

Bytes xml_texts(std::size_t n) {
    return bytes_of_text(xml_around(times("<OBANKeyFrame/>some text", n / 24)));
}

/// Every bone moves at every key: all that rules about the motion look at.
Bytes moving_bones(std::size_t n) {
    const std::size_t bones = 133;
    return anim_of(bones, 1, [&](std::size_t i) {
        sl_anim::file::Joint joint{sl_anim::avatar::skeleton()[i].node.name, 2, {}, {}};
        const std::size_t keys = n / bones / sizeof(CodedKey);
        for (std::size_t k = 0; k < keys; ++k) {
            const auto code = static_cast<std::uint16_t>(30000 + (k * 7919 + i) % 5000);
            joint.rotation.coded.push_back(
                {static_cast<std::uint16_t>(k * 65535 / keys), {code, code, code}});
        }
        joint.position = joint.rotation;
        return joint;
    });
}

}  // namespace

const std::vector<HostileFile>& hostile_anims() {
    static const std::vector<HostileFile> all = {
        {"empty joints", empty_joints},         {"joints of one name", joints_of_one_name},
        {"unknown joints", unknown_joints},     {"keys that go backward", backward_keys},
        {"keys at one time", keys_at_one_time}, {"moving bones", moving_bones},
    };
    return all;
}

const std::vector<HostileFile>& hostile_xmls() {
    static const std::vector<HostileFile> all = {
        {"keys", xml_keys},
        {"comments", xml_comments},
        {"nested elements", xml_deep},
        {"attributes", xml_attributes},
        {"text between elements", xml_texts},
    };
    return all;
}

Bytes stored_record(std::size_t keys, std::uint16_t frame_count, float place) {
    oban::file::Record record;
    record.frame_count = frame_count;
    for (std::size_t i = 0; i < keys; ++i) {
        oban::file::Key& key = record.keys.emplace_back();
        key.rotation[3] = RawFloat(1.0F);
        key.time = static_cast<std::int32_t>(i);
    }
    if (keys > 0) {
        record.keys.back().time = frame_count - 1;
        record.keys.back().position[0] = RawFloat(place);
    }
    return oban::file::write_record(record);
}

Bytes level_of(const LevelParts& parts) {
    oban::file::ContainerTables tables;
    for (const LevelParts::Slot& slot : parts.slots) {
        const bool empty = slot.data_offset == 0;
        tables.instances.push_back({oban::file::oban_tag, slot.data_offset, slot.name_offset, slot.data_size,
                                    empty ? std::uint32_t{oban::file::placeholder} : 0U});
    }
    const std::size_t tables_end =
        sizeof(oban::file::ContainerHeader) + sizeof(oban::file::Instance) * tables.instances.size();
    oban::file::ContainerHeader& header = tables.header;
    header.version = oban::file::level_version;
    header.instance_count = static_cast<std::uint32_t>(tables.instances.size());
    header.data_offset = static_cast<std::uint32_t>(oban::file::aligned(tables_end));
    header.data_size = static_cast<std::uint32_t>(parts.data.size());
    header.name_offset = static_cast<std::uint32_t>(header.data_offset + parts.data.size());
    header.name_size = static_cast<std::uint32_t>(parts.names.size());
    Bytes file = oban::file::write_tables(tables);
    file.resize(header.data_offset);
    file.insert(file.end(), parts.data.begin(), parts.data.end());
    file.insert(file.end(), parts.names.begin(), parts.names.end());
    return file;
}

}  // namespace animbridge::test

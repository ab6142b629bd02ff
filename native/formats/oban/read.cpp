// SPDX-License-Identifier: MIT
#include "formats/oban/read.h"

#include <algorithm>

#include "formats/oban/container.h"
#include "formats/oban/oni.h"
#include "formats/oban/record.h"
#include "formats/oban/xml.h"

namespace animbridge::oban {

namespace {

/// A raw record may begin with any res_id, even "<Oni", but a text does not have a record's size.
bool is_xml(ByteView file) { return looks_like_xml(file) && !has_raw_size(file); }

}  // namespace

bool sniff(ByteView file) {
    const std::uint32_t version = version_of(file);
    if (version == oni_version || version == unseen_version) {
        return true;
    }
    if (is_xml(file)) {
        constexpr std::size_t looked_at = 4096;
        const std::string_view head = text_of(file.first(std::min(file.size(), looked_at)));
        return head.find("OBAN") != std::string_view::npos;
    }
    return looks_like_raw(file);
}

Result<Document> read(ByteView file) {
    const std::uint32_t version = version_of(file);
    if (version == unseen_version) {
        return fail_at(ErrorCode::unsupported_version, "version", version_at,
                       "found VR33, which OniX is said to write and no public file shows; allowed is VR32");
    }
    if (version == level_version) {
        return fail_at(ErrorCode::unsupported_version, "version", version_at,
                       "found VR31: a level, which may hold many animations; allowed is VR32");
    }
    if (version == oni_version) {
        return read_oni(file);
    }
    if (is_xml(file)) {
        return read_xml(file);
    }
    return read_raw(file).map([](Record record) {
        return Document{Container::raw, {}, std::move(record), {}, {}};
    });
}

}  // namespace animbridge::oban

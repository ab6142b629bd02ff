// SPDX-License-Identifier: MIT
#include "formats/oban/write.h"

#include "formats/oban/record.h"
#include "formats/oban/xml.h"

namespace animbridge::oban {

Bytes write(const Document& document) {
    if (document.container == Container::xml) {
        return write_xml(document.record);
    }
    const Bytes record = write_record(document.record);
    if (document.container == Container::raw) {
        return record;
    }
    ByteWriter writer(document.before.size() + record.size() + document.after.size());
    writer.write_array(std::span(document.before));
    writer.write_array(std::span(record));
    writer.write_array(std::span(document.after));
    return writer.take();
}

}  // namespace animbridge::oban

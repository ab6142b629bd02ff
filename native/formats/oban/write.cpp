// SPDX-License-Identifier: MIT
#include "formats/oban/write.h"

#include "formats/oban/record.h"
#include "formats/oban/xml.h"

namespace animbridge::oban {

Bytes write(const Document& document) {
    if (document.container == Container::xml) {
        return write_xml(document.record);
    }
    if (document.container == Container::raw) {
        return write_record(document.record);
    }
    ByteWriter writer(document.before.size() + record_bytes(document.record) + document.after.size());
    writer.write_array(std::span(document.before));
    append_record(writer, document.record);
    writer.write_array(std::span(document.after));
    return writer.take();
}

}  // namespace animbridge::oban

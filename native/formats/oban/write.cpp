// SPDX-License-Identifier: MIT
#include "formats/oban/write.h"

#include "formats/oban/record.h"

namespace animbridge::oban {

Bytes write(const Document& document) {
    const Bytes record = write_record(document.record);
    if (document.container != Container::oni) {
        return record;
    }
    ByteWriter writer(document.before.size() + record.size() + document.after.size());
    writer.write_array(std::span(document.before));
    writer.write_array(std::span(record));
    writer.write_array(std::span(document.after));
    return writer.take();
}

}  // namespace animbridge::oban

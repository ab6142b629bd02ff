// SPDX-License-Identifier: MIT
// Any text as AnimBridge JSON: refused with an error, or a document that comes back from its own JSON and
// file.
#include <cstddef>
#include <cstdint>

#include "convert/convert.h"
#include "convert/sl_document.h"
#include "invariants.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace animbridge;
    const auto json = parse_json(text_of(ByteView(data, size)));
    if (!json) {
        return 0;
    }
    const Format* format = find_format("sl_anim");
    if (const auto document = format->from_json(*json)) {
        test::check_document(*as_sl_anim(**document), test::Effort::full);
    }
    return 0;
}

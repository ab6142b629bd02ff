// SPDX-License-Identifier: MIT
// Hostile Second Life animations and OniSplit XML: the work grows with the size, and not faster.
#include "catch.h"
#include "formats/oban/check/check.h"
#include "formats/oban/file/file.h"
#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/file/file.h"
#include "formats/sl_anim/play/play.h"
#include "work/count.h"
#include "work/hostile_files.h"

using namespace animbridge;
using namespace animbridge::test;

TEST_CASE("a .anim takes work as it is long", "[sl-anim-work]") {
    for (const HostileFile& hostile : hostile_anims()) {
        INFO(hostile.what);
        check_linear(some_bytes, hostile.make, [](const Bytes& bytes) {
            const auto document = sl_anim::file::read(bytes);
            REQUIRE(document);
            sl_anim::check::CheckOptions options;
            options.level = CheckLevel::strict;
            (void)sl_anim::check::check(*document, options);
            (void)sl_anim::play::info(*document);
            (void)sl_anim::file::write(*document);
            (void)sl_anim::play::compare(*document, *document, Job());
        });
    }
}

TEST_CASE("OniSplit's XML takes work as it is long", "[sl-anim-work]") {
    for (const HostileFile& hostile : hostile_xmls()) {
        INFO(hostile.what);
        check_linear(some_bytes, hostile.make, [](const Bytes& bytes) {
            if (const auto document = oban::file::read(bytes)) {
                (void)oban::check::check(*document, CheckLevel::strict);
            }
        });
    }
}

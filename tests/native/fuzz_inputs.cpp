// SPDX-License-Identifier: MIT
#include "fuzz_inputs.h"

#include "base/json/json.h"
#include "bvh_invariants.h"
#include "formats/bvh/file/file.h"
#include "formats/mrtk/file/file.h"
#include "formats/oban/file/file.h"
#include "formats/sl_anim/file/file.h"
#include "formats/sl_pose/file/file.h"
#include "invariants.h"
#include "mrtk_invariants.h"
#include "oban_invariants.h"
#include "sl_pose_invariants.h"

namespace animbridge::test {

void try_sl_anim_read(ByteView bytes) { check_bytes(bytes, Effort::full); }

void try_json(ByteView bytes) {
    const auto json = parse_json(text_of(bytes));
    if (!json) {
        require(json.error().code == ErrorCode::bad_value && is_utf8(json.error().message()),
                "a parse error that is none");
        return;
    }
    const auto again = parse_json(print_json(*json));
    require(again.has_value() && *again == *json, "printed JSON reads back to something else");
    if (const auto bvh = bvh::file::from_json(*json)) {
        check_bvh_document(*bvh, Effort::full);
    } else {
        require(is_utf8(bvh.error().message()) && !bvh.error().reason.empty(),
                "a refused BVH without a reason");
    }
    if (const auto oban = oban::file::from_json(*json)) {
        check_oban_document(*oban, Effort::full);
    } else {
        require(is_utf8(oban.error().message()) && !oban.error().reason.empty(),
                "a refused OBAN without a reason");
    }
    if (const auto mrtk = mrtk::file::from_json(*json)) {
        check_mrtk_document(*mrtk, Effort::full);
    } else {
        require(is_utf8(mrtk.error().message()) && !mrtk.error().reason.empty(),
                "a refused MRTK recording without a reason");
    }
    if (const auto pose = sl_pose::file::from_json(*json)) {
        check_pose_document(*pose, Effort::full);
    } else {
        require(is_utf8(pose.error().message()) && !pose.error().reason.empty(),
                "a refused pose without a reason");
    }
    const auto document = sl_anim::file::from_json(*json);
    if (!document) {
        require(document.error().code == ErrorCode::bad_value && !document.error().reason.empty(),
                "a refused document without a reason");
        require(is_utf8(document.error().message()), "an error that is not UTF-8");
        return;
    }
    check_document(*document, Effort::full);
    check_bytes(sl_anim::file::write(*document), Effort::quick);
}

}  // namespace animbridge::test

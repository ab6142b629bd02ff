// SPDX-License-Identifier: MIT
#include "convert/bridges.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "convert/bvh_to_sl.h"
#include "convert/oban_level_document.h"
#include "convert/sl_to_bvh.h"

namespace animbridge {

namespace {

const std::vector<Bridge>& all_bridges() {
    static const std::vector<Bridge> bridges = {
        {"bvh", "sl_anim", bvh_to_sl},
        {"sl_anim", "bvh", sl_to_bvh::bridge},
        {"oban_level", "oban", oban_level_to_oban},
    };
    return bridges;
}

}  // namespace

tl::unexpected<Error> fail_at_option(const std::string& name, const std::string& known) {
    Error error{ErrorCode::bad_value, "is no option of this conversion; allowed are " + known};
    error.field = to_utf8(name);
    return tl::unexpected<Error>(in_request(std::move(error)));
}

const Bridge* find_bridge(std::string_view from, std::string_view to) {
    const auto& bridges = all_bridges();
    const auto found = std::find_if(bridges.begin(), bridges.end(), [&](const Bridge& bridge) {
        return bridge.from == from && bridge.to == to;
    });
    return found == bridges.end() ? nullptr : &*found;
}

}  // namespace animbridge

// SPDX-License-Identifier: MIT
#include "bridges/sl_pose_to_bvh/bridge.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "base/options/options.h"
#include "formats/sl_anim/file/file.h"
#include "formats/sl_pose/clip/clip.h"
#include "model/findings/findings.h"
#include "rig/exchange/exchange.h"

namespace animbridge::sl_pose_to_bvh {

namespace {

const Bridge& first() { return *find_bridge(sl_pose::format.id, sl_anim::format.id); }
const Bridge& onward() { return *find_bridge(sl_anim::format.id, "bvh"); }

/// What only the .anim's header holds is nothing for a BVH.
bool is_of_pose(const Option& option) {
    return has_option(sl_pose::clip::to_clip_options(), option.name) || option.name == "under";
}

std::span<const Option> options() {
    static const std::vector<Option> all = [] {
        std::vector<Option> table;
        std::ranges::copy_if(first().options(), std::back_inserter(table), is_of_pose);
        const auto others = onward().options();
        table.insert(table.end(), others.begin(), others.end());
        return table;
    }();
    return all;
}

Result<Made> convert(const BridgeInput& input) {
    TRY_VOID(check_options(input.options, options(), ""));
    Json own = Json::object();
    Json others = Json::object();
    for (const auto& [name, value] : input.options.items()) {
        (has_option(onward().options(), name) ? others : own)[name] = value;
    }
    TRY(auto anim, first().convert({input.document, input.bytes, input.reading, own, Json::object(),
                                    input.job.part(0.0, 0.4)}));
    TRY(const Bytes bytes, anim.document->write());
    const Result<DocumentPtr> document = std::move(anim.document);
    return onward()
        .convert({document, bytes, input.reading, others, input.edits, input.job.part(0.4, 1.0)})
        .map([&](Made made) {
            made.report["pose_left_out"] = anim.report["left_out"];
            made.report["pose_warnings"] = anim.report["warnings"];
            return made;
        });
}

std::string describe(const Json& report, const Json& give_back) {
    const auto lines = [&](const char* member, const std::string& label) {
        std::string text;
        for (const std::string& line : texts_from_json(report[member])) {
            text += label + line + "\n";
        }
        return text;
    };
    return onward().describe(report, give_back) + lines("pose_left_out", "Left out of the pose: ") +
           lines("pose_warnings", "Warning: ");
}

}  // namespace

constinit const Bridge bridge = {
    .from = "sl_pose",
    .to = "bvh",
    .way = "from a Second Life pose",
    .convert = convert,
    .options = options,
    .describe = describe,
};

}  // namespace animbridge::sl_pose_to_bvh

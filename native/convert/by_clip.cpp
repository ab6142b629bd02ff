// SPDX-License-Identifier: MIT
#include "convert/by_clip.h"

#include <algorithm>
#include <iterator>

#include "base/text_table.h"
#include "formats/motion.h"
#include "formats/registry.h"

namespace animbridge {

namespace {

bool has(std::span<const Option> table, const std::string& name) {
    return std::any_of(table.begin(), table.end(), [&](const Option& option) { return option.name == name; });
}

/// The options of both ways, each with what its table has.
struct Options {
    Json to_clip = Json::object();
    Json from_clip = Json::object();
};

Result<Options> split(const Format& from, const Format& to, const Json& options) {
    const auto first = options_of_call(from, "to_clip");
    const auto second = options_of_call(to, "from_clip");
    std::vector<Option> all(first.begin(), first.end());
    std::copy_if(second.begin(), second.end(), std::back_inserter(all),
                 [&](const Option& option) { return !has(first, std::string(option.name)); });
    TRY_VOID(check_options(options, all, ""));
    Options split;
    for (const auto& [name, value] : options.items()) {
        if (has(first, name)) {
            split.to_clip[name] = value;
        }
        if (has(second, name)) {
            split.from_clip[name] = value;
        }
    }
    return split;
}

tl::unexpected<Error> no_way(const Format& from, const Format& to) {
    const std::string_view why = from.to_clip == nullptr ? from.reasons.no_clip : to.reasons.no_clip;
    return fail(ErrorCode::invalid_argument, "cannot convert " + std::string(from.title) + " to " +
                                                 std::string(to.title) + (why.empty() ? "" : ": ") +
                                                 std::string(why));
}

}  // namespace

Result<Made> by_clip(const AnyDocument& document, const Format& to, const Json& options, const Job& job) {
    const Format& from = document.format();
    if (from.to_clip == nullptr || to.from_clip == nullptr) {
        return no_way(from, to);
    }
    TRY(const auto given, split(from, to, options));
    TRY(const auto clip, from.to_clip(document, given.to_clip));
    TRY_VOID(job.report(0.4));
    TRY(auto made, to.from_clip({clip.clip, given.from_clip, job.part(0.4, 1.0)}));
    Json left_out = left_out_json(clip.left_out);
    for (const Json& more : made.report["left_out"]) {
        left_out.push_back(more);
    }
    made.report["left_out"] = std::move(left_out);
    made.report["way"] = "clip";
    return made;
}

std::string describe_by_clip(const Json& report) {
    std::string text = "Largest difference: " + fixed_text(report["max_position_error_mm"].get<double>(), 3) +
                       " mm, " + fixed_text(report["max_rotation_error_degrees"].get<double>(), 4) +
                       " degrees\n";
    std::string left_out;
    for (const Json& item : report["left_out"]) {
        left_out += (left_out.empty() ? "" : ", ") + item.get<std::string>();
    }
    return left_out.empty() ? text : text + "Left out: " + left_out + "\n";
}

}  // namespace animbridge

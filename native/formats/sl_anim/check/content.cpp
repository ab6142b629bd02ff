// SPDX-License-Identifier: MIT
#include "formats/sl_anim/check/content.h"

#include <algorithm>
#include <map>

#include "base/options/options.h"
#include "formats/sl_anim/check/rules.h"

namespace animbridge::sl_anim::check {

namespace {

/// The worst place of each joint with the number of its places, worst first.
std::vector<std::pair<Place, std::size_t>> by_joint(const Places& places) {
    std::vector<std::pair<Place, std::size_t>> joints;
    std::map<std::string_view, std::size_t> index;
    for (const Place& place : places) {
        const auto [found, is_new] = index.try_emplace(place.joint, joints.size());
        if (is_new) {
            joints.emplace_back(place, 0);
        }
        auto& [worst, count] = joints[found->second];
        ++count;
        if (place.size > worst.size) {
            worst = place;
        }
    }
    std::ranges::stable_sort(joints, std::greater<>(), [](const auto& joint) { return joint.first.size; });
    return joints;
}

void add_places(const Rule& rule, const Places& places, FindingList& findings) {
    for (const auto& [place, count] : by_joint(places)) {
        const std::string when = place.seconds ? ", at " + fixed_text(*place.seconds, 3) + " s" : "";
        Finding finding{.rule = &rule, .found = place.found + when, .joint = std::string(place.joint)};
        finding.count = count;
        finding.is_worst_first = true;
        finding.seconds = place.seconds;
        if (!place.joint.empty()) {
            finding.joints.emplace_back(place.joint);
            finding.joint_count = 1;
        }
        findings.add(std::move(finding));
    }
}

bool is_asked(const Rule& rule, const CheckOptions& options) {
    return rule.level <= options.level &&
           (rule.purposes.empty() ||
            (!options.purpose.empty() && rule.purposes.find(options.purpose) != std::string_view::npos));
}

std::vector<ContentRule> content_rules() {
    std::vector<ContentRule> all;
    for (const auto& table : {loop_rules(), key_rules(), body_rules(), face_rules()}) {
        all.insert(all.end(), table.begin(), table.end());
    }
    return all;
}

}  // namespace

Json measures(const file::Document& document) {
    if (!require_playable(document)) {
        return Json::object();
    }
    const Motion motion = motion_of(document);
    const bool has_end = motion.repeats && has_outro(motion);
    return {{"redundant_bytes", redundant_bytes(motion)},
            {"stop_delay_seconds", stop_delay_seconds(motion)},
            {"outro_seconds", has_end ? double{motion.duration} - double{motion.loop_out} : 0.0}};
}

Places places_of(const file::Document& document, std::string_view rule_id) {
    const auto rules = content_rules();
    const auto row = std::ranges::find(rules, rule_id, &ContentRule::id);
    if (row == rules.end()) {
        return {};
    }
    const Motion motion = motion_of(document);
    return row->judge({document, motion, CheckLevel::strict});
}

void check_content(const file::Document& document, const CheckOptions& options, FindingList& findings) {
    const Motion motion = motion_of(document);
    const Judged judged{document, motion, options.level};
    for (const ContentRule& row : content_rules()) {
        const Rule& rule = *std::ranges::find(rule_table::all_rules, row.id, &Rule::id);
        if (is_asked(rule, options)) {
            add_places(rule, row.judge(judged), findings);
        }
    }
}

}  // namespace animbridge::sl_anim::check

// SPDX-License-Identifier: MIT
#include "bridges/bvh_to_sl_anim/upload.h"

#include <algorithm>

#include "bridges/bvh_to_sl_anim/bridge.h"
#include "formats/bvh/check/check.h"
#include "formats/bvh/file/file.h"
#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/loader/loader.h"

namespace animbridge::bvh_to_sl_anim {

namespace {

bool is_rejected(const Finding& finding) { return finding.rule->finding_class == FindingClass::rejected; }

const Rule& upload_refused_rule() {
    const auto rules = bvh::rules();
    return *std::find_if(rules.begin(), rules.end(),
                         [](const Rule& rule) { return rule.id == bvh::rule::upload_refused; });
}

}  // namespace

std::vector<Finding> upload_refusals(const sl_anim::Document& document) {
    std::vector<Finding> findings = sl_anim::check(document, {CheckLevel::upload, {}});
    std::erase_if(findings, [](const Finding& finding) { return !is_rejected(finding); });
    return findings;
}

void add_upload_findings(const AnyDocument& document, ByteView text, std::vector<Finding>& findings) {
    const bvh::Document& file = *as_bvh(document);
    auto motion =
        text.empty() ? sl_anim::read_bvh_as_viewer(bvh::write(file)) : sl_anim::read_bvh_as_viewer(text);
    if (!motion) {
        if (std::none_of(findings.begin(), findings.end(), is_rejected)) {
            Finding refusal{&upload_refused_rule(), motion.error().reason};
            refusal.line = text.empty() ? -1 : motion.error().line;
            findings.push_back(std::move(refusal));
        }
        // Report all other problems now, rather than one per upload.
        std::vector<std::string> warnings;
        motion = motion_for_loader(file, warnings);
    }
    const auto loaded = sl_anim::load_bvh(*motion, {});
    if (!loaded) {
        return;
    }
    for (Finding& refusal : upload_refusals(loaded->document)) {
        refusal.byte_offset = -1;  // in a file that the user does not have
        findings.push_back(std::move(refusal));
    }
}

}  // namespace animbridge::bvh_to_sl_anim

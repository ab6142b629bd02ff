// SPDX-License-Identifier: MIT
#include "sl_pose_invariants.h"

#include <cmath>
#include <set>

#include "formats/sl_pose/check/check.h"
#include "formats/sl_pose/edit/edit.h"
#include "formats/sl_pose/play/play.h"
#include "formats/sl_pose/pose/pose.h"
#include "fuzz_inputs.h"

namespace animbridge::test {

namespace {

using sl_pose::file::Document;

void check_pose_json(const Document& document) {
    const std::string text = print_json(sl_pose::file::to_json(document));
    require(is_utf8(text), "JSON that is not UTF-8");
    const auto parsed = parse_json(text);
    require(parsed.has_value(), "JSON does not parse");
    const auto back = sl_pose::file::from_json(*parsed);
    require(back.has_value(), "JSON is refused: " + (back ? "" : back.error().message()));
    require(*back == document, "JSON reads back to another document");
    const Json info = sl_pose::check::info(document);
    require(is_utf8(print_json(info)), "info is not UTF-8");
    require(!sl_pose::check::describe("file", info).empty(), "a description without words");
}

void check_shown_pose(const Document& document) {
    const auto pose = sl_pose::pose::pose_of(document);
    if (!pose) {
        require(!pose.error().reason.empty(), "LLSD refused without a reason");
        return;
    }
    for (const auto load :
         {sl_pose::edit::Load::all, sl_pose::edit::Load::plain, sl_pose::edit::Load::rotations}) {
        const auto part = sl_pose::pose::pose_of(sl_pose::edit::loaded(document, load));
        require(part.has_value(), "a part of a pose is no pose");
        const auto joints = sl_pose::play::shown(*part);
        std::size_t next = 0;
        for (const auto& joint : joints) {
            require(joint.joint >= next, "joints that are not in the skeleton's order");
            next = joint.joint + 1;
            require(std::abs(glm::dot(joint.rotation, joint.rotation) - 1.0) < 1e-6,
                    "a rotation that is none");
            require(is_finite(joint.position) && is_finite(joint.scale), "a place that is none");
        }
        require(sl_pose::play::placed(joints).size() == 214, "a body with other joints");
    }
    std::set<std::string_view> ids;
    const auto findings = sl_pose::check::check(document, CheckLevel::strict, "pose.xml");
    require(findings.has_value(), "a pose that is played cannot be checked");
    for (const Finding& finding : *findings) {
        require(ids.insert(finding.rule->id).second, "a rule found twice");
        require(is_utf8(summary_of(finding)), "a finding that is not UTF-8");
    }
}

}  // namespace

void check_pose_document(const Document& document, Effort effort) {
    const auto again = sl_pose::file::read(sl_pose::file::write(document));
    require(again.has_value(), "a written file is refused: " + (again ? "" : again.error().message()));
    require(*again == document, "a written file reads back to another document");
    if (effort == Effort::full) {
        check_pose_json(document);
        check_shown_pose(document);
    }
}

bool check_pose_bytes(ByteView bytes, Effort effort) {
    const auto document = sl_pose::file::read(bytes);
    if (!document) {
        check_error(document.error(), bytes.size());
        return false;
    }
    const Bytes written = sl_pose::file::write(*document);
    require(std::equal(written.begin(), written.end(), bytes.begin(), bytes.end()),
            "a file is written with other bytes");
    check_pose_document(*document, effort);
    return true;
}

void try_sl_pose_read(ByteView bytes) { check_pose_bytes(bytes, Effort::full); }

}  // namespace animbridge::test

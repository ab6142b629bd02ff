// SPDX-License-Identifier: MIT
#include "bridges/bvh_to_sl_anim/bridge.h"

#include <algorithm>
#include <iterator>

#include "formats/bvh/check/check.h"
#include "formats/bvh/file/file.h"
#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/file/file.h"
#include "formats/sl_anim/loader/loader.h"
#include "model/findings/findings.h"

namespace animbridge::bvh_to_sl_anim {

namespace {

struct Read {
    sl_anim::loader::BvhMotion motion;
    std::optional<Error> refusal{};  ///< the loader's, if the lenient reader was needed
    std::vector<Finding> tolerated{};
    std::vector<std::string> warnings{};
};

/// A skeleton with other names can still move the avatar.
Error with_way_out(Error error) {
    if (error.field == "ROOT") {
        error.reason +=
            ". To move the avatar like this skeleton, whatever its joints are called, retarget it (command: "
            "--retarget; library: retarget)";
    }
    return error;
}

/// Reads like the loader; if that fails and the reading is lenient, with the lenient reader.
Result<Read> read_motion(const BridgeInput& input) {
    auto motion = sl_anim::loader::read_bvh_as_viewer(input.bytes);
    if (motion) {
        return Read{std::move(*motion)};
    }
    if (input.reading == Reading::strict) {
        return fail(with_way_out(std::move(motion.error())));
    }
    if (!input.document) {
        return fail(input.document.error());
    }
    const bvh::file::Document& document = *as_bvh(**input.document);
    Read read;
    read.motion = motion_for_loader(document, read.warnings);
    read.refusal = std::move(motion.error());
    read.tolerated = bvh::check::tolerated(document);
    return read;
}

Json sentences_json(const std::vector<std::string>& sentences) {
    Json list = Json::array();
    std::transform(sentences.begin(), sentences.end(), std::back_inserter(list),
                   [](const std::string& sentence) { return to_utf8(sentence); });
    return list;
}

std::size_t keys_of(const sl_anim::file::Document& document) {
    std::size_t keys = 0;
    for (const sl_anim::file::Joint& joint : document.joints) {
        keys += sl_anim::file::key_count(joint.rotation) + sl_anim::file::key_count(joint.position);
    }
    return keys;
}

Json report_of(const Read& read, const sl_anim::loader::BvhLoaded& loaded) {
    std::vector<std::string> warnings = read.warnings;
    warnings.insert(warnings.end(), loaded.warnings.begin(), loaded.warnings.end());
    return {{"frames", read.motion.frames},
            {"joints", loaded.document.joints.size()},
            {"keys", keys_of(loaded.document)},
            {"duration_seconds", json_float(loaded.document.duration)},
            {"dropped", texts_json(loaded.dropped)},
            {"clamped", texts_json(loaded.clamped)},
            {"unknown_joints", texts_json(loaded.unknown_joints)},
            {"warnings", sentences_json(warnings)},
            {"tolerated", findings_json(read.tolerated).at("findings")},
            {"broken_rule", read.refusal ? Json{{"line", read.refusal->line},
                                                {"field", read.refusal->field},
                                                {"reason", to_utf8(read.refusal->reason)}}
                                         : Json(nullptr)}};
}

/// One joint's columns of the motion.
class JointColumns {
public:
    JointColumns(const bvh::file::Joint& joint, std::size_t first_column)
        : joint_(joint), first_(first_column) {
        for (const bvh::file::ChannelKind kind : joint.channels) {
            has_positions_ = has_positions_ || bvh::file::is_position(kind);
            if (bvh::file::is_rotation(kind)) {
                repeats_ = repeats_ || has_rotation_about(bvh::file::axis_of(kind));
                rotation_axes_.push_back(bvh::file::axis_of(kind));
            }
        }
    }

    [[nodiscard]] bool has_positions() const { return has_positions_; }
    [[nodiscard]] bool repeats_an_axis() const { return repeats_; }

    /// The rotation axes in file order; axes without a channel follow.
    [[nodiscard]] std::array<std::size_t, 3> order() const {
        std::array<std::size_t, 3> order{};
        std::size_t count = 0;
        const auto add = [&](std::size_t axis) {
            if (std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), axis) ==
                order.begin() + static_cast<std::ptrdiff_t>(count)) {
                order.at(count++) = axis;
            }
        };
        std::for_each(rotation_axes_.begin(), rotation_axes_.end(), add);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            add(axis);
        }
        return order;
    }

    void add_frame(std::span<const double> frame, sl_anim::loader::BvhJoint& out) const {
        sl_anim::codes::Vector position{};
        sl_anim::codes::Vector degrees{};
        for (std::size_t i = 0; i < joint_.channels.size(); ++i) {
            const bvh::file::ChannelKind kind = joint_.channels[i];
            const auto value = static_cast<float>(frame[first_ + i]);
            if (bvh::file::is_position(kind)) {
                position.at(bvh::file::axis_of(kind)) = value;
            } else if (bvh::file::is_rotation(kind)) {
                degrees.at(bvh::file::axis_of(kind)) = value;
            }
        }
        out.rotations.push_back(degrees);
        if (has_positions_) {
            out.positions.push_back(position);
        }
    }

private:
    [[nodiscard]] bool has_rotation_about(std::size_t axis) const {
        return std::find(rotation_axes_.begin(), rotation_axes_.end(), axis) != rotation_axes_.end();
    }

    const bvh::file::Joint& joint_;
    std::size_t first_;
    std::vector<std::size_t> rotation_axes_{};
    bool has_positions_ = false;
    bool repeats_ = false;
};

}  // namespace

sl_anim::loader::BvhMotion motion_for_loader(const bvh::file::Document& document,
                                             std::vector<std::string>& warnings) {
    sl_anim::loader::BvhMotion motion;
    motion.frames = document.frame_count;
    motion.frame_time_seconds = static_cast<float>(document.frame_time_seconds);
    const std::vector<std::size_t> first_columns = document.first_columns();
    for (std::size_t i = 0; i < document.joints.size(); ++i) {
        const bvh::file::Joint& joint = document.joints[i];
        const JointColumns columns(joint, first_columns[i]);
        sl_anim::loader::BvhJoint made;
        made.name = sl_anim::loader::name_read_from(joint.name);
        made.order = columns.order();
        made.has_position_track = columns.has_positions();
        // A joint without channels never moves. Skipping its frames keeps memory bounded by the text.
        for (std::size_t frame = 0; !joint.channels.empty() && frame < document.frame_count; ++frame) {
            columns.add_frame(document.frame(frame), made);
        }
        if (columns.repeats_an_axis()) {
            warnings.push_back("joint \"" + joint.name +
                               "\" turns about one axis by several channels: the last counts");
        }
        motion.joints.push_back(std::move(made));
    }
    for (std::size_t i = document.joints.size(); i-- > 0;) {
        if (const auto parent = document.joints[i].parent) {
            std::size_t& above = motion.joints[*parent].depth;
            above = std::max(above, motion.joints[i].depth + 1);
        }
    }
    return motion;
}

namespace {

Result<Made> convert(const BridgeInput& input) {
    TRY(const auto options, upload_from_json(input.options));
    TRY(auto read, read_motion(input));
    TRY_VOID(input.job.report(0.5));
    TRY(auto loaded, sl_anim::loader::load_bvh(read.motion, options.load));
    Json report = report_of(read, loaded);
    Made made{make_document(std::move(loaded.document)), std::move(report)};
    sl_anim::check::report_target(options.target, made);
    return made;
}

/// Whether at least half of the joints have names of the avatar.
bool is_known(const bvh::file::Joint& joint) {
    return sl_anim::loader::bvh_joint_named(sl_anim::loader::name_read_from(joint.name)).has_value();
}

bool fits(const AnyDocument& document) {
    const std::vector<bvh::file::Joint>& joints = as_bvh(document)->joints;
    const auto known = std::count_if(joints.begin(), joints.end(), is_known);
    return 2 * static_cast<std::size_t>(known) >= joints.size();
}

bool knows_any(const AnyDocument& document) {
    const std::vector<bvh::file::Joint>& joints = as_bvh(document)->joints;
    return std::any_of(joints.begin(), joints.end(), is_known);
}

}  // namespace

constinit const Bridge bridge = {
    .from = "bvh",
    .to = "sl_anim",
    .way = "from BVH to .anim",
    .convert = convert,
    .options = options,
    .describe = describe,
    .fits = fits,
    .knows_any = knows_any,
    .check_level = CheckLevel::upload,
    .check = add_upload_findings,
};

namespace {

bool is_rejected(const Finding& finding) { return finding.rule->finding_class == FindingClass::rejected; }

const Rule& upload_refused_rule() {
    const auto rules = bvh::file::rules();
    return *std::find_if(rules.begin(), rules.end(),
                         [](const Rule& rule) { return rule.id == bvh::file::rule("upload_refused"); });
}

}  // namespace

std::vector<Finding> upload_refusals(const sl_anim::file::Document& document) {
    std::vector<Finding> findings = sl_anim::check::check(document, {CheckLevel::upload, {}});
    std::erase_if(findings, [](const Finding& finding) { return !is_rejected(finding); });
    return findings;
}

void add_upload_findings(const AnyDocument& document, ByteView text, std::vector<Finding>& findings) {
    const bvh::file::Document& file = *as_bvh(document);
    auto motion = text.empty() ? sl_anim::loader::read_bvh_as_viewer(bvh::file::write(file))
                               : sl_anim::loader::read_bvh_as_viewer(text);
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
    const auto loaded = sl_anim::loader::load_bvh(*motion, {});
    if (!loaded) {
        return;
    }
    for (Finding& refusal : upload_refusals(loaded->document)) {
        refusal.byte_offset = -1;  // in a file that the user does not have
        findings.push_back(std::move(refusal));
    }
}

}  // namespace animbridge::bvh_to_sl_anim

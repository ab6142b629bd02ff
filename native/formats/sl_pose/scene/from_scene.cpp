// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "formats/sl_pose/check/check.h"
#include "formats/sl_pose/clip/clip.h"
#include "formats/sl_pose/edit/edit.h"
#include "formats/sl_pose/scene/scene.h"
#include "model/findings/findings.h"
#include "rig/avatar/avatar.h"

namespace animbridge::sl_pose::scene {

namespace {

using rig::avatar::skeleton;

// Closer than this, a bone is where the template has its joint: matrices of whole armatures are in single
// precision.
constexpr double same_chord = 2e-5;
constexpr double same_metres = 1e-5;
constexpr double same_factor = 1e-5;

struct GivenExport {
    std::optional<pose::Program> program{};
    std::map<std::string, glm::dvec3> scales{};
};

constexpr std::array<OptionRow<GivenExport>, 1> scale_rows = {{
    {{.name = "scales",
      .type = OptionType::vectors_by_name,
      .low = -largest_scene_number,
      .high = largest_scene_number,
      .without = "1",
      .help = "By bone, its scale along its own axes, without those of the bones above it"},
     [](GivenExport& given, const Json& value) {
         for (const auto& [bone, numbers] : value.items()) {
             given.scales.emplace(bone, glm::dvec3(numbers[0].get<double>(), numbers[1].get<double>(),
                                                   numbers[2].get<double>()));
         }
     }},
}};
constexpr auto export_rows =
    joined_rows(joined_rows(edit::program_rows<GivenExport>, scale_rows), stop_rows<GivenExport>);
constexpr auto export_table = options_of(export_rows);

/// What the file shows, and what of it is new.
struct Wanted {
    std::vector<play::Shown> joints;
    std::vector<play::Shown> changed{};
    std::vector<std::string> bent{};  ///< joints whose scale is not that of the bone
};

/// Compares what the bones show with a pose, joint by joint.
class BoneReader {
public:
    explicit BoneReader(const rig::armature::MappedRig& rig) : rig_(rig) {}

    /// `pose`: what the template holds; null: there is none, and every bone counts.
    [[nodiscard]] Wanted wanted(std::span<const BoneShown> bones, const pose::Pose* pose) const {
        Wanted wanted;
        std::map<std::size_t, play::Shown> joints;
        if (pose != nullptr) {
            for (const play::Shown& joint : play::shown(*pose)) {
                joints.emplace(joint.joint, joint);
            }
        }
        for (const BoneShown& bone : bones) {
            const auto held = joints.find(bone.joint);
            const bool is_held = held != joints.end() && clip::is_posed(*pose, held->second);
            const bool rests = is_same(bone, at_rest(bone.joint));
            if (pose != nullptr && (is_held ? is_same(bone, held->second) : rests)) {
                continue;
            }
            const play::Shown joint = rests ? at_rest(bone.joint) : shown(bone, wanted.bent);
            joints[bone.joint] = joint;
            wanted.changed.push_back(joint);
        }
        for (const auto& [joint, one] : joints) {
            wanted.joints.push_back(one);
        }
        return wanted;
    }

private:
    static play::Shown at_rest(std::size_t joint) {
        const rig::avatar::SkeletonJoint& rest = skeleton()[joint];
        return {joint, play::Known::exact, rest.node.rest_local.rotation, pose::rest_position(joint),
                rest.rest_scale};
    }
    [[nodiscard]] ScaleSpace space(std::size_t joint) const {
        return {joint, rig_.armature.bones[*rig_.map.bone_of_node[joint]], rig_.armature.facing};
    }
    [[nodiscard]] bool is_same(const BoneShown& bone, const play::Shown& joint) const {
        const glm::dvec3 scale =
            space(bone.joint).to_bone(joint.scale / skeleton()[joint.joint].rest_scale) - bone.scale;
        return chord(bone.local.rotation, joint.rotation) <= same_chord &&
               glm::length(bone.above * (bone.local.translation - joint.position)) <= same_metres &&
               glm::length(scale) <= same_factor;
    }
    [[nodiscard]] play::Shown shown(const BoneShown& bone, std::vector<std::string>& bent) const {
        const ScaleSpace scales = space(bone.joint);
        const glm::dvec3 factors = scales.to_joint(bone.scale);
        if (glm::length(scales.to_bone(factors) - bone.scale) > same_factor) {
            bent.push_back(skeleton()[bone.joint].node.name);
        }
        return {bone.joint, play::Known::exact, bone.local.rotation, bone.local.translation,
                skeleton()[bone.joint].rest_scale * factors};
    }

    const rig::armature::MappedRig& rig_;
};

Json warnings_of(const Wanted& wanted, bool is_on_t_pose) {
    std::vector<std::string> warnings;
    if (is_on_t_pose) {
        warnings.emplace_back(
            "The imported file is a difference pose, and you changed it, so the new file is a pose of its "
            "own, on the T-pose");
    }
    if (!wanted.bent.empty()) {
        warnings.push_back(
            "The viewer scales a joint along the avatar's axes, so it shows these scales only "
            "roughly: " +
            some_of(wanted.bent));
    }
    return texts_json(warnings);
}

Result<Json> report_on(const file::Document& document, const Wanted& wanted, const WorstDifference& worst) {
    TRY(const pose::Pose pose, pose::pose_of(document));
    TRY(const auto findings, check::check(document, CheckLevel::playback, ""));
    return Json{{"program", pose::name_of(pose.program)},
                {"version", pose.version},
                {"joints", wanted.joints.size()},
                {"size_bytes", file::write(document).size()},
                {"findings", findings_json(findings)},
                {"max_position_error_mm", worst.position_mm},
                {"max_rotation_error_degrees", worst.rotation_degrees}};
}

/// The pose in a file: the template with what changed in it, or a new one.
Result<Made> made_of(const Wanted& wanted, const SceneMotion& motion, const GivenExport& given) {
    const file::Document* const old =
        motion.template_document == nullptr ? nullptr : motion.template_document->get<file::Document>();
    bool is_on_t_pose = false;
    std::vector<std::string> left_out;
    file::Document document;
    if (old != nullptr && pose::pose_of(*old).value().is_difference() && !wanted.changed.empty()) {
        is_on_t_pose = true;
        edit::Written written = edit::written(wanted.joints, pose::Program::firestorm);
        document = std::move(written.document);
        left_out = std::move(written.left_out);
    } else if (old != nullptr) {
        document = wanted.changed.empty() ? *old : edit::with_joints(*old, wanted.changed);
    } else {
        edit::Written written =
            edit::written(wanted.joints, given.program.value_or(pose::Program::firestorm));
        document = std::move(written.document);
        left_out = std::move(written.left_out);
    }
    if (given.program && *given.program != pose::pose_of(document).value().program) {
        TRY(const Made other,
            edit::edited(document, {{"pose_format",
                                     edit::program_names.at(static_cast<std::size_t>(*given.program))}}));
        document = *other.document->get<file::Document>();
        for (const Json& row : other.report["left_out"]) {
            left_out.push_back(row.get<std::string>());
        }
    }
    Made made;
    std::vector<play::Shown> bones = wanted.joints;
    std::erase_if(bones, [](const play::Shown& joint) {
        return skeleton()[joint.joint].kind != rig::avatar::JointKind::bone;
    });
    made.worst = clip::errors_of(bones, document);
    TRY(made.report, report_on(document, wanted, made.worst));
    made.report["changed_joints"] = old == nullptr ? Json() : Json(wanted.changed.size());
    made.report["left_out"] = texts_json(left_out);
    made.report["warnings"] = warnings_of(wanted, is_on_t_pose);
    made.document = file::make_document(std::move(document));
    return made;
}

/// F-curves of the avatar's own bones, which a retargeting made.
Result<Made> of_curves(const SceneMotion& motion, const rig::armature::MappedRig& rig,
                       const GivenExport& given) {
    TRY(const Clip clip, rig::curves::clip_from_curves(motion.curves, rig::avatar::playing_skeleton(),
                                                       rig.armature, rig.map, motion.timing, 0.0));
    Json options = Json::object();
    if (given.program) {
        options["pose_format"] = edit::program_names.at(static_cast<std::size_t>(*given.program));
    }
    TRY(Made made, clip::from_clip({clip, options, motion.job}));
    const file::Document& document = *made.document->get<file::Document>();
    TRY(Json report, report_on(document, {}, {}));
    for (const std::string_view name :
         {"joints", "left_out", "max_position_error_mm", "max_rotation_error_degrees"}) {
        report[name] = made.report[name];
    }
    report["changed_joints"] = nullptr;
    report["warnings"] = Json::array();
    made.report = std::move(report);
    return made;
}

}  // namespace

std::span<const Option> export_options() { return export_table; }

Result<Made> from_scene(const SceneMotion& motion) {
    GivenExport given;
    TRY_VOID(read_options(motion.options, export_rows, given));
    TRY(const rig::armature::MappedRig rig, rig::armature::mapped(*motion.rig));
    if (motion.samples == nullptr) {
        return of_curves(motion, rig, given);
    }
    TRY_VOID(rig::curves::require_frames(motion.samples->frames, motion.timing, no_limit));
    std::vector<glm::dvec3> scales;
    for (const rig::armature::Bone& bone : rig.armature.bones) {
        const auto found = given.scales.find(bone.name);
        scales.push_back(found == given.scales.end() ? glm::dvec3(1) : found->second);
    }
    TRY(const auto bones, joints_of(rig, motion.samples->matrices, scales));
    if (bones.empty()) {
        return fail(ErrorCode::invalid_argument,
                    "no bone of the armature shows a joint of the avatar. Choose a rig map, or retarget");
    }
    std::optional<pose::Pose> pose;
    if (motion.template_document != nullptr) {
        TRY(pose, pose::pose_of(*motion.template_document->get<file::Document>()));
    }
    return made_of(BoneReader(rig).wanted(bones, pose ? &*pose : nullptr), motion, given);
}

}  // namespace animbridge::sl_pose::scene

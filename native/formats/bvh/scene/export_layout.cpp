// SPDX-License-Identifier: MIT
#include "formats/bvh/scene/export_layout.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <iterator>
#include <unordered_map>

#include "formats/bvh/clip/clip.h"
#include "formats/bvh/file/file.h"
#include "rig/curves/curves.h"

namespace animbridge::bvh::scene {

namespace {

Error option_error(const char* option, std::string reason) {
    Error error{ErrorCode::bad_value, std::move(reason)};
    error.field = option;
    return error;
}

Result<std::vector<bool>> wanted_bones(const SceneMotion& motion, const ExportOptions& options) {
    const rig::armature::Armature& armature = motion.rig->armature;
    std::vector<bool> wanted(armature.bones.size(), !options.bones.has_value());
    std::unordered_map<std::string_view, std::vector<std::size_t>> bones_named;
    for (std::size_t bone = 0; bone < armature.bones.size(); ++bone) {
        bones_named[armature.bones[bone].name].push_back(bone);
    }
    for (const std::string& name : options.bones ? *options.bones : std::vector<std::string>{}) {
        const auto found = bones_named.find(name);
        if (found == bones_named.end()) {
            return tl::unexpected<Error>(
                option_error("bones", "names " + name + ", which is not a bone of the armature"));
        }
        if (found->second.size() > 1) {
            return tl::unexpected<Error>(option_error(
                "bones",
                "names " + name + ", and " + std::to_string(found->second.size()) +
                    " bones of the armature are called so; allowed are names that only one bone has"));
        }
        wanted[found->second.front()] = true;
    }
    const auto exported =
        motion.samples == nullptr ? std::span<const std::uint8_t>() : motion.samples->exported;
    for (std::size_t bone = 0; bone < exported.size(); ++bone) {
        wanted[bone] = wanted[bone] && exported[bone] != 0;
    }
    return wanted;
}

glm::dvec3 vector_of(const file::Offset& offset) { return {offset[0], offset[1], offset[2]}; }

/// The diagonal of the box around all bone heads, to scale tolerances.
double size_of(const rig::armature::Armature& armature) {
    glm::dvec3 low(1e300);
    glm::dvec3 high(-1e300);
    for (const rig::armature::Bone& bone : armature.bones) {
        low = glm::min(low, bone.rest.translation);
        high = glm::max(high, bone.rest.translation);
    }
    return armature.bones.empty() ? 0.0 : glm::length(high - low);
}

bool same_offset(const rig::armature::Armature& armature, const file::Document& template_document,
                 const clip::Placement& placement, const rig::curves::ExportedBones& exported,
                 const std::vector<std::optional<std::size_t>>& template_joints, std::size_t node) {
    const file::Joint& joint = template_document.joints[*template_joints[node]];
    const auto parent = exported.parents[node];
    if (parent ? template_joints[*parent] != joint.parent || !joint.parent : joint.parent.has_value()) {
        return false;
    }
    const glm::dvec3 from = parent ? armature.bones[exported.bones[*parent]].rest.translation : glm::dvec3(0);
    const glm::dvec3 step = armature.bones[exported.bones[node]].rest.translation - from;
    return glm::length(step - placement.place(vector_of(joint.offset))) <= 1e-5 * size_of(armature) + 1e-9;
}

constexpr std::array<file::ChannelKind, 3> position_channels = {
    file::ChannelKind::x_position, file::ChannelKind::y_position, file::ChannelKind::z_position};

file::ChannelKind rotation_channel(char letter) {
    return static_cast<file::ChannelKind>(static_cast<int>(file::ChannelKind::x_rotation) + (letter - 'X'));
}

std::vector<file::ChannelKind> rotations_named(std::string_view letters) {
    std::vector<file::ChannelKind> channels;
    std::transform(letters.begin(), letters.end(), std::back_inserter(channels), rotation_channel);
    return channels;
}

/// The rotation channels of a bone that has no joint in the template.
std::vector<file::ChannelKind> usual_rotations(const rig::armature::Bone& bone,
                                               const ExportOptions& options) {
    if (options.rotation_order != "native") {
        return rotations_named(options.rotation_order);
    }
    std::string letters(clip::letters_of(bone.rotation_channel));
    std::reverse(letters.begin(), letters.end());
    return rotations_named(letters.empty() ? "ZXY" : letters);
}

/// The file's axes along which a node leaves its rest position.
std::array<bool, 3> left_axes(const Track* translation, const glm::dvec3& rest, const clip::Axes& axes) {
    std::array<bool, 3> left{};
    const clip::Axes to_file = axes.inverse();
    for (std::size_t key = 0; translation != nullptr && key < translation->key_count(); ++key) {
        const glm::dvec3 step = to_file.place(translation->translation(key) - rest);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            left.at(axis) =
                left.at(axis) || 1000.0 * std::abs(step[static_cast<int>(axis)]) > rig::curves::moved_mm;
        }
    }
    return left;
}

/// Whether the rotation channels of the template's joint can show the bone's rotations, with each axis at
/// most once.
bool can_keep_rotations(const file::Joint& joint, const Track* rotation, const clip::Axes& axes) {
    std::vector<std::uint8_t> rotation_axes;
    for (const file::ChannelKind channel : joint.channels) {
        if (file::is_rotation(channel)) {
            rotation_axes.push_back(static_cast<std::uint8_t>(file::axis_of(channel)));
        }
    }
    return clip::euler_order_of(rotation_axes) && (rotation_axes.size() == 3 || rotation == nullptr ||
                                                   clip::can_hold(*rotation, axes, rotation_axes));
}

std::vector<file::ChannelKind> new_channels(const std::vector<file::ChannelKind>& rotations, bool moves) {
    std::vector<file::ChannelKind> channels;
    if (moves) {
        channels.assign(position_channels.begin(), position_channels.end());
    }
    channels.insert(channels.end(), rotations.begin(), rotations.end());
    return channels;
}

/// The template's channels, plus position channels that the motion needs. `rotations` replace rotation
/// channels that cannot show it.
std::vector<file::ChannelKind> kept_channels(const file::Joint& joint, bool keeps_rotations,
                                             const std::vector<file::ChannelKind>& rotations,
                                             const std::array<bool, 3>& left) {
    std::vector<file::ChannelKind> channels;
    std::copy_if(joint.channels.begin(), joint.channels.end(), std::back_inserter(channels),
                 [&](file::ChannelKind channel) { return keeps_rotations || !file::is_rotation(channel); });
    if (!keeps_rotations) {
        channels.insert(channels.end(), rotations.begin(), rotations.end());
    }
    std::vector<file::ChannelKind> missing;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (left.at(axis) &&
            std::find(channels.begin(), channels.end(), position_channels.at(axis)) == channels.end()) {
            missing.push_back(position_channels.at(axis));
        }
    }
    channels.insert(channels.begin(), missing.begin(), missing.end());
    return channels;
}

/// A joint to write, and the facts that determine its channels.
struct Exported {
    const rig::armature::Bone& bone;
    const file::Joint* template_joint;  ///< the bone's joint in the template; may be null
    bool is_root;
    glm::dvec3 rest;
    NodeTracks tracks;
    bool same_rotations;  ///< unchanged since the import: keep even channels that repeat an axis
    bool same_positions;
};

std::vector<file::ChannelKind> channels_of(const Exported& joint, const ExportOptions& options,
                                           std::vector<std::string>& stuck) {
    std::array<bool, 3> left{};
    if (!joint.same_positions) {
        left = left_axes(joint.tracks.translation, joint.rest, options.placement.axes);
    }
    const bool leaves = left[0] || left[1] || left[2];
    const bool may_move = joint.is_root || options.positions != Positions::root ||
                          (joint.template_joint != nullptr && file::has_positions(*joint.template_joint));
    if (leaves && !may_move) {
        stuck.push_back(joint.bone.name);
        left = {};
    }
    const std::vector<file::ChannelKind> rotations = usual_rotations(joint.bone, options);
    if (joint.template_joint == nullptr) {
        return new_channels(rotations,
                            joint.is_root || options.positions == Positions::all || (leaves && may_move));
    }
    const bool keeps =
        joint.same_rotations ||
        can_keep_rotations(*joint.template_joint, joint.tracks.rotation, options.placement.axes);
    return kept_channels(*joint.template_joint, keeps, rotations, left);
}

/// A leaf's end site, in the file's axes and unit. Without `tails` it follows the bone's direction.
std::vector<file::EndSite> end_of(const rig::armature::Armature& armature, std::size_t bone,
                                  const ExportOptions& options, const clip::FromClip& made, double size) {
    const Transform& rest = armature.bones[bone].rest;
    const glm::dvec3 along = options.tails
                                 ? (*options.tails)[bone] - rest.translation
                                 : rest.rotation * glm::dvec3(0, 0.1 * (size > 0.0 ? size : 1.0), 0);
    const glm::dvec3 file = made.placement.axes.inverse().place(along) / made.placement.scale;
    const double factor = std::pow(10.0, made.place_decimals.value_or(6));
    const auto rounded = [&](double value) { return std::round(value * factor) / factor + 0.0; };
    return {{"", {rounded(file.x), rounded(file.y), rounded(file.z)}}};
}

/// For each joint, whether it has children.
std::vector<bool> parents_of(const file::Document* document) {
    std::vector<bool> are_parents(document == nullptr ? 0 : document->joints.size());
    for (std::size_t i = 0; i < are_parents.size(); ++i) {
        if (const auto parent = document->joints[i].parent) {
            are_parents[*parent] = true;
        }
    }
    return are_parents;
}

/// Enough decimals for a ten-millionth of the size, which is finer than single precision.
int decimals_for(double size) {
    const double wanted = 7.0 - std::floor(std::log10(std::max(size, 1e-12)));
    return static_cast<int>(std::clamp(wanted, 0.0, 15.0));
}

}  // namespace

std::string writable_name(std::string name) {
    const auto replace = [&](auto&& which) { std::replace_if(name.begin(), name.end(), which, '_'); };
    replace([](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
    const std::size_t first = name.find_first_not_of(' ');
    name = first == std::string::npos ? "joint" : name.substr(first, name.find_last_not_of(' ') - first + 1);
    if (file::name_in(name) != name) {
        replace([](char c) { return c == '{'; });
    }
    return name;
}

bool keeps_parent(const rig::armature::Armature& armature, const rig::curves::ExportedBones& exported,
                  std::size_t node) {
    const auto parent = exported.parents[node];
    return armature.bones[exported.bones[node]].parent ==
           (parent ? std::optional(exported.bones[*parent]) : std::nullopt);
}

namespace {

/// Finds which parts of the template the file can keep.
void compare_with_template(const SceneMotion& motion, ExportLayout& layout) {
    const rig::armature::Armature& armature = motion.rig->armature;
    const rig::curves::Timing& timing = motion.timing;
    const ExportOptions& options = layout.options;
    const std::size_t nodes = layout.exported.bones.size();
    layout.same_offset.resize(nodes);
    layout.keeps_numbers.resize(nodes);
    layout.keeps_rotations.resize(nodes);
    layout.keeps_positions.resize(nodes);
    layout.frame_seconds = options.frame_time_seconds;
    if (options.template_document == nullptr) {
        return;
    }
    const file::Document& template_document = *options.template_document;
    // The import plays a file without a frame time at one frame per scene frame.
    const double template_step = template_document.frame_time_seconds > 0.0
                                     ? template_document.frame_time_seconds
                                     : 1.0 / timing.frames_per_second;
    layout.template_frame_seconds = template_step;
    const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-5 * std::abs(b); };
    layout.same_times = near(options.frame_step / timing.frames_per_second, template_step) &&
                        near(options.frame_time_seconds, template_step);
    if (layout.same_times) {
        layout.frame_seconds = template_step;
    }
    std::vector<bool> same_rotations(armature.bones.size());
    std::vector<bool> same_positions(armature.bones.size());
    for (const rig::curves::UnchangedCurve& curve : motion.unchanged) {
        (curve.channel == rig::armature::BoneChannel::location ? same_positions
                                                               : same_rotations)[curve.bone] = true;
    }
    for (std::size_t node = 0; node < nodes; ++node) {
        layout.same_offset[node] =
            layout.template_joints[node] && same_offset(armature, template_document, options.placement,
                                                        layout.exported, layout.template_joints, node);
        layout.keeps_numbers[node] = layout.same_offset[node] && layout.same_times &&
                                     template_document.frame_count > 0 &&
                                     keeps_parent(armature, layout.exported, node);
        const std::size_t bone = layout.exported.bones[node];
        layout.keeps_rotations[node] = layout.keeps_numbers[node] && same_rotations[bone];
        layout.keeps_positions[node] = layout.keeps_numbers[node] && same_positions[bone];
    }
}

}  // namespace

Result<ExportLayout> bvh_layout(const SceneMotion& motion) {
    TRY(const auto options, export_options_from(motion));
    const rig::armature::Armature& armature = motion.rig->armature;
    if (options.tails && options.tails->size() != armature.bones.size()) {
        return tl::unexpected<Error>(option_error(
            "tails", "has " + std::to_string(options.tails->size()) + " places, the armature has " +
                         std::to_string(armature.bones.size()) + " bones"));
    }
    TRY(const auto wanted, wanted_bones(motion, options));
    const std::size_t count = armature.bones.size();
    std::unordered_map<std::string, std::size_t> joint_named;
    const auto template_names = options.template_document == nullptr
                                    ? std::vector<std::string>{}
                                    : clip::bone_names(*options.template_document);
    for (std::size_t joint = 0; joint < template_names.size(); ++joint) {
        joint_named.emplace(template_names[joint], joint);
    }
    std::vector<std::size_t> rank(count);
    std::vector<std::optional<std::size_t>> joint_of(count);
    for (std::size_t bone = 0; bone < count; ++bone) {
        const auto found = joint_named.find(armature.bones[bone].name);
        joint_of[bone] = found == joint_named.end() ? std::nullopt : std::optional(found->second);
        rank[bone] = joint_of[bone].value_or(template_names.size() + bone);
    }
    ExportLayout layout{
        options, rig::curves::exported_bones(armature, wanted, rank), joint_of, {}, {}, {}, {}, {}};
    if (layout.exported.bones.empty()) {
        return fail(ErrorCode::bad_value, "no bone is exported; a BVH has one joint at least");
    }
    for (const std::size_t bone : layout.exported.bones) {
        layout.template_joints.push_back(joint_of[bone]);
    }
    compare_with_template(motion, layout);
    return layout;
}

FilePlan bvh_plan(const ExportLayout& layout, const rig::armature::Armature& armature, const Clip& clip) {
    const ExportOptions& options = layout.options;
    FilePlan plan;
    plan.options.placement = options.placement;
    plan.options.frame_time_seconds = layout.frame_seconds;
    plan.options.frame_count = options.frame_count;
    plan.options.angle_decimals = 6;
    const double size = size_of(armature);
    plan.options.place_decimals = decimals_for(size / options.placement.scale);
    const std::size_t count = layout.exported.bones.size();
    std::vector<bool> has_children(count, false);
    for (const auto& parent : layout.exported.parents) {
        if (parent) {
            has_children[*parent] = true;
        }
    }
    const std::vector<bool> had_children = parents_of(options.template_document);
    const std::vector<NodeTracks> tracks = tracks_by_node(clip);
    const auto written = [&](const std::string& name) {
        std::string writable = writable_name(name);
        if (writable != name) {
            plan.renamed.push_back("the name \"" + name + "\" cannot stand in a BVH: it is written as \"" +
                                   writable + "\"");
        }
        return writable;
    };
    for (std::size_t node = 0; node < count; ++node) {
        const std::size_t bone = layout.exported.bones[node];
        const auto joint = layout.template_joints[node];
        const file::Joint* const template_joint =
            joint ? &options.template_document->joints[*joint] : nullptr;
        plan.options.channels.push_back(
            channels_of({armature.bones[bone], template_joint, !layout.exported.parents[node],
                         clip.skeleton.nodes[node].rest_local.translation, tracks[node],
                         layout.keeps_rotations[node], layout.keeps_positions[node]},
                        options, plan.stuck));
        const auto named = options.names.find(armature.bones[bone].name);
        plan.names.push_back(named != options.names.end() ? written(named->second)
                             : template_joint != nullptr  ? template_joint->name
                                                          : written(armature.bones[bone].name));
        const bool keeps_ends =
            template_joint != nullptr && (!template_joint->end_sites.empty() || !had_children[*joint]);
        plan.options.end_sites.push_back(keeps_ends ? template_joint->end_sites
                                         : has_children[node]
                                             ? std::vector<file::EndSite>{}
                                             : end_of(armature, bone, options, plan.options, size));
    }
    return plan;
}

}  // namespace animbridge::bvh::scene

// SPDX-License-Identifier: MIT
#include "formats/mrtk/scene/scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <glm/mat4x4.hpp>
#include <glm/matrix.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "formats/mrtk/clip/clip.h"
#include "formats/mrtk/file/file.h"
#include "formats/mrtk/hands/hands.h"
#include "formats/mrtk/play/play.h"

namespace animbridge::mrtk::scene {

namespace {

using Matrix = std::array<float, 16>;  ///< column-major

Matrix matrix_at(std::span<const float> matrices, std::size_t index) {
    Matrix matrix{};
    std::copy_n(matrices.begin() + static_cast<std::ptrdiff_t>(index * matrix.size()), matrix.size(),
                matrix.begin());
    return matrix;
}

bool is_transform(const Matrix& matrix) {
    if (!std::all_of(matrix.begin(), matrix.end(), [](float number) { return std::isfinite(number); })) {
        return false;
    }
    for (std::size_t column = 0; column < 3; ++column) {
        const glm::dvec3 axis(matrix.at(4 * column), matrix.at(4 * column + 1), matrix.at(4 * column + 2));
        if (glm::length(axis) == 0.0) {
            return false;
        }
    }
    return true;
}

glm::dmat4 double_matrix(const Matrix& matrix) {
    const glm::dmat4 wide(glm::make_mat4(matrix.data()));
    return wide;
}

Matrix single_matrix(const glm::dmat4& matrix) {
    const glm::mat4 single(matrix);
    Matrix narrow{};
    std::copy_n(glm::value_ptr(single), narrow.size(), narrow.begin());
    return narrow;
}

/// The object's world matrix at a sample; the identity if there is none.
glm::dmat4 object_at(const rig::curves::SampleView& samples, std::size_t sample) {
    return samples.object_matrices.empty() ? glm::dmat4(1.0)
                                           : double_matrix(matrix_at(samples.object_matrices, sample));
}

/// The bones' poses, sample by sample.
class SampledPoses {
public:
    /// `of_character`: where the object shows them, with its scale. Else the armature's space is the world of
    /// a recording, in which the object moves from the first sample on.
    SampledPoses(const SceneMotion& request, const rig::armature::Armature& armature, bool of_character)
        : request_(request), armature_(armature), of_character_(of_character) {
        if (request.samples->object_matrices.empty()) {
            return;
        }
        const glm::dmat4 before =
            of_character ? glm::dmat4(1.0) : glm::inverse(object_at(*request.samples, 0));
        for (std::size_t sample = 0; sample < request.samples->frames.size(); ++sample) {
            objects_.push_back(before * object_at(*request.samples, sample));
        }
    }

    [[nodiscard]] Result<Transform> world(std::size_t sample, std::size_t bone) const {
        const auto matrix = matrix_at(request_.samples->matrices, sample * armature_.bones.size() + bone);
        if (!is_transform(matrix)) {
            return fail(ErrorCode::bad_value,
                        "bone '" + armature_.bones[bone].name + "' at frame " +
                            std::to_string(request_.samples->frames[sample]) +
                            " has a matrix that is not a transform; allowed are numbers "
                            "and axes with a length");
        }
        if (objects_.empty()) {
            return rig::armature::transform_of(matrix);
        }
        return of_character_
                   ? rig::armature::transform_of(single_matrix(objects_[sample] * double_matrix(matrix)))
                   : rig::armature::transform_of(single_matrix(objects_[sample])) *
                         rig::armature::transform_of(matrix);
    }

private:
    const SceneMotion& request_;
    const rig::armature::Armature& armature_;
    bool of_character_ = false;
    std::vector<glm::dmat4> objects_{};  ///< per sample; empty: the object is at the origin
};

/// The tracks of one node of rig_of_bones().
struct SampledTracks {
    Track rotation{};
    Track translation{};

    void add_key(double seconds, const Transform& pose) {
        const std::size_t keys = rotation.key_count();
        glm::dquat turn = pose.rotation;
        if (keys > 0 && glm::dot(rotation.rotation(keys - 1), turn) < 0.0) {
            turn = -turn;
        }
        const glm::dvec3& place = pose.translation;
        rotation.add_key(seconds, std::array{turn.w, turn.x, turn.y, turn.z});
        translation.add_key(seconds, std::array{place.x, place.y, place.z});
    }
};

/// The bone that shows a node of a recording's rig, and the pose in the bone's frame.
struct Carrier {
    std::size_t bone = 0;
    Transform local{};
};

/// The poses that the armature shows.
struct ShownPoses {
    hands::HandRig rig{};
    std::vector<Carrier> carriers{};  ///< per node
    std::vector<std::string> warnings{};
    Json hands{};  ///< the report on found hands; null: bones have a recording's names
    bool of_character = false;
};

/// A key at each sample. `above`: the bone whose pose the node's is relative to, as the gaze's direction is
/// to its origin; none: the world.
Result<SampledTracks> sampled_tracks(const SceneMotion& request, const SampledPoses& poses, std::size_t node,
                                     const Carrier& carrier, std::optional<std::size_t> above) {
    SampledTracks tracks{{node, Channel::rotation}, {node, Channel::translation}};
    for (std::size_t sample = 0; sample < request.samples->frames.size(); ++sample) {
        TRY(Transform pose, poses.world(sample, carrier.bone));
        pose = pose * carrier.local;
        if (above) {
            TRY(const Transform origin, poses.world(sample, *above));
            pose.translation = glm::conjugate(origin.rotation) * (pose.translation - origin.translation);
        }
        tracks.add_key(request.timing.seconds_at(request.samples->frames[sample]), pose);
    }
    return tracks;
}

/// What the samples show, in the world.
Result<Clip> sampled_clip(const SceneMotion& request, const rig::armature::Armature& armature,
                          const ShownPoses& shown) {
    const hands::HandRig& rig = shown.rig;
    Clip clip{rig.skeleton, {}, {}, 0.0};
    if (!request.samples->frames.empty()) {
        clip.duration_seconds = std::max(0.0, request.timing.seconds_at(request.samples->frames.back()));
    }
    const SampledPoses poses(request, armature, shown.of_character);
    for (std::size_t node = 0; node < rig.skeleton.nodes.size(); ++node) {
        const auto parent = rig.skeleton.nodes[node].parent;
        const auto above = parent ? std::optional(shown.carriers[*parent].bone) : std::nullopt;
        TRY(auto tracks, sampled_tracks(request, poses, node, shown.carriers[node], above));
        if (rig.pose_of_node[node] < hands::gaze_pose) {
            clip.tracks.push_back(std::move(tracks.rotation));
        }
        clip.tracks.push_back(std::move(tracks.translation));
    }
    return clip;
}

file::FullKey switch_key(double seconds, bool on) {
    return curves::full_key_of({RawFloat(static_cast<float>(seconds)), RawFloat(on ? 1.0F : 0.0F)});
}

/// Sets when hands are tracked and pinch: as given, or as in the template, or always and never.
void put_switches(const ExportOptions& options, const file::Document* before, const Clip& clip,
                  curves::LooseCurves& curves) {
    const auto has_hand = [&](std::size_t hand) {
        return std::any_of(clip.tracks.begin(), clip.tracks.end(), [&](const Track& track) {
            const auto pose = file::pose_named(clip.skeleton.nodes[track.node].name);
            return pose && *pose > 0 && file::hand_of(*pose) == hand;
        });
    };
    for (std::size_t i = 0; i < file::switch_count; ++i) {
        curves::LooseCurve& curve = curves[file::first_switch + i];
        if (options.switches.at(i)) {
            bool on = false;
            const auto& changes = *options.switches.at(i);
            if (!changes.empty() && changes.front() > 0.0) {
                // Before its first key, a curve in Unity has that key's value.
                curve.keys.push_back(switch_key(0.0, false));
            }
            for (const double seconds : changes) {
                on = !on;
                curve.keys.push_back(switch_key(seconds, on));
            }
        } else if (before != nullptr) {
            curve = curves::taken_apart(*before)[file::first_switch + i];
        } else if (has_hand(i % file::hand_count)) {
            curve.keys.push_back(switch_key(0.0, i < file::hand_count));
        }
    }
}

/// Copies the template's curves of poses that the clip does not move.
void keep_others(const file::Document& before, const hands::HandRig& rig, const Clip& clip,
                 curves::LooseCurves& curves) {
    std::vector<bool> is_moved(hands::gaze_pose + 2);
    for (const Track& track : clip.tracks) {
        is_moved[rig.pose_of_node[track.node]] = true;
    }
    const curves::LooseCurves old = curves::taken_apart(before);
    for (std::size_t pose = 0; pose < is_moved.size(); ++pose) {
        const bool is_gaze = pose >= hands::gaze_pose;
        const std::size_t first =
            is_gaze ? file::first_gaze_curve + 3 * (pose - hands::gaze_pose) : file::first_curve_of(pose);
        for (std::size_t i = first; !is_moved[pose] && i < first + (is_gaze ? 3 : file::pose_curves); ++i) {
            curves[i] = old[i];
        }
    }
}

/// A character in the place of its object at the first sample, so that lengths are metres.
rig::armature::Armature placed(rig::armature::Armature armature, const glm::dmat4& object) {
    for (rig::armature::Bone& bone : armature.bones) {
        glm::dmat4 rest = glm::dmat4(glm::mat3_cast(bone.rest.rotation));
        rest[3] = glm::dvec4(bone.rest.translation, 1.0);
        bone.rest = rig::armature::transform_of(single_matrix(object * rest));
    }
    return armature;
}

/// The joints of a character's hands, in the rig of a recording. A joint is exported if its bone is.
Result<void> add_found_hands(const rig::armature::Armature& own, const rig::curves::SampleView& samples,
                             const ExportOptions& options, ShownPoses& shown) {
    const glm::dmat4 object = object_at(samples, 0);
    const rig::armature::Armature armature = placed(own, object);
    std::vector<glm::dvec3> tails;
    for (const glm::dvec3& tail : options.tails.value_or(std::vector<glm::dvec3>{})) {
        tails.emplace_back(object * glm::dvec4(tail, 1.0));
    }
    TRY(auto hands, hands::found_hands(armature, options.rig, tails));
    const std::span<const std::uint8_t> exported = samples.exported;
    for (const hands::ForeignJoint& joint : hands.joints) {
        if (exported.empty() || exported[joint.bone] != 0) {
            shown.rig.skeleton.nodes.push_back({file::pose_name(joint.pose),
                                                {},
                                                std::nullopt,
                                                armature.bones[joint.bone].rest * joint.local});
            shown.rig.pose_of_node.push_back(joint.pose);
            shown.rig.length_of_node.push_back(hands::tip_length);
            shown.carriers.push_back({joint.bone, joint.local});
        }
    }
    shown.warnings = std::move(hands.warnings);
    shown.hands = std::move(hands.report);
    return {};
}

Result<ShownPoses> require_carriers(ShownPoses shown) {
    if (shown.carriers.empty()) {
        return fail(ErrorCode::invalid_argument,
                    "no exported bone is part of a recording; export the bones of a hand too, or all bones");
    }
    return shown;
}

/// Only the camera and the gaze.
ShownPoses without_joints(const ShownPoses& all) {
    ShownPoses views;
    std::vector<std::size_t> new_index(all.carriers.size());
    for (std::size_t node = 0; node < all.carriers.size(); ++node) {
        const std::size_t pose = all.rig.pose_of_node[node];
        if (pose > 0 && pose < hands::gaze_pose) {
            continue;
        }
        new_index[node] = views.carriers.size();
        Node kept = all.rig.skeleton.nodes[node];
        kept.parent = kept.parent ? std::optional(new_index[*kept.parent]) : std::nullopt;
        views.rig.skeleton.nodes.push_back(std::move(kept));
        views.rig.pose_of_node.push_back(pose);
        views.rig.length_of_node.push_back(all.rig.length_of_node[node]);
        views.carriers.push_back(all.carriers[node]);
    }
    return views;
}

/// The bones with a recording's names; for a character, its hands, and the camera and the gaze by their
/// names.
Result<ShownPoses> shown_poses(const rig::armature::Armature& armature,
                               const rig::curves::SampleView& samples, const ExportOptions& options) {
    ShownPoses named{clip::rig_of_bones(armature, samples.exported)};
    const rig::armature::BoneMap map = clip::bones_by_name(named.rig.skeleton, armature);
    for (const auto& bone : map.bone_of_node) {
        named.carriers.push_back({*bone, {}});
    }
    std::vector<std::string> names;
    for (const rig::armature::Bone& bone : armature.bones) {
        names.push_back(bone.name);
    }
    if (!file::is_character(names)) {
        return require_carriers(std::move(named));
    }
    named.of_character = true;
    ShownPoses found = without_joints(named);
    found.of_character = true;
    const std::size_t others = found.carriers.size();
    const auto hands = add_found_hands(armature, samples, options, found);
    if (!hands && (named.carriers.empty() || !options.rig.empty())) {
        // A rig file demands that hands are found.
        return tl::unexpected<Error>(hands.error());
    }
    const bool has_more = hands && found.carriers.size() - others > file::named_joints(names);
    return require_carriers(has_more ? std::move(found) : std::move(named));
}

}  // namespace

Result<Made> from_samples(const SceneMotion& request) {
    TRY(const auto options, sample_options_from(request.options));
    const file::Document* const before =
        request.template_document == nullptr ? nullptr : as_mrtk(*request.template_document);
    rig::armature::Armature armature = request.rig->armature;
    armature.facing = rig::armature::Facing::x;
    TRY(ShownPoses poses, shown_poses(armature, *request.samples, options));
    TRY(const Clip shown, sampled_clip(request, armature, poses));
    clip::FromClip read = clip::from_clip(with_needed_keys(shown, options));
    put_switches(options, before, shown, read.recording.curves);
    if (before != nullptr && options.keep_others) {
        keep_others(*before, poses.rig, shown, read.recording.curves);
    }
    TRY(read.recording.markers, new_markers(options, before, request.timing));
    std::vector<std::string> warnings = std::move(poses.warnings);
    file::Document document = edit::assembled(std::move(read.recording), options.version, before, warnings);
    TRY(auto made, measured_export(std::move(document), shown, std::move(warnings), request.job));
    if (!poses.hands.is_null()) {
        made.report["hands"] = std::move(poses.hands);
    }
    return made;
}

}  // namespace animbridge::mrtk::scene

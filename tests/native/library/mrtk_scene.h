// SPDX-License-Identifier: MIT
#pragma once

#include <animbridge/animbridge.h>

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "catch.h"
#include "library/armature.h"
#include "support.h"

/// Recordings in scenes, through the C interface alone.
namespace animbridge::test {

using nlohmann::json;

inline DocumentHandle recording(const std::string& file) {
    return read_document(load(fixture_folder().parent_path() / "mrtk" / file));
}

inline json parsed(ab_buffer* buffer) {
    const BufferHandle owner(buffer);
    return json::parse(text_of(buffer));
}

/// Bones at rest like an unrotated bone: at the origin along +Y, so that their values are the world's.
class FreeBones {
public:
    explicit FreeBones(const std::vector<std::string>& names) {
        for (const std::string& name : names) {
            add(name, -1);
        }
    }
    /// The bones of "exact", from ab_skeleton_json.
    explicit FreeBones(const ab_document* document) {
        ab_buffer* buffer = nullptr;
        REQUIRE(ab_skeleton_json(nullptr, document, nullptr, &buffer, nullptr) == AB_OK);
        const json skeleton = parsed(buffer);
        for (const json& joint : skeleton["joints"]) {
            CHECK(joint["head"] == json::array({0.0, 0.0, 0.0}));
            CHECK(joint["rotation_wxyz"] == json::array({1.0, 0.0, 0.0, 0.0}));
            add(joint["name"].get<std::string>(), joint["parent"].get<std::int32_t>());
        }
    }

    void hang(std::size_t bone, std::int32_t parent) { parents_[bone] = parent; }
    [[nodiscard]] std::size_t size() const { return parents_.size(); }

    [[nodiscard]] ab_armature view() const {
        ab_armature armature{};
        armature.struct_size = sizeof(armature);
        armature.bone_count = static_cast<std::uint32_t>(parents_.size());
        armature.names = names_.data();
        armature.names_size = names_.size();
        armature.parents = parents_.data();
        armature.rest_matrices = matrices_.data();
        // Recordings are in the world: the facing is not read.
        armature.facing = AB_FACING_NEGATIVE_Y;
        return armature;
    }

private:
    void add(const std::string& name, std::int32_t parent) {
        names_ += name + '\0';
        parents_.push_back(parent);
        matrices_.insert(matrices_.end(), {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
    }

    std::string names_;
    std::vector<std::int32_t> parents_;
    std::vector<float> matrices_;
};

struct Exported {
    DocumentHandle document;
    json report;
};

inline Exported exported(const ab_armature& armature, const ab_timing& timing,
                         const std::vector<ab_curve>& curves, const ab_document* base,
                         const char* options = nullptr) {
    ab_document* out = nullptr;
    ab_buffer* report = nullptr;
    ab_error error = empty_error();
    const ab_status status = ab_document_from_curves("mrtk", &armature, &timing, curves.data(), curves.size(),
                                                     base, options, nullptr, &out, &report, &error);
    INFO(error.message);
    REQUIRE(status == AB_OK);
    return {DocumentHandle(out), parsed(report)};
}

/// A recording in a scene, with the curves from the library.
struct Scene {
    DocumentHandle document;
    FreeBones bones;
    ab_timing timing;
    CurvesHandle owner{};

    explicit Scene(const std::string& file, double frames_per_second = 60.0)
        : document(recording(file)),
          bones(document.get()),
          timing{sizeof(ab_timing), 0, frames_per_second, 1.0} {
        const ab_armature armature = bones.view();
        ab_curves* out = nullptr;
        ab_error error = empty_error();
        const ab_status status =
            ab_curves_from_document(document.get(), &armature, &timing, nullptr, nullptr, &out, &error);
        INFO(error.message);
        REQUIRE(status == AB_OK);
        owner.reset(out);
    }
    [[nodiscard]] std::vector<ab_curve> curves() const { return all_curves(owner.get()); }
    [[nodiscard]] Exported back(const std::vector<ab_curve>& curves, const ab_document* base,
                                const char* options = nullptr) const {
        return exported(bones.view(), timing, curves, base, options);
    }
};

/// A matrix of a bone whose axes are the world's turned by a half turn about +X, at a place.
inline void put_matrix(std::vector<float>& matrices, std::array<float, 3> place) {
    matrices.insert(matrices.end(), {1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, place[0], place[1], place[2], 1});
}

inline ab_samples samples_of(const std::vector<double>& frames, const std::vector<float>& matrices) {
    ab_samples samples{};
    samples.struct_size = sizeof(samples);
    samples.sample_count = static_cast<std::uint32_t>(frames.size());
    samples.frames = frames.data();
    samples.matrices = matrices.data();
    return samples;
}

/// The curve's keys in the JSON of the document: time and value.
inline json poses_at(const ab_document* document, const std::vector<double>& times) {
    std::size_t joints = ab_document_joint_count(document);
    std::vector<double> rotations(times.size() * joints * 4);
    std::vector<double> positions(times.size() * joints * 3);
    ab_pose pose{};
    pose.struct_size = sizeof(pose);
    pose.joint_capacity = joints;
    pose.world_rotations = rotations.data();
    pose.world_positions = positions.data();
    ab_error error = empty_error();
    const ab_status status = ab_document_pose(document, times.data(), times.size(), -1.0, &pose, &error);
    INFO(error.message);
    REQUIRE(status == AB_OK);
    return {{"rotations", rotations}, {"positions", positions}};
}

}  // namespace animbridge::test

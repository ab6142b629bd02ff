// SPDX-License-Identifier: MIT
// Assimp's reader of glTF beside ours, on other people's files.
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "catch.h"
#include "scene_child/expectation.h"
#include "scene_child/read_any.h"
#include "support.h"

using namespace animbridge;

namespace {

/// Models of Assimp's own tests, and fixtures.
std::vector<std::filesystem::path> models() {
    std::vector<std::filesystem::path> files;
    for (const std::string& name : test::scene_files("gltf")) {
        // Assimp reads normalised integers as plain ones, and distinguishes nodes by their names.
        const bool is_misread = name == "shorts.glb" || name.starts_with("names_");
        if (test::expectation_of(name).at("outcome") == "reads" && !is_misread) {
            files.push_back(test::scene_folder() / name);
        }
    }
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator("/usr/share/assimp/models/glTF2")) {
        const std::string extension = entry.path().extension().string();
        if (extension == ".glb" || extension == ".gltf") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// The rotations of an animation by the names of their nodes, if names are unique.
using Rows = std::map<std::string, std::vector<double>>;

Rows rotations_of(const scene_file::file::Document& document, const scene_file::file::Animation& animation) {
    Rows rows;
    for (const scene_file::file::Channel& channel : animation.channels) {
        if (channel.target == scene_file::file::Target::rotation &&
            channel.kind == scene_file::file::KeyKind::linear) {
            rows[document.nodes[channel.node].name] = channel.values;
        }
    }
    return rows;
}

/// The largest distance of two rows of rotations, whatever their signs; -1: their numbers differ.
double farthest(const std::vector<double>& ours, const aiNodeAnim& theirs) {
    if (ours.size() != 4 * std::size_t{theirs.mNumRotationKeys}) {
        return -1;
    }
    double most = 0;
    for (std::size_t i = 0; i < theirs.mNumRotationKeys; ++i) {
        const aiQuaternion& q = theirs.mRotationKeys[i].mValue;
        const double* const row = &ours[4 * i];
        const double dot = row[0] * static_cast<double>(q.w) + row[1] * static_cast<double>(q.x) +
                           row[2] * static_cast<double>(q.y) + row[3] * static_cast<double>(q.z);
        most = std::max(most, std::abs(1 - std::abs(dot)));
    }
    return most;
}

}  // namespace

TEST_CASE("Models of Assimp's tests, and fixtures, are read as Assimp reads them", "[scene]") {
    std::size_t compared = 0;
    for (const auto& path : models()) {
        const test::FileBytes bytes = test::load(path);
        const auto ours =
            test::read_any({bytes, "gltf", path.filename().string(), path.parent_path().string()});
        Assimp::Importer importer;
        const aiScene* const theirs = importer.ReadFile(path.string(), 0);
        INFO(path);
        if (theirs == nullptr || theirs->mNumAnimations == 0) {
            continue;
        }
        REQUIRE((ours ? std::string() : ours.error().message()).empty());
        for (std::size_t i = 0; i < std::min<std::size_t>(theirs->mNumAnimations, ours->animations.size());
             ++i) {
            const Rows rows = rotations_of(*ours, ours->animations[i]);
            for (std::size_t channel = 0; channel < theirs->mAnimations[i]->mNumChannels; ++channel) {
                const aiNodeAnim& moved = *theirs->mAnimations[i]->mChannels[channel];
                const auto found = rows.find(moved.mNodeName.C_Str());
                if (found != rows.end() && moved.mNumRotationKeys > 1) {
                    INFO(found->first);
                    const double apart = farthest(found->second, moved);
                    CHECK(apart >= 0);
                    CHECK(apart < 1e-6);
                    ++compared;
                }
            }
        }
    }
    CHECK(compared >= 50);
}

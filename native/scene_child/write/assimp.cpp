// SPDX-License-Identifier: MIT
#include "scene_child/write/parts.h"

#include <assimp/camera.h>
#include <assimp/cexport.h>
#include <assimp/material.h>
#include <assimp/mesh.h>
#include <assimp/scene.h>
#include <assimp/version.h>
#include <algorithm>
#include <assimp/Exporter.hpp>
#include <glm/matrix.hpp>

// Assimp's structures own what their plain pointers point to: what is made here with `new`, they delete.
namespace animbridge::scene_child::write {

namespace {

using scene_file::file::Document;
using scene_file::file::Target;

aiString assimp_string(std::string_view text) { return aiString(std::string(text)); }

aiVector3D assimp_vector(const glm::dvec3& v) {
    return {static_cast<ai_real>(v.x), static_cast<ai_real>(v.y), static_cast<ai_real>(v.z)};
}

aiMatrix4x4 assimp_matrix(const glm::dmat4& matrix) {
    aiMatrix4x4 result;
    for (unsigned int row = 0; row < 4; ++row) {
        for (unsigned int column = 0; column < 4; ++column) {
            result[row][column] =
                static_cast<ai_real>(matrix[static_cast<int>(column)][static_cast<int>(row)]);
        }
    }
    return result;
}

void add_children(aiNode& parent, const std::vector<aiNode*>& children) {
    if (children.empty()) {
        return;
    }
    parent.mNumChildren = static_cast<unsigned int>(children.size());
    parent.mChildren = new aiNode*[children.size()];
    std::ranges::copy(children, parent.mChildren);
    for (aiNode* child : children) {
        child->mParent = &parent;
    }
}

aiNode* make_nodes(const Document& document, const SceneParts& parts, bool has_carrier) {
    std::vector<aiNode*> made;
    std::vector<std::vector<aiNode*>> children(document.nodes.size());
    std::vector<aiNode*> roots;
    for (std::size_t i = 0; i < document.nodes.size(); ++i) {
        auto* node = new aiNode(parts.names[i]);
        node->mTransformation = assimp_matrix(matrix_of(document.nodes[i].rest));
        made.push_back(node);
        const auto& parent = document.nodes[i].parent;
        (parent ? children[*parent] : roots).push_back(node);
    }
    for (std::size_t i = 0; i < made.size(); ++i) {
        add_children(*made[i], children[i]);
    }
    if (has_carrier) {
        auto* carrier = new aiNode(std::string(carrier_name));
        carrier->mNumMeshes = 1;
        carrier->mMeshes = new unsigned int[1]{0};
        roots.push_back(carrier);
    }
    auto* root = new aiNode(std::string(root_name));
    add_children(*root, roots);
    return root;
}

std::vector<std::uint32_t> skinned_nodes(const Document& document) {
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t i = 0; i < document.nodes.size(); ++i) {
        if (document.nodes[i].is_skinned) {
            nodes.push_back(i);
        }
    }
    return nodes;
}

aiBone* make_bone(const std::string& name, const glm::dmat4& bind, unsigned int first_vertex) {
    auto* bone = new aiBone;
    bone->mName = assimp_string(name);
    bone->mOffsetMatrix = assimp_matrix(glm::inverse(bind));
    bone->mNumWeights = 3;
    bone->mWeights = new aiVertexWeight[3];
    for (unsigned int corner = 0; corner < 3; ++corner) {
        bone->mWeights[corner] = aiVertexWeight(first_vertex + corner, 1);
    }
    return bone;
}

aiMesh* make_carrier(const std::vector<std::uint32_t>& nodes, const std::vector<std::string>& names,
                     const std::vector<glm::dmat4>& binds) {
    std::vector<glm::dvec3> places;
    places.reserve(nodes.size());
    for (const std::uint32_t node : nodes) {
        places.emplace_back(binds[node][3]);
    }
    const std::vector<Triangle> triangles = carrier_triangles(places);
    const auto count = static_cast<unsigned int>(triangles.size());
    auto* mesh = new aiMesh;
    mesh->mName = assimp_string(carrier_name);
    mesh->mPrimitiveTypes = aiPrimitiveType_TRIANGLE;
    mesh->mNumVertices = 3 * count;
    mesh->mVertices = new aiVector3D[mesh->mNumVertices];
    mesh->mNumFaces = count;
    mesh->mFaces = new aiFace[count];
    mesh->mNumBones = count;
    mesh->mBones = new aiBone*[count];
    for (unsigned int i = 0; i < count; ++i) {
        aiFace& face = mesh->mFaces[i];
        face.mNumIndices = 3;
        face.mIndices = new unsigned int[3]{3 * i, 3 * i + 1, 3 * i + 2};
        for (unsigned int corner = 0; corner < 3; ++corner) {
            mesh->mVertices[3 * i + corner] = assimp_vector(triangles[i][corner]);
        }
        mesh->mBones[i] = make_bone(names[nodes[i]], binds[nodes[i]], 3 * i);
    }
    return mesh;
}

aiVectorKey* vector_keys(const Keys& keys) {
    auto* made = new aiVectorKey[keys.times_seconds.size()];
    for (std::size_t i = 0; i < keys.times_seconds.size(); ++i) {
        made[i] = aiVectorKey(keys.times_seconds[i], assimp_vector(vector_at(keys, i)));
    }
    return made;
}

aiQuatKey* rotation_keys(const Keys& keys) {
    auto* made = new aiQuatKey[keys.times_seconds.size()];
    for (std::size_t i = 0; i < keys.times_seconds.size(); ++i) {
        const glm::dquat q = rotation_at(keys, i);
        made[i] = aiQuatKey(keys.times_seconds[i],
                            aiQuaternion(static_cast<ai_real>(q.w), static_cast<ai_real>(q.x),
                                         static_cast<ai_real>(q.y), static_cast<ai_real>(q.z)));
    }
    return made;
}

aiNodeAnim* make_channel(const NodeKeys& keys, const std::string& name) {
    auto* channel = new aiNodeAnim;
    channel->mNodeName = assimp_string(name);
    const auto count = [&](Target target) {
        return static_cast<unsigned int>(keys.of(target).times_seconds.size());
    };
    if ((channel->mNumPositionKeys = count(Target::translation)) > 0) {
        channel->mPositionKeys = vector_keys(keys.of(Target::translation));
    }
    if ((channel->mNumRotationKeys = count(Target::rotation)) > 0) {
        channel->mRotationKeys = rotation_keys(keys.of(Target::rotation));
    }
    if ((channel->mNumScalingKeys = count(Target::scale)) > 0) {
        channel->mScalingKeys = vector_keys(keys.of(Target::scale));
    }
    return channel;
}

aiAnimation* make_animation(const NodeMotion& motion, const std::string& name,
                            const std::vector<std::string>& names) {
    auto* animation = new aiAnimation;
    animation->mName = assimp_string(name);
    animation->mDuration = motion.duration_seconds;
    animation->mTicksPerSecond = 1;  // COLLADA's exporter writes ticks where seconds belong
    animation->mNumChannels = static_cast<unsigned int>(motion.nodes.size());
    animation->mChannels = new aiNodeAnim*[motion.nodes.size()];
    std::ranges::transform(motion.nodes, animation->mChannels,
                           [&](const NodeKeys& keys) { return make_channel(keys, names[keys.node]); });
    return animation;
}

aiCamera* make_camera(const scene_file::file::Camera& camera, const std::string& name) {
    auto* made = new aiCamera;
    made->mName = assimp_string(name);
    made->mLookAt = aiVector3D(0, 0, -1);
    made->mUp = aiVector3D(0, 1, 0);
    made->mHorizontalFOV = static_cast<float>(glm::radians(written_field_degrees(camera)));
    made->mAspect = static_cast<float>(written_aspect);
    return made;
}

void add_cameras(aiScene& scene, const Document& document, const std::vector<std::string>& names) {
    if (document.cameras.empty()) {
        return;
    }
    scene.mNumCameras = static_cast<unsigned int>(document.cameras.size());
    scene.mCameras = new aiCamera*[document.cameras.size()];
    std::ranges::transform(document.cameras, scene.mCameras, [&](const scene_file::file::Camera& camera) {
        return make_camera(camera, names[camera.node]);
    });
}

void add_carrier(aiScene& scene, const Document& document, const std::vector<std::uint32_t>& skinned,
                 const std::vector<std::string>& names) {
    scene.mNumMeshes = 1;
    scene.mMeshes = new aiMesh* [1] { make_carrier(skinned, names, bind_worlds(document)) };
}

}  // namespace

void FreeScene::operator()(aiScene* scene) const { delete scene; }

AssimpScene make_scene(const Document& document, const SceneParts& parts) {
    AssimpScene scene(new aiScene);
    scene->mFlags = 0;
    const std::vector<std::uint32_t> skinned = skinned_nodes(document);
    scene->mRootNode = make_nodes(document, parts, !skinned.empty());
    scene->mNumMaterials = 1;
    scene->mMaterials = new aiMaterial* [1] { new aiMaterial };
    const aiString material = assimp_string(carrier_name);
    scene->mMaterials[0]->AddProperty(&material, AI_MATKEY_NAME);
    if (!skinned.empty()) {
        add_carrier(*scene, document, skinned, parts.names);
    }
    add_cameras(*scene, document, parts.names);
    if (!parts.motions.empty()) {
        scene->mNumAnimations = static_cast<unsigned int>(parts.motions.size());
        scene->mAnimations = new aiAnimation*[parts.motions.size()];
        for (std::size_t i = 0; i < parts.motions.size(); ++i) {
            scene->mAnimations[i] = make_animation(parts.motions[i], "a" + std::to_string(i), parts.names);
        }
    }
    if (parts.has_fbx_settings) {
        add_fbx_settings(*scene, document);
    }
    return scene;
}

Result<Bytes> export_scene(const aiScene& scene, const char* exporter) {
    Assimp::Exporter assimp;
    const aiExportDataBlob* const blob = assimp.ExportToBlob(&scene, exporter);
    if (blob == nullptr || blob->size == 0) {
        return fail(ErrorCode::rejected,
                    "Assimp cannot write the scene: " + std::string(assimp.GetErrorString()));
    }
    const auto* const data = static_cast<const std::uint8_t*>(blob->data);
    return Bytes(data, data + blob->size);
}

std::vector<glm::dmat4> bind_worlds(const Document& document) {
    std::vector<glm::dmat4> rests;
    std::vector<glm::dmat4> binds;
    rests.reserve(document.nodes.size());
    binds.reserve(document.nodes.size());
    for (const scene_file::file::Node& node : document.nodes) {
        const glm::dmat4 local = matrix_of(node.rest);
        rests.push_back(node.parent ? rests[*node.parent] * local : local);
        binds.push_back(node.bind_world ? matrix_of(*node.bind_world) : rests.back());
    }
    return binds;
}

std::vector<std::string> numbered_names(const Document& document) {
    std::vector<std::string> names;
    names.reserve(document.nodes.size());
    for (std::size_t i = 0; i < document.nodes.size(); ++i) {
        names.push_back("n" + std::to_string(i));
    }
    return names;
}

std::string generator_text() {
    return "AnimBridge (Assimp " + std::to_string(aiGetVersionMajor()) + "." +
           std::to_string(aiGetVersionMinor()) + "." + std::to_string(aiGetVersionPatch()) + ")";
}

}  // namespace animbridge::scene_child::write

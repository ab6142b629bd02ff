// SPDX-License-Identifier: MIT
#include <algorithm>

#include "formats/sl_pose/edit/edit.h"
#include "rig/avatar/avatar.h"

namespace animbridge::sl_pose::edit {

namespace {

using rig::avatar::skeleton;

file::Value numbers_value(const glm::dvec3& numbers) {
    file::Value array{file::Kind::array};
    for (int i = 0; i < 3; ++i) {
        array.items.push_back(file::real(static_cast<float>(numbers[i])));
    }
    return array;
}

/// In place of the member of this name, or as a new one in the order of the keys.
void set_member(file::Value& map, const std::string& key, file::Value value) {
    for (std::size_t i = map.keys.size(); i-- > 0;) {
        if (map.keys[i] == key) {
            map.items[i] = std::move(value);
            return;
        }
    }
    const auto place = std::ranges::upper_bound(map.keys, key) - map.keys.begin();
    map.keys.insert(map.keys.begin() + place, key);
    map.items.insert(map.items.begin() + place, std::move(value));
}

/// Changes joints of a file's values.
class JointWriter {
public:
    JointWriter(const pose::Pose& pose, std::vector<file::Value>& documents)
        : pose_(pose), documents_(documents) {}

    void write(const play::Shown& joint) {
        const auto old = std::ranges::find_if(
            pose_.entries, [&](const pose::Entry& entry) { return entry.joint == joint.joint; });
        const std::string key = old == pose_.entries.end() ? skeleton()[joint.joint].node.name : old->key;
        file::Value& entry = entry_of(key);
        if (old == pose_.entries.end() || !old->is_enabled) {
            set_member(entry, "enabled", file::boolean(true));
        }
        set_numbers(entry, joint);
    }

private:
    [[nodiscard]] bool is_in_lines() const {
        return pose_.program == pose::Program::black_dragon && pose_.version == 1;
    }

    /// The joint's entry, the last one of its key; a new one if there is none.
    file::Value& entry_of(const std::string& key) {
        for (std::size_t i = documents_.size(); i-- > 0;) {
            file::Value& root = documents_[i];
            if (is_in_lines()) {
                if (const file::Value* const bone = root.find("bone"); bone && file::string_of(bone) == key) {
                    return root;
                }
                continue;
            }
            for (std::size_t item = root.keys.size(); item-- > 0;) {
                if (root.keys[item] == key) {
                    root.items[item].kind = file::Kind::map;
                    return root.items[item];
                }
            }
        }
        return new_entry(key);
    }
    file::Value& new_entry(const std::string& key) {
        file::Value map{file::Kind::map};
        if (is_in_lines()) {
            put(map, "bone", file::string(key));
            documents_.push_back(std::move(map));
            return documents_.back();
        }
        file::Value& root = documents_.back();
        set_member(root, key, std::move(map));
        return root.items[static_cast<std::size_t>(std::ranges::find(root.keys, key) - root.keys.begin())];
    }

    void set_numbers(file::Value& entry, const play::Shown& joint) const {
        const rig::avatar::SkeletonJoint& rest = skeleton()[joint.joint];
        const bool is_absolute = pose_.is_absolute();
        const bool is_firestorm = pose_.program == pose::Program::firestorm;
        const glm::dquat turn = is_firestorm
                                    ? product(glm::conjugate(rest.node.rest_local.rotation), joint.rotation)
                                    : joint.rotation;
        const pose::Triple angles = pose::angles_of(turn);
        const pose::Triple stored = is_firestorm ? angles : pose::swapped(angles);
        set_member(entry, "rotation",
                   numbers_value(without_residues({stored[0], stored[1], stored[2]}, residue)));
        const glm::dvec3 moved = without_residues(joint.position - pose::rest_position(joint.joint), residue);
        // Firestorm takes what is missing for 0, also as an absolute position.
        if (moved != glm::dvec3(0) || entry.find("position") != nullptr || (is_firestorm && is_absolute)) {
            set_member(entry, "position", numbers_value(is_absolute ? joint.position : moved));
        }
        const glm::dvec3 grown = without_residues(joint.scale - rest.rest_scale, residue);
        if (grown != glm::dvec3(0) || entry.find("scale") != nullptr) {
            set_member(entry, "scale", numbers_value(is_absolute ? joint.scale : grown));
        }
    }

    const pose::Pose& pose_;
    std::vector<file::Value>& documents_;
};

}  // namespace

file::Document with_joints(const file::Document& document, std::span<const play::Shown> joints) {
    const pose::Pose pose = pose::pose_of(document).value();
    std::vector<file::Value> documents = document.documents;
    JointWriter writer(pose, documents);
    for (const play::Shown& joint : joints) {
        writer.write(joint);
    }
    return file::made(std::move(documents),
                      document.layout == file::Layout::lines ? file::Layout::lines : file::Layout::pretty);
}

}  // namespace animbridge::sl_pose::edit

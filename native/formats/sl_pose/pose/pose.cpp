// SPDX-License-Identifier: MIT
#include "formats/sl_pose/pose/pose.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <unordered_map>

#include "rig/avatar/avatar.h"

namespace animbridge::sl_pose::pose {

namespace {

using rig::avatar::JointKind;
using rig::avatar::skeleton;

constexpr std::string_view version_key = "version";
constexpr std::string_view t_pose_key = "startFromTeePose";
constexpr std::string_view state_key = "poseState";

/// Joints of the avatar that Firestorm's poser does not have.
constexpr std::array<std::string_view, 4> unposed = {"mFaceEyeAltLeft", "mFaceEyeAltRight", "mFaceJawShaper",
                                                     "LOWER_BACK"};

/// Firestorm compares names without case.
const std::unordered_map<std::string, std::size_t>& firestorm_names() {
    static const std::unordered_map<std::string, std::size_t> names = [] {
        std::unordered_map<std::string, std::size_t> all;
        for (std::size_t i = 0; i < skeleton().size(); ++i) {
            if (is_posed_by_firestorm(i)) {
                all.emplace(in_lower_case(skeleton()[i].node.name), i);
            }
        }
        return all;
    }();
    return names;
}

std::optional<std::size_t> joint_named(Program program, const std::string& key) {
    if (program == Program::black_dragon) {
        return rig::avatar::find_joint(key);
    }
    const auto found = firestorm_names().find(in_lower_case(key));
    return found == firestorm_names().end() ? std::nullopt : std::optional(found->second);
}

std::optional<JointKind> kind_named(const std::string& key) {
    const auto joint = rig::avatar::find_joint(key);
    return joint && skeleton()[*joint].node.name == key ? std::optional(skeleton()[*joint].kind)
                                                        : std::nullopt;
}

/// Whether Firestorm's poser never has a joint of this name.
bool is_black_dragons(const std::string& key) {
    return kind_named(key) == JointKind::attachment_point || std::ranges::find(unposed, key) != unposed.end();
}

bool is_joint_map(const file::Value& value) {
    return value.kind == file::Kind::map &&
           (value.find("rotation") != nullptr || value.find("enabled") != nullptr);
}

bool has_bone(const file::Value& document) {
    return document.kind == file::Kind::map && document.find("bone") != nullptr;
}

/// The number in the map of a header; a plain number does not count.
std::int32_t version_in(const file::Value& root) {
    const file::Value* const header = root.find(version_key);
    return header == nullptr ? 0 : file::integer_of(header->find("value"));
}

struct Identity {
    Program program = Program::firestorm;
    std::int32_t version = 0;
    bool is_assumed = false;
};

tl::unexpected<Error> not_a_pose(const std::string& found) {
    return fail(ErrorCode::bad_value,
                "found " + found + "; allowed is a pose of Firestorm's or Black Dragon's poser", "llsd");
}

/// A file of version 3, which two programs wrote.
Identity identity_of_3(const file::Value& root) {
    bool has_volume = false;
    for (std::size_t i = 0; i < root.keys.size(); ++i) {
        if (kind_named(root.keys[i]) == JointKind::collision_volume) {
            has_volume = true;
            if (root.items[i].find("enabled") != nullptr) {
                return {Program::firestorm, 3, false};
            }
        }
    }
    return {Program::black_dragon, 3, !has_volume};
}

Result<Identity> identity_of(const file::Document& document) {
    const file::Value& root = document.documents.front();
    if (root.kind != file::Kind::map) {
        return not_a_pose("LLSD whose root is not a map");
    }
    constexpr std::int32_t first_with_differences = 4;
    const std::int32_t version = version_in(root);
    if (root.find(version_key) == nullptr && std::ranges::any_of(document.documents, has_bone)) {
        return Identity{Program::black_dragon, 1};
    }
    if (root.find(t_pose_key) != nullptr || version >= first_with_differences) {
        return Identity{Program::firestorm, version};
    }
    if (version == 2 || std::ranges::any_of(root.keys, is_black_dragons)) {
        return Identity{Program::black_dragon, version == 2 ? 2 : 3};
    }
    if (version == 3) {
        return identity_of_3(root);
    }
    if (std::ranges::any_of(root.items, is_joint_map)) {
        return Identity{Program::firestorm, version};
    }
    return not_a_pose("LLSD of another kind");
}

std::optional<Triple> triple_in(const file::Value& entry, std::string_view key) {
    const file::Value* const value = entry.find(key);
    if (value == nullptr) {
        return std::nullopt;
    }
    Triple numbers{};
    if (value->kind == file::Kind::array) {
        for (std::size_t i = 0; i < std::min(numbers.size(), value->items.size()); ++i) {
            numbers.at(i) = static_cast<float>(file::real_of(&value->items[i]));
        }
    }
    return numbers;
}

std::optional<bool> flag_in(const file::Value& entry, std::string_view key) {
    const file::Value* const value = entry.find(key);
    return value == nullptr ? std::nullopt : std::optional(file::boolean_of(value));
}

Entry entry_of(Program program, const std::string& key, const file::Value& value) {
    return {key,
            joint_named(program, key),
            flag_in(value, "enabled").value_or(true),
            triple_in(value, "rotation"),
            triple_in(value, "position"),
            triple_in(value, "scale"),
            flag_in(value, "jointBaseRotationIsZero"),
            flag_in(value, "userSetBaseRotationToZero"),
            flag_in(value, "mirrored").value_or(false)};
}

/// The numbers that the text expresses, as the viewer reads them.
std::vector<std::size_t> joints_in(std::string_view text) {
    constexpr int zero = '?';
    constexpr std::size_t step = 63;
    std::vector<std::size_t> joints;
    std::size_t before = 0;
    for (const char c : text) {
        if (c < '?' || c > '~') {
            continue;
        }
        if (c >= '|') {
            before += step * static_cast<std::size_t>(c - '|' + 1);
            continue;
        }
        joints.push_back(before + static_cast<std::size_t>(c - zero));
        before = 0;
    }
    return joints;
}

bool is_prefix(char c) { return c >= '|' && c <= '~'; }

/// Whether a number of the list is one that no writer of it can have meant, or a prefix has no number: the
/// writer has one prefix for each number.
bool is_corrupt(std::string_view text, const std::vector<std::size_t>& joints) {
    constexpr std::size_t numbered = 159;
    const auto* const twice = std::ranges::adjacent_find(
        text, [](char one, char next) { return is_prefix(one) && is_prefix(next); });
    return twice != text.end() ||
           std::ranges::any_of(joints, [](std::size_t joint) { return joint >= numbered; }) ||
           (!text.empty() && is_prefix(text.back()));
}

State state_of(std::int64_t number, const file::Value& value) {
    State state{number};
    state.animation_id = file::string_of(value.find("animationId"));
    state.seconds = file::real_of(value.find("lastUpdateTime"));
    state.capture_order = file::integer_of(value.find("captureOrder"));
    state.layer_order = file::integer_of(value.find("inLayerOrder"));
    const std::string text = file::string_of(value.find("jointNumbersAnimated"));
    state.joints = joints_in(text);
    state.is_corrupt = is_corrupt(text, state.joints);
    return state;
}

/// The number behind "poseState"; null: another key.
std::optional<std::int64_t> state_number(std::string_view key) {
    return key.starts_with(state_key) ? whole_number(key.substr(state_key.size())) : std::nullopt;
}

/// Adds an entry; one of the same joint is replaced, as the viewer does.
class EntryList {
public:
    explicit EntryList(Pose& pose) : pose_(pose) {}

    void add(Entry entry) {
        if (entry.joint) {
            const auto [place, is_new] = place_of_.emplace(*entry.joint, pose_.entries.size());
            if (!is_new) {
                pose_.entries[place->second] = std::move(entry);
                return;
            }
        }
        pose_.entries.push_back(std::move(entry));
    }

private:
    Pose& pose_;
    std::map<std::size_t, std::size_t> place_of_{};
};

/// Generation 1 of Black Dragon: a document for each joint.
void read_bones(const file::Document& document, Pose& pose) {
    EntryList entries(pose);
    for (const file::Value& value : document.documents) {
        if (has_bone(value)) {
            entries.add(entry_of(pose.program, file::string_of(value.find("bone")), value));
        } else if (value.kind == file::Kind::map && &value == &document.documents.front()) {
            pose.blend_seconds = file::real_of(value.find("time"));
            pose.blend_type = file::integer_of(value.find("type"));
        }
    }
}

void read_map(const file::Value& root, Pose& pose, EntryList& entries) {
    // The viewer visits keys in the order of their bytes.
    for (const std::string& key : std::set<std::string>(root.keys.begin(), root.keys.end())) {
        const file::Value& value = *root.find(key);
        if (key == version_key || key == t_pose_key) {
            continue;
        }
        if (const auto number = state_number(key); number && pose.program == Program::firestorm) {
            pose.states.push_back(state_of(*number, value));
            continue;
        }
        entries.add(entry_of(pose.program, key, value));
    }
}

void read_header(const file::Value& root, Pose& pose) {
    if (const file::Value* const t_pose = root.find(t_pose_key)) {
        pose.from_t_pose = file::boolean_of(t_pose->find("value"));
    }
    const file::Value* const header = root.find(version_key);
    if (pose.program == Program::black_dragon && header != nullptr && header->find("type") != nullptr) {
        pose.blend_seconds = file::real_of(header->find("time"));
        pose.blend_type = file::integer_of(header->find("type"));
    }
}

}  // namespace

std::string_view name_of(Program program) {
    return program == Program::firestorm ? "Firestorm" : "Black Dragon";
}

bool is_posed_by_firestorm(std::size_t joint) {
    const rig::avatar::SkeletonJoint& one = skeleton()[joint];
    return one.kind != JointKind::attachment_point &&
           std::ranges::find(unposed, one.node.name) == unposed.end();
}

bool is_volume(std::size_t joint) { return skeleton()[joint].kind == JointKind::collision_volume; }

glm::dvec3 rest_position(std::size_t joint) { return rig::avatar::resting_pose()[joint].translation; }

Result<Pose> pose_of(const file::Document& document) {
    TRY(const Identity identity, identity_of(document));
    Pose pose{identity.program, identity.version, identity.is_assumed};
    if (pose.program == Program::black_dragon && pose.version == 1) {
        read_bones(document, pose);
        return pose;
    }
    EntryList entries(pose);
    for (const file::Value& root : document.documents) {
        if (root.kind == file::Kind::map) {
            read_header(root, pose);
            read_map(root, pose, entries);
        }
    }
    std::ranges::stable_sort(pose.states, {}, &State::number);
    std::ranges::stable_sort(pose.states, [](const State& a, const State& b) {
        return std::pair(a.capture_order, a.layer_order) < std::pair(b.capture_order, b.layer_order);
    });
    return pose;
}

}  // namespace animbridge::sl_pose::pose

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "formats/sl_pose/check/check.h"
#include "formats/sl_pose/edit/edit.h"
#include "rig/avatar/avatar.h"
#include "rig/humanoid/humanoid.h"

namespace animbridge::sl_pose::edit {

namespace {

using rig::avatar::JointKind;

constexpr std::string_view bone_key = "bone";

const Node& node_of(std::size_t joint) { return rig::avatar::skeleton()[joint].node; }
bool is_bone(std::size_t joint) { return rig::avatar::skeleton()[joint].kind == JointKind::bone; }

/// Where a key of a sorted map goes.
std::size_t place_for(const file::Value& map, const std::string& key) {
    const auto next = std::ranges::find_if(map.keys, [&](const std::string& other) { return other > key; });
    return static_cast<std::size_t>(next - map.keys.begin());
}

void insert(file::Value& map, const std::string& key, file::Value value) {
    const auto place = static_cast<std::ptrdiff_t>(place_for(map, key));
    map.keys.insert(map.keys.begin() + place, key);
    map.items.insert(map.items.begin() + place, std::move(value));
}

/// The last member of that name, which is the one that counts.
file::Value* member_of(file::Value& map, const std::string& key) {
    const auto found = std::find(map.keys.rbegin(), map.keys.rend(), key);
    return found == map.keys.rend() ? nullptr
                                    : &map.items[static_cast<std::size_t>(map.keys.rend() - found) - 1];
}

void set_member(file::Value& map, const std::string& key, file::Value value) {
    if (file::Value* const old = member_of(map, key)) {
        *old = std::move(value);
    } else {
        insert(map, key, std::move(value));
    }
}

/// The number with the other sign; its digits stay.
void negate(file::Value& number) {
    if (file::real_of(&number) == 0.0) {
        return;
    }
    if (number.kind != file::Kind::real && number.kind != file::Kind::integer) {
        number = file::real(static_cast<float>(-file::real_of(&number)));
        return;
    }
    std::string& text = number.text;
    text.erase(0, text.find_first_not_of(" \t\r\n\v\f"));
    const bool is_negative = text.starts_with('-');
    text.erase(0, is_negative || text.starts_with('+') ? 1 : 0);
    text.insert(0, is_negative ? "" : "-");
}

void negate_items(file::Value& entry, const std::string& key, std::initializer_list<std::size_t> places) {
    file::Value* const numbers = member_of(entry, key);
    for (const std::size_t place : places) {
        if (numbers != nullptr && numbers->kind == file::Kind::array && place < numbers->items.size()) {
            negate(numbers->items[place]);
        }
    }
}

/// The joint of the other side; itself if it has none.
std::size_t partner_of(std::size_t joint) {
    return rig::avatar::find_joint(editing::mirrored_name(node_of(joint).name)).value_or(joint);
}

/// Changes joints of a document, each in its own entry: what is not touched keeps its text.
class Editor {
public:
    Editor(const file::Document& document, pose::Pose pose)
        : old_(document), documents_(document.documents), pose_(std::move(pose)) {}

    void turn(std::size_t joint, const glm::dquat& rotation) {
        file::Value& entry = found_or_added(joint);
        const glm::dquat delta = product(glm::conjugate(rest_of(joint)), rotation);
        const pose::Triple angles = pose::angles_of(delta);
        set_member(entry, "rotation", triple_value(is_black_dragon() ? pose::swapped(angles) : angles));
        hold(entry, joint);
    }

    void move(std::size_t joint, const glm::dvec3& position) {
        file::Value& entry = found_or_added(joint);
        const glm::dvec3 rest = pose::rest_position(joint);
        set_member(entry, "position", triple_value(pose_.is_absolute() ? position : position - rest));
        hold(entry, joint);
    }

    void grow(std::size_t joint, const glm::dvec3& scale) {
        file::Value& entry = found_or_added(joint);
        const glm::dvec3 rest = rig::avatar::skeleton()[joint].rest_scale;
        set_member(entry, "scale", triple_value(pose_.is_absolute() ? scale : scale - rest));
        hold(entry, joint);
    }

    /// The animations of the avatar move the joint.
    void leave(std::size_t joint) {
        // Black Dragon has the switch for bones only.
        if (file::Value* const entry = is_black_dragon() && !is_bone(joint) ? nullptr : find(joint)) {
            set_member(*entry, "enabled", file::boolean(false));
        }
    }

    void mirror() {
        for (file::Value& root : documents_) {
            if (is_lines()) {
                mirror_line(root);
            } else if (root.kind == file::Kind::map) {
                mirror_map(root);
            }
        }
    }

    /// Firestorm's volumes turn on their rest rotations; what Black Dragon stores is the whole rotation.
    [[nodiscard]] glm::dquat rest_of(std::size_t joint) const {
        return is_black_dragon() ? glm::dquat(1, 0, 0, 0) : node_of(joint).rest_local.rotation;
    }

    [[nodiscard]] file::Document take() { return file::remade(old_, std::move(documents_)); }

private:
    [[nodiscard]] bool is_black_dragon() const { return pose_.program == pose::Program::black_dragon; }
    /// Black Dragon's first generation, with a document for each joint.
    [[nodiscard]] bool is_lines() const { return is_black_dragon() && pose_.version == 1; }

    file::Value* find(std::size_t joint) {
        const pose::Entry* const entry = entry_of(joint);
        for (std::size_t i = documents_.size(); entry != nullptr && i-- > 0;) {
            file::Value& root = documents_[i];
            if (is_lines() ? file::string_of(root.find(bone_key)) == entry->key
                           : root.find(entry->key) != nullptr) {
                return is_lines() ? &root : member_of(root, entry->key);
            }
        }
        return nullptr;
    }

    file::Value& found_or_added(std::size_t joint) {
        file::Value* const found = find(joint);
        if (found != nullptr && found->kind == file::Kind::map) {
            return *found;
        }
        file::Value made = new_entry(joint, pose_);
        if (found != nullptr) {
            return *found = std::move(made);
        }
        const std::string& name = node_of(joint).name;
        pose_.entries.push_back({name, joint});
        if (is_lines()) {
            insert(made, std::string(bone_key), file::string(name));
            return documents_.emplace_back(std::move(made));
        }
        insert(documents_.front(), name, std::move(made));
        return *member_of(documents_.front(), name);
    }

    /// The poser drives the joint, whatever it did before.
    static void hold(file::Value& entry, std::size_t joint) {
        const file::Value* const enabled = entry.find("enabled");
        if (enabled != nullptr && !file::boolean_of(enabled)) {
            set_member(entry, "enabled", file::boolean(true));
        }
        const file::Value* const base = entry.find("jointBaseRotationIsZero");
        if (base != nullptr && !file::boolean_of(base) && is_bone(joint)) {
            set_member(entry, "jointBaseRotationIsZero", file::boolean(true));
        }
    }

    /// The entry of `from` for `to`, its partner or itself. A reflection in the plane between left and right
    /// turns x and z the other way.
    void mirror_numbers(file::Value& entry, std::size_t from, std::size_t to) const {
        if (is_black_dragon()) {
            negate_items(entry, "rotation", {0, 1});
        } else {
            negate_items(entry, "rotation", {0, 2});
        }
        const glm::dvec3 side(1, -1, 1);
        const glm::dvec3 own_rest = side * pose::rest_position(from);
        const auto place = entry_of(from)->position;
        if (place && pose_.is_absolute() && own_rest != pose::rest_position(to)) {
            // The avatar's two sides differ by a millimetre here and there.
            const glm::dvec3 whole((*place)[0], (*place)[1], (*place)[2]);
            set_member(entry, "position", triple_value(side * whole - own_rest + pose::rest_position(to)));
        } else {
            negate_items(entry, "position", {1});
        }
    }

    [[nodiscard]] const pose::Entry* entry_of(std::size_t joint) const {
        const auto entry = std::ranges::find(pose_.entries, std::optional(joint), &pose::Entry::joint);
        return entry == pose_.entries.end() ? nullptr : &*entry;
    }
    [[nodiscard]] std::optional<std::size_t> joint_of(const std::string& key) const {
        const auto entry = std::ranges::find(pose_.entries, key, &pose::Entry::key);
        return entry == pose_.entries.end() ? std::nullopt : entry->joint;
    }

    void mirror_line(file::Value& line) const {
        file::Value* const bone = member_of(line, std::string(bone_key));
        const auto joint = bone == nullptr ? std::nullopt : joint_of(bone->text);
        if (joint) {
            bone->text = node_of(partner_of(*joint)).name;
            mirror_numbers(line, *joint, partner_of(*joint));
        }
    }

    void mirror_map(file::Value& root) const {
        file::Value mirrored{file::Kind::map};
        for (std::size_t i = 0; i < root.keys.size(); ++i) {
            const auto joint = joint_of(root.keys[i]);
            if (!joint) {
                file::put(mirrored, root.keys[i], root.items[i]);
                continue;
            }
            const std::size_t partner = partner_of(*joint);
            const pose::Entry* const other = entry_of(partner);
            const file::Value* const theirs = other == nullptr ? nullptr : root.find(other->key);
            file::Value entry = theirs == nullptr ? root.items[i] : *theirs;
            if (theirs == nullptr) {
                mirror_numbers(entry, *joint, partner);
                insert(mirrored, node_of(partner).name, std::move(entry));
            } else {
                mirror_numbers(entry, partner, *joint);
                file::put(mirrored, root.keys[i], std::move(entry));
            }
        }
        root = std::move(mirrored);
    }

    const file::Document& old_;
    std::vector<file::Value> documents_;
    pose::Pose pose_;
};

/// Leaves out parts of the body: the rows of the report say how many joints.
Result<void> take_parts(const editing::Tools& tools, const pose::Pose& pose, Editor& editor, Json& rows) {
    const Skeleton& skeleton = rig::avatar::playing_skeleton();
    std::vector<std::string> names;
    std::ranges::transform(skeleton.nodes, std::back_inserter(names), &Node::name);
    TRY(const auto rig, rig::humanoid::find_rig(skeleton, rig::humanoid::built_in_rigs()));
    TRY(const auto parts, editing::Parts::from(tools, names, &rig));
    std::size_t left = 0;
    std::size_t held = 0;
    for (const pose::Entry& entry : pose.entries) {
        if (!entry.joint || !entry.is_enabled) {
            continue;
        }
        const std::size_t joint = *entry.joint;
        const bool turns = parts.rotates(joint);
        const bool moves = parts.moves(joint);
        held += turns || moves ? 1 : 0;
        if (!turns && !moves) {
            editor.leave(joint);
            ++left;
        } else if (!turns && entry.rotation) {
            editor.turn(joint, editor.rest_of(joint));
        } else if (!moves && entry.position) {
            editor.move(joint, pose::rest_position(joint));
        }
    }
    if (held == 0) {
        return fail(ErrorCode::rejected, "no joint would be left",
                    tools.keep_parts.empty() ? "leave_out" : "keep_parts");
    }
    rows.push_back(editing::done("parts", counted(left, "joint") + " are left to the avatar's animations",
                                 {{"joints_left_out", left}}));
    return {};
}

}  // namespace

file::Document with_joints(const file::Document& document, std::span<const play::Shown> joints) {
    const pose::Pose pose = pose::pose_of(document).value();
    const std::vector<play::Shown> before = play::shown(pose);
    Editor editor(document, pose);
    for (const play::Shown& joint : joints) {
        const auto found = std::ranges::find(before, joint.joint, &play::Shown::joint);
        const play::Shown old = found != before.end()
                                    ? *found
                                    : play::Shown{joint.joint, play::Known::unlisted, joint.rotation,
                                                  pose::rest_position(joint.joint),
                                                  rig::avatar::skeleton()[joint.joint].rest_scale};
        editor.turn(joint.joint, joint.rotation);
        if (without_residues(joint.position - old.position, residue) != glm::dvec3(0)) {
            editor.move(joint.joint, joint.position);
        }
        if (without_residues(joint.scale - old.scale, residue) != glm::dvec3(0)) {
            editor.grow(joint.joint, joint.scale);
        }
    }
    return editor.take();
}

Result<file::Document> with_tools(const file::Document& document, editing::Tools& left, Json& rows) {
    editing::Tools others = left;
    others.keep_parts.clear();
    others.leave_out.clear();
    others.mirror = false;
    others.blend_edits.clear();
    if (others.any()) {
        return fail(ErrorCode::invalid_argument,
                    "a pose has no time and no path: --mirror, --blend-edit, --keep-parts and --leave-out "
                    "change it. For other tools, convert it to .anim first");
    }
    TRY(pose::Pose pose, pose::pose_of(document));
    if (pose.is_difference()) {
        return fail(ErrorCode::rejected, check::why_unchanged(pose));
    }
    file::Document made = document;
    if (!left.keep_parts.empty() || !left.leave_out.empty()) {
        Editor editor(made, pose);
        TRY_VOID(take_parts(left, pose, editor, rows));
        made = editor.take();
    }
    if (left.mirror) {
        Editor editor(made, pose);
        editor.mirror();
        made = editor.take();
        rows.push_back(editing::done("mirror", "left and right are exchanged"));
    }
    left.keep_parts.clear();
    left.leave_out.clear();
    left.mirror = false;
    return made;
}

Result<file::Document> with_tracks(const file::Document& document, const Clip& changed) {
    TRY(pose::Pose pose, pose::pose_of(document));
    Editor editor(document, std::move(pose));
    for (const Track& track : changed.tracks) {
        if (track.key_count() == 0 || track.channel == Channel::property) {
            continue;
        }
        if (track.channel == Channel::rotation) {
            editor.turn(track.node, glm::normalize(track.rotation(0)));
        } else {
            editor.move(track.node, track.translation(0));
        }
    }
    return editor.take();
}

}  // namespace animbridge::sl_pose::edit

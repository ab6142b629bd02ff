// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "bridges/sl_pose_to_sl_anim/bridge.h"
#include "formats/sl_anim/codes/codes.h"
#include "formats/sl_anim/play/play.h"
#include "rig/avatar/avatar.h"

namespace animbridge::sl_pose_to_sl_anim {

namespace {

using rig::avatar::skeleton;
using sl_pose::play::Known;
using sl_pose::play::Shown;

/// What a joint has below the pose.
struct Base {
    glm::dquat rotation{1, 0, 0, 0};
    std::optional<glm::dvec3> position{};
    std::int32_t priority = 0;  ///< of the animation that set it
    bool is_fixed = false;      ///< the user set it to zero
    bool is_turned = false;     ///< an animation says its rotation
};

std::string with_other_side(const std::string& name) {
    for (const auto& [side, other] : {std::pair("Left", "Right"), {"Right", "Left"}}) {
        if (const std::size_t at = name.find(side); at != std::string::npos) {
            return std::string(name).replace(at, std::string_view(side).size(), other);
        }
    }
    return name;
}

glm::dquat mirrored(const glm::dquat& q) { return {q.w, -q.x, q.y, -q.z}; }

class Composition {
public:
    explicit Composition(const sl_pose::pose::Pose& pose) : pose_(pose), bases_(skeleton().size()) {
        for (const sl_pose::pose::Entry& entry : pose.entries) {
            if (entry.joint) {
                bases_[*entry.joint].is_fixed = entry.user_base_is_zero.value_or(pose.from_t_pose);
            }
        }
    }

    void apply(const sl_pose::pose::State& state, const sl_anim::file::Document& document) {
        if (state.capture_order > layer_) {
            layer_ = state.capture_order;
            for (std::size_t i = 0; i < bases_.size(); ++i) {
                bases_[i].priority = moves(state, i) ? 0 : bases_[i].priority;
            }
        }
        const sl_anim::play::Player player(document);
        for (const auto& joint : player.joints()) {
            if (joint.joint && moves(state, *joint.joint)) {
                set(joint, static_cast<float>(state.seconds), document.base_priority);
            }
        }
    }

    /// The flag counts on joints of the centre and the left.
    void mirror() {
        for (const sl_pose::pose::Entry& entry : pose_.entries) {
            if (!entry.joint || !entry.is_mirrored) {
                continue;
            }
            const std::string& name = skeleton()[*entry.joint].node.name;
            if (name == "mFaceTongueTip" || name.find("Right") != std::string::npos) {
                continue;
            }
            Base& own = bases_[*entry.joint];
            own.rotation = mirrored(own.rotation);
            const auto partner = rig::avatar::find_joint(with_other_side(name));
            if (partner && *partner != *entry.joint) {
                Base& other = bases_[*partner];
                other.rotation = mirrored(other.rotation);
                std::swap(own.rotation, other.rotation);
                std::swap(own.is_turned, other.is_turned);
            }
        }
    }

    [[nodiscard]] Composed with_deltas() const {
        Composed made{sl_pose::play::shown(pose_)};
        for (Shown& joint : made.joints) {
            const Base& base = bases_[joint.joint];
            if (joint.known == Known::free || sl_pose::pose::is_volume(joint.joint)) {
                continue;
            }
            if (joint.known == Known::delta && !base.is_turned && !base.is_fixed) {
                made.unknown.push_back(skeleton()[joint.joint].node.name);
            }
            joint.known = Known::exact;
            joint.rotation = product(base.rotation, joint.rotation);
            if (base.position) {
                joint.position += *base.position - sl_pose::pose::rest_position(joint.joint);
            }
        }
        return made;
    }

private:
    static bool moves(const sl_pose::pose::State& state, std::size_t joint) {
        return state.joints.empty() || std::ranges::find(state.joints, joint) != state.joints.end();
    }

    void set(const sl_anim::play::Player::AnimatedJoint& joint, float seconds, std::int32_t priority) {
        Base& base = bases_[*joint.joint];
        base.is_turned = base.is_turned || !joint.rotation.empty();
        if (priority < base.priority) {
            return;
        }
        if (!joint.rotation.empty() && !base.is_fixed) {
            const auto q = sl_anim::codes::value_at(joint.rotation, seconds);
            const bool is_identity = q.x == 0.0F && q.y == 0.0F && q.z == 0.0F;
            if (!is_identity) {
                base.rotation = glm::normalize(glm::dquat(q.w, q.x, q.y, q.z));
                base.priority = priority;
            }
        }
        if (!joint.position.empty()) {
            const auto p = sl_anim::codes::value_at(joint.position, seconds);
            base.position = glm::dvec3(p[0], p[1], p[2]);
            base.priority = priority;
        }
    }

    const sl_pose::pose::Pose& pose_;
    std::vector<Base> bases_;
    std::int32_t layer_ = 0;
};

}  // namespace

Result<Composed> composed(const sl_pose::pose::Pose& pose, const Animations& animations) {
    Composition composition(pose);
    std::vector<std::string> missing;
    for (const sl_pose::pose::State& state : pose.states) {
        const auto found = animations.find(state.animation_id);
        if (found == animations.end()) {
            missing.push_back(state.animation_id);
        } else {
            composition.apply(state, found->second);
        }
    }
    if (!missing.empty()) {
        return fail(in_request({ErrorCode::bad_value,
                                "has no file for the animations " + some_of(missing) +
                                    "; allowed is ID=FILE "
                                    "for each animation that the pose names",
                                {},
                                "under"}));
    }
    composition.mirror();
    return composition.with_deltas();
}

}  // namespace animbridge::sl_pose_to_sl_anim

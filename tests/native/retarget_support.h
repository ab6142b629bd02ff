// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/clip/clip.h"
#include "rig/humanoid/humanoid.h"
#include "rig/retarget/retarget.h"

/// Bodies of any proportions, posture and roll, their motions, and independent forward kinematics.
namespace animbridge::test {

/// A joint by its position in the world.
struct BodyJoint {
    std::string name;
    std::string slot;  ///< "": none
    int parent = -1;
    glm::dvec3 head{0, 0, 0};
    glm::dquat rest{1, 0, 0, 0};
};

struct Body {
    std::vector<BodyJoint> joints;
    Skeleton skeleton;
    rig::humanoid::FoundRig rig;
};

inline glm::dquat any_rotation(std::mt19937& random) {
    std::normal_distribution<double> normal;
    return glm::normalize(glm::dquat(normal(random), normal(random), normal(random), normal(random)));
}

inline glm::dquat about(const glm::dvec3& axis, double degrees) {
    return glm::angleAxis(degrees * std::numbers::pi / 180.0, glm::normalize(axis));
}

/// The skeleton and the rig map of joints that are given by their places.
inline Body body_of(std::vector<BodyJoint> joints) {
    Body body;
    body.joints = std::move(joints);
    for (std::size_t i = 0; i < body.joints.size(); ++i) {
        const BodyJoint& joint = body.joints[i];
        Node node{joint.name};
        node.rest_local = {joint.rest, joint.head};
        if (joint.parent >= 0) {
            const BodyJoint& parent = body.joints[static_cast<std::size_t>(joint.parent)];
            node.parent = static_cast<std::size_t>(joint.parent);
            node.rest_local.rotation = glm::normalize(glm::conjugate(parent.rest) * joint.rest);
            node.rest_local.translation = glm::conjugate(parent.rest) * (joint.head - parent.head);
        }
        body.skeleton.nodes.push_back(node);
        if (!joint.slot.empty()) {
            body.rig.slots.push_back({joint.slot, i});
        }
    }
    body.rig.roles.resize(body.joints.size());
    return body;
}

inline std::size_t joint_at(const Body& body, const std::string& slot) {
    return body.rig.joint_of(slot).value();
}

/// A person of about 1.7 m who faces X, with arms `arm_degrees` below the horizontal.
inline std::vector<BodyJoint> person(double arm_degrees = 0, double size = 1, double arm_size = 1) {
    std::vector<BodyJoint> joints;
    const auto add = [&](const std::string& slot, const std::string& parent, const glm::dvec3& head) {
        int above = -1;
        for (std::size_t i = 0; i < joints.size(); ++i) {
            above = joints[i].slot == parent ? static_cast<int>(i) : above;
        }
        joints.push_back({slot, slot, above, head * size});
    };
    add("hips", "", {0, 0, 0.95});
    add("spine", "hips", {-0.01, 0, 1.05});
    add("chest", "spine", {-0.02, 0, 1.2});
    add("neck", "chest", {-0.02, 0, 1.45});
    add("head", "neck", {0, 0, 1.55});
    for (const double side : {1.0, -1.0}) {
        const std::string s = side > 0 ? "left" : "right";
        add(s + "UpperLeg", "hips", {0, side * 0.1, 0.9});
        add(s + "LowerLeg", s + "UpperLeg", {0.02, side * 0.1, 0.5});
        add(s + "Foot", s + "LowerLeg", {0, side * 0.1, 0.09});
        add(s + "Toes", s + "Foot", {0.14, side * 0.12, 0.02});
        const glm::dvec3 shoulder(-0.02, side * 0.17, 1.42);
        const glm::dquat down = about({1, 0, 0}, -side * arm_degrees);
        const auto arm = [&](double x, double y, double z) {
            return shoulder + down * glm::dvec3(x, side * y, z) * arm_size;
        };
        add(s + "Shoulder", "chest", {-0.02, side * 0.03, 1.4});
        add(s + "UpperArm", s + "Shoulder", shoulder);
        add(s + "LowerArm", s + "UpperArm", arm(0, 0.28, 0));
        add(s + "Hand", s + "LowerArm", arm(0.01, 0.53, 0));
        add(s + "IndexProximal", s + "Hand", arm(0.035, 0.62, 0.005));
        add(s + "IndexIntermediate", s + "IndexProximal", arm(0.037, 0.66, 0));
        add(s + "MiddleProximal", s + "Hand", arm(0.012, 0.625, 0.005));
        add(s + "LittleProximal", s + "Hand", arm(-0.03, 0.61, 0));
    }
    return joints;
}

inline void roll_at_random(std::vector<BodyJoint>& joints, std::mt19937& random) {
    for (BodyJoint& joint : joints) {
        joint.rest = any_rotation(random);
    }
}

/// Joints in a random tree, with the caller's own slots: "part 0" is above the others.
inline std::vector<BodyJoint> random_tree(std::mt19937& random, std::size_t count) {
    std::uniform_real_distribution<double> step(-0.4, 0.4);
    std::vector<BodyJoint> joints;
    for (std::size_t i = 0; i < count; ++i) {
        const int parent = i == 0 ? -1 : static_cast<int>(random() % i);
        const glm::dvec3 from = i == 0 ? glm::dvec3(0, 0, 1) : joints[static_cast<std::size_t>(parent)].head;
        const std::string name = "part " + std::to_string(i);
        joints.push_back({name, name, parent, from + glm::dvec3(step(random), step(random), step(random)),
                          any_rotation(random)});
    }
    return joints;
}

inline void add_row(Track& track, double time, const glm::dquat& q) {
    track.add_key(time, std::array<double, 4>{q.w, q.x, q.y, q.z});
}
inline void add_row(Track& track, double time, const glm::dvec3& v) {
    track.add_key(time, std::array<double, 3>{v.x, v.y, v.z});
}

/// Every joint swings about two axes, and the first one travels. `wild` is in degrees.
inline Clip random_motion(const Body& body, std::mt19937& random, std::size_t frames = 7, double wild = 40,
                          double seconds_apart = 1.0 / 30.0) {
    std::uniform_real_distribution<double> any(-1, 1);
    Clip clip{body.skeleton, {}, {}, static_cast<double>(frames - 1) * seconds_apart};
    for (std::size_t node = 0; node < body.skeleton.nodes.size(); ++node) {
        const Transform& rest = body.skeleton.nodes[node].rest_local;
        const glm::dvec3 axis = any_rotation(random) * glm::dvec3(1, 0, 0);
        const glm::dvec3 other = any_rotation(random) * glm::dvec3(1, 0, 0);
        const double phase = any(random);
        Track turn{node, Channel::rotation};
        Track path{node, Channel::translation};
        for (std::size_t frame = 0; frame < frames; ++frame) {
            const double time = static_cast<double>(frame) * seconds_apart;
            add_row(turn, time,
                    glm::normalize(rest.rotation * about(axis, wild * std::sin(7 * time + phase)) *
                                   about(other, 0.5 * wild * std::cos(5 * time - phase))));
            add_row(path, time,
                    rest.translation +
                        glm::dvec3(time, 0.3 * std::sin(9 * time), 0.05 * std::cos(8 * time + phase)));
        }
        clip.tracks.push_back(turn);
        if (!body.skeleton.nodes[node].parent) {
            clip.tracks.push_back(path);
        }
    }
    return clip;
}

/// Clip-space placements at a key time: written out here, so that no code under test computes them.
inline std::vector<Transform> placed(const Clip& clip, double time) {
    std::vector<Transform> local;
    for (const Node& node : clip.skeleton.nodes) {
        local.push_back(node.rest_local);
    }
    for (const Track& track : clip.tracks) {
        std::size_t key = 0;
        while (key + 1 < track.key_count() && track.times[key + 1] <= time + 1e-9) {
            ++key;
        }
        if (track.channel == Channel::rotation) {
            local[track.node].rotation = glm::normalize(track.rotation(key));
        } else if (track.channel == Channel::translation) {
            local[track.node].translation = track.translation(key);
        }
    }
    std::vector<Transform> world;
    for (std::size_t node = 0; node < local.size(); ++node) {
        const auto parent = clip.skeleton.nodes[node].parent;
        if (!parent) {
            world.push_back(local[node]);
            continue;
        }
        const Transform& above = world[*parent];
        world.push_back({above.rotation * local[node].rotation,
                         above.translation + above.rotation * local[node].translation});
    }
    return world;
}

inline Clip still(const Body& body) { return {body.skeleton, {}, {}, 1.0}; }

/// Rotates the joint from its rest by each of `turns`, thirty per second.
inline void turn_joint(Clip& clip, std::size_t node, const std::vector<glm::dquat>& turns) {
    Track track{node, Channel::rotation};
    for (std::size_t key = 0; key < turns.size(); ++key) {
        add_row(track, static_cast<double>(key) / 30.0,
                glm::normalize(clip.skeleton.nodes[node].rest_local.rotation * turns[key]));
    }
    clip.tracks.push_back(track);
}

inline std::vector<double> key_times(const Clip& clip) {
    return clip.tracks.empty() ? std::vector<double>{0.0} : clip.tracks.front().times;
}

inline double degrees_between(const glm::dvec3& a, const glm::dvec3& b) {
    return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b)) * 180.0 / std::numbers::pi;
}

inline rig::retarget::Retargeted retargeted(const Clip& clip, const Body& source, const Body& target,
                                            const rig::retarget::RetargetOptions& options = {}) {
    auto result = rig::retarget::retarget(clip, source.rig, target.skeleton, target.rig, options);
    if (!result) {
        throw std::runtime_error(result.error().message());
    }
    return *std::move(result);
}

/// The largest distance of the heads of equal slots in two clips of the same proportions, metres.
inline double largest_distance(const Clip& a, const Body& body_a, const Clip& b, const Body& body_b,
                               const std::vector<double>& times) {
    double largest = 0;
    for (const double time : times) {
        const std::vector<Transform> world_a = placed(a, time);
        const std::vector<Transform> world_b = placed(b, time);
        for (const rig::humanoid::FoundSlot& slot : body_a.rig.slots) {
            const glm::dvec3 apart =
                world_a[slot.joint].translation - world_b[joint_at(body_b, slot.slot)].translation;
            largest = std::max(largest, glm::length(apart));
        }
    }
    return largest;
}

}  // namespace animbridge::test

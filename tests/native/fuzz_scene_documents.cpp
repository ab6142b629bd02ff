// SPDX-License-Identifier: MIT
#include "fuzz_scene_documents.h"

#include <algorithm>
#include <array>
#include <bit>
#include <glm/geometric.hpp>
#include <string>

namespace animbridge::test {

namespace {

using namespace scene_file::file;
using scene_file::file::Camera;
using scene_file::file::Channel;
using scene_file::file::Node;

class Making {
public:
    explicit Making(std::mt19937& random) : random_(random) {}

    std::size_t below(std::size_t end) { return random_() % end; }
    bool one_in(std::size_t count) { return below(count) == 0; }
    double number() { return std::uniform_real_distribution<double>(-3.0, 3.0)(random_); }
    glm::dvec3 vector() { return {number(), number(), number()}; }
    glm::dquat rotation() { return glm::normalize(glm::dquat(number(), number(), number(), 3.5)); }

    std::string name() {
        static const std::array<const char*, 8> names = {"Hips", "Hips",        "",    "mPelvis", "\xff!",
                                                         "頭.L", "a \"quote\"", "Bone"};
        return one_in(16) ? std::string("a\0b", 3) : names.at(below(names.size()));
    }

    Placement placement() {
        Placement made{vector(), rotation(), {1, 1, 1}};
        if (one_in(3)) {
            made.scale = vector();
        }
        return made;
    }

    Node node(std::size_t index) {
        Node made{name()};
        if (index > 0 && !one_in(5)) {
            made.parent = static_cast<std::uint32_t>(below(index));
        }
        made.rest = placement();
        made.role = static_cast<NodeRole>(below(4));
        made.is_skinned = one_in(2);
        if (one_in(2)) {
            made.bind_world = placement();
        }
        return made;
    }

    Channel channel(std::uint32_t node, Target target) {
        Channel made{node, target, static_cast<KeyKind>(below(3))};
        const std::size_t keys = 1 + below(4);
        double seconds = number();
        std::vector<double>& times = made.times_seconds.edit();
        std::vector<double>& values = made.values.edit();
        for (std::size_t key = 0; key < keys; ++key) {
            times.push_back(seconds);
            seconds += 0.01 + std::abs(number());
            const glm::dquat q = rotation();
            const std::array<double, 4> row = {q.w, q.x, q.y, q.z};
            values.insert(values.end(), row.begin(), row.begin() + static_cast<long>(width_of(target)));
        }
        if (made.kind == KeyKind::cubic) {
            for (std::size_t i = 0; i < 2 * made.values.size(); ++i) {
                made.tangents.edit().push_back(number());
            }
        }
        return made;
    }

    Animation animation(std::size_t nodes) {
        Animation made{name(), std::abs(number())};
        for (std::uint32_t node = 0; node < nodes; ++node) {
            for (const Target target : {Target::translation, Target::rotation, Target::scale}) {
                if (one_in(3)) {
                    made.channels.push_back(channel(node, target));
                }
            }
        }
        return made;
    }

private:
    std::mt19937& random_;
};

bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
bool same(const glm::dvec3& a, const glm::dvec3& b) {
    return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z);
}
bool same(const std::vector<double>& a, const std::vector<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return same(x, y); });
}
bool same(const Placement& a, const Placement& b) {
    return same(a.translation, b.translation) && same(a.scale, b.scale) && same(a.rotation.w, b.rotation.w) &&
           same(a.rotation.x, b.rotation.x) && same(a.rotation.y, b.rotation.y) &&
           same(a.rotation.z, b.rotation.z);
}
bool same(const std::optional<Placement>& a, const std::optional<Placement>& b) {
    return a.has_value() == b.has_value() && (!a || same(*a, *b));
}
bool same(const Node& a, const Node& b) {
    return a.name == b.name && a.parent == b.parent && same(a.rest, b.rest) && a.role == b.role &&
           a.is_skinned == b.is_skinned && same(a.bind_world, b.bind_world);
}
bool same(const Channel& a, const Channel& b) {
    return a.node == b.node && a.target == b.target && a.kind == b.kind &&
           same(a.times_seconds, b.times_seconds) && same(a.values, b.values) && same(a.tangents, b.tangents);
}

template <typename Item, typename Same>
bool all_same(const std::vector<Item>& a, const std::vector<Item>& b, Same are_same) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), are_same);
}

bool same_animation(const Animation& a, const Animation& b) {
    return a.name == b.name && same(a.duration_seconds, b.duration_seconds) &&
           all_same(a.channels, b.channels, [](const Channel& x, const Channel& y) { return same(x, y); });
}

bool same_note(const Note& a, const Note& b) {
    return a.kind == b.kind && a.node == b.node && a.count == b.count && a.text == b.text;
}

bool same_space(const Space& a, const Space& b) {
    return a.up == b.up && a.front == b.front && same(a.metres_per_unit, b.metres_per_unit) &&
           a.says_axes == b.says_axes && a.says_unit == b.says_unit;
}

}  // namespace

Document any_scene(std::mt19937& random) {
    Making making(random);
    Document made{"gltf", "a program 1.0", making.name(), making.one_in(2) ? "VRM 1.0" : ""};
    made.space.up = static_cast<Axis>(making.below(6));
    made.space.front =
        static_cast<Axis>((static_cast<std::size_t>(made.space.up) / 2 * 2 + 2 + making.below(4)) % 6);
    made.space.metres_per_unit = 0.01 + std::abs(making.number());
    made.space.says_axes = making.one_in(2);
    made.space.says_unit = making.one_in(2);
    made.frames_per_second = making.one_in(2) ? 0.0 : 30.0;
    const std::size_t nodes = 1 + making.below(8);
    for (std::size_t i = 0; i < nodes; ++i) {
        made.nodes.push_back(making.node(i));
    }
    const auto any_node = [&] { return static_cast<std::uint32_t>(making.below(nodes)); };
    if (making.one_in(3)) {
        made.cameras.push_back({any_node(), 45.5});
    }
    const std::size_t animations = making.below(3);
    for (std::size_t i = 0; i < animations; ++i) {
        made.animations.push_back(making.animation(nodes));
    }
    if (making.one_in(3)) {
        made.human_bones.push_back({"leftUpperArm", any_node()});
    }
    if (making.one_in(3)) {
        made.notes.push_back({static_cast<NoteKind>(making.below(8)), any_node(), 3, making.name()});
        made.notes.push_back({NoteKind::other, std::nullopt, 1, ""});
        made.notes.back().node.reset();
    }
    return made;
}

bool are_equal(const Document& a, const Document& b) {
    return a.loader == b.loader && a.program == b.program && a.generator == b.generator &&
           a.human_format == b.human_format && same_space(a.space, b.space) &&
           same(a.frames_per_second, b.frames_per_second) &&
           all_same(a.nodes, b.nodes, [](const Node& x, const Node& y) { return same(x, y); }) &&
           all_same(a.cameras, b.cameras,
                    [](const Camera& x, const Camera& y) {
                        return x.node == y.node &&
                               same(x.horizontal_field_degrees, y.horizontal_field_degrees);
                    }) &&
           all_same(a.animations, b.animations, same_animation) &&
           all_same(
               a.human_bones, b.human_bones,
               [](const HumanBone& x, const HumanBone& y) { return x.slot == y.slot && x.node == y.node; }) &&
           all_same(a.notes, b.notes, same_note);
}

}  // namespace animbridge::test

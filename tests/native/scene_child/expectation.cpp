// SPDX-License-Identifier: MIT
#include "scene_child/expectation.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <glm/geometric.hpp>
#include <numbers>
#include <set>

#include "scene_child/scene_motion.h"
#include "support.h"

namespace animbridge::test {

namespace {

using Json = nlohmann::json;

/// From the file's space to clip space, by the expectation.
struct ToClip {
    glm::dmat3 axes{1};
    double metres_per_unit = 1;

    explicit ToClip(const Json& expected) : metres_per_unit(expected.at("metres_per_unit").get<double>()) {
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column) {
                // The loader of the left-handed X files reverses their Z.
                const double sign = expected.at("format") == "x" && column == 2 ? -1 : 1;
                axes[column][row] =
                    sign *
                    expected.at("axes")[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]
                        .get<double>();
            }
        }
    }
    [[nodiscard]] glm::dvec3 point(const glm::dmat4& world) const {
        return metres_per_unit * (axes * glm::dvec3(world[3]));
    }
    [[nodiscard]] glm::dmat3 linear(const glm::dmat3& m) const { return axes * m * glm::transpose(axes); }
};

glm::dvec3 point_in(const Json& numbers) {
    return {numbers[0].get<double>(), numbers[1].get<double>(), numbers[2].get<double>()};
}

glm::dmat3 rotation_in(const Json& q) {
    return glm::mat3_cast(glm::normalize(
        glm::dquat(q[0].get<double>(), q[1].get<double>(), q[2].get<double>(), q[3].get<double>())));
}

/// The linear part of a matrix by rows.
glm::dmat3 linear_in(const Json& numbers) {
    glm::dmat3 result(1);
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column) {
            result[static_cast<int>(column)][static_cast<int>(row)] = numbers[row * 4 + column].get<double>();
        }
    }
    return result;
}

double largest(const glm::dmat3& m) {
    double result = 0;
    for (int column = 0; column < 3; ++column) {
        for (int row = 0; row < 3; ++row) {
            result = std::max(result, std::abs(m[column][row]));
        }
    }
    return result;
}

/// From the length of the axis part, which is precise for small angles.
double angle_degrees(const glm::dmat3& a, const glm::dmat3& b) {
    const glm::dquat q = glm::quat_cast(glm::transpose(a) * b);
    return 2 * std::atan2(std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z), std::abs(q.w)) * 180 /
           std::numbers::pi;
}

/// The document's node for each expected node, by its position in the tree; empty: the trees differ.
std::vector<std::size_t> match(const scene_file::file::Document& document, const Json& nodes) {
    std::vector<std::vector<std::size_t>> expected(nodes.size() + 1);
    std::vector<std::vector<std::size_t>> found(document.nodes.size() + 1);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        expected[nodes[i].at("parent").is_null() ? nodes.size() : nodes[i]["parent"].get<std::size_t>()]
            .push_back(i);
    }
    for (std::size_t i = 0; i < document.nodes.size(); ++i) {
        found[document.nodes[i].parent ? std::size_t{*document.nodes[i].parent} : document.nodes.size()]
            .push_back(i);
    }
    std::vector<std::size_t> result(nodes.size(), 0);
    std::vector<std::pair<std::size_t, std::size_t>> open{{nodes.size(), document.nodes.size()}};
    while (!open.empty()) {
        const auto [there, here] = open.back();
        open.pop_back();
        if (expected[there].size() != found[here].size()) {
            return {};
        }
        for (std::size_t i = 0; i < found[here].size(); ++i) {
            result[expected[there][i]] = found[here][i];
            open.emplace_back(expected[there][i], found[here][i]);
        }
    }
    return result;
}

class Comparison {
public:
    Comparison(const scene_file::file::Document& document, const Json& expected)
        : document_(document), expected_(expected), to_clip_(expected) {}

    Difference run() {
        nodes_ = match(document_, expected_.at("nodes"));
        if (nodes_.empty() && !expected_.at("nodes").empty()) {
            say("the trees of nodes differ");
            return result_;
        }
        compare_nodes();
        compare_space();
        compare_cameras();
        compare_humans();
        if (expected_.at("animations").size() != document_.animations.size()) {
            say("found " + std::to_string(document_.animations.size()) + " animations");
            return result_;
        }
        for (std::size_t i = 0; i < document_.animations.size(); ++i) {
            compare_animation(document_.animations[i], expected_["animations"][i]);
        }
        return result_;
    }

private:
    void say(std::string what) { result_.differences.push_back(std::move(what)); }

    void compare_nodes() {
        const WorldPose rest = rest_pose_of(document_);
        std::set<std::uint32_t> animated;
        for (const scene_file::file::Animation& animation : document_.animations) {
            for (const scene_file::file::Channel& channel : animation.channels) {
                animated.insert(channel.node);
            }
        }
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const Json& told = expected_["nodes"][i];
            const scene_file::file::Node& node = document_.nodes[nodes_[i]];
            const std::string place = "node " + std::to_string(i) + ": ";
            if (node.name != told.at("name").get<std::string>()) {
                say(place + "its name is \"" + node.name + "\"");
            }
            const auto roles = told.at("roles").get<std::set<std::string>>();
            const auto check = [&](const char* role, bool is) {
                if ((roles.count(role) > 0) != is) {
                    say(place + (is ? "it is " : "it is not ") + role);
                }
            };
            check("skinned", node.is_skinned);
            check("animated", animated.count(static_cast<std::uint32_t>(nodes_[i])) > 0);
            check("camera", node.role == scene_file::file::NodeRole::camera);
            check("light", node.role == scene_file::file::NodeRole::light);
            if (roles.count("camera") + roles.count("light") == 0) {
                check("mesh", node.role == scene_file::file::NodeRole::mesh);
            }
            if (roles.count("camera") == 0) {  // cameras' frames are turned
                compare_place(rest.matrices[nodes_[i]], told.at("world_rest"), result_.rest_metres);
            }
            if (told.contains("world_bind") != node.bind_world.has_value()) {
                say(place + "it has a bind place, or has none");
            } else if (node.bind_world) {
                compare_place(matrix_from(*node.bind_world), told.at("world_bind"), result_.bind_metres);
            }
        }
    }

    void compare_place(const glm::dmat4& world, const Json& told, double& metres) {
        const glm::dvec3 head(told[3].get<double>(), told[7].get<double>(), told[11].get<double>());
        metres = std::max(metres, glm::distance(to_clip_.point(world), head));
        result_.rest_linear =
            std::max(result_.rest_linear, largest(to_clip_.linear(glm::dmat3(world)) - linear_in(told)));
    }

    void compare_space() {
        const scene_file::file::Space& space = document_.space;
        if (!space.says_axes) {
            return;
        }
        const auto direction = [&](scene_file::file::Axis axis) {
            glm::dvec3 result(0);
            result[static_cast<int>(axis) / 2] = static_cast<int>(axis) % 2 == 0 ? 1 : -1;
            return to_clip_.axes * result;
        };
        if (glm::distance(direction(space.up), {0, 0, 1}) > 1e-9) {
            say("up is " + std::string(scene_file::file::axis_names[static_cast<std::size_t>(space.up)]));
        }
        if (glm::distance(direction(space.front), {0, -1, 0}) > 1e-9) {
            say("front is " +
                std::string(scene_file::file::axis_names[static_cast<std::size_t>(space.front)]));
        }
        if (std::abs(space.metres_per_unit / to_clip_.metres_per_unit - 1) > 1e-6) {
            say("a unit is " + std::to_string(space.metres_per_unit) + " m");
        }
    }

    void compare_cameras() {
        const Json told = expected_.value("cameras", Json::array());
        if (told.size() != document_.cameras.size()) {
            say("found " + std::to_string(document_.cameras.size()) + " cameras");
        }
    }

    void compare_humans() {
        if (!expected_.contains("humanoid")) {
            return;
        }
        const Json& bones = expected_["humanoid"].at("bones");
        if (bones.size() != document_.human_bones.size()) {
            say("found " + std::to_string(document_.human_bones.size()) + " human bones");
        }
        for (const scene_file::file::HumanBone& bone : document_.human_bones) {
            if (!bones.contains(bone.slot) || nodes_[bones[bone.slot].get<std::size_t>()] != bone.node) {
                say(bone.slot + " is another node");
            }
        }
    }

    void compare_animation(const scene_file::file::Animation& animation, const Json& told) {
        if (animation.name != told.at("name").get<std::string>()) {
            say("an animation is called \"" + animation.name + "\"");
        }
        for (std::size_t t = 0; t < told.at("times_seconds").size(); ++t) {
            const WorldPose pose = pose_of(document_, animation, told["times_seconds"][t].get<double>());
            const bool on_key = told.at("on_key")[t].get<bool>();
            double& metres = on_key ? result_.key_metres : result_.between_metres;
            double& degrees = on_key ? result_.key_degrees : result_.between_degrees;
            for (std::size_t j = 0; j < told.at("joints").size(); ++j) {
                const std::size_t node = nodes_[told["joints"][j].get<std::size_t>()];
                metres = std::max(metres, glm::distance(to_clip_.point(pose.matrices[node]),
                                                        point_in(told.at("world_heads")[t][j])));
                const glm::dmat3 turned = to_clip_.linear(glm::mat3_cast(pose.rotations[node]));
                if (document_.nodes[node].role != scene_file::file::NodeRole::camera &&
                    !is_mirrored(pose.matrices[node])) {
                    degrees = std::max(degrees,
                                       angle_degrees(turned, rotation_in(told.at("world_rotations")[t][j])));
                }
            }
        }
    }

    /// A mirrored placement has several forms, each with another rotation.
    static bool is_mirrored(const glm::dmat4& world) { return glm::determinant(glm::dmat3(world)) < 0; }

    const scene_file::file::Document& document_;
    const Json& expected_;
    ToClip to_clip_;
    std::vector<std::size_t> nodes_;
    Difference result_;
};

}  // namespace

std::filesystem::path scene_folder() { return fixtures_root() / "scene"; }

std::vector<std::string> scene_files(const std::string& format) {
    const std::string ending = ".expect.json";
    std::vector<std::string> result;
    for (const auto& entry : std::filesystem::directory_iterator(scene_folder())) {
        const std::string name = entry.path().filename().string();
        if (name.size() > ending.size() && name.substr(name.size() - ending.size()) == ending) {
            const std::string file = name.substr(0, name.size() - ending.size());
            if (expectation_of(file).at("format") == format) {
                result.push_back(file);
            }
        }
    }
    std::sort(result.begin(), result.end());
    return result;
}

nlohmann::json expectation_of(const std::string& file) {
    std::ifstream stream(scene_folder() / (file + ".expect.json"));
    return nlohmann::json::parse(stream);
}

Difference compare(const scene_file::file::Document& document, const nlohmann::json& expected) {
    return Comparison(document, expected).run();
}

}  // namespace animbridge::test

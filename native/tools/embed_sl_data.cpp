// SPDX-License-Identifier: MIT
// Build tool: turns the skeleton's and the animation states' JSON into C++ tables.
// Usage: embed_sl_data SKELETON.json STATES.json SKELETON.inc STATES.inc
#include <array>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

using Json = nlohmann::ordered_json;

Json load(const char* path) {
    std::ifstream file(path);
    if (!file) {
        throw std::runtime_error(std::string("cannot open ") + path);
    }
    return Json::parse(file);
}

std::string quoted(const Json& text) { return text.is_null() ? "\"\"" : text.dump(); }

std::string triple(const Json& numbers) {
    std::ostringstream text;
    text << "{" << numbers.at(0) << ", " << numbers.at(1) << ", " << numbers.at(2) << "}";
    return text.str();
}

/// Collects the rows of joints, with parents as indices.
class JointTable {
public:
    void add(const char* kind, const Json& joint, const Json& parent, const std::string& aliases) {
        const int parent_index = parent.is_string() && index_.contains(parent) ? index_.at(parent) : -1;
        const Json zero = {0.0, 0.0, 0.0};
        const Json one = {1.0, 1.0, 1.0};
        rows_ << "    RawJoint{" << quoted(joint.at("name")) << ", JointKind::" << kind << ", "
              << parent_index << ", " << triple(joint.at("pos")) << ", "
              << triple(joint.value("rot_deg", zero)) << ", " << triple(joint.value("end", zero)) << ", "
              << triple(joint.value("scale", one)) << ", " << quoted(joint.value("group", "")) << ", "
              << quoted(joint.value("support", "")) << ", \"" << aliases << "\", "
              << (joint.value("hud", false) ? "true" : "false") << "},\n";
        index_.emplace(joint.at("name"), count_++);
    }
    [[nodiscard]] std::string text() const {
        return "constexpr std::array<RawJoint, " + std::to_string(count_) + "> raw_joints = {{\n" +
               rows_.str() + "}};\n";
    }

private:
    std::ostringstream rows_;
    std::map<std::string, int> index_;
    int count_ = 0;
};

/// The aliases of a joint, each followed by a newline.
std::string joined(const Json& aliases) {
    std::string text;
    for (const auto& alias : aliases) {
        text += alias.get<std::string>() + "\\n";
    }
    return text;
}

std::string joint_table(const Json& skeleton) {
    JointTable table;
    for (const auto& bone : skeleton.at("bones")) {
        table.add("bone", bone, bone.at("parent"), joined(bone.at("aliases")));
    }
    for (const auto& volume : skeleton.at("collision_volumes")) {
        table.add("collision_volume", volume, volume.at("parent"), "");
    }
    for (const auto& point : skeleton.at("attachment_points")) {
        // The viewer also accepts attachment points with underscores in place of spaces.
        auto underscored = point.at("name").get<std::string>();
        for (char& character : underscored) {
            character = character == ' ' ? '_' : character;
        }
        const bool differs = underscored != point.at("name").get<std::string>();
        table.add("attachment_point", point, point.at("joint"), differs ? underscored + "\\n" : "");
    }
    return table.text();
}

std::string state_table(const Json& states) {
    std::ostringstream names;
    std::ostringstream ids;
    for (const auto& [name, id] : states.at("states").items()) {
        names << "    \"" << name << "\",\n";
        ids << "    \"" << id.get<std::string>() << "\",\n";
    }
    const std::string type =
        "constexpr std::array<std::string_view, " + std::to_string(states.at("states").size()) + ">";
    return type + " state_names = {{\n" + names.str() + "}};\n" + type + " state_ids = {{\n" + ids.str() +
           "}};\n";
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc != 5) {
            throw std::runtime_error(
                "usage: embed_sl_data SKELETON.json STATES.json SKELETON.inc STATES.inc");
        }
        std::ofstream(argv[3]) << joint_table(load(argv[1]));
        std::ofstream(argv[4]) << state_table(load(argv[2]));
        return 0;
    } catch (const std::exception& problem) {
        std::cerr << "embed_sl_data: " << problem.what() << "\n";
        return 1;
    }
}

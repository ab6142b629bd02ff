// SPDX-License-Identifier: MIT
#include "scene_child/read/read.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <utility>
#include <vector>

namespace animbridge::scene_child::read {

namespace {

using scene_file::file::Target;

constexpr std::size_t numbers_of_matrix = 16;

tl::unexpected<Error> not_as_written(const std::string& what) {
    return fail(ErrorCode::bad_value, "the COLLADA file is not as AnimBridge writes it: " + what);
}

/// Words separated by blanks.
std::vector<std::string_view> words_of(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    std::vector<std::string_view> words;
    for (std::size_t at = text.find_first_not_of(blanks); at != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
        words.push_back(text.substr(at, end - at));
        at = text.find_first_not_of(blanks, end);
    }
    return words;
}

Result<std::vector<double>> numbers_of(std::string_view text) {
    std::vector<double> numbers;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (true) {
        at = std::find_if(at, end, [](char c) { return c != ' ' && c != '\t' && c != '\r' && c != '\n'; });
        if (at == end) {
            return numbers;
        }
        const auto [next, fault] = std::from_chars(at, end, numbers.emplace_back());
        if (fault != std::errc()) {
            return not_as_written("\"" + std::string(at, end - at > 20 ? at + 20 : end) +
                                  "\" is not a number");
        }
        at = next;
    }
}

/// Files store matrices by rows.
glm::dmat4 matrix_of_rows(const double* rows) {
    glm::dmat4 matrix(1);
    for (int i = 0; i < 16; ++i) {
        matrix[i % 4][i / 4] = rows[i];
    }
    return matrix;
}

/// The id in "#id" or "id/matrix".
std::string id_in(const pugi::xml_attribute& attribute) {
    const std::string_view text = attribute.value();
    const std::size_t begin = text.starts_with('#') ? 1 : 0;
    return std::string(text.substr(begin, text.find('/') - begin));
}

class WrittenDae {
public:
    explicit WrittenDae(const pugi::xml_node& root) : root_(root) {}

    Result<scene_file::file::Document> read() {
        document_.loader = "collada";
        document_.program = "AnimBridge";
        document_.generator = root_.child("asset").child("contributor").child_value("authoring_tool");
        TRY_VOID(take_space());
        collect(root_);
        TRY_VOID(take_nodes(root_.child("library_visual_scenes").child("visual_scene"), std::nullopt, 1));
        TRY_VOID(take_skins());
        TRY_VOID(take_animation());
        document_.notes = notes_.take();
        return std::move(document_);
    }

private:
    Result<void> take_space() {
        const pugi::xml_node asset = root_.child("asset");
        constexpr std::array<std::pair<std::string_view, scene_file::file::Space>, 3> spaces = {
            {{"X_UP", {scene_file::file::Axis::plus_x, scene_file::file::Axis::plus_z}},
             {"Y_UP", {scene_file::file::Axis::plus_y, scene_file::file::Axis::plus_z}},
             {"Z_UP", {scene_file::file::Axis::plus_z, scene_file::file::Axis::minus_y}}}};
        const std::string_view up = asset.child_value("up_axis");
        const auto* const found =
            std::ranges::find_if(spaces, [&](const auto& space) { return space.first == up; });
        if (found == spaces.end()) {
            return not_as_written("it does not say which axis is up");
        }
        document_.space = found->second;
        const double unit = asset.child("unit").attribute("meter").as_double(1.0);
        if (!(unit > 0) || !std::isfinite(unit)) {
            return not_as_written("its unit has no length");
        }
        document_.space.metres_per_unit = unit;
        document_.space.says_axes = true;
        document_.space.says_unit = true;
        return {};
    }

    /// Sources, samplers and cameras, by their ids.
    void collect(const pugi::xml_node& above) {
        for (const pugi::xml_node& element : above.children()) {
            const std::string_view kind = element.name();
            if (kind == "source" || kind == "sampler" || kind == "camera") {
                by_id_.emplace(element.attribute("id").value(), element);
            } else if (kind != "node" && kind != "mesh") {
                collect(element);
            }
        }
    }

    [[nodiscard]] pugi::xml_node named(const std::string& id) const {
        const auto found = by_id_.find(id);
        return found == by_id_.end() ? pugi::xml_node() : found->second;
    }

    /// The source that an element's input of this meaning names.
    [[nodiscard]] pugi::xml_node source_of(const pugi::xml_node& element, const char* semantic) const {
        return named(
            id_in(element.find_child_by_attribute("input", "semantic", semantic).attribute("source")));
    }

    Result<void> take_nodes(const pugi::xml_node& above, std::optional<std::uint32_t> parent,
                            std::size_t depth) {
        if (depth > scene_file::file::deepest_node) {
            return not_as_written("its nodes hang too deep");
        }
        for (const pugi::xml_node& element : above.children("node")) {
            TRY(const auto rows, numbers_of(element.child_value("matrix")));
            if (rows.size() != numbers_of_matrix) {
                return not_as_written("a node has no matrix");
            }
            const scene_file::file::Decomposed rest =
                scene_file::file::decompose(matrix_of_rows(rows.data()));
            const auto index = static_cast<std::uint32_t>(document_.nodes.size());
            if (!rest.is_finite) {
                notes_.add(scene_file::file::NoteKind::bad_number, index);
            }
            document_.nodes.push_back({element.attribute("name").value(), parent, rest.placement});
            nodes_.emplace(element.attribute("id").value(), index);
            take_role(element, index);
            TRY_VOID(take_nodes(element, index, depth + 1));
        }
        return {};
    }

    void take_role(const pugi::xml_node& element, std::uint32_t index) {
        if (!element.child("instance_geometry").empty() || !element.child("instance_controller").empty()) {
            document_.nodes[index].role = scene_file::file::NodeRole::mesh;
        }
        if (const pugi::xml_node camera = element.child("instance_camera"); !camera.empty()) {
            document_.nodes[index].role = scene_file::file::NodeRole::camera;
            const pugi::xml_node lens =
                named(id_in(camera.attribute("url"))).child("optics").child("technique_common");
            const double field = lens.child("perspective").child("xfov").text().as_double(0.0);
            document_.cameras.push_back({index, field > 0 && field < 180 ? field : 0});
        }
    }

    Result<void> take_skins() {
        for (const pugi::xml_node& controller : root_.child("library_controllers").children("controller")) {
            const pugi::xml_node joints = controller.child("skin").child("joints");
            const auto names = words_of(source_of(joints, "JOINT").child_value("Name_array"));
            TRY(const auto rows, numbers_of(source_of(joints, "INV_BIND_MATRIX").child_value("float_array")));
            if (rows.size() != names.size() * numbers_of_matrix) {
                return not_as_written("a skin has another number of joints than of matrices");
            }
            for (std::size_t joint = 0; joint < names.size(); ++joint) {
                const auto node = nodes_.find(names[joint]);
                const glm::dmat4 matrix = matrix_of_rows(&rows[joint * numbers_of_matrix]);
                if (node == nodes_.end() || !scene_file::file::decompose(matrix).has_volume) {
                    return not_as_written("a skin's joint has no node, or no place");
                }
                document_.nodes[node->second].is_skinned = true;
                document_.nodes[node->second].bind_world =
                    scene_file::file::decompose(glm::inverse(matrix)).placement;
            }
        }
        return {};
    }

    Result<void> take_animation() {
        const pugi::xml_node animation = root_.child("library_animations").child("animation");
        if (animation.empty()) {
            return {};
        }
        scene_file::file::AnimationMaker maker(animation.attribute("name").value(), notes_);
        for (const pugi::xml_node& channel : animation.children("channel")) {
            const auto node = nodes_.find(id_in(channel.attribute("target")));
            const pugi::xml_node sampler = named(id_in(channel.attribute("source")));
            if (node == nodes_.end()) {
                return not_as_written("a channel moves what is not there");
            }
            TRY(const auto times, numbers_of(source_of(sampler, "INPUT").child_value("float_array")));
            TRY(const auto rows, numbers_of(source_of(sampler, "OUTPUT").child_value("float_array")));
            if (times.empty() || rows.size() != times.size() * numbers_of_matrix) {
                return not_as_written("a channel has another number of times than of matrices");
            }
            take_keys(maker, node->second, times, rows);
        }
        document_.animations.push_back(maker.take());
        return {};
    }

    static void take_keys(scene_file::file::AnimationMaker& maker, std::uint32_t node,
                          const scene_file::file::SharedNumbers& times, const std::vector<double>& rows) {
        std::vector<double> moves;
        std::vector<double> turns;
        std::vector<double> scales;
        bool is_scaled = false;
        for (std::size_t key = 0; key < times.size(); ++key) {
            const scene_file::file::Placement at =
                scene_file::file::decompose(matrix_of_rows(&rows[key * numbers_of_matrix])).placement;
            const auto& [t, q, s] = at;
            moves.insert(moves.end(), {t.x, t.y, t.z});
            turns.insert(turns.end(), {q.w, q.x, q.y, q.z});
            scales.insert(scales.end(), {s.x, s.y, s.z});
            constexpr double rounding = 1e-5;
            is_scaled =
                is_scaled || std::max({std::abs(s.x - 1), std::abs(s.y - 1), std::abs(s.z - 1)}) > rounding;
        }
        const auto add = [&](Target target, std::vector<double>& values) {
            maker.add({node, target, scene_file::file::KeyKind::linear, times, std::move(values)});
        };
        add(Target::translation, moves);
        add(Target::rotation, turns);
        if (is_scaled) {
            add(Target::scale, scales);
        }
    }

    pugi::xml_node root_;
    scene_file::file::Document document_;
    scene_file::file::Notes notes_;
    std::map<std::string, pugi::xml_node, std::less<>> by_id_;
    std::map<std::string, std::uint32_t, std::less<>> nodes_;
};

}  // namespace

Result<scene_file::file::Document> read_written_dae(ByteView file) {
    pugi::xml_document xml;
    const pugi::xml_parse_result parsed = xml.load_buffer(file.data(), file.size());
    if (!parsed) {
        return not_as_written(parsed.description());
    }
    return WrittenDae(xml.child("COLLADA")).read();
}

}  // namespace animbridge::scene_child::read

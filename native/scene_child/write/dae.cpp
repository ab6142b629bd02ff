// SPDX-License-Identifier: MIT
#include "base/base.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "scene_child/write/parts.h"

namespace animbridge::scene_child::write {

namespace {

bool is_name_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_name_letter(c) || (c >= '0' && c <= '9') || c == '-'; }

/// A valid XML id made from a name: other characters become "_". So do dots, which separate the parts of a
/// node in the address of a channel's target.
std::string xml_id(const std::string& name) {
    std::string id;
    for (const char c : name) {
        const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;  // within a character
        if (!continues) {
            id.push_back(is_name_part(c) ? c : '_');
        }
    }
    if (id.empty() || !is_name_letter(id.front())) {
        id.insert(id.begin(), '_');
    }
    return id;
}

/// An id for each node. Files name joints by ids, so they equal the names if possible.
std::vector<std::string> xml_ids(const scene_file::file::Document& document) {
    std::set<std::string> taken = {std::string(root_name), std::string(carrier_name)};
    std::vector<std::string> ids;
    for (const scene_file::file::Node& node : document.nodes) {
        const std::string wanted = xml_id(node.name);
        std::string id = wanted;
        for (int i = 2; !taken.insert(id).second; ++i) {
            id = wanted + "_" + std::to_string(i);
        }
        ids.push_back(id);
    }
    return ids;
}

std::string xml_text(const std::string& text) {
    std::string result;
    for (const char c : to_utf8(text)) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                // XML cannot hold other control characters; tabs and line ends become spaces.
                result += static_cast<unsigned char>(c) < 0x20U ? '_' : c;
        }
    }
    return result;
}

/// The name of each id. Readers identify joints by name, so repeated and empty ones are replaced.
std::map<std::string, std::string, std::less<>> xml_names(const scene_file::file::Document& document,
                                                          const std::vector<std::string>& ids) {
    std::set<std::string> taken;
    std::map<std::string, std::string, std::less<>> names;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const std::string wanted = document.nodes[i].name.empty() ? "_" : xml_text(document.nodes[i].name);
        std::string name = wanted;
        for (int count = 2; !taken.insert(name).second; ++count) {
            name = wanted + "." + std::to_string(count);
        }
        names.emplace(ids[i], std::move(name));
    }
    return names;
}

std::string number_text(double value) {
    std::array<char, 32> text{};
    const auto [end, fault] = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), end};
}

/// COLLADA itself has no element for the frame rate. 3ds Max has one, and other programs read it.
std::string frame_rate_text(double frames_per_second) {
    return R"(<extra><technique profile="MAX3D"><frame_rate>)" + number_text(frames_per_second) +
           "</frame_rate></technique></extra>";
}

Result<std::string> up_axis_of(const scene_file::file::Space& space) {
    using scene_file::file::Axis;
    // COLLADA 1.4.1 defines up; the front follows from it.
    constexpr std::array<std::pair<Axis, std::string_view>, 3> ups = {
        {{Axis::plus_x, "X_UP"}, {Axis::plus_y, "Y_UP"}, {Axis::plus_z, "Z_UP"}}};
    const auto* const found = std::ranges::find_if(ups, [&](const auto& up) { return up.first == space.up; });
    if (found == ups.end()) {
        return fail(ErrorCode::rejected,
                    "COLLADA has no word for a space where up is " +
                        std::string(scene_file::file::axis_names[static_cast<std::size_t>(space.up)]) +
                        "; allowed are X, Y and Z");
    }
    return std::string(found->second);
}

/// Copies a text while replacing parts of it from front to back.
class Editor {
public:
    explicit Editor(std::string_view text) : text_(text) { result_.reserve(text.size() + text.size() / 16); }

    /// Goes to the next `what`; false if there is none.
    bool go_to(std::string_view what) {
        const std::size_t found = text_.find(what, at_);
        if (found == std::string_view::npos) {
            return false;
        }
        copy_until(found + what.size());
        return true;
    }

    /// Inserts a text before the next `what`.
    void insert_before(std::string_view what, std::string_view text) {
        const std::size_t found = text_.find(what, at_);
        if (found != std::string_view::npos) {
            copy_until(found);
            result_ += text;
        }
    }

    /// The text from here up to `end`.
    [[nodiscard]] std::string_view until(std::string_view end) const {
        return text_.substr(at_, text_.find(end, at_) - at_);
    }

    /// Replaces the text from here up to `end`.
    void replace_until(std::string_view end, std::string_view by) {
        result_ += by;
        at_ = std::min(text_.find(end, at_), text_.size());
    }

    [[nodiscard]] Bytes finish() {
        copy_until(text_.size());
        return {result_.begin(), result_.end()};
    }

private:
    void copy_until(std::size_t end) {
        result_ += text_.substr(at_, end - at_);
        at_ = end;
    }

    std::string_view text_;
    std::string result_;
    std::size_t at_ = 0;
};

/// Corrects names, space and times in Assimp's output. The same document always gives the same bytes.
Result<Bytes> mend_dae(ByteView file, const scene_file::file::Document& document,
                       const std::vector<NodeMotion>& motions, const std::vector<std::string>& ids) {
    constexpr std::string_view no_time = "1970-01-01T00:00:00";
    TRY(const std::string up, up_axis_of(document.space));
    const std::map<std::string, std::string, std::less<>> names = xml_names(document, ids);
    Editor editor(text_of(file));
    const auto set = [&](std::string_view begin, std::string_view end, std::string_view by) {
        if (editor.go_to(begin)) {
            editor.replace_until(end, by);
        }
    };
    set("<author>", "<", "AnimBridge");
    set("<authoring_tool>", "<", generator_text());
    set("<created>", "<", no_time);
    set("<modified>", "<", no_time);
    set("<unit name=\"", "/>", "unit\" meter=\"" + number_text(document.space.metres_per_unit) + "\" ");
    set("<up_axis>", "<", up);
    set("<visual_scene ", ">", R"(id="AnimBridgeRoot" name="Scene")");
    while (editor.go_to("<node id=\"")) {
        const auto name = names.find(editor.until("\""));
        if (name != names.end() && editor.go_to(" name=\"")) {
            editor.replace_until("\"", name->second);
        }
    }
    if (document.frames_per_second > 0) {
        editor.insert_before("</visual_scene>", frame_rate_text(document.frames_per_second));
    }
    if (!motions.empty() && !motions.front().name.empty() && editor.go_to("<animation id=\"a0\" name=\"")) {
        editor.replace_until("\"", xml_text(motions.front().name));
    }
    return editor.finish();
}

}  // namespace

Result<Bytes> write_dae(const scene_file::file::Document& document) {
    TRY(std::vector<NodeMotion> motions, motions_of(document));
    if (motions.size() > 1) {
        return fail(ErrorCode::rejected, "a COLLADA file holds one animation, and the scene has " +
                                             std::to_string(motions.size()) + "; write one file for each");
    }
    for (NodeMotion& motion : motions) {
        for (NodeKeys& keys : motion.nodes) {
            add_rotations_for(Blend::components, keys.of(scene_file::file::Target::rotation),
                              document.uneven_degrees);
            fill_targets(keys, document.nodes[keys.node].rest, 0.0);
            unite_times(keys);
        }
    }
    const std::vector<std::string> ids = xml_ids(document);
    const AssimpScene scene = make_scene(document, {ids, motions, false});
    TRY(const Bytes file, export_scene(*scene, "collada"));
    return mend_dae(file, document, motions, ids);
}

}  // namespace animbridge::scene_child::write

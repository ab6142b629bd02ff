// SPDX-License-Identifier: MIT
#include "scene_child/collada_xml.h"

#include <cmath>
#include <pugixml.hpp>
#include <string_view>

namespace animbridge::scene_child {

namespace {

/// Visits each element once.
class Collector : public pugi::xml_tree_walker {
public:
    explicit Collector(ColladaWords& words) : words_(words) {}

    bool for_each(pugi::xml_node& element) override {
        const std::string_view name = element.name();
        if (name == "node") {
            take_node(element);
        } else if (name == "animation_clip" && !element.attribute("name").empty()) {
            words_.clip_names.insert(element.attribute("name").value());
        } else if (name == "animation" && std::string_view(element.parent().name()) == "library_animations") {
            ++words_.animations;
        } else if (name == "frame_rate") {
            take_rate(element.text().as_double());
        } else if (name == "Name_array") {
            take_names(element.text().get());
        }
        return true;
    }

private:
    void take_node(const pugi::xml_node& element) {
        const pugi::xml_attribute id = element.attribute("id");
        if (!id.empty()) {
            words_.node_names.emplace(id.value(), element.attribute("name").value());
        }
    }

    /// 3ds Max introduced it: COLLADA itself has no element for the rate.
    void take_rate(double frames_per_second) {
        if (frames_per_second > 0 && std::isfinite(frames_per_second)) {
            words_.frames_per_second = frames_per_second;
        }
    }

    /// Arrays of names are joints or kinds of interpolation.
    void take_names(std::string_view names) {
        for (const std::string_view kind : {"STEP", "BEZIER", "HERMITE", "BSPLINE", "CARDINAL"}) {
            const std::size_t at = names.find(kind);
            const std::size_t end = at + kind.size();
            const auto is_blank = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
            if (at != std::string_view::npos && (at == 0 || is_blank(names[at - 1])) &&
                (end == names.size() || is_blank(names[end]))) {
                words_.has_curves = true;
            }
        }
    }

    ColladaWords& words_;
};

}  // namespace

ColladaWords collada_words(ByteView file) {
    ColladaWords words;
    pugi::xml_document document;
    if (document.load_buffer(file.data(), file.size())) {
        Collector collector(words);
        document.traverse(collector);
    }
    return words;
}

std::string animation_name(const ColladaWords& words, const std::string& from_assimp) {
    for (std::size_t at = from_assimp.find('_'); at != std::string::npos;
         at = from_assimp.find('_', at + 1)) {
        std::string behind = from_assimp.substr(at + 1);
        if (words.clip_names.contains(behind) || from_assimp.compare(0, at, behind) == 0) {
            return behind;
        }
    }
    return from_assimp;
}

}  // namespace animbridge::scene_child

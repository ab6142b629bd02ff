// SPDX-License-Identifier: MIT
#include <array>
#include <string>

#include "fuzz_calls.h"

namespace animbridge::test {

void Calls::tell_bvh_skeleton() {
    const std::string options = take_object(
        source_,
        {{"forward", {"\"-Z\"", "\"X\"", "\"Y\""}}, {"up", {"\"Y\"", "\"Z\""}}, {"scale", {"0.01", "1e30"}}});
    const ab_document* const given = document();
    Out<ab_buffer> out;
    const BufferHandle told = out.taken(
        made([&](ab_error* e) { return ab_skeleton_json(nullptr, given, options.c_str(), out.place(), e); }));
    if (told != nullptr) {
        require(json_in(told).at("joints").is_array(), "a skeleton without a list of joints");
    }
}

void Calls::export_bvh() {
    std::string options = take_object(source_, {{"forward", {"\"auto\"", "\"X\""}},
                                                {"up", {"\"Z\"", "\"Y\""}},
                                                {"scale", {"0.0254", "1"}},
                                                {"frame_step", {"0.5", "2", "0"}},
                                                {"frame_time_seconds", {"0.04", "1e-300"}},
                                                {"rotation_order", {"\"XYZ\"", "\"native\"", "\"xyz\""}},
                                                {"positions", {"\"root\"", "\"all\"", "\"none\""}},
                                                {"bones", {"null", "[\"mPelvis\"]", "[\"Bone\",\"nobody\"]"}},
                                                {"names", {"{\"mPelvis\":\"hip\"}", "{\"Bone\":\"a b\"}"}},
                                                {"tails", {"null", "[[0,0,1],[1,0,1]]"}}});
    constexpr std::array<const char*, 4> counts = {"1", "3", "12", "0"};
    if (options.size() > 1 && options.front() == '{' && !source_.one_in(16)) {
        options.insert(1, std::string("\"frame_count\":") + counts.at(source_.below(counts.size())) +
                              (options == "{}" ? "" : ","));
    }
    const ab_document* const base = rare_document();
    const bool sampled = source_.below(2) == 0;
    const FuzzSamples samples(source_, sampled ? armature_->view.bone_count : 0, timing_.frame_start);
    const std::vector<ab_curve> given = sampled ? std::vector<ab_curve>() : curves();
    Out<ab_document> out;
    Out<ab_buffer> told;
    const ab_status status = made([&](ab_error* e) {
        return sampled
                   ? ab_document_from_samples("bvh", &armature_->view, &timing_, &samples.view.view, base,
                                              options.c_str(), nullptr, out.place(), told.place(), e)
                   : ab_document_from_curves("bvh", &armature_->view, &timing_, given.data(), given.size(),
                                             base, options.c_str(), nullptr, out.place(), told.place(), e);
    });
    DocumentHandle document = out.taken(status);
    const BufferHandle report = told.taken(status);
    if (document != nullptr) {
        Out<ab_buffer> info;
        const Json about = json_in(info.taken(ab_document_info(document.get(), info.place(), nullptr)));
        const Json json = json_in(report);
        require(json.at("joints") == about.at("joint_count") && json.at("frames") == about.at("frames"),
                "a report of another BVH");
    }
    keep(std::move(document));
}

void Calls::take_from_level() {
    constexpr std::array<const char*, 5> names = {"door", "OBANlift", "#0", "nobody", nullptr};
    const char* const name = names.at(source_.below(names.size()));
    const ab_document* const level = document();
    Out<ab_document> out;
    keep(out.taken(made([&](ab_error* e) { return ab_document_child(level, name, out.place(), e); })));
}

void Calls::replace_in_level() {
    constexpr std::array<const char*, 5> names = {"door", "OBANlift", "#1", "nobody", nullptr};
    const char* const name = names.at(source_.below(names.size()));
    const ab_document* const level = document();
    const ab_document* const oban = document();
    Out<ab_document> out;
    keep(out.taken(
        made([&](ab_error* e) { return ab_document_with_child(level, name, oban, out.place(), e); })));
}

void Calls::export_oban() {
    const std::string options =
        take_object(source_, {{"axes", {"\"blender\"", "\"file\""}},
                              {"origin", {"null", "[1,0,0,0,0,1,0,0,0,0,1,0,2,3,4,1]"}},
                              {"flags", {"1", "16", "4294967296"}},
                              {"half_stop_frame", {"1", "65535", "65536"}},
                              {"frame_length", {"80", "0"}},
                              {"name", {"\"door\"", "\"\"", "\"a\\u0000\""}},
                              {"container", {"\"raw\"", "\"xml\"", "\"oni\""}},
                              {"max_position_mm", {"0", "50", "-1"}},
                              {"max_rotation_degrees", {"0", "5"}},
                              {"door", {"null", "{\"mirror\":true}", "{}"}},
                              {"camera", {"true", "0"}},
                              {"base_matrix", {"[2,0,0,0,0,2,0,0,0,0,2,0,0,0,0,1]", "[]"}}});
    const ab_document* const base = rare_document();
    const bool sampled = source_.below(2) == 0;
    const FuzzSamples samples(source_, 0, 0.0);
    const std::vector<ab_curve> given = sampled ? std::vector<ab_curve>() : curves();
    Out<ab_document> out;
    Out<ab_buffer> told;
    const ab_status status = made([&](ab_error* e) {
        return sampled ? oban_from_samples(samples.objects.data(), samples.view.view.sample_count,
                                           options.c_str(), base, nullptr, out.place(), told.place(), e)
                       : ab_document_from_curves("oban", nullptr, &timing_, given.data(), given.size(), base,
                                                 options.c_str(), nullptr, out.place(), told.place(), e);
    });
    DocumentHandle document = out.taken(status);
    const BufferHandle report = told.taken(status);
    if (document != nullptr) {
        Out<ab_buffer> info;
        const Json about = json_in(info.taken(ab_document_info(document.get(), info.place(), nullptr)));
        require(json_in(report).at("keys") == about.at("keys"), "a report of other keys");
    }
    keep(std::move(document));
}

}  // namespace animbridge::test

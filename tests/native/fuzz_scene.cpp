// SPDX-License-Identifier: MIT
#include "fuzz_scene.h"

#include <array>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>

#include "export_calls.h"
#include "formats/sl_anim/file/file.h"

namespace animbridge::test {

namespace {

constexpr std::array<const char*, 12> bone_names = {"mPelvis",    "mTorso", "mChest", "hip",
                                                    "mWristLeft", "chest",  "L_HAND", "Left Hand",
                                                    "Bone",       "Tail",   "",       "\xff"};

/// A rotation and a position; a few in a thousand are not a transform at all.
void add_matrix(Source& source, std::vector<float>& matrices) {
    static const std::array<glm::quat, 8> turns = {glm::quat(1, 0, 0, 0),
                                                   glm::quat(0.7071068F, 0.7071068F, 0, 0),
                                                   glm::quat(0, 0, 0, 1),
                                                   glm::quat(0.5F, 0.5F, 0.5F, 0.5F),
                                                   glm::quat(0.9990482F, 0, 0.0436194F, 0),
                                                   glm::quat(1, 1e-6F, 0, 0),
                                                   glm::quat(0.6F, 0, 0, -0.8F),
                                                   glm::quat(-0.8F, 0.6F, 0, 0)};
    static const std::array<glm::vec3, 8> places = {
        glm::vec3(0),           glm::vec3(0, 0, 1),  glm::vec3(0, 0.5F, 1), glm::vec3(0.1F, 0, 0),
        glm::vec3(0, 1e-4F, 0), glm::vec3(-3, 2, 1), glm::vec3(0, 0, 2),    glm::vec3(7, 0, 0)};
    const std::size_t choice = source.below(256);
    if (choice >= 252) {
        for (int i = 0; i < 16; ++i) {
            matrices.push_back(source.pick<float>({i % 5 == 0 ? 1.0F : 0.0F, 0.5F, -1.0F, 0.0F}));
        }
        return;
    }
    glm::quat turn = turns.at(choice % turns.size());
    glm::vec3 place = places.at(choice / turns.size() % places.size());
    if (choice >= 192) {
        const auto number = [&] { return static_cast<float>(source.take<std::int8_t>()) / 64.0F; };
        for (float* const each : {&turn.x, &turn.y, &turn.z, &place.x, &place.y, &place.z}) {
            *each = number();
        }
        turn.w = 1.0F;
    }
    glm::mat4 matrix = glm::mat4_cast(glm::normalize(turn));
    matrix[3] = glm::vec4(place, 1.0F);
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) {
            matrices.push_back(matrix[column][row]);
        }
    }
}

}  // namespace

FuzzArmature::FuzzArmature(Source& source) {
    const int bones = static_cast<int>(source.below(5));
    for (int i = 0; i < bones; ++i) {
        names += bone_names.at(source.below(bone_names.size()));
        names += '\0';
        parents.push_back(source.pick<std::int32_t>({-1, i - 1, 0}));
        flags.push_back(source.take<std::uint8_t>());
        add_matrix(source, matrices);
    }
    view.struct_size = sizeof(view);
    view.bone_count = static_cast<std::uint32_t>(bones);
    view.names = names.data();
    view.names_size = names.size();
    view.parents = parents.data();
    view.rest_matrices = matrices.data();
    view.flags = flags.data();
    view.facing = source.pick<std::int32_t>({0, 1, 2, 3, 4});
    // Each bone with its own rotation mode, or all with quaternions.
    for (const std::uint8_t flag : flags) {
        channels.push_back(static_cast<std::uint8_t>(flag / 16 % 6 + AB_CHANNEL_ROTATION_XYZ));
    }
    view.rotation_channels = bones > 0 && flags.front() % 32 >= 16 ? channels.data() : nullptr;
}

FuzzCurve::FuzzCurve(Source& source) {
    const std::size_t keys = source.below(5);
    auto frame = source.pick_frame<float>({0.0F, 1.0F, -5.0F});
    for (std::size_t i = 0; i < keys; ++i) {
        const auto value = source.pick<float>({0.0F, 1.0F, -0.5F, 0.7F, 1e-20F});
        const auto shape = source.pick<float>({0.0F, 1.0F, 3.0F});
        co.insert(co.end(), {frame, value});
        left.insert(left.end(), {frame - shape, value + shape});
        right.insert(right.end(), {frame + shape, value - 3.0F * shape});
        interpolation.push_back(source.pick<std::uint8_t>({0, 1, 2}));
        inserted.push_back(source.take<std::uint8_t>() & 1U);
        frame += source.pick_frame<float>({0.25F, 1.0F, 4.0F, 1e-4F, 0.0F});
    }
    view.struct_size = sizeof(view);
    view.bone = source.pick<std::int32_t>({0, 1, 2, -1});
    view.channel = source.pick<std::int32_t>({0, 1, 1, 2, 3, 4, 5, 6, 7, 8, AB_CHANNEL_PROPERTY});
    view.component = source.pick<std::int32_t>({0, 1, 2, 3});
    view.key_count = static_cast<std::uint32_t>(keys);
    const auto shape = source.take<std::uint8_t>();
    view.unchanged = (shape & 15U) == 0 ? 1 : 0;
    view.co = co.data();
    view.interpolation = (shape & 16U) != 0 ? interpolation.data() : nullptr;
    view.handle_left = (shape & 32U) != 0 ? left.data() : nullptr;
    view.handle_right = (shape & 64U) != 0 ? right.data() : nullptr;
    view.inserted = (shape & 128U) != 0 ? inserted.data() : nullptr;
    constexpr std::array<const char*, 4> names = {"tracked", "pinch", "", nullptr};
    view.property = names.at(source.below(names.size()));
}

FuzzCurves::FuzzCurves(Source& source) {
    const std::size_t count = source.below(9);
    for (std::size_t i = 0; i < count && !source.empty(); ++i) {
        curves.push_back(std::make_unique<FuzzCurve>(source));
        views.push_back(curves.back()->view);
    }
}

FuzzSamples::FuzzSamples(Source& source, std::size_t bone_count, double first_frame) {
    const std::size_t count = source.below(6);
    double frame = first_frame;
    for (std::size_t i = 0; i < count; ++i) {
        frames.push_back(frame);
        frame += source.pick<double>({1.0, 0.5, 1.0, 1e-5, 7.0});
        add_matrix(source, objects);
        for (std::size_t bone = 0; bone < bone_count; ++bone) {
            add_matrix(source, matrices);
        }
    }
    for (std::size_t bone = 0; bone < bone_count; ++bone) {
        bones.push_back(source.pick<std::uint8_t>({1, 1, 2, 0}));
    }
    const auto shape = source.take<std::uint8_t>();
    view.view.struct_size = sizeof(view.view);
    view.view.sample_count = static_cast<std::uint32_t>(count);
    view.view.frames = frames.data();
    view.view.matrices = matrices.data();
    view.view.object_matrices = (shape & 1U) != 0 ? objects.data() : nullptr;
    view.view.bones = (shape & 2U) != 0 ? bones.data() : nullptr;
    view.max_position_mm = source.pick<double>({0.5, 0.0, 0.0, 10.0});
    view.max_rotation_degrees = source.pick<double>({0.05, 3.0});
}

ab_timing take_timing(Source& source) {
    return {sizeof(ab_timing), 0, source.pick<double>({24.0, 5.0, 100.0, 1.0, 1000.0}),
            source.pick_frame<double>({0.0, 1.0, -10.0})};
}

DocumentHandle take_template(Source& source) {
    if (source.below(2) == 0) {
        return nullptr;
    }
    sl_anim::file::Document document;
    document.version = source.below(4) == 0 ? sl_anim::file::Version::legacy : sl_anim::file::Version::coded;
    document.duration = RawFloat(source.pick<float>({0.0F, 1.0F, 0.25F, 60.0F, -1.0F}));
    document.loop = source.take<std::uint8_t>() & 1;
    document.loop_out_point = RawFloat(source.pick<float>({1.0F, 0.0F}));
    for (const char* const name : {"mTorso", "hip"}) {
        sl_anim::file::Joint joint{name, 0, {}, {}};
        if (document.version == sl_anim::file::Version::coded) {
            joint.rotation.coded = {source.take<sl_anim::file::CodedKey>(),
                                    source.take<sl_anim::file::CodedKey>()};
        } else {
            joint.rotation.legacy = {source.take<sl_anim::file::LegacyKey>(),
                                     source.take<sl_anim::file::LegacyKey>()};
        }
        document.joints.push_back(joint);
    }
    const Bytes bytes = sl_anim::file::write(document);
    ab_document* read = nullptr;
    ab_document_read(bytes.data(), bytes.size(), "sl_anim", nullptr, nullptr, &read, nullptr);
    return DocumentHandle(read);
}

SlHeader take_header(Source& source) {
    return {source.pick<std::int32_t>({2, 0, -1, 6}),
            source.pick<std::int32_t>({-1, 3}),
            (source.take<std::uint8_t>() & 1) != 0,
            source.pick<float>({0.0F, 0.5F}),
            source.pick<float>({1.0F, 2.0F}),
            source.pick<float>({0.3F, 0.0F}),
            source.pick<float>({0.3F, 0.0F}),
            source.pick<std::uint32_t>({0, 1, 13}),
            source.below(2) == 0 ? nullptr : "express_smile"};
}

SlExport take_export(Source& source, const ab_document* template_document) {
    SlExport options{};
    const auto encoder = source.pick<std::int32_t>({0, 1, 2});
    options.encoder = encoder == 0 ? "upload" : encoder == 1 ? "nearest" : encoder == 2 ? "viewer" : "none";
    options.frame_end = source.pick_frame<double>({6.0, 1.0, 31.0});
    options.template_document = template_document;
    options.keep_duration = (source.take<std::uint8_t>() & 1) != 0;
    options.target = source.pick<std::int32_t>({0, 0, 1}) == 0 ? "second_life" : "opensim";
    options.fit_bytes = source.pick<std::uint64_t>({0, 0, 0, 0, 0, 0, 200, 400});
    return options;
}

}  // namespace animbridge::test

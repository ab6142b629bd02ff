// SPDX-License-Identifier: MIT
// Splitting matrices into Base and rotation, and what stays of a template.
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>

#include "catch.h"
#include "formats/oban/file/file.h"
#include "formats/oban/scene/scene.h"
#include "oban_fixtures.h"
#include "oban_motions.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

/// Rotations of a constant matrix, through single precision.
std::vector<oban::play::Affine> turned_matrices(const glm::dmat3& base, std::size_t count = 40) {
    std::vector<oban::play::Affine> frames;
    for (const oban::edit::Shown& shown : smooth_motion(count).shown) {
        oban::play::Affine& frame =
            frames.emplace_back(oban::play::Affine{glm::mat3_cast(shown.rotation) * base, shown.origin});
        for (int i = 0; i < 3; ++i) {
            frame.linear[i] = glm::dvec3(glm::vec3(frame.linear[i]));
        }
    }
    return frames;
}

glm::dmat3 scaled(double x, double y, double z) { return {x, 0, 0, 0, y, 0, 0, 0, z}; }

std::vector<float> floats_of(const std::vector<oban::play::Affine>& frames) {
    std::vector<float> floats;
    for (const oban::play::Affine& frame : frames) {
        for (int column = 0; column < 4; ++column) {
            for (int row = 0; row < 3; ++row) {
                floats.push_back(
                    static_cast<float>(column == 3 ? frame.place[row] : frame.linear[column][row]));
            }
            floats.push_back(column == 3 ? 1.0F : 0.0F);
        }
    }
    return floats;
}

/// A template with something in every field.
oban::file::Document odd_template() {
    oban::file::Document document;
    document.container = oban::file::Container::raw;
    document.name = "odd";
    oban::file::Record& record = document.record;
    record.res_id = 0x301;
    record.lev_id = 77;
    record.padding.fill(9);
    record.flags = 0xf0000011;
    record.frame_length = 80;
    record.base = oban::play::matrix_from({0, 2, 0, -3, 0, 0, 1, 0, 1}, {5, 6, 7});
    record.initial[0] = RawFloat(42.0F);  // wrong, and kept while nothing is edited
    record.keys = {oban_key(0, {0.5, 0.5, 0.5, 0.5}, {1, 2, 3}),
                   oban_key(25, {-0.5, -0.5, 0.5, 0.5}, {-4, 2, 3}), oban_key(40, {1, 0, 0, 0}, {0, 0, 90})};
    record.frame_count = 41;
    record.half_stop_frame = 25;
    return document;
}

std::vector<oban::play::Affine> world_matrices(const oban::file::Record& record,
                                               const oban::play::Space& space) {
    const oban::play::Player player(record);
    const oban::play::Affine base =
        space.object_base({oban::play::linear_part(record.base), oban::play::translation_of(record.base)});
    std::vector<oban::play::Affine> frames;
    for (double frame = 0; frame <= player.last_frame(); ++frame) {
        const oban::play::Pose pose = player.pose(frame);
        const glm::dmat3 turn = glm::mat3_cast(space.rotation(pose.rotation));
        frames.push_back({turn * base.linear, turn * base.place + space.location(pose.position)});
    }
    return frames;
}

}  // namespace

TEST_CASE("a constant scale is found and clean", "[oban-export]") {
    for (const glm::dvec3 scale :
         {glm::dvec3(1, 1, 1), {1.82, 1.82, 1.82}, {0.25, 1, 40}, {1e-3, 1e-3, 1e3}}) {
        const auto base =
            oban::scene::constant_base(turned_matrices(scaled(scale.x, scale.y, scale.z)), std::nullopt);
        REQUIRE(base.has_value());
        for (int column = 0; column < 3; ++column) {
            for (int row = 0; row < 3; ++row) {
                const double wanted = column == row ? scale[row] : 0.0;
                CHECK(static_cast<float>(base->linear[column][row]) == static_cast<float>(wanted));
            }
        }
        CHECK(base->place == glm::dvec3(0));
    }
}

TEST_CASE("shear and mirroring stay in Base, and a rotation is left", "[oban-export]") {
    for (const glm::dmat3& shape : {glm::dmat3(1, 0, 0, 0.7, 2, 0, -0.3, 0.4, 0.5), scaled(-1, 1, 1),
                                    scaled(2, -3, 4), glm::dmat3(1, 0, 0, 0.7, -2, 0, -0.3, 0.4, 0.5)}) {
        const auto frames = turned_matrices(shape);
        const auto base = oban::scene::constant_base(frames, std::nullopt);
        REQUIRE(base.has_value());
        CHECK((glm::determinant(base->linear) < 0.0) == (glm::determinant(shape) < 0.0));
        const glm::dmat3 inverse = glm::inverse(base->linear);
        for (const oban::play::Affine& frame : frames) {
            const glm::dquat turn = oban::scene::rotation_before(frame.linear, inverse);
            CHECK(glm::length(turn) == Approx(1.0));
            const glm::dmat3 again = glm::mat3_cast(turn) * base->linear;
            for (int i = 0; i < 3; ++i) {
                CHECK(glm::length(again[i] - frame.linear[i]) <= 1e-5 * glm::length(frame.linear[i]));
            }
        }
    }
}

TEST_CASE("a Base that still fits stays, with its turn and its place", "[oban-export]") {
    const oban::play::Affine known{{0, 2, 0, -3, 0, 0, 1, 0, 1}, {5, 6, 7}};
    const auto kept = oban::scene::constant_base(turned_matrices(known.linear), known);
    REQUIRE(kept.has_value());
    CHECK(kept->linear == known.linear);
    CHECK(kept->place == known.place);
    const auto changed = oban::scene::constant_base(turned_matrices(known.linear * 1.001), known);
    REQUIRE(changed.has_value());
    CHECK(changed->linear != known.linear);
    CHECK(changed->place == glm::dvec3(0));
    const auto mirrored = oban::scene::constant_base(turned_matrices(-known.linear), known);
    REQUIRE(mirrored.has_value());
    CHECK(mirrored->linear != known.linear);
}

TEST_CASE("what the scene shows of a file goes back to its bytes", "[oban-export]") {
    const oban::file::Document base = odd_template();
    for (const auto axes : {oban::play::Axes::file, oban::play::Axes::blender}) {
        oban::scene::ExportOptions options;
        options.space = {axes, glm::normalize(glm::dquat(0.9, 0.1, 0.2, 0.3)), {1, 2, 3}};
        options.template_document = &base;
        const auto sampled = oban::scene::export_samples(
            floats_of(world_matrices(base.record, options.space)), options, Job());
        REQUIRE(sampled.has_value());
        CHECK(sampled->document == base);
        // One frame moved by a metre: the header, Base and the keys that still hold stay.
        auto moved = world_matrices(base.record, options.space);
        moved[30].place.x += 1.0;
        const auto edited = oban::scene::export_samples(floats_of(moved), options, Job());
        REQUIRE(edited.has_value());
        const oban::file::Record& record = edited->document.record;
        CHECK(record.base == base.record.base);
        CHECK(record.initial == base.record.initial);
        CHECK(record.padding == base.record.padding);
        CHECK(record.flags == base.record.flags);
        CHECK(record.keys.front() == base.record.keys.front());
        CHECK(record.keys.back() == base.record.keys.back());
        CHECK(std::find(record.keys.begin(), record.keys.end(), base.record.keys[1]) != record.keys.end());
        CHECK(record.keys.size() >= 5);
        CHECK(edited->report["max_position_error_mm"].get<double>() <= 1.0);
    }
}

TEST_CASE("curves that were not touched give the document back", "[oban-export]") {
    const oban::file::Document base = odd_template();
    const rig::curves::Timing timing{24, 1};
    for (const auto axes : {oban::play::Axes::file, oban::play::Axes::blender}) {
        oban::scene::ExportOptions options;
        options.space.axes = axes;
        options.template_document = &base;
        options.object_base = options.space.object_base(
            {oban::play::linear_part(base.record.base), oban::play::translation_of(base.record.base)});
        const auto made = oban::scene::to_curves(base, timing, options.space);
        REQUIRE(made.has_value());
        std::vector<rig::curves::CurveView> views;
        for (const rig::curves::BoneCurves& curves : made->curves) {
            for (std::size_t i = 0; i < curves.points.size(); ++i) {
                views.push_back({curves.bone, curves.channel, i, curves.points[i], {}, {}, {}, {}});
            }
        }
        const auto exported = oban::scene::export_curves(timing, views, {}, options);
        REQUIRE(exported.has_value());
        CHECK(exported->document == base);
        CHECK(exported->report["max_position_error_mm"].get<double>() < 0.01);
        CHECK(exported->report["base"] == "matrix");
        options.frame_length = std::uint16_t{1};
        options.flags = 0U;
        const auto changed = oban::scene::export_curves(timing, views, {}, options);
        REQUIRE(changed.has_value());
        CHECK(changed->document.record.flags == 0);
        CHECK(changed->document.record.frame_length == 1);
        CHECK(changed->document.record.keys == base.record.keys);
    }
}

TEST_CASE("a matrix that cannot be tells its frame", "[oban-export]") {
    const auto refused = [](const glm::dmat3& other, const char* field) {
        auto frames = turned_matrices(scaled(1, 2, 3));
        frames[5].linear = other;
        const auto base = oban::scene::constant_base(frames, std::nullopt);
        REQUIRE_FALSE(base.has_value());
        CHECK(base.error().code == ErrorCode::bad_value);
        CHECK(base.error().field == field);
        CHECK(base.error().reason.find("frame 5") != std::string::npos);
    };
    refused(scaled(1, 2, 3.1), "scale");
    refused(scaled(-1, 2, 3), "mirroring");
    refused(scaled(1, 0, 3), "scale");
    refused({1, 0, 0, 1, 1e-6, 0, 0, 0, 3}, "shear");
    refused({1, 0, 0, 0.1, 1.9974984355438178, 0, 0, 0, 3}, "shear");
    refused(scaled(NAN, 2, 3), "matrix");
}

TEST_CASE("more keys stay in the .oni that was imported, with a name or without", "[oban-export]") {
    const std::vector<float> matrices = floats_of(turned_matrices(glm::dmat3(1.0), 90));
    for (const char* const file : {"oni_unnamed.oni", "oni_older.oni", "oni_mac.oni", "oni_trailing.oni"}) {
        INFO(file);
        const auto base = oban::file::read(oban_fixture(file));
        REQUIRE(base);
        oban::scene::ExportOptions options;
        options.template_document = &*base;
        const auto kept = oban::scene::export_samples(matrices, options, Job());
        REQUIRE(kept);
        REQUIRE(kept->document.record.keys.size() != base->record.keys.size());
        CHECK(kept->document.after == base->after);
        CHECK(kept->document.record.res_id == base->record.res_id);
        CHECK(kept->report["warnings"].dump().find("without these") == std::string::npos);
        CHECK(oban::file::read(oban::file::write(kept->document)).value() == kept->document);
        options.name = "other";
        const auto renamed = oban::scene::export_samples(matrices, options, Job());
        REQUIRE(renamed);
        CHECK(renamed->document == *oban::file::new_oni(renamed->document.record, "other"));
        CHECK(renamed->report["warnings"].dump().find("without these of the imported file: layout") !=
              std::string::npos);
    }
}

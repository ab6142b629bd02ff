// SPDX-License-Identifier: MIT
// Armatures that a call refuses: missing arrays, wrong sizes, cycles of parents.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "catch.h"
#include "library/arguments.h"
#include "library/refusals.h"

using namespace animbridge::test;

TEST_CASE("armatures that cannot be", "[arguments]") {
    GoodArguments s;
    const auto import = [&](ab_error* e) { return s.import_curves(e); };
    const ab_armature good = s.armature;
    const auto wrong = [&](auto&& change) {
        s.armature = good;
        change(s.armature);
        misuse(import);
    };
    wrong([](ab_armature& a) { a.names = nullptr; });
    wrong([](ab_armature& a) { a.parents = nullptr; });
    wrong([](ab_armature& a) { a.rest_matrices = nullptr; });
    wrong([](ab_armature& a) { a.facing = 5; });
    wrong([](ab_armature& a) { a.facing = -1; });
    wrong([](ab_armature& a) { a.bone_count = 1; });
    wrong([](ab_armature& a) { --a.names_size; });
    wrong([](ab_armature& a) { a.names_size = 0; });
    for (const std::int32_t parent : {-2, 2, 2000000000}) {
        const std::int32_t parents[2] = {-1, parent};
        wrong([&](ab_armature& a) { a.parents = parents; });
    }
    std::vector<float> matrices(32, 0.0F);
    wrong([&](ab_armature& a) { a.rest_matrices = matrices.data(); });
    std::copy_n(good.rest_matrices, 32, matrices.begin());
    matrices[30] = std::numeric_limits<float>::infinity();
    wrong([&](ab_armature& a) { a.rest_matrices = matrices.data(); });
    // An armature without bones is allowed, without arrays.
    s.armature = ab_armature{};
    s.armature.struct_size = sizeof(ab_armature);
    REQUIRE(import(nullptr) == AB_OK);
    const CurvesHandle owner(s.out_curves);
    CHECK(ab_curves_count(s.out_curves) == 0);
}

TEST_CASE("an armature whose parents go in a circle is misuse, and the bone is named", "[arguments]") {
    GoodArguments s;
    s.rig = TestArmature({"mPelvis", "a", "b", "c"});
    const auto circle = [&](const std::vector<std::int32_t>& parents, const std::string& named) {
        INFO(named);
        s.armature = s.rig.view();
        s.armature.parents = parents.data();
        const auto with = [&](auto&& call) {
            misuse(call);
            ab_error error = empty_error();
            call(&error);
            CHECK(std::string(error.message).find("'" + named + "'") != std::string::npos);
        };
        with([&](ab_error* e) { return s.import_curves(e); });
        with([&](ab_error* e) { return ab_rig_match_json(&s.armature, &s.out_buffer, e); });
        with([&](ab_error* e) { return s.from_curves(nullptr, 0, e); });
        with([&](ab_error* e) {
            return ab_document_from_curves("bvh", &s.armature, &s.timing, nullptr, 0, nullptr,
                                           R"({"frame_count": 2})", nullptr, &s.out_document, nullptr, e);
        });
    };
    circle({-1, 1, 0, 0}, "a");  // its own parent
    circle({-1, 2, 1, 0}, "a");
    circle({-1, 2, 3, 1}, "a");
    circle({1, 2, 3, 0}, "mPelvis");
    circle({-1, 0, 3, 2}, "b");
    // Parents after their children, and several roots, are allowed.
    const std::vector<std::int32_t> any_order = {3, 0, -1, -1};
    s.armature = s.rig.view();
    s.armature.parents = any_order.data();
    REQUIRE(ab_rig_match_json(&s.armature, &s.out_buffer, nullptr) == AB_OK);
    const BufferHandle owner(s.out_buffer);
}

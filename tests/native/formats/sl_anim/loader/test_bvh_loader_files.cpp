// SPDX-License-Identifier: MIT
// Whole files: the bytes of an independent loader (tests/witness/bvh_loader.py), and files written by other
// programs.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/json/json.h"
#include "bvh_text.h"
#include "catch.h"
#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/codes/codes.h"
#include "formats/sl_anim/loader/loader.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::sl_anim::check;
using namespace animbridge::sl_anim::codes;
using namespace animbridge::sl_anim::file;
using namespace animbridge::sl_anim::loader;
using namespace animbridge::test;

namespace {

std::filesystem::path loader_folder() { return fixtures_root() / "bvh" / "loader"; }

Result<BvhLoaded> load_file(const std::filesystem::path& path, const BvhLoad& options) {
    const FileBytes bytes = load(path);
    return read_bvh_as_viewer(bytes).and_then(
        [&](const BvhMotion& motion) { return load_bvh(motion, options); });
}

BvhLoad with_timing(BvhTiming timing) {
    BvhLoad options;
    options.timing = timing;
    return options;
}

/// The folder of real BVH files; empty if the machine has none.
std::filesystem::path samples() {
    // Read before any thread can change the environment.
    // NOLINTNEXTLINE(concurrency-mt-unsafe)
    const char* const folder = std::getenv("ANIMBRIDGE_SAMPLES");
    if (folder == nullptr) {
        WARN("ANIMBRIDGE_SAMPLES is not set: real files are NOT tested");
        return {};
    }
    return folder;
}

float angle_degrees(const Quaternion& a, const Quaternion& b) {
    const Quaternion between = first_then(conjugate(a), b);
    const float sine = std::sqrt(between.x * between.x + between.y * between.y + between.z * between.z);
    return 2.0F * std::atan2(sine, std::fabs(between.w)) * 57.29578F;
}

struct Agreement {
    std::size_t keys = 0;
    std::size_t near = 0;
};

/// How many rotation keys of a shipped animation equal, at their times, those of the BVH when every frame is
/// a key.
Agreement agreement_of(const Document& shipped, const Document& made) {
    Agreement agreement;
    const float half_frame = made.duration.value() / 65535.0F * 40.0F;
    for (const Joint& joint : shipped.joints) {
        const auto same = std::find_if(made.joints.begin(), made.joints.end(),
                                       [&](const Joint& other) { return other.name == joint.name; });
        if (same == made.joints.end()) {
            continue;
        }
        const RotationKeys wanted = decode_rotations(joint.rotation, shipped.duration.value());
        const RotationKeys found = decode_rotations(same->rotation, made.duration.value());
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            std::size_t nearest = 0;
            for (std::size_t k = 0; k < found.size(); ++k) {
                nearest = std::fabs(found.times[k] - wanted.times[i]) <
                                  std::fabs(found.times[nearest] - wanted.times[i])
                              ? k
                              : nearest;
            }
            ++agreement.keys;
            const bool near = std::fabs(found.times[nearest] - wanted.times[i]) < half_frame &&
                              angle_degrees(wanted.values[i], found.values[nearest]) < 0.02F;
            agreement.near += near ? 1U : 0U;
        }
    }
    return agreement;
}

}  // namespace

TEST_CASE("the loader writes the bytes of an independent one, and refuses what that refuses",
          "[bvh-loader]") {
    const FileBytes manifest = load(loader_folder() / "manifest.json");
    const auto rows = parse_json(text_of(manifest));
    REQUIRE(rows.has_value());
    std::size_t written = 0;
    for (const Json& row : *rows) {
        const std::string name = row.at("name").get<std::string>();
        INFO(name << ": " << row.at("about").get<std::string>());
        const auto current = load_file(loader_folder() / (name + ".bvh"), {});
        REQUIRE(current.has_value() == (row.at("load") == "ok"));
        if (!current) {
            CHECK(current.error().code == ErrorCode::rejected);
            CHECK(current.error().line > 0);
            continue;
        }
        CHECK(write(current->document) == load(loader_folder() / (name + ".anim")));
        const auto old = load_file(loader_folder() / (name + ".bvh"), with_timing(BvhTiming::pre2022));
        REQUIRE(old.has_value());
        CHECK(write(old->document) == load(loader_folder() / (name + ".pre2022.anim")));
        CHECK(predict_upload(current->document).stored.has_value() == (row.at("upload") == "ok"));
        CHECK(row.at("dropped") == Json(current->dropped));
        ++written;
    }
    CHECK(written > 50);
}

TEST_CASE("real BVH files load", "[bvh-loader]") {
    const auto folder = samples();
    std::size_t files = 0;
    if (folder.empty()) {
        return;
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder / "bvh")) {
        INFO(entry.path().filename());
        const auto loaded = load_file(entry.path(), {});
        REQUIRE(loaded.has_value());
        CHECK(read(write(loaded->document)) == loaded->document);
        CHECK(loaded->unknown_joints.empty());
        ++files;
    }
    CHECK(files > 0);
}

TEST_CASE("the built-in animations are the old timing's rotations of their sources", "[bvh-loader]") {
    const auto folder = samples();
    if (folder.empty()) {
        return;
    }
    BvhLoad options = with_timing(BvhTiming::pre2022);
    options.reduce_keys = false;
    options.keep_all_joints = true;
    std::size_t keys = 0;
    std::size_t near = 0;
    for (const auto& [source, shipped] :
         {std::pair<const char*, const char*>("angry_fingerwag", "c1bc7f36-3ba0-d844-f93c-93be945d644f"),
          {"express_embarrased", "514af488-9051-044a-b3fc-d4dbf76377c6"}}) {
        const auto made = load_file(folder / "bvh" / ("avatar_" + std::string(source) + ".bvh"), options);
        REQUIRE(made.has_value());
        const auto asset = read(load(folder / "sl_anim" / (std::string(shipped) + ".dat")));
        REQUIRE(asset.has_value());
        const Agreement agreement = agreement_of(*asset, made->document);
        INFO(source << ": " << agreement.near << " of " << agreement.keys);
        keys += agreement.keys;
        near += agreement.near;
    }
    CHECK(keys > 500);
    // 720 of 777. The rest was edited after the conversion, like nearly a tenth of all built-in animations.
    CHECK(static_cast<double>(near) >= 0.9 * static_cast<double>(keys));
}

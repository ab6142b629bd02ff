// SPDX-License-Identifier: MIT
// How long a scene of 60 joints x 3,000 frames takes to a clip and back, beside the libraries that read it
// alone.
//
// Ours starts a process for each file; its processor time counts. ufbx's own time is loading and baking its
// curves, Assimp's is reading without post-processing. Written by the library alone is what Assimp's exporter
// takes for what it read, with reading that again. Nothing is asserted.
//
// bench_scene [FOLDER]: keeps the files there, as swing.glb and so on.
#include <sys/resource.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <assimp/Exporter.hpp>
#include <assimp/Importer.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <glm/gtc/quaternion.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "formats/scene_file/clip/clip.h"
#include "formats/scene_file/scene/scene.h"
#include "model/clip/clip.h"
#include "timing.h"

#ifdef BENCH_UFBX
#include <ufbx.h>
#endif

namespace animbridge::bench {

namespace {

constexpr std::size_t joints = 60;
constexpr std::size_t frames = 3000;

Clip swinging_clip() {
    Clip clip;
    for (std::size_t joint = 0; joint < joints; ++joint) {
        Node node;
        node.name = "joint" + std::to_string(joint);
        if (joint > 0) {
            node.parent = (joint - 1) / 2;
        }
        node.rest_local.translation = {0, 0.01, 0.1};
        clip.skeleton.nodes.push_back(node);
        Track track{joint, Channel::rotation};
        for (std::size_t frame = 0; frame < frames; ++frame) {
            const double at = static_cast<double>(frame) / 30.0;
            const double phase = static_cast<double>(joint);
            const glm::dquat turn(
                glm::dvec3(0.4 * std::sin(at + phase), 0.3 * std::sin(1.7 * at), 0.2 * std::cos(at)));
            track.add_key(at, std::array<double, 4>{turn.w, turn.x, turn.y, turn.z});
        }
        clip.tracks.push_back(std::move(track));
    }
    clip.duration_seconds = static_cast<double>(frames - 1) / 30.0;
    return clip;
}

double seconds_in(const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// Of this process and of all that it started and that ended.
double processor_seconds_of_all() {
    rusage children{};
    getrusage(RUSAGE_CHILDREN, &children);
    return processor_seconds() + seconds_in(children.ru_utime) + seconds_in(children.ru_stime);
}

struct Taken {
    double processor = 0;
    double wall = 0;
};

/// Medians of a few rounds, each by itself.
Taken taken_by(const std::function<void()>& call) {
    constexpr std::size_t rounds = 7;
    std::vector<double> processor;
    std::vector<double> wall;
    for (std::size_t round = 0; round < rounds; ++round) {
        const double start = processor_seconds_of_all();
        const auto begin = std::chrono::steady_clock::now();
        call();
        wall.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        processor.push_back(processor_seconds_of_all() - start);
    }
    std::sort(processor.begin(), processor.end());
    std::sort(wall.begin(), wall.end());
    return {processor[rounds / 2], wall[rounds / 2]};
}

void read_by_assimp(ByteView file, std::string_view extension) {
    Assimp::Importer importer;
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
    const aiScene* const scene =
        importer.ReadFileFromMemory(file.data(), file.size(), 0, std::string(extension.substr(1)).c_str());
    keep(scene);
}

#ifdef BENCH_UFBX
void read_by_ufbx(ByteView file) {
    ufbx_scene* const scene = ufbx_load_memory(file.data(), file.size(), nullptr, nullptr);
    ufbx_baked_anim* const baked =
        scene == nullptr ? nullptr : ufbx_bake_anim(scene, nullptr, nullptr, nullptr);
    keep(baked);
    ufbx_free_baked_anim(baked);
    ufbx_free_scene(scene);
}
#endif

void read_by_peer(ByteView file, const scene_file::scene::Container& container) {
#ifdef BENCH_UFBX
    if (container.id == "fbx") {
        return read_by_ufbx(file);
    }
#endif
    read_by_assimp(file, container.extension);
}

/// Assimp's name for what it writes.
const char* exporter_of(const scene_file::scene::Container& container) {
    return container.id == "glb" ? "glb2" : container.id == "dae" ? "collada" : container.id.data();
}

/// What the library takes to write what it read of `file`, and to read that again.
Taken written_by_peer(ByteView file, const scene_file::scene::Container& container) {
    Assimp::Importer importer;
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
    const std::string extension(container.extension.substr(1));
    const aiScene* const scene = importer.ReadFileFromMemory(file.data(), file.size(), 0, extension.c_str());
    if (scene == nullptr) {
        std::printf("  Assimp cannot read it: %s\n", importer.GetErrorString());
        return {};
    }
    return taken_by([&] {
        Assimp::Exporter exporter;
        const aiExportDataBlob* const blob = exporter.ExportToBlob(scene, exporter_of(container));
        if (blob == nullptr) {
            std::printf("  Assimp cannot write it: %s\n", exporter.GetErrorString());
            return;
        }
        read_by_peer({static_cast<const std::uint8_t*>(blob->data), blob->size}, container);
    });
}

void keep_file(const std::string& folder, const std::string& extension, const Bytes& file) {
    std::ofstream(folder + "/swing" + extension, std::ios::binary)
        .write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
}

void print_taken(const std::string& what, const Taken& ours) {
    std::printf("%-34s %8.1f ms of processor, %8.1f ms of wall\n", what.c_str(), 1e3 * ours.processor,
                1e3 * ours.wall);
}

int bench_container(const scene_file::file::Document& document, const scene_file::scene::Container& container,
                    const std::string& folder) {
    const std::string name(container.extension);
    const auto made = scene_file::scene::encode(document, container);
    if (!made) {
        std::printf("%s: %s\n", name.c_str(), made.error().message().c_str());
        return 1;
    }
    const Bytes& file = made->document.file;
    if (!folder.empty()) {
        keep_file(folder, name, file);
    }
    const ReadOptions options;
    const Taken read = taken_by([&] {
        const auto found = scene_file::scene::read({file, options, {}});
        keep(scene_file::clip::to_clip(*found, {std::nullopt, found->space}));
    });
    const Taken peer = taken_by([&] { read_by_peer(file, container); });
    const Taken write = taken_by([&] { keep(scene_file::scene::encode(document, container)); });
    const Taken peer_write = written_by_peer(file, container);
    std::printf("%s, %.1f MB\n", name.c_str(), 1e-6 * static_cast<double>(file.size()));
    print_taken("  file to clip", read);
    print_taken("  the library alone", peer);
    print_taken("  written, and verified", write);
    print_taken("  written and read by the library", peer_write);
    std::printf("  ratio of file to clip: %.2f; without 10 ms for the start: %.2f; of writing: %.2f\n",
                read.processor / peer.processor, (read.processor - 0.01) / peer.processor,
                write.processor / peer_write.processor);
    return 0;
}

}  // namespace

}  // namespace animbridge::bench

int main(int count, char** arguments) {
    using namespace animbridge;
    const std::string folder = count > 1 ? arguments[1] : "";
    std::printf("%zu joints x %zu frames; medians\n", bench::joints, bench::frames);
    const scene_file::file::Document document = scene_file::clip::from_clip(bench::swinging_clip(), {});
    int failed = 0;
    for (const scene_file::scene::Container& container : scene_file::scene::containers) {
        if (container.id != "gltf") {
            failed += bench::bench_container(document, container, folder);
        }
    }
    return failed;
}

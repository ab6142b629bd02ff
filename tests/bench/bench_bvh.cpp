// SPDX-License-Identifier: MIT
// Speed and memory of the BVH codec, in one run with Assimp's importer (if installed), a loop of strtod, and
// memcpy. Rates count the file's bytes and its numbers. Times are medians of several rounds in processor
// time: what one core alone would take, whatever else the machine does.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#ifdef BENCH_ASSIMP
#include <assimp/scene.h>
#include <assimp/Importer.hpp>
#endif

#include "base/files/files.h"
#include "formats/bvh/clip/clip.h"
#include "formats/bvh/file/file.h"
#include "formats/bvh/scene/scene.h"
#include "timing.h"

namespace {

using namespace animbridge;
using bench::keep;
using bench::seconds_of;

constexpr bvh::clip::Placement usual_placement{{{2, 0, 1}, {1.0, 1.0, 1.0}}, 1.0};

struct Size {
    std::size_t joints;
    std::size_t frames;
};
constexpr Size big{60, 20000};
constexpr Size everyday{31, 600};
constexpr std::size_t limb = 12;  // joints in each chain below the root
constexpr int decimals = 6;

[[noreturn]] void fail(const std::string& text) {
    std::fprintf(stderr, "bench_bvh: %s\n", text.c_str());
    std::exit(1);
}

template <typename T>
T must(Result<T> result) {
    if (!result) {
        fail(result.error().message());
    }
    return std::move(*result);
}

/// A body whose joints swing, with the noise of a motion capture.
bvh::file::Document swinging(Size size) {
    using enum bvh::file::ChannelKind;
    bvh::file::Document document;
    for (std::size_t j = 0; j < size.joints; ++j) {
        bvh::file::Joint joint{
            "joint" + std::to_string(j), {}, {0.0, 1.5, 0.25}, {z_rotation, x_rotation, y_rotation}, {}};
        if (j == 0) {
            joint.channels = {x_position, y_position, z_position, z_rotation, x_rotation, y_rotation};
        } else {
            joint.parent = j % limb == 1 ? 0 : j - 1;
        }
        if (j % limb == 0 || j + 1 == size.joints) {
            joint.end_sites.push_back({"", {0.0, 1.0, 0.0}});
        }
        document.joints.push_back(std::move(joint));
    }
    document.frame_time_seconds = 1.0 / 120.0;
    document.frame_count = size.frames;
    const std::size_t width = document.channel_count();
    document.motion.reserve(size.frames * width);
    std::uint32_t noise = 1;
    for (std::size_t f = 0; f < size.frames; ++f) {
        for (std::size_t c = 0; c < width; ++c) {
            noise = noise * 1664525U + 1013904223U;
            const double phase = 0.013 * static_cast<double>(f) + 0.7 * static_cast<double>(c);
            const double reach = 5.0 + static_cast<double>(c * 37 % 85);
            document.motion.push_back(reach * std::sin(phase) + 1e-9 * static_cast<double>(noise));
        }
    }
    return document;
}

/// Every number after the frame time, as plain C reads them.
double strtod_loop(const std::string& text) {
    const char* at = text.c_str() + text.find('\n', text.find("Frame Time:"));
    double sum = 0;
    for (char* end = nullptr;; at = end) {
        const double value = std::strtod(at, &end);
        if (end == at) {
            return sum;
        }
        sum += value;
    }
}

#ifdef BENCH_ASSIMP
std::size_t assimp_keys(const std::string& path) {
    Assimp::Importer importer;
    const aiScene* scene = importer.ReadFile(path, 0);
    if (scene == nullptr || scene->mNumAnimations != 1) {
        fail(std::string("Assimp: ") + importer.GetErrorString());
    }
    const aiAnimation& animation = *scene->mAnimations[0];
    std::size_t keys = 0;
    for (unsigned i = 0; i < animation.mNumChannels; ++i) {
        keys += animation.mChannels[i]->mNumRotationKeys;
    }
    return keys;
}
#endif

std::size_t rotation_keys(const Clip& clip) {
    std::size_t keys = 0;
    for (const Track& track : clip.tracks) {
        keys += track.channel == Channel::rotation ? track.key_count() : 0;
    }
    return keys;
}

/// Frees the text as soon as it is read.
bvh::file::Document document_of_file(const std::string& path) {
    return must(bvh::file::read(must(read_file(path)), Reading::strict));
}

Clip clip_of_file(const std::string& path) {
    return must(bvh::clip::to_clip(document_of_file(path), usual_placement));
}

struct Report {
    double megabytes;
    double numbers;
    double reference_seconds = 0;  // Assimp's, or strtod's if Assimp is not installed

    void row(const char* name, double seconds) const {
        std::printf("  %-34s %9.2f ms %8.0f MB/s %7.2f ns/number", name, seconds * 1e3, megabytes / seconds,
                    seconds * 1e9 / numbers);
        if (reference_seconds > 0) {
            std::printf(" %7.2f x as fast", reference_seconds / seconds);
        }
        std::printf("\n");
    }
};

void yardsticks(Report& report, const Bytes& bytes, const std::string& path) {
    const std::string text(text_of(bytes));
    Bytes copy(bytes.size());
    report.row("memcpy", seconds_of([&] {
                   std::memcpy(copy.data(), bytes.data(), bytes.size());
                   keep(copy);
               }));
    report.row("strtod over the frames", seconds_of([&] { keep(strtod_loop(text)); }));
#ifdef BENCH_ASSIMP
    report.reference_seconds = seconds_of([&] { keep(assimp_keys(path)); });
    report.row("Assimp: file to its scene", report.reference_seconds);
#else
    std::printf("  Assimp is not installed (libassimp-dev)\n");
    keep(path);
#endif
}

/// A bone for each joint, along the file's axes, and how each matches.
struct Rig {
    rig::armature::Armature armature;
    rig::armature::JointMatch match;
    rig::armature::BoneMap map;
};

Rig rig_of(const bvh::file::Document& document) {
    Rig rig;
    const std::size_t count = document.joints.size();
    for (std::size_t i = 0; i < count; ++i) {
        rig.armature.bones.push_back({document.joints[i].name, document.joints[i].parent});
        rig.match.bone_of_joint.emplace_back(i);
        rig.match.joint_of_bone.emplace_back(i);
        rig.map.bone_of_node.emplace_back(i);
        rig.map.node_of_bone.emplace_back(i);
        rig.map.by.emplace_back("name");
    }
    return rig;
}

/// The import takes the file's numbers straight to F-curves. What would the way through the clip cost?
void measure_import(const Report& report, const bvh::file::Document& document) {
    const Rig rig = rig_of(document);
    const rig::curves::Timing timing{120.0, 1.0};
    report.row("ours: document to F-curves", seconds_of([&] {
                   keep(must(bvh::scene::to_curves(document, usual_placement, false, rig.armature, rig.match,
                                                   timing)));
               }));
    report.row("the same by way of a clip", seconds_of([&] {
                   const Clip clip = must(bvh::clip::to_clip(document, usual_placement));
                   keep(rig::curves::curves_from_clip(clip, rig.armature, rig.map, timing));
               }));
}

void measure(Size size, const std::string& path) {
    const Bytes bytes = must(read_file(path));
    const bvh::file::Document document = must(bvh::file::read(bytes, Reading::strict));
    std::printf("%zu joints x %zu frames, %.2f MB, %zu numbers\n", size.joints, size.frames,
                static_cast<double>(bytes.size()) / 1e6, document.motion.size());
    Report report{static_cast<double>(bytes.size()) / 1e6, static_cast<double>(document.motion.size())};
    yardsticks(report, bytes, path);
    const std::size_t keys = size.joints * size.frames;
    if (rotation_keys(clip_of_file(path)) != keys) {
        fail("the tracks do not hold every frame");
    }
#ifdef BENCH_ASSIMP
    if (assimp_keys(path) != keys) {
        fail("Assimp's tracks do not hold every frame");
    }
#endif
    report.row("ours: file to quaternion tracks", seconds_of([&] { keep(clip_of_file(path)); }));
    report.row("ours: file to bytes", seconds_of([&] { keep(must(read_file(path))); }));
    report.row("ours: bytes to document",
               seconds_of([&] { keep(must(bvh::file::read(bytes, Reading::strict))); }));
    report.row("ours: document to tracks",
               seconds_of([&] { keep(must(bvh::clip::to_clip(document, usual_placement))); }));
    measure_import(report, document);
    report.row("ours: write, 6 decimals", seconds_of([&] { keep(bvh::file::write(document, {decimals})); }));
    report.row("ours: write, shortest", seconds_of([&] { keep(bvh::file::write(document)); }));
}

// ---- memory: each case runs in a process of its own, whose peak belongs to it alone

double peak_megabytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) {
            return std::stod(line.substr(6)) * 1024 / 1e6;
        }
    }
    fail("/proc/self/status has no VmHWM");
}

double megabytes_of(const bvh::file::Document& document) {
    return static_cast<double>(document.motion.capacity() * sizeof(double)) / 1e6;
}

double megabytes_of(const Clip& clip) {
    std::size_t numbers = 0;
    for (const Track& track : clip.tracks) {
        numbers += track.times.capacity() + track.values.capacity();
    }
    return static_cast<double>(numbers * sizeof(double)) / 1e6;
}

/// `input` and `output` in MB; `idle` is what the process needed before and does not count.
void tell_memory(const char* name, double idle, double input, double output) {
    const double peak = peak_megabytes() - idle;
    std::printf("  %-34s peak %7.1f MB = input %.1f + %.2f x output %.1f\n", name, peak, input,
                (peak - input) / output, output);
}

void memory_case(std::string_view name, const std::string& path) {
    const double idle = peak_megabytes();
    const auto file_size = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
    if (name == "read") {
        const Bytes bytes = must(read_file(path));
        tell_memory("bytes to document", idle, file_size,
                    megabytes_of(must(bvh::file::read(bytes, Reading::strict))));
    } else if (name == "clip") {
        const bvh::file::Document document = swinging(big);
        const Clip clip = must(bvh::clip::to_clip(document, usual_placement));
        tell_memory("document to tracks", idle, megabytes_of(document), megabytes_of(clip));
    } else if (name == "write") {
        const bvh::file::Document document = swinging(big);
        const Bytes bytes = bvh::file::write(document, {decimals});
        tell_memory("write, 6 decimals", idle, megabytes_of(document),
                    static_cast<double>(bytes.size()) / 1e6);
    } else if (name == "file") {
        tell_memory("file to quaternion tracks", idle, file_size, megabytes_of(clip_of_file(path)));
#ifdef BENCH_ASSIMP
    } else if (name == "assimp") {
        const double output = static_cast<double>(assimp_keys(path) * sizeof(aiQuatKey)) / 1e6;
        tell_memory("Assimp: file to its scene", idle, file_size, output);
#endif
    }
}

void measure_memory(const char* program, const std::string& path) {
    std::printf("memory, %zu joints x %zu frames\n", big.joints, big.frames);
    std::fflush(stdout);
    for (const char* name : {"read", "clip", "file", "write", "assimp"}) {
        const std::string command = std::string("'") + program + "' --memory " + name + " '" + path + "'";
        if (std::system(command.c_str()) != 0) {
            fail(std::string("the memory of ") + name + " could not be measured");
        }
    }
}

std::string written(Size size, const std::string& name) {
    const std::string path = (std::filesystem::temp_directory_path() / name).string();
    const Bytes bytes = bvh::file::write(swinging(size), {decimals});
    std::ofstream(path, std::ios::binary)
        .write(text_of(bytes).data(), static_cast<std::streamsize>(bytes.size()));
    return path;
}

}  // namespace

int main(int argc, char** argv) {
    const std::span arguments(argv, static_cast<std::size_t>(argc));
    if (arguments.size() == 4 && std::string_view(arguments[1]) == "--memory") {
        memory_case(arguments[2], arguments[3]);
        return 0;
    }
    const std::string large = written(big, "animbridge_bench_large.bvh");
    const std::string small = written(everyday, "animbridge_bench_everyday.bvh");
    measure(everyday, small);
    measure(big, large);
    measure_memory(arguments[0], large);
    std::filesystem::remove(large);
    std::filesystem::remove(small);
    return 0;
}

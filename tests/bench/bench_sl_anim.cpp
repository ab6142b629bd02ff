// SPDX-License-Identifier: MIT
// Speed of the .anim codec and of memcpy of the same bytes, in one process. Rates count the file's bytes; a
// key has 8 bytes.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstring>
#include <random>

#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/codes/codes.h"
#include "formats/sl_anim/reduce/reduce.h"

namespace {

using namespace animbridge;
using namespace animbridge::sl_anim::avatar;
using namespace animbridge::sl_anim::codes;
using namespace animbridge::sl_anim::file;

constexpr std::size_t joint_count = 133;
constexpr std::size_t keys_per_joint = 1800;
constexpr float duration_seconds = 60.0F;

/// A swinging rotation for each joint, as smooth as in an animation.
RotationKeys swinging_rotations(std::size_t joint) {
    RotationKeys keys;
    for (std::size_t i = 0; i < keys_per_joint; ++i) {
        const auto phase = static_cast<float>(i) * 0.05F + static_cast<float>(joint);
        const float half_angle = 0.8F * std::sin(phase);
        const float azimuth = 0.3F * std::sin(phase * 0.3F);
        keys.times.push_back(duration_seconds * static_cast<float>(i) /
                             static_cast<float>(keys_per_joint - 1));
        const float s = std::sin(half_angle);
        keys.values.push_back({s * std::cos(azimuth), s * std::sin(azimuth), 0.0F, std::cos(half_angle)});
    }
    return keys;
}

Document big_document() {
    Document document;
    document.duration = RawFloat(duration_seconds);
    for (std::size_t joint = 0; joint < joint_count; ++joint) {
        document.joints.push_back(
            {skeleton()[joint].node.name,
             3,
             {encode_rotations(swinging_rotations(joint), duration_seconds, Encoder::viewer), {}},
             {}});
    }
    return document;
}

void count(benchmark::State& state, std::size_t bytes_per_pass) {
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes_per_pass) * state.iterations());
    state.counters["keys/s"] = benchmark::Counter(static_cast<double>(joint_count * keys_per_joint),
                                                  benchmark::Counter::kIsIterationInvariantRate);
}

void memcpy_file(benchmark::State& state) {
    const Bytes bytes = write(big_document());
    Bytes copy(bytes.size());
    for (auto _ : state) {
        std::memcpy(copy.data(), bytes.data(), bytes.size());
        benchmark::DoNotOptimize(copy.data());
        benchmark::ClobberMemory();
    }
    count(state, bytes.size());
}
BENCHMARK(memcpy_file);

void read_document(benchmark::State& state) {
    const Bytes bytes = write(big_document());
    for (auto _ : state) {
        auto document = read(bytes);
        benchmark::DoNotOptimize(document);
    }
    count(state, bytes.size());
}
BENCHMARK(read_document);

void write_document(benchmark::State& state) {
    const Document document = big_document();
    for (auto _ : state) {
        Bytes bytes = write(document);
        benchmark::DoNotOptimize(bytes.data());
    }
    count(state, file_bytes(document));
}
BENCHMARK(write_document);

void decode_keys(benchmark::State& state) {
    const Document document = big_document();
    for (auto _ : state) {
        for (const Joint& joint : document.joints) {
            RotationKeys keys = decode_rotations(joint.rotation, duration_seconds);
            benchmark::DoNotOptimize(keys.values.data());
        }
    }
    count(state, joint_count * keys_per_joint * sizeof(CodedKey));
}
BENCHMARK(decode_keys);

void encode_keys(benchmark::State& state, Encoder encoder) {
    std::vector<RotationKeys> tracks;
    for (std::size_t joint = 0; joint < joint_count; ++joint) {
        tracks.push_back(swinging_rotations(joint));
    }
    for (auto _ : state) {
        for (const RotationKeys& track : tracks) {
            auto keys = encode_rotations(track, duration_seconds, encoder);
            benchmark::DoNotOptimize(keys.data());
        }
    }
    count(state, joint_count * keys_per_joint * sizeof(CodedKey));
}
BENCHMARK_CAPTURE(encode_keys, viewer, Encoder::viewer);
BENCHMARK_CAPTURE(encode_keys, nearest, Encoder::nearest);
BENCHMARK_CAPTURE(encode_keys, upload, Encoder::upload);

/// Every bone swings, with a key at each sample of a minute. Drops keys within the default bound, verified at
/// every key time and half-way between.
void reduce_keys(benchmark::State& state) {
    const Document document = big_document();
    const sl_anim::reduce::Reducer reducer({document});
    std::size_t kept = 0;
    for (auto _ : state) {
        auto reduced = reducer.within({}, Job());
        kept = reduced->keys_after;
        benchmark::DoNotOptimize(reduced);
    }
    state.counters["kept"] = static_cast<double>(kept);
    count(state, file_bytes(document));
}
BENCHMARK(reduce_keys)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();

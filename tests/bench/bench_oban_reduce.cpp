// SPDX-License-Identifier: MIT
// Speed of the reduction of OBAN keys, for a motion with as many frames as a file may have.
#include <benchmark/benchmark.h>

#include "../native/oban_motions.h"
#include "formats/oban/edit/edit.h"

namespace {

using namespace animbridge;

void reduces(benchmark::State& state, const oban::edit::Motion& motion, oban::edit::Bound bound) {
    std::size_t keys = 0;
    for (auto _ : state) {
        const auto kept = oban::edit::reduce(motion, bound, false, Job());
        if (!kept) {
            state.SkipWithError("cancelled");
            return;
        }
        keys = kept->size();
    }
    state.counters["keys"] = static_cast<double>(keys);
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(motion.frames.size()));
}

}  // namespace

int main(int argc, char** argv) {
    const oban::edit::Motion smooth = test::smooth_motion(oban::file::max_frames);
    const oban::edit::Motion far_out = test::smooth_motion(oban::file::max_frames, {0, 200, 0});
    const oban::edit::Motion noise = test::noise_motion(oban::file::max_frames);
    benchmark::RegisterBenchmark("smooth", reduces, smooth, oban::edit::Bound{})
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("smooth_base_far_out", reduces, far_out, oban::edit::Bound{})
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("noise", reduces, noise, oban::edit::Bound{})->Unit(benchmark::kMillisecond);
    constexpr oban::edit::Bound loose{1500.0, 300.0};
    benchmark::RegisterBenchmark("noise_loose", reduces, noise, loose)->Unit(benchmark::kMillisecond);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}

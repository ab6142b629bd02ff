// SPDX-License-Identifier: MIT
#include "formats/scene_file/scene/scene.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace animbridge::scene_file::scene {

namespace {

/// Files store times as floats. Two times that are equal there are compared once.
std::vector<double> times_in_file(std::vector<double> times) {
    const auto is_same = [](double a, double b) { return static_cast<float>(a) == static_cast<float>(b); };
    times.erase(std::unique(times.begin(), times.end(), is_same), times.end());
    return times;
}

Result<Bytes> written(const file::Document& placed, const Container& container, const ReadOptions& limits) {
    const Bytes wire = file::to_wire(placed);
    return run_child({{"write", "--container", std::string(container.id)},
                      wire,
                      "writing " + std::string(container.extension)},
                     limits);
}

}  // namespace

const Container* container_of_extension(std::string_view extension) {
    const auto* const found =
        std::ranges::find_if(containers, [&](const Container& one) { return one.extension == extension; });
    return found == containers.end() ? nullptr : found;
}

const Container* find_container(std::string_view id) {
    const auto* const found =
        std::ranges::find_if(containers, [&](const Container& one) { return one.id == id; });
    return found == containers.end() ? nullptr : found;
}

Result<WorstDifference> difference(const file::Document& wanted, const file::Document& read) {
    const Clip meant = main_clip(wanted);
    const Clip found = main_clip(read);
    TRY(const auto comparison,
        compare_clips(meant, found, times_in_file(times_to_compare(meant, found)), {}));
    if (!comparison.only_in_a.empty() && !meant.tracks.empty()) {
        return fail(ErrorCode::internal, "the written file lacks the joint " + comparison.only_in_a.front() +
                                             ". Nothing was written");
    }
    return comparison.worst();
}

Json Encoded::report(const Container& container) const {
    Json report = {{"max_position_error_mm", worst.position_mm},
                   {"max_rotation_error_degrees", worst.rotation_degrees},
                   {"worst", worst_json(worst)},
                   {"container", container.id},
                   {"verified_by", document.program}};
    if (!renamed.empty()) {
        report["renamed"] = renamed;
    }
    if (!keys.is_null()) {
        report["dropped_keys"] = keys;
    }
    return report;
}

namespace {

using animbridge::reduce::Bound;

bool is_within(const WorstDifference& worst, const Bound& bound) {
    return worst.position_mm <= bound.position_mm && worst.rotation_degrees <= bound.rotation_degrees;
}

/// Puts one scene into a file, with all keys or fewer, and finds out how far the file is from the scene.
class SceneWriter {
public:
    SceneWriter(const file::Document& placed, const Container& container, const ReadOptions& limits)
        : placed_(placed), container_(container), limits_(limits) {}

    /// With fewer keys if these hold the bound as another reader reads the file.
    [[nodiscard]] Result<Encoded> within(const Bound& bound, const Job& job) const {
        if (bound.position_mm <= 0.0) {
            return with_keys_of(placed_);
        }
        TRY(auto few, with_fewer_keys(bound, 0, job));
        if (few && !is_within(few->worst, bound)) {
            TRY(auto full, with_keys_of(placed_));
            // Times in files are rounded, and a jump shows that with all keys as well, somewhere.
            constexpr double elsewhere = 1.5;
            const Bound reached{std::max(bound.position_mm, elsewhere * full.worst.position_mm),
                                std::max(bound.rotation_degrees, elsewhere * full.worst.rotation_degrees)};
            if (!is_within(few->worst, reached)) {
                const double excess = std::max(few->worst.position_mm / reached.position_mm,
                                               few->worst.rotation_degrees / reached.rotation_degrees);
                constexpr double least = 0.3;
                TRY(few, with_fewer_keys(bound.scaled(std::max(least, 2.0 - 1.2 * excess)), 0, {}));
            }
            if (!few || !is_within(few->worst, reached)) {
                return full;
            }
        }
        if (!few) {
            return with_keys_of(placed_);
        }
        few->keys["bound"] = animbridge::reduce::bound_json(bound);
        return *std::move(few);
    }

    /// Within the bound, or if that needs more than `most_bytes`, with the smallest error that these hold.
    [[nodiscard]] Result<Encoded> fitting(std::uint64_t most_bytes, const Bound& bound,
                                          const Job& job) const {
        constexpr double first_part = 0.2;
        TRY(auto made, within(bound, job.part(0.0, first_part)));
        const std::size_t needed = made.document.file.size();
        if (needed <= most_bytes) {
            return made;
        }
        // The size is about a line over the keys, and each try adds a point to it.
        constexpr int most_tries = 6;
        constexpr double aimed_share = 0.995;
        constexpr double enough_share = 0.98;
        const auto limit = static_cast<double>(most_bytes);
        Size last = size_of(made);
        Size before{};
        double smallest = last.bytes;
        std::optional<Encoded> best;
        for (int i = 0; i < most_tries; ++i) {
            const double slope = (last.bytes - before.bytes) / (last.keys - before.keys);
            if (!(slope > 0.0) || !std::isfinite(slope)) {
                break;
            }
            const double keys = std::max(last.keys + (aimed_share * limit - last.bytes) / slope, 0.0);
            const double done = first_part + (1.0 - first_part) * i / most_tries;
            TRY(auto few,
                with_fewer_keys(std::nullopt, static_cast<std::size_t>(std::min(keys, size_of(made).keys)),
                                job.part(done, done + (1.0 - first_part) / most_tries)));
            if (!few) {
                break;
            }
            before = last;
            last = size_of(*few);
            smallest = std::min(smallest, last.bytes);
            if (last.bytes <= limit && (!best || last.bytes > size_of(*best).bytes)) {
                best = std::move(few);
            }
            if (best && size_of(*best).bytes >= enough_share * limit) {
                break;
            }
        }
        if (!best) {
            return fail(ErrorCode::rejected,
                        "found no way to make the file as small as " + std::to_string(most_bytes) +
                            " bytes: the smallest has " + std::to_string(static_cast<std::size_t>(smallest)) +
                            ". Only keys of recordings can be dropped. Ask for more bytes, or convert fewer "
                            "joints or a shorter part (--trim)");
        }
        return *std::move(best);
    }

private:
    struct Size {
        double keys = 0;
        double bytes = 0;
    };

    [[nodiscard]] Size size_of(const Encoded& made) const {
        const auto keys = made.keys.is_null() ? key_count(placed_) : made.keys["after"].get<std::size_t>();
        return {static_cast<double>(keys), static_cast<double>(made.document.file.size())};
    }

    [[nodiscard]] Result<Encoded> with_keys_of(const file::Document& scene) const {
        TRY(auto file, written(scene, container_, limits_));
        ReadOptions verifying = limits_;
        verifying.is_for_verifying = true;
        TRY(auto document, read_motion({file, verifying, {}}));
        document.file = std::move(file);
        TRY(auto worst, difference(placed_, document));
        return Encoded{std::move(document), std::move(worst)};
    }

    /// With keys chosen within `aim`, or without that about `most_keys`. nullopt: all keys stay.
    [[nodiscard]] Result<std::optional<Encoded>> with_fewer_keys(const std::optional<Bound>& aim,
                                                                 std::size_t most_keys,
                                                                 const Job& job) const {
        constexpr double share_between_keys = 0.2;
        TRY(auto few, reduce::thinned(placed_, aim, most_keys, job));
        if (!few) {
            return std::nullopt;
        }
        few->document.uneven_degrees = share_between_keys * few->bound.rotation_degrees;
        TRY(auto encoded, with_keys_of(few->document));
        encoded.keys = {{"before", few->keys_before},
                        {"after", few->keys_after},
                        {"bound", animbridge::reduce::bound_json(few->bound)}};
        return encoded;
    }

    const file::Document& placed_;
    const Container& container_;
    const ReadOptions& limits_;
};

}  // namespace

std::size_t key_count(const file::Document& document) {
    std::size_t keys = 0;
    for (const file::Animation& animation : document.animations) {
        for (const file::Channel& channel : animation.channels) {
            keys += channel.times_seconds.size();
        }
    }
    return keys;
}

Result<Encoded> encode(const file::Document& scene, const Container& container, const ReadOptions& limits,
                       const Job& job) {
    file::Document placed =
        clip::in_space(container.has_kinds ? scene : clip::with_lines(scene), container.space);
    Json renamed = make_names_safe(container, placed);
    const Bound bound = scene.key_bound.value_or(container.key_bound);
    const SceneWriter writer(placed, container, limits);
    TRY(auto encoded,
        scene.fit_bytes > 0 ? writer.fitting(scene.fit_bytes, bound, job) : writer.within(bound, job));
    encoded.renamed = std::move(renamed);
    return encoded;
}

namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20U || c == '\x7F'; }

/// Text FBX ends a name at a quote, and Blender 5 loses the keys of bones with a backslash. A NUL ends the
/// name in binary FBX. XML cannot hold control characters.
std::string safe_name(std::string_view container, const std::string& name) {
    std::string safe = to_utf8(name);
    if (container == "fbx") {
        std::ranges::replace(safe, '"', '\'');
        std::ranges::replace(safe, '\\', '/');
    }
    if (container == "fbx" || container == "dae") {
        std::ranges::replace_if(safe, is_control, '_');
    }
    return safe;
}

/// Numbers continue from the last node with that name, so that many equal names take no longer.
class UniqueNames {
public:
    std::string of(const std::string& wanted) {
        std::string name = wanted;
        while (!taken_.insert(name).second) {
            name = wanted + "." + std::to_string(1 + ++repeats_[wanted]);
        }
        return name;
    }

private:
    std::set<std::string> taken_;
    std::map<std::string, std::size_t> repeats_;
};

void rename(std::string& name, std::string safe, Json& renamed) {
    if (safe != name) {
        renamed.push_back({{"name", json_text(name)}, {"written", safe}});
        name = std::move(safe);
    }
}

}  // namespace

Json make_names_safe(const Container& container, file::Document& document) {
    Json renamed = Json::array();
    UniqueNames unique;
    for (file::Node& node : document.nodes) {
        std::string safe = safe_name(container.id, node.name);
        if (container.id == "dae") {
            safe = unique.of(safe.empty() ? "_" : safe);
        }
        rename(node.name, std::move(safe), renamed);
    }
    for (file::Animation& animation : document.animations) {
        rename(animation.name, safe_name(container.id, animation.name), renamed);
    }
    return renamed;
}

}  // namespace animbridge::scene_file::scene

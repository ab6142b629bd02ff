// SPDX-License-Identifier: MIT
#include "formats/scene_file/scene/scene.h"

#include <algorithm>
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

/// The scene in a file, and how far that is from what is meant.
Result<Encoded> written_and_read(const file::Document& placed, const file::Document& meant,
                                 const Container& container, const ReadOptions& limits) {
    TRY(auto file, written(placed, container, limits));
    ReadOptions verifying = limits;
    verifying.is_for_verifying = true;
    TRY(auto document, read_motion({file, verifying, {}}));
    document.file = std::move(file);
    TRY(auto worst, difference(meant, document));
    return Encoded{std::move(document), std::move(worst)};
}

using animbridge::reduce::Bound;

bool is_within(const WorstDifference& worst, const Bound& bound) {
    return worst.position_mm <= bound.position_mm && worst.rotation_degrees <= bound.rotation_degrees;
}

/// The scene with keys chosen within `aim` in a file. nullopt: all keys stay.
Result<std::optional<Encoded>> with_fewer_keys(const file::Document& placed, const Bound& aim,
                                               const Container& container, const ReadOptions& limits) {
    constexpr double share_between_keys = 0.2;
    TRY(auto few, reduce::thinned(placed, aim, {}));
    if (!few) {
        return std::nullopt;
    }
    few->document.uneven_degrees = share_between_keys * aim.rotation_degrees;
    TRY(auto encoded, written_and_read(few->document, placed, container, limits));
    encoded.keys = {{"before", few->keys_before}, {"after", few->keys_after}};
    return encoded;
}

/// The scene in a file, with fewer keys if these hold the bound as another reader reads the file.
Result<Encoded> encoded_within(const file::Document& placed, const Bound& bound, const Container& container,
                               const ReadOptions& limits) {
    const auto with_all_keys = [&] { return written_and_read(placed, placed, container, limits); };
    if (bound.position_mm <= 0.0) {
        return with_all_keys();
    }
    TRY(auto few, with_fewer_keys(placed, bound, container, limits));
    if (few && !is_within(few->worst, bound)) {
        TRY(auto full, with_all_keys());
        // Times in files are rounded, and a jump shows that with all keys as well, somewhere.
        constexpr double elsewhere = 1.5;
        const Bound reached{std::max(bound.position_mm, elsewhere * full.worst.position_mm),
                            std::max(bound.rotation_degrees, elsewhere * full.worst.rotation_degrees)};
        if (!is_within(few->worst, reached)) {
            const double excess = std::max(few->worst.position_mm / reached.position_mm,
                                           few->worst.rotation_degrees / reached.rotation_degrees);
            constexpr double least = 0.3;
            TRY(few, with_fewer_keys(placed, bound.scaled(std::max(least, 2.0 - 1.2 * excess)), container,
                                     limits));
        }
        if (!few || !is_within(few->worst, reached)) {
            return full;
        }
    }
    if (!few) {
        return with_all_keys();
    }
    few->keys["bound"] = animbridge::reduce::bound_json(bound);
    return *std::move(few);
}

}  // namespace

Result<Encoded> encode(const file::Document& scene, const Container& container, const ReadOptions& limits) {
    file::Document placed =
        clip::in_space(container.has_kinds ? scene : clip::with_lines(scene), container.space);
    Json renamed = make_names_safe(container, placed);
    TRY(auto encoded,
        encoded_within(placed, scene.key_bound.value_or(container.key_bound), container, limits));
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

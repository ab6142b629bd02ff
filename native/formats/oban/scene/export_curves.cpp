// SPDX-License-Identifier: MIT
#include "formats/oban/scene/scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>

#include "base/options/options.h"
#include "formats/oban/scene/export_report.h"

namespace animbridge::oban::scene {

namespace {

constexpr std::size_t location_curves = 3;
constexpr std::size_t all_curves = 7;

/// For curves that cannot be exported directly, but by sampling.
tl::unexpected<Error> sample_instead(std::string reason) {
    return fail(ErrorCode::invalid_argument, std::move(reason) + "; sample the object instead");
}

/// Curves of location 0..2, then quaternion 0..3; null if missing.
using CurveTable = std::array<const rig::curves::CurveView*, all_curves>;

Result<CurveTable> curve_table(std::span<const rig::curves::CurveView> curves, UnchangedChannels unchanged) {
    CurveTable table{};
    for (const rig::curves::CurveView& curve : curves) {
        const bool is_location = curve.channel == rig::armature::BoneChannel::location;
        if (curve.bone != rig::curves::no_bone ||
            (!is_location && curve.channel != rig::armature::BoneChannel::quaternion)) {
            return sample_instead("a curve is neither location nor quaternion of the object itself");
        }
        const std::size_t row = (is_location ? 0 : location_curves) + curve.component;
        const std::string name = std::string(is_location ? "location" : "rotation_quaternion") + "[" +
                                 std::to_string(curve.component) + "]";
        if (table.at(row) != nullptr) {
            return fail(ErrorCode::invalid_argument, "found two curves of " + name + "; allowed is one");
        }
        const auto& kinds = curve.interpolation;
        // The last key leads to no other, so its interpolation does not matter.
        if (!kinds.empty() &&
            std::any_of(kinds.begin(), kinds.end() - 1, [](auto kind) { return kind != 1; })) {
            return sample_instead("the curve " + name + " has keys that are not linear");
        }
        table.at(row) = &curve;
    }
    for (std::size_t row = 0; row < all_curves; ++row) {
        if (table.at(row) == nullptr && !(row < location_curves ? unchanged.location : unchanged.rotation)) {
            return sample_instead("one of the seven curves of location and quaternion is missing");
        }
    }
    return table;
}

/// The template's keys in the scene.
struct TemplateKeys {
    std::vector<float> frames;
    std::vector<play::ObjectKey> keys;
};

TemplateKeys template_keys_of(const ExportOptions& options, const rig::curves::Timing& timing) {
    if (options.template_document == nullptr) {
        return {};
    }
    const file::Record& record = options.template_document->record;
    TemplateKeys made{{}, object_keys(record, options.space)};
    for (const file::Key& key : record.keys) {
        made.frames.push_back(static_cast<float>(scene_frame(timing, key.time)));
    }
    return made;
}

/// A key of the curves.
struct CurveKey {
    std::int32_t time = 0;                         ///< in file frames
    std::optional<std::size_t> template_key = {};  ///< index of the template's key at that time
    play::ObjectKey values{};
};

/// The frames at which all curves have their keys.
Result<std::vector<float>> common_frames(const CurveTable& table, const TemplateKeys& template_keys) {
    std::optional<std::vector<float>> common;
    for (const rig::curves::CurveView* const curve : table) {
        std::vector<float> frames;
        for (std::size_t i = 0; curve != nullptr && i < curve->points.size(); i += 2) {
            frames.push_back(curve->points[i]);
        }
        if (curve == nullptr) {
            frames = template_keys.frames;
        }
        if (common && *common != frames) {
            return sample_instead("the curves have keys at different frames");
        }
        common = std::move(frames);
    }
    return std::move(*common);
}

/// Converts scene frames to whole frames of the file, which must ascend.
Result<std::vector<CurveKey>> timed_keys(const std::vector<float>& frames, const TemplateKeys& template_keys,
                                         const rig::curves::Timing& timing, const ExportOptions& options) {
    constexpr double whole = 0.001;
    const double rate = file::frames_per_second / timing.frames_per_second;
    std::vector<CurveKey> keys;
    std::size_t next = 0;
    for (const float frame : frames) {
        if (!std::isfinite(frame) || (!keys.empty() && !(frame >= frames[keys.size() - 1]))) {
            return fail(ErrorCode::invalid_argument,
                        "a curve's keys are no numbers or out of the order of time");
        }
        while (next < template_keys.frames.size() && template_keys.frames[next] < frame) {
            ++next;
        }
        if (next < template_keys.frames.size() && template_keys.frames[next] == frame) {
            keys.push_back({options.template_document->record.keys[next].time, next});
            ++next;
            continue;
        }
        const double time = timing.seconds_at(frame) * file::frames_per_second;
        const auto step = static_cast<double>(std::nextafter(std::abs(frame), INFINITY) - std::abs(frame));
        if (!(std::abs(time - std::round(time)) <= whole + step * rate)) {
            return sample_instead("a key is at frame " + shown_number(double{frame}) +
                                  " of the scene, which is not a whole frame at 60 a second");
        }
        if (!(time > -0.5) || !(time < static_cast<double>(file::max_frames))) {
            return sample_instead("a key is at frame " + shown_number(double{frame}) +
                                  " of the scene, before the animation begins or 32767 frames after it");
        }
        keys.push_back({static_cast<std::int32_t>(std::llround(time))});
    }
    const auto meets = [](const CurveKey& a, const CurveKey& b) { return a.time >= b.time; };
    if (std::adjacent_find(keys.begin(), keys.end(), meets) != keys.end()) {
        return sample_instead("two keys fall on one frame of the file");
    }
    return keys;
}

Result<void> put_values(std::vector<CurveKey>& keys, const CurveTable& table,
                        const TemplateKeys& template_keys) {
    for (std::size_t row = 0; row < all_curves; ++row) {
        const bool is_location = row < location_curves;
        const std::size_t component = is_location ? row : row - location_curves;
        const rig::curves::CurveView* const curve = table.at(row);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const auto part = [&](play::ObjectKey& key) -> float& {
                return is_location ? key.location.at(component) : key.rotation.at(component);
            };
            play::ObjectKey unchanged_key =
                curve == nullptr ? template_keys.keys.at(*keys[i].template_key) : play::ObjectKey{};
            part(keys[i].values) = curve == nullptr ? part(unchanged_key) : curve->points[2 * i + 1];
            if (!std::isfinite(part(keys[i].values))) {
                return fail(ErrorCode::invalid_argument, "a curve has a key that is not a number");
            }
        }
    }
    return {};
}

glm::dquat rotation_of(const play::ObjectKey& key) {
    return {key.rotation[0], key.rotation[1], key.rotation[2], key.rotation[3]};
}

glm::dvec3 location_of(const play::ObjectKey& key) {
    return {key.location[0], key.location[1], key.location[2]};
}

bool same_rotation(const play::ObjectKey& a, const play::ObjectKey& b) {
    std::array<float, 4> negated = b.rotation;
    std::transform(negated.begin(), negated.end(), negated.begin(), std::negate<>());
    return a.rotation == b.rotation || a.rotation == negated;
}

/// Checks that Blender, which blends each component separately, takes the player's path between keys.
Result<void> require_same_blend(const std::vector<CurveKey>& keys, const TemplateKeys& template_keys) {
    constexpr double unit = 1e-3;
    // Half turns are on the edge: single precision does not determine their sign.
    constexpr double half_turn = -1e-6;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const glm::dquat q = rotation_of(keys[i].values);
        const bool is_template_key =
            keys[i].template_key &&
            same_rotation(keys[i].values, template_keys.keys.at(*keys[i].template_key));
        if (!is_template_key && !(std::abs(std::sqrt(glm::dot(q, q)) - 1.0) <= unit)) {
            return sample_instead("a quaternion is not of length 1");
        }
        const glm::dquat before = i == 0 ? q : rotation_of(keys[i - 1].values);
        if (!(glm::dot(before, q) >= half_turn * std::sqrt(glm::dot(before, before) * glm::dot(q, q)))) {
            return sample_instead(
                "two quaternions that follow each other have opposite signs, so that "
                "Blender turns the longer way, and the game the shorter one");
        }
    }
    return {};
}

/// The file's key. It keeps the template's bits as long as the scene has the values made from them.
file::Key file_key(const CurveKey& curve_key, const TemplateKeys& template_keys, const ExportOptions& options,
                   const file::Key* before) {
    const file::Key* const template_key =
        curve_key.template_key ? &options.template_document->record.keys.at(*curve_key.template_key)
                               : nullptr;
    file::Key key;
    key.time = curve_key.time;
    if (template_key != nullptr &&
        template_keys.keys.at(*curve_key.template_key).location == curve_key.values.location) {
        key.position = template_key->position;
    } else {
        const glm::dvec3 place = options.space.position(location_of(curve_key.values)) + 0.0;  // no -0
        key.position = {RawFloat(static_cast<float>(place.x)), RawFloat(static_cast<float>(place.y)),
                        RawFloat(static_cast<float>(place.z))};
    }
    if (template_key != nullptr &&
        same_rotation(curve_key.values, template_keys.keys.at(*curve_key.template_key))) {
        key.rotation = template_key->rotation;
        return key;
    }
    const glm::dquat q = options.space.key_rotation(rotation_of(curve_key.values));
    const glm::dquat last = before == nullptr ? glm::dquat(1, 0, 0, 0) : play::standard_rotation(*before);
    const double sign = glm::dot(q, last) < 0.0 ? -1.0 : 1.0;
    const auto stored = [&](double part) { return RawFloat(static_cast<float>(sign * part + 0.0)); };
    key.rotation = {stored(q.x), stored(q.y), stored(q.z), stored(-q.w)};
    return key;
}

/// What Blender shows at each frame of the file.
std::vector<edit::Shown> shown_by(const std::vector<CurveKey>& keys, std::size_t frames,
                                  const ExportOptions& options, const glm::dvec3& base_translation) {
    std::vector<edit::Shown> shown;
    std::size_t at = 0;
    for (std::size_t frame = 0; frame < frames; ++frame) {
        const auto time = static_cast<double>(frame);
        while (at + 1 < keys.size() && keys[at + 1].time <= time) {
            ++at;
        }
        const bool holds = at + 1 == keys.size() || keys[at].time >= time;
        const play::ObjectKey& a = keys[at].values;
        const play::ObjectKey& b = keys[holds ? at : at + 1].values;
        const double start = keys[at].time;
        const double part = holds ? 0.0 : (time - start) / (static_cast<double>(keys[at + 1].time) - start);
        const glm::dquat rotation = play::normalised(
            options.space.key_rotation(rotation_of(a) * (1.0 - part) + rotation_of(b) * part));
        const glm::dvec3 pivot =
            options.space.position(location_of(a) * (1.0 - part) + location_of(b) * part);
        shown.push_back({rotation, pivot, pivot + rotation * base_translation});
    }
    return shown;
}

void append_mirrored_keys(std::vector<CurveKey>& keys) {
    const std::int32_t end = 2 * keys.back().time;
    for (std::size_t i = keys.size() - 1; i-- > 0;) {
        keys.push_back({end - keys[i].time, std::nullopt, keys[i].values});
    }
}

/// Keeps the template's own count as long as its last key stays at the same time.
std::size_t frame_count_of(const std::vector<CurveKey>& keys, const ExportOptions& options) {
    const file::Record* const before =
        options.template_document == nullptr ? nullptr : &options.template_document->record;
    const bool same_end = before != nullptr && !before->keys.empty() && !options.mirrors &&
                          before->keys.back().time == keys.back().time;
    return same_end ? before->frame_count : static_cast<std::size_t>(std::max(keys.back().time, 0)) + 1;
}

Result<std::vector<CurveKey>> curve_keys(const rig::curves::Timing& timing,
                                         std::span<const rig::curves::CurveView> curves,
                                         UnchangedChannels unchanged, const TemplateKeys& template_keys,
                                         const ExportOptions& options) {
    if ((unchanged.location || unchanged.rotation) && options.template_document == nullptr) {
        return fail(ErrorCode::invalid_argument,
                    "a curve is marked unchanged, and there is no template_document");
    }
    TRY(const auto table, curve_table(curves, unchanged));
    const auto frames = common_frames(table, template_keys);
    if (!frames) {
        return tl::unexpected<Error>(frames.error());
    }
    if (frames->empty()) {
        return sample_instead("the curves have no keys");
    }
    auto keys = timed_keys(*frames, template_keys, timing, options);
    if (!keys) {
        return keys;
    }
    return put_values(*keys, table, template_keys)
        .and_then([&] { return require_same_blend(*keys, template_keys); })
        .map([&] { return std::move(*keys); });
}

}  // namespace

Result<Export> export_curves(const rig::curves::Timing& timing,
                             std::span<const rig::curves::CurveView> curves, UnchangedChannels unchanged,
                             const ExportOptions& options) {
    const TemplateKeys template_keys = template_keys_of(options, timing);
    auto keys = curve_keys(timing, curves, unchanged, template_keys, options);
    if (!keys) {
        return tl::unexpected<Error>(std::move(keys.error()));
    }
    const bool begins_as_template = keys->front().template_key == std::optional<std::size_t>(0);
    if (keys->front().time > 0 && (!begins_as_template || options.mirrors)) {
        keys->insert(keys->begin(), CurveKey{0, std::nullopt, keys->front().values});
    }
    const std::size_t sampled = keys->size();
    if (options.mirrors) {
        append_mirrored_keys(*keys);
    }
    const std::size_t frames = frame_count_of(*keys, options);
    TRY_VOID(require_frames(std::max<std::size_t>(frames, 1)));
    file::Record record = new_record(options);
    record.base = base_floats(options.space.file_base(options.object_base), record);
    std::vector<file::Key> made;
    for (const CurveKey& key : *keys) {
        made.push_back(file_key(key, template_keys, options, made.empty() ? nullptr : &made.back()));
    }
    put_keys(record, std::move(made), frames, options);
    std::vector<edit::Shown> shown =
        shown_by(*keys, std::max<std::size_t>(frames, 1), options, play::translation_of(record.base));
    return finish_export({std::move(record), std::move(shown), sampled}, options);
}

}  // namespace animbridge::oban::scene

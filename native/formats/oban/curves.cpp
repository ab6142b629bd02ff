// SPDX-License-Identifier: MIT
#include "formats/oban/curves.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "formats/oban/json.h"

namespace animbridge::oban {

namespace {

template <std::size_t Width>
rig::BoneCurves component_curves(rig::BoneChannel channel, const std::vector<float>& frames,
                                 const std::vector<ObjectKey>& keys,
                                 std::array<float, Width> ObjectKey::*part) {
    rig::BoneCurves curves{rig::no_bone, channel, {}, {}};
    curves.points.resize(Width);
    for (std::size_t c = 0; c < Width; ++c) {
        curves.points[c].reserve(2 * keys.size());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            curves.points[c].push_back(frames[i]);
            curves.points[c].push_back((keys[i].*part).at(c));
        }
    }
    return curves;
}

Result<void> require_finite(const std::vector<ObjectKey>& keys) {
    const auto is_number = [](float number) { return std::isfinite(number); };
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (!std::all_of(keys[i].location.begin(), keys[i].location.end(), is_number) ||
            !std::all_of(keys[i].rotation.begin(), keys[i].rotation.end(), is_number)) {
            Error error{ErrorCode::bad_value, "is too far out for a scene in Blender"};
            error.field = "keys[" + std::to_string(i) + "]";
            return tl::unexpected<Error>(std::move(error));
        }
    }
    return {};
}

Json warnings_json(const std::vector<float>& frames) {
    Json warnings = Json::array();
    std::size_t met = 0;
    for (std::size_t i = 1; i < frames.size(); ++i) {
        met += frames[i] - frames[i - 1] < rig::merge_distance_frames ? 1U : 0U;
    }
    if (met > 0) {
        warnings.push_back(std::to_string(met) +
                           " keys are so close to the one before that Blender may merge the two");
    }
    return warnings;
}

}  // namespace

std::vector<ObjectKey> object_keys(const Record& record, const Space& space) {
    std::vector<ObjectKey> keys;
    keys.reserve(record.keys.size());
    bool negated = false;
    for (std::size_t i = 0; i < record.keys.size(); ++i) {
        if (i > 0 &&
            glm::dot(standard_rotation(record.keys[i - 1]), standard_rotation(record.keys[i])) < 0.0) {
            negated = !negated;
        }
        ObjectKey& key = keys.emplace_back(object_key(space, record.keys[i]));
        if (negated) {
            std::transform(key.rotation.begin(), key.rotation.end(), key.rotation.begin(), std::negate<>());
        }
    }
    return keys;
}

void put_base(Json& report, const Affine& object_base) {
    const glm::dmat3& m = object_base.linear;
    const glm::dvec3& place = object_base.place;
    const bool is_diagonal = place == glm::dvec3(0.0) && m[0][1] == 0.0 && m[0][2] == 0.0 && m[1][0] == 0.0 &&
                             m[1][2] == 0.0 && m[2][0] == 0.0 && m[2][1] == 0.0;
    const bool is_scale = is_diagonal && m[0][0] > 0.0 && m[1][1] > 0.0 && m[2][2] > 0.0;
    report["base"] = is_scale ? (m == glm::dmat3(1.0) ? "none" : "scale") : "matrix";
    report["base_scale"] = is_scale ? Json{m[0][0], m[1][1], m[2][2]} : Json(nullptr);
    Json& numbers = report["base_matrix"] = Json::array();
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 3; ++row) {
            // + 0.0 turns -0 into 0, because the sign means nothing here.
            numbers.push_back((column == 3 ? place[row] : m[column][row]) + 0.0);
        }
        numbers.push_back(column == 3 ? 1.0 : 0.0);
    }
}

Result<Curves> to_curves(const Document& document, const rig::Timing& timing, const Space& space) {
    const Record& record = document.record;
    TRY_VOID(require_playable(record));
    const std::vector<ObjectKey> keys = object_keys(record, space);
    TRY_VOID(require_finite(keys));
    std::vector<float> frames;
    frames.reserve(keys.size());
    std::transform(record.keys.begin(), record.keys.end(), std::back_inserter(frames),
                   [&](const Key& key) { return static_cast<float>(scene_frame(timing, key.time)); });
    Curves made;
    made.curves.push_back(component_curves(rig::BoneChannel::location, frames, keys, &ObjectKey::location));
    made.curves.push_back(component_curves(rig::BoneChannel::quaternion, frames, keys, &ObjectKey::rotation));
    const double last = Player(record).last_frame();
    made.report = {{"frame_end", scene_frame(timing, last)}, {"duration_seconds", last / frames_per_second}};
    put_base(made.report, space.object_base({linear_part(record.base), translation_of(record.base)}));
    made.report.update(
        {{"flags", flag_names_json(record.flags)},
         {"flags_value", record.flags},
         {"frame_length", record.frame_length},
         {"frame_count", record.frame_count},
         {"half_stop_frame", record.half_stop_frame},
         {"half_stop_scene_frame",
          record.half_stop_frame == 0 ? Json(nullptr) : Json(scene_frame(timing, record.half_stop_frame))},
         {"name", json_text(document.name)},
         {"keys", record.keys.size()},
         {"warnings", warnings_json(frames)}});
    return made;
}

}  // namespace animbridge::oban

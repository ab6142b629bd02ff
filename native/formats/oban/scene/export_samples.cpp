// SPDX-License-Identifier: MIT
#include "formats/oban/scene/scene.h"

#include <algorithm>
#include <cmath>

#include "formats/oban/scene/export_report.h"

namespace animbridge::oban::scene {

namespace {

/// A frame shows the same as the template if it differs only by float noise: this fraction of the position's
/// size (at least 1 m), and this chord between quaternions. It is 20 steps of single precision, a hundredth
/// of what is visible.
constexpr double noise = 2e-6;
constexpr double smallest_size = 1.0 / file::metres_per_unit;

std::vector<play::Affine> file_matrices(std::span<const float> matrices, const play::Space& space) {
    constexpr std::size_t width = 16;
    std::vector<play::Affine> frames(matrices.size() / width);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const auto m = matrices.subspan(i * width, width);
        frames[i] = space.file_matrix(
            {glm::dmat3(m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]), {m[12], m[13], m[14]}});
    }
    return frames;
}

/// Chooses the sign nearer to the key before. The first key has w <= 0, as in the game's own files.
void align(glm::dquat& stored, const glm::dquat* before) {
    if (before == nullptr ? stored.w > 0.0 : glm::dot(stored, *before) < 0.0) {
        stored = -stored;
    }
}

file::Key key_of(const glm::dquat& stored, std::int32_t time) {
    file::Key key;
    key.rotation = {RawFloat(static_cast<float>(stored.x)), RawFloat(static_cast<float>(stored.y)),
                    RawFloat(static_cast<float>(stored.z)), RawFloat(static_cast<float>(stored.w))};
    key.time = time;
    return key;
}

void put_position(file::Key& key, const glm::dvec3& position) {
    for (int i = 0; i < 3; ++i) {  // + 0.0 turns the -0 of a change of axes into 0
        key.position.at(static_cast<std::size_t>(i)) = RawFloat(static_cast<float>(position[i] + 0.0));
    }
}

/// A key for every frame, and what each must show.
edit::Motion motion_of(const std::vector<play::Affine>& frames, const file::Record& record) {
    edit::Motion motion;
    motion.base_translation = play::translation_of(record.base);
    const glm::dmat3 base_inverse = glm::inverse(play::linear_part(record.base));
    glm::dquat before(1, 0, 0, 0);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const glm::dquat rotation = rotation_before(frames[i].linear, base_inverse);
        glm::dquat stored(-rotation.w, rotation.x, rotation.y, rotation.z);
        align(stored, i == 0 ? nullptr : &before);
        before = stored;
        file::Key key = key_of(stored, static_cast<std::int32_t>(i));
        // The position compensates for the effect of rounding the rotation on a Base far from the origin.
        const glm::dquat rounded = play::normalised(play::standard_rotation(key));
        put_position(key, frames[i].place - rounded * motion.base_translation);
        motion.frames.push_back(key);
        motion.shown.push_back(
            {rotation, frames[i].place - rotation * motion.base_translation, frames[i].place});
    }
    return motion;
}

bool is_noise(const play::Pose& pose, const glm::dvec3& base_translation, const edit::Shown& shown) {
    const auto size_of = [](const glm::dvec3& v) {
        return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    };
    const double size =
        std::max({smallest_size, size_of(shown.origin), size_of(shown.pivot), size_of(base_translation)});
    const edit::Stray stray = edit::stray_of(pose, base_translation, shown);
    constexpr double mm_per_unit = 1000.0 * file::metres_per_unit;
    constexpr double degrees_per_chord = 115.0;
    return stray.position_mm <= noise * size * mm_per_unit &&
           stray.rotation_degrees <= noise * degrees_per_chord;
}

/// Whether the scene still shows at every frame what the template shows.
bool plays_like(const file::Record& template_record, const edit::Motion& motion) {
    if (template_record.frame_count != motion.frames.size()) {
        return false;
    }
    const play::Player player(template_record);
    for (std::size_t i = 0; i < motion.shown.size(); ++i) {
        if (!is_noise(player.pose(static_cast<double>(i)), motion.base_translation, motion.shown[i])) {
            return false;
        }
    }
    return true;
}

/// Uses the template's key at each frame where it still holds.
void keep_keys(const file::Record& template_record, edit::Motion& motion) {
    const play::Player player(template_record);
    for (const file::Key& key : template_record.keys) {
        const auto frame = static_cast<std::size_t>(std::max(key.time, 0));
        if (key.time >= 0 && key.time <= player.last_frame() && frame < motion.frames.size() &&
            is_noise(player.pose(key.time), motion.base_translation, motion.shown[frame])) {
            motion.frames[frame] = key;
        }
    }
}

void append_mirrored(edit::Motion& motion) {
    const std::size_t middle = motion.frames.size() - 1;
    for (std::size_t i = middle; i-- > 0;) {
        file::Key key = motion.frames[i];
        key.time = static_cast<std::int32_t>(motion.frames.size());
        motion.frames.push_back(key);
        motion.shown.push_back(motion.shown[i]);
    }
}

Result<std::vector<file::Key>> picked_keys(const file::Record* template_record, const edit::Motion& motion,
                                           const ExportOptions& options, const Job& job) {
    if (!options.bound) {
        return motion.frames;
    }
    if (template_record != nullptr && !options.mirrors && plays_like(*template_record, motion)) {
        return template_record->keys;
    }
    return edit::reduce(motion, *options.bound, options.mirrors, job);
}

}  // namespace

Result<Export> export_samples(std::span<const float> matrices, const ExportOptions& options, const Job& job) {
    std::vector<play::Affine> frames = file_matrices(matrices, options.space);
    const std::size_t count = options.mirrors && !frames.empty() ? 2 * frames.size() - 1 : frames.size();
    TRY_VOID(require_frames(count));
    file::Record record = new_record(options);
    const file::Record* template_record =
        options.template_document != nullptr && play::require_playable(options.template_document->record)
            ? &options.template_document->record
            : nullptr;
    const auto base =
        constant_base(frames, template_record == nullptr
                                  ? std::nullopt
                                  : std::optional(play::Affine{play::linear_part(template_record->base),
                                                               play::translation_of(template_record->base)}));
    if (!base) {
        return tl::unexpected<Error>(base.error());
    }
    record.base = base_floats(*base, record);
    edit::Motion motion = motion_of(frames, record);
    template_record =
        template_record != nullptr && template_record->base == record.base ? template_record : nullptr;
    if (template_record != nullptr) {
        keep_keys(*template_record, motion);
    }
    if (options.mirrors) {
        append_mirrored(motion);
    }
    TRY(auto keys, picked_keys(template_record, motion, options, job));
    put_keys(record, std::move(keys), count, options);
    return finish_export({std::move(record), std::move(motion.shown), motion.frames.size()}, options);
}

}  // namespace animbridge::oban::scene

// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "api/handles.h"
#include "convert/reports.h"
#include "convert/sl_document.h"
#include "convert/sl_limits.h"
#include "formats/sl_anim/player.h"
#include "formats/sl_anim/skeleton.h"
#include "formats/sl_anim/upload.h"

using namespace animbridge;
using api::guarded;
using api::misuse;

namespace {

Result<const sl_anim::Document*> take_sl_anim(const ab_document* document) {
    if (document == nullptr) {
        return misuse("document is NULL");
    }
    const sl_anim::Document* sl = as_sl_anim(*document->document);
    if (sl == nullptr) {
        return misuse("document is no Second Life animation");
    }
    return sl;
}

/// The caller's arrays of ab_sl_pose; each may be NULL.
struct PoseArrays {
    std::size_t joint_capacity;
    double* local_rotations;
    double* local_positions;
    double* world_rotations;
    double* world_positions;

    static void put(double* array, std::size_t row, std::size_t width, std::initializer_list<double> values) {
        if (array != nullptr) {
            std::copy(values.begin(), values.end(), array + row * width);
        }
    }
    void put_joint(std::size_t row, const sl_anim::Player::AnimatedJoint& joint, float clip_seconds,
                   const std::vector<Transform>& world) const {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        sl_anim::Quaternion q{static_cast<float>(none), static_cast<float>(none), static_cast<float>(none),
                              static_cast<float>(none)};
        sl_anim::Vector p{static_cast<float>(none), static_cast<float>(none), static_cast<float>(none)};
        q = joint.rotation.empty() ? q : value_at(joint.rotation, clip_seconds);
        p = joint.position.empty() ? p : value_at(joint.position, clip_seconds);
        put(local_rotations, row, 4, {q.w, q.x, q.y, q.z});
        put(local_positions, row, 3, {p[0], p[1], p[2]});
        const Transform place =
            joint.joint ? world[*joint.joint] : Transform{{none, none, none, none}, {none, none, none}};
        put(world_rotations, row, 4,
            {place.rotation.w, place.rotation.x, place.rotation.y, place.rotation.z});
        put(world_positions, row, 3, {place.translation.x, place.translation.y, place.translation.z});
    }
};

}  // namespace

extern "C" {

ab_status ab_sl_predict_upload(const ab_document* document, ab_document** out, ab_buffer** findings,
                               ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        const auto sl = take_sl_anim(document);
        if (!sl || out == nullptr) {
            return sl ? misuse("out is NULL") : tl::unexpected<Error>(sl.error());
        }
        auto prediction = sl_anim::predict_upload(**sl);
        std::unique_ptr<ab_buffer> told(
            findings == nullptr ? nullptr : api::new_json_buffer(findings_json(prediction.findings)));
        if (prediction.stored) {
            *out = api::new_document(make_document(std::move(*prediction.stored)), document->name);
        }
        if (findings != nullptr) {
            *findings = told.release();
        }
        if (!prediction.stored) {
            return fail(ErrorCode::rejected, "the viewer would refuse the upload; the findings say why");
        }
        return {};
    });
}

ab_status ab_sl_skeleton_json(ab_buffer** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (out == nullptr) {
            return misuse("out is NULL");
        }
        *out = api::new_json_buffer(sl_anim::skeleton_json());
        return {};
    });
}

size_t ab_sl_joint_count(const ab_document* document) {
    std::size_t count = 0;
    guarded(nullptr, [&]() -> Result<void> {
        if (const auto sl = take_sl_anim(document); sl && require_playable(**sl)) {
            count = sl_anim::Player(**sl).joints().size();
        }
        return {};
    });
    return count;
}

ab_status ab_sl_pose(const ab_document* document, const double* times_seconds, size_t count,
                     double stop_time_seconds, size_t joint_capacity, double* clip_seconds,
                     double* ease_weights, double* local_rotations, double* local_positions,
                     double* world_rotations, double* world_positions, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        const auto sl = take_sl_anim(document);
        if (!sl || (times_seconds == nullptr && count > 0)) {
            return sl ? misuse("times_seconds is NULL") : tl::unexpected<Error>(sl.error());
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (!std::isfinite(times_seconds[i])) {
                return misuse("times_seconds[" + std::to_string(i) + "] is not a number");
            }
        }
        if (std::isnan(stop_time_seconds)) {
            return misuse("stop_time_seconds is not a number");
        }
        if (auto playable = require_playable(**sl); !playable) {
            return playable;
        }
        const sl_anim::Player player(**sl);
        if (joint_capacity < player.joints().size()) {
            return misuse("joint_capacity is " + std::to_string(joint_capacity) + ", the file has " +
                          std::to_string(player.joints().size()));
        }
        const PoseArrays arrays{joint_capacity, local_rotations, local_positions, world_rotations,
                                world_positions};
        const auto stop = stop_time_seconds >= 0.0 ? std::optional(stop_time_seconds) : std::nullopt;
        for (std::size_t i = 0; i < count; ++i) {
            const sl_anim::PlayState state = player.state_at(times_seconds[i], stop);
            PoseArrays::put(clip_seconds, i, 1, {state.clip_seconds});
            PoseArrays::put(ease_weights, i, 1, {state.weight});
            const auto world = player.world_pose(state.clip_seconds);
            for (std::size_t joint = 0; joint < player.joints().size(); ++joint) {
                arrays.put_joint(i * joint_capacity + joint, player.joints()[joint], state.clip_seconds,
                                 world);
            }
        }
        return {};
    });
}

}  // extern "C"

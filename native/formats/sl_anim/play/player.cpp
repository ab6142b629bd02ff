// SPDX-License-Identifier: MIT
#include "formats/sl_anim/play/play.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>

#include "formats/sl_anim/avatar/avatar.h"

namespace animbridge::sl_anim::play {

namespace {

/// The viewer's cubic ease: 3x^2 - 2x^3 over 0..1.
float ease(float x) {
    const float clamped = std::clamp(x, 0.0F, 1.0F);
    return clamped * clamped * (3.0F - 2.0F * clamped);
}

/// Seconds since the start in the viewer's single precision, at most the largest float.
float clock_time(double seconds) {
    constexpr double latest = std::numeric_limits<float>::max();
    return static_cast<float>(std::max(0.0, std::min(latest, seconds)));
}

}  // namespace

Player::Player(const file::Document& document)
    : duration_(document.duration.value()),
      loop_(document.loop != 0),
      loop_in_(document.loop_in_point.value()),
      loop_out_(document.loop_out_point.value()),
      ease_in_(document.ease_in_duration.value()),
      ease_out_(document.ease_out_duration.value()) {
    // The viewer plays the first record of a joint; an alias names the same joint.
    std::set<std::string_view> seen;  // ordered, because a hostile file can make hashes collide
    for (const file::Joint& joint : document.joints) {
        const auto known = avatar::find_joint(joint.name);
        if (seen.insert(known ? std::string_view(avatar::skeleton()[*known].node.name) : joint.name).second) {
            joints_.push_back({joint.name, known,
                               codes::as_played(codes::decode_rotations(joint.rotation, duration_)),
                               codes::as_played(codes::decode_positions(joint.position, duration_))});
        }
    }
}

/// The clip time while no stop has been requested.
float Player::playing_time(float seconds) const {
    if (!loop_) {
        return std::min(seconds, std::max(duration_, 0.0F));  // after the end the last keys hold
    }
    if (duration_ == 0.0F) {
        return 0.0F;
    }
    if (!(seconds > loop_out_)) {
        return seconds;
    }
    const float length = loop_out_ - loop_in_;
    return length == 0.0F ? loop_out_ : loop_in_ + std::fmod(seconds - loop_out_, length);
}

/// The time at which the animation stops by itself: when the clip time passes the duration, or when the
/// ease-out before the end begins.
std::optional<float> Player::self_stop() const {
    if (!loop_) {
        const float end = std::max(duration_, 0.0F);
        const float easing_out = std::clamp(duration_ - ease_out_, 0.0F, end);
        // The viewer looks for the ease-out only after the ease-in. If that is too late, the clip's end stops
        // it.
        return easing_out >= ease_in_ ? easing_out : end;
    }
    if (duration_ == 0.0F) {
        return std::nullopt;
    }
    if (loop_out_ > duration_) {
        return duration_;
    }
    // Loop points out of order play from loop_in_ to loop_in_ + (loop_in_ - loop_out_).
    if (loop_in_ > loop_out_ && loop_in_ + (loop_in_ - loop_out_) > duration_) {
        return loop_out_ + std::max(duration_ - loop_in_, 0.0F);
    }
    // Equal loop points hold the animation there. If they lie after the duration, the test of loop_out_ above
    // has already stopped it.
    return std::nullopt;
}

/// The time at which a stop that is requested at `now` takes effect: unless the loop ends with the clip, the
/// viewer first plays on to the end.
float Player::requested_stop(float now) const {
    if (!loop_ || loop_out_ == duration_) {
        return now;
    }
    const float length = loop_out_ - loop_in_;
    const float into_loop = length == 0.0F ? 0.0F : std::fmod(now - loop_in_, length);
    return std::max(now, (now - into_loop) + (duration_ - loop_in_) - ease_out_);
}

float Player::weight_at(float seconds, std::optional<float> stop) const {
    const bool easing_in = seconds <= ease_in_;
    if (stop && seconds > *stop) {
        const float since = seconds - *stop;
        if (since > ease_out_) {
            return 0.0F;
        }
        // The weight at the stop: less than 1 if the stop cut the ease-in short.
        const float reached = *stop < ease_in_ ? ease(*stop / ease_in_) : 1.0F;
        return ease_out_ == 0.0F ? 0.0F : reached * ease(1.0F - since / ease_out_);
    }
    if (easing_in) {
        return ease_in_ == 0.0F ? 1.0F : ease(seconds / ease_in_);
    }
    return 1.0F;
}

PlayState Player::state_at(double seconds, std::optional<double> stop_seconds) const {
    const float now = clock_time(seconds);
    std::optional<float> request;
    if (stop_seconds && static_cast<float>(*stop_seconds) <= now) {
        request = clock_time(*stop_seconds);
    }
    const std::optional<float> own = self_stop();
    if (own && now > *own && (!request || *own <= *request)) {
        const float clip = loop_ ? std::min(duration_, playing_time(*own) + (now - *own)) : playing_time(now);
        return {clip, weight_at(now, own)};
    }
    if (!request) {
        return {playing_time(now), weight_at(now, std::nullopt)};
    }
    // After the request, a loop's time continues and stops at the end.
    const bool runs_out = loop_ && duration_ != 0.0F;
    const float clip =
        runs_out ? std::min(duration_, playing_time(*request) + (now - *request)) : playing_time(now);
    return {clip, weight_at(now, requested_stop(*request))};
}

std::vector<Transform> Player::local_pose(float clip_seconds) const {
    std::vector<Transform> pose = avatar::resting_pose();
    for (const AnimatedJoint& joint : joints_) {
        if (!joint.joint) {
            continue;
        }
        Transform& local = pose[*joint.joint];
        if (!joint.rotation.empty()) {
            const codes::Quaternion q = codes::value_at(joint.rotation, clip_seconds);
            local.rotation = glm::normalize(glm::dquat(q.w, q.x, q.y, q.z));
        }
        if (!joint.position.empty()) {
            const codes::Vector p = codes::value_at(joint.position, clip_seconds);
            local.translation = {p[0], p[1], p[2]};
        }
    }
    return pose;
}

std::vector<Transform> Player::to_world(std::vector<Transform> local) {
    for (std::size_t i = 0; i < local.size(); ++i) {
        if (const auto parent = avatar::skeleton()[i].node.parent) {
            local[i] = local[*parent] * local[i];
        }
    }
    return local;
}

std::vector<Transform> Player::world_pose(float clip_seconds) const {
    return to_world(local_pose(clip_seconds));
}

}  // namespace animbridge::sl_anim::play

// SPDX-License-Identifier: MIT
#include "formats/sl_anim/fix/mends.h"

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <set>

#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/play/play.h"
#include "model/clip/clip.h"

/// What several mends need.
namespace animbridge::sl_anim::fix {

file::Joint* record_of(file::Document& document, std::string_view joint) {
    const auto wanted = avatar::find_joint(joint);
    const auto found = std::ranges::find_if(document.joints, [&](const file::Joint& record) {
        return wanted && avatar::find_joint(record.name) == wanted;
    });
    return found == document.joints.end() ? nullptr : &*found;
}

std::vector<std::string> joints_of(const check::Places& places) {
    std::vector<std::string> joints;
    std::set<std::string_view> seen;
    for (const check::Place& place : places) {
        if (!place.joint.empty() && seen.insert(place.joint).second) {
            joints.emplace_back(place.joint);
        }
    }
    return joints;
}

std::vector<check::Places> by_joint(const check::Places& places) {
    std::vector<check::Places> groups;
    for (const check::Place& place : places) {
        if (groups.empty() || groups.back().front().joint != place.joint) {
            groups.emplace_back();
        }
        groups.back().push_back(place);
    }
    return groups;
}

double largest_size(const check::Places& places) {
    double largest = 0;
    for (const check::Place& place : places) {
        largest = std::max(largest, place.size);
    }
    return largest;
}

namespace {

std::set<double> times_of_keys(const file::Document& document) {
    std::set<double> times;
    const auto note = [&](const auto& keys) {
        for (const auto& key : keys) {
            times.insert(seconds_of(key, document));
        }
    };
    for (const file::Joint& joint : document.joints) {
        for (const file::KeyList* list : {&joint.rotation, &joint.position}) {
            with_keys(*list, document, note);
        }
    }
    return times;
}

}  // namespace

double frame_seconds(const file::Document& document) {
    const std::set<double> times = times_of_keys(document);
    std::vector<double> gaps;
    for (auto next = times.begin(); next != times.end() && std::next(next) != times.end(); ++next) {
        gaps.push_back(*std::next(next) - *next);
    }
    if (gaps.empty()) {
        return 1.0 / 30.0;
    }
    const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
    std::ranges::nth_element(gaps, middle);
    return std::clamp(*middle, 1.0 / 60.0, 1.0 / 10.0);
}

namespace {

void widen_reach(const Transform& a, const Transform& b, Reach& reach) {
    reach.degrees = std::max(reach.degrees, angle_between_degrees(a.rotation, b.rotation));
    reach.mm = std::max(reach.mm, 1000.0 * glm::distance(a.translation, b.translation));
}

}  // namespace

Reach reach_from_rest(const file::Document& document, const std::vector<std::string>& joints) {
    Reach reach;
    const play::Player player(document);
    const std::set<std::string_view> names(joints.begin(), joints.end());
    for (const auto& moved : player.joints()) {
        if (!moved.joint || !names.contains(avatar::skeleton()[*moved.joint].node.name)) {
            continue;
        }
        const Transform& rest = avatar::resting_pose()[*moved.joint];
        for (const codes::Quaternion& q : moved.rotation.values) {
            widen_reach({glm::normalize(glm::dquat(q.w, q.x, q.y, q.z)), rest.translation}, rest, reach);
        }
        for (const codes::Vector& p : moved.position.values) {
            widen_reach({rest.rotation, {p[0], p[1], p[2]}}, rest, reach);
        }
    }
    return reach;
}

Reach difference_between(const file::Document& document, double seconds, double other_seconds) {
    const play::Player player(document);
    const auto one = player.local_pose(static_cast<float>(seconds));
    const auto other = player.local_pose(static_cast<float>(other_seconds));
    Reach reach;
    for (std::size_t i = 0; i < one.size(); ++i) {
        widen_reach(one[i], other[i], reach);
    }
    return reach;
}

template <typename Key>
void put_keys(std::vector<Key>& keys, const std::vector<Key>& made) {
    std::vector<Key> all;
    auto next = made.begin();
    for (const Key& key : keys) {
        for (; next != made.end() && time_of(*next) < time_of(key); ++next) {
            all.push_back(*next);
        }
        if (!std::ranges::binary_search(made, time_of(key), {},
                                        [](const Key& one) { return time_of(one); })) {
            all.push_back(key);
        }
    }
    all.insert(all.end(), next, made.end());
    keys = std::move(all);
}
template void put_keys(std::vector<file::CodedKey>&, const std::vector<file::CodedKey>&);
template void put_keys(std::vector<file::LegacyKey>&, const std::vector<file::LegacyKey>&);

template <>
file::CodedKey key_of(const codes::Quaternion& value, std::uint16_t time) {
    return {time, codes::encode_rotations({{0.0F}, {value}}, 1.0F, codes::Encoder::upload).front().xyz};
}
template <>
file::CodedKey key_of(const codes::Vector& value, std::uint16_t time) {
    return {time, codes::encode_positions({{0.0F}, {value}}, 1.0F, codes::Encoder::upload).front().xyz};
}
template <>
file::LegacyKey key_of(const codes::Quaternion& value, float time) {
    file::LegacyKey key{RawFloat(time), {}};
    std::ranges::transform(codes::to_legacy_degrees(glm::dquat(value.w, value.x, value.y, value.z)),
                           key.xyz.begin(), [](double angle) { return RawFloat(static_cast<float>(angle)); });
    return key;
}
template <>
file::LegacyKey key_of(const codes::Vector& value, float time) {
    return {RawFloat(time), {RawFloat(value[0]), RawFloat(value[1]), RawFloat(value[2])}};
}

}  // namespace animbridge::sl_anim::fix

// SPDX-License-Identifier: MIT
#include "api/take_curves.h"

#include <set>
#include <string>
#include <string_view>
#include <tuple>

namespace animbridge::api {

namespace {

/// The bone or object that a curve moves, for messages; an error if it does not exist.
Result<std::string> owner_of(const ab_curve& given, const rig::Armature* armature) {
    if (given.channel == AB_CHANNEL_PROPERTY) {
        if (given.bone != -1 || given.property == nullptr || *given.property == '\0') {
            return misuse(
                "curve.channel is AB_CHANNEL_PROPERTY; such a curve has bone -1, the object, and the name of "
                "a "
                "property");
        }
        return "the property '" + std::string(given.property) + "'";
    }
    if (armature == nullptr) {
        if (given.bone != -1) {
            return misuse("curve.bone is " + std::to_string(given.bone) + "; allowed is -1, the object");
        }
        return std::string("the object");
    }
    if (given.bone < 0 || static_cast<std::size_t>(given.bone) >= armature->bones.size()) {
        return misuse("curve.bone is " + std::to_string(given.bone));
    }
    return "bone '" + armature->bones[static_cast<std::size_t>(given.bone)].name + "'";
}

Result<void> take_curve(const ab_curve& given, TakenCurves& taken) {
    if (given.channel < AB_CHANNEL_LOCATION || given.channel > AB_CHANNEL_PROPERTY) {
        return misuse("curve.channel is " + std::to_string(given.channel));
    }
    const std::size_t bone = given.bone < 0 ? rig::no_bone : static_cast<std::size_t>(given.bone);
    const auto channel = static_cast<rig::BoneChannel>(given.channel);
    if (given.component < 0 || static_cast<std::size_t>(given.component) >= rig::components_of(channel)) {
        return misuse("curve.component is " + std::to_string(given.component));
    }
    const std::string_view property =
        channel == rig::BoneChannel::property ? std::string_view(given.property) : std::string_view();
    if (given.unchanged != 0) {
        taken.unchanged.push_back({bone, channel, property});
        return {};
    }
    const std::size_t keys = given.key_count;
    if (keys == 0) {
        return {};
    }
    if (given.co == nullptr) {
        return misuse("curve.co is NULL");
    }
    const auto pairs = [&](const float* array) {
        return array == nullptr ? std::span<const float>() : std::span(array, 2 * keys);
    };
    const auto bytes = [&](const std::uint8_t* array) {
        return array == nullptr ? std::span<const std::uint8_t>() : std::span(array, keys);
    };
    taken.views.push_back({bone, channel, static_cast<std::size_t>(given.component), pairs(given.co),
                           bytes(given.interpolation), pairs(given.handle_left), pairs(given.handle_right),
                           bytes(given.inserted), property});
    return {};
}

/// The F-curves of a call, to find duplicates.
class GivenCurves {
public:
    /// An error if the curve was added before.
    Result<void> add(const ab_curve& curve, const std::string& owner) {
        const bool named = curve.channel == AB_CHANNEL_PROPERTY;
        if (!given_.emplace(curve.bone, curve.channel, curve.component, named ? curve.property : "").second) {
            return misuse("the curve of " + owner + ", channel " + std::to_string(curve.channel) +
                          ", component " + std::to_string(curve.component) +
                          " is given twice; allowed is once");
        }
        return {};
    }

private:
    std::set<std::tuple<std::int32_t, std::int32_t, std::int32_t, std::string>> given_;
};

}  // namespace

Result<TakenCurves> take_curves(const ab_curve* curves, std::size_t count, const rig::Armature* armature) {
    if (curves == nullptr && count > 0) {
        return misuse("curves is NULL");
    }
    TakenCurves taken;
    GivenCurves seen;
    // The array's stride is the caller's struct_size, not ours.
    const auto* address = reinterpret_cast<const unsigned char*>(curves);
    for (std::size_t i = 0; i < count; ++i) {
        const auto* pointer = reinterpret_cast<const ab_curve*>(address);
        TRY(const auto given, take_struct(pointer, ab_curve{}, "curve"));
        TRY(const auto owner, owner_of(given, armature));
        TRY_VOID(take_curve(given, taken).and_then([&] { return seen.add(given, owner); }));
        address += pointer->struct_size;
    }
    return taken;
}

}  // namespace animbridge::api

// SPDX-License-Identifier: MIT
#include "api/take_curves.h"

namespace animbridge::api {

namespace {

Result<void> take_curve(const ab_curve& given, const rig::Armature& armature, TakenCurves& taken) {
    if (given.bone < 0 || static_cast<std::size_t>(given.bone) >= armature.bones.size()) {
        return misuse("curve.bone is " + std::to_string(given.bone));
    }
    if (given.channel < AB_CHANNEL_LOCATION || given.channel > AB_CHANNEL_ROTATION_ZYX) {
        return misuse("curve.channel is " + std::to_string(given.channel));
    }
    const auto bone = static_cast<std::size_t>(given.bone);
    const auto channel = static_cast<rig::BoneChannel>(given.channel);
    if (given.component < 0 || static_cast<std::size_t>(given.component) >= rig::components_of(channel)) {
        return misuse("curve.component is " + std::to_string(given.component));
    }
    if (given.unchanged != 0) {
        taken.unchanged.push_back({bone, channel});
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
                           bytes(given.inserted)});
    return {};
}

}  // namespace

Result<void> GivenCurves::add(const ab_curve& curve, const std::string& of_what) {
    if (!given_.emplace(curve.bone, curve.channel, curve.component).second) {
        return misuse("the curve of " + of_what + ", channel " + std::to_string(curve.channel) +
                      ", component " + std::to_string(curve.component) + " is given twice; allowed is once");
    }
    return {};
}

Result<TakenCurves> take_curves(const ab_curve* curves, std::size_t count, const rig::Armature& armature) {
    if (curves == nullptr && count > 0) {
        return misuse("curves is NULL");
    }
    TakenCurves taken;
    GivenCurves seen;
    // The array's stride is the caller's own struct size.
    const auto* place = reinterpret_cast<const unsigned char*>(curves);
    for (std::size_t i = 0; i < count; ++i) {
        const auto* pointer = reinterpret_cast<const ab_curve*>(place);
        const auto given = take_struct(pointer, ab_curve{}, "curve");
        if (!given) {
            return tl::unexpected<Error>(given.error());
        }
        const auto one = take_curve(*given, armature, taken).and_then([&] {
            return seen.add(*given,
                            "bone '" + armature.bones[static_cast<std::size_t>(given->bone)].name + "'");
        });
        if (!one) {
            return tl::unexpected<Error>(one.error());
        }
        place += pointer->struct_size;
    }
    return taken;
}

}  // namespace animbridge::api

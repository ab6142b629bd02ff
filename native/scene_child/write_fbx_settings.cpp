// SPDX-License-Identifier: MIT
#include "scene_child/write_fbx_settings.h"

#include <assimp/scene.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace animbridge::scene_child {

namespace {

using scene::Axis;

/// FBX's number of an axis, 0 to 2, and its sign.
struct FbxAxis {
    int number = 0;
    int sign = 1;
};

FbxAxis fbx_axis(Axis axis) {
    const int value = static_cast<int>(axis);
    return {value / 2, value % 2 == 0 ? 1 : -1};
}

/// The axis to the right in a picture: up x front, in a right-handed space.
FbxAxis right_of(const FbxAxis& up, const FbxAxis& front) {
    const bool is_cyclic = (up.number + 1) % 3 == front.number;
    return {3 - up.number - front.number, (is_cyclic ? 1 : -1) * up.sign * front.sign};
}

constexpr int custom_mode = 14;

/// FBX's number of a frame rate ("time mode").
int time_mode(double frames_per_second) {
    constexpr std::array<std::pair<double, int>, 9> modes = {
        {{120, 1}, {100, 2}, {60, 3}, {50, 4}, {48, 5}, {30, 6}, {25, 10}, {24, 11}, {1000, 12}}};
    // Frame times in text, such as 0.016667, are about this far off.
    constexpr double tolerated = 5e-5;
    const auto* const found = std::find_if(modes.begin(), modes.end(), [&](const auto& mode) {
        return std::abs(mode.first - frames_per_second) < tolerated * mode.first;
    });
    return found == modes.end() ? custom_mode : found->second;
}

}  // namespace

void add_fbx_settings(aiScene& scene, const scene::Document& document) {
    const scene::Space& space = document.space;
    const FbxAxis up = fbx_axis(space.up);
    const FbxAxis front = fbx_axis(space.front);
    const FbxAxis right = right_of(up, front);
    const double fps = document.frames_per_second > 0 ? document.frames_per_second : 30.0;
    const int mode = time_mode(fps);
    constexpr double centimetres_per_metre = 100;
    scene.mMetaData = new aiMetadata;
    aiMetadata& data = *scene.mMetaData;
    data.Add("UpAxis", up.number);
    data.Add("UpAxisSign", up.sign);
    data.Add("FrontAxis", front.number);
    data.Add("FrontAxisSign", front.sign);
    data.Add("CoordAxis", right.number);
    data.Add("CoordAxisSign", right.sign);
    data.Add("OriginalUpAxis", up.number);
    data.Add("OriginalUpAxisSign", up.sign);
    data.Add("UnitScaleFactor", space.metres_per_unit * centimetres_per_metre);
    data.Add("OriginalUnitScaleFactor", space.metres_per_unit * centimetres_per_metre);
    data.Add("TimeMode", mode);
    data.Add("CustomFrameRate", mode == custom_mode ? fps : -1.0);
}

}  // namespace animbridge::scene_child

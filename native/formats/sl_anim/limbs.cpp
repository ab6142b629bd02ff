// SPDX-License-Identifier: MIT
#include "formats/sl_anim/limbs.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "formats/sl_anim/skeleton.h"

namespace animbridge::sl_anim {

namespace {

struct Part {
    std::string_view joint;
    std::string_view name;   ///< of the part that this joint rotates
    std::string_view below;  ///< of this part and all later ones in its limb
};

/// Parts from the trunk outwards.
constexpr std::array<Part, 1> pelvis = {{{"mPelvis", "pelvis", "pelvis"}}};
constexpr std::array<Part, 1> abdomen = {{{"mTorso", "abdomen", "abdomen"}}};
constexpr std::array<Part, 1> chest = {{{"mChest", "chest", "chest"}}};
constexpr std::array<Part, 1> head = {{{"mHead", "head", "head"}}};
constexpr std::array<Part, 3> left_arm = {{{"mShoulderLeft", "left upper arm", "left arm"},
                                           {"mElbowLeft", "left forearm", "left forearm"},
                                           {"mWristLeft", "left hand", "left hand"}}};
constexpr std::array<Part, 3> right_arm = {{{"mShoulderRight", "right upper arm", "right arm"},
                                            {"mElbowRight", "right forearm", "right forearm"},
                                            {"mWristRight", "right hand", "right hand"}}};
constexpr std::array<Part, 3> left_leg = {{{"mHipLeft", "left thigh", "left leg"},
                                           {"mKneeLeft", "left lower leg", "left lower leg"},
                                           {"mAnkleLeft", "left foot", "left foot"}}};
constexpr std::array<Part, 3> right_leg = {{{"mHipRight", "right thigh", "right leg"},
                                            {"mKneeRight", "right lower leg", "right lower leg"},
                                            {"mAnkleRight", "right foot", "right foot"}}};
constexpr std::array<std::span<const Part>, 8> limbs = {pelvis,   abdomen,   chest,    head,
                                                        left_arm, right_arm, left_leg, right_leg};

}  // namespace

std::vector<std::string> limbs_without_bone(const rig::BoneMap& map) {
    const auto lacks_bone = [&](const Part& part) {
        return !map.bone_of_node[find_joint(part.joint).value()].has_value();
    };
    std::vector<std::string> missing;
    for (const std::span<const Part> limb : limbs) {
        for (std::size_t i = 0; i < limb.size(); ++i) {
            if (!lacks_bone(limb[i])) {
                continue;
            }
            if (std::all_of(limb.begin() + static_cast<std::ptrdiff_t>(i), limb.end(), lacks_bone)) {
                missing.emplace_back(limb[i].below);
                break;
            }
            missing.emplace_back(limb[i].name);
        }
    }
    return missing;
}

std::vector<std::string> with_missing_limbs(std::vector<std::string> warnings, const rig::BoneMap& map) {
    const std::vector<std::string> missing = limbs_without_bone(map);
    if (missing.empty()) {
        return warnings;
    }
    std::string names;
    for (std::size_t i = 0; i < missing.size(); ++i) {
        names += (i == 0 ? "The " : i + 1 == missing.size() ? " and the " : ", the ") + missing[i];
    }
    warnings.insert(warnings.begin(), "Choose a rig map that names them, if the rig has them. " + names +
                                          (missing.size() == 1 ? " has" : " have") + " no bone");
    return warnings;
}

}  // namespace animbridge::sl_anim

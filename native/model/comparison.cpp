// SPDX-License-Identifier: MIT
#include "model/comparison.h"

namespace animbridge {

void JointDifference::widen(double millimetres, double degrees, double at_seconds) {
    if (millimetres > position_mm) {
        position_mm = millimetres;
        position_at_seconds = at_seconds;
    }
    if (degrees > rotation_degrees) {
        rotation_degrees = degrees;
        rotation_at_seconds = at_seconds;
    }
}

WorstDifference Comparison::worst() const {
    WorstDifference worst;
    for (const JointDifference& joint : joints) {
        if (joint.position_mm > worst.position_mm || worst.joint.empty()) {
            worst.position_mm = joint.position_mm;
            worst.position_at_seconds = joint.position_at_seconds;
            worst.joint = joint.joint;
        }
        if (joint.rotation_degrees > worst.rotation_degrees) {
            worst.rotation_joint = joint.joint;
            worst.rotation_degrees = joint.rotation_degrees;
            worst.rotation_at_seconds = joint.rotation_at_seconds;
        }
    }
    return worst;
}

}  // namespace animbridge

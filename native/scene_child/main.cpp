// SPDX-License-Identifier: MIT
#include "animbridge/scene.h"

int main(int count, char** arguments) { return ab_scene_main(count, arguments); }

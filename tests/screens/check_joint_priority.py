# SPDX-License-Identifier: MIT
"""Set for Selected: the dialog with the joints, confirmed by keyboard; and Set All, clicked in the panel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import hands

BONES = ("mHead", "mNeck")


def show(stage: Any) -> Iterator[float]:
    """Two joints get a priority of their own, the panel says so, and its button takes it back."""
    stage.clear()
    rig = stage.import_demo("walk.anim")
    stage.pose_mode()
    for bone in rig.pose.bones:
        holder = bone if hasattr(bone, "select") else bone.bone
        holder.select = bone.name in BONES
    stage.area.spaces.active.show_region_ui = True
    yield from hands.until_still()
    stage.show_tab("AnimBridge")
    yield from hands.until_still()
    region = next(region for region in stage.area.regions if region.type == "UI")
    plain = hands.look()
    hands.move(*stage.middle)
    yield from hands.until_still()
    stage.invoke("animbridge.set_joint_priority", priority=5)
    yield from hands.until_still()
    hands.press("Return")
    yield from hands.until(lambda: own(rig) == dict.fromkeys(BONES, 5), "the dialog's work")
    yield from hands.until_still()
    # Below the line that counts the joints.
    x, y = stage.top_of_change(plain, region)
    yield from hands.click_at(x, y + 20)
    assert not own(rig), own(rig)


def own(rig: Any) -> dict[str, int]:
    """The joints with a priority of their own."""
    shown = rig.animation_data.action.secondlife
    base = shown.base_priority
    items = shown.joint_priorities
    return {item.name: item.priority for item in items if item.priority not in (base, -1)}

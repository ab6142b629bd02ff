# SPDX-License-Identifier: MIT
"""The animation's priority and those of its joints: which follow, which do not, and how all are set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from helpers import export_file, import_file, operators, refused, select_bones, the_action, the_armature
from tests.python.material import demos
from tests.witness import anim_file

from animbridge.kinds.sl_anim.header_operators import joint_lines
from animbridge.kinds.sl_anim.properties import own_priorities

pytestmark = pytest.mark.compat

WALK = next(path for path in demos() if path.name == "walk.anim")


def walk_with(folder: Path, base: int, *priorities: int) -> Path:
    """The walk with this priority, and with these ones for its joints, over and over."""
    file = anim_file.parse(WALK.read_bytes())
    file.base_priority = base
    for index, joint in enumerate(file.joints):
        joint.priority = priorities[index % len(priorities)]
    path = folder / "walk.anim"
    path.write_bytes(anim_file.write(file))
    return path


def shown() -> Any:
    return the_action().secondlife


def exported(folder: Path) -> tuple[int, set[int]]:
    """The priority of the written file, and those of its joints."""
    file = anim_file.parse(export_file(folder / "out.anim"))
    return file.base_priority, {joint.priority for joint in file.joints}


def test_joints_follow_as_long_as_all_have_the_animations_priority(tmp_path: Path) -> None:
    import_file(walk_with(tmp_path, 3, 3))
    assert own_priorities(shown(), shown().base_priority) == []
    shown().base_priority = 5
    assert exported(tmp_path) == (5, {5})
    shown().base_priority = 1
    assert exported(tmp_path) == (1, {1})


def test_joints_with_their_own_priority_stay(tmp_path: Path) -> None:
    path = walk_with(tmp_path, 3, 3, 4)
    joints = [joint.name.decode() for joint in anim_file.parse(path.read_bytes()).joints]
    import_file(path)
    assert own_priorities(shown(), 3) == joints[1::2]
    shown().base_priority = 5
    assert exported(tmp_path) == (5, {3, 4})
    assert sorted(own_priorities(shown(), 5)) == sorted(joints)


def test_joints_without_a_priority_of_their_own_are_not_counted(tmp_path: Path) -> None:
    """-1 is the viewer's word for the animation's priority."""
    import_file(walk_with(tmp_path, 3, 3, -1))
    assert own_priorities(shown(), 3) == []
    shown().base_priority = 5
    assert exported(tmp_path) == (5, {5, -1})


def test_one_button_sets_all(tmp_path: Path) -> None:
    import_file(walk_with(tmp_path, 2, 3, 4, 5))
    shown().base_priority = 4
    assert operators.animbridge.set_all_priorities() == {"FINISHED"}
    assert own_priorities(shown(), 4) == []
    assert exported(tmp_path) == (4, {4})
    shown().base_priority = 6
    assert exported(tmp_path) == (6, {6}), "from now on they follow"


def test_the_dialog_lists_joints_with_their_priority(tmp_path: Path) -> None:
    import_file(walk_with(tmp_path, 3, 4))
    first = anim_file.parse(WALK.read_bytes()).joints[0].name.decode()
    lines = joint_lines(the_armature(), the_action(), {first, "mTail1"})
    assert lines == sorted([f"{first}: 4", "mTail1: as the animation (3)"])


def test_the_dialog_names_the_joint_of_a_bone_with_another_name(tmp_path: Path) -> None:
    rig = import_file(walk_with(tmp_path, 3, 4))
    rig.data.bones["mPelvis"].name = "hip"
    assert joint_lines(rig, the_action(), {"hip"})[0].startswith("mPelvis (bone hip): ")


def test_no_selection_is_said(tmp_path: Path) -> None:
    import_file(walk_with(tmp_path, 3, 4))
    select_bones()
    with refused("No bone is selected"):
        operators.animbridge.set_joint_priority("INVOKE_DEFAULT")

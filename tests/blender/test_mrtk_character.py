# SPDX-License-Identifier: MIT
"""The hands of a character out of this Blender: where its bones are, by the witness's reading of the file."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from batches import convert_here
from helpers import operators, refused, select_bones, set_frame
from mathutils import Matrix, Vector
from mrtk_support import export_mrtk, read, world
from tests.witness import mrtk_axes, mrtk_hands, mrtk_player
from tests.witness.mrtk_file import Recording

#: Samples are exact with bounds of 0; single precision within 2 m of the origin, through two matrices.
METRES = 2e-6
EXACT = {"max_position_mm": 0.0, "max_rotation_degrees": 0.0}
#: Mixamo's names of fingers, with where a hand of 18 cm has their four joints: along and across.
FINGERS = {
    "Thumb": ("Thumb", (0.02, 0.05, 0.08, 0.105), 0.035),
    "Index": ("Index", (0.09, 0.13, 0.155, 0.175), 0.025),
    "Middle": ("Middle", (0.093, 0.138, 0.165, 0.187), 0.005),
    "Ring": ("Ring", (0.088, 0.128, 0.153, 0.174), -0.015),
    "Little": ("Pinky", (0.08, 0.112, 0.132, 0.15), -0.035),
}
PARTS = {"Thumb": ("Metacarpal", "Proximal", "Distal", "Tip")}
FINGER_PARTS = ("Proximal", "Intermediate", "Distal", "Tip")
_CENTRE = (
    ("Hips", "", (0.0, 0.0, 1.0)),
    ("Spine", "Hips", (0.0, 0.0, 1.12)),
    ("Spine1", "Spine", (0.0, 0.0, 1.25)),
    ("Spine2", "Spine1", (0.0, 0.0, 1.36)),
    ("Neck", "Spine2", (0.0, 0.0, 1.52)),
    ("Head", "Neck", (0.0, -0.01, 1.61)),
)
_SIDE = (
    ("Shoulder", "Spine2", (0.06, 0.0, 1.46)),
    ("Arm", "Shoulder", (0.18, 0.0, 1.46)),
    ("ForeArm", "Arm", (0.46, 0.0, 1.46)),
    ("Hand", "ForeArm", (0.72, 0.0, 1.46)),
    ("UpLeg", "Hips", (0.1, 0.0, 0.95)),
    ("Leg", "UpLeg", (0.1, -0.01, 0.52)),
    ("Foot", "Leg", (0.1, 0.01, 0.09)),
    ("ToeBase", "Foot", (0.1, -0.13, 0.02)),
)


def _bones(fingers: bool) -> list[tuple[str, str, Vector]]:
    """Name, parent and head of each bone of a character that looks along -Y."""
    bones = [(name, above, Vector(head)) for name, above, head in _CENTRE]
    centre = {name for name, *_ in _CENTRE}
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        mirror = Vector((sign, 1.0, 1.0))
        for name, above, head in _SIDE:
            bones.append((side + name, above if above in centre else side + above, Vector(head) * mirror))
        for _, (name, along, across) in FINGERS.items() if fingers else ():
            above = f"{side}Hand"
            for number, reach in enumerate(along, 1):
                head = Vector((0.72 + reach, -across, 1.46 - 0.003 * number * number)) * mirror
                bones.append((f"{side}Hand{name}{number}", above, head))
                above = f"{side}Hand{name}{number}"
    return bones


def character(fingers: bool = True) -> Any:
    """A Mixamo character with twenty finger bones for each hand; every bone has a roll of its own."""
    armature = bpy.data.armatures.new("Character")
    made: Any = bpy.data.objects.new("Character", armature)
    bpy.context.collection.objects.link(made)
    bpy.context.view_layer.objects.active = made
    bpy.ops.object.mode_set(mode="EDIT")
    for number, (name, above, head) in enumerate(_bones(fingers)):
        bone = armature.edit_bones.new(f"mixamorig:{name}")
        bone.head = head
        bone.tail = head + Vector((math.sin(number), math.cos(number), 0.3)) * 0.05
        bone.roll = 0.7 * number
        bone.parent = armature.edit_bones.get(f"mixamorig:{above}") if above else None
    bpy.ops.object.mode_set(mode="OBJECT")
    return made


def animate(made: Any) -> None:
    """Arms, hands and fingers turn on twelve frames, and the body walks."""
    for number, bone in enumerate(made.pose.bones):
        bone.rotation_mode = "XYZ"
        for frame in (1, 7, 12):
            bone.rotation_euler = [0.3 * math.sin(frame + number + axis) for axis in range(3)]
            bone.keyframe_insert("rotation_euler", frame=frame)
    hips = made.pose.bones["mixamorig:Hips"]
    for frame in (1, 12):
        hips.location = (0.02 * frame, 0.0, 0.05 * frame)
        hips.keyframe_insert("location", frame=frame)
    made.animation_data.action.name = "wave"


def bone_of(side: str, joint: str) -> str | None:
    """The bone of a recording's joint."""
    slot = mrtk_hands.SLOTS[joint]
    if slot == "Hand":
        return f"mixamorig:{side}Hand"
    for finger, (name, *_) in FINGERS.items():
        parts = PARTS.get(finger, FINGER_PARTS)
        if slot.startswith(finger) and slot[len(finger) :] in parts:
            return f"mixamorig:{side}Hand{name}{parts.index(slot[len(finger) :]) + 1}"
    return None


def heads_apart(made: Any, recording: Recording) -> float:
    """The most that a joint is away from its bone's head in Blender's world, on all frames."""
    render = bpy.context.scene.render
    worst = 0.0
    for frame in range(1, 13):
        set_frame(frame)
        time = (frame - 1) * render.fps_base / render.fps
        for side in ("left", "right"):
            for joint in mrtk_hands.SLOTS:
                bone = bone_of(side.capitalize(), joint)
                if bone is not None:
                    found = mrtk_player.pose_of(recording, f"{side}.{joint}", time).position
                    away = np.array(mrtk_axes.blender_vector(found)) - world(made, bone)[:3, 3]
                    worst = max(worst, float(np.linalg.norm(away)))
    return worst


PLACES = {
    "at the origin": Matrix.Identity(4),
    "an FBX's scale and turn": Matrix.Rotation(math.radians(90.0), 4, "X") @ Matrix.Scale(0.5, 4),
    "elsewhere": Matrix.Translation((0.3, -0.4, 0.2)),
}


@pytest.mark.compat
@pytest.mark.parametrize("place", PLACES)
def test_joints_are_where_the_bones_are(place: str, tmp_path: Path) -> None:
    made = character()
    animate(made)
    made.matrix_world = PLACES[place]
    export_mrtk(tmp_path / "out.bin", report_text=True, **EXACT)
    recording = read(tmp_path / "out.bin")
    text = bpy.data.texts["AnimBridge Export"].as_string()
    assert "hands found as mixamo: L_Wrist = mixamorig:LeftHand," in text
    assert "placed without a bone of their own: L_Palm, L_IndexMetacarpal" in text
    assert [len(mrtk_player.joints_of(recording, hand)) for hand in ("left", "right")] == [26, 26]
    assert not mrtk_player.exists(recording, "camera")
    assert heads_apart(made, recording) < METRES
    assert recording.curves["left.tracked"].values() == recording.curves["right.tracked"].values() == [1.0]
    assert recording.curves["left.pinch"].values() == [0.0]


@pytest.mark.compat
def test_axes_are_a_recordings(tmp_path: Path) -> None:
    """Palms down in T-pose: the backs of the hands are up, and the fingers' joints point along them."""
    made = character()
    made.pose.bones[0].keyframe_insert("location", frame=1)
    export_mrtk(tmp_path / "out.bin", **EXACT)
    recording = read(tmp_path / "out.bin")
    for side, across in (("left", 1.0), ("right", -1.0)):
        wrist = mrtk_player.pose_of(recording, f"{side}.Wrist", 0.0).meant
        assert wrist is not None
        assert mrtk_axes.rotated(wrist, (0, 1, 0))[1] > 0.99
        assert across * mrtk_axes.rotated(wrist, (0, 0, 1))[0] > 0.99
        for joint, below in mrtk_hands.NEXT.items():
            pose, ahead = (mrtk_player.pose_of(recording, f"{side}.{name}", 0.0) for name in (joint, below))
            assert pose.meant is not None
            line = np.array(ahead.position) - np.array(pose.position)
            forward = np.array(mrtk_axes.rotated(pose.meant, (0, 0, 1)))
            # Of 20 mm in single precision.
            assert np.linalg.norm(forward - line / np.linalg.norm(line)) < 1e-4, (side, joint)


def test_curves_are_refused_and_selected_bones_are_heeded(tmp_path: Path) -> None:
    made = character()
    animate(made)
    with refused("Samples"):
        operators.export_anim.mrtk(filepath=str(tmp_path / "out.bin"), method="CURVES")
    select_bones(*[bone.name for bone in made.pose.bones if bone.name.startswith("mixamorig:LeftHand")])
    export_mrtk(tmp_path / "out.bin", selected_bones=True)
    recording = read(tmp_path / "out.bin")
    assert [len(mrtk_player.joints_of(recording, hand)) for hand in ("left", "right")] == [26, 0]


def test_a_character_without_fingers_is_refused(tmp_path: Path) -> None:
    animate(character(fingers=False))
    with refused("no hand was found", "rig file"):
        operators.export_anim.mrtk(filepath=str(tmp_path / "out.bin"))
    assert not (tmp_path / "out.bin").exists()


def test_a_rig_file_names_the_hands(tmp_path: Path) -> None:
    made = character()
    animate(made)
    slots: dict[str, list[str]] = {}
    names = {bone.name: f"odd{number}" for number, bone in enumerate(made.data.bones)}
    for side in ("Left", "Right"):
        for joint, slot in mrtk_hands.SLOTS.items():
            bone = bone_of(side, joint)
            if bone is not None:
                slots[side.lower() + slot] = [names[bone]]
    for old, new in names.items():
        made.data.bones[old].name = new
    rig_file = tmp_path / "rig.json"
    rig_file.write_text(json.dumps({"animbridge_rig": 1, "id": "odd", "title": "Odd", "slots": slots}))
    export_mrtk(tmp_path / "out.bin", rig_map=str(rig_file), **EXACT)
    for new, old in {new: old for old, new in names.items()}.items():
        made.data.bones[new].name = old
    assert heads_apart(made, read(tmp_path / "out.bin")) < METRES


def test_batch(tmp_path: Path) -> None:
    made = character()
    animate(made)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    assert convert_here(tmp_path / "scene.blend", "--to", "bin", "--out", tmp_path / "out")[0] == 0
    made = bpy.data.objects["Character"]
    # What the export drops by default.
    assert heads_apart(made, read(tmp_path / "out" / "wave.bin")) < 1.1e-4

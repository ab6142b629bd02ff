# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows a file's header as properties of an Action, and writes edits of them into a document.

Only what the user changed is written: numbers that a property cannot hold exactly stay as the file has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import bpy
import numpy as np

from ...package import AnimBridgeError, Document, as_json, json_text, skeleton_joints
from ...scene.property_text import text_of
from ...scene.templates import first_frame
from ...scene.timing import scene_frames_per_second
from .properties import HAND_POSES, animation_of, outside_of, store_outside

#: Pose markers where the repeated part begins and ends.
LOOP_MARKERS: Final = ("loop in", "loop out")
#: The header of a file that is made without an Action, where the library's defaults are others.
PLAIN: Final = {"joint_priority": 2, "loop_out_seconds": 0.0}
_HANDS: Final = tuple(identifier for identifier, _, _ in HAND_POSES)
#: {property: (member of the document's edits, its type)}
_PLAIN: Final = {
    "base_priority": ("base_priority", int),
    "emote": ("emote_name", str),
    "ease_in_seconds": ("ease_in_duration", float),
    "ease_out_seconds": ("ease_out_duration", float),
}


def show(action: bpy.types.Action, info: Mapping[str, Any], *, is_file: bool) -> None:
    """Sets an Action's properties from what Document.info says.

    `is_file`: the Action stores the file, so that exports keep what has no property, such as constraints.
    """
    shown, values = animation_of(action), _values(info)
    shown.joint_priorities.clear()
    for name, value in values.items():
        setattr(shown, name, value)
    store_outside(shown, _beyond(shown, values))
    shown.is_from_file = is_file
    for joint in info["joints"]:
        item = shown.joint_priorities.add()
        item.name, item.priority = joint["name"], joint["priority"]
        store_outside(item, _beyond(item, {"priority": joint["priority"]}))
    shown.constraints.clear()
    for constraint in info["constraints"] if is_file else ():
        shown.constraints.add().name = _described(constraint)


def new_header(action: bpy.types.Action, duration_seconds: float) -> dict[str, Any]:
    """The header of a file that is made from an Action without a template, as the library takes it."""
    shown = animation_of(action)
    loop_in, loop_out = _loop_points(shown, duration_seconds)
    made = {
        "base_priority": shown.base_priority,
        "joint_priority": shown.base_priority,
        "loop": shown.loop,
        "loop_in_seconds": loop_in,
        "loop_out_seconds": loop_out,
        "ease_in_seconds": shown.ease_in_seconds,
        "ease_out_seconds": shown.ease_out_seconds,
        "hand_pose": _hand_pose_of(shown),
        "emote": json_text(text_of(shown, "emote")),
    }
    return {name: as_json(value) for name, value in made.items()}


def edited(document: Document, action: bpy.types.Action, joint_of_bone: Mapping[str, str]) -> Document:
    """The template's document, with the edits that were made in the Action's properties."""
    shown, info = animation_of(action), document.info()
    # If an import set no properties, they mean nothing.
    edits = _header_edits(shown, info) if shown.is_from_file else {}
    priorities = _priority_edits(shown, info["joints"], joint_of_bone)
    if priorities:
        edits["joint_priorities"] = priorities
    return document.edited(edits) if edits else document


def new_priorities(
    action: bpy.types.Action, joint_of_bone: Mapping[str, str], document: Document | None
) -> dict[str, int]:
    """{joint: priority} for the joints that the template's document does not have."""
    present = {_joint_of(joint) for joint in document.info()["joints"]} if document else set()
    joints = {joint.name for joint in skeleton_joints()}
    wanted = _priority_items(animation_of(action), joint_of_bone)
    return {name: item.priority for name, item in wanted.items() if name in joints - present}


def _described(constraint: Mapping[str, Any]) -> str:
    target = constraint["target"] or "the ground"
    return f"{constraint['source']} to {target}: {constraint['type']}, {constraint['chain_length']} joints"


def _values(info: Mapping[str, Any]) -> dict[str, Any]:
    """The properties' values for a file."""
    duration = info["duration_seconds"]
    loop_in, loop_out = info["loop_in_seconds"], info["loop_out_seconds"]
    loops = bool(info["loop"])
    return {
        "base_priority": info["base_priority"],
        "emote": info["emote"],
        "hand_pose": _HANDS[info["hand_pose_number"]],
        "ease_in_seconds": info["ease_in_seconds"],
        "ease_out_seconds": info["ease_out_seconds"],
        "loop": loops,
        "use_loop_range": loops and (loop_in, loop_out) != (0.0, duration),
        "loop_in_seconds": loop_in,
        "loop_out_seconds": loop_out,
    }


def _header_edits(shown: Any, info: Mapping[str, Any]) -> dict[str, Any]:
    text_of(shown, "emote")
    changed = {name for name, value in _values(info).items() if _is_edited(shown, name, value)}
    edits = {member: kind(getattr(shown, name)) for name, (member, kind) in _PLAIN.items() if name in changed}
    if "hand_pose" in changed:
        edits["hand_pose"] = _hand_pose_of(shown)
    if "loop" in changed:
        edits["loop"] = bool(shown.loop)
    if changed & {"loop", "use_loop_range", "loop_in_seconds", "loop_out_seconds"}:
        edits["loop_in_point"], edits["loop_out_point"] = _loop_points(shown, info["duration_seconds"])
    return edits


def _hand_pose_of(shown: Any) -> int:
    """The file's number of the hand pose. Blender has no name for a stored number that is not in the list."""
    if shown.hand_pose not in _HANDS:
        raise AnimBridgeError(
            f"refused by Second Life: the hand pose of the Action '{shown.id_data.name}' has no "
            "name. Choose one in the AnimBridge tab."
        )
    return _HANDS.index(shown.hand_pose)


def _loop_points(shown: Any, duration_seconds: float) -> tuple[float, float]:
    if shown.use_loop_range:
        return float(shown.loop_in_seconds), float(shown.loop_out_seconds)
    return 0.0, float(duration_seconds)


def _priority_edits(
    shown: Any, joints: list[Mapping[str, Any]], joint_of_bone: Mapping[str, str]
) -> dict[str, int]:
    """{joint of the file: priority} where another one is wanted."""
    wanted = _priority_items(shown, joint_of_bone)
    # Of a joint with several records the last is shown, so edits are compared with that one.
    last = {_joint_of(joint): joint for joint in joints}
    return {
        joint["name"]: wanted[name].priority
        for name, joint in last.items()
        if name in wanted and _is_edited(wanted[name], "priority", joint["priority"])
    }


def _priority_items(shown: Any, joint_of_bone: Mapping[str, str]) -> dict[str, Any]:
    """{joint: its row}, the joint by the name that counts for the viewer."""
    names = {alias: joint.name for joint in skeleton_joints() for alias in (joint.name, *joint.aliases)}
    names.update(joint_of_bone)
    items = [(text_of(item, "name"), item) for item in shown.joint_priorities]
    return {names.get(name, name): item for name, item in items}


def _joint_of(joint: Mapping[str, Any]) -> str:
    return str(joint["joint"] or joint["name"])


def _beyond(shown: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if _is_beyond(shown, name, value)}


def _is_beyond(shown: Any, name: str, value: Any) -> bool:
    """Whether a property's limits keep it from holding the file's value."""
    rna = shown.bl_rna.properties[name]
    return hasattr(rna, "hard_min") and not rna.hard_min <= value <= rna.hard_max


def _is_edited(shown: Any, name: str, value: Any) -> bool:
    """Whether a property was edited. Its limits may keep it from holding the file's value."""
    now = getattr(shown, name)
    if _same(now, value):
        return False
    if name in outside_of(shown):
        return False
    # Actions of an add-on without these limits list no such values: drawing the panel may have cut theirs.
    rna = shown.bl_rna.properties[name]
    was_cut = _is_beyond(shown, name, value) and now in (rna.hard_min, rna.hard_max)
    return shown.is_property_set("outside") or not was_cut


def _same(shown: Any, value: Any) -> bool:
    if isinstance(value, float):
        return bool(np.float32(shown) == np.float32(value))
    return bool(shown == value)


def set_loop_point(action: bpy.types.Action, scene: bpy.types.Scene, frame: float, *, is_end: bool) -> None:
    """Sets where the loop begins, or ends."""
    shown = animation_of(action)
    seconds = max((frame - first_frame(action)) / scene_frames_per_second(scene), 0.0)
    if not (shown.loop and shown.use_loop_range):
        last = float(action.frame_range[1])
        shown.loop_in_seconds = 0.0
        shown.loop_out_seconds = (last - first_frame(action)) / scene_frames_per_second(scene)
    shown.loop = shown.use_loop_range = True
    setattr(shown, "loop_out_seconds" if is_end else "loop_in_seconds", seconds)


def set_loop_from_markers(action: bpy.types.Action, scene: bpy.types.Scene) -> None:
    """Sets the loop to the Action's markers "loop in" and "loop out"; an error if one is missing."""
    frames = {marker.name: marker.frame for marker in action.pose_markers}
    missing = [name for name in LOOP_MARKERS if name not in frames]
    if missing:
        raise AnimBridgeError(
            f"The Action '{action.name}' has no pose marker '{missing[0]}'. Add it in the Action editor."
        )
    for name, is_end in zip(LOOP_MARKERS, (False, True), strict=True):
        set_loop_point(action, scene, frames[name], is_end=is_end)


def clear_own_priorities(action: bpy.types.Action) -> None:
    """Gives every joint the animation's priority."""
    shown = animation_of(action)
    for item in shown.joint_priorities:
        item.priority = shown.base_priority
    shown.followed_priority = shown.base_priority


def set_joint_priorities(action: bpy.types.Action, bones: set[str], priority: int) -> None:
    """Sets the bones' own priority; -1: the animation's."""
    items = animation_of(action).joint_priorities
    known = {item.name for item in items}
    for item in items:
        if item.name in bones:
            item.priority = priority
    for name in sorted(bones - known):
        item = items.add()
        item.name, item.priority = name, priority

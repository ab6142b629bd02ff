# SPDX-License-Identifier: GPL-3.0-or-later
"""What a Second Life animation says besides its motion: `action.secondlife`, as the panels show it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...package import AnimBridgeError, emote_names
from ...scene.action_properties import ATTRIBUTE, group_of
from ...scene.export.marks import MarkedForExport
from ...scene.previews import PreviewOf
from ...ui.option_property import option_property, option_row

#: The window manager's property for the active row of the list of Actions.
INDEX: Final = "animbridge_action_index"

#: What the viewer takes unchanged: it refuses lower values, and higher ones have no defined meaning.
_PRIORITIES: Final = option_row("sl_anim", "from_curves", "header.base_priority")
LOWEST_PRIORITY: Final = int(_PRIORITIES.low or 0)
HIGHEST_PRIORITY: Final = int(_PRIORITIES.high or 0)
_PRIORITY = "0 is the weakest, 4 beats the viewer's own walks and stands, 6 is the strongest"

#: The order is that of the file's numbers.
HAND_POSES: Final = (
    ("SPREAD", "Spread", "Fingers spread, as the avatar rests"),
    ("RELAXED", "Relaxed", "Both hands relaxed"),
    ("POINT", "Point", "Both hands point"),
    ("FIST", "Fist", "Both hands make a fist"),
    ("RELAXED_LEFT", "Relaxed Left", "The left hand relaxed"),
    ("POINT_LEFT", "Point Left", "The left hand points"),
    ("FIST_LEFT", "Fist Left", "The left hand makes a fist"),
    ("RELAXED_RIGHT", "Relaxed Right", "The right hand relaxed"),
    ("POINT_RIGHT", "Point Right", "The right hand points"),
    ("FIST_RIGHT", "Fist Right", "The right hand makes a fist"),
    ("SALUTE_RIGHT", "Salute Right", "The right hand salutes"),
    ("TYPING", "Typing", "Both hands type"),
    ("PEACE_RIGHT", "Peace Right", "The right hand makes a peace sign"),
    ("PALM_RIGHT", "Palm Right", "The right hand shows its palm"),
    ("NUMBER_14", "Number 14", "The viewer accepts this number but knows no such pose"),
)


def _replaces(name: str) -> Callable[[Any, Any], None]:
    """Lets a value that is set replace the file's, even if it equals the limit that was shown instead."""

    def update(self: Any, _context: Any) -> None:
        store_outside(self, {other: value for other, value in outside_of(self).items() if other != name})

    return update


def _base_priority_changed(shown: Any, context: Any) -> None:
    """Lets the joints follow the animation's priority, as long as all of them had that one."""
    _replaces("base_priority")(shown, context)
    before, now = shown.followed_priority, shown.base_priority
    if shown.is_property_set("followed_priority") and not own_priorities(shown, before):
        for item in shown.joint_priorities:
            if item.priority == before:
                item.priority = now
    shown.followed_priority = now


def own_priorities(shown: Any, base: int) -> list[str]:
    """The bones and joints whose priority is neither `base` nor -1, which stands for the animation's.

    What a field cannot hold is such a priority too.
    """
    return [
        item.name
        for item in shown.joint_priorities
        if item.priority not in (base, LOWEST_PRIORITY) or outside_of(item)
    ]


def _emotes(_shown: Any, _context: Any, text: str) -> list[str]:
    """The viewer's names that hold the text; none without the library."""
    try:
        return [name for name in emote_names() if text.lower() in name.lower()]
    except AnimBridgeError:
        return []


def outside_of(shown: Any) -> dict[str, Any]:
    """{property: the file's value} of properties that cannot hold it, until another value is set."""
    try:
        values = dict(json.loads(shown.outside or "{}"))
    except (TypeError, ValueError, RecursionError):
        return {}
    return {name: value for name, value in values.items() if isinstance(value, int | float)}


def store_outside(shown: Any, values: Mapping[str, Any]) -> None:
    """Stores such values, in place of those of an earlier file."""
    shown.outside = json.dumps(dict(values))


def _outside() -> Any:
    return StringProperty(
        name="In the File",
        description="Values of the imported file that lie outside the limits here, as JSON",
        options={"HIDDEN"},
    )


def _header(member: str, **own: Any) -> Any:
    """The property of a header's member."""
    return option_property("sl_anim", "from_curves", f"header.{member}", **own)


class SecondLifeJointPriority(bpy.types.PropertyGroup):
    """The priority of one joint; `name` is the bone's, or the joint's where it has no bone."""

    priority: IntProperty(
        name="Priority",
        description=f"Which animation wins this joint. -1: the animation's own; {_PRIORITY}",
        default=2,
        min=LOWEST_PRIORITY,
        max=HIGHEST_PRIORITY,
        update=_replaces("priority"),
    )
    outside: _outside()


class SecondLifeConstraint(bpy.types.PropertyGroup):
    """A constraint of the imported file, which an export keeps; `name` says what it does."""


class SecondLifeFinding(bpy.types.PropertyGroup):
    """What a check found; `name` is the rule's id (docs/findings.md)."""

    finding_class: StringProperty(name="Class", description="rejected, altered, risky or advice")
    joint: StringProperty(name="Joint", description="The joint; empty: the whole file")
    bone: StringProperty(name="Bone", description="The bone of the joint; empty: none")
    has_frame: BoolProperty(name="Has a Frame", description="Whether the finding is about one key")
    frame: FloatProperty(name="Frame", description="The frame of the key")
    found: StringProperty(name="Found", description="What the file has")
    effect: StringProperty(name="Effect", description="What the viewer does")
    advice: StringProperty(name="Advice", description="What to do about it")
    can_mend: BoolProperty(name="Can Mend", description="Whether it mends itself")


class SecondLifeSize(bpy.types.PropertyGroup):
    """A size that the file can have, and how far joints are off then."""

    size_bytes: IntProperty(name="Size", description="Bytes of the file")
    error_mm: FloatProperty(name="Error", description="The largest error in millimetres")


class SecondLifeAnimation(MarkedForExport, PreviewOf, bpy.types.PropertyGroup):
    """The header of a Second Life animation: seconds and priorities as in the file."""

    base_priority: _header(
        "base_priority",
        name="Priority",
        soft_min=0,
        update=_base_priority_changed,
    )
    followed_priority: IntProperty(
        name="Followed Priority",
        description="The animation's priority as the joints followed it last",
        options={"HIDDEN"},
    )
    emote: _header("emote", name="Emote", search=_emotes)
    hand_pose: EnumProperty(
        name="Hands",
        description="Hands of the system avatar. Finger joints move the hands of mesh bodies",
        items=HAND_POSES,
        default="RELAXED",
    )
    ease_in_seconds: _header(
        "ease_in_seconds",
        name="Ease In",
        min=0.0,
        soft_max=5.0,
        precision=3,
        update=_replaces("ease_in_seconds"),
    )
    ease_out_seconds: _header(
        "ease_out_seconds",
        name="Ease Out",
        min=0.0,
        soft_max=5.0,
        precision=3,
        update=_replaces("ease_out_seconds"),
    )
    loop: _header("loop", name="Loop")
    use_loop_range: BoolProperty(
        name="Loop a Part",
        description="Repeat from Loop In to Loop Out. The part before plays once. Off: repeat everything",
        default=False,
    )
    loop_in_seconds: _header(
        "loop_in_seconds",
        name="Loop In",
        min=0.0,
        soft_max=60.0,
        precision=3,
        update=_replaces("loop_in_seconds"),
    )
    loop_out_seconds: _header(
        "loop_out_seconds",
        name="Loop Out",
        default=0.0,
        min=0.0,
        soft_max=60.0,
        precision=3,
        update=_replaces("loop_out_seconds"),
    )
    is_from_file: BoolProperty(
        name="From a File",
        description="Whether these values were once read from a file",
        default=False,
        options={"HIDDEN"},
    )
    outside: _outside()
    joint_priorities: CollectionProperty(
        name="Joint Priorities",
        description="Priorities of single joints. A joint that is not listed has the animation's",
        type=SecondLifeJointPriority,
    )
    constraints: CollectionProperty(
        name="Constraints",
        description="Constraints of the imported file. An export keeps them",
        type=SecondLifeConstraint,
    )
    findings: CollectionProperty(
        name="Findings",
        description="What the last check found",
        type=SecondLifeFinding,
    )
    checked_bytes: IntProperty(name="Size", description="Bytes of the file at the last check; 0: none yet")
    checked_mm: FloatProperty(name="Error", description="Largest error at the last check in millimetres")
    checked_degrees: FloatProperty(name="Error", description="Largest error at the last check in degrees")
    checked_sizes: CollectionProperty(
        name="Sizes",
        description="What smaller files cost, from the last check; the largest file is the first",
        type=SecondLifeSize,
    )


#: In the order of registration.
CLASSES: Final = (
    SecondLifeJointPriority,
    SecondLifeConstraint,
    SecondLifeFinding,
    SecondLifeSize,
    SecondLifeAnimation,
)


def attach() -> None:
    """Gives every Action its SecondLifeAnimation, and the window manager the list's active row."""
    setattr(bpy.types.Action, ATTRIBUTE, PointerProperty(type=SecondLifeAnimation))
    setattr(bpy.types.WindowManager, INDEX, IntProperty(name="Action", description="The row that is active"))


def detach() -> None:
    """Takes it away again; the values stay in the file."""
    delattr(bpy.types.WindowManager, INDEX)
    delattr(bpy.types.Action, ATTRIBUTE)


def animation_of(action: bpy.types.Action) -> Any:
    """The SecondLifeAnimation of an Action."""
    return group_of(action)

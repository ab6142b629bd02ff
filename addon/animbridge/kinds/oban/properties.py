# SPDX-License-Identifier: GPL-3.0-or-later
"""What an OBAN says besides its motion: `action.oni`, as the panels show it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import bpy
from bpy.props import BoolProperty, FloatVectorProperty, PointerProperty, StringProperty
from mathutils import Euler, Matrix, Vector

from ...package import AnimBridgeError, printable
from ...scene.property_text import text_of
from ...ui.option_property import option_property
from .half_stop import follow_half_stop

#: The name under which an Action has its OniAnimation.
ATTRIBUTE: Final = "oni"
LOCAL: Final = 0x10
#: {property: bit}
FLAGS: Final = {
    "normal_loop": 0x01,
    "back_to_back_loop": 0x02,
    "random_start_frame": 0x04,
    "autostart": 0x08,
    "is_local": LOCAL,
}
_KNOWN: Final = sum(FLAGS.values())
_LONGEST_SHOWN: Final = 40


@dataclass(frozen=True)
class ObanHeader:
    """The values as the library takes them; `origin`: 16 numbers, column-major, metres; None: none."""

    flags: int = 0
    half_stop_frame: int = 0
    frame_length: int = 1
    name: str = ""
    origin: list[float] | None = None


def _half_stop_changed(shown: Any, context: bpy.types.Context) -> None:
    """Lets the marker follow; the export dialog has no marker."""
    if isinstance(shown.id_data, bpy.types.Action):
        with suppress(AnimBridgeError):  # the template is damaged: exports say so
            follow_half_stop(shown.id_data, int(shown.half_stop_frame), context.scene)


class OniHeaderProperties:
    """The properties, for the Action's group and for the export dialog to inherit."""

    normal_loop: BoolProperty(
        name="Loop", description="NormalLoop: start again after the last frame, without a blend"
    )
    back_to_back_loop: BoolProperty(
        name="Back to Back",
        description="BackToBackLoop: play forwards, then backwards, and so on, without a seam",
    )
    random_start_frame: BoolProperty(
        name="Random Start",
        description="RandomStartFrame: start at a random frame, so that several objects do not move in step",
    )
    autostart: BoolProperty(
        name="Autostart",
        description="Autostart: play when the level is loaded. Off: a script or a door starts it",
    )
    is_local: BoolProperty(
        name="Local",
        description=(
            "ZAxisUp in OniSplit: keys are relative to the origin of the object that plays them (its OBOA), "
            "so that one animation serves several doors. The origin below is that object's place in this "
            "scene"
        ),
    )
    origin_location: FloatVectorProperty(
        name="Origin",
        description=(
            "Position of the object that plays a local animation. It is not written into the file: it only "
            "moves the keys to where Blender shows them, and back"
        ),
        subtype="TRANSLATION",
        unit="LENGTH",
        size=3,
    )
    origin_rotation: FloatVectorProperty(
        name="Origin Rotation",
        description=(
            "Rotation of the object that plays a local animation (XYZ Euler). It is not written into the file"
        ),
        subtype="EULER",
        unit="ROTATION",
        size=3,
    )
    half_stop_frame: option_property(
        "oban",
        "from_samples",
        "half_stop_frame",
        name="Half Stop Frame",
        description=(
            "Doors: the frame of the file (60 a second, from 0) where opening ends and closing begins. "
            "0: none. The marker HalfStopFrame shows it"
        ),
        update=_half_stop_changed,
    )
    frame_length: option_property("oban", "from_samples", "frame_length", name="Frame Length", default=1)
    oban_name: StringProperty(
        name="Name",
        description=(
            "The animation's name in a .oni, without the tag OBAN. Empty: that of the exported file. "
            "OniSplit uses the file's name"
        ),
    )
    other_flags: StringProperty(
        name="Other Flags",
        description="Flags without a known meaning, as a hexadecimal number. An export keeps them",
        default="0",
    )


class OniAnimation(OniHeaderProperties, bpy.types.PropertyGroup):
    """What stands in an OBAN beside its keys."""

    is_from_file: BoolProperty(
        name="From a File",
        description="Whether these values were once read from a file",
        default=False,
        options={"HIDDEN"},
    )


#: In the order in which they are registered.
CLASSES: Final = (OniAnimation,)


def attach() -> None:
    """Gives every Action its OniAnimation."""
    setattr(bpy.types.Action, ATTRIBUTE, PointerProperty(type=OniAnimation))


def detach() -> None:
    """Takes it away again; the values stay in the file."""
    delattr(bpy.types.Action, ATTRIBUTE)


def oni_of(action: bpy.types.Action) -> Any:
    """The OniAnimation of an Action."""
    return getattr(action, ATTRIBUTE)


def header_of(shown: Any) -> ObanHeader:
    """What the properties of an Action or of the export dialog say."""
    flags = sum(bit for name, bit in FLAGS.items() if getattr(shown, name))
    return ObanHeader(
        flags=flags | _other_flags(text_of(shown, "other_flags")),
        half_stop_frame=int(shown.half_stop_frame),
        frame_length=int(shown.frame_length),
        name=text_of(shown, "oban_name"),
        origin=_origin_of(shown) if shown.is_local else None,
    )


def set_origin(shown: Any, place: Matrix) -> None:
    """Sets the origin of a local animation to an object's place, without its scale."""
    shown.origin_location = place.to_translation()
    shown.origin_rotation = place.to_quaternion().to_euler()


def show(action: bpy.types.Action, report: Mapping[str, Any], name: str, origin: Matrix | None) -> None:
    """Sets an Action's properties from the report of its curves."""
    shown, flags = oni_of(action), int(report["flags_value"])
    for prop, bit in FLAGS.items():
        setattr(shown, prop, bool(flags & bit))
    shown.other_flags = f"{flags & ~_KNOWN:#x}" if flags & ~_KNOWN else "0"
    shown.half_stop_frame = report["half_stop_frame"]
    shown.frame_length = report["frame_length"]
    shown.oban_name = name
    shown.is_from_file = True
    if origin is not None:
        set_origin(shown, origin)


def _other_flags(text: str) -> int:
    try:
        value = int(text.strip() or "0", 16)
    except ValueError:
        value = -1
    if not 0 <= value <= 0xFFFFFFFF or value & _KNOWN:
        raise AnimBridgeError(
            f"Other Flags are '{printable(text[:_LONGEST_SHOWN])}', but must be a hexadecimal number of at "
            f"most 32 bits without those that have a property of their own (0x{_KNOWN:x})."
        )
    return value


def rigid_columns(place: Vector, turn: Euler) -> list[float]:
    """16 numbers, column-major, in double precision, because the library needs a rigid matrix."""
    x, y, z = turn
    rows = _product(_axis_turn(2, z), _product(_axis_turn(1, y), _axis_turn(0, x)))
    columns = [[*(rows[row][column] for row in range(3)), 0.0] for column in range(3)]
    return [*columns[0], *columns[1], *columns[2], *place, 1.0]


def _origin_of(shown: Any) -> list[float] | None:
    place, turn = Vector(shown.origin_location), Euler(shown.origin_rotation)
    if not all(math.isfinite(value) for value in (*place, *turn)):
        raise AnimBridgeError("The origin of the local animation is not finite. Set it in the Oni panel.")
    return rigid_columns(place, turn) if any(place[:]) or any(turn[:]) else None


def _axis_turn(axis: int, angle: float) -> list[list[float]]:
    first, second = (axis + 1) % 3, (axis + 2) % 3
    rows = [[float(row == column) for column in range(3)] for row in range(3)]
    rows[first][first] = rows[second][second] = math.cos(angle)
    rows[first][second], rows[second][first] = -math.sin(angle), math.sin(angle)
    return rows


def _product(a: list[list[float]], b: list[list[float]]) -> list[list[float]]:
    return [[sum(a[row][k] * b[k][column] for k in range(3)) for column in range(3)] for row in range(3)]

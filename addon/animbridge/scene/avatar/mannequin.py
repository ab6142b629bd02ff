# SPDX-License-Identifier: GPL-3.0-or-later
"""A simple body for the Second Life skeleton, so that a pose can be judged without an avatar's mesh."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import cos, pi, sin
from typing import Any, Final

import bpy
from mathutils import Matrix, Vector

from ..armature.creation import roll_axis
from ..armature.reading import armature_of
from ..undo import undone_on_failure

MANNEQUIN_NAME: Final = "SL Mannequin"
_FORWARD: Final = Vector((1.0, 0.0, 0.0))
_SIDES: Final = ("Left", "Right")
#: Corners of a cross-section; fingers are too thin to need as many.
_CORNERS: Final = 12
_FINGER_CORNERS: Final = 6
#: Rings of a rounded end, from its pole (not included) to its full width.
_CAP_ANGLES: Final = (pi / 2 * 2 / 3, pi / 2 / 3, 0.0)


@dataclass(frozen=True)
class _End:
    """A cross-section, in metres: `offset` forward, left and up of the bone's head, or of its tail.

    `width` and `depth` are half-axes. Of upright parts the width runs from left to right and the depth from
    back to front; of arms the width runs up, and of feet the depth.
    """

    bone: str
    offset: tuple[float, float, float]
    width: float
    depth: float
    at_tail: bool = False


@dataclass(frozen=True)
class _Part:
    """A tapered tube with rounded ends that moves with one bone."""

    bone: str
    start: _End
    end: _End
    corners: int = _CORNERS


#: From a bone to another one: where, and how wide and deep. Overlapping, so that joints stay closed when they
#: bend. Names of the left side stand for both sides.
_BODY: Final = (
    ("mPelvis", (0, 0, -0.05), 0.15, 0.11, "mTorso", (0, 0, 0), 0.125, 0.095),
    ("mTorso", (0, 0, 0.01), 0.12, 0.092, "mChest", (0, 0, 0), 0.13, 0.1),
    ("mChest", (0.01, 0, 0.02), 0.135, 0.105, "mNeck", (0, 0, -0.09), 0.15, 0.09),
    ("mNeck", (0, 0, -0.03), 0.052, 0.055, "mHead", (0, 0, 0.02), 0.046, 0.05),
    ("mHead", (0.025, 0, 0.045), 0.058, 0.072, "mSkull", (0.01, 0, 0.04), 0.08, 0.1),
    ("mSkull", (0.105, 0, 0), 0.009, 0.012, "mSkull", (0.125, 0, -0.03), 0.014, 0.014),
    ("mCollarLeft", (0, -0.02, -0.01), 0.045, 0.07, "mShoulderLeft", (0, -0.02, 0), 0.052, 0.055),
    ("mShoulderLeft", (0, 0.01, 0), 0.055, 0.055, "mElbowLeft", (0, 0, 0), 0.041, 0.041),
    ("mElbowLeft", (0, 0, 0), 0.041, 0.041, "mWristLeft", (0, 0, 0), 0.027, 0.03),
    ("mWristLeft", (0, 0.015, 0), 0.02, 0.03, "mHandMiddle1Left", (-0.012, -0.015, -0.002), 0.016, 0.043),
    ("mHipLeft", (-0.02, -0.035, -0.04), 0.088, 0.095, "mKneeLeft", (0, 0, 0), 0.056, 0.06),
    ("mKneeLeft", (0, 0, 0), 0.056, 0.06, "mAnkleLeft", (0, 0, 0), 0.036, 0.038),
    ("mAnkleLeft", (-0.025, 0, -0.03), 0.036, 0.034, "mFootLeft", (0, 0, 0.015), 0.042, 0.022),
    ("mFootLeft", (0, 0, 0.015), 0.042, 0.022, "mToeLeft", (-0.03, 0, 0.01), 0.038, 0.016),
)
#: A part moves with the bone where it begins, but for the nose.
_CARRIERS: Final = {"mSkull": "mHead"}
#: A finger's name and the half-axis of its first bone.
_FINGERS: Final = {"Thumb": 0.0115, "Index": 0.01, "Middle": 0.01, "Ring": 0.0095, "Pinky": 0.0085}
_FINGER_BONES: Final = 3
_FINGER_TAPER: Final = 0.92


def add_mannequin(context: bpy.types.Context, skeleton: bpy.types.Object, turn: Matrix) -> bpy.types.Object:
    """Adds a body mesh that the skeleton deforms, as its child; each part follows one bone.

    `skeleton` is new and at rest, and `turn` leads from Second Life's axes to its own.
    """
    with undone_on_failure() as undo:
        mesh = undo.made(bpy.data.meshes.new(MANNEQUIN_NAME))
        body = undo.made(bpy.data.objects.new(MANNEQUIN_NAME, mesh))
        _fill(mesh, body, armature_of(skeleton), turn)
        body.parent = skeleton
        modifier: Any = body.modifiers.new("Armature", "ARMATURE")
        modifier.object = skeleton
        context.collection.objects.link(body)
        return body


def show_through_body(skeleton: bpy.types.Object) -> None:
    """Draws the bones as lines in front of the body, which would hide them."""
    skeleton.show_in_front = True
    armature_of(skeleton).display_type = "STICK"


def _fill(mesh: bpy.types.Mesh, body: bpy.types.Object, armature: bpy.types.Armature, turn: Matrix) -> None:
    """Adds the parts to the mesh, and to the object a vertex group for each bone."""
    vertices: list[Vector] = []
    faces: list[tuple[int, ...]] = []
    members: dict[str, list[int]] = {}
    for part in _parts():
        start, rings = len(vertices), list(_rings(part, armature, turn))
        vertices += (corner for ring in rings for corner in ring)
        faces += _faces(start, len(rings), part.corners)
        members.setdefault(part.bone, []).extend(range(start, len(vertices)))
    mesh.from_pydata(vertices, [], faces)
    mesh.polygons.foreach_set("use_smooth", [True] * len(faces))
    mesh.update()
    for bone, indices in members.items():
        body.vertex_groups.new(name=bone).add(indices, 1.0, "REPLACE")


def _parts() -> Iterator[_Part]:
    """Every part, those of the left side on the right too."""
    for part in (*_trunk_and_limbs(), *_fingers()):
        yield part
        if part.bone.endswith("Left"):
            yield replace(
                part, bone=_other_side(part.bone), start=_mirrored(part.start), end=_mirrored(part.end)
            )


def _trunk_and_limbs() -> Iterator[_Part]:
    for bone, place, width, depth, end, end_place, end_width, end_depth in _BODY:
        start = _End(bone, place, width, depth)
        yield _Part(_CARRIERS.get(bone, bone), start, _End(end, end_place, end_width, end_depth))


def _fingers() -> Iterator[_Part]:
    for finger, width in _FINGERS.items():
        size = width
        for number in range(1, _FINGER_BONES + 1):
            bone = f"mHand{finger}{number}Left"
            start = _End(bone, (0, 0, 0), size, size)
            size *= _FINGER_TAPER
            yield _Part(bone, start, _End(bone, (0, 0, 0), size, size, at_tail=True), _FINGER_CORNERS)


def _mirrored(end: _End) -> _End:
    forward, left, up = end.offset
    return replace(end, bone=_other_side(end.bone), offset=(forward, -left, up))


def _other_side(bone: str) -> str:
    return bone.replace(*_SIDES)


def _place(end: _End, armature: bpy.types.Armature, turn: Matrix) -> Vector:
    bone = armature.bones[end.bone]
    return (bone.tail_local if end.at_tail else bone.head_local) + turn @ Vector(end.offset)


def _rings(part: _Part, armature: bpy.types.Armature, turn: Matrix) -> Iterator[list[Vector]]:
    """The cross-sections along the part, first and last a single point."""
    start, end = (_place(one, armature, turn) for one in (part.start, part.end))
    along = (end - start).normalized()
    front = roll_axis(along, turn @ _FORWARD)
    front = (front - along * front.dot(along)).normalized()
    across: Any = front.cross(along)
    first, last = (min(one.width, one.depth) for one in (part.start, part.end))

    def ring(centre: Vector, shape: _End, scale: float) -> list[Vector]:
        angles = (2 * pi * corner / part.corners for corner in range(part.corners))
        return [
            centre + across * (scale * shape.width * cos(angle)) + front * (scale * shape.depth * sin(angle))
            for angle in angles
        ]

    yield [start - along * first]
    for angle in _CAP_ANGLES:
        yield ring(start - along * (first * sin(angle)), part.start, cos(angle))
    for angle in reversed(_CAP_ANGLES):
        yield ring(end + along * (last * sin(angle)), part.end, cos(angle))
    yield [end + along * last]


def _faces(start: int, rings: int, corners: int) -> Iterator[tuple[int, ...]]:
    """The faces of a part whose first vertex is `start`: they look outwards."""
    last_pole = start + 1 + (rings - 2) * corners
    for corner in range(corners):
        following = (corner + 1) % corners
        yield start, start + 1 + following, start + 1 + corner
        for ring in range(rings - 3):
            low = start + 1 + ring * corners
            yield low + corner, low + following, low + corners + following, low + corners + corner
        yield last_pole, last_pole - corners + corner, last_pole - corners + following

# SPDX-License-Identifier: GPL-3.0-or-later
"""AnimBridge's own hand poses, by the library's names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import bpy

from ...package import Document
from ...scene.armature.rotations import RotationModes
from ...scene.import_.action import curves_of_document, import_document
from ...scene.retarget_choice import Retarget
from ...scene.source_files import SourceFile
from .importer import PoseImporter
from .options import PoseImportOptions
from .posing import curve_values, take_pose

#: The library's name of each, and what a menu says.
HAND_POSES: Final = (
    ("relaxed", "Relaxed", "Fingers lightly bent, as they hang"),
    ("flat", "Flat", "Straight fingers side by side"),
    ("fist", "Fist", "A closed fist, the thumb outside"),
    ("grip", "Grip", "Half closed, as around a bar"),
    ("point", "Point", "The index finger points"),
    ("thumb-up", "Thumb Up", "A fist with the thumb up"),
    ("pinch", "Pinch", "Thumb and index finger hold something small"),
    ("okay", "Okay", "Thumb and index finger make a ring"),
    ("two-fingers", "Two Fingers", "Index and middle finger stretched"),
    ("horns", "Horns", "Index and little finger stretched"),
    ("claw", "Claw", "Fingers spread and hooked"),
    ("glass", "Hold a Glass", "Around a glass"),
)
SIDES: Final = ("left", "right")
#: A pose with no joint, to which the library adds fingers.
_NO_JOINTS: Final = (
    b"<llsd><map><key>startFromTeePose</key><map><key>value</key><boolean>1</boolean></map>"
    b"<key>version</key><map><key>value</key><integer>8</integer></map></map></llsd>"
)
_IMPORTER: Final = PoseImporter()


def _options(name: str, side: str) -> PoseImportOptions:
    return PoseImportOptions(retarget=Retarget.AUTO, library={"hand": side, "fingers": [f"{side}={name}"]})


def pose_fingers(context: bpy.types.Context, armature_object: bpy.types.Object, name: str, side: str) -> None:
    """Poses the fingers of one hand."""
    document = Document.read(_NO_JOINTS)
    file = curves_of_document(_IMPORTER, document, armature_object, context.scene, _options(name, side))
    RotationModes(armature_object).switch(file.armature, file.curves)
    take_pose(armature_object, curve_values(file))


def hand_actions(context: bpy.types.Context, armature_object: bpy.types.Object) -> Iterator[bpy.types.Action]:
    """A new Action for each hand pose and side."""
    for name, label, _ in HAND_POSES:
        for side in SIDES:
            source = SourceFile(Document.read(_NO_JOINTS), f"{label} {side.title()}.xml")
            options = _options(name, side)
            yield import_document(_IMPORTER, source, armature_object, context.scene, options).channels.action

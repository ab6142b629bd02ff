# SPDX-License-Identifier: GPL-3.0-or-later
"""A document of an animation file to an Action."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, Final

import bpy
import numpy as np

from ..compat import actions, keyframes
from ..native.curves import Armature, Curve
from ..native.document import Document
from ..native.errors import AnimBridgeError
from ..native.text import listed, readable
from . import template
from .armature import pose_bones, read_armature
from .bvh_import import BvhImport
from .channels import data_path, property_of
from .import_kind import FileCurves, ImportKind
from .import_options import ImportOptions, ImportResult
from .names import data_block_name, filled_in
from .rotations import RotationModes, euler_channels
from .sl_import import SlImport
from .timing import scene_frames_per_second

#: By the format's id.
_KINDS: Final[dict[str, ImportKind]] = {"sl_anim": SlImport(), "bvh": BvhImport()}


@dataclass
class _Build:
    """The keys of a new Action by bone index, property and component, and how many Blender merged."""

    keys: dict[int, dict[str, dict[int, keyframes.Keys]]]
    merged_keys: int = 0


def curves_of_document(
    document: Document,
    armature_object: bpy.types.Object,
    scene: bpy.types.Scene,
    options: ImportOptions,
) -> FileCurves:
    """The curves at the scene's frame rate; an error if the armature can take none."""
    _refuse_unwritable(armature_object)
    kind = _KINDS[document.format]
    armature = read_armature(armature_object, options.facing, options.rig_map)
    if options.keep_euler:
        armature = replace(armature, rotation_channels=euler_channels(armature_object, armature.names))
    timing = kind.timing(document, scene, options)
    imported = kind.curves(document, armature, timing, options)
    return FileCurves(armature, timing, list(imported), imported.report())


def import_document(
    document: Document,
    file_name: str,
    armature_object: bpy.types.Object,
    scene: bpy.types.Scene,
    options: ImportOptions,
    source: bytes | None = None,
) -> ImportResult:
    """Makes one Action that plays the document on the armature, not yet assigned to anything.

    `source`: the file's bytes, if the document was read from bytes of its own format; kept with the Action.
    Bones that get quaternion curves are set to quaternions. On an error nothing is left behind.
    """
    kind = _KINDS[document.format]
    file = curves_of_document(document, armature_object, scene, options)
    with _undone_on_failure(armature_object) as undo:
        undo.modes.switch(file.armature, file.curves)
        action = bpy.data.actions.new(_action_name(options.action_name, file_name, armature_object))
        undo.action = action
        action.use_fake_user = options.fake_user
        channels = actions.create_channels(action, data_block_name(armature_object.name))
        build = _add_curves(channels, file.armature, file.curves)
        action.frame_range = file.frame_range
        kind.show(action, document, file.timing)
        origin = _Origin(
            document.format,
            document.write() if source is None else source,
            file_name,
            scene_frames_per_second(scene),
            kind,
            options,
        )
        _store_template(action, origin, armature_object, file, build)
    first, last = action.frame_range
    return ImportResult(
        channels=channels,
        matched_joints=len(file.report["matched"]),
        unmatched=file.unmatched,
        frame_range=(float(first), float(last)),
        warnings=tuple(warnings_of(document, file, undo.modes.switched, build.merged_keys)),
    )


def _action_name(pattern: str, file_name: str, armature_object: bpy.types.Object) -> str:
    """The pattern with its names put in; "{file}" where it is empty."""
    names = {"file": PurePath(file_name).stem, "armature": armature_object.name}
    return data_block_name(filled_in(pattern or "{file}", names))


def _refuse_unwritable(armature_object: bpy.types.Object) -> None:
    """An error if the armature cannot be given an Action, or would lose it."""
    if armature_object.library is not None:
        raise AnimBridgeError(
            f"The armature '{armature_object.name}' is linked from another file, so changes to it would be "
            "lost. Make a library override of it, or import onto another armature."
        )
    animation = armature_object.animation_data
    if animation is not None and animation.use_tweak_mode:
        raise AnimBridgeError(
            f"The armature '{armature_object.name}' is tweaking an NLA strip, so it can be given no Action. "
            "Leave tweak mode (Tab in the NLA editor) first."
        )


class _Undo:
    """What an import changed, to take it back."""

    def __init__(self, armature_object: bpy.types.Object) -> None:
        self.modes = RotationModes(armature_object)
        self.action: bpy.types.Action | None = None

    def run(self) -> None:
        self.modes.restore()
        if self.action is not None:
            bpy.data.actions.remove(self.action)


@contextmanager
def _undone_on_failure(armature_object: bpy.types.Object) -> Iterator[_Undo]:
    undo = _Undo(armature_object)
    try:
        yield undo
    except BaseException:
        undo.run()
        raise


def _add_curves(channels: actions.Channels, armature: Armature, curves: list[Curve]) -> _Build:
    build = _Build({})
    groups: dict[int, Any] = {}
    maker = keyframes.LinearCurves(channels.holder, sum(len(curve.co) for curve in curves))
    for curve in curves:
        prop = property_of(curve.channel)
        path = data_path(armature.names[curve.bone], prop)
        fcurve, keys = maker.add(path, curve.component, curve.co, curve.inserted)
        if curve.bone not in groups:
            groups[curve.bone] = channels.holder.groups.new(armature.names[curve.bone])
        fcurve.group = groups[curve.bone]
        build.merged_keys += len(curve.co) - len(keys.co)
        build.keys.setdefault(curve.bone, {}).setdefault(prop, {})[curve.component] = keys
    return build


@dataclass(frozen=True)
class _Origin:
    """Where an Action comes from."""

    format_id: str
    source: bytes
    file_name: str
    scene_rate: float
    kind: ImportKind
    options: ImportOptions


def _store_template(
    action: bpy.types.Action,
    origin: _Origin,
    armature_object: bpy.types.Object,
    file: FileCurves,
    build: _Build,
) -> None:
    armature = file.armature
    fingerprints: template.Fingerprints = {}
    rests: dict[str, np.ndarray] = {}
    for index, properties in build.keys.items():
        name = armature.names[index]
        mode = pose_bones(armature_object)[name].rotation_mode
        flags = int(armature.flags[index])
        fingerprints[name] = {
            prop: template.fingerprint(components, mode, flags) for prop, components in properties.items()
        }
        rests[name] = template.rest_of(armature, index)
    first, last = action.frame_range
    template.store(
        action,
        template.Template(
            name=origin.file_name,
            source=origin.source,
            format_id=origin.format_id,
            timing=file.timing,
            scene_rate=origin.scene_rate,
            facing=origin.kind.facing(file),
            placement=origin.kind.placement(file, origin.options),
            action_range=(float(first), float(last)),
            armature_name=armature_object.name,
            fingerprints=fingerprints,
            rests=rests,
        ),
    )


def warnings_of(
    document: Document,
    file: FileCurves,
    switched: list[str],
    merged_keys: int = 0,
    *,
    keeps_file: bool = True,
) -> Iterator[str]:
    """What the user should know of an import; `keeps_file`: an export knows the file's bytes."""
    report, unmatched, kind = file.report, file.unmatched, _KINDS[document.format]
    if not report["matched"]:
        names = listed(unmatched) if unmatched else "none of its joints has keys"
        yield f"no bone of the armature has the name of a joint that the file moves ({names})"
    elif unmatched:
        kept = kind.left_joints if keeps_file else "merging leaves them out"
        yield f"no bone for {len(unmatched)} joints ({listed(unmatched)}); {kept}"
    close = report.get("close_keys", ())
    if close and keeps_file:
        joints = sorted({readable(row["joint"]) for row in close})
        yield (
            f"keys closer than 0.01 frame: {len(close)} ({listed(joints)}), of which this Blender merged "
            f"{merged_keys} curve points; an export keeps them until their joint is edited"
        )
    elif merged_keys:
        yield f"this Blender merged {merged_keys} curve points that lay closer than 0.01 frame together"
    if switched:
        yield f"{len(switched)} bones were switched to quaternion rotation ({listed(switched)})"
    yield from (str(warning) for warning in report["warnings"])
    yield from kind.warnings(document)

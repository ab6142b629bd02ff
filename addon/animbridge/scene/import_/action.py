# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes an Action of a document, on an armature."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath
from typing import Any, Final

import bpy

from ...package import AnimBridgeError, Armature, Document, counted, listed, readable
from .. import retarget_text, templates
from ..armature.reading import pose_bones, read_armature
from ..armature.rotations import RotationModes, euler_channels
from ..channels import OBJECT
from ..names import data_block_name, filled_in
from ..source_files import SourceFile
from ..timing import scene_frames_per_second
from ..undo import undone_on_failure
from .curves import AddedCurves
from .importer import FileCurves, Importer
from .new_action import make_action
from .options import ImportOptions, ImportResult
from .retargeting import needs_retargeting, retargeted_curves

#: What Blender does to keys that are very close to each other.
MERGED_KEYS: Final = "Blender joins keys that are closer than 0.01 frame"


def curves_of_document(
    importer: Importer[Any],
    document: Document,
    armature_object: bpy.types.Object,
    scene: bpy.types.Scene,
    options: ImportOptions,
) -> FileCurves:
    """The curves at the scene's frame rate; an error if the armature can take none."""
    refuse_unwritable(armature_object)
    rig_map = None if options.rig_file else options.rig_map
    armature = read_armature(armature_object, options.facing, rig_map)
    if options.keep_euler:
        armature = replace(armature, rotation_channels=euler_channels(armature_object, armature.names))
    timing = importer.timing(document, scene, options)
    members = importer.retargeting(document, options)
    if needs_retargeting(document, armature_object, armature, options, members):
        imported = retargeted_curves(document, armature_object, armature, timing, options, members or {})
    else:
        imported = importer.curves(document, armature, timing, options)
    return FileCurves(armature, timing, list(imported), imported.report())


def import_document(
    importer: Importer[Any],
    source: SourceFile,
    armature_object: bpy.types.Object,
    scene: bpy.types.Scene,
    options: ImportOptions,
) -> ImportResult:
    """Makes one Action that plays the file's document on the armature, not yet assigned to anything.

    Bones that get quaternion curves are set to quaternions. On an error nothing is left behind.
    """
    file = curves_of_document(importer, source.document, armature_object, scene, options)
    modes = RotationModes(armature_object)
    stores_file = importer.stores(file, options)
    with undone_on_failure() as undo:
        undo.callback(modes.restore)
        modes.switch(file.armature, file.curves)
        name, bones = _action_name(options.action_name, source.name, armature_object), file.armature.names
        channels, added = make_action(
            undo, name, armature_object, file.curves, bones, file.frame_range, fake_user=options.fake_user
        )
        importer.show(channels.action, source.document, file.timing, is_file=stores_file)
        if stores_file:
            state = _state_of(importer, file, added, armature_object, scene, options)
            templates.store(channels.action, source, state)
    first, last = channels.action.frame_range
    return ImportResult(
        channels=channels,
        matched_joints=len(file.report["matched"]),
        unmatched=file.unmatched,
        frame_range=(float(first), float(last)),
        warnings=tuple(warnings_of(importer, source.document, file)),
        details=tuple(details_of(importer, file, modes.switched, added.merged_keys)),
        notes=tuple(notes_of(importer, source.document, file, options)),
        pairs=file.pairs,
    )


def _state_of(
    importer: Importer[Any],
    file: FileCurves,
    added: AddedCurves,
    armature_object: bpy.types.Object,
    scene: bpy.types.Scene,
    options: ImportOptions,
) -> templates.ImportState:
    """By what an export knows what the user changed."""
    bones = file.armature.names
    return templates.ImportState(
        timing=file.timing,
        scene_rate=scene_frames_per_second(scene),
        object_name=armature_object.name,
        facing=importer.facing(file),
        placement=importer.placement(file, options),
        fingerprints=_fingerprints(added, file.armature, armature_object),
        rests={
            OBJECT if bone < 0 else bones[bone]: templates.rest_of(file.armature, bone) for bone in added.keys
        },
    )


def _fingerprints(
    added: AddedCurves, armature: Armature, armature_object: bpy.types.Object
) -> templates.Fingerprints:
    fingerprints: templates.Fingerprints = {}
    for bone, properties in added.keys.items():
        name, mode, flags = OBJECT, "", 0
        if bone >= 0:
            name, flags = armature.names[bone], int(armature.flags[bone])
            mode = pose_bones(armature_object)[name].rotation_mode
        fingerprints[name] = {
            prop: templates.fingerprint(components, mode, flags) for prop, components in properties.items()
        }
    return fingerprints


def _action_name(pattern: str, file_name: str, armature_object: bpy.types.Object) -> str:
    """The pattern with the names filled in; an empty one counts as "{file}"."""
    names = {"file": PurePath(file_name).stem, "armature": armature_object.name}
    return data_block_name(filled_in(pattern or "{file}", names))


def refuse_unwritable(armature_object: bpy.types.Object) -> None:
    """Raises an error if the armature cannot take an Action, or would lose it."""
    if armature_object.library is not None:
        raise AnimBridgeError(
            f"The armature '{armature_object.name}' is linked from another file, so changes to it would be "
            "lost. Make a library override of it, or import onto another armature."
        )
    animation = armature_object.animation_data
    if animation is not None and animation.use_tweak_mode:
        raise AnimBridgeError(
            f"The armature '{armature_object.name}' is in an NLA strip's tweak mode, so it can't get an "
            "Action. Leave tweak mode (Tab in the NLA editor) first."
        )


def warnings_of(
    importer: Importer[Any], document: Document, file: FileCurves, *, has_template: bool = True
) -> Iterator[str]:
    """What the user has to decide; `has_template`: the Action stores the file, for exports."""
    if file.is_retargeted:
        yield from retarget_text.warnings(file.report)
        yield from importer.warnings(document)
        return
    report, unmatched = file.report, file.unmatched
    if not report["matched"]:
        yield _nothing_matches(importer, unmatched)
    elif _lacks_bones(file):
        yield f"{importer.no_match}: {_unmatched(importer, file, has_template=has_template)}"
    yield from (str(warning) for warning in report["warnings"])
    yield from importer.warnings(document)


def _lacks_bones(file: FileCurves) -> bool:
    """Whether half of the joints or more have no bone, so that another armature or map would do better."""
    return len(file.unmatched) >= len(file.report["matched"])


def _unmatched(importer: Importer[Any], file: FileCurves, *, has_template: bool) -> str:
    fate = importer.left_joints if has_template else "The merge leaves the keys out"
    joints = counted(len(file.unmatched), "joint")
    return f"{joints} without a matching bone. {fate}: {listed(file.unmatched)}"


def _nothing_matches(importer: Importer[Any], unmatched: tuple[str, ...]) -> str:
    if not unmatched:
        return "none of the file's joints has keys"
    return f"{importer.no_match}: no bone of the armature matches a joint of the file ({listed(unmatched)})"


def details_of(
    importer: Importer[Any],
    file: FileCurves,
    switched: list[str],
    merged_keys: int = 0,
    *,
    has_template: bool = True,
) -> Iterator[str]:
    """What else became of the file."""
    if file.unmatched and not file.is_retargeted and not _lacks_bones(file):
        yield _unmatched(importer, file, has_template=has_template)
    close = [] if file.is_retargeted or not has_template else file.report.get("close_keys", ())
    if close:
        joints = sorted({readable(row["joint"]) for row in close})
        yield f"{MERGED_KEYS}. An export keeps them until you edit the joint ({listed(joints)})"
    elif merged_keys:
        yield MERGED_KEYS
    if file.is_retargeted:
        yield from retarget_text.details(file.report, switched)
    elif switched:
        yield retarget_text.quaternions(switched)


def notes_of(
    importer: Importer[Any], document: Document, file: FileCurves, options: ImportOptions
) -> Iterator[str]:
    """What the import decided by itself, for the report."""
    if file.is_retargeted:
        retarget = file.report["retarget"]
        yield f"retargeted: {counted(len(retarget['slots']), 'part')}, {retarget_text.exactness(retarget)}"
    else:
        yield from importer.notes(document, file, options)

# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel Retarget shows and keeps: `scene.animbridge_retarget`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ..compat.bones import select_only
from ..package import Pair

#: The name under which a Scene has the settings, also in .blend files.
ATTRIBUTE: Final = "animbridge_retarget"
#: An alignment that isn't known yet.
UNKNOWN_ANGLE: Final = -1.0

#: The numbers are what .blend files keep.
_REFERENCE_ITEMS: Final = (
    ("REST", "Rest Pose", "The rest pose of the armature", 0),
    ("TPOSE", "T-Pose", "The rest pose with hips and spine made level, and arms and legs straight", 1),
    ("POSE", "Taken Pose", "The pose that the armature had when you pressed Use Current Pose", 2),
    ("FRAME", "Frame", "The pose at a frame of the scene, such as a T-pose at the start of a recording", 3),
    (
        "FRAME_TPOSE",
        "Frame T-Pose",
        "The pose at a frame of the scene, with hips and spine made level, and arms and legs straight",
        5,
    ),
    ("STORED", "Stored Pose", "The pose that the rig file stores", 4),
)
#: Those that need a frame.
OF_FRAME: Final = ("FRAME", "FRAME_TPOSE")


def settings_of(scene: bpy.types.Scene) -> Any:
    """The settings of a scene."""
    return getattr(scene, ATTRIBUTE)


def _is_armature(_self: Any, thing: bpy.types.Object) -> bool:
    return thing.type == "ARMATURE"


def _angle_unknown(self: Any, _context: Any) -> None:
    self.angle = UNKNOWN_ANGLE


def _bones_chosen(self: Any, context: Any) -> None:
    """A pair that the user changes is the user's."""
    self.by = ""
    _angle_unknown(self, context)


def _pair_clicked(self: Any, _context: Any) -> None:
    """Selects the bones of the pair that becomes active by a click."""
    if not self.is_filling and 0 <= self.index < len(self.pairs):
        select_pair(self, self.pairs[self.index])


def select_pair(settings: Any, pair: Any) -> None:
    """Selects the pair's bones, and no others, in both armatures."""
    for thing, bone in ((settings.source, pair.source), (settings.target, pair.target)):
        if thing is not None and thing.mode != "EDIT":
            select_only(thing, {bone} if bone in thing.data.bones else set())


class RetargetPair(bpy.types.PropertyGroup):
    """A bone of the source and the bone of the target that moves like it."""

    is_on: BoolProperty(name="On", description="Whether the pair is used", default=True)
    slot: StringProperty(
        name="Part",
        description="The part of the body, such as leftUpperArm. Empty: found from the bones",
        update=_angle_unknown,
    )
    source: StringProperty(name="Source Bone", description="The bone that moves", update=_bones_chosen)
    target: StringProperty(
        name="Target Bone", description="The bone that gets the motion", update=_bones_chosen
    )
    offset: FloatVectorProperty(
        name="Offset",
        description="Turns the target bone about its own axes, after everything else, on all frames",
        subtype="EULER",
        size=3,
        min=-2.0 * math.pi,
        max=2.0 * math.pi,
    )
    by: StringProperty(name="Found By", description="How the pair was found. Empty: you chose it")
    angle: FloatProperty(
        name="Alignment",
        description="How far the target's reference pose is turned to point as the source's does; in degrees",
        default=UNKNOWN_ANGLE,
    )


class RetargetSettings(bpy.types.PropertyGroup):
    """The source, the target, the pairs of bones, and how they are used."""

    source: PointerProperty(
        name="Source",
        description="The armature that moves. It isn't changed",
        type=bpy.types.Object,
        poll=_is_armature,
    )
    target: PointerProperty(
        name="Target",
        description="The armature that gets a new Action",
        type=bpy.types.Object,
        poll=_is_armature,
    )
    source_rig: StringProperty(
        name="Source Rig",
        description="The rig file that says what the source's bones are. Empty: by their names and places",
        options={"HIDDEN"},
    )
    target_rig: StringProperty(
        name="Target Rig",
        description="The rig file that says what the target's bones are. Empty: by their names and places",
        options={"HIDDEN"},
    )
    pairs: CollectionProperty(name="Pairs", description="Which bone moves like which", type=RetargetPair)
    index: IntProperty(name="Pair", description="The active pair", update=_pair_clicked)

    is_filling: BoolProperty(
        name="Filling", description="Whether an operator changes the list", options={"HIDDEN"}
    )

    source_reference: EnumProperty(
        name="Source",
        description="The pose in which the source stands like the target",
        items=_REFERENCE_ITEMS,
    )
    source_frame: IntProperty(name="Frame", description="The frame of the source's pose", default=1)
    source_pose: StringProperty(name="Taken Pose", description="The source's taken pose", options={"HIDDEN"})
    target_reference: EnumProperty(
        name="Target",
        description="The pose in which the target stands like the source",
        items=_REFERENCE_ITEMS,
    )
    target_frame: IntProperty(name="Frame", description="The frame of the target's pose", default=1)
    target_pose: StringProperty(name="Taken Pose", description="The target's taken pose", options={"HIDDEN"})
    align: BoolProperty(
        name="Align",
        description="Turn the bones of the target's reference pose until they point where the source's do. "
        "Off: take the two poses as equal",
        default=True,
    )

    scale_by_height: BoolProperty(
        name="Path by Legs",
        description="Scale the body's path by the lengths of the legs",
        default=True,
    )
    horizontal_scale: FloatProperty(
        name="Horizontal",
        description="How much longer the body's path along the ground becomes",
        default=1.0,
        min=0.0,
        max=1e6,
        soft_max=10.0,
    )
    vertical_scale: FloatProperty(
        name="Vertical",
        description="How much longer the body's path up and down becomes",
        default=1.0,
        min=0.0,
        max=1e6,
        soft_max=10.0,
    )
    in_place: BoolProperty(
        name="In Place", description="Keep the body above its place. It still moves up and down"
    )
    from_origin: BoolProperty(
        name="From Rest Position", description="Begin the body's path where the target rests"
    )
    on_ground: BoolProperty(
        name="On Ground",
        description="Raise or lower the whole motion until its lowest foot touches the ground",
    )
    plant_feet: BoolProperty(
        name="Plant Feet",
        description=(
            "Hold heels and toes still while the source's stand, and on the ground. Legs bend for that, and "
            "the hips go down where a leg is too short"
        ),
    )
    keep_touch: BoolProperty(
        name="Keep Touch",
        description=(
            "Where the source's hands touch each other, the head, the hips or the thighs, the target's hands "
            "do too. The arms bend for that"
        ),
        default=True,
    )

    only_selected: BoolProperty(
        name="Only Selected Bones", description="Make keys only for pairs whose target bone is selected"
    )
    every_action: BoolProperty(
        name="All Actions of the Source",
        description="Make one Action of each Action that the source has. Off: only of what it plays now",
    )
    frame_range: EnumProperty(
        name="Range",
        description="The frames that get keys",
        items=(
            ("ACTION", "Action", "The range of the source's Action"),
            ("SCENE", "Scene", "The scene's frame range"),
            ("CUSTOM", "Custom", "The frames given here"),
        ),
    )
    first_frame: IntProperty(name="First", description="The first frame", default=1)
    last_frame: IntProperty(name="Last", description="The last frame", default=250)
    key_times: EnumProperty(
        name="Keys",
        description="Where keys are made",
        items=(
            ("FRAMES", "Frames", "On every frame"),
            ("SOURCE", "Source's", "Only where the source has keys"),
            ("EXACT", "Exact", "On every frame, and where the source has keys between frames"),
        ),
    )
    keep_euler: BoolProperty(
        name="Keep Euler Rotation",
        description="Bones with an Euler rotation mode keep it. Off: bones with new keys get quaternions",
        default=True,
    )
    action_name: StringProperty(
        name="Name",
        description="The name of the new Action. {action}, {source} and {target} stand for these names",
        default="{action} {target}",
    )

    previewed: PointerProperty(
        name="Previewed",
        description="The armature that shows its aligned reference pose",
        type=bpy.types.Object,
        options={"HIDDEN"},
    )
    pose_before: StringProperty(
        name="Pose Before", description="The pose before the preview, as JSON", options={"HIDDEN"}
    )
    figure: StringProperty(
        name="Figure", description="The lines of both stick figures, as JSON", options={"HIDDEN"}
    )


def selected_pair(
    view_layer: bpy.types.ViewLayer, settings: Any
) -> tuple[bpy.types.Object, bpy.types.Object] | None:
    """The two selected armatures, the active one last; None: there are no such two, or a choice was made."""
    if settings.source is not None or settings.target is not None:
        return None
    selected = [thing for thing in view_layer.objects.selected if thing.type == "ARMATURE"]
    active = view_layer.objects.active
    if len(selected) != 2 or active not in selected:
        return None
    return next(thing for thing in selected if thing != active), active


def settings_with_both(context: bpy.types.Context) -> Any:
    """The scene's settings; of two selected armatures, the active one becomes the target."""
    settings = settings_of(context.scene)
    selected = selected_pair(context.view_layer, settings)
    if selected:
        settings.source, settings.target = selected
    return settings


def pairs_of(settings: Any) -> list[Pair]:
    """The pairs of the list."""
    return [
        Pair(item.slot, item.source, item.target, item.is_on, item.by, _degrees(item.offset))
        for item in settings.pairs
    ]


def _degrees(radians: Sequence[float]) -> tuple[float, float, float]:
    """Rounded to what single precision holds, so that 15 degrees are 15 in a file."""
    x, y, z = (round(math.degrees(angle), 4) + 0.0 for angle in radians)
    return x, y, z


def set_pairs(settings: Any, pairs: Iterable[Pair]) -> None:
    """Replaces the list."""
    settings.pairs.clear()
    for pair in pairs:
        add_pair(settings, pair)
    go_to(settings, 0)


def go_to(settings: Any, index: int) -> None:
    """Makes a pair the active one, and leaves the selected bones as they are."""
    settings.is_filling = True
    settings.index = index
    settings.is_filling = False


def add_pair(settings: Any, pair: Pair) -> None:
    """Appends a pair to the list."""
    item = settings.pairs.add()
    item.name = pair.slot or pair.target
    item.slot, item.source, item.target = pair.slot, pair.source, pair.target
    item.is_on, item.by = pair.is_on, pair.by
    item.offset = [math.radians(angle) for angle in pair.offset]


#: In the order of registration.
CLASSES: Final = (RetargetPair, RetargetSettings)


def attach() -> None:
    """Gives every Scene its settings."""
    setattr(bpy.types.Scene, ATTRIBUTE, PointerProperty(type=RetargetSettings))


def detach() -> None:
    """Takes them away again; the values stay in the file."""
    delattr(bpy.types.Scene, ATTRIBUTE)

# SPDX-License-Identifier: GPL-3.0-or-later
"""The buttons of the panel Clip. Each changes the Action that the armature plays, in one undo step."""

from __future__ import annotations

import json
from typing import Any, Final

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from ..package import AnimBridgeError, counted
from ..scene.action_properties import group_of
from ..scene.armature.reading import active_armature
from ..scene.playing import assigned_channels
from ..scene.timing import scene_frames_per_second
from ..ui.progress import shown_progress
from ..ui.reporting import report_done, report_error
from . import numbers
from .blend_edit import posed_otherwise
from .split import Parts, split_action
from .tools import Edited, edit_action, playing_channels, span_of

#: Choices that Find Loop offers.
_MOST_CHOICES: Final = 8


class _ClipOperator(bpy.types.Operator):
    """Runs `edit`, keeps the numbers that it gives, and reports it."""

    bl_options = {"REGISTER", "UNDO"}
    #: What a tool reports that has nothing else to say.
    unchanged = "Done"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        thing = active_armature(context.view_layer)
        return thing is not None and assigned_channels(thing) is not None

    def edit(self, context: bpy.types.Context, thing: bpy.types.Object, progress: Any) -> Edited:
        """Makes the change."""
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> set[Any]:
        thing = active_armature(context.view_layer)
        assert thing is not None
        try:
            with shown_progress(context) as progress:
                edited = self.edit(context, thing, progress)
        except AnimBridgeError as error:
            return report_error(self, error)
        numbers.store(edited.channels.action, edited.report)
        lines = edited.lines or [self.unchanged]
        if not edited.changed and edited.report["tools"]:
            lines = [f"{lines[-1]}. No curve changes"]
        return report_done(self, lines[-1], details=lines[:-1])


class ANIMBRIDGE_OT_clip_trim(_ClipOperator):
    """Keep a part of the Action and cut off the rest. The part moves to the Action's first frame"""

    bl_idname = "animbridge.clip_trim"
    bl_label = "Trim"

    span: EnumProperty(
        name="Part",
        description="Which frames stay",
        items=(
            (
                "AUTO",
                "Preview or Scene",
                "The preview range (P in the dope sheet) if it's on, else the scene's",
            ),
            ("LOOP", "Loop", "From Loop In to Loop Out"),
            ("CUSTOM", "Custom", "The frames below"),
        ),
        default="AUTO",
    )
    first_frame: FloatProperty(name="First", description="The first frame that stays", default=1.0)
    last_frame: FloatProperty(name="Last", description="The last frame that stays", default=100.0)

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        layout.use_property_split = True
        layout.prop(self, "span")
        column = layout.column(align=True)
        column.enabled = self.span == "CUSTOM"
        column.prop(self, "first_frame")
        column.prop(self, "last_frame")

    def edit(self, context: bpy.types.Context, thing: bpy.types.Object, progress: Any) -> Edited:
        first, last = self._frames(context.scene, thing)
        span = span_of(playing_channels(thing))
        first, last = max(first, span.first), min(last, span.last)
        if first > last:
            raise AnimBridgeError(
                f"Nothing of the Action, frames {span.first:g} to {span.last:g}, is in that part. Set the "
                "preview range, or choose other frames."
            )
        return edit_action(context.scene, thing, {}, trim=(first, last), progress=progress)

    def _frames(self, scene: Any, thing: bpy.types.Object) -> tuple[float, float]:
        if self.span == "CUSTOM":
            return self.first_frame, self.last_frame
        if self.span == "LOOP":
            return _loop_frames(scene, thing)
        if scene.use_preview_range:
            return float(scene.frame_preview_start), float(scene.frame_preview_end)
        return float(scene.frame_start), float(scene.frame_end)


def _loop_frames(scene: bpy.types.Scene, thing: bpy.types.Object) -> tuple[float, float]:
    channels = playing_channels(thing)
    shown = group_of(channels.action)
    if not (shown.loop and shown.use_loop_range):
        raise AnimBridgeError(
            f"The Action '{channels.action.name}' repeats no part. Press Find Loop, or set Loop In and Out."
        )
    rate, zero = scene_frames_per_second(scene), float(channels.action.frame_range[0])
    return zero + shown.loop_in_seconds * rate, zero + shown.loop_out_seconds * rate


class ANIMBRIDGE_OT_clip_split(_ClipOperator):
    """Make an Action of each part. The whole Action stays"""

    bl_idname = "animbridge.clip_split"
    bl_label = "Split"

    at: EnumProperty(
        name="At",
        description="Where the Action is cut",
        items=(
            ("SECONDS", "Length", "Into the fewest parts of at most this length, where the body moves least"),
            ("BYTES", "Size", "Into parts whose files have at most so many bytes"),
            ("MARKERS", "Markers", "At the Action's pose markers, but for those of its loop"),
        ),
        default="SECONDS",
    )
    most_seconds: FloatProperty(
        name="At Most",
        description="How long a part may be. Second Life takes 60 seconds",
        default=60.0,
        min=1.3,
        soft_max=60.0,
        unit="TIME_ABSOLUTE",
    )
    most_kilobytes: FloatProperty(
        name="At Most",
        description="How large the .anim of a part may be, in thousands of bytes. Second Life takes 250",
        default=249.0,
        min=1.0,
        soft_max=250.0,
    )
    parts: EnumProperty(
        name="Parts",
        description="What the parts are for",
        items=(
            (
                "SEQUENCE",
                "One after the Other",
                "Each part but the last holds its last pose for 0.3 seconds and blends out, so that the next "
                "one may begin late",
            ),
            ("LOOPS", "Loops", "Each part repeats by itself"),
        ),
        default="SEQUENCE",
    )

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        layout.use_property_split = True
        layout.prop(self, "at")
        if self.at != "MARKERS":
            layout.prop(self, "most_seconds" if self.at == "SECONDS" else "most_kilobytes")
        layout.prop(self, "parts")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        thing = active_armature(context.view_layer)
        assert thing is not None
        parts = Parts(
            self.parts == "LOOPS",
            most_seconds=self.most_seconds if self.at == "SECONDS" else None,
            most_bytes=round(1000 * self.most_kilobytes) if self.at == "BYTES" else None,
        )
        try:
            made = split_action(context.scene, thing, parts)
        except AnimBridgeError as error:
            return report_error(self, error)
        for part in made:
            numbers.store(part.channels.action, part.report)
        names = [part.channels.action.name for part in made]
        return report_done(self, f"{counted(len(made), 'Action')}: {names[0]} to {names[-1]}")


class ANIMBRIDGE_OT_clip_mirror(_ClipOperator):
    """Exchange the left and the right side of the motion"""

    bl_idname = "animbridge.clip_mirror"
    bl_label = "Mirror"

    def edit(self, context: bpy.types.Context, thing: bpy.types.Object, progress: Any) -> Edited:
        return edit_action(context.scene, thing, {"mirror": True}, progress=progress)


class ANIMBRIDGE_OT_clip_reverse(_ClipOperator):
    """Play the motion backwards"""

    bl_idname = "animbridge.clip_reverse"
    bl_label = "Reverse"

    def edit(self, context: bpy.types.Context, thing: bpy.types.Object, progress: Any) -> Edited:
        return edit_action(context.scene, thing, {"reverse": True}, progress=progress)


class ANIMBRIDGE_OT_clip_speed(_ClipOperator):
    """Play the motion faster or slower. The first frame stays where it is"""

    bl_idname = "animbridge.clip_speed"
    bl_label = "Speed"

    by: EnumProperty(
        name="By",
        description="What sets the speed",
        items=(
            ("speed", "Factor", "So many times as fast"),
            ("duration", "Length", "The speed at which it lasts this long"),
            ("bpm", "Beats", "The nearest speed at which the loop lasts a whole number of beats"),
        ),
        default="speed",
    )
    speed: FloatProperty(
        name="Factor", description="2 is twice as fast", default=2.0, min=0.001, max=1000.0, soft_max=4.0
    )
    duration: FloatProperty(
        name="Length", description="Seconds", default=10.0, min=0.001, max=86400.0, unit="TIME_ABSOLUTE"
    )
    bpm: FloatProperty(name="Beats a Minute", description="Of the music", default=120.0, min=1.0, max=1000.0)

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        layout.use_property_split = True
        layout.prop(self, "by")
        layout.prop(self, self.by)

    def edit(self, context: bpy.types.Context, thing: bpy.types.Object, progress: Any) -> Edited:
        return edit_action(context.scene, thing, {self.by: getattr(self, self.by)}, progress=progress)


class ANIMBRIDGE_OT_clip_retime(_ClipOperator):
    """Move what happens at the current frame to another frame, and everything around it in proportion"""

    bl_idname = "animbridge.clip_retime"
    bl_label = "Retime"

    by_frames: FloatProperty(
        name="Later By", description="Frames by which it moves; below 0: earlier", default=5.0
    )
    keeps_length: BoolProperty(
        name="Keep Length",
        description="The Action ends when it did. Off: what follows moves along",
        default=True,
    )

    def edit(self, context: bpy.types.Context, thing: bpy.types.Object, progress: Any) -> Edited:
        rate = scene_frames_per_second(context.scene)
        span = span_of(playing_channels(thing))
        frame = float(context.scene.frame_current_final)
        last = span.last if self.keeps_length else span.last + self.by_frames
        if not (span.first < frame < span.last and span.first < frame + self.by_frames < last):
            raise AnimBridgeError(
                f"What happens at frame {frame:g} can't move to {frame + self.by_frames:g}: both must be "
                f"between the Action's first and last frames, {span.first:g} and {last:g}."
            )
        pairs = [(frame, frame + self.by_frames), (span.last, last)]
        text = ",".join(f"{(a - span.first) / rate!r}={(b - span.first) / rate!r}" for a, b in pairs)
        return edit_action(context.scene, thing, {"retime": text}, progress=progress)


class ANIMBRIDGE_OT_clip_hold(_ClipOperator):
    """Hold the first or the last pose for some time"""

    bl_idname = "animbridge.clip_hold"
    bl_label = "Hold"

    hold_first: FloatProperty(
        name="First Pose",
        description="How long the first pose is held",
        default=0.0,
        min=0.0,
        soft_max=10.0,
        unit="TIME_ABSOLUTE",
    )
    hold_last: FloatProperty(
        name="Last Pose",
        description="How long the last pose is held",
        default=1.0,
        min=0.0,
        soft_max=10.0,
        unit="TIME_ABSOLUTE",
    )

    def edit(self, context: bpy.types.Context, thing: bpy.types.Object, progress: Any) -> Edited:
        wanted = {name: getattr(self, name) for name in ("hold_first", "hold_last")}
        tools = {name: seconds for name, seconds in wanted.items() if seconds > 0.0}
        return edit_action(context.scene, thing, tools, progress=progress)


class ANIMBRIDGE_OT_clip_find_loop(_ClipOperator):
    """Find the part whose ends match best, and set Loop In and Loop Out to it"""

    bl_idname = "animbridge.clip_find_loop"
    bl_label = "Find Loop"

    choice: IntProperty(
        name="Choice", description="1 is the best part, 8 the worst", default=1, min=1, max=_MOST_CHOICES
    )

    def edit(self, context: bpy.types.Context, thing: bpy.types.Object, progress: Any) -> Edited:
        found = edit_action(context.scene, thing, {"loop_points": "best"}, finds_loop=True, progress=progress)
        choices = found.row("loop-points")["choices"]
        chosen = choices[min(self.choice, len(choices)) - 1]
        if chosen is choices[0]:
            return found
        points = f"{chosen['in_seconds']!r}:{chosen['out_seconds']!r}"
        return edit_action(context.scene, thing, {"loop_points": points}, finds_loop=True)


class ANIMBRIDGE_OT_clip_close_loop(_ClipOperator):
    """End the loop in the pose in which it begins. Only the end of the loop changes"""

    bl_idname = "animbridge.clip_close_loop"
    bl_label = "Close Loop"

    def edit(self, context: bpy.types.Context, thing: bpy.types.Object, progress: Any) -> Edited:
        return edit_action(context.scene, thing, {"close_loop": True}, progress=progress)


class ANIMBRIDGE_OT_clip_start_here(_ClipOperator):
    """Begin a closed loop at the current frame. What comes before it follows at the end"""

    bl_idname = "animbridge.clip_start_here"
    bl_label = "Start Here"

    def edit(self, context: bpy.types.Context, thing: bpy.types.Object, progress: Any) -> Edited:
        span = span_of(playing_channels(thing))
        seconds = (context.scene.frame_current_final - span.first) / scene_frames_per_second(context.scene)
        if seconds <= 0.0:
            raise AnimBridgeError("The loop begins at this frame already. Go to another one.")
        return edit_action(context.scene, thing, {"start_at": seconds}, progress=progress)


class ANIMBRIDGE_OT_clip_remove_travel(_ClipOperator):
    """Take out the way that the body goes in a loop, and keep its sway"""

    bl_idname = "animbridge.clip_remove_travel"
    bl_label = "Remove Travel"

    travel: FloatProperty(
        name="Instead",
        description="Move the body forward at this speed instead, in metres a second. 0: it stays",
        default=0.0,
        min=0.0,
        max=100.0,
        soft_max=10.0,
        unit="VELOCITY",
    )

    def edit(self, context: bpy.types.Context, thing: bpy.types.Object, progress: Any) -> Edited:
        tools = {"travel": self.travel} if self.travel > 0.0 else {"no_travel": True}
        return edit_action(context.scene, thing, tools, progress=progress)


class ANIMBRIDGE_OT_clip_smooth(_ClipOperator):
    """Take out shaking. No bone turns or moves by more than the limits"""

    bl_idname = "animbridge.clip_smooth"
    bl_label = "Smooth"

    smooth: FloatProperty(
        name="Degrees", description="The most that a bone turns at any key", default=1.0, min=0.0, max=180.0
    )
    smooth_mm: FloatProperty(
        name="Millimetres", description="The most that a bone moves", default=2.0, min=0.0, max=1000.0
    )
    filter: EnumProperty(
        name="Filter",
        description="How it works",
        items=(
            ("savgol", "Curve Fit", "Fits a curve to seven frames"),
            ("one-euro", "One Euro", "Smooths slow motion more than fast motion"),
        ),
        default="savgol",
    )

    def edit(self, context: bpy.types.Context, thing: bpy.types.Object, progress: Any) -> Edited:
        tools = {name: getattr(self, name) for name in ("smooth", "smooth_mm", "filter")}
        return edit_action(context.scene, thing, tools, progress=progress)


class ANIMBRIDGE_OT_clip_blend_edit(_ClipOperator):
    """Spread a change of the pose. Pose bones at one frame without inserting keyframes, then press this. \
Keyframes outside the falloff stay as they are"""

    bl_idname = "animbridge.clip_blend_edit"
    bl_label = "Blend Edit"

    spread: EnumProperty(
        name="Over",
        description="How far the change reaches",
        items=(
            ("FALLOFF", "Falloff", "Less and less until so many frames before and after"),
            ("WHOLE", "Whole Action", "The same change everywhere"),
        ),
        default="FALLOFF",
    )
    falloff_frames: IntProperty(
        name="Frames", description="How many frames before and after it reaches", default=12, min=1
    )
    # The pose that F9 repeats the edit with, when the bones are back where the Action has them.
    posed: StringProperty(name="Pose", description="The edit, as JSON", options={"HIDDEN", "SKIP_SAVE"})

    unchanged = "The change of the pose is spread"

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        layout.use_property_split = True
        layout.prop(self, "spread")
        row = layout.row()
        row.enabled = self.spread == "FALLOFF"
        row.prop(self, "falloff_frames")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        self.posed = ""
        return self.execute(context)

    def edit(self, context: bpy.types.Context, thing: bpy.types.Object, progress: Any) -> Edited:
        pose_edit = json.loads(self.posed) if self.posed else posed_otherwise(context.scene, thing)
        self.posed = json.dumps(pose_edit)
        pose_edit["falloff_frames"] = self.falloff_frames if self.spread == "FALLOFF" else None
        return edit_action(context.scene, thing, {}, pose_edit=pose_edit, progress=progress)


class ANIMBRIDGE_OT_clip_measure(_ClipOperator):
    """Measure the motion: its keyframes, its length, how well the loop closes, and how far the body goes"""

    bl_idname = "animbridge.clip_measure"
    bl_label = "Measure"

    unchanged = "The panel Clip shows the numbers"

    def edit(self, context: bpy.types.Context, thing: bpy.types.Object, progress: Any) -> Edited:
        return edit_action(context.scene, thing, {}, progress=progress)


CLASSES: Final = (
    ANIMBRIDGE_OT_clip_trim,
    ANIMBRIDGE_OT_clip_split,
    ANIMBRIDGE_OT_clip_mirror,
    ANIMBRIDGE_OT_clip_reverse,
    ANIMBRIDGE_OT_clip_speed,
    ANIMBRIDGE_OT_clip_retime,
    ANIMBRIDGE_OT_clip_hold,
    ANIMBRIDGE_OT_clip_find_loop,
    ANIMBRIDGE_OT_clip_close_loop,
    ANIMBRIDGE_OT_clip_start_here,
    ANIMBRIDGE_OT_clip_remove_travel,
    ANIMBRIDGE_OT_clip_smooth,
    ANIMBRIDGE_OT_clip_blend_edit,
    ANIMBRIDGE_OT_clip_measure,
)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Which parts of an armature's animation are exported, and under which names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

import bpy

from ...compat import actions
from ...package import AnimBridgeError, free_stem
from ..playing import assigned_channels, playing_channels
from .action import export_action, export_shown
from .exporter import Exporter
from .marks import is_marked
from .names import stem_for
from .options import FrameRange, MotionOptions
from .result import ExportResult
from .sampling import only_track
from .spans import Span

#: Frames of a strip and of its Action that count as one.
_SAME_FRAME: Final = 1e-3


class What(Enum):
    """What becomes files."""

    ACTIVE = "what the armature plays: one file"
    MARKED = "every Action of the armature that is marked for export"
    ALL = "every Action that plays on the armature"
    NLA = "every NLA track that is not muted, by itself"


@dataclass(frozen=True)
class ExportJob:
    """A file to be made: its name without extension, and its content. `track` is an NLA track."""

    stem: str
    armature_object: bpy.types.Object
    channels: actions.Channels | None = None
    track: Any = None
    alone: bool = False

    def run(self, exporter: Exporter[Any], scene: bpy.types.Scene, options: MotionOptions) -> ExportResult:
        """Makes the document."""
        animation: Any = self.armature_object.animation_data
        if self.track is not None:
            whole = _only_action(self.track) if options.frame_range is FrameRange.ACTION else None
            if whole is not None:
                return export_action(exporter, self.armature_object, whole, scene, options, alone=False)
            with only_track(self.armature_object, self.track):
                return export_shown(
                    exporter, self.armature_object, scene, options, _extent([self.track]), alone=False
                )
        if self.channels is None:
            extent = _extent(_playing_tracks(animation))
            return export_shown(exporter, self.armature_object, scene, options, extent, alone=True)
        return export_action(exporter, self.armature_object, self.channels, scene, options, alone=self.alone)


def jobs_for(armature_object: bpy.types.Object, what: What, *, pose: bool = False) -> list[ExportJob]:
    """The files to be made; an error if there are none. `pose`: a pose is wanted, so nothing has to play."""
    jobs = list(_jobs(armature_object, what, pose=pose))
    if not jobs:
        missing = {
            What.ACTIVE: "plays no Action",
            What.ALL: "plays no Action",
            What.MARKED: "has no Action that is marked for export. Mark some in the AnimBridge tab",
            What.NLA: "has no NLA track that plays",
        }
        raise AnimBridgeError(f"The armature '{armature_object.name}' {missing[what]}.")
    return jobs


def _jobs(armature_object: bpy.types.Object, what: What, *, pose: bool) -> Iterator[ExportJob]:
    taken: set[str] = set()
    if what is What.ACTIVE:
        yield from _active(armature_object, pose=pose)
        return
    if what is What.NLA:
        for track in _playing_tracks(armature_object.animation_data):
            yield ExportJob(free_stem([track.name], taken), armature_object, track=track)
        return
    for channels in playing_channels(armature_object):
        if what is What.ALL or is_marked(channels.action):
            yield ExportJob(stem_for(channels.action, taken), armature_object, channels)


def _active(armature_object: bpy.types.Object, *, pose: bool) -> Iterator[ExportJob]:
    """The assigned Action; without one, what the NLA tracks show together, or the pose."""
    assigned = assigned_channels(armature_object)
    if assigned:
        yield ExportJob(stem_for(assigned.action, set()), armature_object, assigned, alone=True)
    elif pose or _playing_tracks(armature_object.animation_data):
        yield ExportJob(free_stem([armature_object.name], set()), armature_object)


def plays_anything(armature_object: bpy.types.Object) -> bool:
    """Whether an Action or an NLA track plays on the armature."""
    return bool(assigned_channels(armature_object) or _playing_tracks(armature_object.animation_data))


def _playing_tracks(animation: Any) -> list[Any]:
    """NLA tracks with something to play, as far as solo and mute let them."""
    if animation is None or not animation.use_nla:
        return []
    soloed = any(track.is_solo for track in animation.nla_tracks)
    return [
        track
        for track in animation.nla_tracks
        if (track.is_solo if soloed else not track.mute) and any(not strip.mute for strip in track.strips)
    ]


def _only_action(track: Any) -> actions.Channels | None:
    """The Action that is all that a track plays, from end to end and unchanged; else None.

    Such an Action keeps its keys, its properties and its imported file.
    """
    strips = [strip for strip in track.strips if not strip.mute]
    if len(strips) != 1 or not _plays_unchanged(strips[0]):
        return None
    return actions.strip_channels(strips[0])


def _plays_unchanged(strip: Any) -> bool:
    if strip.type != "CLIP" or strip.action is None or len(strip.modifiers):
        return False
    first, last = strip.action.frame_range
    return (
        strip.scale == 1.0
        and strip.repeat == 1.0
        and strip.blend_type == "REPLACE"
        and not strip.blend_in
        and not strip.blend_out
        and not (strip.use_reverse or strip.use_animated_influence or strip.use_animated_time)
        and abs(strip.action_frame_start - first) < _SAME_FRAME
        and abs(strip.action_frame_end - last) < _SAME_FRAME
    )


def _extent(tracks: list[Any]) -> Span:
    strips = [strip for track in tracks for strip in track.strips if not strip.mute]
    return Span(
        min((float(strip.frame_start) for strip in strips), default=1.0),
        max((float(strip.frame_end) for strip in strips), default=1.0),
    )

# SPDX-License-Identifier: MIT
"""Every `.anim` that plays, as the witness reads it, and what the command's tools make of each."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from material import DEMO, FIXTURES, ROOT
from tests.witness import anim_file, clip_tools, player, rules
from tests.witness.skeleton import load_emotes, load_skeleton

COMMAND = ROOT / "build" / "bin" / "animbridge"
SKELETON = load_skeleton()
EMOTES = load_emotes()
SAMPLES = Path(os.environ.get("ANIMBRIDGE_SAMPLES", "/nonexistent")) / "sl_anim"
#: Findings of files that play all the same. With any other finding on playback, the viewer refuses the file.
PLAYS_ON = frozenset(
    [
        *(
            "base_priority_clamped",
            "position_clamped",
            "emote_unknown",
            "emote_closed_mouth",
            "joint_unknown",
        ),
        *("constraints_ignored", "duplicate_joint", "duplicate_key_time", "constraint_chain_too_long"),
        *("joint_priority_too_high", "loop_points_out_of_order", "loop_stops_itself"),
        *("pelvis_at_skeleton_height", "keys_all_at_one_time", "duration_negative"),
        "motion_without_priority",
    ]
)
#: Between two keys that are further apart, a cut changes how even the turn is.
EVEN_DEGREES = 40.0
HALF_TURN_W = 0.1
JOINTS_PLAYED = 4


@dataclass
class Clip:
    """A file that plays."""

    path: Path
    anim: anim_file.AnimFile

    @property
    def seconds(self) -> float:
        """The duration."""
        return float(self.anim.duration)

    @property
    def is_coded(self) -> bool:
        """Version 1.0, whose keys are codes."""
        return not self.anim.is_legacy

    @property
    def loop(self) -> tuple[float, float]:
        """What repeats; the whole of a file that plays once."""
        return (
            (float(self.anim.loop_in), float(self.anim.loop_out)) if self.anim.loop else (0.0, self.seconds)
        )

    @property
    def loops_inside(self) -> bool:
        """Its loop has a length and lies inside the file."""
        return 0.0 <= self.loop[0] < self.loop[1] <= self.seconds


@dataclass
class Made:
    """What the command wrote, if it did."""

    clip: Clip
    data: bytes | None
    told: str

    @property
    def anim(self) -> anim_file.AnimFile:
        """The file that was written."""
        assert self.data is not None, self.told
        return anim_file.parse(self.data)


def _plays(data: bytes) -> anim_file.AnimFile | None:
    try:
        anim = anim_file.parse(data)
    except anim_file.ParseError:
        return None
    with np.errstate(all="ignore"):
        found = rules.findings(len(data), anim, SKELETON, EMOTES) & rules.PLAYBACK_IDS
    return anim if found <= PLAYS_ON else None


def _clips() -> Iterator[Clip]:
    samples = sorted(SAMPLES.iterdir()) if SAMPLES.is_dir() else []
    for path in [*sorted(FIXTURES.glob("*.anim")), DEMO / "wave.anim", *samples]:
        anim = _plays(path.read_bytes())
        if anim is not None:
            yield Clip(path, anim)


CLIPS = list(_clips())


def edit(source: Path, target: Path, *options: object) -> tuple[bytes | None, str]:
    """The bytes that the command writes, and all that it says."""
    answer = subprocess.run(
        [str(COMMAND), "edit", str(source), str(target), *map(str, options)],
        check=False,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    data = target.read_bytes() if target.exists() else None
    return data, answer.stdout + answer.stderr


def edit_all(
    folder: Path, options: Callable[[Clip], list[object] | None], clips: list[Clip] | None = None
) -> Iterator[Made]:
    """Each clip as a tool makes it, in order; clips for which there are no options are left out."""
    chosen = [(clip, words) for clip in clips or CLIPS if (words := options(clip)) is not None]

    def one(place: int) -> Made:
        clip, words = chosen[place]
        return Made(clip, *edit(clip.path, folder / f"{place}.anim", *words))

    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(one, range(len(chosen))))
    assert len(made) > 10
    return iter(made)


def same_but(one: anim_file.AnimFile, other: anim_file.AnimFile, *fields: str) -> bool:
    """Two headers are the same, bit for bit, but for these fields and for joints and constraints."""
    left = {**replace(one, joints=[], constraints=[]).__dict__}
    right = {**replace(other, joints=[], constraints=[]).__dict__}
    return all(left[name] == right[name] for name in left if name not in fields)


def same_keys(one: anim_file.Joint, other: anim_file.Joint) -> bool:
    """Two records hold the same keys in the same order."""
    return np.array_equal(one.rotation_keys, other.rotation_keys) and np.array_equal(
        one.position_keys, other.position_keys
    )


def seen(anim: anim_file.AnimFile) -> dict[str, anim_file.Joint]:
    """The records that the viewer plays, by canonical name: of a joint's records the first."""
    found: dict[str, anim_file.Joint] = {}
    for joint in anim.joints:
        name = SKELETON.canonical(joint.name)
        if name is not None:
            found.setdefault(name, joint)
    return found


def turns_evenly(joint: anim_file.Joint, duration: np.float32) -> bool:
    """No key is near a half turn, and no two keys that follow each other are far apart."""
    turns = player.sorted_rotations(joint, duration)
    gaps = [clip_tools.turn_between(turns[i], turns[i + 1]) for i in range(len(turns) - 1)]
    signs = [float(np.dot(turns[i], turns[i + 1])) > 0 for i in range(len(turns) - 1)]
    upright = all(turn[3] > HALF_TURN_W for turn in turns)
    return upright and all(signs) and all(gap < EVEN_DEGREES for gap in gaps)


def most_apart(made: Made, before: clip_tools.TimeMap, times: list[float]) -> tuple[float, float]:
    """How unlike the new file plays at these times, in degrees and metres; `before` gives the old times."""
    old, new = seen(made.clip.anim), seen(made.anim)
    names = sorted(old.keys() & new.keys())
    most = np.zeros(2)
    for name in names[:: max(1, len(names) // JOINTS_PLAYED)]:
        if not turns_evenly(old[name], made.clip.anim.duration):
            continue
        for time in times:
            unlike = clip_tools.apart(old[name], made.clip.anim, before(time), new[name], made.anim, time)
            most = np.maximum(most, unlike)
    return float(most[0]), float(most[1])


def inside(start: float, end: float, count: int = 5) -> list[float]:
    """Times within a part, without its ends."""
    return [float(time) for time in np.linspace(start, end, count + 2)[1:-1]]

# SPDX-License-Identifier: MIT
"""How far feet slide in a walk whose own feet stand still: the table of docs/retargeting-method.md.

    PYTHONPATH=addon:tests:. python -m tests.python.measure_slides

The walk is fixtures/walk/still.bvh; walks.json has the times at which its feet stand. Each of the ways moves
MPFB's six rigs and the avatar. Feet are read from the curves by the arithmetic of bones here, not by the
library's report.
"""

from __future__ import annotations

import json
import math
from itertools import pairwise
from typing import Any

import numpy as np
from tests.python.material import ROOT
from tests.python.upright_rigs import Matrix, avatar, matrix, mpfb, of_bvh

from animbridge.abi import Channel
from animbridge.curves import Armature, Timing
from animbridge.document import Document
from animbridge.retarget import RigFound, find_rig, retarget

WALK = ROOT / "fixtures" / "walk" / "still.bvh"
FRAMES_PER_SECOND = 30.0
#: Within this of a contact's ends, a foot is put down or lifted.
END_SECONDS = 0.1


def place_of(rig: Armature, found: RigFound, slot: str) -> Matrix:
    """The head of a part's bone at rest."""
    bone = rig.names.index(found.slots[slot].bone)
    return rig.rest_matrices.reshape(-1, 4, 4)[bone, 3, :3].astype(np.float64)


def rokoko(source: Armature, target: Armature) -> dict[str, Any]:
    """Rokoko's retargeter in our options: world deltas from the poses as they are, without alignment, and the
    source scaled by the heights of the hips above their lowest foot."""
    heights: list[float] = []
    for rig in (source, target):
        found = find_rig(rig)
        feet = [slot for slot in ("leftFoot", "leftToes", "rightFoot", "rightToes") if slot in found.slots]
        floor = min(place_of(rig, found, slot)[2] for slot in feet)
        heights.append(float(place_of(rig, found, "hips")[2] - floor))
    scale = heights[1] / heights[0]
    return {"align": False, "root_scale": f"{scale:.9g},{scale:.9g}"}


def ways(source: Armature, target: Armature) -> dict[str, dict[str, Any]]:
    """Name -> options."""
    return {
        "AnimBridge": {},
        "path as it is": {"root_scale": "1,1"},
        "Rokoko": rokoko(source, target),
        "Plant Feet": {"plant_feet": True},
    }


def heads(target: Armature, curves: list[Any], frame: float) -> list[Matrix]:
    """Each bone's matrix in armature space at a frame."""
    rests = target.rest_matrices.reshape(-1, 4, 4).transpose(0, 2, 1).astype(np.float64)
    channels: dict[tuple[int, Channel], dict[int, float]] = {}
    for curve in curves:
        values = channels.setdefault((curve.bone, curve.channel), {})
        values[curve.component] = float(np.interp(frame, curve.co[:, 0], curve.co[:, 1]))
    posed: list[Matrix] = []
    for bone, parent in enumerate(target.parents):
        turn = channels.get((bone, Channel.ROTATION_QUATERNION), {0: 1.0, 1: 0.0, 2: 0.0, 3: 0.0})
        move = channels.get((bone, Channel.LOCATION), {0: 0.0, 1: 0.0, 2: 0.0})
        length = math.hypot(*turn.values())
        local = matrix([turn[i] / length for i in range(4)], [move[i] for i in range(3)])
        rest = rests[bone] if parent < 0 else np.linalg.inv(rests[parent]) @ rests[bone]
        posed.append(rest @ local if parent < 0 else posed[parent] @ rest @ local)
    return posed


def slide(target: Armature, options: dict[str, Any]) -> float:
    """The feet's horizontal path while the walk's stand, in mm per second."""
    document = Document.read_file(WALK)
    timing = Timing(FRAMES_PER_SECOND, 0.0)
    curves = list(retarget(document, target, timing, {"document": {}, **options}))
    found = find_rig(target)
    part = "Toes" if "leftToes" in found.slots else "Foot"
    truth = json.loads((WALK.parent / "walks.json").read_text(encoding="utf-8"))[WALK.name]
    path = seconds = 0.0
    for contact in truth["contacts"]:
        foot = target.names.index(found.slots[f"{contact['side']}{part}"].bone)
        first = np.ceil((contact["start"] + END_SECONDS) * FRAMES_PER_SECOND)
        last = np.floor((contact["end"] - END_SECONDS) * FRAMES_PER_SECOND)
        places = [heads(target, curves, frame)[foot][:2, 3] for frame in np.arange(first, last + 1)]
        path += sum(float(np.linalg.norm(b - a)) for a, b in pairwise(places))
        seconds += max(len(places) - 1, 0) / FRAMES_PER_SECOND
    return 1000.0 * path / seconds


def table() -> dict[str, dict[str, float]]:
    """Rig -> way -> slide."""
    source = of_bvh(WALK)
    rigs = mpfb() | {"avatar": avatar()}
    return {
        name: {way: slide(rig, options) for way, options in ways(source, rig).items()}
        for name, rig in rigs.items()
    }


def main() -> None:
    """Prints a row of Markdown for each rig."""
    rows = table()
    names = list(next(iter(rows.values())))
    print(f"| Rig | {' | '.join(names)} |\n|---|{'---|' * len(names)}")
    for rig, slides in rows.items():
        print(f"| {rig} | {' | '.join(f'{slides[name]:.1f}' for name in names)} |")


if __name__ == "__main__":
    main()

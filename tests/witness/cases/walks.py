# SPDX-License-Identifier: MIT
"""fixtures/walk/<name>.bvh: two seconds of a walk by VRM 1.0's names, in metres; walks.json has the truth.

"still" stands still with each planted foot, "slides" slides forward. walks.json has for each file what
`walk.Walk.truth` says: the contacts (side, start, end in seconds), the slide in metres per second of contact,
the leg's length and slot -> joint. Angles have 10 places, so a planted ankle moves by less than 1e-9 m.
"""

from __future__ import annotations

import json

from ..bvh_file import Style, write
from ..humanoid_body import SLOTS, is_finger
from ..rigs import build
from ..walk import Gait, walk

FOLDER = "walk"
_SLIDE_LEGS_PER_SECOND = 0.05
_GAITS = {
    "still": Gait(seconds=2.0, frames_per_second=30.0),
    "slides": Gait(seconds=2.0, frames_per_second=30.0, slide=_SLIDE_LEGS_PER_SECOND),
}


def _number(value: float) -> str:
    return repr(round(value, 10) + 0.0)


def all_files() -> dict[str, bytes]:
    """Every file by its path under fixtures/walk/."""
    parts = [s for s in SLOTS if s not in ("root", "jaw") and not is_finger(s)]
    names = {s: [s] for s in parts if not s.endswith(("Eye", "Palm", "Heel"))}
    files: dict[str, bytes] = {}
    truths: dict[str, object] = {}
    for name, gait in _GAITS.items():
        made = walk(build("vrm1", names), gait)
        files[f"{name}.bvh"] = write(made.bvh, Style(number=_number))
        truths[f"{name}.bvh"] = made.truth()
    files["walks.json"] = (json.dumps(truths, indent=1) + "\n").encode()
    return files

# SPDX-License-Identifier: MIT
"""fixtures/walk/<name>.bvh: a walk, in metres; walks.json has the truth.

"still" stands still with each planted foot, "slides" slides forward: two seconds by VRM 1.0's names.
"along_x" is one second of a skeleton that lies along X at rest, by the names of Bandai Namco's data set (see
`joint_axes.along_x`). Its frames stand it up along Y. walks.json has for each file what
`walk.Walk.truth` says: the contacts (side, start, end in seconds), the slide in metres per second of contact,
the leg's length and slot -> joint. Angles have 10 places, so a planted ankle moves by less than 1e-9 m.
"""

from __future__ import annotations

import json

from ..bvh_file import Style, write
from ..humanoid_body import SLOTS, is_finger
from ..joint_axes import along_x
from ..rigs import build, load_tables
from ..walk import Gait, walk

FOLDER = "walk"
_SLIDE_LEGS_PER_SECOND = 0.05
_BIPED = "bandai_namco"
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
    biped = walk(build(_BIPED, load_tables()[_BIPED]), Gait(seconds=1.0, frames_per_second=30.0))
    files["along_x.bvh"] = write(along_x(biped.bvh, biped.joints), Style(number=_number))
    truths["along_x.bvh"] = biped.truth()
    files["walks.json"] = (json.dumps(truths, indent=1) + "\n").encode()
    return files

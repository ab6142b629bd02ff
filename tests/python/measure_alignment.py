# SPDX-License-Identifier: MIT
"""How far the alignment turns the parts of rigs that all stand upright (docs/retargeting-method.md).

    PYTHONPATH=addon:tests:. python -m tests.python.measure_alignment [FILE.glb|FILE.vrma|FILE.bvh ...]

Each rig is the source of each other one. Files add rigs to MPFB's six and the avatar.
"""

from __future__ import annotations

import sys
from itertools import permutations
from pathlib import Path

import numpy as np
from tests.python.upright_rigs import at_rest, avatar, mpfb, of_bvh, of_gltf

from animbridge.curves import Timing
from animbridge.retarget import retarget


def part_of(slot: str) -> str:
    """Both sides count as one, and so do all fingers."""
    name = slot.removeprefix("left").removeprefix("right")
    is_finger = any(finger in name for finger in ("Thumb", "Index", "Middle", "Ring", "Little"))
    return "fingers" if is_finger else name


def main() -> None:
    """Prints a row of Markdown for each part."""
    rigs = mpfb() | {"avatar": avatar()}
    for path in map(Path, sys.argv[1:]):
        rigs[path.stem] = of_bvh(path) if path.suffix == ".bvh" else of_gltf(path)
    degrees: dict[str, list[float]] = {}
    for source, target in permutations(rigs.values(), 2):
        report = retarget(at_rest(source), target, Timing(30.0, 1.0), {}).report()["retarget"]
        for slot in report["slots"]:
            degrees.setdefault(part_of(slot["slot"]), []).append(slot["alignment_degrees"])
    print(f"{len(rigs)} rigs\n| Part | Median | 90 % | Largest |\n|---|---|---|---|")
    for part, values in degrees.items():
        middle, most = np.percentile(values, (50, 90))
        print(f"| {part} | {middle:.1f} | {most:.1f} | {max(values):.1f} |")


if __name__ == "__main__":
    main()

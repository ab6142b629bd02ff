# SPDX-License-Identifier: MIT
"""Draws what retargeting does, for people to look at: each source beside each target, at six times.

    python tests/bench/draw_pairs.py OUT.svg --source NAME=FILE... --target NAME=FILE...

A target's file gives its skeleton; NAME=avatar is Second Life's. The witness reads the motions from GLB files
and places the joints, so that the pictures do not trust the library's own player.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from tests.witness.scene_compare import poses_of  # noqa: E402
from tests.witness.scene_model import Scene  # noqa: E402
from tests.witness.scene_read_gltf import read_gltf  # noqa: E402

Array = NDArray[np.float64]

COMMAND = ROOT / "build" / "bin" / "animbridge"
AVATAR = "avatar"
TIMES = 6
CELL, FIGURE = 150, 120
SOURCE_COLOUR, TARGET_COLOUR = "#d97a00", "#0072b2"
#: The figures look past the viewer by this, so that their depth shows.
ASIDE_DEGREES = 30


def run(*words: object) -> str:
    """What the command prints."""
    return subprocess.run(
        [str(COMMAND), *map(str, words)], check=True, capture_output=True, encoding="utf-8"
    ).stdout


def figures(file: Path, folder: Path) -> list[list[tuple[Array, Array]]]:
    """The bones of a motion at even times: both ends, x to the viewer's right and y up, in body heights."""
    glb = file
    if file.suffix != ".glb":
        glb = folder / f"{file.stem}-drawn.glb"
        run("convert", file, glb)
    scene = read_gltf(glb.read_bytes())
    index = max(range(len(scene.animations)), key=lambda i: scene.animations[i].span()[1])
    start, end = scene.animations[index].span()
    poses = poses_of(scene, index, (np.linspace(0.02, 0.98, TIMES) * (end - start)).tolist())
    told = json.loads(run("rig", glb, "--json"))
    used = {row["joint"] for slot, row in told["slots"].items() if slot != "root"}
    used |= {name for chain in ("spine", "neck") for name in told["chains"].get(chain, ())}
    chosen = {i for i, node in enumerate(scene.nodes) if node.name in used}
    bones = [(above, i) for i in chosen if (above := nearest(scene, i, chosen)) is not None]
    forward = told["facing"] or [1.0, 0.0, 0.0]
    yaw = np.arctan2(forward[1], forward[0]) + np.radians(ASIDE_DEGREES)
    across = np.array([[-np.sin(yaw), np.cos(yaw), 0.0], [0.0, 0.0, 1.0]])
    at_rest = np.array([matrix[:3, 3] for matrix in scene.world()[0]])[sorted(chosen)]
    drawn = []
    for heads in poses.heads:
        flat = np.array(heads) @ across.T / np.ptp(at_rest[:, 2])
        flat -= flat[sorted(chosen)].mean(axis=0)
        drawn.append([(flat[a], flat[b]) for a, b in bones])
    return drawn


def nearest(scene: Scene, node: int, chosen: set[int]) -> int | None:
    """The nearest of the chosen nodes above one."""
    above = scene.nodes[node].parent
    while above is not None and above not in chosen:
        above = scene.nodes[above].parent
    return above


def strokes(bones: list[tuple[Array, Array]], x: float, y: float, colour: str) -> str:
    """One figure with its middle at a place of the picture."""
    size = 0.95 * FIGURE
    path = "".join(
        f"M{x + size * a[0]:.1f} {y - size * a[1]:.1f}L{x + size * b[0]:.1f} {y - size * b[1]:.1f}"
        for a, b in bones
    )
    return f'<path d="{path}" stroke="{colour}" stroke-width="1.6" fill="none" stroke-linecap="round"/>'


def drawn(rows: list[tuple[str, list[list[tuple[Array, Array]]], list[list[tuple[Array, Array]]]]]) -> str:
    """The picture: a row for each pair, a column for each time."""
    width, height = 40 + TIMES * CELL, len(rows) * CELL + 20
    shapes = []
    for number, (name, source, target) in enumerate(rows):
        y = number * CELL + 0.52 * CELL
        shapes.append(f'<text x="6" y="{number * CELL + 14}" fill="#333">{name}</text>')
        for time in range(TIMES):
            x = 40 + time * CELL
            shapes.append(strokes(source[time], x + 0.27 * CELL, y, SOURCE_COLOUR))
            shapes.append(strokes(target[time], x + 0.73 * CELL, y, TARGET_COLOUR))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
        f'font-size="12"><rect width="100%" height="100%" fill="white"/>{"".join(shapes)}</svg>\n'
    )


def named(text: str) -> tuple[str, Path]:
    """NAME=FILE."""
    name, _, file = text.partition("=")
    return name, Path(file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("svg", type=Path)
    parser.add_argument("--source", action="append", type=named, required=True)
    parser.add_argument("--target", action="append", type=named, required=True)
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for source_name, source in given.source:
            own = figures(source, folder)
            for target_name, target in given.target:
                out = folder / f"{source_name}-{target_name}.{'anim' if target_name == AVATAR else 'glb'}"
                onto = ("--for", "opensim") if target_name == AVATAR else ("--onto", target)
                run("convert", source, out, "--retarget", "--force", *onto)
                rows.append((f"{source_name} to {target_name}", own, figures(out, folder)))
    given.svg.write_text(drawn(rows), encoding="utf-8")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: GPL-3.0-or-later
"""The options that reach Blender. The command has checked their values, and its help describes them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .. import kinds

#: Motion onto another skeleton is for files; these have no effect on what comes out of a .blend file.
_OF_FILES: Final = (
    *(
        "--retarget",
        "--no-align",
        "--in-place",
        "--from-origin",
        "--on-ground",
        "--plant-feet",
        "--keep-touch",
        "--no-keep-touch",
        "--swap-sides",
        "--pin-feet",
    ),
    "--keep-first-frame",
)
#: The same, with a value.
_VALUES_OF_FILES: Final = (
    *("--onto", "--reference", "--target-reference", "--root-scale", "--offset", "--rig", "--target-rig"),
)
_USUAL_STOP_MM: Final = 20.0


@dataclass(frozen=True)
class Options:
    """`frames_per_second` None: the file's or the scene's own. `stop_above_mm`: 0 with --force.

    `flags`: the values of all flags, those of the kinds included.
    """

    target: str
    out: Path
    frames_per_second: float | None
    frame_start: float
    as_stored: bool
    strict: bool
    level: str | None
    flags: Mapping[str, Any]
    stop_above_mm: float


def parse_options(words: Sequence[str]) -> Options:
    """Reads the command line; raises SystemExit, with code 2 and a message, if it is wrong for Blender."""
    parser = _parser()
    given = parser.parse_args(list(words))
    if given.to == "blend" and given.of_files:
        parser.error(
            "--to blend keeps the input's own skeleton, so --retarget, --onto and their options don't go "
            "with it; use --to anim or --to bvh, or leave these options out"
        )
    return Options(
        target=given.to,
        out=given.out,
        frames_per_second=given.fps,
        frame_start=given.frame_start,
        as_stored=given.as_stored,
        strict=given.strict,
        level=given.level,
        flags=vars(given),
        stop_above_mm=0.0 if given.force else given.stop_above,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="animbridge batch", add_help=False, allow_abbrev=False)
    add = parser.add_argument
    add("--to", required=True)
    add("--out", required=True, type=Path)
    add("--fps", type=_frames_per_second)
    add("--frame-start", type=float, default=1.0)
    add("--stop-above", type=_millimetres, default=_USUAL_STOP_MM)
    for flag in ("--force", "--as-stored", "--strict", "--no-retarget"):
        add(flag, action="store_true")
    add("--level")
    for flag in _OF_FILES:
        add(flag, action="append_const", const=flag, dest="of_files")
    for flag in _VALUES_OF_FILES:
        add(flag, action="append", dest="of_files")
    for kind in kinds.KINDS:
        if kind.add_flags is not None:
            kind.add_flags(parser)
    return parser


def _millimetres(text: str) -> float:
    millimetres, comma, _ = text.partition(",")
    if comma:
        raise argparse.ArgumentTypeError(
            f"{text} has a limit in degrees, which is for other files; for .blend files, use {millimetres}"
        )
    return float(millimetres)


def _frames_per_second(text: str) -> float:
    value = float(text)
    if not 0.01 <= value <= 32767:
        raise argparse.ArgumentTypeError(f"{text} is not between 0.01 and 32767, as Blender's are")
    return value

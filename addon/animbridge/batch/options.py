# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line of the batch."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..native.abi import Encoder, Facing
from ..native.document import LEVELS

TARGETS: Final = ("anim", "bvh", "oni", "xml", "json", "blend")
#: Those that objects move by; armatures do by the others.
OBJECT_TARGETS: Final = ("oni", "xml")

_EPILOG: Final = """\
inputs: .anim, .bvh, .oni, .xml, .oban, .dat, .json (AnimBridge documents) and .blend files; any other file is
looked at for what it is. Folders are walked and their structure is kept under DIR, as is what lies below the
fixed part of a pattern. Of a level (.dat) every OBAN becomes one file, in a folder with the level's name. Of
a .blend file every Action that plays on an armature becomes one file, with --to oni and --to xml every object
that an Action moves; it is named after the file that it was imported from, or else after the Action. Outputs
are written beside their place and renamed: a failure leaves an older file as it was. Nothing is ever written
over an input, outside DIR, or into what is not a file.

DIR may be the folder of the inputs. Files there that have the extension of --to count as outputs: they are
not read, and they are replaced where an input has their name.

Ctrl-C and SIGTERM stop after the file in hand, the second time at once. The report says what was done.

exit codes: 0 all went well, 1 something failed (the others are done), 2 the command line is wrong,
130 stopped by Ctrl-C, 143 stopped by SIGTERM
"""


@dataclass(frozen=True)
class Options:
    """What is to be done. `frames_per_second` None: the scene's own."""

    inputs: tuple[str, ...]
    target: str
    out: Path
    report: Path | None
    frames_per_second: float | None
    frame_start: float
    facing: Facing
    encoder: Encoder
    as_stored: bool
    lenient: bool
    level: str


def parse_options(arguments: Sequence[str], program: str) -> Options:
    """Reads the command line; SystemExit with code 2 and a message if it is wrong, with 0 after --help."""
    parser = _parser(program)
    given = parser.parse_args(list(arguments))
    if given.out.exists() and not given.out.is_dir():
        parser.error(f"--out {given.out} is a file; give a folder")
    return Options(
        inputs=tuple(given.inputs),
        target=given.to,
        out=given.out,
        report=given.report,
        frames_per_second=given.fps,
        frame_start=given.frame_start,
        facing=Facing[given.facing.replace("-", "_").upper()],
        encoder=Encoder[given.encoder.upper()],
        as_stored=given.as_stored,
        lenient=given.lenient,
        level=given.level,
    )


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program,
        description="Converts animation files, many at once.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("inputs", nargs="+", metavar="INPUT", help="a file, a folder, or a pattern such as 'walks/**/*.anim'")
    add("--to", required=True, choices=TARGETS, help="the format of the outputs")
    add("--out", required=True, type=Path, metavar="DIR", help="the folder of the outputs; made if need be")
    add("--report", type=Path, metavar="FILE", help="write a JSON report with a row per output")
    add(
        "--fps",
        type=_frames_per_second,
        metavar="N",
        help="frame rate of new .blend files, such as 29.97 (a BVH's own, for others 24)",
    )
    add(
        "--frame-start",
        type=_frame,
        default=1.0,
        metavar="F",
        help="frame of second 0 in new .blend files (1)",
    )
    _add_action_options(parser)
    add(
        "--as-stored",
        action="store_true",
        help="write what the Second Life viewer would store after an upload",
    )
    add(
        "--lenient",
        action="store_true",
        help="read BVH files that contradict themselves as far as they make sense, and tell what was found",
    )
    add(
        "--level",
        choices=LEVELS,
        default="upload",
        help="which rules the outputs are checked by (upload)",
    )
    return parser


def _add_action_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    facings = [facing.name.replace("_", "-").lower() for facing in Facing]
    add(
        "--facing",
        choices=facings,
        default="auto",
        help="where a character looks in its armature, for Actions that were not imported (auto)",
    )
    encoders = [encoder.name.lower() for encoder in Encoder]
    add(
        "--encoder",
        choices=encoders,
        default="upload",
        help="how Actions become codes; what is untouched since its import, and files to files, stay as they "
        "are (upload)",
    )


def _frame(text: str) -> float:
    value = float(text)
    if not -1_048_574 <= value <= 1_048_574:
        raise argparse.ArgumentTypeError(
            f"{text} is not between -1048574 and 1048574, as Blender's frames are"
        )
    return value


def _frames_per_second(text: str) -> float:
    value = float(text)
    if not 0.01 <= value <= 32767:
        raise argparse.ArgumentTypeError(f"{text} is not between 0.01 and 32767")
    return value

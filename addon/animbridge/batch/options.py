# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line of the batch."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .. import kinds
from ..package import LEVELS, AnimBridgeError
from . import retargeting

#: Targets for documents of every format.
_OF_ANY: Final = ("json", "blend")
_HELP_WIDTH: Final = 110
_USUAL_STOP_MM: Final = 20.0
_INPUTS: Final = """\
inputs: {extensions}, .json (AnimBridge documents) and .blend files; any other file is recognised by its
content. Folders are walked and their structure is kept under DIR, as is what lies below the fixed part of a
pattern. {containers} Of a .blend file every Action that plays on an armature becomes one file{exports}; it is
named after the file that it was imported from, or else after the Action. Outputs are written beside their
place and renamed: a failure leaves an older file as it was. Nothing is ever written over an input, outside
DIR, or into what is not a file.
"""
_EPILOG: Final = """\
DIR may be the folder of the inputs. Files there that have the extension of --to count as outputs: they are
not read, and they are replaced where an input has their name.

Ctrl-C and SIGTERM stop after the current file; the second time, at once. The report says what was done.

An input whose format cannot become the target is skipped.

exit codes: 0 nothing failed, 1 something failed (the others are done) or everything was skipped, 2 the
command line is wrong, 130 stopped by Ctrl-C, 143 stopped by SIGTERM
"""


@dataclass(frozen=True)
class Options:
    """The command line. `frames_per_second` None: the file's or the scene's own.

    `flags`: the values of all flags, those of the kinds included. `stop_above_mm`: 0 with --force.
    """

    inputs: tuple[str, ...]
    target: str
    out: Path
    report: Path | None
    frames_per_second: float | None
    frame_start: float
    as_stored: bool
    strict: bool
    level: str | None
    quiet: bool
    json_lines: bool
    flags: Mapping[str, Any]
    stop_above_mm: float
    retarget: retargeting.Retargeting


def targets() -> tuple[str, ...]:
    """The values of --to."""
    return (*kinds.targets(), *_OF_ANY)


def parse_options(arguments: Sequence[str], program: str) -> Options:
    """Reads the command line; raises SystemExit, with code 2 and a message if it is wrong, 0 after --help."""
    parser = _parser(program)
    given = parser.parse_args(list(arguments))
    if given.out.exists() and not given.out.is_dir():
        parser.error(f"--out {given.out} is a file; give a folder")
    try:
        retarget = retargeting.retargeting_of(given, force=given.force)
    except AnimBridgeError as fault:
        parser.error(fault.message)
    if given.to == "blend" and retarget.options is not None:
        parser.error(
            "--to blend keeps the input's own skeleton, so --retarget, --onto and their options don't go "
            "with it; use --to anim or --to bvh, or leave these options out"
        )
    return Options(
        inputs=tuple(given.inputs),
        target=given.to,
        out=given.out,
        report=given.report,
        frames_per_second=given.fps,
        frame_start=given.frame_start,
        as_stored=given.as_stored,
        strict=given.strict,
        level=given.level,
        quiet=given.quiet,
        json_lines=given.json_lines,
        flags=vars(given),
        stop_above_mm=0.0 if given.force else given.stop_above,
        retarget=retarget,
    )


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program,
        description="Converts animation files, many at once.",
        epilog=_epilog(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("inputs", nargs="+", metavar="INPUT", help="a file, a folder, or a pattern such as 'walks/**/*.anim'")
    add("--to", required=True, choices=targets(), help="the format of the outputs")
    add("--out", required=True, type=Path, metavar="DIR", help="the folder of the outputs; made if need be")
    add("--report", type=Path, metavar="FILE", help="write a JSON report with a row per output")
    add("--quiet", action="store_true", help="print only what failed or was skipped, and the summary")
    add(
        "--json-lines",
        action="store_true",
        help="print each row as a line of JSON as soon as it is done, instead of the table",
    )
    add(
        "--fps",
        type=_frames_per_second,
        metavar="N",
        help="frame rate of new .blend files, such as 29.97 (the file's own where it has one, else 24)",
    )
    add(
        "--frame-start",
        type=_frame,
        default=1.0,
        metavar="F",
        help="frame of second 0 in new .blend files (1)",
    )
    _add_stop_flags(parser)
    for kind in kinds.KINDS:
        if kind.add_flags is not None:
            kind.add_flags(parser)
    _add_document_flags(parser)
    retargeting.add_flags(parser)
    return parser


def _add_stop_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--stop-above",
        type=_millimetres,
        default=_USUAL_STOP_MM,
        metavar="MM",
        help="write no file of an Action if a joint or object is farther off than this (20; 0: never stop)",
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="write files of .blend files even if they are off by more than --stop-above, and retargeted "
        "ones even if under half of the arms, hands, legs and feet are found",
    )


def _add_document_flags(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--as-stored",
        action="store_true",
        help="write what the Second Life viewer would store after an upload",
    )
    add(
        "--strict",
        action="store_true",
        help="refuse BVH files that contradict themselves; without it, read as much as makes sense",
    )
    add(
        "--level",
        choices=LEVELS,
        help="which rules the outputs are checked by (upload for .anim, playback for the rest)",
    )


def _epilog() -> str:
    exports = [
        f", with {' and '.join(f'--to {target}' for target in kind.targets)} {kind.exports}"
        for kind in kinds.KINDS
        if kind.exports
    ]
    inputs = _INPUTS.format(
        extensions=", ".join(kinds.extensions()),
        containers=" ".join(kind.container.help for kind in kinds.KINDS if kind.container),
        exports="".join(exports),
    )
    return f"{textwrap.fill(inputs, _HELP_WIDTH)}\n\n{_EPILOG}"


def _frame(text: str) -> float:
    value = float(text)
    if not -1_048_574 <= value <= 1_048_574:
        raise argparse.ArgumentTypeError(
            f"{text} is not between -1048574 and 1048574, as Blender's frames are"
        )
    return value


def _millimetres(text: str) -> float:
    value = float(text)
    if not 0.0 <= value <= 1e30:
        raise argparse.ArgumentTypeError(f"{text} is not a number of millimetres from 0")
    return value


def _frames_per_second(text: str) -> float:
    value = float(text)
    if not 0.01 <= value <= 32767:
        raise argparse.ArgumentTypeError(f"{text} is not between 0.01 and 32767")
    return value

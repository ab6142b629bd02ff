# SPDX-License-Identifier: GPL-3.0-or-later
"""The batch's flags for motion onto another skeleton: those of `animbridge convert`."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from ..package import AnimBridgeError

#: {flag: (the library's option, the value that the switch sets, help)}
_SWITCHES: Final[dict[str, tuple[str, bool, str]]] = {
    "--no-align": ("align", False, "take the two reference poses as equal, even if bones point elsewhere"),
    "--in-place": ("in_place", True, "keep the body above its place; it still moves up and down"),
    "--from-origin": ("from_origin", True, "begin the body's path where the new skeleton rests"),
    "--on-ground": ("on_ground", True, "raise or lower the motion until its lowest foot touches the ground"),
    "--pin-feet": ("pin_feet", True, "hold the feet still while the input's feet stand"),
    "--keep-first-frame": (
        "keep_first_frame",
        True,
        "keep a first frame that is a T-pose or rest pose from which the motion jumps",
    ),
}
#: {flag: (the library's option, what it takes, help)}
_VALUES: Final[dict[str, tuple[str, str, str]]] = {
    "--reference": (
        "source_reference",
        "POSE",
        "automatic, rest, tpose or frame:N: the input's reference pose",
    ),
    "--target-reference": ("target_reference", "POSE", "automatic, rest or tpose: the new skeleton's"),
    "--root-scale": ("root_scale", "SCALE", "how much longer the body's path becomes (auto)"),
}
#: The flag of turns of single parts, and the library's option.
_OFFSET: Final = ("--offset", "offsets")
#: {flag: (the library's option, help)}; each takes the path of a rig file.
_RIGS: Final[dict[str, tuple[str, str]]] = {
    "--rig": ("source_rig", "a rig file that says what the inputs' joints are"),
    "--target-rig": ("target_rig", "a rig file that says what the joints of the new skeleton are"),
}


@dataclass(frozen=True)
class Retargeting:
    """How motion goes onto another skeleton.

    `options`: None: only where the input's joints are not those of the target's skeleton; False: never.
    `onto`: the file whose skeleton gets the motion; None: that of the target's format.
    """

    options: dict[str, Any] | Literal[False] | None = None
    onto: Path | None = None


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Adds the flags under a heading of their own."""
    group = parser.add_argument_group("onto another skeleton")
    group.add_argument(
        "--retarget",
        action="store_true",
        help="move the target's skeleton like the inputs', whatever their joints are called",
    )
    group.add_argument(
        "--no-retarget", action="store_true", help="never do so: convert the joints under their own names"
    )
    group.add_argument(
        "--onto",
        type=Path,
        metavar="FILE",
        help="a file whose skeleton gets the motion (the skeleton of the target's format)",
    )
    for flag, (name, value, text) in _SWITCHES.items():
        group.add_argument(flag, dest=_member(name), action="store_const", const=value, help=text)
    for flag, (name, value_name, text) in _VALUES.items():
        group.add_argument(flag, dest=_member(name), metavar=value_name, help=text)
    flag, name = _OFFSET
    group.add_argument(
        flag,
        dest=_member(name),
        type=_offset,
        action="append",
        metavar="SLOT=X,Y,Z",
        help="turns one part after everything else, in degrees about X, Y and Z; may be given again",
    )
    for flag, (name, text) in _RIGS.items():
        group.add_argument(flag, dest=_member(name), type=Path, metavar="FILE", help=text)


def retargeting_of(given: argparse.Namespace, *, force: bool) -> Retargeting:
    """What the flags say; an AnimBridgeError if a rig file cannot be read."""
    options: dict[str, Any] = {}
    for name, *_ in (*_SWITCHES.values(), *_VALUES.values()):
        value = getattr(given, _member(name))
        if value is not None:
            options[name] = value
    offsets = getattr(given, _member(_OFFSET[1]))
    if offsets:
        options[_OFFSET[1]] = dict(offsets)
    for name, _ in _RIGS.values():
        path = getattr(given, _member(name))
        if path is not None:
            options[name] = _text_of(path)
    is_asked = bool(options or given.retarget or given.onto)
    if given.no_retarget and is_asked:
        raise AnimBridgeError("--no-retarget contradicts --retarget, --onto and their options")
    if not is_asked:
        return Retargeting(False if given.no_retarget else None)
    return Retargeting({**options, "force": True} if force else options, given.onto)


def _offset(text: str) -> tuple[str, list[float]]:
    """The part and its angles."""
    slot, _, angles = text.rpartition("=")
    try:
        degrees = [float(angle) for angle in angles.split(",")]
    except ValueError:
        degrees = []
    if not slot or len(degrees) != 3:
        raise argparse.ArgumentTypeError(f"{text} is not a part and three angles, such as leftHand=0,0,15")
    return slot, degrees


def _member(name: str) -> str:
    return f"retarget_{name}"


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise AnimBridgeError(f"The rig file {path} cannot be read: {fault}") from fault

# SPDX-License-Identifier: MIT
"""Scene files (FBX, glTF, COLLADA and others) on armatures. Options are those that docs/options.md lists."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Final

from .curves import Armature, Curve, NativeCurves, Timing
from .document import Document, parse_object
from .job import Progress
from .library import call, take_bytes
from .motion import Options, curves_of, from_curves, from_samples, pack_options
from .samples import Samples

SCENE_FORMAT: Final = "scene"
#: The library shortens longer names where it shows them.
_LONGEST_SHOWN: Final = 255


def scene_skeleton(document: Document, options: Options | None = None) -> dict[str, Any]:
    """The joints at rest in armature space. `options`: animation, up, forward."""
    out = ctypes.c_void_p()
    call("ab_skeleton_json", None, document.pointer, pack_options(options), ctypes.byref(out))
    return parse_object(take_bytes(out))


def animation_names(document: Document) -> list[str | dict[str, str]]:
    """The names of a scene's animations, as its JSON has them; a name may be empty or occur twice."""
    return [row["name"] for row in document.info()["animations"]]


def animation_option(names: Sequence[str | dict[str, str]], index: int) -> str:
    """What the option "animation" is for one of a scene's animations: its number, or its name.

    A name goes before a number, so a number that is another animation's name will not do.
    """
    number, name = str(index + 1), names[index]
    if number not in names or names.index(number) == index:
        return number
    if isinstance(name, str) and len(name) <= _LONGEST_SHOWN and names.index(name) == index:
        return name
    return f"0{number}"


class SceneCurves(NativeCurves):
    """The curves that play one animation of a scene on an armature.

    `options`: animation, up, forward, match ("names" or "rig_map").
    """

    def __init__(
        self, document: Document, armature: Armature, timing: Timing, options: Options | None = None
    ) -> None:
        super().__init__(curves_of(document, armature, timing, options))


def document_from_curves(
    armature: Armature,
    timing: Timing,
    curves: Sequence[Curve],
    options: Options,
    progress: Progress | None = None,
) -> tuple[Document, dict[str, Any]]:
    """Curves of an armature to a scene file, and the report of what is in it and how exact it is.

    `options`: container, duration_seconds, and what else docs/options.md lists.
    """
    return from_curves(SCENE_FORMAT, armature, timing, curves, options, None, progress)


def document_from_samples(
    armature: Armature,
    timing: Timing,
    samples: Samples,
    options: Options,
    progress: Progress | None = None,
) -> tuple[Document, dict[str, Any]]:
    """Sampled poses to a scene file, and the report."""
    return from_samples(SCENE_FORMAT, armature, timing, samples, options, None, progress)

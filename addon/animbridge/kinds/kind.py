# SPDX-License-Identifier: GPL-3.0-or-later
"""A kind: everything that the add-on knows about one format.

A `Kind` can be imported without Blender, so that tests without it compare the table with the library's. The
other half, `InBlender`, is imported when it is first needed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..package import Document
from ..ui.menus import FileDrop, MenuEntry

if TYPE_CHECKING:
    import bpy

    from ..compat.actions import Channels
    from ..scene.export.result import ExportResult
    from ..scene.import_.options import AnimationResult
    from ..scene.playing import Playing
    from ..scene.source_files import SourceFile

NO_ACTION: Final = "no Action plays on an armature"


class BlendFiles(ABC):
    """How the batch converts files of a format to .blend files and back."""

    @abstractmethod
    def import_file(self, file: SourceFile, scene: bpy.types.Scene, frame_start: float) -> AnimationResult:
        """Lets a new armature or object play a file."""

    def frame_rate(self, document: Document) -> float | None:
        """The frames per second that the scene should have for the document; None if any will do."""
        return None

    def find_playing(self, *, imported: bool) -> list[Playing] | None:
        """What can be exported of the open file; None: Actions on armatures, which several kinds export.

        `imported`: only what came from a file of the format.
        """
        return None

    @abstractmethod
    def export(
        self, playing: Playing, target: str, flags: Mapping[str, Any], stop_above_mm: float
    ) -> ExportResult:
        """Makes a document of what plays; `flags` are those of the command line, by their names.

        An AnimBridgeError if the document is farther off than `stop_above_mm`; 0: never.
        """


def _nothing() -> None:
    """Attaches or detaches nothing, as in most kinds."""


@dataclass(frozen=True)
class InBlender:
    """What Blender shows and asks of a format.

    `classes` are registered in this order, and unregistered in reverse order. `attach` and `detach`: add
    properties to Blender's own types, and remove them. `size_of`: bytes of a file of the scene's frames, for
    a format that limits them.
    """

    classes: tuple[Any, ...]
    menu_entries: tuple[MenuEntry, ...]
    blend_files: BlendFiles
    drop: FileDrop | None = None
    attach: Callable[[], None] = _nothing
    detach: Callable[[], None] = _nothing
    size_of: Callable[[bpy.types.Object, Channels, bpy.types.Scene], int] | None = None


@dataclass(frozen=True)
class Part:
    """One of several documents in a file. `name` and `extension`: for a file with this document alone."""

    name: str
    extension: str
    read: Callable[[], Document]


@dataclass(frozen=True)
class Container:
    """A kind of files with any number of documents."""

    is_one: Callable[[Path], bool]
    parts: Callable[[Path], Sequence[Part]]


@dataclass(frozen=True)
class Kind:
    """A format, by its id in the library's table of formats.

    `extensions`: of files that are imported, with the dot. `targets`: values of the batch's --to.
    `exports_armatures`: the batch makes files of Actions on armatures; `nothing_to_export`: the message if a
    .blend file has nothing that it makes files of. `add_flags` adds the batch's flags for exports.
    """

    id: str
    extensions: tuple[str, ...]
    targets: tuple[str, ...]
    in_blender: Callable[[], InBlender]
    container: Container | None = None
    exports_armatures: bool = True
    nothing_to_export: str = NO_ACTION
    add_flags: Callable[[ArgumentParser], None] | None = None

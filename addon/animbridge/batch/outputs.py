# SPDX-License-Identifier: GPL-3.0-or-later
"""Decides where outputs may go."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from ..package import AnimBridgeError
from .inputs import file_type_of


class Outputs:
    """The outputs of one run: each path inside the output folder, used once, and never an input's."""

    def __init__(self, inputs: Iterable[Path], report: Path | None, out: Path) -> None:
        self._owners: dict[str, Path] = {}
        self._alike: dict[str, list[Path]] = {}
        self._inputs = {os.path.realpath(path) for path in inputs}
        self._out = out
        if report is not None:
            self._owners[os.path.realpath(report)] = Path("the report")

    def claim(self, output: Path, source: Path) -> None:
        """Reserves a path and makes its folder; an error says what has the path already."""
        place = os.path.realpath(output)
        root = os.path.realpath(self._out)
        if not Path(place).is_relative_to(root) or place == root:
            raise AnimBridgeError(
                f"{source} would be written to {place}, which is not in the folder {self._out}. "
                "Nothing is written outside the output folder."
            )
        owner = self._owner_of(place)
        if owner is not None:
            raise AnimBridgeError(
                f"{source} would be written to {output}, which already belongs to {owner}. "
                "Convert it into another folder."
            )
        if place in self._inputs:
            raise AnimBridgeError(
                f"{source} would be written to {output}, which is an input. "
                "Choose another folder for the outputs."
            )
        kind = file_type_of(Path(place)) if os.path.lexists(place) else ""
        if kind:
            raise AnimBridgeError(
                f"{source} would be written to {output}, but that is {kind}. "
                "Remove it, or choose another folder for the outputs."
            )
        output.parent.mkdir(parents=True, exist_ok=True)
        self._owners[place] = source
        self._alike.setdefault(place.casefold(), []).append(Path(place))

    def _owner_of(self, place: str) -> Path | None:
        """Who has the path, even if the file system makes no difference between a and A."""
        if place in self._owners:
            return self._owners[place]
        here = Path(place)
        for other in self._alike.get(place.casefold(), ()):
            if here.exists() and other.exists() and here.samefile(other):
                return self._owners[str(other)]
        return None

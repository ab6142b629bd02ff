# SPDX-License-Identifier: GPL-3.0-or-later
"""Which output may go where."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from ..native.errors import AnimBridgeError


class Outputs:
    """The outputs of one run: each place is given out once, and never an input's."""

    def __init__(self, inputs: Iterable[Path], report: Path | None) -> None:
        self._owners: dict[str, Path] = {}
        self._inputs = {os.path.realpath(path) for path in inputs}
        if report is not None:
            self._owners[os.path.realpath(report)] = Path("the report")

    def claim(self, output: Path, source: Path) -> None:
        """Reserves a place and makes its folder; an error says who has it already."""
        place = os.path.realpath(output)
        owner = self._owners.get(place)
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
        output.parent.mkdir(parents=True, exist_ok=True)
        self._owners[place] = source

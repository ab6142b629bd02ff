# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that only exports of recordings have, and the library's word for jointed hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ...scene.export.options import MotionOptions

#: What a recording becomes: bones whose joints hang on each other, rather than a bone for each pose.
HANDS: Final = "hands"


@dataclass(frozen=True)
class MrtkExportOptions(MotionOptions):
    """How motion becomes a recording. `markers`: those of the timeline in the exported frames.

    `rig_file`: the text of a rig file that says which bones are the hands; "": they are found.
    """

    rig_file: str = ""
    markers: bool = True

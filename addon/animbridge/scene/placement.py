# SPDX-License-Identifier: GPL-3.0-or-later
"""How the space of a file whose format defines no axes lies in the armature's."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ..package import AnimBridgeError


@dataclass(frozen=True)
class Placement:
    """The file's axes that become Blender's +Y (`forward`) and +Z (`up`); metres for a unit of the file.

    An export's `forward` may be "auto": where the character looks becomes the file's +Z.
    """

    forward: str = "-Z"
    up: str = "Y"
    scale: float = 1.0

    def members(self) -> dict[str, Any]:
        """The members of the library's options; an error if the two axes are parallel."""
        if self.forward[-1] == self.up[-1]:
            raise AnimBridgeError(
                f"The axes Forward ({self.forward}) and Up ({self.up}) lie on one line. Choose two different "
                "ones, such as -Z and Y."
            )
        return asdict(self)

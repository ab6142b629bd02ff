# SPDX-License-Identifier: MIT
"""AnimBridge: animation files of games and virtual worlds, without loss.

A binding of the library by ctypes, with numpy views and exceptions; the command (`python -m animbridge`); and
batches on many machines (`animbridge.farm`). Nothing here knows Blender. This module imports nothing.
"""

from typing import Final

__version__: Final = "0.3.0"
#: Of the C interface. An add-on and a package with the same number work together.
abi_version: Final = 4

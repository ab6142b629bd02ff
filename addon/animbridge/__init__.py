# SPDX-License-Identifier: GPL-3.0-or-later
"""AnimBridge: animation files of games and virtual worlds, without loss.

The add-on for Blender. The library's binding is a Python package of its own (package.py).
"""

from __future__ import annotations

bl_info = {
    "name": "AnimBridge",
    "author": "The AnimBridge contributors",
    "version": (0, 3, 0),
    "blender": (3, 4, 0),
    "location": "File > Import, File > Export",
    "description": "Second Life and OpenSim animations (.anim), in and out without loss",
    "category": "Import-Export",
}


def register() -> None:
    """Called by Blender when the add-on is enabled."""
    from . import requirements, restart

    try:
        requirements.check()
    except requirements.RestartNeededError as fault:
        restart.register(str(fault))
        return
    from . import registration

    registration.register()


def unregister() -> None:
    """Called by Blender when the add-on is disabled."""
    from . import restart

    if restart.unregister():
        return
    from . import registration

    registration.unregister()

# SPDX-License-Identifier: MIT
"""Converts animation files in a headless Blender, with the add-on of this checkout.

blender --background --python-exit-code 1 --python scripts/batch_convert.py -- INPUTS... --to FORMAT --out DIR
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from pathlib import Path
from typing import Any, Final

ADDON: Final = Path(__file__).resolve().parent.parent / "addon"
PROGRAM: Final = "blender --background --python scripts/batch_convert.py --"


def main() -> int:
    """Runs the batch with the arguments after "--"; the exit code."""
    arguments = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    has_blender = importlib.util.find_spec("bpy") is not None
    if has_blender:
        set_other_copies_aside()
    sys.path.insert(0, str(ADDON))
    try:
        addon = importlib.import_module("animbridge")
        if has_blender:
            addon.register()
    except ImportError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    if arguments[:1] == ["--planned"]:
        return importlib.import_module("animbridge.batch.planned").run(arguments, PROGRAM)
    return importlib.import_module("animbridge.batch.command").run(arguments, PROGRAM)


def set_other_copies_aside() -> None:
    """Disables, for this process alone, every other AnimBridge that the user's preferences enable.

    Nothing is saved, so the next Blender starts with them as before.
    """
    bpy: Any = importlib.import_module("bpy")
    addon_utils: Any = importlib.import_module("addon_utils")  # Blender as a Python module brings it along
    for module in [entry.module for entry in bpy.context.preferences.addons]:
        if module.rpartition(".")[2] == "animbridge" and addon_utils.check(module)[1]:
            addon_utils.disable(module, default_set=False)
    for name in [name for name in sys.modules if name.partition(".")[0] == "animbridge"]:
        del sys.modules[name]


def end(code: int) -> None:
    """Ends the process without Blender's farewell. Blender as a module gets no clean-up, for 4.5's hangs."""
    bpy: Any = sys.modules.get("bpy")
    if "animbridge.batch.chatter" in sys.modules and bpy is not None:
        importlib.import_module("animbridge.batch.chatter").silence()
    if bpy is None or bpy.app.binary_path:
        sys.exit(code)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    end(main())

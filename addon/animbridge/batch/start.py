# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts a batch in a Blender of its own, with this very copy of the add-on, whatever else is installed.

blender --background --python-exit-code 1 --python start.py -- INPUTS... --to FORMAT --out DIR

In a checkout, scripts/batch_convert.py is the way to it. A batch starts its processes in the same way, with
--planned first.
"""

from __future__ import annotations

import importlib
import os
import sys
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import Any, Final

PACKAGE: Final = Path(__file__).resolve().parent.parent
#: Not "animbridge", which is the Python package in the extension's wheel.
_NAME: Final = "animbridge_addon"


def main() -> int:
    """Runs the batch, or a part of one, with the arguments after "--"; the exit code."""
    arguments = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    try:
        set_other_copies_aside()
        sys.meta_path.append(_ThisCopy)
        importlib.import_module(f"{_NAME}.requirements").check()
        importlib.import_module(_NAME).register()
    except ImportError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    room = "planned" if arguments[:1] == ["--planned"] else "command"
    return importlib.import_module(f"{_NAME}.batch.{room}").run(arguments)


class _ThisCopy:
    """Finds the package of this file under a name of its own. Its folder may be one of many add-ons."""

    @staticmethod
    def find_spec(name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        """As importlib asks finders."""
        if name != _NAME:
            return None
        places = [str(PACKAGE)]
        return spec_from_file_location(name, PACKAGE / "__init__.py", submodule_search_locations=places)


def set_other_copies_aside() -> None:
    """Disables, for this process alone, every other AnimBridge that the user's preferences enable.

    Nothing is saved, so the next Blender starts with them as before.
    """
    bpy: Any = importlib.import_module("bpy")
    addon_utils: Any = importlib.import_module("addon_utils")  # Blender as a Python module brings it along
    for module in [entry.module for entry in bpy.context.preferences.addons]:
        if module.rpartition(".")[2] == "animbridge" and addon_utils.check(module)[1]:
            addon_utils.disable(module, default_set=False)


def end(code: int) -> None:
    """Ends the process. Blender as a module gets no clean-up, for 4.5's hangs."""
    bpy: Any = importlib.import_module("bpy")
    if bpy.app.binary_path:
        sys.exit(code)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    end(main())

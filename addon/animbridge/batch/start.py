# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts a batch in a Blender of its own, with this very copy of the add-on, whatever else is installed.

blender --background --python-exit-code 1 --python start.py -- INPUTS... --to FORMAT --out DIR

In a checkout, scripts/batch_convert.py is the way to it. A batch starts its processes in the same way, with
--planned first.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Final

PACKAGE: Final = Path(__file__).resolve().parent.parent
#: Not "animbridge", which is the Python package in the extension's wheel.
_NAME: Final = "animbridge_addon"


def main() -> int:
    """Runs the batch, or a part of one, with the arguments after "--"; the exit code."""
    arguments = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    try:
        set_other_copies_aside()
        addon = loaded()
        importlib.import_module(f"{_NAME}.requirements").check()
        addon.register()
    except ImportError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    room = "planned" if arguments[:1] == ["--planned"] else "command"
    return importlib.import_module(f"{_NAME}.batch.{room}").run(arguments)


def loaded() -> ModuleType:
    """The package of this file. Its folder may be one of many, so that is not put into the path."""
    spec = importlib.util.spec_from_file_location(
        _NAME, PACKAGE / "__init__.py", submodule_search_locations=[str(PACKAGE)]
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"{PACKAGE} is not a package")
    module = importlib.util.module_from_spec(spec)
    sys.modules[_NAME] = module
    spec.loader.exec_module(module)
    return module


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
    """Ends the process. Blender as a module gets no clean-up, for 4.5's hangs."""
    bpy: Any = sys.modules.get("bpy")
    if bpy is None or bpy.app.binary_path:
        sys.exit(code)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    end(main())

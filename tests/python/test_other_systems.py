# SPDX-License-Identifier: MIT
"""Python on Windows lacks modules and flags of this system: the add-on must load without them."""

from __future__ import annotations

import os
import subprocess
import sys

from material import ROOT

#: Takes away what Windows has not, imports every module that needs no Blender.
PROGRAM = """
import importlib.abc, os, sys
from pathlib import Path

MISSING = {"fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}

class WithoutPosix(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        caller = sys._getframe(1)
        while "importlib" in caller.f_code.co_filename:
            caller = caller.f_back
        if name in MISSING and "animbridge" in caller.f_code.co_filename:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

addon = Path(sys.argv[1])
import numpy, shutil, subprocess, tempfile, ctypes  # as Python's own code finds what it needs
for name in MISSING:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, WithoutPosix())
for flag in ("O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK"):
    delattr(os, flag)
import signal
del os.set_blocking, signal.siginterrupt
sys.path.insert(0, str(addon))
count = 0
package = addon / "animbridge" / "animbridge"  # a link
for path in sorted([*(addon / "animbridge").rglob("*.py"), *package.rglob("*.py")]):
    if path.name in ("__main__.py", "launcher.py"):
        continue
    parts = path.relative_to(addon).with_suffix("").parts
    try:
        importlib.import_module(".".join(parts).removesuffix(".__init__"))
        count += 1
    except ModuleNotFoundError as fault:
        if fault.name not in ("bpy", "mathutils", "bl_ui", "gpu", "bpy_extras", "rna_prop_ui", "addon_utils"):
            raise
assert count > 70, count
"""


def test_addon_loads_without_what_windows_lacks() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, ROOT / "addon"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 0, done.stderr

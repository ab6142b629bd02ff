# SPDX-License-Identifier: MIT
"""Python on Windows lacks modules and flags of this system: the add-on must load and run without them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from material import DEMO, ROOT

#: Takes away what Windows has not, imports every module that needs no Blender, and converts.
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

addon, inputs, out = map(Path, sys.argv[1:])
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
assert count > 80, count
from animbridge.batch.command import run
from animbridge.batch.temporary import TemporaryFolders
out.mkdir()
folders = TemporaryFolders()
with folders.beside(out / "x") as folder:
    TemporaryFolders().sweep(out)  # POSIX removes open files, so nothing is asked of it here
assert not list(out.iterdir())
sys.exit(run([str(inputs), "--to", "json", "--out", str(out)]))
"""


def test_addon_runs_without_what_windows_lacks(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, ROOT / "addon", DEMO, tmp_path / "out"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "out").rglob("*.json"))) == sum(path.is_file() for path in DEMO.rglob("*"))

# SPDX-License-Identifier: MIT
"""What a user types, run in a bare shell: no variable of the tests, a home folder of its own."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "fixtures" / "demo"
SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def command_lines(page: Path) -> list[str]:
    """The command lines of a page: those of its code blocks, then those within its text."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    spans = re.findall(
        r"`((?:scripts/|blender )[^`]* [^`]*)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    )
    return [line for line in (*lines, *spans) if line.startswith(("scripts/", "blender "))]


@dataclass(frozen=True)
class Shell:
    """Where a user types: `checkout` is the current folder."""

    checkout: Path
    home: Path

    def type(self, line: str, path: str = SYSTEM_PATH) -> str:
        """Runs a line and gives what it prints; it must succeed."""
        bare = {"HOME": str(self.home), "PATH": path, "LANG": "C.UTF-8"}
        done = subprocess.run(
            ["/bin/bash", "-c", line],
            cwd=self.checkout,
            env=bare,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="backslashreplace",
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, f"{line}\nexit code {done.returncode}\n{done.stdout}"
        return done.stdout

    def open_blends(self, folder: Path) -> int:
        """Opens every .blend file of a folder in a Blender without add-ons, and plays it; their number."""
        script = ROOT / "tests" / "readme" / "open_blends.py"
        said = self.type(
            "blender --background -noaudio --factory-startup --python-exit-code 1 "
            f"--python {script} -- {folder}"
        )
        counts = re.findall(r"^played (\d+) files$", said, re.MULTILINE)
        assert len(counts) == 1, said
        return int(counts[0])

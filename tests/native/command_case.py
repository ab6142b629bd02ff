# SPDX-License-Identifier: MIT
"""What tests of the animbridge command begin with."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARGUMENTS = argparse.Namespace()


def run(
    *arguments: str | Path, cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    command = [ARGUMENTS.command, *map(str, arguments)]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=cwd,
        env={**os.environ, **environment},
    )


class CommandCase(unittest.TestCase):
    #: The fixtures' folder of these tests.
    format_folder = "sl_anim"

    def setUp(self) -> None:
        self.fixtures = Path(ARGUMENTS.fixtures) / self.format_folder
        folder = tempfile.TemporaryDirectory(prefix="animbridge-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def expect(self, code: int, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        result = run(*arguments)
        self.assertEqual(result.returncode, code, f"{arguments}: {result.stdout}{result.stderr}")
        # Reports go to one stream, complaints to the other.
        if code == 0:
            self.assertEqual(result.stderr, "")
        return result

    def report(self, code: int, *arguments: str | Path) -> dict:
        return json.loads(self.expect(code, *arguments, "--json").stdout)

    def complaint(self, code: int, *arguments: str | Path) -> str:
        result = self.expect(code, *arguments)
        self.assertEqual(result.stdout, "")
        return result.stderr


def main() -> None:
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    parser.add_argument("--command", required=True)
    parser.add_argument("--fixtures", required=True)
    parser.parse_args(namespace=ARGUMENTS)
    ARGUMENTS.command = str(Path(ARGUMENTS.command).resolve())
    ARGUMENTS.fixtures = str(Path(ARGUMENTS.fixtures).resolve())
    unittest.main(argv=sys.argv[:1], verbosity=2)

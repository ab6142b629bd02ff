#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the built library is from outside: its symbols are its header's, it asks for glibc alone."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import unittest
from pathlib import Path

ARGUMENTS = argparse.Namespace()
# The C library and the loader; the C++ runtime comes inside.
GLIBC = re.compile(r"^(libc|libm|ld-linux[-.\w]*|libpthread|libdl|librt)\.so\.\d+$")


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def dynamic(tag: str) -> list[str]:
    lines = output("readelf", "--wide", "--dynamic", ARGUMENTS.library).splitlines()
    return [re.search(r"\[(.*)\]", line)[1] for line in lines if f"({tag})" in line]  # type: ignore[index]


class LibraryFile(unittest.TestCase):
    def test_symbols_are_those_of_the_header(self) -> None:
        header = re.sub(r"/\*.*?\*/", "", Path(ARGUMENTS.header).read_text(encoding="utf-8"), flags=re.DOTALL)
        declared = set(re.findall(r"^AB_API\b[^;(]*?\b(ab_\w+)\(", header, flags=re.MULTILINE))
        self.assertGreater(len(declared), 20)
        lines = output("nm", "--dynamic", "--defined-only", "--format=posix", ARGUMENTS.library).splitlines()
        exported = {line.split()[0].split("@")[0] for line in lines}
        self.assertEqual(exported - declared, set(), "exported, but not in the header")
        self.assertEqual(declared - exported, set(), "in the header, but not exported")

    def test_soname(self) -> None:
        self.assertEqual(dynamic("SONAME"), ["libanimbridge.so.0"])

    def test_needs_glibc_alone(self) -> None:
        if ARGUMENTS.sanitize:
            self.skipTest("a sanitizer's runtime comes besides")
        needed = dynamic("NEEDED")
        self.assertIn("libc.so.6", needed)
        self.assertEqual([name for name in needed if not GLIBC.match(name)], [])

    def test_no_stack_is_executable_and_no_text_is_written(self) -> None:
        self.assertNotIn("TEXTREL", output("readelf", "--wide", "--dynamic", ARGUMENTS.library))
        for line in output("readelf", "--wide", "--program-headers", ARGUMENTS.library).splitlines():
            if "GNU_STACK" in line:
                self.assertNotIn("E", line.split()[6])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", required=True)
    parser.add_argument("--header", required=True)
    parser.add_argument("--sanitize", default="")
    parser.parse_args(namespace=ARGUMENTS)
    unittest.main(argv=sys.argv[:1], verbosity=2)


if __name__ == "__main__":
    main()

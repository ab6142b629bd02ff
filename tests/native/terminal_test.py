#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Text of files gives a terminal no orders: hostile words in every place of every format."""

from __future__ import annotations

import copy
import json
import re
import subprocess
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import command_case
from command_case import CommandCase, main

#: Colours, a second way to begin a sequence, backspaces, a bell, turned writing, and an end of the line.
WORD = "a\x1b[31m\x9b2J\x08\x07\x7f\u202e\u2066\u200f\u061c\u0085"
LINES = WORD + "\u2028\r\nFAKE"


def orders_in(text: str) -> list[str]:
    """What a terminal would obey: controls other than the end of a line, and what turns the direction."""
    turning = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    return [
        repr(c)
        for c in text
        if (unicodedata.category(c) in {"Cc", "Zl", "Zp"} and c != "\n")
        or unicodedata.bidirectional(c) in turning
        or c in "\u200e\u200f\u061c"
    ]


def with_text(value: object, text: str) -> Iterator[object]:
    """The JSON with one string, or one name of a member, in its place."""
    if isinstance(value, str):
        yield text
    elif isinstance(value, list):
        for i, item in enumerate(value[:6]):
            for changed in with_text(item, text):
                yield [*value[:i], changed, *value[i + 1 :]]
    elif isinstance(value, dict):
        for key, item in value.items():
            for changed in with_text(item, text):
                yield {**value, key: changed}
        first = next(iter(value), None)
        if first is not None:
            yield {(text if key == first else key): item for key, item in value.items()}
            yield {**copy.copy(value), text: 1}


class Terminal(CommandCase):
    def setUp(self) -> None:
        super().setUp()
        self.roots = self.fixtures.parent
        self.tried = 0

    def give(self, *arguments: str | Path) -> int:
        command = [command_case.ARGUMENTS.command, *map(str, arguments)]
        result = subprocess.run(command, capture_output=True, timeout=60, check=False, cwd=self.folder)
        self.assertIn(result.returncode, (0, 1, 2, 3), arguments)
        for stream in (result.stdout, result.stderr):
            text = stream.decode("utf-8")  # strictly
            self.assertEqual(orders_in(text), [], (arguments, text))
            self.assertNotIn("FAKE", [line[:4] for line in text.splitlines()], (arguments, text))
        self.tried += 1
        return result.returncode

    def give_to_all(self, file: Path) -> None:
        self.give("info", file)
        self.give("info", file, "--strict")
        self.give("check", file)
        self.give("compare", file, file)
        self.give("compare", file, self.roots / "sl_anim" / "minimal.anim")
        self.give("pose", file, "0")
        self.give("reduce", file, "out.anim")
        for extension in ("json", "anim", "bvh", "oni"):
            self.give("convert", file, f"out.{extension}")
        self.give("oban", "list", file)
        self.give("oban", "extract", file, "--out", "out", "--as", "raw")
        self.give("oban", "replace", file, "swing", file, "--out", "out.dat")
        self.give("oban", "pack", "level1_A.dat", file)

    def json_of(self, file: Path) -> dict:
        self.assertEqual(self.give("convert", file, "source.json"), 0)
        return json.loads((self.folder / "source.json").read_text("utf-8"))

    def test_every_text_of_every_format_as_json(self) -> None:
        changed = self.folder / "changed.json"
        for file, native in (
            ("sl_anim/minimal.anim", "anim"),
            ("sl_anim/constraint_volume_tail.anim", "anim"),
            ("bvh/dialects/brace_on_line.bvh", "bvh"),
            ("oban/swing.oban", "oni"),
            ("oban/level_pc.dat", "dat"),
        ):
            source = self.json_of(self.roots / file)
            for text in (WORD, LINES):
                for document in with_text(source, text):
                    changed.write_text(json.dumps(document), encoding="utf-8")
                    self.give("info", changed)
                    self.give("check", changed)
                    out = self.folder / f"native.{native}"
                    if self.give("convert", changed, out) == 0:
                        self.give_to_all(out)
        self.assertGreater(self.tried, 500)

    def test_every_word_of_a_bvh(self) -> None:
        text = (self.roots / "bvh" / "dialects" / "brace_on_line.bvh").read_text("utf-8")
        words = list(re.finditer(r"\S+", text))
        file = self.folder / "x.bvh"
        for word in words[:60]:
            for hostile in (WORD, word.group() + WORD):
                file.write_text(text[: word.start()] + hostile + text[word.end() :], encoding="utf-8")
                for mode in ([], ["--strict"]):
                    self.give("info", file, *mode)
                    self.give("convert", file, "x.anim", *mode)
                    self.give("convert", file, "y.bvh", *mode)
                self.give("check", file)
                self.give("compare", file, file)
                self.give("pose", file, "0")

    def test_every_word_of_an_xml(self) -> None:
        self.assertEqual(self.give("convert", self.roots / "oban" / "swing.oban", "x.xml"), 0)
        file = self.folder / "x.xml"
        text = file.read_text("utf-8")
        for word in list(re.finditer(r"[^\s<>\"=/]+", text))[:60]:
            for hostile in (WORD, "&#x9b;&#x7f;&#x202e;"):
                file.write_text(text[: word.start()] + hostile + text[word.end() :], encoding="utf-8")
                self.give("info", file)
                self.give("check", file)
                self.give("convert", file, "x.oni")

    def test_names_in_a_level_and_in_an_anim(self) -> None:
        """Bytes in the place of others, where no JSON could write them."""
        for name, old in (
            ("sl_anim/minimal.anim", b"mChest"),
            ("oban/level_pc.dat", b"OBANswing"),
            ("oban/level_pc.dat", b"Door_A"),
        ):
            data = (self.roots / name).read_bytes()
            for hostile in (b"\x1b[31m\x07\xff", "\x9b2J\u202e".encode(), b"\n\rFAKE"):
                new = (
                    (hostile + old)[: len(old)]
                    if old[:4] != b"OBAN"
                    else (b"OBAN" + hostile)[:9].ljust(9, b"x")
                )
                if old not in data:
                    self.fail(f"{name} has no {old!r}")
                file = self.folder / ("x" + Path(name).suffix)
                file.write_bytes(data.replace(old, new))
                self.give_to_all(file)

    def test_names_of_files_and_options(self) -> None:
        for source in (
            "sl_anim/minimal.anim",
            "oban/swing.oban",
            "oban/level_pc.dat",
            "bvh/dialects/brace_on_line.bvh",
        ):
            path = self.roots / source
            file = self.folder / (LINES + path.suffix)
            file.write_bytes(path.read_bytes())
            self.give_to_all(file)
            cut = self.folder / ("cut" + LINES + path.suffix)
            cut.write_bytes(path.read_bytes()[:30])
            self.give_to_all(cut)
        anim = self.roots / "sl_anim" / "minimal.anim"
        level = self.roots / "oban" / "level_pc.dat"
        bvh = self.roots / "bvh" / "dialects" / "brace_on_line.bvh"
        ini = self.folder / "x.ini"
        ini.write_text(f"[GLOBALS]\nemote={WORD}\npriority={WORD}\n", encoding="utf-8")
        for arguments in (
            [WORD],
            ["info", anim, LINES],
            ["info", LINES],
            ["info", anim, f"--{WORD}"],
            ["check", anim, "--level", LINES],
            ["compare", anim, anim, "--mm", LINES],
            ["convert", anim, f"x.{WORD}"],
            ["convert", anim, f"{LINES}.oni"],
            ["convert", anim, "x.anim", "--edit", json.dumps({LINES: 1})],
            ["convert", anim, "x.anim", "--edit", json.dumps({"joint_priorities": {LINES: 1}})],
            ["convert", anim, "x.anim", "--edit", json.dumps({"hand_pose": LINES})],
            ["convert", bvh, "x.anim", "--joint-priority", f"{LINES}=3"],
            ["convert", bvh, "x.anim", "--emote", LINES],
            ["convert", bvh, "x.anim", "--anim-ini", ini],
            ["convert", bvh, "x.anim", "--anim-ini", LINES],
            ["convert", level, "x.oni", "--oban", LINES],
            ["oban", "extract", level, LINES, "--out", "out"],
            ["oban", "extract", level, "swing", "--out", LINES],
            ["oban", "replace", level, LINES, self.roots / "oban" / "swing.oban", "--out", "o.dat"],
            ["oban", "pack", f"{WORD}.dat", self.roots / "oban" / "swing.oban"],
            ["oban", "pack", "level1_B.dat", self.folder / (LINES + ".oban")],
            ["manual", LINES],
        ):
            with self.subTest(arguments=arguments):
                self.give(*arguments)

    def test_the_line_to_type_again_is_the_same_json(self) -> None:
        """What convert says to give back to a .anim has escapes of its own, and still means the same."""
        source = self.json_of(self.roots / "sl_anim" / "minimal.anim")
        source["emote_name"] = WORD
        (self.folder / "x.json").write_text(json.dumps(source), encoding="utf-8")
        self.assertEqual(self.give("convert", "x.json", "x.anim"), 0)
        report = self.report(0, "convert", self.folder / "x.anim", self.folder / "x.bvh")
        self.assertEqual(report["give_back"]["emote_name"], WORD)
        text = self.expect(0, "convert", self.folder / "x.anim", self.folder / "x.bvh").stdout
        again = re.search(r"--edit '(\{.*\})'", text)
        self.assertIsNotNone(again)
        self.assertEqual(json.loads(again.group(1)), report["give_back"])  # type: ignore[union-attr]


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`animbridge oban`: levels listed, taken apart and made, against what the witness made of the same."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

from command_case import CommandCase, main


class Levels(CommandCase):
    format_folder = "oban"

    def setUp(self) -> None:
        super().setUp()
        self.manifest = json.loads((self.fixtures / "manifest.json").read_text(encoding="utf-8"))

    def test_a_level_is_listed(self) -> None:
        report = self.report(0, "oban", "list", self.fixtures / "level_mixed.dat")
        self.assertEqual([oban["name"] for oban in report["obans"]], ["gate", "elsewhere", "", "camera"])
        self.assertEqual([oban["placeholder"] for oban in report["obans"]], [False, True, False, False])
        text = self.expect(0, "oban", "list", self.fixtures / "level_mixed.dat").stdout
        self.assertIn("gate", text)
        self.assertIn("#3", text)
        self.assertIn("placeholder", text)
        self.assertEqual(text, self.expect(0, "info", self.fixtures / "level_mixed.dat").stdout)

    def test_replacements_are_those_of_the_witness(self) -> None:
        out = self.folder / "out.dat"
        for row in self.manifest["replacements"]:
            with self.subTest(**row):
                arguments = (self.fixtures / row["file"], row["name"], self.fixtures / row["with"])
                self.expect(0, "oban", "replace", *arguments, "--out", out)
                self.assertEqual(out.read_bytes(), (self.fixtures / row["gives"]).read_bytes())

    def test_what_cannot_be_replaced_leaves_the_output_alone(self) -> None:
        out = self.folder / "out.dat"
        out.write_bytes(b"mine")
        for name in ("elsewhere", "nobody"):
            arguments = (self.fixtures / "level_mixed.dat", name, self.fixtures / "swing.oban")
            self.assertIn(name, self.complaint(2, "oban", "replace", *arguments, "--out", out))
        wrong = (self.fixtures / "swing.oban", "swing", self.fixtures / "swing.oban")
        self.complaint(2, "oban", "replace", *wrong, "--out", out)
        self.assertEqual(out.read_bytes(), b"mine")

    def test_packages_are_those_of_the_witness(self) -> None:
        for row in self.manifest["packages"]:
            with self.subTest(row=row):
                folder = Path(tempfile.mkdtemp(dir=self.folder))
                inputs = [
                    shutil.copy(self.fixtures / record["file"], folder / f"{record['name']}.oban")
                    for record in row["records"]
                ]
                flags = ["--mac"] if row["platform"] == "mac" else []
                self.expect(0, "oban", "pack", folder / f"{row['base_name']}.dat", *inputs, *flags)
                written = {path.name for path in folder.iterdir()} - {Path(i).name for i in inputs}
                self.assertEqual(written, {Path(file).name for file in row["gives"]})
                for file in row["gives"]:
                    self.assertEqual(
                        (folder / Path(file).name).read_bytes(), (self.fixtures / file).read_bytes()
                    )

    def test_a_package_with_sounds_is_not_written_over(self) -> None:
        (self.folder / "level1_A.raw").write_bytes(b"sounds")
        dat = self.folder / "level1_A.dat"
        self.assertIn("level1_A.raw", self.complaint(2, "oban", "pack", dat, self.fixtures / "swing.oban"))
        self.assertFalse(dat.exists())
        self.complaint(2, "oban", "pack", self.folder / "level1_A.oni", self.fixtures / "swing.oban")

    def test_extracted_files_make_the_level_again(self) -> None:
        level = self.fixtures / "package_pc" / "level7_Final.dat"
        for kind in ("oni", "xml", "raw", "json"):
            with self.subTest(kind=kind):
                folder = self.folder / "made" / kind
                report = self.report(0, "oban", "extract", level, "--out", folder, "--as", kind)
                files = [file["output"] for file in report["files"]]
                self.assertEqual(sorted(files), sorted(map(str, folder.iterdir())))
                again = self.folder / kind / "level7_Final.dat"
                again.parent.mkdir()
                self.expect(0, "oban", "pack", again, *files)
                self.assertEqual(again.read_bytes(), level.read_bytes())

    def test_one_is_extracted_by_name(self) -> None:
        level = self.fixtures / "level_pc.dat"
        self.expect(0, "oban", "extract", level, "swing", "--out", self.folder)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["OBANswing.oni"])
        self.expect(0, "convert", level, self.folder / "by.oni", "--oban", "swing")
        complaint = self.complaint(2, "convert", level, self.folder / "x.oni")
        self.assertIn("Door_A, swing", complaint)
        self.assertIn("Door_A", self.complaint(2, "oban", "extract", level, "no", "--out", self.folder))

    def test_a_group_without_a_command_is_wrong_usage(self) -> None:
        self.expect(2, "oban")
        self.expect(2, "oban", "extract", self.fixtures / "level_pc.dat")
        self.assertIn("oban extract", self.expect(0, "manual", "man").stdout)


if __name__ == "__main__":
    main()

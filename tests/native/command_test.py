#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The animbridge command as a user meets it: exit codes, messages, reports, files."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from command_case import CommandCase, main, run


class Usage(CommandCase):
    def test_no_command_is_wrong_usage(self) -> None:
        self.expect(2)

    def test_unknown_things_are_wrong_usage(self) -> None:
        file = self.fixtures / "minimal.anim"
        for arguments in (
            ["frobnicate"],
            ["info"],
            ["info", file, "--wrong"],
            ["check", file, "--level", "lenient"],
            ["check", file, "--fail-on", "nothing"],
            ["compare", file],
            ["compare", file, file, file],
            ["pose", file],
            ["pose", file, "soon"],
            ["convert", file],
            ["info", file, "--format", "fbx"],
            ["manual", "html"],
        ):
            with self.subTest(arguments=arguments):
                result = run(*arguments)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertNotEqual(result.stderr, "")

    def test_help_and_version(self) -> None:
        self.assertRegex(self.expect(0, "--version").stdout, r"^animbridge \d+\.\d+\.\d+\n$")
        for command in ("formats", "info", "check", "convert", "compare", "reduce", "pose", "manual"):
            self.assertIn(command, self.expect(0, "--help").stdout)
            self.assertIn("--help", self.expect(0, command, "--help").stdout)


class Errors(CommandCase):
    def test_messages_name_file_place_field_found_and_allowed(self) -> None:
        for name, text in {
            "count_rotations_minus_1.anim": "byte 52: joints[0].num_rot_keys: found -1, allowed is 0 or more",
            "cut_in_emote_name.anim": "byte 12: emote_name: ",
            "cut_in_duration.anim": "byte 8: duration: ",
            "version_2_0.anim": "byte 0: version: ",
            "count_joints_max.anim": "byte 37: num_joints: 4294967295 joints are announced, but the ",
        }.items():
            path = self.fixtures / name
            with self.subTest(name=name):
                message = self.complaint(1, "info", path)
                self.assertTrue(message.startswith(f"animbridge: {path}: {text}"), message)
                self.assertEqual(message.count("\n"), 1)

    def test_missing_and_unreadable_files(self) -> None:
        path = self.folder / "missing.anim"
        expected = f"animbridge: {path}: cannot open: No such file or directory\n"
        self.assertEqual(self.complaint(1, "info", path), expected)
        expected = f"animbridge: {self.folder}: cannot read: Is a directory\n"
        self.assertEqual(self.complaint(1, "info", self.folder), expected)

    def test_other_programs_files(self) -> None:
        for content, hint in ((b"%YAML 1.1\n", "Unity"), (b"animVersion 1.1;\n", "Maya"), (b"", "empty")):
            path = self.folder / "other.anim"
            path.write_bytes(content)
            message = self.complaint(1, "info", path)
            self.assertIn(str(path), message)
            self.assertIn(hint, message)

    def test_broken_json(self) -> None:
        path = self.folder / "x.json"
        path.write_text('{"format": "sl_anim",', encoding="utf-8")
        self.assertIn("not JSON", self.complaint(1, "info", path))
        path.write_text('{"format": "sl_anim"}', encoding="utf-8")
        self.assertIn("version: is missing", self.complaint(1, "info", path))


class Reports(CommandCase):
    def test_every_report_is_json(self) -> None:
        file = self.fixtures / "loop_with_outro.anim"
        self.assertEqual(self.report(0, "formats")["formats"][0]["id"], "sl_anim")
        self.assertTrue(self.report(0, "info", file))
        self.assertEqual(len(self.report(0, "check", file, "--fail-on", "never")["files"]), 1)
        self.assertEqual(self.report(0, "compare", file, file)["max_rotation_degrees"], 0)
        self.assertTrue(self.report(0, "pose", file, "0", "0.5"))
        report = self.report(0, "convert", file, self.folder / "x.json")
        self.assertEqual(report["bytes_in"], file.stat().st_size)
        self.assertEqual(report["bytes_out"], (self.folder / "x.json").stat().st_size)

    def test_text_for_people_has_no_escape_codes_in_a_pipe(self) -> None:
        file = self.fixtures / "base_priority_100.anim"
        for arguments in (
            ["formats"],
            ["info", file],
            ["check", file],
            ["compare", file, file],
            ["pose", file, "0"],
        ):
            with self.subTest(arguments=arguments):
                result = run(*arguments)
                self.assertNotIn("\x1b", result.stdout + result.stderr)
                self.assertGreater(len(result.stdout), 10)

    def test_check_prints_what_the_manifest_names(self) -> None:
        rows = json.loads((self.fixtures / "manifest.json").read_text(encoding="utf-8"))
        readable = {row["file"]: row for row in rows if row["read"] == "ok"}
        for level in ("playback", "upload", "strict"):
            files = [self.fixtures / name for name in readable]
            result = run("check", *files, "--level", level, "--fail-on", "never", "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            for row in json.loads(result.stdout)["files"]:
                expected = readable[Path(row["file"]).name]["findings"][level]
                self.assertEqual({one["id"] for one in row["findings"]}, set(expected), row["file"])


class Check(CommandCase):
    def test_exit_code_follows_the_class(self) -> None:
        rejected = self.fixtures / "hand_pose_max.anim"
        altered = self.fixtures / "base_priority_100.anim"
        clean = self.fixtures / "base_priority_6.anim"
        order = ("rejected", "altered", "risky", "advice")
        for file, worst in ((rejected, "rejected"), (altered, "altered")):
            classes = {one["class"] for one in self.report(1, "check", file)["files"][0]["findings"]}
            self.assertEqual(min(classes, key=order.index), worst)
        for name, file, code in (
            ("rejected", rejected, 1),
            ("rejected", altered, 0),
            ("altered", altered, 1),
            ("risky", altered, 1),
            ("never", rejected, 0),
            ("advice", clean, 0),
        ):
            with self.subTest(fail_on=name, file=file.name):
                self.expect(code, "check", file, "--fail-on", name)

    def test_one_bad_file_does_not_hide_the_others(self) -> None:
        broken = self.fixtures / "cut_in_keys.anim"
        clean = self.fixtures / "base_priority_6.anim"
        result = run("check", broken, clean, "--json")
        self.assertEqual(result.returncode, 1)
        rows = json.loads(result.stdout)["files"]
        self.assertIn("error", rows[0])
        self.assertEqual(rows[1]["findings"], [])
        self.assertIn(str(broken), result.stderr)


class Convert(CommandCase):
    def test_there_and_back(self) -> None:
        for name in (
            "minimal.anim",
            "constraint_volume_tail.anim",
            "emote_not_utf8.anim",
            "legacy_normal.anim",
        ):
            source = self.fixtures / name
            self.expect(0, "convert", source, self.folder / "a.json")
            self.expect(0, "convert", self.folder / "a.json", self.folder / "b.anim")
            self.expect(0, "convert", source, self.folder / "c.anim")
            self.assertEqual((self.folder / "b.anim").read_bytes(), source.read_bytes(), name)
            self.assertEqual((self.folder / "c.anim").read_bytes(), source.read_bytes(), name)

    def test_as_stored(self) -> None:
        source = self.fixtures / "base_priority_100.anim"
        self.expect(0, "convert", source, self.folder / "a.anim", "--as-stored")
        self.assertEqual((self.folder / "a.anim").read_bytes()[4:8], b"\x06\0\0\0")

    def test_edit(self) -> None:
        """The base priority stands at bytes 4 to 7 and nothing else changes."""
        source = self.fixtures / "minimal.anim"
        before = source.read_bytes()
        self.expect(0, "convert", source, self.folder / "a.anim", "--edit", '{"base_priority": 5}')
        self.assertEqual((self.folder / "a.anim").read_bytes(), before[:4] + b"\x05\0\0\0" + before[8:])
        for edits, word in (('{"priority": 5}', "base_priority"), ("{", "--edit"), ("[]", "an object")):
            told = self.complaint(2, "convert", source, self.folder / "b.anim", "--edit", edits)
            self.assertIn(word, told)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["a.anim"])

    def test_a_failure_leaves_the_output_as_it_was(self) -> None:
        output = self.folder / "out.anim"
        output.write_bytes(b"old")
        for source, code, *options in (
            ("cut_in_keys.anim", 1),
            ("version_2_0.anim", 1),
            ("missing.anim", 1),
            ("hand_pose_max.anim", 1, "--as-stored"),
        ):
            self.complaint(code, "convert", self.fixtures / source, output, *options)
            self.assertEqual(output.read_bytes(), b"old")
            self.assertEqual([path.name for path in self.folder.iterdir()], ["out.anim"])
        self.complaint(2, "convert", self.fixtures / "minimal.anim", self.folder / "out.fbx")
        self.complaint(1, "convert", self.fixtures / "minimal.anim", self.folder / "no" / "out.anim")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["out.anim"])

    def test_a_file_onto_itself(self) -> None:
        path = self.folder / "a.anim"
        shutil.copyfile(self.fixtures / "minimal.anim", path)
        self.expect(0, "convert", path, path)
        self.assertEqual(path.read_bytes(), (self.fixtures / "minimal.anim").read_bytes())


class Compare(CommandCase):
    def test_tolerances(self) -> None:
        a = self.fixtures / "rotation_half_turn.anim"
        b = self.fixtures / "minimal.anim"
        self.expect(0, "compare", a, a)
        self.expect(1, "compare", a, b)
        self.assertIn(
            "hand_pose_unknown", self.complaint(1, "compare", a, self.fixtures / "hand_pose_max.anim")
        )

    def test_within_and_beyond(self) -> None:
        # The torso a quarter of a degree off: an edit of the JSON that the command wrote.
        source = self.fixtures / "rotation_half_turn.anim"
        self.expect(0, "convert", source, self.folder / "a.json")
        document = json.loads((self.folder / "a.json").read_text(encoding="utf-8"))
        joint = next(joint for joint in document["joints"] if joint["rotation_keys"])
        for key in joint["rotation_keys"]:
            key[1] = key[1] + 50 if key[1] < 32768 else key[1] - 50
        (self.folder / "b.json").write_text(json.dumps(document), encoding="utf-8")
        self.expect(1, "compare", source, self.folder / "b.json")
        self.expect(0, "compare", source, self.folder / "b.json", "--degrees", "170", "--mm", "5000")
        self.expect(1, "compare", source, self.folder / "b.json", "--degrees", "170")


class Reduce(CommandCase):
    def setUp(self) -> None:
        super().setUp()
        self.source = self.fixtures.parent / "demo" / "dance.anim"
        self.output = self.folder / "out.anim"

    def test_within_the_bound(self) -> None:
        report = self.report(0, "reduce", self.source, self.output)
        self.assertEqual(report["bytes_before"], self.source.stat().st_size)
        self.assertEqual(report["bytes_after"], self.output.stat().st_size)
        self.assertLess(report["keys_after"], report["keys_before"])
        self.assertEqual(report["bound"], {"max_position_mm": 0.5, "max_rotation_degrees": 0.05})
        self.expect(0, "compare", self.source, self.output, "--mm", "0.5", "--degrees", "0.05")
        coarse = self.folder / "coarse.anim"
        said = self.expect(
            0, "reduce", self.source, coarse, "--position-mm", "5", "--rotation-degrees", "0.5"
        ).stdout
        self.assertIn("bound: 5.0000 mm, 0.5000 degrees", said)
        self.assertLess(coarse.stat().st_size, self.output.stat().st_size)
        self.expect(0, "compare", self.source, coarse, "--mm", "5", "--degrees", "0.5")

    def test_another_format_is_not_what_the_name_says(self) -> None:
        """There is one format that it writes, and no other name for it."""
        for extension in ("bvh", "json", "oni", "XML"):
            output = self.folder / f"out.{extension}"
            self.assertIn("allowed is a .anim", self.complaint(2, "reduce", self.source, output))
            self.assertFalse(output.exists())
        self.expect(0, "reduce", self.source, self.folder / "out")

    def test_fit(self) -> None:
        report = self.report(0, "reduce", self.source, self.output, "--fit", "3000")
        self.assertLessEqual(self.output.stat().st_size, 3000)
        bound = report["bound"]
        mm, degrees = (str(bound[name]) for name in ("max_position_mm", "max_rotation_degrees"))
        self.expect(0, "compare", self.source, self.output, "--mm", mm, "--degrees", degrees)
        self.report(0, "reduce", self.source, self.output, "--fit", "250000")
        self.assertEqual(self.output.read_bytes(), self.source.read_bytes())

    def test_a_failure_leaves_the_output_as_it_was(self) -> None:
        self.output.write_bytes(b"old")
        said = self.complaint(1, "reduce", self.source, self.output, "--fit", "300")
        self.assertIn("one key per track", said)
        self.complaint(1, "reduce", self.fixtures / "hand_pose_max.anim", self.output)
        self.complaint(1, "reduce", self.fixtures / "cut_in_keys.anim", self.output)
        for wrong in ("0", "-1", "nan", "x"):
            self.expect(2, "reduce", self.source, self.output, "--position-mm", wrong)
        self.assertEqual(self.output.read_bytes(), b"old")


class Pose(CommandCase):
    def test_times_must_be_numbers(self) -> None:
        file = self.fixtures / "minimal.anim"
        for time in ("nan", "inf", "-inf"):
            result = run("pose", file, "--", time)
            self.assertEqual(result.returncode, 2, result.stdout)

    def test_a_file_that_is_refused_has_no_pose(self) -> None:
        self.assertIn(
            "hand_pose_unknown", self.complaint(1, "pose", self.fixtures / "hand_pose_max.anim", "0")
        )


if __name__ == "__main__":
    main()

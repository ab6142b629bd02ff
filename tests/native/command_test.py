#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The animbridge command as a user meets it: exit codes, messages, reports, files."""

from __future__ import annotations

import json
import re
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
            "cut_in_emote_name.anim": "the file is cut off at byte 16: byte 12: emote_name: ",
            "cut_in_duration.anim": "the file is cut off at byte 10: byte 8: duration: needs 4 ",
            "version_2_0.anim": "byte 0: version: ",
            "count_joints_max.anim": "the file is cut off at byte 41: byte 37: num_joints: found 4294967295 ",
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

    def test_a_cut_file_is_said_to_be_cut_whatever_is_asked_for(self) -> None:
        cut = self.fixtures / "cut_in_keys.anim"
        told = f"animbridge: {cut}: the file is cut off at byte {cut.stat().st_size}: "
        for arguments in (["check", cut], ["convert", cut, self.folder / "a.bvh"]):
            self.assertTrue(self.complaint(1, *arguments).startswith(told), arguments)
        text = self.folder / "cut.bvh"
        text.write_text("HIERARCHY\nROOT hip\n{\nOFFSET 0 0", encoding="utf-8")
        self.assertIn("cut.bvh: the file is cut off at byte 31: line 4", self.complaint(1, "info", text))

    def test_unknown_content_lists_each_format_once(self) -> None:
        path = self.folder / "notes.txt"
        path.write_text("nothing", encoding="utf-8")
        message = self.complaint(1, "info", path)
        for title in ("Second Life animation (.anim", "Oni object animation (", "BVH motion (.bvh)"):
            self.assertEqual(message.count(title), 1, message)
        self.assertEqual(message.count("Oni object animation"), 1, message)

    def test_a_misspelt_command_is_answered_with_the_nearest(self) -> None:
        for word, meant in (("chek", "check"), ("conver", "convert"), ("compar", "compare"), ("pos", "pose")):
            self.assertIn(f'did you mean "{meant}"?', self.complaint(2, word))
        self.assertIn('did you mean "extract"?', self.complaint(2, "oban", "extrat"))
        self.assertNotIn("did you mean", self.complaint(2, "frobnicate"))

    def test_an_unknown_extension_is_answered_with_those_that_can_be_written(self) -> None:
        said = self.complaint(2, "convert", self.fixtures / "minimal.anim", self.folder / "a.xyz")
        self.assertIn('unknown extension ".xyz"; writable are ', said)
        for extension in (".anim", ".bvh", ".glb", ".gltf", ".fbx", ".dae", ".json"):
            self.assertRegex(said, rf"[(, ]{re.escape(extension)}[),]")
        for extension in (".vrm", ".smd", ".md5mesh", ".ase", ".x)"):
            self.assertNotIn(extension, said)

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

    def test_info_of_several_files(self) -> None:
        good, cut = self.fixtures / "minimal.anim", self.fixtures / "cut_in_keys.anim"
        result = run("info", good, cut, good, "--json")
        self.assertEqual(result.returncode, 1)
        rows = json.loads(result.stdout)["files"]
        self.assertEqual([Path(row["file"]).name for row in rows], [good.name, cut.name, good.name])
        self.assertEqual([row.get("format") for row in rows], ["sl_anim", None, "sl_anim"])
        self.assertIn("cut off", rows[1]["error"])
        self.assertEqual(self.expect(0, "info", good, good).stdout.count("minimal.anim: Second Life"), 2)

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
                # What files do to each other is no fixture's; see test_check_folder.py.
                together = {"positions_inherited", "hands_too_strong"}
                found = {one["id"] for one in row["findings"]} - together
                self.assertEqual(found, set(expected), row["file"])


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

    def test_levels_contain_each_other_for_every_format(self) -> None:
        bvh = self.fixtures.parent / "bvh" / "dialects" / "roots_2.bvh"
        files = [
            self.fixtures / "name_unknown.anim",
            bvh,
            self.fixtures.parent / "oban" / "flags_unknown.oban",
        ]
        found: dict[str, set[str]] = {str(file): set() for file in files}
        for level in ("playback", "upload", "strict"):
            result = run("check", *files, "--json", "--level", level, "--fail-on", "never")
            for row in json.loads(result.stdout)["files"]:
                self.assertEqual(row["level"], level)
                ids = {finding["id"] for finding in row["findings"]}
                self.assertGreaterEqual(ids, found[row["file"]])
                found[row["file"]] = ids
        self.assertTrue(all(found.values()))

    def test_the_default_level_is_the_formats(self) -> None:
        files = [self.fixtures / "minimal.anim", self.fixtures.parent / "bvh" / "dialects" / "alone.bvh"]
        rows = json.loads(run("check", *files, "--json", "--fail-on", "never").stdout)["files"]
        self.assertEqual([row["level"] for row in rows], ["upload", "playback"])

    def test_what_many_joints_have_is_one_line(self) -> None:
        text = self.expect(1, "check", self.fixtures / "joints_all_with_hud.anim").stdout
        self.assertEqual(len(text.splitlines()), 2)
        self.assertRegex(text, r"rejected joint_unknown_on_upload: 8 joints: \S")

    def test_one_bad_file_does_not_hide_the_others(self) -> None:
        broken = self.fixtures / "cut_in_keys.anim"
        clean = self.fixtures / "base_priority_6.anim"
        result = run("check", broken, clean, "--json")
        self.assertEqual(result.returncode, 1)
        rows = json.loads(result.stdout)["files"]
        self.assertIn("error", rows[0])
        self.assertEqual(rows[1]["findings"], [])
        self.assertIn(str(broken), result.stderr)


class Compare(CommandCase):
    def test_it_lists_what_differs_and_counts_the_rest(self) -> None:
        a = self.fixtures / "joints_all_bones.anim"
        self.expect(0, "convert", a, self.folder / "a.json")
        document = json.loads((self.folder / "a.json").read_text(encoding="utf-8"))
        changed = document["joints"][0]["rotation_keys"][0]
        changed[1] = 40000
        (self.folder / "b.json").write_text(json.dumps(document), encoding="utf-8")
        same = self.expect(0, "compare", a, a).stdout
        self.assertIn("133 joints do not differ\nlargest difference: 0 mm, 0 degrees", same)
        self.assertEqual(len(self.expect(0, "compare", a, a, "--all").stdout.splitlines()), 133 + 3)
        text = self.expect(1, "compare", a, self.folder / "b.json").stdout
        self.assertIn(" other joint", text)
        self.assertNotRegex(text, r"\d\.\d{5}|e-\d")

    def test_tolerances(self) -> None:
        a = self.fixtures / "rotation_half_turn.anim"
        b = self.fixtures / "minimal.anim"
        self.expect(0, "compare", a, a)
        self.expect(1, "compare", a, b)
        self.assertIn(
            "hand poses above 14", self.complaint(1, "compare", a, self.fixtures / "hand_pose_max.anim")
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


class Pose(CommandCase):
    def test_times_must_be_numbers(self) -> None:
        file = self.fixtures / "minimal.anim"
        for time in ("nan", "inf", "-inf"):
            result = run("pose", file, "--", time)
            self.assertEqual(result.returncode, 2, result.stdout)

    def test_a_file_that_is_refused_has_no_pose(self) -> None:
        self.assertIn(
            "hand poses above 14", self.complaint(1, "pose", self.fixtures / "hand_pose_max.anim", "0")
        )


if __name__ == "__main__":
    main()

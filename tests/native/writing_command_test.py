#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The subcommands that write a file: convert, edit, reduce, and the check that foresees a conversion."""

from __future__ import annotations

import json
import shutil

from command_case import CommandCase, main, run


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

    def test_what_the_viewer_refuses_is_written_with_an_exit_code_of_its_own(self) -> None:
        source = self.fixtures / "name_unknown.anim"
        result = run("convert", source, self.folder / "a.anim")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertEqual((self.folder / "a.anim").read_bytes(), source.read_bytes())
        self.assertIn("WISDOM_SWORD_1", result.stdout)
        self.assertIn("the file is written, but refused by the target program", result.stderr)
        result = run("convert", source, self.folder / "a.anim", "--json")
        self.assertEqual(json.loads(result.stdout)["refused"][0]["id"], "joint_unknown_on_upload")
        # Nobody but AnimBridge reads JSON.
        self.assertEqual(self.report(0, "convert", source, self.folder / "a.json")["refused"], [])

    def test_unknown_names_of_a_bvh_come_all_at_once(self) -> None:
        names = [f"limb{i}" for i in range(23)]
        joints = "".join(
            f"JOINT {name}\n{{\nOFFSET 1 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n" for name in names
        )
        frames = "".join(" ".join([str(frame)] * (6 + 3 * 23)) + "\n" for frame in (0, 30, 60, 10))
        for root in ("hip", "Hips"):
            path = self.folder / f"{root}.bvh"
            path.write_text(
                f"HIERARCHY\nROOT {root}\n{{\nOFFSET 0 0 0\n"
                "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                f"{joints}End Site\n{{\nOFFSET 1 0 0\n}}\n" + "}\n" * 24 + "MOTION\nFrames: 4\n"
                f"Frame Time: 0.1\n{frames}",
                encoding="utf-8",
            )
            rows = self.report(1, "check", path, "--level", "upload")["files"][0]["findings"]
            unknown = next(row for row in rows if row["id"] == "joint_unknown_on_upload")
            self.assertLessEqual(set(names), set(unknown["joints"]))
            out = self.folder / f"{root}.anim"
            if root == "Hips":  # without any name of the avatar, there is nothing to upload
                self.assertIn("Hips, ...", self.complaint(2, "convert", path, out))
                self.assertFalse(out.exists())
            result = run("convert", path, out, "--no-retarget")
            self.assertEqual(result.returncode, 3)
            self.assertIn(f"{unknown['joint_count']} joints: ", result.stdout)
            self.assertLess(len(result.stdout.splitlines()), 6, result.stdout)

    def test_a_wrong_frame_count_is_read_and_reported_unless_strict(self) -> None:
        source = self.fixtures.parent / "bvh" / "dialects" / "count_too_large.bvh"
        for name in ("a.bvh", "a.json"):
            report = self.report(0, "convert", source, self.folder / name)
            self.assertEqual([row["id"] for row in report["tolerated"]], ["frame_count_differs"])
        self.assertIn("read leniently: ", self.expect(0, "convert", source, self.folder / "b.bvh").stdout)
        for command in (["convert", source, self.folder / "c.bvh"], ["info", source], ["check", source]):
            self.assertIn("Frames", self.complaint(1, *command, "--strict"))
        result = run("pose", source, "0")
        self.assertEqual(result.returncode, 0)
        self.assertIn("count_too_large.bvh: line ", result.stderr)

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

    def test_an_option_is_named_as_it_was_typed(self) -> None:
        source = self.fixtures / "minimal.anim"
        out = self.folder / "out.anim"
        for arguments, said in (
            (
                ["convert", source, self.folder / "out.bvh", "--priority", "3"],
                "--priority: is not an option here; allowed are --fps, --names, --exact-frames",
            ),
            (["edit", source, out, "--joint-priority", "mHed=3"], "--joint-priority: mHed: found"),
            (["edit", source, out, "--decimals", "3"], "allowed are --base-priority, --emote, --loop"),
            # JSON has the members' names.
            (
                ["convert", source, out, "--edit", '{"priority": 5}'],
                "--edit: priority: is not an option here; allowed are base_priority, emote_name",
            ),
            (["convert", source, out, "--edit", '{"hand_pose": "x"}'], "--edit: hand_pose: found"),
        ):
            with self.subTest(arguments=arguments):
                self.assertIn(said, self.complaint(2, *arguments))

    def test_what_an_edit_brings_about_is_reported(self) -> None:
        """The viewer stores 6 for 9 (docs/second-life-format.md); the file holds 9 all the same."""
        source = self.fixtures / "minimal.anim"
        edits = '{"base_priority": 9}'
        said = self.expect(0, "convert", source, self.folder / "a.anim", "--edit", edits).stdout
        self.assertIn("after the edit: base_priority_clamped: 9. The viewer lowers", said)
        self.assertEqual((self.folder / "a.anim").read_bytes()[4:8], b"\x09\0\0\0")
        report = self.report(0, "convert", source, self.folder / "a.json", "--edit", edits)
        self.assertEqual([row["id"] for row in report["edits"]["findings"]], ["base_priority_clamped"])
        # The input's own base priority of 9 is not the edit's.
        report = self.report(
            0, "convert", self.folder / "a.anim", self.folder / "b.anim", "--edit", '{"loop": true}'
        )
        self.assertEqual(report["edits"]["findings"], [])
        self.assertNotIn("edits", self.report(0, "convert", source, self.folder / "c.anim"))

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
        self.complaint(2, "convert", self.fixtures / "minimal.anim", self.folder / "out.doc")
        self.complaint(1, "convert", self.fixtures / "minimal.anim", self.folder / "no" / "out.anim")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["out.anim"])

    def test_a_file_onto_itself(self) -> None:
        path = self.folder / "a.anim"
        shutil.copyfile(self.fixtures / "minimal.anim", path)
        self.expect(0, "convert", path, path)
        self.assertEqual(path.read_bytes(), (self.fixtures / "minimal.anim").read_bytes())


class Edit(CommandCase):
    def setUp(self) -> None:
        super().setUp()
        self.source = self.fixtures / "minimal.anim"
        self.output = self.folder / "out.anim"

    def test_flags_are_edits(self) -> None:
        flags = {
            "base_priority": (["--base-priority", "5"], 5),
            "emote_name": (["--emote", "express_smile"], "express_smile"),
            "loop": (["--loop"], True),
            "loop_in_point": (["--loop-in", "0.25"], 0.25),
            "loop_out_point": (["--loop-out", "0.5"], 0.5),
            "ease_in_duration": (["--ease-in", "0.125"], 0.125),
            "ease_out_duration": (["--ease-out", "0"], 0),
            "hand_pose": (["--hand-pose", "13"], 13),
        }
        by_json = self.folder / "by_json.anim"
        for name, (flag, value) in flags.items():
            with self.subTest(name=name):
                self.expect(0, "edit", self.source, self.output, *flag)
                self.expect(0, "convert", self.source, by_json, "--edit", json.dumps({name: value}))
                self.assertEqual(self.output.read_bytes(), by_json.read_bytes())
                self.assertNotEqual(self.output.read_bytes(), self.source.read_bytes())
        self.expect(0, "edit", self.source, self.output, "--loop")
        self.expect(0, "edit", self.output, self.output, "--no-loop")
        self.assertEqual(self.output.read_bytes(), self.source.read_bytes())

    def test_flags_of_an_oban(self) -> None:
        source = self.fixtures.parent / "oban" / "swing.oban"
        output = self.folder / "out.json"
        for flag, value in (
            (["--flags", "Autostart,ZAxisUp"], ["Autostart", "ZAxisUp"]),
            (["--flags", "0"], []),
        ):
            self.expect(0, "edit", source, self.folder / "out.oban", *flag)
            self.expect(0, "convert", self.folder / "out.oban", output)
            record = json.loads(output.read_text(encoding="utf-8"))["record"]
            self.assertEqual(record["flags"], value)

    def test_what_the_program_does_with_the_values_is_reported(self) -> None:
        said = self.expect(0, "edit", self.source, self.output, "--base-priority", "9").stdout
        self.assertIn("after the edit: base_priority_clamped: 9", said)
        refused = run("edit", self.source, self.output, "--hand-pose", "99")
        self.assertEqual(refused.returncode, 3)
        self.assertEqual(refused.stdout.count("(found: 99)"), 1)
        self.assertIn("refused by Second Life: The viewer refuses hand poses above 14 ", refused.stdout)

    def test_the_output_is_of_the_same_format(self) -> None:
        said = self.complaint(2, "edit", self.source, self.folder / "out.bvh", "--loop")
        self.assertIn("allowed is .anim", said)
        self.assertEqual(list(self.folder.iterdir()), [])


class UploadOfBvh(CommandCase):
    def test_a_check_finds_what_a_conversion_is_refused_for(self) -> None:
        """The loader reads the text: a layout that it refuses is a finding, although the values are fine."""
        folder = self.fixtures.parent / "bvh" / "loader"
        rows = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        self.assertGreater(len(rows), 50)
        refused_by_text = compared = 0
        for row in rows:
            source = folder / f"{row['name']}.bvh"
            with self.subTest(file=source.name):
                converted = run("convert", source, self.folder / "out.anim", "--json")
                checked = run("check", "--level", "upload", "--fail-on", "rejected", source, "--json")
                if not converted.stdout:  # not even the lenient reader takes it
                    self.assertEqual(checked.returncode, 1)
                    self.assertIn("error", json.loads(checked.stdout)["files"][0])
                    continue
                report = json.loads(converted.stdout)
                refused = report["broken_rule"] is not None or report["refused"] != []
                self.assertEqual(refused, "refused" in {row["load"], row.get("upload")})
                (found,) = json.loads(checked.stdout)["files"]
                if "error" in found:  # the loader takes text that no BVH is: nothing to check
                    self.assertFalse(refused)
                    continue
                self.assertEqual(checked.returncode, 1 if refused else 0, checked.stdout)
                self.assertEqual(found["counts"]["rejected"] > 0, refused)
                compared += 1
                refused_by_text += report["broken_rule"] is not None
        self.assertGreater(refused_by_text, 10)
        self.assertGreater(compared, 50)

    def test_the_finding_has_the_line(self) -> None:
        source = self.fixtures.parent / "bvh" / "loader" / "rule01_blanks_in_hierarchy.bvh"
        (finding,) = (
            row
            for row in self.report(1, "check", "--level", "upload", source)["files"][0]["findings"]
            if row["class"] == "rejected"
        )
        self.assertEqual((finding["id"], finding["line"]), ("upload_refused", 6))


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
        said = self.expect(0, "reduce", self.source, coarse, "--max-error", "5").stdout
        self.assertIn("tolerance: 5 mm, 0.5 degrees", said)
        self.assertLess(coarse.stat().st_size, self.output.stat().st_size)
        self.expect(0, "compare", self.source, coarse, "--mm", "5", "--degrees", "0.5")
        old = self.folder / "old.anim"
        self.expect(0, "reduce", self.source, old, "--position-mm", "5", "--rotation-degrees", "0.5")
        self.assertEqual(old.read_bytes(), coarse.read_bytes())

    def test_another_format_is_not_what_the_name_says(self) -> None:
        """There is one format that it writes, and no other name for it."""
        for extension in ("bvh", "json", "oni", "XML"):
            output = self.folder / f"out.{extension}"
            self.assertIn("allowed is .anim", self.complaint(2, "reduce", self.source, output))
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

    def test_a_part_of_the_file(self) -> None:
        part = self.folder / "part.anim"
        self.expect(0, "convert", self.source, part, "--trim", "0.5:1.5")
        self.expect(0, "reduce", self.source, self.output, "--trim", "0.5:1.5", "--format", "sl_anim")
        self.expect(0, "compare", part, self.output, "--mm", "0.5", "--degrees", "0.05")
        self.assertLess(self.output.stat().st_size, part.stat().st_size)
        self.assertIn(
            "--trim: asks for 9 s", self.complaint(2, "reduce", self.source, self.output, "--trim", "9:")
        )

    def test_a_failure_leaves_the_output_as_it_was(self) -> None:
        self.output.write_bytes(b"old")
        said = self.complaint(1, "reduce", self.source, self.output, "--fit", "300")
        self.assertIn("one key per track", said)
        self.complaint(1, "reduce", self.fixtures / "hand_pose_max.anim", self.output)
        self.complaint(1, "reduce", self.fixtures / "cut_in_keys.anim", self.output)
        for wrong in ("0", "-1", "nan", "x"):
            self.expect(2, "reduce", self.source, self.output, "--max-error", wrong)
        self.assertEqual(self.output.read_bytes(), b"old")

    def test_an_input_without_keys_to_drop_is_refused_before_the_output(self) -> None:
        for source, reason in (
            (
                self.fixtures.parent / "bvh" / "loader" / "rule01_blanks_in_hierarchy.bvh",
                "convert it to .anim",
            ),
            (self.fixtures.parent / "oban" / "swing.oban", "Blender"),
            (self.fixtures.parent / "oban" / "level_pc.dat", "oban extract"),
        ):
            for output in (self.output, self.folder / "out.bvh", self.folder / "out.json"):
                said = self.complaint(2, "reduce", source, output)
                self.assertTrue(said.startswith(f"animbridge: {source}: "), said)
                self.assertIn(reason.lower(), said.lower())
                self.assertNotIn("extension", said)


if __name__ == "__main__":
    main()

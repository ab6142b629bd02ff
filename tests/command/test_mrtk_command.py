# SPDX-License-Identifier: MIT
"""`animbridge join`, `edit` and `convert` of MRTK recordings: the witness reads the files."""

from __future__ import annotations

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from tests.witness import mrtk_axes, mrtk_file, mrtk_player, mrtk_repair

ROOT = Path(__file__).resolve().parents[2]
COMMAND = ROOT / "build" / "bin" / "animbridge"

#: Times are float32 of a few seconds; what a component or a position moves by in that time.
NEAR = 1e-5


class Recordings(unittest.TestCase):
    def setUp(self) -> None:
        self.fixtures = ROOT / "fixtures" / "mrtk"
        folder = tempfile.TemporaryDirectory(prefix="animbridge-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def expect(self, code: int, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        result = subprocess.run(
            [COMMAND, *arguments], capture_output=True, text=True, timeout=60, check=False
        )
        self.assertEqual(result.returncode, code, f"{arguments}: {result.stdout}{result.stderr}")
        return result

    def report(self, code: int, *arguments: str | Path) -> dict[str, object]:
        return json.loads(self.expect(code, *arguments, "--json").stdout)

    def complaint(self, code: int, *arguments: str | Path) -> str:
        result = self.expect(code, *arguments)
        self.assertEqual(result.stdout, "")
        return result.stderr

    def made(self, path: Path) -> mrtk_file.Recording:
        """What the witness reads, strictly."""
        return mrtk_file.parse(path.read_bytes())

    def fixture(self, name: str) -> mrtk_file.Recording:
        return self.made(self.fixtures / name)

    def assert_plays(self, whole: mrtk_file.Recording, start: float, part: mrtk_file.Recording) -> None:
        """Whether the part's poses are in the whole, from a time on."""
        end = mrtk_player.duration(part)
        # Not at the ends, which the next part may share.
        for share in (0.1, 0.35, 0.6, 0.9):
            for joint in ("camera", "left.Wrist", "left.IndexTip", "right.ThumbTip"):
                if not mrtk_player.exists(part, joint):
                    continue
                wanted = mrtk_player.pose_of(part, joint, share * end)
                found = mrtk_player.pose_of(whole, joint, start + share * end)
                for a, b in zip(wanted.position, found.position, strict=True):
                    self.assertAlmostEqual(a, b, delta=NEAR)
                for a, b in zip(wanted.played, found.played, strict=True):
                    self.assertAlmostEqual(a, b, delta=10 * NEAR)

    def test_joined_recordings_play_one_after_the_other(self) -> None:
        names = ["two_hands_v11.bin", "hands_come_and_go.bin", "flags_camera_gaze.bin"]
        out = self.folder / "all.bin"
        report = self.report(0, "join", *(self.fixtures / name for name in names), out, "--gap", "0.5")
        self.assertEqual(report["recordings"], 3)
        whole = self.made(out)
        self.assertEqual(f"{whole.version[0]}.{whole.version[1]}", report["version"])
        start = 0.0
        for name in names:
            part = self.fixture(name)
            with self.subTest(name=name):
                self.assert_plays(whole, start, part)
            start += mrtk_player.duration(part) + 0.5
        self.assertAlmostEqual(mrtk_player.duration(whole), start - 0.5, delta=NEAR)
        text = self.expect(0, "join", *(self.fixtures / name for name in names), out).stdout
        self.assertIn("3 recordings", text)

    def test_what_cannot_be_joined_leaves_the_output_alone(self) -> None:
        out = self.folder / "out.bin"
        out.write_bytes(b"mine")
        one = self.fixtures / "camera_v10.bin"
        self.assertIn("two or more", self.complaint(2, "join", one, out))
        anim = self.fixtures.parent / "sl_anim" / "minimal.anim"
        self.complaint(2, "join", one, anim, out)
        self.complaint(2, "join", one, one, self.folder / "out.bvh")
        self.complaint(2, "join", one, one, out, "--gap", "-1")
        self.assertEqual(out.read_bytes(), b"mine")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["out.bin"])

    def test_a_trimmed_recording_plays_its_part(self) -> None:
        out = self.folder / "cut.bin"
        before = self.fixture("two_hands_v11.bin")
        start, end = 0.25, 0.75
        flags = ("--trim-start", str(start), "--trim-end", str(end))
        self.expect(0, "edit", self.fixtures / "two_hands_v11.bin", out, *flags)
        after = self.made(out)
        self.assertAlmostEqual(mrtk_player.duration(after), end - start, delta=NEAR)
        for seconds in (0.01, 0.2, 0.49):
            wanted = mrtk_player.pose_of(before, "left.Wrist", start + seconds)
            found = mrtk_player.pose_of(after, "left.Wrist", seconds)
            for a, b in zip(wanted.position, found.position, strict=True):
                self.assertAlmostEqual(a, b, delta=NEAR)

    def test_a_recording_at_half_speed_takes_twice_as_long(self) -> None:
        out = self.folder / "slow.bin"
        self.expect(0, "edit", self.fixtures / "two_hands_v10.bin", out, "--speed", "0.5")
        before, after = self.fixture("two_hands_v10.bin"), self.made(out)
        self.assertAlmostEqual(mrtk_player.duration(after), 2 * mrtk_player.duration(before), delta=NEAR)
        self.assertEqual(
            mrtk_player.pose_of(after, "camera", 0.0).position,
            mrtk_player.pose_of(before, "camera", 0.0).position,
        )

    def test_version_1_0_has_no_gaze(self) -> None:
        out = self.folder / "old.bin"
        self.expect(0, "edit", self.fixtures / "flags_camera_hands_gaze.bin", out, "--mrtk-version", "1.0")
        after = self.made(out)
        self.assertEqual(after.version, mrtk_file.V10)
        self.assertEqual(len(after.curves), 389)
        self.assert_plays(after, 0.0, self.fixture("flags_camera_hands_gaze.bin"))

    def test_repaired_rotations_are_those_before_the_damage(self) -> None:
        # The fixtures are one motion, with and without the recorder's bug.
        for damaged, original in (
            ("lost_w.bin", "three_partitions.bin"),
            ("lost_w_whole.bin", "whole_curves.bin"),
            ("lost_w_one_hand.bin", "one_hand.bin"),
        ):
            out = self.folder / damaged
            self.expect(0, "edit", self.fixtures / damaged, out, "--repair-rotation-w")
            before, after = self.fixture(original), self.made(out)
            apart = []
            for joint in mrtk_repair.joint_owners(before):
                wanted, found = (
                    [mrtk_player.values_of(row) for row in mrtk_player.rotation_rows(curves)]
                    for curves in (mrtk_player.rotation_curves(one, joint) for one in (before, after))
                )
                self.assertEqual(len(wanted), len(found), joint)
                apart += [mrtk_axes.degrees_apart(a, b) for a, b in zip(wanted, found, strict=True)]
            apart.sort()
            with self.subTest(damaged=damaged):
                # A length that is off by 0.0008, as trackers are, costs up to 4.6 degrees around a W of 0.
                self.assertLess(sum(apart) / len(apart), 2.0)
                self.assertLess(apart[len(apart) * 95 // 100], 4.6)

    def test_json_gives_the_recording_back(self) -> None:
        for name in ("two_hands_v10.bin", "weights.bin", "markers.bin"):
            with self.subTest(name=name):
                text, back = self.folder / "a.json", self.folder / "b.bin"
                self.expect(0, "convert", self.fixtures / name, text)
                self.assertEqual(json.loads(text.read_text(encoding="utf-8"))["format"], "mrtk")
                self.expect(0, "convert", text, back)
                self.assertEqual(back.read_bytes(), (self.fixtures / name).read_bytes())

# SPDX-License-Identifier: MIT
"""`animbridge rig` on rigs whose truth is known (tests/witness/rigs.py), on one body in six rigs, and on what
is no body. docs/rig-maps.md has the figures of all conventions under all mutations."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.witness.cases.mpfb_truth import RIGS as BODIES
from tests.witness.measure_rig_maps import Count, judge, report_of
from tests.witness.rig_foreign import foreign_rigs
from tests.witness.rig_mutations import mutations
from tests.witness.rigs import Rig, RigJoint, all_rigs, as_bvh, bvh_bytes, load_tables

ROOT = Path(__file__).resolve().parents[2]
COMMAND = ROOT / "build" / "bin" / "animbridge"
RIGS = {rig.name: rig for rig in all_rigs(load_tables())}
#: Rigs with namesakes, zero-length joints, chains, or sides that names say in their own way.
HARD = (
    "accad", "cmu_3dsmax", "cmu_motionbuilder", "makehuman_old", "mixamo", "mmd", "secondlife", "smplx",
    "ue4", "ue5", "unity", "vrm1",
)  # fmt: skip


def body_of(name: str) -> Rig:
    """A fixture: one body's bones on one rig."""
    read = json.loads((ROOT / "fixtures" / "rigs" / f"mpfb_{name}.json").read_text(encoding="utf-8"))
    joints = tuple(RigJoint(bone["name"], bone["parent"], tuple(bone["head"])) for bone in read["bones"])
    also = {slot: tuple(names) for slot, names in read["also"].items()}
    return Rig(name, name, joints, read["truth"], also)


class RigMaps(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="animbridge-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_rig(self, code: int, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        done = subprocess.run([COMMAND, "rig", *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def write(self, rig: Rig) -> Path:
        path = self.folder / "own.bvh"
        path.write_bytes(bvh_bytes(rig))
        return path

    def expect_right(self, rig: Rig, label: str, may_miss: int = 0) -> dict[str, Any]:
        report = report_of(rig, self.folder)
        count = judge(rig, report, label)
        self.assertEqual(count.wrong, [])
        if rig.sides_agree:
            self.assertLessEqual(count.missing, may_miss, label)
        return report

    def test_every_convention_as_it_is(self) -> None:
        for name, rig in RIGS.items():
            with self.subTest(name):
                self.expect_right(rig, name)

    def test_hard_conventions_under_all_mutations(self) -> None:
        for name in HARD:
            for mutation, rig in mutations(RIGS[name]).items():
                # Its legs hang beside the spine: docs/rig-maps.md says what is found without names.
                if (name, mutation) != ("makehuman_old", "nameless"):
                    with self.subTest(name, mutation=mutation):
                        self.expect_right(rig, f"{name}/{mutation}", may_miss=2)

    def test_foreign_rigs_are_right_or_silent(self) -> None:
        total = Count()
        for rig in foreign_rigs():
            count = judge(rig, report_of(rig, self.folder), rig.name)
            if rig.name in ("german_words", "french_words", "spanish_words", "romaji_words"):
                self.assertEqual(count.missing, 0, rig.name)
            total.add(count)
        self.assertEqual(total.wrong, [])

    def test_a_number_that_a_name_needs_is_kept(self) -> None:
        rig = RIGS["ue4"]
        numbered = rig.renamed({joint.name: f"{joint.name}_{n}" for n, joint in enumerate(rig.joints)})
        self.expect_right(numbered, "ue4 with numbers")

    def test_one_body_on_six_rigs(self) -> None:
        for name in BODIES:
            rig = body_of(name)
            with self.subTest(name):
                roots = [joint for joint in rig.joints if joint.parent is None]
                self.assertEqual(as_bvh(rig).joints[0].name, roots[0].name)
                report = self.expect_right(rig, name)
                self.assertAlmostEqual(report["facing"][1], -1, places=3)

    def test_chains_of_one_body(self) -> None:
        for name, facts in BODIES.items():
            report = report_of(body_of(name), self.folder)
            for chain, joints in facts.chains.items():
                if len(joints) > 1:
                    with self.subTest(name, chain=chain):
                        self.assertEqual(report["chains"].get(chain), joints)

    def test_spine1_of_a_rig_that_is_not_bento_is_not_bentos(self) -> None:
        report = self.expect_right(RIGS["mixamo"], "mixamo")
        self.assertEqual(report["convention"], "mixamo")
        self.assertEqual(report["chains"]["spine"], [f"mixamorig:Spine{i}" for i in ("", "1", "2")])
        bento = self.expect_right(RIGS["secondlife"], "secondlife")
        self.assertEqual(bento["chains"]["spine"], ["mTorso", "mChest"])

    def test_facing_and_height(self) -> None:
        turned = mutations(RIGS["ue4"])["turned_90"]
        for rig in (RIGS["ue4"], turned, RIGS["secondlife"]):
            report = report_of(rig, self.folder)
            for found, right in zip(report["facing"], rig.facing, strict=True):
                self.assertAlmostEqual(found, right, places=6)
            heights = [joint.head[2] for joint in rig.joints]
            self.assertAlmostEqual(report["height_metres"], max(heights) - min(heights), places=4)

    def test_mirrored_rigs_say_so(self) -> None:
        report = report_of(mutations(RIGS["mixamo"])["mirrored"], self.folder)
        self.assertEqual(report["slots"]["leftHand"]["joint"], "mixamorig:RightHand")
        self.assertIn("--swap-sides", report["warnings"][0])

    def test_generated_rigify_by_its_use(self) -> None:
        deform, controls = RIGS["rigify_deform"], RIGS["rigify_controls"]
        names = {joint.name for joint in deform.joints}
        more = tuple(joint for joint in controls.joints if joint.name not in names)
        both = replace(deform, joints=(*more, *deform.joints))
        path = self.write(both)
        for use, convention in (("source", "rigify_deform"), ("target", "rigify_controls")):
            report = json.loads(self.run_rig(0, path, "--use", use, "--json").stdout)
            self.assertEqual(report["convention"], convention)
            self.assertIn("mapped", report["warnings"][0])

    def test_one_set_of_bones_is_not_called_two(self) -> None:
        for name in ("rigify_deform", "rigify_controls"):
            for use in ("source", "target"):
                with self.subTest(name, use=use):
                    path = self.write(RIGS[name])
                    report = json.loads(self.run_rig(0, path, "--use", use, "--json").stdout)
                    self.assertIn("rigify", report["convention"])
                    self.assertEqual(report["warnings"], [])

    def test_a_hand_misses_no_body(self) -> None:
        for name in ("openxr_hand_left", "mrtk_hand_right", "openxr_hand_both"):
            with self.subTest(name):
                path = self.write(RIGS[name])
                report = json.loads(self.run_rig(0, path, "--json").stdout)
                parts = {row["slot"] for row in report["missing"]}
                self.assertFalse(parts & {"hips", "head", "leftFoot", "rightUpperArm"}, parts)
                text = self.run_rig(0, path).stdout
                self.assertNotIn("its unit is not metres", text)

    def test_a_single_node_has_no_body(self) -> None:
        path = ROOT / "fixtures" / "oban" / "every_frame.oban"
        report = json.loads(self.run_rig(0, path, "--json").stdout)
        self.assertEqual((report["slots"], report["missing"]), ({}, []))
        text = self.run_rig(0, path).stdout
        self.assertIn("Warning: The skeleton is a single node, so it has no body.", text)
        self.assertNotIn("high", text)

    def test_who_named_a_part(self) -> None:
        own = self.folder / "own.json"
        own.write_text('{"animbridge_rig": 1, "slots": {"hips": ["mixamorig:Hips"]}}', encoding="utf-8")
        text = self.run_rig(0, self.write(RIGS["mixamo"]), "--rig", own).stdout
        self.assertRegex(text, r"hips +mixamorig:Hips +named by the rig file")
        text = self.run_rig(0, ROOT / "fixtures" / "scene" / "motion.vrma").stdout
        self.assertRegex(text, r"hips +\S+ +named by the file itself")

    def test_own_rig_file_for_what_is_no_body(self) -> None:
        snake = next(rig for rig in foreign_rigs() if rig.name == "snake")
        path = self.write(snake)
        own = self.folder / "snake.json"
        own.write_text(
            json.dumps(
                {
                    "animbridge_rig": 1,
                    "id": "snake",
                    "slots": {
                        "head": ["bone_000"],
                        "belly": ["nobody", snake.joints[10].name],
                        "rattle": ["none"],
                    },
                    "chains": {"body": ["bone_003", "bone_004", "bone_005"]},
                }
            ),
            encoding="utf-8",
        )
        report = json.loads(self.run_rig(0, path, "--rig", own, "--json").stdout)
        self.assertEqual(report["convention"], "snake")
        self.assertEqual({slot: row["joint"] for slot, row in report["slots"].items()},
                         {"head": "bone_000", "belly": snake.joints[10].name})  # fmt: skip
        self.assertEqual({row["by"] for row in report["slots"].values()}, {"given"})
        self.assertEqual(report["chains"], {"body": ["bone_003", "bone_004", "bone_005"]})
        self.assertEqual([row["slot"] for row in report["missing"]], ["rattle"])

    def test_own_names_before_built_in_ones(self) -> None:
        path = self.write(RIGS["mixamo"])
        own = self.folder / "own.json"
        rig = {"animbridge_rig": 1, "id": "own", "built_in": True, "slots": {"chest": ["mixamorig:Spine2"]}}
        own.write_text(json.dumps(rig), encoding="utf-8")
        slots = json.loads(self.run_rig(0, path, "--rig", own, "--json").stdout)["slots"]
        self.assertEqual(slots["chest"], {"joint": "mixamorig:Spine2", "by": "given", "score": 1})
        self.assertNotIn("upperChest", slots)
        self.assertEqual(slots["leftHand"]["by"], "convention")

    def test_errors_name_the_file_and_the_member(self) -> None:
        path = self.write(RIGS["mixamo"])
        own = self.folder / "own.json"
        for text, said in (
            ('{"animbridge_rig": 1, "slots": {"hips": []}}', "slots.hips"),
            ('{"animbridge_rig": 1, "slots": {"hips": ["nobody"]}}', "none of the rig file's names"),
            ('{"animbridge_rig": 2, "slots": {}}', "animbridge_rig"),
        ):
            own.write_text(text, encoding="utf-8")
            complaint = self.run_rig(1, path, "--rig", own).stderr
            self.assertIn(str(own), complaint)
            self.assertIn(said, complaint)

    def test_text_for_people(self) -> None:
        text = self.run_rig(0, self.write(RIGS["lafan1"])).stdout
        self.assertRegex(text, r"lafan1, score 1\.00, \d+ parts")
        self.assertRegex(text, r"leftUpperArm +LeftArm +the convention's name")
        text = self.run_rig(0, self.write(RIGS["openxr_hand_left"])).stdout
        self.assertIn("no known rig", text)
        self.assertIn("none says left or right", text)
        self.assertIn("--rig FILE", text)


class RigFiles(unittest.TestCase):
    def test_every_file_says_what_it_is_and_where_it_is_from(self) -> None:
        files = sorted((ROOT / "native" / "rig" / "data" / "rigs").glob("*.json"))
        self.assertEqual(len(files), 62)
        for path in files:
            rig = json.loads(path.read_text(encoding="utf-8"))
            self.assertEqual(rig["id"], path.stem)
            for member in ("title", "source", "licence", "slots", "roles"):
                self.assertTrue(rig[member], f"{path.stem}: {member}")

    def test_the_script_changes_nothing(self) -> None:
        table = os.environ.get("ANIMBRIDGE_HUMANOID_NAMES")
        if table is None:
            self.skipTest("ANIMBRIDGE_HUMANOID_NAMES names no table")
        command = [sys.executable, ROOT / "scripts" / "make_rigs.py", table, "--check"]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()

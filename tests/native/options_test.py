#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every option refuses wrong values: exit code 2 and a message with its name, before any file is read."""

from __future__ import annotations

import re
from pathlib import Path

from command_case import CommandCase, main, run

#: More than 64 bits hold; too large for a whole number, but not for a length, an angle or a time.
HUGE = "18446744073709551616"
BAD_VALUES = ("nan", "inf", "-inf", "-7", "1e999", HUGE, "", "x", "0x10", "1 ")
#: Numbers up to 1e30.
NUMBERS = {"--scale", "--mm", "--degrees", "--max-error", "--stop", "--stop-above", "--at"}

#: Whatever is typed is meant: names of things in files, and paths.
FREE_TEXT = {
    "--animation": "any text may be the name of a scene's animation",
    "--animation-name": "any text may be the animation's name",
    "--keep-parts": "any text may be a joint's name",
    "--leave-out": "any text may be a joint's name",
    "--emote": "any text is an emote's name",
    "--joint": "any text may be a joint's name",
    "--oban": "any text may be a name in the level",
    "--name": "any text may be the animation's name",
    "--anim-ini": "a path",
    "--only": "any text may be a finding's id, which depends on the file's format",
    "--undeform": "a path",
    "--out": "a path",
    "--under": "any text may be an id and a path",
    "--rig": "a path",
    "--target-rig": "a path",
    "--onto": "a path",
    "--report": "a path",
    "--certificate": "a path",
    "--against": "a path",
    "--from": "a path",
    "--blender": "a word of a command line",
}

#: What each command needs beside the option that is wrong.
ARGUMENTS = {
    "formats": [],
    "info": ["missing.anim"],
    "check": ["missing.anim"],
    "convert": ["missing.anim", "out.bvh"],
    "batch": ["--from", "missing.list", "--to", "bvh", "--out", "out"],
    "batch-merge": ["missing.jsonl", "--out", "out.jsonl"],
    "edit": ["missing.anim", "out.anim", "--name=x"],
    "join": ["missing.bin", "missing.bin", "out.bin"],
    "sequence": ["out.anim", "missing.anim@0", "missing.anim@1"],
    "quality": ["missing.anim"],
    "compare": ["missing.anim", "missing.anim"],
    "reduce": ["missing.anim", "out.anim"],
    "fix": ["missing.anim", "out.anim"],
    "pose": ["missing.anim", "0"],
    "rig": ["missing.bvh"],
    "rig-map": [],
    "oban list": ["missing.dat"],
    "oban extract": ["missing.dat", "--out", "out"],
    "oban replace": ["missing.dat", "name", "missing.oni", "--out", "out.dat"],
    "oban pack": ["level1_A.dat", "missing.oni"],
    "manual": ["man"],
}

#: Of edit, whatever the file can hold is taken, though the viewer may not.
TAKEN_BY_EDIT = {
    "--base-priority": {"-7"},
    "--joint-priority": {"mHead=7", "mHead=-2"},
    "--loop-in": {"-7", "18446744073709551616", "60.1"},
    "--loop-out": {"-7", "18446744073709551616"},
    "--ease-in": {"-7", "18446744073709551616", "10.1"},
    "--ease-out": {"-7", "18446744073709551616"},
    "--hand-pose": {"14"},
}

#: A value of each option that is taken, so that the walk is known to try options that work.
GOOD_VALUES = {
    "--format": ["sl_anim"],
    "--level": ["upload"],
    "--purpose": ["dance"],
    "--to": ["pose"],
    "--upload-cost": ["0", "10", "2.5"],
    "--jobs": ["1", "1024"],
    "--shard": ["1/1", "2/8"],
    "--fail-on": ["never"],
    "--use": ["target"],
    "--base-priority": ["-1", "2147483647"],
    "--flags": ["4294967295", "Autostart,ZAxisUp"],
    "--half-stop-frame": ["65535"],
    "--frame-length": ["80"],
    "--edit": ["{}", '{"base_priority": 4}'],
    "--decimals": ["0", "17", "+4"],
    "--loader": ["pre2022"],
    "--priority": ["0", "6"],
    "--joint-priority": ["mHead=-1", "a=b=6"],
    "--for": ["second-life", "opensim"],
    "--loop-in": ["0", "60", "20%", "1e-3"],
    "--loop-out": ["0.5", "100%"],
    "--ease-in": ["0", "10"],
    "--ease-out": [".5"],
    "--hand-pose": ["13"],
    "--keys": ["frames", "exact"],
    "--trim": ["2:14.5", "10%:90%", ":60f", "2:"],
    "--fps": ["0.01", "100000", "29.97"],
    "--names": ["aliases"],
    "--forward": ["-Z", "X"],
    "--up": ["Y"],
    "--scale": ["0.01", "1e30", "auto"],
    "--mm": ["0", "1e30", "+1"],
    "--degrees": ["0"],
    "--max-error": ["1e-9", "5", "2,0.5"],
    "--fit": ["1", "9007199254740992"],
    "--stop": ["0", "3.5"],
    "--as": ["xml"],
    "--mrtk-version": ["1.0", "1.1"],
    "--hands": ["exact", "hands"],
    "--signs": ["recorded"],
    "--rest": ["flat"],
    "--rest-seconds": ["-1", "2.5"],
    "--speed": ["0.001", "1000", "2"],
    "--gap": ["0", "1e6"],
    "--reference": ["rest", "tpose", "frame:3"],
    "--target-reference": ["tpose"],
    "--at": ["0", "1.5"],
    "--load": ["plain", "rotations"],
    "--unkeyed": ["free"],
    "--hand": ["left"],
    "--fingers": ["left=fist", "right=thumb-up,left=flat"],
    "--pose-format": ["blackdragon"],
    "--ease": ["smooth"],
    "--root-scale": ["auto", "1,0.5"],
    "--stop-above": ["0", "20", "20,5"],
    "--offset": ["leftHand=0,0,15", "a part=-360,360,0.5"],
    "--memory-mib": ["64", "1048576"],
    "--processor-seconds": ["1", "86400"],
    "--fbx-reader": ["ufbx", "assimp"],
    "--frame-start": ["1", "-7", "0.5", "1048574"],
    "--facing": ["auto", "x"],
    "--encoder": ["nearest"],
    "--duration": ["0.001", "86400"],
    "--bpm": ["1", "120.5", "1000"],
    "--retime": ["1=2", "0=0,1=1.5,4=3"],
    "--hold-first": ["0.5"],
    "--hold-last": ["3600"],
    "--loop-points": ["best", "0.5:3"],
    "--travel": ["1.5"],
    "--smooth": ["1", "0", "1,2.5"],
    "--filter": ["one-euro"],
    "--blend-edit": ["mHead=0,0,20@1.5", "a=b=-360,0,0.5@0,0.5"],
    "--start-at": ["0", "1.5"],
    "--split": ["60s", "250000b", "markers", "1.5s"],
}

#: Just beyond what is allowed.
BEYOND = {
    "--decimals": ["18", "4.5"],
    "--priority": ["7"],
    "--joint-priority": ["mHead=7", "mHead=-2", "=3", "mHead="],
    "--loop-in": ["60.1", "101%", "%"],
    "--ease-in": ["10.1"],
    "--hand-pose": ["14"],
    "--fps": ["0", "0.009", "100001"],
    "--scale": ["0", "1e31"],
    "--upload-cost": ["1000001"],
    "--mm": ["1e31"],
    "--degrees": ["1e31"],
    "--stop": ["1e31"],
    "--max-error": ["0", "1e31", "1,0", "1,1e31", "1,", ",1", "1,1,1"],
    "--fit": ["0", "9007199254740993", "1.5"],
    "--edit": ["[]", "{", "1", '{"a": 1} x'],
    "--speed": ["0", "1001"],
    "--gap": ["1000001"],
    "--reference": ["frame:0", "frame:x", "Rest"],
    "--at": ["1e31", "-0.1"],
    "--fingers": ["fist", "left=", "up=fist", "left=fist,", "left=Fist", "left=fist,left=flat"],
    "--root-scale": ["1", "1,", "1,-1", "1,2,3"],
    "--stop-above": ["1e31", "20,", ",5", "20,1e31", "20,5,1"],
    "--offset": [
        "leftHand=0,0",
        "=1,2,3",
        "leftHand",
        "leftHand=0,0,361",
        "leftHand=0,0,x",
        "leftHand=1,2,3,4",
    ],
    "--memory-mib": ["63", "1048577", "64.5"],
    "--processor-seconds": ["0", "86401"],
    "--fbx-reader": ["Assimp"],
    "--frame-start": ["1048575", "-1048575"],
    "--facing": ["z"],
    "--encoder": ["Upload"],
    "--duration": ["0", "86401"],
    "--bpm": ["0.9", "1001"],
    "--retime": ["1", "1=", "2=1,1=2", "1=1,2=1", "1=-1"],
    "--hold-first": ["0", "3601"],
    "--loop-points": ["1", "2:1", "1:1", ":3", "Best"],
    "--travel": ["0", "101"],
    "--smooth": ["181", "1,1001", "1,"],
    "--filter": ["Savgol"],
    "--blend-edit": ["mHead=1,2@3", "mHead=1,2,3", "=1,2,3@1", "mHead=1,2,361@1", "mHead=1,2,3@1,0"],
    "--start-at": ["-1"],
    "--split": ["60", "0.5s", "0b", "s", "b", "60m"],
}


class Options(CommandCase):
    def commands(self, *group: str) -> list[list[str]]:
        """Every command, as the help lists them."""
        _, *inner = re.split("(?i)subcommands:", self.expect(0, *group, "--help").stdout)
        names = re.findall(r"^  ([a-z-]+) ", "".join(inner), re.M)
        return [command for name in names for command in self.commands(*group, name)] or [[*group]]

    def options(self, command: list[str]) -> list[tuple[str, bool]]:
        """Its options, and whether they take a value."""
        has_more = command in (["batch"], ["convert"], ["edit"])
        text = self.expect(0, *command, "--help-all" if has_more else "--help").stdout
        found = re.findall(r"^  (?:-\w, *)?(--[a-z-]+)( [A-Za-z0-9]\S*)?", text, re.M)
        return [(name, value != "") for name, value in found]

    def good_values(self, command: list[str], option: str) -> list[str]:
        taken = TAKEN_BY_EDIT.get(option, set()) if command == ["edit"] else set()
        # Only conversions have shares of a duration.
        converts = command in (["batch"], ["convert"])
        good = [value for value in GOOD_VALUES[option] if converts or not value.endswith("%")]
        if command == ["edit"] and option == "--root-scale":  # nothing to be measured against
            good.remove("auto")
        return [*good, *sorted(taken)]

    def refused(self, *arguments: str | Path) -> str:
        result = run(*arguments, cwd=self.folder)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])
        return result.stderr

    def test_every_option_refuses_wrong_values(self) -> None:
        walked = set()
        commands = self.commands()
        self.assertEqual({" ".join(command) for command in commands}, set(ARGUMENTS))
        for command in commands:
            call = [*command, *ARGUMENTS[" ".join(command)]]
            for option, takes_value in self.options(command):
                walked.add(option)
                bad = [] if option in FREE_TEXT else [*BAD_VALUES, *BEYOND.get(option, [])]
                if option in ("--frame-start", "--facing"):
                    bad = [value for value in bad if value not in GOOD_VALUES[option]]
                if option == "--rest-seconds":  # recordings may have negative times
                    bad.remove("-7")
                if command == ["edit"]:
                    bad = [value for value in bad if value not in TAKEN_BY_EDIT.get(option, ())]
                if option in NUMBERS:
                    bad.remove(HUGE)
                for value in bad if takes_value else ["x", "-1", HUGE]:
                    with self.subTest(command=command, option=option, value=value):
                        told = self.refused(*call, f"{option}={value}")
                        self.assertIn(option, told)
                        if takes_value and value:
                            self.assertIn(f'found "{value}", allowed is ', told)
                if takes_value:
                    with self.subTest(command=command, option=option):
                        self.assertIn(option, self.refused(*call, option))
        self.assertEqual(
            walked - {"--json", "--help", "--help-all"} - set(GOOD_VALUES) - set(FREE_TEXT), SWITCHES
        )

    def test_every_option_takes_right_values(self) -> None:
        """The call is right then, and the first thing that is wrong is the missing file."""
        for command in self.commands():
            call = [*command, *ARGUMENTS[" ".join(command)]]
            if "missing" not in " ".join(call):
                continue
            for option, takes_value in self.options(command):
                if option in {"--help", "--help-all", *FREE_TEXT, *call}:
                    continue
                # Only findings of an .anim mend themselves.
                words = [word.replace("bvh", "anim") for word in call] if option == "--fix" else call
                for value in self.good_values(command, option) if takes_value else [None]:
                    with self.subTest(command=command, option=option, value=value):
                        result = run(
                            *words, *([option] if value is None else [option, value]), cwd=self.folder
                        )
                        self.assertEqual(result.returncode, 1, result.stderr)
                        self.assertIn("No such file or directory", result.stderr)

    def test_times_and_kinds_are_checked_as_well(self) -> None:
        for value in BAD_VALUES:
            with self.subTest(value=value):
                self.refused("manual", value)
                if value not in {"-7", HUGE}:
                    self.refused("pose", "missing.anim", "--", value)

    def test_what_is_unknown_is_named(self) -> None:
        for arguments, word in (
            (["frobnicate"], 'found "frobnicate", allowed is one of formats, info, '),
            (["oban", "eat"], 'found "eat", allowed is one of list, extract, replace, pack'),
            (["oban"], "see animbridge oban --help"),
            (["info", "a", "--wrong"], "--wrong"),
            (["rig-map", "b\x1b[2J"], "b\\x1B[2J"),
            ([], "see animbridge --help"),
        ):
            with self.subTest(arguments=arguments):
                self.assertIn(word, self.refused(*arguments))

    def test_what_is_in_files_is_not_a_wrong_call(self) -> None:
        anim = self.fixtures / "minimal.anim"
        oban = self.fixtures.parent / "oban"
        broken = self.folder / "broken.json"
        broken.write_text("{", encoding="utf-8")
        cut = self.folder / "cut.oban"
        cut.write_bytes((oban / "swing.oban").read_bytes()[:100])
        ini = self.folder / "no.ini"
        for arguments in (
            ["convert", broken, self.folder / "out.anim"],
            ["info", cut],
            ["convert", anim, self.folder / "out.bvh", "--anim-ini", ini],
            ["oban", "replace", oban / "level_pc.dat", "swing", cut, "--out", self.folder / "out.dat"],
            ["oban", "pack", self.folder / "level1_A.dat", cut],
            ["oban", "extract", cut, "--out", self.folder / "out"],
        ):
            with self.subTest(arguments=arguments):
                result = run(*arguments)
                self.assertEqual(result.returncode, 1, result.stderr)

    def test_what_was_asked_of_a_file_is_a_wrong_call(self) -> None:
        anim = self.fixtures / "minimal.anim"
        oban = self.fixtures.parent / "oban"
        out = self.folder / "out"
        for arguments in (
            ["convert", anim, f"{out}.anim", "--edit", '{"no_such": 1}'],
            ["convert", anim, f"{out}.anim", "--edit", '{"hand_pose": "x"}'],
            ["convert", anim, f"{out}.bvh", "--edit", '{"decimals": 99}'],
            ["edit", anim, f"{out}.anim"],
            ["edit", anim, f"{out}.anim", "--decimals", "3"],
            ["edit", anim, f"{out}.bvh", "--loop"],
            ["edit", anim, f"{out}.json", "--loop"],
            ["edit", anim, f"{out}.anim", "--joint-priority", "mTorsa=3"],
            ["edit", oban / "level_pc.dat", f"{out}.dat", "--flags", "0"],
            ["reduce", oban / "swing.oban", f"{out}.oban"],
            ["convert", anim, f"{out}.bvh", "--priority", "3"],
            ["convert", anim, f"{out}.anim", "--fps", "30"],
            ["convert", oban / "level_pc.dat", f"{out}.oni", "--oban", "nobody"],
            ["compare", anim, oban / "swing.oban"],
            ["pose", oban / "swing.oban", "0", "--stop", "1"],
        ):
            with self.subTest(arguments=arguments):
                self.refused(*arguments)


SWITCHES = {
    "--fix",
    "--keep-shape",
    "--use-spine",
    "--on-tpose",
    "--mirror",
    "--reverse",
    "--no-travel",
    "--close-loop",
    "--digest",
    "--json-lines",
    "--newer",
    "--quiet",
    "--resume",
    "--retry-failed",
    "--no-side-files",
    "--no-carrier-mesh",
    "--camera",
    "--keep-heading",
    "--strict",
    "--all",
    "--as-stored",
    "--loop",
    "--no-loop",
    "--every-frame",
    "--all-joints",
    "--no-reference-frame",
    "--exact-frames",
    "--mac",
    "--repair-rotation-w",
    "--repair-zero-rotations",
    "--continue-signs",
    "--start-at-zero",
    "--retarget",
    "--no-align",
    "--in-place",
    "--force",
    "--from-origin",
    "--on-ground",
    "--plant-feet",
    "--no-keep-touch",
    "--no-retarget",
    "--keep-first-frame",
    "--swap-sides",
}


if __name__ == "__main__":
    main()

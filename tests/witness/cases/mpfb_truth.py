# SPDX-License-Identifier: MIT
"""Which bone is which part of the body on MPFB's six rigs: by hand, from names; tests check the places.

{S} stands for L/R, {s} for l/r, {Side} for Left/Right, {side} for left/right. `also` are bones that are as
right as the first one: the second of two bones that make one part.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Words = dict[str, str]


@dataclass(frozen=True)
class BodyRig:
    """Slots, other right answers, and chains (top first) of one rig, both sides spelt out."""

    truth: Words
    also: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    chains: dict[str, list[str]] = field(default_factory=dict[str, list[str]])


_SIDES = (
    {"S": "L", "s": "l", "Side": "Left", "side": "left"},
    {"S": "R", "s": "r", "Side": "Right", "side": "right"},
)


def _both(words: Words) -> Words:
    """{"{side}Hand": "wrist.{S}"} once for each side; what has no braces stays."""
    return {
        slot.format(**side): bone.format(**side)
        for side in _SIDES
        for slot, bone in words.items()
        if "{" in slot or side is _SIDES[0]
    }


def _both_lists(lists: dict[str, list[str]]) -> dict[str, list[str]]:
    return {
        slot.format(**side): [bone.format(**side) for bone in bones]
        for side in _SIDES
        for slot, bones in lists.items()
        if "{" in slot or side is _SIDES[0]
    }


def _fingers(pattern: str, words: tuple[str, ...]) -> Words:
    """Three bones of the thumb and of four fingers; {f} is the finger's word, {n} counts its bones."""
    result: Words = {}
    for finger, word in zip(("Thumb", "Index", "Middle", "Ring", "Little"), words, strict=True):
        middle = ("Metacarpal", "Proximal") if finger == "Thumb" else ("Proximal", "Intermediate")
        for n, part in enumerate((*middle, "Distal"), 1):
            name = pattern.replace("{f}", word).replace("{n}", str(n))
            result[f"{{side}}{finger}{part}"] = name
    return result


def _metacarpals(pattern: str) -> Words:
    fingers = enumerate(("Index", "Middle", "Ring", "Little"), 1)
    return {f"{{side}}{finger}Metacarpal": pattern.replace("{n}", str(n)) for n, finger in fingers}


_MIXAMO = {
    "hips": "mixamorig:Hips",
    "spine": "mixamorig:Spine",
    "chest": "mixamorig:Spine1",
    "upperChest": "mixamorig:Spine2",
    "neck": "mixamorig:Neck",
    "head": "mixamorig:Head",
    "{side}UpperLeg": "mixamorig:{Side}UpLeg",
    "{side}LowerLeg": "mixamorig:{Side}Leg",
    "{side}Foot": "mixamorig:{Side}Foot",
    "{side}Toes": "mixamorig:{Side}ToeBase",
    "{side}Shoulder": "mixamorig:{Side}Shoulder",
    "{side}UpperArm": "mixamorig:{Side}Arm",
    "{side}LowerArm": "mixamorig:{Side}ForeArm",
    "{side}Hand": "mixamorig:{Side}Hand",
    **_fingers("mixamorig:{Side}Hand{f}{n}", ("Thumb", "Index", "Middle", "Ring", "Pinky")),
}
_MIXAMO_SPINE = {"spine": ["mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Spine2"]}

RIGS: dict[str, BodyRig] = {
    "default": BodyRig(
        truth=_both(
            {
                "hips": "root",
                "spine": "spine04",
                "chest": "spine03",
                "upperChest": "spine02",
                "neck": "neck01",
                "head": "head",
                "jaw": "jaw",
                "{side}Eye": "eye.{S}",
                "{side}UpperLeg": "upperleg01.{S}",
                "{side}LowerLeg": "lowerleg01.{S}",
                "{side}Foot": "foot.{S}",
                "{side}Shoulder": "shoulder01.{S}",
                "{side}UpperArm": "upperarm01.{S}",
                "{side}LowerArm": "lowerarm01.{S}",
                "{side}Hand": "wrist.{S}",
                **_metacarpals("metacarpal{n}.{S}"),
                **_fingers("finger{f}-{n}.{S}", ("1", "2", "3", "4", "5")),
            }
        ),
        also=_both_lists(
            {
                "spine": ["spine05"],
                "upperChest": ["spine01"],
                "neck": ["neck02"],
                "{side}Shoulder": ["clavicle.{S}"],
            }
        ),
        chains=_both_lists(
            {
                "spine": ["spine05", "spine04", "spine03", "spine02", "spine01"],
                "neck": ["neck01", "neck02", "neck03"],
                "{side}Shoulder": ["clavicle.{S}", "shoulder01.{S}"],
                "{side}UpperArm": ["upperarm01.{S}", "upperarm02.{S}"],
                "{side}LowerArm": ["lowerarm01.{S}", "lowerarm02.{S}"],
                "{side}UpperLeg": ["upperleg01.{S}", "upperleg02.{S}"],
                "{side}LowerLeg": ["lowerleg01.{S}", "lowerleg02.{S}"],
            }
        ),
    ),
    "game_engine": BodyRig(
        truth=_both(
            {
                "root": "Root",
                "hips": "pelvis",
                "spine": "spine_01",
                "chest": "spine_02",
                "upperChest": "spine_03",
                "neck": "neck_01",
                "head": "head",
                "{side}UpperLeg": "thigh_{s}",
                "{side}LowerLeg": "calf_{s}",
                "{side}Foot": "foot_{s}",
                "{side}Toes": "ball_{s}",
                "{side}Shoulder": "clavicle_{s}",
                "{side}UpperArm": "upperarm_{s}",
                "{side}LowerArm": "lowerarm_{s}",
                "{side}Hand": "hand_{s}",
                **_fingers("{f}_0{n}_{s}", ("thumb", "index", "middle", "ring", "pinky")),
            }
        ),
        chains={"spine": ["spine_01", "spine_02", "spine_03"]},
    ),
    "cmu_mb": BodyRig(
        truth=_both(
            {
                "hips": "Hips",
                "spine": "LowerBack",
                "chest": "Spine",
                "upperChest": "Spine1",
                "neck": "Neck",
                "head": "Head",
                "{side}UpperLeg": "{Side}UpLeg",
                "{side}LowerLeg": "{Side}Leg",
                "{side}Foot": "{Side}Foot",
                "{side}Toes": "{Side}ToeBase",
                "{side}Shoulder": "{Side}Shoulder",
                "{side}UpperArm": "{Side}Arm",
                "{side}LowerArm": "{Side}ForeArm",
                "{side}Hand": "{Side}Hand",
            }
        ),
        also=_both_lists(
            {
                "neck": ["Neck1"],
                "{side}ThumbMetacarpal": ["{S}Thumb"],
                "{side}IndexMetacarpal": ["{Side}FingerBase"],
                "{side}IndexProximal": ["{Side}HandFinger1"],
                "{side}MiddleProximal": ["{Side}HandFinger1"],
            }
        ),
        chains={"spine": ["LowerBack", "Spine", "Spine1"], "neck": ["Neck", "Neck1"]},
    ),
    "mixamo": BodyRig(truth=_both(_MIXAMO), chains=_MIXAMO_SPINE),
    "mixamo_unity": BodyRig(
        truth=_both(
            {
                "root": "mixamorig:Root",
                "jaw": "mixamorig:Jaw",
                "{side}Eye": "mixamorig:{Side}Eye",
                **_MIXAMO,
            }
        ),
        chains=_MIXAMO_SPINE,
    ),
    "rigify_human": BodyRig(
        truth=_both(
            {
                "hips": "spine",
                "spine": "spine.001",
                "chest": "spine.002",
                "upperChest": "spine.003",
                # Not spine.004, the neck of Blender's own metarig: here the shoulders hang on that one.
                "neck": "spine.005",
                "head": "spine.006",
                "jaw": "jaw",
                "{side}Eye": "eye.{S}",
                "{side}UpperLeg": "thigh.{S}",
                "{side}LowerLeg": "shin.{S}",
                "{side}Foot": "foot.{S}",
                "{side}Toes": "toe.{S}",
                "{side}Heel": "heel.02.{S}",
                "{side}Shoulder": "shoulder.{S}",
                "{side}UpperArm": "upper_arm.{S}",
                "{side}LowerArm": "forearm.{S}",
                "{side}Hand": "hand.{S}",
                **_metacarpals("palm.0{n}.{S}"),
                **_fingers("{f}.0{n}.{S}", ("thumb", "f_index", "f_middle", "f_ring", "f_pinky")),
            }
        ),
        also={"jaw": ["jaw_master"], "upperChest": ["spine.004"]},
        chains={"spine": ["spine.001", "spine.002", "spine.003", "spine.004"]},
    ),
}

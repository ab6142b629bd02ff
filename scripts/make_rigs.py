#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the rig files in native/rig/data/rigs from a table of humanoid conventions (docs/rig-maps.md).

scripts/make_rigs.py TABLE.json          # after a change of the table or of what this script adds
scripts/make_rigs.py TABLE.json --check  # fails where a file is not up to date

The table has the slots of VRM 1.0 and their names in each convention. This script adds what it lacks:
the four fingers' metacarpals, tips, heels and roots, chains, roles, prefixes and hints at namesakes.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final

from rig_words import WORD_CHAINS, word_rows

ROOT: Final = Path(__file__).resolve().parent.parent
RIGS: Final = ROOT / "native" / "rig" / "data" / "rigs"
AVATAR: Final = ROOT / "native" / "rig" / "data" / "skeleton.json"

Json = dict[str, Any]
Names = dict[str, list[str]]

SIDES: Final = (("left", "Left", "L", "l"), ("right", "Right", "R", "r"))
FOUR: Final = ("Index", "Middle", "Ring", "Little")

#: Where several rigs fit equally well, the first one of this list is reported.
COMMON_FIRST: Final = (
    "secondlife", "mixamo", "humanik", "ue5", "ue4", "vrm1", "unity", "rigify_metarig", "rokoko_humanik",
    "perception_neuron", "avastar",
)  # fmt: skip


def both(pattern: str, slot: str, *names: str) -> Names:
    """Names of a slot on both sides; {S}, {L} and {l} stand for Left, L and l, {side} for left."""
    made: Names = {}
    for side, long, upper, lower in SIDES:
        words = {"S": long, "L": upper, "l": lower, "side": side}
        made[side + slot] = [name.format(**words) for name in (pattern, *names)]
    return made


def fingers(pattern: str, part: str, words: tuple[str, ...]) -> Names:
    """The same for a part of the four fingers; {f} is the finger's word."""
    made: Names = {}
    for finger, word in zip(FOUR, words, strict=True):
        made.update(both(pattern.replace("{f}", word), finger + part))
    return made


PINKY: Final = ("Index", "Middle", "Ring", "Pinky")
LITTLE: Final = ("Index", "Middle", "Ring", "Little")
IN_HAND: Final = fingers("{S}InHand{f}", "Metacarpal", PINKY)
HAND_TIPS: Final = fingers("{S}Hand{f}4", "Tip", PINKY) | both("{S}HandThumb4", "ThumbTip")
PALMS: Final = ("01", "02", "03", "04")

#: Slots that the table's canon lacks, by rig.
MORE_SLOTS: Final[dict[str, Names]] = {
    "mixamo": fingers("mixamorig:{S}Hand{f}4", "Tip", PINKY)
    | both("mixamorig:{S}HandThumb4", "ThumbTip")
    | both("mixamorig:{S}Toe_End", "ToeTip"),
    "ready_player_me": HAND_TIPS | both("{S}Toe_End", "ToeTip"),
    "humanik": IN_HAND | HAND_TIPS | {"root": ["Reference"]},
    "rokoko_humanik": IN_HAND | HAND_TIPS,
    "perception_neuron": dict(IN_HAND),
    "rokoko_newton": fingers("{S}Finger{f}Metacarpal", "Metacarpal", ("2", "3", "4", "5"))
    | fingers("{S}Finger{f}Tip", "Tip", ("2", "3", "4", "5"))
    | both("{S}Finger1Tip", "ThumbTip")
    | both("{S}ToeTip", "ToeTip")
    | {"root": ["newton"]},
    "ue4": {"root": ["root"]},
    "ue5": fingers("{f}_metacarpal_{l}", "Metacarpal", ("index", "middle", "ring", "pinky"))
    | {"root": ["root"]},
    "makehuman_game_engine": {"root": ["Root"]},
    "mesh2motion": fingers("{f}_04_leaf_{l}", "Tip", ("index", "middle", "ring", "pinky"))
    | both("thumb_04_leaf_{l}", "ThumbTip")
    | both("ball_leaf_{l}", "ToeTip")
    | {"root": ["root"]},
    "biped": {"root": ["Bip01", "Bip001"], "neck": ["Bip01 Neck", "Bip001 Neck"]}
    | both("Bip001 {L} Toe", "Toes")
    # Fingers with names instead of numbers, as in rigs of games on Sketchfab.
    | both("Bip001 {L} Thumb1", "ThumbMetacarpal")
    | both("Bip001 {L} Thumb2", "ThumbProximal")
    | both("Bip001 {L} Thumb3", "ThumbDistal")
    | {
        slot: names
        for number, part in (("1", "Proximal"), ("2", "Intermediate"), ("3", "Distal"))
        for slot, names in fingers("Bip001 {L} {f}" + number, part, PINKY).items()
    },
    "daz_genesis9": fingers("{l}_{f}metacarpal", "Metacarpal", ("index", "mid", "ring", "pinky")),
    "renderpeople": {"root": ["root"]},
    "godot": {"root": ["Root"]},
    "vroid": {"root": ["Root"]},
    "mmd": {"root": ["全ての親"]},
    "bandai_namco": {"root": ["joint_Root"]},
    "makehuman_old": {"root": ["Root"]},
    "reallusion_cc": {"root": ["CC_Base_BoneRoot"]},
    "actorcore": {"root": ["CC_Base_BoneRoot", "RL_BoneRoot"]},
    "makehuman_default": fingers("metacarpal{f}.{L}", "Metacarpal", ("1", "2", "3", "4")),
    "rigify_metarig": fingers("palm.{f}.{L}", "Metacarpal", PALMS) | both("heel.02.{L}", "Heel"),
    # Neck and head had names of their own before Blender 2.8.
    "rigify_deform": fingers("DEF-palm.{f}.{L}", "Metacarpal", PALMS)
    | {"neck": ["DEF-neck"], "head": ["DEF-head"]},
    "rigify_controls": {"root": ["root"]},
    "daz_genesis8": fingers("{l}Carpal{f}", "Metacarpal", ("1", "2", "3", "4")) | both("{l}Heel", "Heel"),
    "secondlife": both("mToe{S}", "ToeTip"),
    "avastar": both("Toe{S}", "ToeTip") | {"root": ["Origin"]},
    "openxr_hand": fingers("XR_HAND_JOINT_{f}_METACARPAL_EXT", "Metacarpal", tuple(f.upper() for f in LITTLE))
    | fingers("XR_HAND_JOINT_{f}_TIP_EXT", "Tip", tuple(f.upper() for f in LITTLE))
    | both("XR_HAND_JOINT_PALM_EXT", "Palm", "palm")
    | both("XR_HAND_JOINT_THUMB_TIP_EXT", "ThumbTip", "thumb-tip"),
    "mrtk_hand": fingers("{f}Metacarpal", "Metacarpal", PINKY)
    | fingers("{f}Tip", "Tip", PINKY)
    | both("Palm", "Palm")
    | both("ThumbTip", "ThumbTip"),
}

#: Names that come before the table's, by rig.
FIRST_SLOTS: Final[dict[str, Names]] = {
    # Rigify's rigs/limbs/leg.py since Blender 2.8. After toe.L alone, DEF-toe.L would be taken.
    "rigify_controls": both("toe_fk.{L}", "Toes"),
}

#: WebXR has words of its own for the same joints.
WEBXR: Final = fingers("{f}-finger-metacarpal", "Metacarpal", tuple(f.lower() for f in LITTLE)) | fingers(
    "{f}-finger-tip", "Tip", tuple(f.lower() for f in LITTLE)
)

#: Joints between the slots, which tell rigs with more of them apart.
CHAINS: Final[dict[str, Names]] = {
    "ue5": {"spine": [f"spine_0{i}" for i in range(1, 6)], "neck": ["neck_01", "neck_02"]},
    "daz_genesis8": {
        "spine": ["abdomenLower", "abdomenUpper", "chestLower", "chestUpper"],
        "neck": ["neckLower", "neckUpper"],
        "leftUpperArm": ["lShldrBend", "lShldrTwist"],
        "rightUpperArm": ["rShldrBend", "rShldrTwist"],
        "leftLowerArm": ["lForearmBend", "lForearmTwist"],
        "rightLowerArm": ["rForearmBend", "rForearmTwist"],
        "leftUpperLeg": ["lThighBend", "lThighTwist"],
        "rightUpperLeg": ["rThighBend", "rThighTwist"],
    },
    "daz_genesis9": {"spine": ["spine1", "spine2", "spine3", "spine4"], "neck": ["neck1", "neck2"]},
    "xsens_mvn": {"spine": ["L5", "L3", "T12", "T8"]},
    "humanik": {
        "spine": ["Spine", *(f"Spine{i}" for i in range(1, 10))],
        "neck": ["Neck", *(f"Neck{i}" for i in range(1, 10))],
    },
    "perception_neuron": {"spine": ["Spine", "Spine1", "Spine2", "Spine3"]},
    "cmu_motionbuilder": {"spine": ["LowerBack", "Spine", "Spine1"], "neck": ["Neck", "Neck1"]},
    "cmu_3dsmax": {"neck": ["lowerneck", "Neck"]},
    "cmu_asf": {"spine": ["lowerback", "upperback", "thorax"], "neck": ["lowerneck", "upperneck"]},
    "makehuman_default": {
        "spine": [f"spine0{i}" for i in range(5, 0, -1)],
        "neck": ["neck01", "neck02", "neck03"],
        **both("upperarm01.{L}", "UpperArm", "upperarm02.{L}"),
        **both("lowerarm01.{L}", "LowerArm", "lowerarm02.{L}"),
        **both("upperleg01.{L}", "UpperLeg", "upperleg02.{L}"),
        **both("lowerleg01.{L}", "LowerLeg", "lowerleg02.{L}"),
        **both("clavicle.{L}", "Shoulder", "shoulder01.{L}"),
    },
    "rigify_metarig": {
        "spine": ["spine.001", "spine.002", "spine.003"],
        "neck": ["spine.004", "spine.005"],
    },
    "rigify_deform": {
        "spine": ["DEF-spine.001", "DEF-spine.002", "DEF-spine.003"],
        "neck": ["DEF-spine.004", "DEF-spine.005"],
        **both("DEF-upper_arm.{L}", "UpperArm", "DEF-upper_arm.{L}.001"),
        **both("DEF-forearm.{L}", "LowerArm", "DEF-forearm.{L}.001"),
        **both("DEF-thigh.{L}", "UpperLeg", "DEF-thigh.{L}.001"),
        **both("DEF-shin.{L}", "LowerLeg", "DEF-shin.{L}.001"),
    },
    "biped": {"spine": ["Bip01 Spine", "Bip01 Spine1", "Bip01 Spine2", "Bip01 Spine3"]},
    "advanced_skeleton": {"spine": [*(f"Spine{i}_M" for i in range(1, 5)), "Chest_M"]},
    "half_life": {"spine": [f"{bip} Spine{i}" for bip in ("Bip01", "Bip02") for i in ("", 1, 2, 3)]},
    "reallusion_cc": {"neck": ["CC_Base_NeckTwist01", "CC_Base_NeckTwist02"]},
    "actorcore": {"neck": ["CC_Base_NeckTwist01", "CC_Base_NeckTwist02"]},
    "secondlife": {"tail": [f"mTail{i}" for i in range(1, 7)]},
    "avastar": {"tail": [f"Tail{i}" for i in range(1, 7)]},
    "bitmoji": {"spine": [f"C_spine{i:04}" for i in range(1, 8)]},
    "snapmogen": {"spine": [f"C_spine{i:04}" for i in range(1, 4)], "neck": ["C_neck0001", "C_neck0002"]},
    "quadruped": {
        "tail": [
            "Tail_Base", "Tail_Mid", "Tail_Mid.001", "Tail_Mid.002", "Tail_Mid.003", "Tail_End", "Tail_Tip",
            *(f"tail_{i}" for i in range(1, 7)), *(f"Tail{i}" for i in range(1, 7)),
            *(f"Tail0{i}" for i in range(1, 7)),
        ]
    },
    **WORD_CHAINS,
}  # fmt: skip

PREFIXES: Final[dict[str, list[str]]] = {
    "mixamo": ["mixamorig"],
    "biped": ["Bip01", "Bip001"],
    "vroid": ["J_Bip_C", "J_Bip", "J_Adj"],
    "reallusion_cc": ["CC_Base"],
    "actorcore": ["CC_Base"],
    "smpl_fbx": ["m_avg", "f_avg"],
    "rigify_deform": ["DEF"],
    "humanik": ["Character1"],
    "openxr_hand": ["XR_HAND_JOINT"],
    "german": ["Bip01", "Bip001"],
}

#: What joints without a slot are for, in every rig. '*' stands for any text, at the ends only.
ROLES: Final[Names] = {
    "twist": ["*twist*", "*roll*"],
    "leaf": ["*_leaf*", "*_end", "*nub", "*headtop*", "*headvertex*", "*endsite*"],
    "helper": ["*hipjoint", "*helper*", "ik_*", "*_ik_*", "*pole*", "mch_*", "org_*", "vis_*"],
    "attachment": ["*socket*", "*weapon*", "*attach*", "props_*"],
}
MORE_ROLES: Final[dict[str, Names]] = {
    "secondlife": {"helper": [f"mSpine{i}" for i in range(1, 5)]},
    "avastar": {"helper": [f"Spine{i}" for i in range(1, 5)]},
    "poser_daz": {"helper": ["*buttock", "neckDummy"], "leaf": ["figureHair"]},
    "makehuman_old": {"helper": ["__*"]},
    "makehuman_default": {"helper": ["*toe*"]},
    "daz_genesis9": {"helper": ["*_metatarsal"]},
    # One joint stands for all fingers: it is no finger.
    "cmu_motionbuilder": {"leaf": ["*FingerBase", "*HandIndex1", "*HandFinger1", "LThumb", "RThumb"]},
    "cmu_3dsmax": {"leaf": ["*FingerBase", "*HandIndex1", "*HandFinger1", "LThumb", "RThumb"]},
    "cmu_asf": {"leaf": ["lfingers", "rfingers", "lthumb", "rthumb"], "helper": ["lwrist", "rwrist"]},
    "ue5": {"helper": ["*_correctiveroot_*", "interaction", "center_of_mass"]},
}

#: Rigs in which one armature has several sets of bones, and joints of a set are not each other's parents.
LOOSE: Final = frozenset({"rigify_deform", "rigify_controls", "avastar"})
#: Which of the sets serves when the rig is read, and which when it is animated.
USE: Final = {"rigify_deform": "source", "rigify_controls": "target"}

#: Names that stand for different joints in different rigs: there the parent's name is a hint.
NAMESAKES: Final = frozenset(
    {"shoulder", "leg", "foot", "hip", "spine", "spine1", "thumbproximal", "hips", "chest"}
)
PARENT_SLOTS: Final[dict[str, list[str]]] = {
    "spine": ["hips"],
    "chest": ["spine"],
    "upperChest": ["chest", "spine"],
    "Shoulder": ["upperChest", "chest", "spine"],
    "UpperArm": ["Shoulder", "upperChest", "chest"],
    "UpperLeg": ["hips"],
    "LowerLeg": ["UpperLeg"],
    "Foot": ["LowerLeg"],
    "Toes": ["Foot"],
    "ThumbMetacarpal": ["Hand"],
    "ThumbProximal": ["ThumbMetacarpal"],
}

#: Where the table's source is no public place.
SOURCES: Final = {
    "daz_genesis9": "bone names in public maps from Genesis 9 to UE5",
    "poser_daz": "CMU's daz-friendly BVH (cgspeed); Linden Lab's BVH files",
    "cmu_asf": "CMU Acclaim files (mocap.cs.cmu.edu); unverified",
    "perception_neuron": "bone names in public maps of Axis Neuron's BVH",
    "optitrack": "bone names in public code that reads Motive (NatNet)",
    "xsens_mvn": "the 23 segments of MVN in public code",
    "lafan1": "names that tools for ubisoft/ubisoft-laforge-animation-dataset use: unverified",
    "smpl_fbx": "bone names in public code that reads SMPL's FBX",
    "mrtk_hand": "microsoft/MixedRealityToolkit-Unity: TrackedHandJoint.cs",
}

UNITY_XR: Final[Json] = {
    "title": "Unity XR Hands (XRHandJointID)",
    "source": "Unity's package com.unity.xr.hands, enumeration XRHandJointID",
    "licence": "names are facts",
    "names": both("Wrist", "Hand")
    | both("ThumbMetacarpal", "ThumbMetacarpal")
    | both("ThumbProximal", "ThumbProximal")
    | both("ThumbDistal", "ThumbDistal")
    | {
        slot: names
        for part in ("Proximal", "Intermediate", "Distal")
        for slot, names in fingers("{f}" + part, part, LITTLE).items()
    },
    "note": "one set of names for both hands; the side is in a prefix or in a joint above",
}
MORE_SLOTS["unity_xr_hand"] = (
    fingers("{f}Metacarpal", "Metacarpal", LITTLE)
    | fingers("{f}Tip", "Tip", LITTLE)
    | both("Palm", "Palm")
    | both("ThumbTip", "ThumbTip")
)


#: Snap's characters: each name is a side, a part, a number and "bind_JNT".
SNAP_LIMBS: Final[Names] = (
    both("{L}_clavicle", "Shoulder")
    | both("{L}_armUpper0001", "UpperArm", "{L}_armUpper")
    | both("{L}_armLower0001", "LowerArm", "{L}_armLower")
    | both("{L}_hand0001", "Hand")
    | both("{L}_legUpper0001", "UpperLeg", "{L}_legUpper")
    | both("{L}_legLower0001", "LowerLeg", "{L}_legLower")
    | both("{L}_foot0001", "Foot")
    | both("{L}_foot0002", "Toes")
    | both("{L}_handThumb0001", "ThumbMetacarpal")
    | both("{L}_handThumb0002", "ThumbProximal")
    | both("{L}_handThumb0003", "ThumbDistal")
    | {
        slot: names
        for number, part in (("2", "Proximal"), ("3", "Intermediate"), ("4", "Distal"))
        for slot, names in fingers(
            "{L}_hand{f}000" + number, part, ("Pointer", "Middle", "Ring", "Pinky")
        ).items()
    }
)
SNAP: Final[dict[str, Json]] = {
    "bitmoji": {
        "title": "Bitmoji",
        "source": "playcanvas/engine: examples/assets/animations/bitmoji",
        "licence": "names are facts",
        "names": {
            "hips": ["C_spine0001"],
            "spine": ["C_spine0002"],
            "chest": ["C_spine0006", "C_spine0003"],
            "neck": ["C_neck0001"],
            "head": ["C_head0001", "C_head"],
            "jaw": ["C_jaw"],
        }
        | SNAP_LIMBS,
    },
    "snapmogen": {
        "title": "SnapMoGen's BVH",
        "source": "snap-research/SnapMoGen: utils/T_Pose.bvh",
        "licence": "names are facts",
        "names": {
            "root": ["ROOT"],
            "hips": ["C_pelvis0001"],
            "spine": ["C_spine0001"],
            "chest": ["C_spine0002"],
            "upperChest": ["C_spine0003"],
            "neck": ["C_neck0001"],
            "head": ["C_head", "C_head0001"],
        }
        | SNAP_LIMBS,
    },
}

#: Biped before its bones had words of their own: the limbs are counted from the body outwards.
BIPS: Final = ("Bip01", "Bip02")


def counted(slot: str, name: str) -> Names:
    first, *more = (f"{bip} {{L}} {name}" for bip in BIPS)
    return both(first, slot, *more)


HALF_LIFE: Final[dict[str, Json]] = {
    "half_life": {
        "title": "Half-Life's models (Biped of 1998)",
        "source": "twhl-community/halflife-unified-sdk-assets: modelsrc",
        "licence": "names are facts",
        "names": {
            slot: [f"{bip} {name}" for bip in BIPS]
            for slot, name in (
                ("hips", "Pelvis"), ("spine", "Spine"), ("chest", "Spine1"),
                ("upperChest", "Spine2"), ("neck", "Neck"), ("head", "Head"),
            )
        }
        | {
            key: names
            for slot, name in (
                ("UpperLeg", "Leg"), ("LowerLeg", "Leg1"), ("Foot", "Foot"), ("Toes", "Toe0"),
                ("Shoulder", "Arm"), ("UpperArm", "Arm1"), ("LowerArm", "Arm2"), ("Hand", "Hand"),
            )
            for key, names in counted(slot, name).items()
        },
    },
}  # fmt: skip


#: The joints that Advanced Skeleton builds in Maya: _M in the middle, _L and _R at the sides.
ADVANCED_SKELETON: Final[dict[str, Json]] = {
    "advanced_skeleton": {
        "title": "Advanced Skeleton (Maya)",
        "source": "https://animationstudios.com.au: joints of its biped",
        "licence": "names are facts",
        "names": {
            slot: f"{name}_M"
            for slot, name in (
                ("hips", "Root"), ("spine", "Spine1"), ("chest", "Chest"),
                ("neck", "Neck"), ("head", "Head"), ("jaw", "Jaw"),
            )
        }
        | {
            key: names
            for slot, name in (
                ("Eye", "Eye"), ("UpperLeg", "Hip"), ("LowerLeg", "Knee"), ("Foot", "Ankle"),
                ("Toes", "Toes"), ("ToeTip", "ToesEnd"), ("Heel", "Heel"), ("Shoulder", "Scapula"),
                ("UpperArm", "Shoulder"), ("LowerArm", "Elbow"), ("Hand", "Wrist"),
                ("ThumbMetacarpal", "ThumbFinger1"), ("ThumbProximal", "ThumbFinger2"),
                ("ThumbDistal", "ThumbFinger3"),
                *(
                    (finger + part, f"{word}Finger{i}")
                    for finger, word in zip(FOUR, PINKY, strict=True)
                    for i, part in enumerate(("Proximal", "Intermediate", "Distal"), 1)
                ),
            )
            for key, names in both(f"{name}_{{L}}", slot).items()
        },
    },
}  # fmt: skip


#: A body on four legs. It is not a person's, so it counts only if the user names it. Slots with the names of
#: Second Life's joints move these.
QUADRUPED: Final[Json] = {
    "title": "Four legs: fox, horse, dog",
    "source": "Mesh2Motion/mesh2motion-app: static/rigs; KhronosGroup/glTF-Sample-Models: Fox; Quaternius",
    "licence": "names are facts",
    "names": {
        "hips": ["Hips", "b_Hip", "Back"],
        "spine": ["Spine_1", "b_Spine01", "Torso"],
        "chest": ["Spine_2.001", "spine_4", "b_Spine02", "Torso3", "Shoulders"],
        "neck": ["spine_5", "Spine_3", "b_Neck", "Neck1", "Neck"],
        "head": ["Head"],
    }
    | both("Front_Leg_Shoulder_{L}", "Shoulder", "front_scapula_{l}", "FrontShoulder.{L}", "FrontLeg.{L}")
    | both(
        "Front_Leg_Upper_{L}", "UpperArm",
        "front_humerus_{l}", "b_{S}UpperArm", "FrontUpperLeg.{L}", "FrontUpLeg.{L}",
    )
    | both(
        "Front_Leg_Lower_{L}", "LowerArm",
        "front_leg_upper_{l}", "b_{S}ForeArm", "FrontLowerLeg.{L}", "FrontLowLeg.{L}",
    )
    | both("Front_Leg_Ankle_{L}", "Hand", "front_leg_lower_{l}", "b_{S}Hand", "FrontFoot.{L}")
    | {
        f"mHindLimb{number}{side}": [name.format(S=side, L=side[0], l=side[0].lower()) for name in names]
        for side in ("Left", "Right")
        for number, names in enumerate(
            (
                ("Back_Leg_Upper_{L}", "b_{S}Leg01", "BackUpLeg.{L}", "BackLeg.{L}", "HindLeg_{L}_01"),
                ("Back_Leg_Lower_{L}", "b_{S}Leg02", "BackLowLeg.{L}", "BackUpperLeg.{L}", "HindLeg_{L}_02"),
                ("Back_Leg_Ankle_{L}", "b_{S}Foot01", "BackFoot.{L}", "BackLowerLeg.{L}", "HindLeg_{L}_03"),
                ("Back_Leg_Foot_{L}", "b_{S}Foot02", "HindLeg_{L}_04"),
            ),
            start=1,
        )
    },
}  # fmt: skip


def part_of(slot: str) -> tuple[str, str]:
    """The side's word and the rest: ("left", "Hand"); ("", "hips")."""
    for side in ("left", "right"):
        if slot.startswith(side):
            return side, slot[len(side) :]
    return "", slot


def without_side(name: str) -> str:
    folded = "".join(letter for letter in name.rsplit(":", maxsplit=1)[-1].lower() if letter.isalnum())
    for side in ("left", "right"):
        folded = folded.replace(side, "", 1)
    return folded


def parent_hints(slots: Names) -> Names:
    hints: Names = {}
    for slot, names in slots.items():
        side, part = part_of(slot)
        for name in names:
            if without_side(name) not in NAMESAKES and without_side(name)[1:] not in NAMESAKES:
                continue
            above = [
                found
                for parent in PARENT_SLOTS.get(part, [])
                for found in slots.get(parent if parent[0].islower() else side + parent, [])
            ]
            if above:
                hints[name] = above
    return hints


def roles_of(rig: str) -> Names:
    roles = {role: list(names) for role, names in ROLES.items()}
    for role, names in MORE_ROLES.get(rig, {}).items():
        roles[role] += names
    if rig == "secondlife":
        avatar = json.loads(AVATAR.read_text(encoding="utf-8"))
        for kind in ("collision_volumes", "attachment_points"):
            roles["attachment"] += [each["name"] for each in avatar[kind]]
    return roles


def rig_file(rig: str, row: Json) -> Json:
    slots: Names = {}
    first, more = FIRST_SLOTS.get(rig, {}), MORE_SLOTS.get(rig, {})
    for slot, names in (*row["names"].items(), *more.items()):
        known = slots.setdefault(slot, list(first.get(slot, [])))
        known.extend(names if isinstance(names, list) else [names])
    if rig == "openxr_hand":
        for slot, names in WEBXR.items():
            slots[slot] += names
    made: Json = {
        "animbridge_rig": 1,
        "id": rig,
        "title": row["title"],
        "source": SOURCES.get(rig, row["source"]),
        "licence": row["licence"] or "names are facts",
    }
    if row.get("note"):
        made["note"] = row["note"]
    if rig in COMMON_FIRST:
        made["rank"] = COMMON_FIRST.index(rig)
    if rig in USE:
        made["use"] = USE[rig]
    if rig in LOOSE:
        made["loose"] = True
    if rig in PREFIXES:
        made["prefixes"] = PREFIXES[rig]
    made["slots"] = slots
    hints = parent_hints(slots)
    if hints and rig not in LOOSE:
        made["parents"] = hints
    if rig in CHAINS:
        made["chains"] = CHAINS[rig]
    made["roles"] = roles_of(rig)
    return made


def text_of(rig: Json) -> str:
    """A line per slot, so that a change shows what changed."""
    lines: list[str] = []
    for key, value in rig.items():
        head = f"  {json.dumps(key)}: "
        if isinstance(value, dict):
            inner = ",\n".join(
                f"    {json.dumps(name, ensure_ascii=False)}: {json.dumps(names, ensure_ascii=False)}"
                for name, names in value.items()
            )
            lines.append(head + "{\n" + inner + "\n  }")
        else:
            lines.append(head + json.dumps(value, ensure_ascii=False))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def rig_files(table: Json) -> dict[Path, str]:
    rows: Json = dict(table["conventions"])
    rows["unity_xr_hand"] = UNITY_XR
    rows["quadruped"] = QUADRUPED
    rows |= SNAP | HALF_LIFE | ADVANCED_SKELETON | word_rows()
    return {RIGS / f"{rig}.json": text_of(rig_file(rig, row)) for rig, row in rows.items()}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("table", type=Path, help='JSON: {"conventions": {id: {"title", "names", ...}}}')
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file would change")
    arguments = parser.parse_args()
    wanted = rig_files(json.loads(arguments.table.read_text(encoding="utf-8")))
    if arguments.check:
        old = {path: path.read_text(encoding="utf-8") for path in RIGS.glob("*.json")}
        changed = sorted(path.name for path in {*wanted, *old} if wanted.get(path) != old.get(path))
        if changed:
            print(f"not up to date: {', '.join(changed)}. Run scripts/make_rigs.py TABLE", file=sys.stderr)
        return 1 if changed else 0
    for path in set(RIGS.glob("*.json")) - set(wanted):
        path.unlink()
    for path, text in wanted.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

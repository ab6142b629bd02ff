# SPDX-License-Identifier: MIT
"""How skeletons of naming conventions differ from the ideal body: joints above, between, beside its slots.

Only facts that decide whether a map is found right: a root above the hips, joints of no length, extra
spine and neck bones, metacarpals, tips, twist bones, helpers, and joints that hang elsewhere. A fact that is
true for both sides is said once: {Side} stands for Left/Right, {side} for left/right, {S} for L/R, {s} for
l/r, {jp} for the Japanese words.
"""

from __future__ import annotations

from dataclasses import dataclass

from .humanoid_body import FINGERS, SIDES


@dataclass(frozen=True)
class Between:
    """A joint between `upper` and each of `lowers`, at a fraction of the way to the first of them."""

    name: str
    upper: str
    lowers: tuple[str, ...]
    fraction: float = 0.5
    slot: str = ""  # what the joint is, where it is a slot
    also: str = ""  # a slot of the table that this joint would also be right for
    at: str = ""  # instead of the fraction: the slot at whose place the joint stands


@dataclass(frozen=True)
class Leaf:
    """A joint below `parent`, displaced from it, or at a slot's place of the ideal body."""

    name: str
    parent: str  # a slot or a joint's name; "" for a second joint without a parent
    at: str | tuple[float, float, float] = (0.0, 0.0, 0.02)
    slot: str = ""


@dataclass(frozen=True)
class Move:
    """The joint of a slot hangs on another slot or joint."""

    slot: str
    parent: str


@dataclass(frozen=True)
class Zero:
    """The joint of a slot stands where its parent stands: OFFSET 0 0 0."""

    slot: str


Fact = Between | Leaf | Move | Zero

_SIDE_WORDS = {
    "left": {"Side": "Left", "side": "left", "S": "L", "s": "l", "jp": "左"},
    "right": {"Side": "Right", "side": "right", "S": "R", "s": "r", "jp": "右"},
}


def _with_side(fact: Fact, side: str) -> Fact:
    """A fact with its words for one side; displacements of the left are mirrored for the right."""

    def worded(text: str) -> str:
        return text.format(**_SIDE_WORDS[side])

    if isinstance(fact, Between):
        lowers = tuple(worded(lower) for lower in fact.lowers)
        names = (worded(fact.name), worded(fact.upper), lowers)
        return Between(*names, fact.fraction, worded(fact.slot), worded(fact.also), fact.at)
    if isinstance(fact, Leaf):
        at = fact.at
        if isinstance(at, str):
            at = worded(at)
        elif side == "right":
            at = (-at[0], at[1], at[2])
        return Leaf(worded(fact.name), worded(fact.parent), at, worded(fact.slot))
    if isinstance(fact, Move):
        return Move(worded(fact.slot), worded(fact.parent))
    return Zero(worded(fact.slot))


def both_sides(facts: tuple[Fact, ...]) -> list[Fact]:
    """Facts with {..} once for each side; the others as they are."""
    result: list[Fact] = []
    for fact in facts:
        result += [_with_side(fact, side) for side in SIDES] if "{" in repr(fact) else [fact]
    return result


def _root(name: str) -> tuple[Fact, ...]:
    return (Between(name, "", ("hips",), 0.0, slot="root"),)


def _twists(*pairs: tuple[str, str]) -> tuple[Fact, ...]:
    """Twist bones beside the next joint, half-way along a limb: name and "slot of the limb > next slot"."""
    return tuple(Leaf(name, limb.split(">")[0], "mid:" + limb) for name, limb in pairs)


def _metacarpals(pattern: str, words: tuple[str, ...] = FINGERS) -> tuple[Fact, ...]:
    """Metacarpals between the hand and each finger; {finger} and {n} (from 1) in the pattern."""
    facts: list[Fact] = []
    for n, (finger, word) in enumerate(zip(FINGERS, words, strict=True), 1):
        name = pattern.replace("{finger}", word).replace("{n}", str(n))
        facts.append(
            Between(name, "{side}Hand", (f"{{side}}{finger}Proximal",), 0.25, f"{{side}}{finger}Metacarpal")
        )
    return tuple(facts)


def _tips(pattern: str, words: tuple[str, ...]) -> tuple[Fact, ...]:
    """Fingertips, thumb first; {finger} in the pattern."""
    return tuple(
        Leaf(
            pattern.replace("{finger}", word),
            f"{{side}}{finger}Distal",
            f"{{side}}{finger}Tip",
            f"{{side}}{finger}Tip",
        )
        for finger, word in zip(("Thumb", *FINGERS), words, strict=True)
    )


_PINKY = ("Index", "Middle", "Ring", "Pinky")
_MIXAMO_TIPS = _tips("{Side}Hand{finger}4", ("Thumb", *_PINKY))
_UE_TWISTS = _twists(
    ("upperarm_twist_01_{s}", "{side}UpperArm>{side}LowerArm"),
    ("lowerarm_twist_01_{s}", "{side}LowerArm>{side}Hand"),
    ("thigh_twist_01_{s}", "{side}UpperLeg>{side}LowerLeg"),
    ("calf_twist_01_{s}", "{side}LowerLeg>{side}Foot"),
)
_UE_IK = (
    Leaf("ik_foot_root", "root", (0.0, 0.0, 0.0)),
    Leaf("ik_foot_{s}", "ik_foot_root", "{side}Foot"),
    Leaf("ik_hand_root", "root", (0.0, 0.0, 0.0)),
    Leaf("ik_hand_gun", "ik_hand_root", "rightHand"),
    Leaf("ik_hand_{s}", "ik_hand_gun", "{side}Hand"),
)
_CC = (
    *_twists(
        ("CC_Base_{S}_UpperarmTwist01", "{side}UpperArm>{side}LowerArm"),
        ("CC_Base_{S}_ForearmTwist01", "{side}LowerArm>{side}Hand"),
        ("CC_Base_{S}_ThighTwist01", "{side}UpperLeg>{side}LowerLeg"),
        ("CC_Base_{S}_CalfTwist01", "{side}LowerLeg>{side}Foot"),
    ),
    Between("CC_Base_NeckTwist02", "neck", ("head",)),
    Leaf("CC_Base_{S}_RibsTwist", "upperChest", (0.08, -0.08, 0.05)),
)
_CMU_HANDS = (
    Leaf("{Side}FingerBase", "{side}Hand", (0.0, 0.0, 0.0)),
    Leaf("{Side}HandIndex1", "{Side}FingerBase", (0.08, 0.0, 0.0)),
    Leaf("{S}Thumb", "{side}Hand", (0.0, 0.0, 0.0)),
)
_LEFT_RIGHT_LEGS = ("leftUpperLeg", "rightUpperLeg")

_FACTS: dict[str, tuple[Fact, ...]] = {
    "mixamo": (
        Leaf("mixamorig:HeadTop_End", "head", "headTop"),
        Leaf("mixamorig:{Side}Toe_End", "{side}Toes", "{side}ToeTip", "{side}ToeTip"),
        *_tips("mixamorig:{Side}Hand{finger}4", ("Thumb", *_PINKY)),
    ),
    "makehuman_default": (
        Between("spine05", "hips", ("spine",)),
        Between("spine01", "upperChest", ("neck", "leftShoulder", "rightShoulder"), 0.6),
        Between("neck02", "neck", ("head",), 0.4),
        Between("neck03", "neck02", ("head",), 0.5),
        Between("clavicle.{S}", "spine01", ("{side}Shoulder",), 0.5, also="{side}Shoulder"),
        Between("upperarm02.{S}", "{side}UpperArm", ("{side}LowerArm",)),
        Between("lowerarm02.{S}", "{side}LowerArm", ("{side}Hand",)),
        Between("pelvis.{S}", "hips", ("{side}UpperLeg",)),
        Between("upperleg02.{S}", "{side}UpperLeg", ("{side}LowerLeg",)),
        Between("lowerleg02.{S}", "{side}LowerLeg", ("{side}Foot",)),
        *_metacarpals("metacarpal{n}.{S}"),
        Leaf("toe1-1.{S}", "{side}Foot", (-0.02, -0.12, -0.05)),
        Leaf("toe2-1.{S}", "{side}Foot", (0.0, -0.12, -0.05)),
    ),
    "makehuman_game_engine": _root("Root"),
    "ue4": (*_root("root"), *_UE_TWISTS, *_UE_IK),
    "ready_player_me": (
        Leaf("HeadTop_End", "head", "headTop"),
        Leaf("{Side}Toe_End", "{side}Toes", "{side}ToeTip", "{side}ToeTip"),
        *_MIXAMO_TIPS,
    ),
    "reallusion_cc": (
        *_root("RL_BoneRoot"),
        Between("CC_Base_Pelvis", "hips", _LEFT_RIGHT_LEGS, 0.0, also="hips"),
        *_CC,
    ),
    "actorcore": (
        *_root("RL_BoneRoot"),
        Between("CC_Base_Hip", "root", ("hips", "spine"), 1.0, also="hips"),
        Move("spine", "CC_Base_Hip"),
        *_CC,
    ),
    "rigify_metarig": (
        Between("spine.005", "neck", ("head",)),
        Leaf("pelvis.{S}", "hips", (0.05, -0.05, 0.02)),
        *_metacarpals("palm.0{n}.{S}"),
        Move("{side}ThumbMetacarpal", "{side}IndexMetacarpal"),
        Leaf("heel.02.{S}", "{side}Foot", "{side}Heel", "{side}Heel"),
        Leaf("breast.{S}", "upperChest", (0.08, -0.12, 0.0)),
    ),
    "vroid": (*_root("Root"), Leaf("J_Sec_Hair1_01", "head", (0.0, 0.05, 0.1))),
    "biped": (
        *_root("Bip01"),
        Between("Bip01 Spine", "hips", ("spine", *_LEFT_RIGHT_LEGS), 0.5, also="spine"),
        Between("Bip01 Neck", "chest", ("head", "leftShoulder", "rightShoulder"), 0.7, "neck"),
        Leaf("Bip01 HeadNub", "head", "headTop"),
        Leaf("Bip01 {S} Toe0Nub", "{side}Toes", "{side}ToeTip"),
        Leaf("Bip01 {S} Finger0Nub", "{side}ThumbDistal", "{side}ThumbTip"),
    ),
    "mmd": (
        *_root("全ての親"),
        Between("下半身", "hips", _LEFT_RIGHT_LEGS, 0.2),
        Between("{jp}腕捩", "{side}UpperArm", ("{side}LowerArm",), 0.6),
        Between("{jp}手捩", "{side}LowerArm", ("{side}Hand",), 0.6),
        Leaf("{jp}足ＩＫ", "root", "{side}Foot"),
    ),
    "godot": _root("Root"),
    "ue5": (
        *_root("root"),
        Between("spine_02", "spine", ("chest",)),
        Between("spine_04", "chest", ("upperChest",)),
        Between("neck_02", "neck", ("head",)),
        *_metacarpals("{finger}_metacarpal_{s}", ("index", "middle", "ring", "pinky")),
        *_UE_TWISTS,
        *_UE_IK,
    ),
    "rigify_deform": (
        Between("DEF-spine.005", "neck", ("head",)),
        Between("DEF-upper_arm.{S}.001", "{side}UpperArm", ("{side}LowerArm",)),
        Between("DEF-forearm.{S}.001", "{side}LowerArm", ("{side}Hand",)),
        Between("DEF-thigh.{S}.001", "{side}UpperLeg", ("{side}LowerLeg",)),
        Between("DEF-shin.{S}.001", "{side}LowerLeg", ("{side}Foot",)),
        Leaf("DEF-pelvis.{S}", "hips", (0.05, -0.05, 0.02)),
        *_metacarpals("DEF-palm.0{n}.{S}"),
    ),
    "rigify_controls": (
        *_root("root"),
        Leaf("hips", "hips", (0.0, 0.0, 0.0)),
        Leaf("chest", "chest", (0.0, 0.0, 0.0)),
        Leaf("upper_arm_parent.{S}", "{side}Shoulder", "{side}UpperArm"),
        Leaf("hand_ik.{S}", "root", "{side}Hand"),
        Leaf("foot_ik.{S}", "root", "{side}Foot"),
    ),
    "daz_genesis8": (
        Between("pelvis", "hips", _LEFT_RIGHT_LEGS, 0.1, also="hips"),
        Between(
            "chestUpper", "upperChest", ("neck", "leftShoulder", "rightShoulder"), 0.5, also="upperChest"
        ),
        Between("neckUpper", "neck", ("head",)),
        Between("{s}ShldrTwist", "{side}UpperArm", ("{side}LowerArm",)),
        Between("{s}ForearmTwist", "{side}LowerArm", ("{side}Hand",)),
        Between("{s}ThighTwist", "{side}UpperLeg", ("{side}LowerLeg",)),
        Between("{s}Metatarsals", "{side}Foot", ("{side}Toes",)),
        *_metacarpals("{s}Carpal{n}"),
    ),
    "daz_genesis9": (
        Between("pelvis", "hips", _LEFT_RIGHT_LEGS, 0.1, also="hips"),
        Between("spine3", "chest", ("upperChest",)),
        Between("neck2", "neck", ("head",)),
        Between("{s}_metatarsal", "{side}Foot", ("{side}Toes",)),
        *_metacarpals("{s}_{finger}metacarpal", ("index", "mid", "ring", "pinky")),
        *_twists(
            ("{s}_upperarmtwist1", "{side}UpperArm>{side}LowerArm"),
            ("{s}_forearmtwist1", "{side}LowerArm>{side}Hand"),
            ("{s}_thightwist1", "{side}UpperLeg>{side}LowerLeg"),
        ),
    ),
    "cmu_motionbuilder": (
        Zero("spine"),
        Between("{S}HipJoint", "hips", ("{side}UpperLeg",), 0.0),
        Zero("neck"),
        Between("Neck1", "neck", ("head",), 0.5, also="neck"),
        Zero("{side}Shoulder"),
        *_CMU_HANDS,
    ),
    "cmu_3dsmax": (
        Zero("spine"),
        Between("{S}HipJoint", "hips", ("{side}UpperLeg",), 0.0),
        Zero("neck"),
        Between("Neck", "neck", ("head",), 0.5, also="neck"),
        Zero("{side}Shoulder"),
        *_CMU_HANDS,
    ),
    "poser_daz": (Between("{s}Buttock", "hips", ("{side}UpperLeg",), 0.3),),
    "cmu_asf": (
        Between("{s}hipjoint", "hips", ("{side}UpperLeg",), 0.0),
        Between("upperneck", "neck", ("head",)),
        Between("{s}wrist", "{side}LowerArm", ("{side}Hand",), 1.0, also="{side}Hand"),
        Leaf("{s}fingers", "{side}Hand", (0.06, 0.0, 0.0)),
        Leaf("{s}thumb", "{side}Hand", (0.02, -0.05, 0.0)),
    ),
    "rokoko_newton": (
        *_root("newton"),
        Leaf("HeadVertex", "head", "headTop"),
        Leaf("{Side}ToeTip", "{side}Toes", "{side}ToeTip", "{side}ToeTip"),
        *_metacarpals("{Side}{finger}Metacarpal", ("Finger2", "Finger3", "Finger4", "Finger5")),
        *_tips("{Side}{finger}Tip", ("Finger1", "Finger2", "Finger3", "Finger4", "Finger5")),
    ),
    "rokoko_humanik": _metacarpals("{Side}InHand{finger}", _PINKY),
    "humanik": (
        *_root("Reference"),
        Leaf("Leaf{Side}ArmRoll1", "{side}UpperArm", "mid:{side}UpperArm>{side}LowerArm"),
        *_metacarpals("{Side}InHand{finger}", _PINKY),
    ),
    "perception_neuron": (
        Between("Spine3", "upperChest", ("neck", "leftShoulder", "rightShoulder"), 0.5, also="upperChest"),
        *_metacarpals("{Side}InHand{finger}", _PINKY),
    ),
    "xsens_mvn": (Between("L3", "spine", ("chest",)),),
    "bandai_namco": _root("joint_Root"),
    "makehuman_old": (
        *_root("Root"),
        Move("spine", "root"),
        Between("__Clavicle_{S}", "upperChest", ("{side}Shoulder",), 0.3),
    ),
    "smpl_fbx": (
        *_root("root"),
        Leaf("{S}_Hand", "{side}Hand", (0.08, 0.0, 0.0)),
    ),
    "secondlife": (
        Between("mSpine1", "hips", ("spine",), 1.0),
        Between("mSpine2", "mSpine1", ("spine",), at="hips"),  # folded back onto mPelvis
        Between("mSpine3", "spine", ("chest",), 1.0),
        Between("mSpine4", "mSpine3", ("chest",), at="spine"),  # folded back onto mTorso
        Leaf("mToe{Side}", "{side}Toes", "{side}ToeTip", "{side}ToeTip"),
        Leaf("mSkull", "head", "headTop"),
        Leaf("mTail1", "hips", (0.0, 0.116, 0.047)),
        Leaf("mTail2", "mTail1", (0.0, 0.197, 0.0)),
        Leaf("mHindLimbsRoot", "hips", (0.0, 0.2, 0.084)),
        Leaf("mHindLimb1{Side}", "mHindLimbsRoot", (0.129, 0.204, -0.125)),
        Leaf("mHindLimb2{Side}", "mHindLimb1{Side}", (-0.046, 0.002, -0.491)),
        Leaf("mHindLimb3{Side}", "mHindLimb2{Side}", (-0.003, 0.03, -0.468)),
        Leaf("mWingsRoot", "chest", (0.0, 0.014, 0.0)),
        Leaf("mWing1{Side}", "mWingsRoot", (0.105, 0.099, 0.181)),
    ),
    "avastar": (*_root("Origin"), Leaf("Toe{Side}", "{side}Toes", "{side}ToeTip", "{side}ToeTip")),
    "mesh2motion": (
        *_root("root"),
        *_tips("{finger}_04_leaf_{s}", ("thumb", "index", "middle", "ring", "pinky")),
        Leaf("ball_leaf_{s}", "{side}Toes", "{side}ToeTip", "{side}ToeTip"),
        Leaf("head_leaf", "head", "headTop"),
    ),
}

FACES_X = frozenset({"secondlife", "avastar"})
"""Conventions whose rigs look along +X; the others look along -Y once they are Z up."""

HANDS = frozenset({"openxr_hand", "mrtk_hand", "unity_xr_hand"})
"""Conventions of one hand: the names don't say which; a rig of both prefixes them with the side."""


def facts_of(convention: str) -> list[Fact]:
    """The facts about a convention, both sides spelt out; none for those that are as the ideal body."""
    return both_sides(_FACTS.get(convention, ()))

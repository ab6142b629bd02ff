# SPDX-License-Identifier: MIT
"""What studios and exporters do to a rig: other spellings, more or fewer joints, other axes.

Each function takes a Rig and returns a new one with its truth. `mutations` gives all of them by name; one
whose result is the same rig, or whose names would collide, is left out.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace

from .humanoid_body import Vector3, is_finger, side_of
from .rigs import CENTIMETRES, Rig, RigJoint

_SIDE_WORDS = (
    (re.compile(r"^(?P<ns>.*:)?(?P<side>Left|Right|left|right|LEFT|RIGHT)[ _.-]?(?P<rest>.+)$"), "front"),
    (re.compile(r"^(?P<ns>.*:)?(?P<rest>.+?)[ _.-]?(?P<side>Left|Right|left|right)$"), "back"),
    (re.compile(r"^(?P<ns>.*:)?(?P<rest>.+?)[ _.-](?P<side>[LRlr])$"), "back"),
    (re.compile(r"^(?P<ns>.*:|.*[ _])?(?P<side>[LRlr])[ _.-](?P<rest>.+)$"), "front"),
    (re.compile(r"^(?P<ns>.*:)?(?P<side>[lr])(?P<rest>[A-Z].*)$"), "front"),
    (re.compile(r"^(?P<ns>.*:)?(?P<side>[LR])(?P<rest>[A-Z][a-z].*)$"), "front"),
)
_STYLES: dict[str, Callable[[str, str], str]] = {
    "suffix_dot": lambda stem, side: f"{stem}.{side[0].upper()}",
    "suffix_underscore": lambda stem, side: f"{stem}_{side[0]}",
    "prefix_letter": lambda stem, side: f"{side[0].upper()}_{stem}",
    "prefix_word": lambda stem, side: side.capitalize() + stem[0].upper() + stem[1:],
    "suffix_word": lambda stem, side: f"{stem}_{side}",
}


def split_side(name: str, side: str) -> tuple[str, str] | None:
    """(namespace, name without its side) where a name tells this side by a word or a letter; else None."""
    for pattern, _ in _SIDE_WORDS:
        found = pattern.match(name)
        if found and found["side"].lower()[0] == side[0]:
            return found["ns"] or "", found["rest"]
    return None


def _respelt(rig: Rig, change: Callable[[str], str]) -> Rig:
    return rig.renamed({joint.name: change(joint.name) for joint in rig.joints})


def prefixed(rig: Rig, prefix: str) -> Rig:
    """The same words before every name: "Armature_", "Character1_"."""
    return _respelt(rig, lambda name: prefix + name)


def namespaced(rig: Rig, namespace: str = "hero") -> Rig:
    """A namespace instead of the one that is there, or before names that have none."""
    return _respelt(rig, lambda name: f"{namespace}:{name.split(':')[-1]}")


def cased(rig: Rig, style: str) -> Rig:
    """ "lower", "upper" or "title" (the first letter of each word alone)."""
    return _respelt(rig, lambda name: str(getattr(name, style)()))


def counted(rig: Rig) -> Rig:
    """Each joint with a number of its own, as Sketchfab writes glTF: Hips_01, Spine_02."""
    numbers = {joint.name: f"{joint.name}_0{n}" for n, joint in enumerate(rig.joints)}
    return rig.renamed(numbers)


def bound(rig: Rig, suffix: str = "_bind_JNT") -> Rig:
    """Each joint with words that say that it is a joint."""
    return _respelt(rig, lambda name: name + suffix)


def separated(rig: Rig, separator: str) -> Rig:
    """Another separator wherever a name has one; a colon stays."""
    return _respelt(rig, lambda name: re.sub(r"[ _.-]", separator, name))


def side_styled(rig: Rig, style: str) -> Rig:
    """Sides of the slots' joints told in another way (a key of _STYLES); names without a clear side stay."""
    names: dict[str, str] = {joint.name: joint.name for joint in rig.joints}
    for slot, name in rig.truth.items():
        side = side_of(slot)
        parts = split_side(name, side) if side else None
        if side and parts:
            names[name] = parts[0] + _STYLES[style](parts[1], side)
    return rig.renamed(names)


def _without(rig: Rig, gone: set[str]) -> Rig:
    """Without some joints; what hung on them hangs on the next one up."""
    parents = {joint.name: joint.parent for joint in rig.joints}

    def above(name: str | None) -> str | None:
        while name in gone:
            name = parents[name]
        return name

    return replace(
        rig,
        joints=tuple(RigJoint(j.name, above(j.parent), j.head) for j in rig.joints if j.name not in gone),
        truth={slot: name for slot, name in rig.truth.items() if name not in gone},
        also={slot: tuple(n for n in names if n not in gone) for slot, names in rig.also.items()},
    )


def without_fingers(rig: Rig) -> Rig:
    """No fingers, thumbs, metacarpals and tips, and nothing that hangs on them."""
    gone = {name for slot, name in rig.truth.items() if is_finger(slot)}
    for joint in rig.joints:
        if joint.parent in gone:
            gone.add(joint.name)
    return _without(rig, gone)


def without_slots(rig: Rig, slots: tuple[str, ...]) -> Rig:
    """Without some slots' joints (toes, shoulders, the upper chest)."""
    return _without(rig, {rig.truth[slot] for slot in slots if slot in rig.truth})


_LIMBS = ("UpperArm", "LowerArm", "UpperLeg", "LowerLeg")


def _limbs(rig: Rig) -> dict[str, str]:
    """Joint of a limb's slot -> joint of the next slot."""
    nexts = {"UpperArm": "LowerArm", "LowerArm": "Hand", "UpperLeg": "LowerLeg", "LowerLeg": "Foot"}
    pairs = ((f"{side}{a}", f"{side}{b}") for side in ("left", "right") for a, b in nexts.items())
    return {rig.truth[a]: rig.truth[b] for a, b in pairs if a in rig.truth and b in rig.truth}


def _middle(a: Vector3, b: Vector3) -> Vector3:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2


def with_twist_leaves(rig: Rig) -> Rig:
    """A twist bone beside the next joint of each limb, half-way along it, first among its siblings."""
    heads, limbs = {j.name: j.head for j in rig.joints}, _limbs(rig)
    joints: list[RigJoint] = []
    for joint in rig.joints:
        joints.append(joint)
        if joint.name in limbs:
            middle = _middle(joint.head, heads[limbs[joint.name]])
            joints.append(RigJoint(f"{joint.name}_twist_01", joint.name, middle))
    return replace(rig, joints=tuple(joints))


def with_twists_inline(rig: Rig) -> Rig:
    """A twist bone between each limb's joint and the next, which hangs on it."""
    heads, limbs = {j.name: j.head for j in rig.joints}, _limbs(rig)
    next_to_limb = {below: limb for limb, below in limbs.items()}
    joints: list[RigJoint] = []
    for joint in rig.joints:
        limb = next_to_limb.get(joint.name)
        if limb is None or joint.parent != limb:
            joints.append(joint)
            continue
        joints.append(RigJoint(f"{limb}_twist", limb, _middle(heads[limb], joint.head)))
        joints.append(RigJoint(joint.name, f"{limb}_twist", joint.head))
    return replace(rig, joints=tuple(joints))


def shuffled(rig: Rig, seed: int = 1) -> Rig:
    """Children in another order, still depth first."""
    children: dict[str | None, list[RigJoint]] = {}
    for joint in rig.joints:
        children.setdefault(joint.parent, []).append(joint)
    shuffle = random.Random(seed)
    for siblings in children.values():
        shuffle.shuffle(siblings)
    ordered: list[RigJoint] = []
    waiting = children[None][::-1]
    while waiting:
        joint = waiting.pop()
        ordered.append(joint)
        waiting += children.get(joint.name, [])[::-1]
    return replace(rig, joints=tuple(ordered))


def _moved(rig: Rig, move: Callable[[Vector3], Vector3]) -> Rig:
    return replace(
        rig,
        joints=tuple(RigJoint(j.name, j.parent, move(j.head)) for j in rig.joints),
        facing=move(rig.facing),
    )


def turned(rig: Rig) -> Rig:
    """A quarter turn about Z, to the left."""
    return _moved(rig, lambda p: (-p[1], p[0], p[2]))


def in_centimetres(rig: Rig) -> Rig:
    """The numbers are centimetres, and nothing says so."""
    k = CENTIMETRES
    big = _moved(rig, lambda p: (k * p[0], k * p[1], k * p[2]))
    return replace(big, facing=rig.facing, metres_per_unit=1 / k)


def _other_side(slot: str) -> str:
    side = side_of(slot)
    return slot if side is None else slot.replace(side, "right" if side == "left" else "left", 1)


def mirrored(rig: Rig) -> Rig:
    """Names of the left on the right of the body and the other way round; the toes still look forward.

    The truth is that of the body, and a finder must say that the names contradict it. Hands alone may be
    crossed, so theirs stays by name.
    """
    across = (rig.facing[1], -rig.facing[0])  # the horizontal axis from right to left is +-this

    def move(p: Vector3) -> Vector3:
        along = 2 * (p[0] * across[0] + p[1] * across[1])
        return p[0] - along * across[0], p[1] - along * across[1], p[2]

    moved = replace(_moved(rig, move), facing=rig.facing, sides_agree=False)
    if "hips" not in rig.truth:
        return moved
    return replace(
        moved,
        truth={_other_side(slot): name for slot, name in rig.truth.items()},
        also={_other_side(slot): names for slot, names in rig.also.items()},
    )


def nameless(rig: Rig) -> Rig:
    """Joints that are only counted. Nothing but the body says which side is which."""
    names = {joint.name: f"node.{i}" for i, joint in enumerate(rig.joints)}
    return replace(rig.renamed(names), sides_agree=False)


_MUTATIONS: dict[str, Callable[[Rig], Rig]] = {
    "as_is": lambda rig: rig,
    "prefix_armature": lambda rig: prefixed(rig, "Armature_"),
    "prefix_character": lambda rig: prefixed(rig, "Character1_"),
    "namespace": namespaced,
    "lower_case": lambda rig: cased(rig, "lower"),
    "upper_case": lambda rig: cased(rig, "upper"),
    "underscores": lambda rig: separated(rig, "_"),
    "dots": lambda rig: separated(rig, "."),
    "dashes": lambda rig: separated(rig, "-"),
    "no_separators": lambda rig: separated(rig, ""),
    "numbers_of_their_own": counted,
    "bind_words": bound,
    **{f"sides_{style}": (lambda rig, style=style: side_styled(rig, style)) for style in _STYLES},
    "no_fingers": without_fingers,
    "no_toes": lambda rig: without_slots(rig, ("leftToes", "rightToes", "leftToeTip", "rightToeTip")),
    "no_shoulders": lambda rig: without_slots(rig, ("leftShoulder", "rightShoulder")),
    "twist_leaves": with_twist_leaves,
    "twists_inline": with_twists_inline,
    "shuffled": shuffled,
    "turned_90": turned,
    "centimetres": in_centimetres,
    "mirrored": mirrored,
    "nameless": nameless,
}


def mutations(rig: Rig) -> dict[str, Rig]:
    """Name -> changed rig, "as_is" among them."""
    result: dict[str, Rig] = {}
    for name, mutate in _MUTATIONS.items():
        try:
            changed = mutate(rig)
        except ValueError:  # two names became one: no exporter would write that
            continue
        if name == "as_is" or changed != rig:
            result[name] = changed
    return result

# SPDX-License-Identifier: MIT
"""Rigs that no table knows, with their truth: a finder is right about a slot, or says nothing.

The words are those of games' abbreviations, other languages and numbered exports.
"""

from __future__ import annotations

from dataclasses import replace

from .humanoid_body import SLOTS
from .rigs import Rig, build

_CENTRE = ("hips", "spine", "chest", "neck", "head")
_LIMBS = ("UpperLeg", "LowerLeg", "Foot", "Toes", "Shoulder", "UpperArm", "LowerArm", "Hand")


def _named(
    centre: tuple[str, ...], limbs: tuple[str, ...], pattern: str, sides: tuple[str, str]
) -> dict[str, list[str]]:
    """A table from words: the pattern has {side} and {part}; "" leaves a part out."""
    table = {slot: [word] for slot, word in zip(_CENTRE, centre, strict=True) if word}
    for side, word in zip(("left", "right"), sides, strict=True):
        table |= {
            f"{side}{part}": [pattern.format(side=word, part=name)]
            for part, name in zip(_LIMBS, limbs, strict=True)
            if name
        }
    return table


_WORDS = {
    "game_short": _named(
        ("pelv", "spn1", "spn2", "nek", "hed"),
        ("thigha", "calfa", "foota", "toea", "clava", "lda", "elba", "wrsta"),
        "{side}{part}",
        ("l", "r"),
    ),
    "game_lsholda": _named(
        ("pelvis", "torso", "chest", "neck", "head"),
        ("leg", "knee", "ankle", "", "", "sholda", "elbow", "wrist"),
        "{side}{part}",
        ("l", "r"),
    ),
    "german_words": _named(
        ("Becken", "Wirbel1", "Wirbel2", "Hals", "Kopf"),
        ("Oberschenkel", "Unterschenkel", "Fuss", "Zehen", "Schulter", "Oberarm", "Unterarm", "Hand"),
        "{part}_{side}",
        ("links", "rechts"),
    ),
    "french_words": _named(
        ("bassin", "colonne_bas", "colonne_haut", "cou", "tete"),
        ("cuisse", "mollet", "pied", "orteils", "clavicule", "bras", "avant_bras", "main"),
        "{part}_{side}",
        ("gauche", "droite"),
    ),
    "spanish_words": _named(
        ("cadera", "columna1", "columna2", "cuello", "cabeza"),
        ("muslo", "pantorrilla", "pie", "dedos_pie", "clavicula", "brazo", "antebrazo", "mano"),
        "{part}_{side}",
        ("izq", "der"),
    ),
    "romaji_words": _named(
        ("koshi", "sebone1", "sebone2", "kubi", "atama"),
        ("momo", "sune", "ashi", "tsumasaki", "kata", "ude", "hiji", "te"),
        "{part}_{side}",
        ("hidari", "migi"),
    ),
    "dotted_other_words": _named(
        ("Bottom", "Waist", "Ribs", "Throat", "Skull"),
        ("Ham", "Gam", "Hoof", "", "", "Wing", "Flap", "Paw"),
        "{part}.{side}",
        ("L", "R"),
    ),
}


def numbered(pattern: str, name: str) -> Rig:
    """The ideal body with joints that are only counted: no name tells anything."""
    slots = [s for s in SLOTS if not s.endswith(("Tip", "Palm", "Heel")) and "Metacarpal" not in s]
    table = {slot: [pattern.format(n)] for n, slot in enumerate(slots)}
    return replace(build(name, table), convention="", sides_agree=False)


def not_a_humanoid() -> Rig:
    """A snake of 30 joints with humanoid-looking numbers: the truth has no slot at all."""
    rig = numbered("bone_{:03}", "snake")
    joints = tuple(
        replace(joint, parent=rig.joints[i - 1].name if i else None, head=(0.0, 0.05 * i, 0.1))
        for i, joint in enumerate(rig.joints[:30])
    )
    return replace(rig, joints=joints, truth={})


def foreign_rigs() -> list[Rig]:
    """All of them; convention is ""."""
    rigs = [replace(build(name, table), convention="") for name, table in _WORDS.items()]
    return [*rigs, numbered("bone_{:03}", "numbered"), numbered("Joint{}", "joint_numbers"), not_a_humanoid()]

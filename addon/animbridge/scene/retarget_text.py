# SPDX-License-Identifier: GPL-3.0-or-later
"""How the library's report on a retargeting is said to the user."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ..package import counted, listed, readable

#: A difference of direction that people may see; single precision alone leaves a thousandth of a degree.
_NAMED_DEGREES: Final = 0.01


def exactness(retarget: Mapping[str, Any]) -> str:
    """How far directions differ from the source's, and how fast feet slide; of a report's "retarget"."""
    parts = [_directions(retarget["slots"])]
    standing = [foot for foot in retarget["feet"] if foot["contacts"]]
    if standing:
        # Compared with the source at the target's size, as the command does.
        scale = retarget["body"]["horizontal_scale"] if retarget["body"] else 1.0
        worst = max(standing, key=lambda foot: foot["slide_mm_per_second"])
        before = max(
            (foot["unplanted"]["slide_mm_per_second"] for foot in standing if foot["unplanted"]), default=None
        )
        planted = "" if before is None else f"before planting: {before:.0f}; "
        parts.append(
            f"feet slide {worst['slide_mm_per_second']:.0f} mm/s while they stand ({planted}the source's, "
            f"scaled like the path: {scale * worst['source_slide_mm_per_second']:.0f})"
        )
        if before is not None:
            parts.append(planting(standing, retarget["body_moved_mm"]))
    elif retarget["feet"]:
        parts.append("the source's feet never stand still, so no slide was measured")
    if touches := retarget["touches"]:
        after, before = (max(touch[key] for touch in touches) for key in ("apart_mm", "apart_before_mm"))
        parts.append(f"hands touch as the source's, within {after:.0f} mm (without Keep Touch: {before:.0f})")
    if retarget["first_frame"]:
        parts.append("the first frame is left out, because the motion jumps away from it")
    return ", ".join(parts)


def planting(standing: Sequence[Mapping[str, Any]], body_moved_mm: float) -> str:
    """What planting the feet that stand has changed, besides their slide."""
    knees = max(foot["knee_change_degrees"] for foot in standing)
    depths = [foot["unplanted"]["depth_mm"] for foot in standing]
    depth = max((mm for mm in depths if mm is not None), default=0.0)
    sunk = f"they sank up to {depth:.0f} mm into the ground, " if round(depth) else ""
    return (
        f"{sunk}a knee bends up to {knees:.0f} degrees more or less, the body is up to {body_moved_mm:.0f} "
        "mm higher or lower"
    )


def pairs(retarget: Mapping[str, Any]) -> Iterator[str]:
    """Each part of the body with its bones; of a report's "retarget"."""
    for row in retarget["slots"]:
        bones = " -> ".join(" + ".join(readable(name) for name in row[side]) for side in ("source", "target"))
        yield f"{readable(row['slot'])}: {bones}, aligned by {row['alignment_degrees']:.1f} degrees"


def _directions(slots: Sequence[Mapping[str, Any]]) -> str:
    """How far the part that differs most points from where the source's does.

    Of parts that differ alike, the first one: those below it are carried along. Parts that Plant Feet or Keep
    Touch turns differ on purpose.
    """
    shown = [0.0 if row["adjusted"] else round(row["difference_degrees"] or 0.0, 3) for row in slots]
    degrees = max(shown)
    worst = slots[shown.index(degrees)]
    where = f" ({readable(worst['slot'])})" if degrees >= _NAMED_DEGREES else ""
    return f"directions within {degrees:.3f} degrees of the source's{where}"


def warnings(report: Mapping[str, Any]) -> Iterator[str]:
    """What the user should look at."""
    texts = (*report["warnings"], *report["retarget"]["warnings"])
    yield from dict.fromkeys(readable(text) for text in texts)


def details(report: Mapping[str, Any], switched: Sequence[str]) -> Iterator[str]:
    """What was left out, and the bones that got another rotation mode."""
    retarget = report["retarget"]
    for names, text in (
        (retarget["only_in_source"], "the target has no bone for"),
        (retarget["source_lacks"], "the source has no bone for"),
        (retarget["dropped_motion"], "the motion of these bones is left out:"),
    ):
        if names:
            yield f"{text} {listed([readable(name) for name in names])}"
    if switched:
        yield quaternions(switched)


def quaternions(switched: Sequence[str]) -> str:
    """That these bones have a new rotation mode."""
    return f"{counted(len(switched), 'bone')} changed to quaternions ({listed(list(switched))})"

# SPDX-License-Identifier: MIT
"""What the library says of a BVH's size, and of the viewer's emotes."""

from __future__ import annotations

import pytest
from tests.witness.skeleton import load_emotes

from animbridge.document import Document
from animbridge.motion import document_skeleton
from animbridge.skeleton import animation_states

FIGURE = """HIERARCHY
ROOT hips
{{
OFFSET {offset}
CHANNELS 3 Xposition Yposition Zposition
End Site
{{
OFFSET {end}
}}
}}
MOTION
Frames: 1
Frame Time: 0.04
0 0 0
"""


def size_of(end: str, offset: str = "0 0 0", **options: object) -> tuple[float, float]:
    """The height and the scale of a figure from its root to this end site."""
    text = FIGURE.format(offset=offset, end=end).encode("ascii")
    found = document_skeleton(Document.read(text, "figure.bvh"), options)
    return found["height"], found["human_scale"]


@pytest.mark.parametrize(
    ("height", "scale"),
    [
        # The ends of what counts as human, in metres, centimetres and inches.
        (1.0, 1.0),
        (2.5, 1.0),
        (100.0, 0.01),
        (250.0, 0.01),
        (39.38, 0.0254),
        (98.42, 0.0254),
        # Just beyond them: 1.75 over the height, three digits of it.
        (0.99, 1.77),
        (2.51, 0.697),
        (39.0, 0.0449),
        (99.0, 0.0177),
        (251.0, 0.00697),
        (1e-3, 1750.0),
        (1e12, 1e-6),
        (1e-12, 1e6),
    ],
)
def test_the_scale_of_a_height(height: float, scale: float) -> None:
    assert size_of(f"0 {height} 0") == (height, scale)


def test_where_the_root_rests_is_no_part_of_the_height() -> None:
    assert size_of("0 1.5 0", offset="0 90 0") == (1.5, 1.0)


def test_where_the_hips_rest_below_a_root_is_no_part_of_the_height() -> None:
    # 94 cm over the root and 452 cm behind it; the legs are 90 cm long, and the head is 80 cm over the hips.
    legs = "".join(
        f"JOINT {side}Leg {{ OFFSET {across} -90 0 CHANNELS 0 End Site {{ OFFSET 0 0 10 }} }}\n"
        for side, across in (("Left", 10), ("Right", -10))
    )
    text = f"""HIERARCHY
ROOT root {{ OFFSET 0 0 0 CHANNELS 3 Xposition Yposition Zposition
JOINT hips {{ OFFSET 0 94 -452 CHANNELS 0
JOINT spine {{ OFFSET 0 80 0 CHANNELS 0 End Site {{ OFFSET 0 5 0 }} }}
{legs}}} }}
MOTION
Frames: 1
Frame Time: 0.04
0 0 0
"""
    found = document_skeleton(Document.read(text.encode("ascii"), "figure.bvh"), {})
    assert (found["height"], found["human_scale"]) == (175.0, 0.01)


def test_which_way_is_up() -> None:
    assert size_of("0.9 1.7 1.2") == (1.7, 1.0)
    assert size_of("0.9 1.7 1.2", forward="Y", up="Z") == (1.2, 1.0)
    assert size_of("0 0.1 1.7") == (1.7, 1.0), "it rests flat"


def test_no_height() -> None:
    assert size_of("0 0 0") == (0.0, 1.0)


def test_a_given_scale_changes_neither() -> None:
    assert size_of("0 24 0", scale=0.5) == (24.0, 0.0729)


def test_emotes_are_the_viewers() -> None:
    assert {name.encode() for name in animation_states()} == set(load_emotes())

# SPDX-License-Identifier: MIT
"""Curves with handles, as the library gives them: Blender keeps them, and shows what they mean."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest
from numpy.typing import NDArray

from animbridge.compat import actions, keyframes
from animbridge.package import Channel, Curve
from animbridge.scene.import_.curves import add_curves

#: Weights other than a third: one handle short, one long.
CO = np.array([(1, 0.5), (11, 2.0), (31, -1.0)], np.float32)
LEFT = np.array([(0, 0.5), (9, 3.0), (30, -1.0)], np.float32)
RIGHT = np.array([(2, 1.5), (20, -2.0), (32, -1.0)], np.float32)


def bezier(frame: float, key: int) -> float:
    """By the definition: the parameter is searched for the frame."""
    points = np.array([CO[key], RIGHT[key], LEFT[key + 1], CO[key + 1]], np.float64)

    def at(u: float) -> NDArray[np.float64]:
        weights = [(1 - u) ** 3, 3 * (1 - u) ** 2 * u, 3 * (1 - u) * u**2, u**3]
        place: NDArray[np.float64] = np.asarray(weights) @ points
        return place

    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if at(middle)[0] < frame else (low, middle)
    return float(at(low)[1])


@pytest.fixture
def added() -> Any:
    """The F-curve of such a curve on an object."""
    action = bpy.data.actions.new("handles")
    channels = actions.create_channels(action, "thing")
    codes = np.array([keyframes.BEZIER, keyframes.BEZIER, keyframes.CONSTANT], np.uint8)
    curve = Curve(-1, Channel.LOCATION, 2, CO, codes, LEFT, RIGHT)
    plain = Curve(-1, Channel.LOCATION, 1, CO)
    add_curves(channels, [plain, curve], None)
    yield {fcurve.array_index: fcurve for fcurve in channels.fcurves}
    bpy.data.actions.remove(action)


def test_handles_stay_where_they_are(added: Any) -> None:
    left, right = keyframes.read_handles(added[2])
    assert np.array_equal(left, LEFT)
    assert np.array_equal(right, RIGHT)
    assert list(keyframes.read_interpolation(added[2])) == [2, 2, 0]
    assert list(keyframes.read_interpolation(added[1])) == [1, 1, 1]


def test_blender_shows_the_bezier(added: Any) -> None:
    for frame in (2.5, 5.0, 9.75):
        assert added[2].evaluate(frame) == pytest.approx(bezier(frame, 0), abs=1e-4)
    for frame in (12.0, 19.0, 29.5):
        assert added[2].evaluate(frame) == pytest.approx(bezier(frame, 1), abs=1e-4)
    assert added[2].evaluate(60) == -1.0

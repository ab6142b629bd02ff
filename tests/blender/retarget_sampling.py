# SPDX-License-Identifier: MIT
"""Which way Retarget takes a source's motion, and whether both ways give the same curves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from helpers import fcurves

from animbridge.retarget import source_motion

#: Blender poses a chain of a dozen bones in single precision, with angles of up to 2 pi: some 1e-6 for each
#: bone. 1e-5 as a difference of quaternions is a thousandth of a degree.
QUATERNION_BOUND = 1e-5
#: For bodies of 2 m.
METRES_BOUND = 1e-5


class Recorder:
    """Counts how often the frames are sampled; `always`: makes them be."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.samplings = 0
        self.always = False
        sample, find = source_motion.sample_poses, source_motion.scene_obstacles

        def counted(*arguments: Any, **options: Any) -> Any:
            self.samplings += 1
            return sample(*arguments, **options)

        def found(*arguments: Any) -> Iterator[str]:
            return iter(["the test wants samples"]) if self.always else find(*arguments)

        monkeypatch.setattr(source_motion, "sample_poses", counted)
        monkeypatch.setattr(source_motion, "scene_obstacles", found)

    @contextmanager
    def sampling(self) -> Iterator[None]:
        """Samples whatever the curves say."""
        self.always = True
        yield
        self.always = False


def table_of(rig: Any) -> dict[str, np.ndarray]:
    """The keys of all curves: (frame, values of the components) by data path."""
    found: dict[str, dict[int, np.ndarray]] = {}
    for curve in fcurves(rig):
        co = np.empty(2 * len(curve.keyframe_points), np.float32)
        curve.keyframe_points.foreach_get("co", co)
        found.setdefault(curve.data_path, {})[curve.array_index] = co.reshape(-1, 2).astype(np.float64)
    return {
        path: np.column_stack([parts[0][:, 0], *(parts[index][:, 1] for index in sorted(parts))])
        for path, parts in found.items()
    }


def assert_same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> None:
    """Equal keys, within what single precision leaves; a quaternion may have the other sign."""
    assert one.keys() == other.keys()
    for path, table in one.items():
        np.testing.assert_array_equal(table[:, 0], other[path][:, 0], path)
        values, wanted = table[:, 1:], other[path][:, 1:]
        if path.endswith("quaternion"):
            apart = np.minimum(np.abs(values - wanted).max(axis=1), np.abs(values + wanted).max(axis=1))
            assert apart.max() < QUATERNION_BOUND, (path, apart.max())
        else:
            assert np.abs(values - wanted).max() < METRES_BOUND, (path, np.abs(values - wanted).max())

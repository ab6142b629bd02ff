# SPDX-License-Identifier: MIT
"""A walk whose feet stand still, on seven rigs: feet slide less than in other ways; planted, not at all."""

from __future__ import annotations

from tests.python.measure_slides import table


def test_feet_slide_less_than_in_other_ways() -> None:
    rows = table().values()
    total = {way: sum(row[way] for row in rows) for way in next(iter(rows))}
    assert total["AnimBridge"] < total["Rokoko"]
    assert total["AnimBridge"] < total["path as it is"]
    # A hundredth of a millimetre is the precision of a float's metres in a curve.
    assert max(row["Plant Feet"] for row in rows) < 1.0

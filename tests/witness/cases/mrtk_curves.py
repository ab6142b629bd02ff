# SPDX-License-Identifier: MIT
"""Single Unity curves with known values: every kind of segment and wrap mode (spec 2.4)."""

from __future__ import annotations

import math
import random
from typing import Any

from ..mrtk_curve import evaluate, key_of
from ..mrtk_file import CLAMP_FOREVER, LOOP, PING_PONG, Words, full_key

INF = math.inf
BOTH = 3
# Name, keys (time, value, in and out tangent, in and out weight, mode), wrap modes.
CURVES: list[tuple[str, list[Words], int, int]] = [
    ("line", [full_key(0, 1), full_key(2, 5)], 8, 8),
    ("hermite", [full_key(0, 0, (0, 2), (0, 0), 0), full_key(1, 1, (-1, 0), (0, 0), 0)], 8, 8),
    ("step by left", [full_key(0, 1, (0, INF), (0, 0), 0), full_key(1, 3, (0, 0), (0, 0), 0)], 8, 8),
    ("step by right", [full_key(0, 1, (0, 0), (0, 0), 0), full_key(1, 3, (-INF, 0), (0, 0), 0)], 8, 8),
    ("one key", [full_key(0.5, 7)], LOOP, PING_PONG),
    ("loop", [full_key(1, 0), full_key(2, 1), full_key(4, -1)], LOOP, LOOP),
    ("ping-pong", [full_key(1, 0), full_key(2, 1), full_key(4, -1)], PING_PONG, PING_PONG),
    ("loop before", [full_key(-1, 0), full_key(2, 1)], LOOP, CLAMP_FOREVER),
    (
        "three at one time",
        [full_key(0, 0), full_key(1, 1), full_key(1, 9), full_key(1, 4), full_key(2, 0)],
        8,
        8,
    ),
    ("not sorted", [full_key(2, 4), full_key(0, 0), full_key(1, 3)], 8, 8),
    ("far apart", [full_key(0, -1e30), full_key(1e6, 1e30)], 8, 8),
]
WEIGHTS = [
    (0.0, 0.0),
    (1.0, 1.0),
    (0.0, 1.0),
    (1.0, 0.0),
    (1 / 3, 1 / 3),
    (0.1, 0.9),
    (0.75, 0.75),
    (0.3, 0.0),
]


def weighted() -> list[tuple[str, list[Words], int, int]]:
    """Every pair of weights of WEIGHTS with every combination of weighted sides."""
    made: list[tuple[str, list[Words], int, int]] = []
    for w0, w1 in WEIGHTS:
        for mode0, mode1 in ((BOTH, BOTH), (2, 0), (0, 1), (2, 1), (1, 2)):
            keys = [full_key(0.25, -1, (0, 3), (0, w0), mode0), full_key(1.75, 2, (-4, 0), (w1, 0), mode1)]
            made.append((f"weights {w0:.3g} and {w1:.3g}, modes {mode0} and {mode1}", keys, 8, 8))
    return made


def drawn(count: int = 60) -> list[tuple[str, list[Words], int, int]]:
    """Four keys with drawn numbers."""
    rng, made = random.Random(2024), list[tuple[str, list[Words], int, int]]()
    for index in range(count):
        time, keys = rng.uniform(-2, 2), list[Words]()
        for _ in range(4):
            slopes = (rng.uniform(-6, 6), rng.uniform(-6, 6))
            weights = (rng.random(), rng.random())
            keys.append(full_key(time, rng.uniform(-2, 2), slopes, weights, rng.randrange(4)))
            time += rng.uniform(0.01, 2)
        made.append((f"drawn {index}", keys, rng.choice([0, 1, 2, 4, 8]), rng.choice([0, 1, 2, 4, 8])))
    return made


def rows() -> list[dict[str, Any]]:
    """The manifest's section; no moment is at a step or at the seam of a loop, where a last bit decides."""
    made: list[dict[str, Any]] = []
    for name, words, pre, post in [*CURVES, *weighted(), *drawn()]:
        keys = sorted((key_of(w) for w in words), key=lambda key: key.time)
        first, last = keys[0].time, keys[-1].time
        span = last - first or 1.0
        shares = (-1.37, -0.21, 0.003, 0.13, 0.29, 0.4375, 0.61, 0.77, 0.91, 0.999, 1.31, 2.59)
        times = [first + share * span for share in shares] + [key.time for key in keys[:-1]]
        stored = [key_of(w) for w in words]
        numbers = [
            [k.time, k.value, *map(_json, (k.in_tangent, k.out_tangent)), k.in_weight, k.out_weight, k.mode]
            for k in stored
        ]
        values = [evaluate(keys, time, pre, post) for time in times]
        made.append({"name": name, "keys": numbers, "wrap": [pre, post], "times": times, "values": values})
    return made


def _json(value: float) -> float | str:
    """Infinity as text, which JSON has no number for."""
    return value if math.isfinite(value) else ("inf" if value > 0 else "-inf")

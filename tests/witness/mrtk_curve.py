# SPDX-License-Identifier: MIT
"""The value of a Unity animation curve at a moment (spec 2.4), with 60 decimal digits.

The time cubic of a weighted segment is solved by bisection: time never decreases as u grows, as long as the
weights lie within 0 to 1. The result is the exact answer for the stored floats, rounded once.
Decisions: keys are sorted first, as Unity documents, and of keys at one time the last one counts; a wrap
mode other than Loop and PingPong holds; a curve of no length holds its last key.
"""

from __future__ import annotations

import decimal
import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from .mrtk_file import (
    FULL_WORDS,
    LOOP,
    PING_PONG,
    WEIGHTED_BOTH,
    WEIGHTED_IN,
    WEIGHTED_OUT,
    Curve,
    Words,
    float_of,
)

_EXACT = decimal.Context(prec=60)
_STEPS = 150  # halves an interval of 1 to 7e-46, beyond what a double can show
THIRD = Decimal(1) / Decimal(3)


@dataclass(frozen=True)
class Key:
    """A key's numbers; tangents per second, weights as fractions of the segment."""

    time: float
    value: float
    in_tangent: float = 0.0
    out_tangent: float = 0.0
    in_weight: float = 0.0
    out_weight: float = 0.0
    mode: int = WEIGHTED_BOTH

    def negated(self) -> Key:
        """The key of the curve with the other sign."""
        v = (-self.value, -self.in_tangent, -self.out_tangent)
        return Key(self.time, *v, self.in_weight, self.out_weight, self.mode)


def key_of(words: Words) -> Key:
    """A stored key; one of 8 bytes gets the tuple that the loader gives it (spec 2.3): a line."""
    time, value = float_of(words[0]), float_of(words[1])
    if len(words) < FULL_WORDS:
        return Key(time, value)
    mode = words[6] - ((words[6] & 0x80000000) << 1)
    return Key(time, value, *(float_of(word) for word in words[2:6]), mode=mode)


@functools.lru_cache(maxsize=4096)
def _sorted_keys(stored: tuple[Words, ...]) -> tuple[Key, ...]:
    return tuple(sorted((key_of(words) for words in stored), key=lambda key: key.time))


def keys_of(curve: Curve) -> list[Key]:
    """The keys in the order of their times."""
    return list(_sorted_keys(tuple(curve.keys)))


def hermite(a: Key, b: Key, dt: Decimal, s: Decimal) -> Decimal:
    """The cubic with both slopes, in the usual basis."""
    v0, v1 = Decimal(a.value), Decimal(b.value)
    m0, m1 = Decimal(a.out_tangent) * dt, Decimal(b.in_tangent) * dt
    s2, s3 = s * s, s * s * s
    return (2 * s3 - 3 * s2 + 1) * v0 + (s3 - 2 * s2 + s) * m0 + (3 * s2 - 2 * s3) * v1 + (s3 - s2) * m1


def _bernstein(p0: Decimal, p1: Decimal, p2: Decimal, p3: Decimal, u: Decimal) -> Decimal:
    v = 1 - u
    return v * v * v * p0 + 3 * v * v * u * p1 + 3 * v * u * u * p2 + u * u * u * p3


def _solved(w0: Decimal, w1: Decimal, s: Decimal) -> Decimal:
    """The u at which the time cubic has come to s."""
    low, high = Decimal(0), Decimal(1)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _bernstein(Decimal(0), w0, 1 - w1, Decimal(1), middle) < s:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def bezier(a: Key, b: Key, dt: Decimal, s: Decimal) -> Decimal:
    """The weighted segment; an unweighted side has the weight 1/3."""
    w0 = Decimal(a.out_weight) if a.mode & WEIGHTED_OUT else THIRD
    w1 = Decimal(b.in_weight) if b.mode & WEIGHTED_IN else THIRD
    v0, v1 = Decimal(a.value), Decimal(b.value)
    p1, p2 = v0 + Decimal(a.out_tangent) * w0 * dt, v1 - Decimal(b.in_tangent) * w1 * dt
    return _bernstein(v0, p1, p2, v1, _solved(w0, w1, s))


def segment(a: Key, b: Key, time: Decimal) -> float:
    """The value between two keys."""
    if math.isinf(a.out_tangent) or math.isinf(b.in_tangent):
        return a.value
    with decimal.localcontext(_EXACT):
        dt = Decimal(b.time) - Decimal(a.time)
        s = (time - Decimal(a.time)) / dt
        if not (a.mode & WEIGHTED_OUT or b.mode & WEIGHTED_IN):
            return float(hermite(a, b, dt, s))
        if a.out_weight == b.in_weight == 0 and a.mode & WEIGHTED_OUT and b.mode & WEIGHTED_IN:
            # Time and value share one blend (spec 2.3); a test holds this against the cubic.
            return float(Decimal(a.value) + s * (Decimal(b.value) - Decimal(a.value)))
        return float(bezier(a, b, dt, s))


def _wrapped(keys: Sequence[Key], pre: int, post: int, time: Decimal) -> Decimal:
    """The time between the first and the last key that is shown."""
    first, last = Decimal(keys[0].time), Decimal(keys[-1].time)
    if first <= time <= last:
        return time
    mode, length = (pre if time < first else post), last - first
    if mode not in (LOOP, PING_PONG) or length == 0:
        return min(max(time, first), last)
    phase = (time - first) % (length if mode == LOOP else 2 * length)
    if phase < 0:  # the sign of a decimal remainder is that of the dividend
        phase += length if mode == LOOP else 2 * length
    return first + (phase if phase <= length else 2 * length - phase)


def evaluate(keys: Sequence[Key], time: float, pre: int, post: int) -> float:
    """The value of sorted keys at a time; 0 without keys (spec 1.8)."""
    if not keys:
        return 0.0
    with decimal.localcontext(_EXACT):
        at = _wrapped(keys, pre, post, Decimal(time))
    after = next((i for i, key in enumerate(keys) if Decimal(key.time) > at), len(keys))
    if after == 0:
        return keys[0].value
    if after == len(keys) or Decimal(keys[after - 1].time) == at:
        return keys[after - 1].value
    return segment(keys[after - 1], keys[after], at)


def value(curve: Curve, time: float) -> float:
    """The value of a stored curve of numbers."""
    return evaluate(keys_of(curve), time, curve.pre_wrap, curve.post_wrap)


def is_on(curve: Curve, time: float) -> bool:
    """The value of a tracked or pinch curve: a step that holds until the next key (spec 2.3)."""
    steps = [Key(k.time, k.value, math.inf, math.inf) for k in keys_of(curve)]
    return evaluate(steps, time, curve.pre_wrap, curve.post_wrap) > 0.5

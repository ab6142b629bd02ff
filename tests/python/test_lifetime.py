# SPDX-License-Identifier: MIT
"""Who owns what: arrays keep native memory alive, handles are freed once, threads may share documents."""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from material import demos

from animbridge import library
from animbridge.abi import Channel
from animbridge.curves import Armature, Timing
from animbridge.document import Document
from animbridge.errors import AnimBridgeError, Status
from animbridge.motion import DocumentCurves
from animbridge.pose import play

IDENTITY = np.eye(4, dtype=np.float32).T.reshape(1, 16)


def lone_pelvis() -> Armature:
    """One bone along the axes of the armature."""
    return Armature(("mPelvis",), np.array([-1], np.int32), IDENTITY, np.zeros(1, np.uint8))


def walk() -> Document:
    return Document.read_file(next(path for path in demos() if path.name == "walk.anim"))


def test_arrays_outlive_the_curves() -> None:
    curves = DocumentCurves(walk(), lone_pelvis(), Timing(24.0, 1.0))
    arrays = [curve.co for curve in curves]
    copies = [array.copy() for array in arrays]
    del curves
    gc.collect()
    for _ in range(50):  # others would take the memory if it were free
        DocumentCurves(walk(), lone_pelvis(), Timing(24.0, 1.0))
    assert arrays and all(np.array_equal(a, b) for a, b in zip(arrays, copies, strict=True))


def test_arrays_are_views_and_read_only() -> None:
    first = next(iter(DocumentCurves(walk(), lone_pelvis(), Timing(24.0, 1.0))))
    assert not first.co.flags.owndata
    assert first.co.dtype == np.float32 and first.co.shape[1] == 2
    with pytest.raises(ValueError, match="read-only"):
        first.co[0, 0] = 1


def test_every_handle_is_freed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    freed: list[int] = []
    loaded = library.load()

    class Spy:
        def __getattr__(self, name: str) -> object:
            if name == "ab_document_free":
                return lambda pointer: (freed.append(pointer.value), loaded.ab_document_free(pointer))
            return getattr(loaded, name)

    monkeypatch.setattr(library, "load", Spy)
    document = walk()
    pointer = document.pointer.value
    second = document
    del document
    gc.collect()
    assert freed == []
    del second
    gc.collect()
    assert freed == [pointer]


def test_a_document_is_read_by_many_threads() -> None:
    document = walk()
    expected = (
        document.write(),
        document.json(),
        document.check("strict"),
        play(document, [0.5]).world_positions,
    )

    def work(_: int) -> bool:
        found = (
            document.write(),
            document.json(),
            document.check("strict"),
            play(document, [0.5]).world_positions,
        )
        return found[:3] == expected[:3] and np.array_equal(found[3], expected[3], equal_nan=True)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(200)))


def test_documents_are_made_by_many_threads() -> None:
    data = [path.read_bytes() for path in demos()]

    def work(index: int) -> bool:
        one = data[index % len(data)]
        with pytest.raises(AnimBridgeError) as caught:
            Document.read(one[: len(one) // 2], f"cut {index}", "sl_anim")
        return f"cut {index}" in caught.value.message and Document.read(one).write() == one

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(200)))


def test_cancelling() -> None:
    document = walk()
    with pytest.raises(AnimBridgeError) as caught:
        document.compare(document, progress=lambda _fraction: True)
    assert caught.value.code == Status.CANCELLED


def test_progress_is_told_and_its_exception_comes_out() -> None:
    document = walk()
    told: list[float] = []
    document.compare(document, progress=lambda fraction: told.append(fraction) is not None)
    assert told and all(0 <= fraction <= 1 for fraction in told)

    def fail(_fraction: float) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        document.compare(document, progress=fail)


def test_channels_of_a_lone_pelvis() -> None:
    curves = list(DocumentCurves(walk(), lone_pelvis(), Timing(24.0, 1.0)))
    assert {curve.bone for curve in curves} == {0}
    assert {curve.channel for curve in curves} <= {Channel.LOCATION, Channel.ROTATION_QUATERNION}

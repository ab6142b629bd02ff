# SPDX-License-Identifier: MIT
"""MRTK recordings through the Python binding: joining."""

from __future__ import annotations

import pytest
from material import ROOT
from tests.witness import mrtk_file, mrtk_player

from animbridge.document import Document
from animbridge.errors import AnimBridgeError, Status

MRTK = ROOT / "fixtures" / "mrtk"
BVH = ROOT / "fixtures" / "bvh" / "dialects" / "newline_lf.bvh"


def recording(stem: str) -> Document:
    return Document.read_file(MRTK / f"{stem}.bin")


def test_joined_recordings_last_as_long_as_both() -> None:
    parts = [recording("two_hands_v11"), recording("hands_come_and_go")]
    made, report = Document.join(parts, {"gap_seconds": 0.5})
    whole = mrtk_file.parse(made.write())
    lengths = [mrtk_player.duration(mrtk_file.parse(part.write())) for part in parts]
    assert mrtk_player.duration(whole) == pytest.approx(sum(lengths) + 0.5, abs=1e-6)
    assert report["duration_seconds"] == pytest.approx(sum(lengths) + 0.5, abs=1e-6)
    assert report["recordings"] == 2
    # Without a gap, the second one begins where the first one ends.
    shorter, _ = Document.join(parts)
    assert mrtk_player.duration(mrtk_file.parse(shorter.write())) == pytest.approx(sum(lengths), abs=1e-6)


def test_what_cannot_be_joined_is_an_error_that_says_why() -> None:
    bvh = Document.read_file(BVH)
    for documents, words in (
        ([], "no documents"),
        ([recording("camera_v10")], "two or more"),
        ([recording("camera_v10"), bvh], "one format"),
        ([bvh, bvh], "only MRTK recordings can be joined"),
    ):
        with pytest.raises(AnimBridgeError, match=words) as caught:
            Document.join(documents)
        assert caught.value.code == Status.INVALID_ARGUMENT
    with pytest.raises(AnimBridgeError, match="gap_seconds"):
        Document.join([recording("camera_v10")] * 2, {"gap_seconds": -1})

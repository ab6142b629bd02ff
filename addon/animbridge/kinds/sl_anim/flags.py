# SPDX-License-Identifier: GPL-3.0-or-later
"""The batch's flags for exports of Second Life animations."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from ...package import Facing


def add_flags(parser: ArgumentParser) -> None:
    """Adds --facing and --encoder."""
    parser.add_argument("--facing", default="auto")
    parser.add_argument("--encoder", default="upload")


def facing_of(flags: Mapping[str, Any]) -> Facing:
    """What --facing says."""
    return Facing[str(flags["facing"]).replace("-", "_").upper()]

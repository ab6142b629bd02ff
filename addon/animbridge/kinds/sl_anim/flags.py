# SPDX-License-Identifier: GPL-3.0-or-later
"""The batch's flags for exports of Second Life animations."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from ...package import Encoder, Facing


def add_flags(parser: ArgumentParser) -> None:
    """Adds --facing and --encoder."""
    facings = [facing.name.replace("_", "-").lower() for facing in Facing]
    parser.add_argument(
        "--facing",
        choices=facings,
        default="auto",
        help="where a character looks in its armature, for Actions that were not imported (auto)",
    )
    encoders = [encoder.name.lower() for encoder in Encoder]
    parser.add_argument(
        "--encoder",
        choices=encoders,
        default="upload",
        help="how Actions become codes; what is untouched since its import, and files to files, stay as they "
        "are (upload)",
    )


def facing_of(flags: Mapping[str, Any]) -> Facing:
    """What --facing says."""
    return Facing[str(flags["facing"]).replace("-", "_").upper()]


def encoder_of(flags: Mapping[str, Any]) -> Encoder:
    """What --encoder says."""
    return Encoder[str(flags["encoder"]).upper()]

# SPDX-License-Identifier: GPL-3.0-or-later
"""A row of the library's option tables (docs/options.md)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class OptionRow:
    """What the library says of one option.

    `kind`: the type, such as "number". `default` None: without the option something happens that no value
    says. `low` and `high` None: no limit. `zero`: what 0 means, "" where it is just a small number.
    """

    kind: str
    help: str
    default: bool | int | float | str | None = None
    low: float | None = None
    high: float | None = None
    unit: str = ""
    zero: str = ""
    choices: tuple[str, ...] = ()

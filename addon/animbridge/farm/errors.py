# SPDX-License-Identifier: GPL-3.0-or-later
"""What ends a whole run, said in one sentence for the user."""

from __future__ import annotations


class FarmError(Exception):
    """The run cannot begin, or cannot go on."""


class SetupError(FarmError):
    """A worker cannot do any task: it lacks the program, the folder or the version. Another may have them."""

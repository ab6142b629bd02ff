# SPDX-License-Identifier: MIT
"""What ends a whole run, said in one sentence for the user."""

from __future__ import annotations


class FarmError(Exception):
    """The run cannot begin, or cannot go on."""


class UsageError(FarmError):
    """The command line is wrong."""


class StorageError(FarmError):
    """A storage has failed several times."""

# SPDX-License-Identifier: MIT
"""The one exception that users see."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """The status codes of the C interface."""

    OK = 0
    INVALID_ARGUMENT = -1
    IO = -2
    UNKNOWN_FORMAT = -3
    TRUNCATED = -4
    UNSUPPORTED_VERSION = -5
    BAD_VALUE = -6
    REJECTED = -7
    CANCELLED = -8
    OUT_OF_MEMORY = -9
    INTERNAL = -10


class AnimBridgeError(Exception):
    """Work that cannot be done, said in one sentence for the user.

    `byte_offset` and `line` (from 1) place the fault in the input and `field` names it; None or "" if none.
    """

    def __init__(
        self,
        message: str,
        code: Status = Status.INVALID_ARGUMENT,
        *,
        byte_offset: int | None = None,
        line: int | None = None,
        field: str = "",
        details: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.byte_offset = byte_offset
        self.line = line
        self.field = field
        #: JSON that came with the error, such as the findings of a refused upload; "" when there is none.
        self.details = details


class LibraryError(AnimBridgeError):
    """The native library is missing, or is not the one that this add-on was made for."""

    def __init__(self, message: str) -> None:
        super().__init__(message, Status.IO)

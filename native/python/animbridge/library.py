# SPDX-License-Identifier: MIT
"""Finds and loads the AnimBridge library, once and only when it is first needed, and calls it."""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from pathlib import Path
from typing import Any, Final

from . import __version__, abi, platforms
from .errors import AnimBridgeError, LibraryError, Status

ENVIRONMENT_VARIABLE: Final = "ANIMBRIDGE_LIBRARY"
_PLATFORM: Final = platforms.current()
_BESIDE: Final = Path(__file__).resolve().parent.parent

_lock: Final = threading.Lock()
_loaded: ctypes.CDLL | None = None


def candidates() -> list[Path]:
    """Where the library may lie, best first. The environment variable, when it is set, is the only place."""
    chosen = os.environ.get(ENVIRONMENT_VARIABLE)
    if chosen:
        return [Path(chosen)]
    # The folder's name has the version, so that an update never writes over a library that is in use.
    installed = _BESIDE / f"animbridge-{__version__}.libs"
    return [
        installed / _PLATFORM.library,
        installed / _PLATFORM.id / _PLATFORM.library,  # in the add-on for Blender 3.4 to 4.1
        _BESIDE.parent.parent / "build" / "lib" / _PLATFORM.library,
    ]


def load() -> ctypes.CDLL:
    """The library, loaded at the first call; LibraryError when there is none that fits."""
    global _loaded  # noqa: PLW0603  (the process has one library)
    if _loaded is None:
        with _lock:
            if _loaded is None:
                _loaded = _open(place())
    return _loaded


def place() -> Path:
    """The library's path; LibraryError with the places that were looked at when there is none."""
    places = candidates()
    for one in places:
        if one.is_file():
            return one
    looked = ", ".join(str(one) for one in places)
    raise LibraryError(
        f"The AnimBridge library for {_PLATFORM.id} was not found; looked at: {looked}. Install AnimBridge "
        f"for {_PLATFORM.id}, or set {ENVIRONMENT_VARIABLE} to the library's path."
    )


def _open(path: Path) -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(str(path))
        _check_version(library, path)
        for name, (result, arguments) in abi.SIGNATURES.items():
            function = getattr(library, name)
            function.restype = result
            function.argtypes = list(arguments)
    except (OSError, AttributeError) as fault:
        raise LibraryError(
            f"{path} cannot be used as the AnimBridge library on {_PLATFORM.id}: {fault}"
        ) from fault
    return library


def _check_version(library: ctypes.CDLL, path: Path) -> None:
    library.ab_abi_version.restype = ctypes.c_int32
    found = library.ab_abi_version()
    if found != abi.ABI_VERSION:
        raise LibraryError(
            f"{path} has interface version {found}, but this package needs version {abi.ABI_VERSION}. "
            "Install AnimBridge again."
        )


def call(name: str, *arguments: Any) -> None:
    """Calls a function that answers with a status; its error object becomes an AnimBridgeError."""
    error = abi.AbError(struct_size=ctypes.sizeof(abi.AbError))
    status: int = getattr(load(), name)(*arguments, ctypes.byref(error))
    if status != Status.OK:
        raise _exception(status, error)


def _exception(status: int, error: abi.AbError) -> AnimBridgeError:
    code = Status(status) if status in set(Status) else Status.INTERNAL
    return AnimBridgeError(
        error.message.decode("utf-8", "replace") or f"The library failed with status {status}.",
        code,
        byte_offset=error.byte_offset if error.byte_offset >= 0 else None,
        line=error.line if error.line >= 0 else None,
        field=error.field.decode("utf-8", "replace"),
    )


class Handle:
    """Owns one native object and frees it when nothing in Python refers to it any more."""

    __slots__ = ("__weakref__", "pointer")

    def __init__(self, pointer: ctypes.c_void_p, free_function: str) -> None:
        if not pointer.value:
            raise AnimBridgeError("The library gave no object.", Status.INTERNAL)
        self.pointer = pointer
        free = weakref.finalize(self, getattr(load(), free_function), pointer)
        free.atexit = False


def take_bytes(pointer: ctypes.c_void_p) -> bytes:
    """Copies a native buffer and frees it; b"" for NULL."""
    library = load()
    try:
        size: int = library.ab_buffer_size(pointer)
        return ctypes.string_at(library.ab_buffer_data(pointer), size) if size else b""
    finally:
        library.ab_buffer_free(pointer)


def encode_path(path: str | os.PathLike[str]) -> bytes:
    """A path as the library takes it; a NUL, which would cut it, is refused."""
    try:
        encoded = os.fsencode(path)
    except UnicodeEncodeError as fault:
        raise AnimBridgeError(
            f"The path {os.fspath(path)!a} has characters that no file name holds."
        ) from fault
    if b"\0" in encoded:
        raise AnimBridgeError(
            f"The path {os.fspath(path)!r} contains a NUL character, which no file name may have."
        )
    return encoded


def encode_text(text: str) -> bytes:
    """Text as UTF-8; a NUL, which would cut it, and halves of characters are refused."""
    try:
        encoded = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as fault:
        raise AnimBridgeError(f"The text {text[:80]!a} holds half a character (a lone surrogate).") from fault
    if b"\0" in encoded:
        raise AnimBridgeError(f"The text {text[:80]!a} contains a NUL character.")
    return encoded


def version() -> str:
    """The library's version."""
    return str(load().ab_version().decode("utf-8"))

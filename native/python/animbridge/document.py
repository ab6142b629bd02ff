# SPDX-License-Identifier: MIT
"""One animation file as a lossless document."""

from __future__ import annotations

import ctypes
import json
import math
import os
import stat
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from . import scene_reader
from .errors import AnimBridgeError, Status
from .job import Progress, native_job
from .library import Handle, call, encode_path, encode_text, load, take_bytes

LEVELS: Final = ("playback", "upload", "strict")


class Document:
    """One file of one format, losslessly. Immutable, and readable by several threads at once."""

    __slots__ = ("_handle", "_info")

    def __init__(self, pointer: ctypes.c_void_p) -> None:
        """Takes over a native ab_document; use `read` or `read_file`."""
        self._handle = Handle(pointer, "ab_document_free")
        self._info: dict[str, Any] | None = None

    @classmethod
    def read(
        cls,
        data: bytes,
        name: str = "",
        format_id: str | None = None,
        *,
        strict: bool = False,
        trim: str = "",
    ) -> Document:
        """Parses a file's bytes; `name` is for messages; without a format it is found from the content.

        Text that contradicts itself is read as far as it makes sense, and `check` reports it; `strict`
        refuses it. `trim`: the part that is wanted, such as "2:14.5", "60f:435f" or "10%:90%"; "": all.
        """
        out = ctypes.c_void_p()
        call(
            *("ab_document_read", data, len(data), _optional(format_id), _optional(name)),
            *(_reading(strict, trim), ctypes.byref(out)),
        )
        return cls(out)

    @classmethod
    def read_file(
        cls, path: str | os.PathLike[str], format_id: str | None = None, *, strict: bool = False
    ) -> Document:
        """Parses a file; `strict` as for `read`."""
        out = ctypes.c_void_p()
        call(
            *("ab_document_read_file", encode_path(path), _optional(format_id)),
            *(_reading(strict), ctypes.byref(out)),
        )
        return cls(out)

    @property
    def pointer(self) -> ctypes.c_void_p:
        """The native handle; valid as long as this object lives."""
        return self._handle.pointer

    @property
    def format(self) -> str:
        """The id of the format in the table of formats."""
        return str(load().ab_document_format(self.pointer).decode("utf-8"))

    def write(self) -> bytes:
        """The document as a file: the bytes that were read, or in a text format every value."""
        return self._bytes("ab_document_write", _reading(False))

    def write_file(self, path: str | os.PathLike[str]) -> None:
        """Writes beside `path` and renames: a failure leaves an existing file as it was."""
        call("ab_document_write_file", self.pointer, encode_path(path), _reading(False))

    def json(self) -> bytes:
        """The whole document as JSON text, from which `read` makes an equal document."""
        return self._bytes("ab_document_json")

    def info(self) -> dict[str, Any]:
        """What a person wants to know of the file; the library is asked once. Not to be changed."""
        if self._info is None:
            self._info = parse_object(self._bytes("ab_document_info"))
        return self._info

    def check(self, level: str | None = None) -> dict[str, Any]:
        """The findings of the target program's rules. `level`: one of LEVELS; None: the format's default."""
        return parse_object(self._bytes("ab_document_check", _optional(level)))

    def compare(self, other: Document, progress: Progress | None = None) -> dict[str, Any]:
        """Plays documents of any two formats and measures how far they are apart (millimetres, degrees)."""
        out = ctypes.c_void_p()
        with native_job(progress) as job:
            call("ab_document_compare", self.pointer, other.pointer, job, ctypes.byref(out))
        return parse_object(take_bytes(out))

    def quality(self, progress: Progress | None = None) -> dict[str, Any]:
        """Numbers on how well the motion plays: shaking, the seam, travel, feet (docs/clip-tools.md)."""
        out = ctypes.c_void_p()
        with native_job(progress) as job:
            call("ab_document_quality", self.pointer, job, ctypes.byref(out))
        return parse_object(take_bytes(out))

    def edited(self, edits: Mapping[str, Any]) -> Document:
        """A copy with other values: those of the format's options "edited" (docs/options.md)."""
        return self.edit(edits)[0]

    def edit(self, edits: Mapping[str, Any]) -> tuple[Document, dict[str, Any]]:
        """The same, and the report: its "findings" are what the target program does with the new values."""
        out = ctypes.c_void_p()
        report = ctypes.c_void_p()
        wanted = {name: as_json(value) for name, value in edits.items()}
        call(
            *("ab_document_edit", self.pointer, json.dumps(wanted).encode("ascii")),
            *(ctypes.byref(out), ctypes.byref(report)),
        )
        return Document(out), parse_object(take_bytes(report))

    def fix(
        self, options: Mapping[str, Any] | None = None
    ) -> tuple[Document, Document | None, dict[str, Any]]:
        """A copy with the findings mended that mend themselves, a second document, and the report.

        `options`: those of the format's table "fixed" (docs/options.md). The second document puts back the
        joints that stay displaced after the copy has played; None if there are none.
        """
        out, undeform, report = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        call(
            *("ab_document_fix", self.pointer, json.dumps(dict(options or {})).encode("ascii")),
            *(ctypes.byref(out), ctypes.byref(undeform), ctypes.byref(report)),
        )
        second = Document(undeform) if undeform else None
        return Document(out), second, parse_object(take_bytes(report))

    @classmethod
    def join(
        cls, documents: Sequence[Document], options: Mapping[str, Any] | None = None
    ) -> tuple[Document, dict[str, Any]]:
        """Documents of one format one after the other, and the report.

        `options`: those of the format's table "joined" (docs/options.md). Only MRTK recordings can be joined.
        """
        out = ctypes.c_void_p()
        report = ctypes.c_void_p()
        pointers = (ctypes.c_void_p * len(documents))(*(one.pointer for one in documents))
        call(
            *("ab_document_join", pointers, len(documents), json.dumps(dict(options or {})).encode("ascii")),
            *(ctypes.byref(out), ctypes.byref(report)),
        )
        return cls(out), parse_object(take_bytes(report))

    def predict_upload(self) -> tuple[Document, dict[str, Any]]:
        """The file that the Second Life viewer would store after an upload, and what it altered.

        A refused upload is an AnimBridgeError of code REJECTED whose `details` are the findings as JSON.
        """
        out = ctypes.c_void_p()
        findings = ctypes.c_void_p()
        try:
            call("ab_document_as_stored", self.pointer, ctypes.byref(out), ctypes.byref(findings))
        except AnimBridgeError as error:
            error.details = take_bytes(findings).decode("utf-8")
            raise
        return Document(out), parse_object(take_bytes(findings))

    def _bytes(self, function: str, *arguments: Any) -> bytes:
        out = ctypes.c_void_p()
        call(function, self.pointer, *arguments, ctypes.byref(out))
        return take_bytes(out)


def formats() -> list[dict[str, Any]]:
    """The table of formats: id, title, extensions, reads, writes."""
    out = ctypes.c_void_p()
    call("ab_formats_json", ctypes.byref(out))
    return list(parse_object(take_bytes(out))["formats"])


def parse_object(text: bytes) -> dict[str, Any]:
    """A JSON object of the library."""
    return dict(json.loads(text))


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """A file's bytes; an error that names it."""
    try:
        return Path(path).read_bytes()
    except OSError as fault:
        raise AnimBridgeError(f"{os.fsdecode(path)} cannot be read: {fault.strerror}", Status.IO) from fault


def write_whole(path: Path, data: bytes) -> None:
    """Writes beside `path` and renames: a failure leaves an existing file as it was.

    A link stays a link, an existing file's permissions stay, and into a pipe or a device is written.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    place = Path(os.path.realpath(path))
    partial = place.with_name(f".animbridge-{os.getpid()}.partial")
    try:
        partial.write_bytes(data)
        if place.exists():
            partial.chmod(stat.S_IMODE(place.stat().st_mode))
        partial.replace(place)
    finally:
        partial.unlink(missing_ok=True)


def as_json(value: Any) -> Any:
    """JSON has no number for what is not finite: the library takes the bits, and its check tells."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"bits": struct.pack(">f", value).hex()}
    return value


def _reading(strict: bool, trim: str = "") -> bytes | None:
    options = scene_reader.options()
    if strict:
        options["strict"] = True
    if trim:
        options["trim"] = trim
    return json.dumps(options).encode() if options else None


def _optional(text: str | None) -> bytes | None:
    return encode_text(text) if text else None

# SPDX-License-Identifier: GPL-3.0-or-later
"""Files as imports read them: the document, and the bytes for the template."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..package import Document, read_bytes


@dataclass(frozen=True)
class SourceFile:
    """A file that was read. `data`: its bytes; None if they are not in the document's own format."""

    document: Document
    name: str
    data: bytes | None = None


def read_source(
    path: Path,
    tools: Mapping[str, Any] | None = None,
    *,
    strict: bool = False,
    trim: str = "",
    keeps_file: bool = True,
) -> SourceFile:
    """Reads a file; `strict` and `trim` as for Document.read.

    `tools`: clip tools (docs/options.md). `keeps_file`: the import keeps its bytes.
    """
    data = read_bytes(path)
    document = Document.read(data, os.fsdecode(path), strict=strict, trim=trim)
    if tools:
        document = document.edited(tools)
    if trim or tools:
        return SourceFile(document, path.name, document.write() if keeps_file else None)
    # AnimBridge's JSON of a document is not in the document's own format.
    return SourceFile(document, path.name, None if data.lstrip()[:1] == b"{" else data)

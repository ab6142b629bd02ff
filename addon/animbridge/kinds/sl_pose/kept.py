# SPDX-License-Identifier: GPL-3.0-or-later
"""The files that an armature was posed by without an Action, kept with it for exports."""

from __future__ import annotations

import json
import zlib
from typing import Any, Final

import bpy

from ...package import AnimBridgeError, Document
from ...scene.source_files import SourceFile
from ...scene.stored_members import unpacked

PROPERTY: Final = "animbridge_poses"
_FORMAT: Final = "sl_pose"
#: Together; real files have 140 kB.
_LARGEST_BYTES: Final = 1 << 26
_DAMAGES: Final = (LookupError, TypeError, ValueError, AttributeError, zlib.error)


def keep(armature_object: bpy.types.Object, file: SourceFile) -> None:
    """Keeps the file as the last one, over an earlier file of its name."""
    stem = _stem(file.name)
    files = {name: text for name, text in _texts(armature_object).items() if name != stem}
    data = file.document.write() if file.data is None else file.data
    files[stem] = data.decode("latin-1")
    packed = _packed(files)
    while len(packed) > _LARGEST_BYTES:  # the oldest go
        del files[next(iter(files))]
        packed = _packed(files)
    owner: Any = armature_object
    # Replaced as a whole: from Blender 4.3 on, bytes assigned over bytes are cut short.
    owner.pop(PROPERTY, None)
    owner[PROPERTY] = {"size": len(packed), "files": zlib.compress(packed)}


def _packed(files: dict[str, str]) -> bytes:
    return json.dumps(list(files.items())).encode("ascii")


def kept_document(armature_object: bpy.types.Object, name: str = "") -> Document | None:
    """The file of this name, without extension; "": the last one. None if there is none."""
    texts = _texts(armature_object)
    stem = name or next(reversed(texts), "")
    text = texts.get(stem)
    return None if text is None else Document.read(text.encode("latin-1"), f"{stem}.xml", _FORMAT)


def last_name(armature_object: bpy.types.Object) -> str:
    """The name of the last file, without extension; "" if there is none."""
    return next(reversed(_texts(armature_object)), "")


def _texts(armature_object: bpy.types.Object) -> dict[str, str]:
    """{file name without extension: its bytes, each as a character}, the last one at the end."""
    owner: Any = armature_object
    stored = owner.get(PROPERTY)
    if stored is None:
        return {}
    try:
        size = int(stored["size"])
        if not 0 <= size <= _LARGEST_BYTES:
            raise ValueError(f"size: found {size}; allowed are up to {_LARGEST_BYTES}")
        return {str(name): str(text) for name, text in json.loads(unpacked(stored["files"], size, "files"))}
    except _DAMAGES as fault:
        raise AnimBridgeError(
            f"The poses that the armature '{armature_object.name}' was imported from are kept in its custom "
            f"property '{PROPERTY}', which is damaged ({fault}). Delete the property to export new files."
        ) from fault


def _stem(name: str) -> str:
    return name.rsplit(".", 1)[0]

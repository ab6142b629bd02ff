# SPDX-License-Identifier: MIT
"""The BVH fixtures, and the manifest of those that the viewer's loader is given."""

from __future__ import annotations

import json
from typing import Any

from ..skeleton import load_skeleton
from . import bvh_dialects, bvh_hostile, bvh_upload_motion, bvh_upload_text

FOLDER = "bvh"


def all_files() -> dict[str, bytes]:
    """Contents by the path below FOLDER; each case makes its own, and checks them."""
    skeleton = load_skeleton()
    made = [case.files() for case in [*bvh_dialects.all_cases(), *bvh_hostile.all_cases()]]
    rows: list[dict[str, Any]] = []
    for case in [*bvh_upload_text.all_cases(), *bvh_upload_motion.all_cases()]:
        files, row = case.files(skeleton)
        made.append(files)
        rows.append(row)
    manifest = "[\n" + ",\n".join(json.dumps(row) for row in sorted(rows, key=lambda r: r["name"])) + "\n]\n"
    made.append({"loader/manifest.json": manifest.encode()})
    merged = {name: data for files in made for name, data in files.items()}
    if len(merged) != sum(len(files) for files in made):
        raise SystemExit("two BVH fixtures have one name")
    return merged

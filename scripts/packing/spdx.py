# SPDX-License-Identifier: MIT
"""A list of what is inside the packages, in the words of SPDX 2.3 (a software bill of materials)."""

from __future__ import annotations

import hashlib
import json
import re
from datetime import datetime, timezone
from pathlib import Path

from .components import Component, components_of
from .installed import Installed


def spdx_document(version: str, packages: dict[Path, list[Installed]], created_seconds: int) -> str:
    """The document as JSON. `packages` has the builds whose files each package holds."""
    rows = [_package_row(path, version) for path in packages]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", row["SPDXID"]) for row in rows]
    parts: dict[str, Component] = {}
    for row, builds in zip(list(rows), packages.values(), strict=True):
        inside = {_part_id(part): part for build in builds for part in components_of(build)}
        parts |= inside
        relations += [(row["SPDXID"], "CONTAINS", name) for name in sorted(inside)]
    rows += [_part_row(name, parts[name]) for name in sorted(parts)]
    seal = hashlib.sha1(json.dumps(rows).encode()).hexdigest()
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"animbridge-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/animbridge-{version}-{seal}",
        "creationInfo": {
            "created": datetime.fromtimestamp(created_seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Organization: The AnimBridge contributors", "Tool: scripts/package"],
        },
        "packages": rows,
        "relationships": [
            {"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b}
            for a, kind, b in relations
        ],
    }
    return json.dumps(document, indent=2) + "\n"


def _package_row(path: Path, version: str) -> dict[str, object]:
    data = path.read_bytes()
    # The library is under MIT; whatever holds the add-on's Python files is under the GPL as a whole.
    terms = "MIT" if "command-and-library" in path.name else "GPL-3.0-or-later"
    return {
        "SPDXID": f"SPDXRef-{_id(path.name)}",
        "name": "animbridge",
        "versionInfo": version,
        "packageFileName": path.name,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": terms,
        "licenseDeclared": terms,
        "copyrightText": "The AnimBridge contributors",
        "checksums": [{"algorithm": "SHA256", "checksumValue": hashlib.sha256(data).hexdigest()}],
    }


def _part_row(name: str, part: Component) -> dict[str, object]:
    return {
        "SPDXID": name,
        "name": part.name,
        "versionInfo": part.version,
        "homepage": part.home,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": part.license,
        "licenseDeclared": part.license,
        "copyrightText": part.copyright,
    }


def _part_id(part: Component) -> str:
    return f"SPDXRef-{_id(f'{part.name}-{part.version}')}"


def _id(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9.-]", "-", text)

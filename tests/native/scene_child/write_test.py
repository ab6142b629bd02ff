# SPDX-License-Identifier: MIT
"""What animbridge-scene writes, read by the witness's readers and by the Khronos glTF validator."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import numpy as np
from tests.witness.scene_model import CUBICSPLINE, STEP, Scene
from tests.witness.scene_read_dae import read_dae
from tests.witness.scene_read_fbx import read_fbx
from tests.witness.scene_read_gltf import read_gltf
from tests.witness.scene_written import Difference, compare, document, in_container, scenes

READERS: Final = {"glb": read_gltf, "gltf": read_gltf, "fbx": read_fbx, "dae": read_dae}
#: Files store floats: 1 m and 180 degrees are off by 1e-4 mm and 1e-5 degrees for each joint of a chain.
MOST_KEY: Final = (0.01, 0.001)
#: Where readers blend Euler angles, keys are added until they are right to this.
MOST_BETWEEN: Final = (0.1, 0.05)
#: Of the bone that moves least for it: floats of matrices around 1 that were inverted.
MOST_BIND: Final = 1e-5
VIEW_DEGREES: Final = 35.9834  # the height's field, of 60 degrees in width at 16 to 9
VALIDATOR: Final = "gltf-validator-2.0.0-dev.3.10"
VALIDATE: Final = """
const validator = require(process.argv[1]), fs = require('fs');
(async () => {
  const all = {};
  for (const file of process.argv.slice(2)) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {maxIssues: 20});
    all[file] = report.issues;
  }
  console.log(JSON.stringify(all));
})();
"""
#: The exit code by which ctest knows a test that was skipped (SKIP_RETURN_CODE).
SKIPPED: Final = 77
#: An empty root of a scene without joints says nothing wrong.
MAY_INFORM: Final = {"NODE_EMPTY"}


def demand(condition: object, what: str) -> None:
    if not condition:
        raise SystemExit(f"FAILED: {what}")


class Writing:
    """The program, and where its files go."""

    def __init__(self, child: Path, wire: Path, folder: Path) -> None:
        self.child, self.wire, self.folder = child, wire, folder
        self.writes: list[str] = json.loads(subprocess.check_output([child, "formats"]))["writes"]

    def run(self, told: Any, container: str) -> subprocess.CompletedProcess[bytes]:
        source = self.folder / "scene.json"
        source.write_text(json.dumps(told), encoding="utf-8")
        sent = subprocess.run([self.wire, source], capture_output=True, check=False)
        demand(sent.returncode == 0, sent.stderr.decode())
        limits = ["--memory-mib", "2048", "--cpu-seconds", "60"]
        command = [self.child, "write", "--container", container, *limits]
        return subprocess.run(command, input=sent.stdout, capture_output=True, check=False, timeout=120)

    def write(self, name: str, scene: Scene, container: str) -> Path:
        done = self.run(document(scene), container)
        demand(done.returncode == 0, f"{name}.{container}: {done.returncode} {done.stderr.decode()}")
        again = self.run(document(scene), container)
        demand(done.stdout == again.stdout, f"{name}.{container}: the same scene gives other bytes")
        file = self.folder / f"{name}.{container}"
        file.write_bytes(done.stdout)
        return file


def wanted_names(scene: Scene, container: str) -> list[str]:
    """COLLADA's readers know joints by name: repeated and empty ones get another."""
    names = [node.name for node in scene.nodes]
    if container != "dae":
        return names
    result: list[str] = []
    for name in names:
        wanted = name or "_"
        unique, count = wanted, 2
        while unique in result:
            unique, count = f"{wanted}.{count}", count + 1
        result.append(unique)
    return result


def check(name: str, meant: Scene, found: Scene, container: str) -> Difference:
    apart = compare(meant, found, container == "fbx")
    where = f"{name}.{container}: {apart}"
    demand(not apart.words, where)
    demand(apart.rest_mm <= MOST_KEY[0] and apart.bind <= MOST_BIND, where)
    demand(apart.key_mm <= MOST_KEY[0] and apart.key_degrees <= MOST_KEY[1], where)
    demand(apart.between_mm <= MOST_BETWEEN[0] and apart.between_degrees <= MOST_BETWEEN[1], where)
    names = {node.name for node in found.nodes}
    missing = set(wanted_names(meant, container)) - names
    demand(not missing, f"{where}: names {missing} are not in {names}")
    views = [node.camera for node in found.nodes if node.camera]
    wanted = [VIEW_DEGREES for node in meant.nodes if node.camera]
    close = all(abs(a - b) < 1e-3 for a, b in zip(views, wanted, strict=True))
    demand(len(views) == len(wanted) and close, f"{where}: fields of view {views}")
    return apart


def try_scenes(writing: Writing) -> None:
    worst: dict[str, Difference] = {}
    for name, scene in scenes().items():
        for container in writing.writes:
            if name == "several" and container == "dae":
                continue
            meant = in_container(scene, container)
            file = writing.write(name, meant, container)
            apart = check(name, meant, READERS[container](file.read_bytes()), container)
            total = worst.setdefault(container, Difference())
            total.add(True, apart.key_mm, apart.key_degrees)
            total.add(False, apart.between_mm, apart.between_degrees)
    demand(set(worst) == set(writing.writes), "a container was not tried")
    for container, apart in worst.items():
        print(
            f"{container:<5} keys {apart.key_mm:.5f} mm {apart.key_degrees:.5f} degrees, "
            f"between {apart.between_mm:.4f} mm {apart.between_degrees:.4f} degrees"
        )


def refused(writing: Writing, told: Any, container: str, words: str) -> None:
    done = writing.run(told, container)
    said = done.stderr.decode()
    plain = done.returncode == 1 and not done.stdout and said.count("\n") == 1
    demand(plain and words in said, f"{container}: wanted {words!r}, found {done.returncode} {said}")


def try_errors(writing: Writing) -> None:
    several = document(in_container(scenes()["several"], "dae"))
    refused(writing, several, "dae", "holds one animation")
    refused(writing, several, "obj", "allowed are")
    early = document(in_container(scenes()["few_keys"], "glb"))
    early["animations"][0]["channels"][0]["times_seconds"][0] = -1.0
    refused(writing, early, "glb", "begins at 0")
    stepped = document(in_container(scenes()["few_keys"], "glb"))
    stepped["animations"][0]["channels"][0]["interpolation"] = "step"
    refused(writing, stepped, "dae", "not linear")
    stepped["animations"][0]["channels"][0]["interpolation"] = "cubic"
    numbers = len(stepped["animations"][0]["channels"][0]["values"])
    stepped["animations"][0]["channels"][0]["tangents"] = [0.0] * (2 * numbers)
    refused(writing, stepped, "dae", "not linear")
    down = document(in_container(scenes()["still"], "dae"))
    down["space"]["up"] = "-Y"
    refused(writing, down, "dae", "up is -Y")
    refused(writing, several | {"nodes": [], "animations": []}, "glb", "no node")
    if "fbx" not in writing.writes:
        refused(writing, several, "fbx", "Assimp 5")


def try_kinds(writing: Writing) -> None:
    """glTF has keys that hold, and cubic splines; each channel has its own kind."""
    told = document(in_container(scenes()["few_keys"], "glb"))
    channels = told["animations"][0]["channels"]
    bent, held = channels[0], next(c for c in channels[1:] if len(c["times_seconds"]) > 1)
    held["interpolation"], bent["interpolation"] = "step", "cubic"
    keys = len(bent["times_seconds"])
    width = len(bent["values"]) // keys
    slopes = np.random.default_rng(16).uniform(-1, 1, (keys, 2, width))
    bent["tangents"] = [float(number) for number in slopes.ravel()]
    told["animations"][0]["duration_seconds"] = (longest := bent["times_seconds"][-1]) + 1.0
    for container in ("glb", "gltf"):
        done = writing.run(told, container)
        demand(done.returncode == 0, f"kinds.{container}: {done.stderr.decode()}")
        (writing.folder / f"kinds.{container}").write_bytes(done.stdout)
        found = read_gltf(done.stdout).animations[0].channels()
        kinds = sorted(channel.interpolation for channel in found)
        demand(kinds.count(STEP) == 1 and kinds.count(CUBICSPLINE) == 1, f"{container}: {kinds}")
        (spline,) = (channel for channel in found if channel.interpolation == CUBICSPLINE)
        rows = np.array(spline.values).reshape(-1, 3, width)
        values = np.array(bent["values"]).reshape(-1, width)
        wanted = np.stack([slopes[:, 0], values, slopes[:, 1]], axis=1)
        # The animation lasts longer: one more key holds the end.
        wanted[-1, 2] = 0
        none = np.zeros(width)
        wanted = np.concatenate([wanted, [[none, values[-1], none]]])
        times = [*bent["times_seconds"], longest + 1.0]
        demand(np.allclose(spline.times, times, atol=1e-6), f"{container}: {spline.times}")
        demand(np.allclose(rows, wanted, atol=1e-6), f"{container}: {rows} instead of {wanted}")


def try_validator(folder: Path) -> None:
    """Every glTF file that was written, by the Khronos group's own validator."""
    files = sorted([*folder.glob("*.glb"), *folder.glob("*.gltf")])
    demand(len(files) >= 20, "there are no glTF files to validate")
    cache = Path(os.environ.get("ANIMBRIDGE_CACHE") or Path.home() / ".cache" / "animbridge")
    validator, node = cache / VALIDATOR / "package", cache / VALIDATOR / "node"
    if not node.exists():
        what = f"no glTF validator in {cache}; scripts/test fetches it"
        demand(os.environ.get("CI") != "true", f"{what}, and CI needs it")
        print(f"SKIPPED: {what}", file=sys.stderr)
        raise SystemExit(SKIPPED)
    done = subprocess.run([node, "-e", VALIDATE, validator, *files], capture_output=True, check=False)
    demand(done.returncode == 0, done.stderr.decode())
    for file, issues in json.loads(done.stdout).items():
        codes = {message["code"] for message in issues["messages"]}
        fine = issues["numErrors"] == 0 and issues["numWarnings"] == 0 and codes <= MAY_INFORM
        demand(fine, f"{file}: {issues['messages']}")
    print(f"the Khronos validator finds no error and no warning in {len(files)} files")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--child", type=Path, required=True)
    parser.add_argument("--wire", type=Path, required=True)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="animbridge-written-") as folder:
        writing = Writing(given.child, given.wire, Path(folder))
        try_errors(writing)
        try_scenes(writing)
        try_kinds(writing)
        try_validator(Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())

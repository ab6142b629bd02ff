# SPDX-License-Identifier: MIT
"""Whether the built files of a platform are what their users can load, by LLVM's readers.

tests/platforms/check_files.py windows-x64 build-platforms/windows-x64

Nothing is run. Checks the kind of file, that each library exports the functions of its header and nothing
else, that all need nothing but the system, and the oldest system that they ask for.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
HEADERS: Final = ROOT / "native" / "include" / "animbridge"
GLIBC: Final = (2, 28)
MACOS: Final = "11.0"
#: What every Windows 10 has. The C runtime is the system's own.
WINDOWS_LIBRARIES: Final = re.compile(
    r"^(KERNEL32|SHELL32|api-ms-win-crt-[a-z]+-l1-1-0|ucrtbase|ntdll)\.dll$", re.I
)
#: As llvm-readobj calls the files.
KINDS: Final = {
    "linux-x64": "elf64-x86-64",
    "linux-arm64": "elf64-littleaarch64",
    "windows-x64": "coff-x86-64",
    "windows-arm64": "coff-arm64",
    "macos-x64": "mach-o 64-bit x86-64",
    "macos-arm64": "mach-o arm64",
}


class WrongFileError(Exception):
    """What keeps a file from being loaded, or from being what it should be."""


def tool(name: str, *arguments: str | Path) -> str:
    """What one of LLVM's tools prints; Debian adds their version to the names."""
    found = shutil.which(name) or next(
        (str(path) for path in sorted(Path("/usr/bin").glob(f"{name}-[0-9]*"), reverse=True)), None
    )
    if found is None:
        raise WrongFileError(f"{name} is not installed (Debian's package llvm)")
    return subprocess.run([found, *arguments], capture_output=True, text=True, check=True).stdout


def expect(what: str, found: object, wanted: object) -> None:
    """Raises WrongFileError with both if they differ."""
    if found != wanted:
        raise WrongFileError(f"{what}: found {found}, wanted {wanted}")


def functions_for(library: Path) -> set[str]:
    """What the library's header declares."""
    header = HEADERS / ("scene.h" if "animbridge-scene" in library.name else "animbridge.h")
    text = header.read_text(encoding="utf-8")
    return set(re.findall(r"^AB_API [^;(]*\b(ab_\w+)\(", text, re.MULTILINE))


def check_linux(libraries: list[Path], programs: list[Path]) -> str:
    """Exports, needed libraries and versions of glibc."""
    for library in libraries:
        symbols = tool("llvm-nm", "-D", "--defined-only", "--extern-only", "--format=just-symbols", library)
        expect(f"exports of {library.name}", set(symbols.split()), functions_for(library))
    newest: tuple[int, ...] = ()
    for file in (*libraries, *programs):
        told = tool("llvm-readelf", "--dynamic-table", "--version-info", file)
        needed = set(re.findall(r"Shared library: \[([^]]+)\]", told))
        allowed = r"(libc|libm|libpthread|libdl|librt)\.so\.\d|ld-linux-[a-z0-9-]+\.so\.\d"
        if file in programs:
            allowed += r"|libanimbridge-scene\.so"
        expect(
            f"libraries that {file.name} needs besides glibc",
            {n for n in needed if not re.fullmatch(allowed, n)},
            set(),
        )
        versions = [tuple(map(int, v.split("."))) for v in re.findall(r"Name: GLIBC_([0-9.]+)", told)]
        newest = max([newest, *versions])
    if newest > GLIBC:
        raise WrongFileError(f"glibc: found {newest}, allowed is {GLIBC}")
    return f"glibc {'.'.join(map(str, newest))}"


def check_windows(libraries: list[Path], programs: list[Path]) -> str:
    """Exports and imported libraries."""
    for library in libraries:
        told = tool("llvm-readobj", "--coff-exports", library)
        names = re.findall(r"^ {2}Name: (\S+)$", told, re.MULTILINE)
        expect(f"exports of {library.name}", set(names), functions_for(library))
    imported: set[str] = set()
    for file in (*libraries, *programs):
        imported |= set(
            re.findall(r"^ {2}Name: (\S+)$", tool("llvm-readobj", "--coff-imports", file), re.MULTILINE)
        )
    own = {"animbridge-scene.dll"}
    foreign = {name for name in imported if not WINDOWS_LIBRARIES.match(name)}
    expect("libraries that are not the system's", foreign - own, set())
    return f"{len(imported)} libraries of the system"


def check_macos(libraries: list[Path], programs: list[Path]) -> str:
    """Exports, needed libraries and the oldest system."""
    # The linker of zig keeps to no list. It shows what is its own, and also C++'s new and delete, weakly: the
    # libraries of a process share them.
    for library in libraries:
        trie = tool("llvm-objdump", "--macho", "--exports-trie", library)
        exports = re.findall(r"^0x[0-9A-F]+\s+_(\S+)(?! \[weak_def\])$", trie, re.MULTILINE)
        own = set(exports) - {"_mh_dylib_header", "__dso_handle"}
        expect(f"exports of {library.name}", own, functions_for(library))
    for file in (*libraries, *programs):
        needed = set(re.findall(r"^\t(/\S+|@\S+)", tool("llvm-otool", "-L", file), re.MULTILINE))
        own = {"@rpath/libanimbridge.0.dylib", "@loader_path/libanimbridge-scene.dylib"} & needed
        expect(f"libraries that {file.name} needs", needed - own, {"/usr/lib/libSystem.B.dylib"})
        commands = tool("llvm-otool", "-l", file)
        expect(
            f"oldest macOS of {file.name}",
            set(re.findall(r"^\s+minos (\S+)", commands, re.MULTILINE)),
            {MACOS},
        )
    return f"macOS {MACOS}"


def check_signed(file: Path) -> None:
    """Apple's own processors run nothing without a signature, which may be anybody's."""
    expect(f"signature of {file.name}", "LC_CODE_SIGNATURE" in tool("llvm-otool", "-l", file), True)


def main() -> int:
    """Prints what the files are; the exit code."""
    platform, build = sys.argv[1], Path(sys.argv[2])
    system = platform.partition("-")[0]
    names = {
        "linux": ("lib{}.so", "{}", check_linux),
        "windows": ("{}.dll", "{}.exe", check_windows),
        "macos": ("lib{}.dylib", "{}", check_macos),
    }
    library_name, program_name, check = names[system]
    parts = ("animbridge", "animbridge-scene")
    libraries = [build / "lib" / library_name.format(part) for part in parts]
    programs = [build / "bin" / program_name.format(part) for part in parts]
    try:
        for file in (*libraries, *programs):
            kind = re.search(r"^Format: (.+)", tool("llvm-readobj", "--file-headers", file), re.MULTILINE)
            expect(f"kind of {file.name}", kind and kind[1].strip().lower(), KINDS[platform])
            if platform == "macos-arm64":
                check_signed(file)
        said = check(libraries, programs)
    except WrongFileError as fault:
        print(f"{platform}: {fault}")
        return 1
    size = sum(file.stat().st_size for file in (*libraries, *programs)) / 1e6
    count = len(functions_for(libraries[0]))
    print(f"{platform}: {count} functions, {said}, {size:.1f} MB libraries and programs")
    return 0


if __name__ == "__main__":
    sys.exit(main())

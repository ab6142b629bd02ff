# SPDX-License-Identifier: MIT
"""Started in a process of its own by its path: calls one of the libraries as a program is called.

python -I -S launcher.py command LIBRARY OPTIONS WORDS...  the command animbridge; OPTIONS is JSON
python -I -S launcher.py scene LIBRARY WORDS...            the reader of scenes; the library makes the words
python -I -S launcher.py probe                             says that this Python works

It needs nothing but Python's own modules, and imports nothing of this package.
"""

import ctypes
import os
import signal
import sys


def main(words: list[str]) -> int:
    """The exit code of the call."""
    if words == ["probe"]:
        print("animbridge", end="")
        return 0
    # As in a program: Ctrl-C and a closed pipe end it, also while the library works.
    for name in ("SIGINT", "SIGPIPE"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    what, library, *rest = words
    try:
        functions = ctypes.CDLL(library)
    except OSError as fault:
        print(f"{fault}. If AnimBridge was updated while this program ran, start it again", file=sys.stderr)
        return 1
    if what == "command":
        return int(
            functions.ab_command(_array(rest[1:]), ctypes.c_size_t(len(rest) - 1), os.fsencode(rest[0]))
        )
    arguments = ["animbridge-scene", *rest]
    return int(functions.ab_scene_main(ctypes.c_int(len(arguments)), _array(arguments)))


def _array(words: list[str]) -> ctypes.Array[ctypes.c_char_p]:
    """As main() gets them: bytes, with NULL at the end."""
    return (ctypes.c_char_p * (len(words) + 1))(*map(os.fsencode, words), None)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

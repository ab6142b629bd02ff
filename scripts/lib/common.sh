# shellcheck shell=bash
# What every script here shares: where things are, how to speak, how to become root.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
CACHE=${ANIMBRIDGE_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/animbridge}
# Debian's own interpreter: another python3 first on PATH has neither Debian's modules nor its version. Debian 12 may have
# several; other systems have one.
DEBIAN_PYTHON=/usr/bin/python3.11
[[ -x $DEBIAN_PYTHON ]] || DEBIAN_PYTHON=/usr/bin/python3

# as_debian COMMAND...: with Debian's python3 first on PATH. Debian's Blender takes the modules of the first one, and only
# Debian's has NumPy.
as_debian() { env PATH="/usr/bin:$PATH" "$@"; }

say() { printf '%s\n' "$*"; }
warn() { printf 'warning: %s\n' "$*" >&2; }
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# as_root COMMAND...: runs it as root, through sudo when need be.
as_root() {
    if ((EUID == 0)); then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo -- "$@"
    else
        die "this needs root and there is no sudo: $*"
    fi
}

# Without asking for a password.
can_be_root_silently() { ((EUID == 0)) || sudo -n true 2>/dev/null; }

can_be_root() { can_be_root_silently || { command -v sudo >/dev/null && [[ -t 0 ]]; }; }

# with_lock NAME COMMAND...: one at a time of each name, in whatever process.
with_lock() {
    local name=$1
    shift
    mkdir -p "$CACHE"
    (
        exec 9>"$CACHE/$name.lock"
        flock -w 3600 9 || die "another run has held $CACHE/$name.lock for an hour"
        "$@" 9>&-
    )
}

# is_ready DIR STAMP: DIR was finished with exactly these pins.
is_ready() { [[ -f $1/.animbridge-stamp ]] && [[ $(<"$1/.animbridge-stamp") == "$2" ]]; }

# remove_tree DIR: never across a mount.
remove_tree() {
    [[ -e $1 ]] || return 0
    if [[ -O $1 ]]; then
        rm -rf --one-file-system -- "$1"
    else
        as_root rm -rf --one-file-system -- "$1"
    fi
}

# publish PARTIAL DIR STAMP: puts the finished folder in place of an old one.
publish() {
    printf '%s\n' "$3" >"$1/.animbridge-stamp"
    remove_tree "$2"
    mv -- "$1" "$2"
}

# requirement NAME: its pinned line in requirements-dev.txt.
requirement() {
    grep -E "^$1(\[[a-z,]+\])?==" "$ROOT/scripts/requirements-dev.txt" || die "requirements-dev.txt does not pin $1"
}

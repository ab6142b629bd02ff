# shellcheck shell=bash
# Python packages in environments of Debian's Python: the tools of requirements-dev.txt, what the stage farm runs with, and what
# builds the pages.
# Needs common.sh.

DEVENV_DIR=$CACHE/devenv
# shellcheck disable=SC2034  # read by scripts/test
DEVENV_FETCH="100 MB"

FARMENV_DIR=$CACHE/farmenv
# shellcheck disable=SC2034  # read by scripts/test
FARMENV_FETCH="110 MB"

DOCSENV_DIR=$CACHE/docsenv
# shellcheck disable=SC2034  # read by scripts/test and scripts/docs
DOCSENV_FETCH="30 MB"

devenv_ready() { environment_ready "$DEVENV_DIR" dev; }
devenv_prepare() { environment_prepare "$DEVENV_DIR" dev "$DEVENV_FETCH"; }
farmenv_ready() { environment_ready "$FARMENV_DIR" farm; }
farmenv_prepare() { environment_prepare "$FARMENV_DIR" farm "$FARMENV_FETCH"; }
docsenv_ready() { environment_ready "$DOCSENV_DIR" docs; }
docsenv_prepare() { environment_prepare "$DOCSENV_DIR" docs "$DOCSENV_FETCH"; }

# environment_ready DIR NAME: whether DIR holds the packages of requirements-NAME.txt.
environment_ready() { is_ready "$1" "$(<"$ROOT/scripts/requirements-$2.txt")"; }
# environment_prepare DIR NAME SIZE
environment_prepare() { environment_ready "$1" "$2" || with_lock "environment-$2" environment_make "$@"; }
environment_make() {
    local folder=$1 list=requirements-$2.txt partial=$1.partial
    if environment_ready "$1" "$2"; then return 0; fi
    say "Fetching the Python packages of $list (about $3)"
    remove_tree "$partial"
    "$DEBIAN_PYTHON" -m venv "$partial" || return
    timeout --foreground 1800 "$partial/bin/python" -m pip install --quiet --no-cache-dir --disable-pip-version-check \
        -r "$ROOT/scripts/$list" || return
    publish "$partial" "$folder" "$(<"$ROOT/scripts/$list")"
}
# devenv MODULE ARGS...: python -m MODULE (the console scripts name the folder they were made in).
devenv() { "$DEVENV_DIR/bin/python" -m "$@"; }

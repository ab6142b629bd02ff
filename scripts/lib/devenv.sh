# shellcheck shell=bash
# The Python tools of requirements-dev.txt, in a venv of Debian's Python. Needs common.sh.

DEVENV_DIR=$CACHE/devenv
# shellcheck disable=SC2034  # read by scripts/test
DEVENV_FETCH="100 MB"

devenv_stamp() { cat "$ROOT/scripts/requirements-dev.txt"; }
devenv_ready() { is_ready "$DEVENV_DIR" "$(devenv_stamp)"; }
devenv_prepare() { devenv_ready || with_lock devenv devenv_make; }
devenv_make() {
    if devenv_ready; then return 0; fi
    local partial=$DEVENV_DIR.partial
    say "Fetching the Python tools of requirements-dev.txt (about $DEVENV_FETCH)"
    remove_tree "$partial"
    "$DEBIAN_PYTHON" -m venv "$partial"
    timeout --foreground 1800 "$partial/bin/python" -m pip install --quiet --no-cache-dir --disable-pip-version-check \
        -r "$ROOT/scripts/requirements-dev.txt"
    publish "$partial" "$DEVENV_DIR" "$(devenv_stamp)"
}
# devenv MODULE ARGS...: python -m MODULE (the console scripts name the folder they were made in).
devenv() { "$DEVENV_DIR/bin/python" -m "$@"; }

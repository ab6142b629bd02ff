# shellcheck shell=bash
# A command whose standard output goes through sed, and that signals reach as if it did not.

# run_filtered PROGRAM COMMAND...: gives COMMAND's exit code. It gets every SIGINT and SIGTERM once, whether a
# terminal sent it to the whole group or somebody to this script alone; sed stays until the output ends.
run_filtered() {
    local program=$1 child filter out rc=0 signalled=1
    shift
    exec {out}> >(trap '' HUP INT TERM && exec sed -uE "$program")
    filter=$!
    set -m # a process group of its own, whose first process waits for the command
    (trap : HUP INT TERM && exec >&"$out" {out}>&- && "$@" </dev/null) &
    child=$!
    set +m
    exec {out}>&-
    trap 'signalled=1; kill -INT -- "-$child" 2>/dev/null || true' INT
    trap 'signalled=1; kill -TERM -- "-$child" 2>/dev/null || true' HUP TERM
    while ((signalled)); do # a signal ends the wait, and not the command
        signalled=0
        rc=0
        wait "$child" || rc=$?
    done
    wait "$filter" || true
    trap - HUP INT TERM
    return "$rc"
}

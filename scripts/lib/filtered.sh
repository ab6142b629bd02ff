# shellcheck shell=bash
# A command whose standard output goes through sed, and that signals reach as if it did not.

# pass_on SIGNAL: to the command of run_filtered, or kept for it until it runs.
pass_on() {
    if [[ -n $child ]]; then
        kill "-$1" -- "-$child" 2>/dev/null || true
    else
        early=$1
    fi
}

# run_filtered PROGRAM COMMAND...: gives COMMAND's exit code. It gets every SIGINT and SIGTERM once, whether a
# terminal sent it to the whole group or somebody to this script alone; sed stays until the output ends.
run_filtered() {
    local program=$1 child='' filter out rc=0 early=''
    shift
    # Before anything starts: whoever sees the first output may send a signal at once.
    trap 'pass_on INT' INT
    trap 'pass_on TERM' HUP TERM
    exec {out}> >(trap '' HUP INT TERM && exec sed -uE "$program")
    filter=$!
    set -m # a process group of its own, whose first process waits for the command
    (trap : HUP INT TERM && exec >&"$out" {out}>&- && "$@" </dev/null) &
    child=$!
    set +m
    exec {out}>&-
    [[ -z $early ]] || pass_on "$early"
    # A signal ends the wait and not the command, and bash may say so once more after its trap has run: only a status
    # that is asked for when the command is gone is the command's own.
    while :; do
        rc=0
        wait "$child" || rc=$?
        ((rc > 128)) || break
        kill -0 "$child" 2>/dev/null && continue
        rc=0
        wait "$child" || rc=$?
        break
    done
    wait "$filter" || true
    trap - HUP INT TERM
    return "$rc"
}

# shellcheck shell=bash
# The fuzz targets: which there are, how one of them runs, and what scripts/test and scripts/fuzz do with all of them.
# Sourced after common.sh.

FUZZ_SEEDS=$ROOT/tests/fuzz/corpus

# fuzz_names: every target, one a line.
fuzz_names() {
    local source
    for source in "$ROOT"/tests/fuzz/fuzz_*.cpp; do
        source=${source##*/fuzz_}
        say "${source%.cpp}"
    done
}

# fuzz_build NAME...
fuzz_build() (
    cd "$ROOT" || exit
    [[ -f build-clang/build.ninja ]] || cmake --preset clang
    cmake --build --preset clang --target "${@/#/fuzz_}"
)

# fuzz_options NAME: what libFuzzer is told about this target, one option a line: its dictionary, and the lines of
# tests/fuzz/corpus/NAME.options.
fuzz_options() {
    [[ ! -f $FUZZ_SEEDS/$1.dict ]] || say "-dict=$FUZZ_SEEDS/$1.dict"
    [[ ! -f $FUZZ_SEEDS/$1.options ]] || grep '^-' "$FUZZ_SEEDS/$1.options"
}

# fuzz_one NAME LOG FINDINGS OPTION... FOLDER...: one process of libFuzzer. What breaks the target goes to files whose
# names begin with FINDINGS; seeds are read, and new inputs go into the first FOLDER. The log is appended to.
fuzz_one() {
    local name=$1 log=$2 findings=$3 options seeds=()
    mapfile -t options < <(fuzz_options "$name")
    [[ ! -d $FUZZ_SEEDS/$name ]] || seeds=("$FUZZ_SEEDS/$name")
    # Short traces of allocations and no entropic schedule: most of the time went there, half of it into the search of
    # a list at each edge. A finding that is replayed has its whole trace.
    ASAN_OPTIONS=malloc_context_size=3:${ASAN_OPTIONS:-} \
        "$ROOT/build-clang/bin/fuzz_$name" -entropic=0 -rss_limit_mb=2048 -timeout=5 -handle_int=0 -print_final_stats=1 \
        -artifact_prefix="$findings" "${options[@]}" "${@:4}" "${seeds[@]}" >>"$log" 2>&1
}

# fuzz_executions LOG...: the sum over all runs in the logs.
fuzz_executions() { awk '/^stat::number_of_executed_units:/ { sum += $2 } END { print sum + 0 }' "$@"; }

# fuzz_briefly SECONDS NAME: from the seeds alone, new inputs into a folder that is thrown away. What breaks the target
# is left in build/logs/.
fuzz_briefly() {
    local seconds=$1 name=$2 scratch log=$ROOT/build/logs/fuzz-$2.log rc=0
    scratch=$(mktemp -d -t animbridge-fuzz.XXXXXX)
    : >"$log"
    fuzz_one "$name" "$log" "$ROOT/build/logs/fuzz-$name-" -max_total_time="$seconds" "$scratch" || rc=$?
    rm -rf "$scratch"
    if ((rc)); then
        tail -n 40 "$log"
        say "fuzz_$name: FAILED ($rc)"
    else
        say "fuzz_$name: $(fuzz_executions "$log") runs"
    fi
    return "$rc"
}

# fuzz_each PROCESSES FUNCTION ARGUMENT NAME...: calls FUNCTION ARGUMENT NAME for each, some at a time. By xargs, so
# that an interrupt ends them all. Fails when one call failed.
fuzz_each() {
    # shellcheck disable=SC2016  # for the inner bash
    printf '%s\0' "${@:4}" | xargs -0 -n 1 -P "$1" bash -c '
        set -euo pipefail
        . "$0/common.sh"
        . "$0/fuzz.sh"
        "$@"' "$ROOT/scripts/lib" "$2" "$3"
}

# At most two minutes for all targets, however many cores there are.
stage_fuzz() {
    local names cores rounds seconds
    mapfile -t names < <(fuzz_names)
    cores=$(nproc)
    fuzz_build "${names[@]}"
    mkdir -p "$ROOT/build/logs"
    rounds=$(((${#names[@]} + cores - 1) / cores))
    seconds=$((110 / rounds < 20 ? 110 / rounds : 20))
    fuzz_each "$cores" fuzz_briefly "${ANIMBRIDGE_FUZZ_SECONDS:-$seconds}" "${names[@]}"
    say "${#names[@]} fuzz targets, nothing found"
}

# ---- what scripts/fuzz does besides: FUZZ_LOGS and FUZZ_FINDINGS are its folders ----

# fuzz_long SECONDS NAME.COPY: into the corpus that is kept. A finding ends a process of libFuzzer, so another one takes
# its place while there is time; after ten of them the target waits for its mending.
fuzz_long() {
    local seconds=$1 name=${2%.*} log=$FUZZ_LOGS/$2.log started=$SECONDS left ends=0 last=0 rc=0
    while left=$((seconds - (SECONDS - started))) && ((left > 0 && ends < 10)); do
        rc=0
        fuzz_one "$name" "$log" "$FUZZ_FINDINGS/$name-" -max_total_time="$left" -timeout=20 "$CACHE/fuzz/$name" || rc=$?
        ((rc)) || break
        ends=$((ends + 1)) last=$rc
    done
    say "seconds: $((SECONDS - started))" >>"$log"
    ((ends == 0)) || say "fuzz_$name: broke $ends times, at last with exit code $last"
    ((ends == 0))
}

# fuzz_minimise '' NAME: keeps the fewest inputs that cover all that the corpus and the seeds cover.
fuzz_minimise() {
    local name=$2 kept=$CACHE/fuzz/$2 less=$CACHE/fuzz/$2.partial rc=0
    rm -rf "$less"
    mkdir "$less"
    fuzz_one "$name" "$FUZZ_LOGS/$name.merge.log" "$FUZZ_FINDINGS/$name-" -merge=1 -timeout=20 "$less" "$kept" || rc=$?
    if ((rc == 0)); then
        rm -rf "$kept"
        mv "$less" "$kept"
    else
        say "fuzz_$name: cannot be minimised (exit code $rc); its corpus stays as it is"
        rm -rf "$less"
    fi
    return "$rc"
}

# fuzz_size FOLDER: "files bytes".
fuzz_size() { find "$1" -type f -printf '%s\n' | awk '{ bytes += $1 } END { print NR, bytes + 0 }'; }

# fuzz_report NAME...: a line each.
fuzz_report() {
    local row='%-14s %12s %7s %7s %8s %19s %19s %9s\n' name runs seconds before after found
    # shellcheck disable=SC2059  # one format for all rows
    printf "$row" target executions /second edges features 'corpus before' 'corpus after' findings
    for name in "$@"; do
        runs=$(fuzz_executions "$FUZZ_LOGS/$name."[0-9]*.log)
        seconds=$(awk '/^seconds:/ { sum += $2 } END { print sum + 0 }' "$FUZZ_LOGS/$name."[0-9]*.log)
        before=$(<"$FUZZ_LOGS/$name.before")
        after=$(fuzz_size "$CACHE/fuzz/$name")
        found=$(find "$FUZZ_FINDINGS" -type f -name "$name-*" | wc -l)
        # shellcheck disable=SC2059
        printf "$row" "$name" "$runs" "$((runs / (seconds > 0 ? seconds : 1)))" \
            "$(fuzz_most cov "$FUZZ_LOGS/$name."[0-9]*.log)" "$(fuzz_most ft "$FUZZ_LOGS/$name."[0-9]*.log)" \
            "${before/ /, } B" "${after/ /, } B" "$found"
    done
}

# fuzz_most WORD LOG...: the largest number after "WORD: " in libFuzzer's lines.
fuzz_most() {
    grep -hoE "^#[0-9].* $1: [0-9]+" "${@:2}" | grep -oE '[0-9]+$' | sort -n | tail -n 1 || true
}

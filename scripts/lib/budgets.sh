# shellcheck shell=bash
# How many seconds each stage of scripts/test may take: on two cores, without a compiler cache, alone on the machine,
# with everything fetched. scripts/test prints them beside what was needed and says loudly what is over. A stage that
# grows for a good reason gets more here, in the same commit.

# The release build comes before all stages.
BUDGET_BEFORE=90
declare -A BUDGET=(
    [style]=45 [readme]=40 [native]=205 [clang]=480 [alone]=110 [tidy]=130 [fuzz]=130 [tsan]=125 [install]=15
    [debian-13]=260 [platforms]=560 [python]=200 [farm]=170 [package]=25 [window]=480
    [blender-3.4]=130 [blender-4.5]=45 [blender-5.0]=50 [blender-5.2]=140
)

# budget_of STAGE: nothing where there is none: for the stages that run only when named, and for --all.
budget_of() { [[ ${ANIMBRIDGE_ALL:-0} == 1 ]] || say "${BUDGET[$1]:-}"; }

# budget_in_all STAGE...: " of SUM", for what has budgets.
budget_in_all() {
    local name sum=$BUDGET_BEFORE
    [[ ${ANIMBRIDGE_ALL:-0} == 0 ]] || return 0
    for name in "$@"; do sum=$((sum + ${BUDGET[$name]:-0})); done
    say " of $sum"
}

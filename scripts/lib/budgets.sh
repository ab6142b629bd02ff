# shellcheck shell=bash
# What scripts/test runs, and how many seconds each stage may take: on two cores, without a compiler cache, alone on the machine,
# with everything fetched. scripts/test prints them beside what was needed and says loudly what is over. A stage that grows for
# a good reason gets more here, in the same commit.

# Every run.
# shellcheck disable=SC2034  # read by scripts/test
GATE=(style docs native readme python farm package install fuzz blender-3.4 blender-5.2)
# Each run takes one group of these besides, another one with each commit; --all takes every group.
# shellcheck disable=SC2034  # the same
LONG_GROUPS=(
    "clang"
    "window"
    "platforms windows-blender"
    "debian-13 blender-4.5"
    "tsan alone tidy blender-5.0"
    "systems analyzer"
)
# Run only when they are named: they fetch and build everything anew, or start the services of a Slurm.
# shellcheck disable=SC2034  # the same
NAMED=(bare bare-13 cluster)

# "build" is the release build, which comes before all stages.
declare -A BUDGET=(
    [build]=90
    [style]=50 [docs]=10 [native]=230 [readme]=45 [python]=400 [farm]=130 [package]=40 [install]=15 [fuzz]=290 [blender-3.4]=230 [blender-5.2]=240
    [clang]=480 [window]=330 [platforms]=620 [windows-blender]=420 [debian-13]=480 [blender-4.5]=150 [tsan]=125 [alone]=110 [tidy]=130 [blender-5.0]=140 [systems]=2400 [analyzer]=90
)

# budget_of STAGE: nothing for what has none.
budget_of() { say "${BUDGET[$1]:-}"; }

# budget_in_all STAGE...: the sum.
budget_in_all() {
    local name sum=0
    for name in "$@"; do sum=$((sum + ${BUDGET[$name]:-0})); done
    say "$sum"
}

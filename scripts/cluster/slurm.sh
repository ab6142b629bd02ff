#!/usr/bin/env bash
#SBATCH --job-name=animbridge
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@60
# One share of a batch for each task of a Slurm job array:
#
#   sbatch --array=1-8 scripts/cluster/slurm.sh my_animations --to bvh --out bvh
#
# The words are those of `animbridge batch`. A task that is started again, because its node failed or because you submit it
# again, does what is left. docs/scale.md says how to put the ledgers together, and what the exit codes mean.
# ANIMBRIDGE names the program (animbridge). ANIMBRIDGE_SHARDS is the number of shares; needed if not all tasks are submitted.
set -euo pipefail

die() {
    printf 'slurm.sh: error: %s\n' "$*" >&2
    exit 2
}

task=${SLURM_ARRAY_TASK_ID:-} shards=${ANIMBRIDGE_SHARDS:-}
[[ -n $task ]] || die "submit this script as a job array: sbatch --array=1-8 $0 ..."
if [[ -z $shards ]]; then
    shards=$SLURM_ARRAY_TASK_COUNT
    [[ $SLURM_ARRAY_TASK_MIN == 1 && $SLURM_ARRAY_TASK_MAX == "$shards" ]] ||
        die "the tasks are not 1 to $shards. To submit some of the shares again, say how many there are:" \
            "sbatch --array=3,5 --export=ALL,ANIMBRIDGE_SHARDS=8 ..."
fi
((task >= 1 && task <= shards)) || die "task $task is none of the $shards shares"
command -v "${ANIMBRIDGE:-animbridge}" >/dev/null ||
    die "there is no program '${ANIMBRIDGE:-animbridge}'; set ANIMBRIDGE to its path"
# In place of the shell, so that Slurm's signals reach it: at the first it finishes the files in hand.
exec "${ANIMBRIDGE:-animbridge}" batch "$@" --shard "$task/$shards" --jobs "${SLURM_CPUS_PER_TASK:-1}" --resume --quiet

#!/usr/bin/env bash
# Runs slurm.sh for real: a controller and a node of Slurm on this machine, for this script alone. Kills the node in the middle,
# and compares what came of it with a run without Slurm. Needs root and Debian's packages slurmctld, slurmd and munge, which it
# installs. The tasks are a minute's work in all.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=scripts/lib/common.sh
. "$here/../lib/common.sh"
# shellcheck source=scripts/lib/packages.sh
. "$here/../lib/packages.sh"

FILES=${1:-600} SHARDS=4
folder=$(mktemp -d /tmp/animbridge-slurm.XXXXXX)
host=$(hostname -s)
export SLURM_CONF=$folder/slurm.conf ANIMBRIDGE=$ROOT/build/bin/animbridge

# end_all: the programs that this script started, by their ids.
end_all() {
    local name
    for name in slurmd slurmctld munged; do
        [[ ! -s $folder/$name.pid ]] || kill -9 "$(<"$folder/$name.pid")" 2>/dev/null || true
    done
    end_tasks
    rm -rf "$folder"
}
# end_tasks: what a node that loses its power ends: the programs that watch the tasks, which could still report them as
# failed, and the tasks. All know the folder.
end_tasks() {
    local id
    for id in $(pgrep slurmstepd || true); do
        ! grep -qs -- "$folder" "/proc/$id/environ" || kill -9 "$id" 2>/dev/null || true
    done
    pkill -9 -f -- "$folder/out" 2>/dev/null || true
}
trap end_all EXIT

start_slurm() {
    mkdir -p "$folder"/{state,spool,munge}
    chmod 700 "$folder/munge"
    head -c 128 /dev/urandom >"$folder/munge/key"
    chmod 600 "$folder/munge/key"
    munged --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" --log-file="$folder/munge/log" \
        --pid-file="$folder/munged.pid" --seed-file="$folder/munge/seed"
    cat >"$SLURM_CONF" <<CONF
ClusterName=animbridge
SlurmctldHost=$host(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
SlurmdTimeout=10
MessageTimeout=5
JobRequeue=1
SchedulerParameters=bf_interval=2,sched_min_interval=1000000
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
    slurmctld
    slurmd
}

rows() { cat "$folder"/out/.animbridge/ledger-*.jsonl 2>/dev/null | wc -l; }

# until_true SECONDS COMMAND...: waits for it.
until_true() {
    local left=$(($1 * 5))
    shift
    until "$@"; do
        ((left-- > 0)) || die "waited in vain for: $*"
        sleep 0.2
    done
}
has_rows() { (($(rows) >= $1)); }
all_done() { [[ -z $(squeue --noheader) ]]; }

# The files of a batch, with their content; not its ledger.
tree_of() { (cd "$1" && find . -path ./.animbridge -prune -o -type f -print0 | sort -z | xargs -0 sha256sum); }

install_packages slurmctld slurmd slurm-client munge
[[ -x $ANIMBRIDGE ]] || die "build/bin/animbridge is not there: scripts/setup"
mkdir -p "$folder/in/deep"
for ((i = 0; i < FILES; ++i)); do
    cp "$ROOT/fixtures/demo/walk.anim" "$folder/in/$( ((i % 3)) || printf deep/)walk$i.anim"
done
say "Without Slurm: $FILES files"
"$ANIMBRIDGE" batch "$folder/in" --to fbx --out "$folder/plain" --quiet

start_slurm
say "With Slurm: $SHARDS tasks"
job=$(sbatch --parsable --array="1-$SHARDS" --output="$folder/task-%a.log" "$here/slurm.sh" "$folder/in" --to fbx --out "$folder/out")
until_true 60 has_rows $((FILES / 10))
kill -9 "$(<"$folder/slurmd.pid")"
end_tasks
before=$(rows)
say "The node lost its power after $before files"
((before < FILES)) || die "the work was over before the node could be ended; take more files"
slurmd
until_true 300 all_done
tasks=("$folder"/out/.animbridge/ledger-*-of-"$SHARDS".jsonl)
((${#tasks[@]} == SHARDS)) || die "there are ${#tasks[@]} ledgers of $SHARDS"
"$ANIMBRIDGE" batch-merge "${tasks[@]}" --out "$folder/merged.jsonl"
lines=$(wc -l <"$folder/merged.jsonl")
((lines == FILES)) || die "the merged ledger has $lines lines for $FILES files"
cmp <(tree_of "$folder/plain") <(tree_of "$folder/out") || die "the outputs are not those of a run without Slurm"
say "Job $job: $FILES files, the outputs of a run without Slurm; $(rows) lines in the ledgers, $((FILES - before)) files after the fault"

#!/usr/bin/env bash
# inside.sh DIR CWD SECONDS [--bind PATH | --bind-ro PATH]... -- COMMAND...
# Started by in_folder as the first process of its own mount and process namespaces: mounts what DIR needs, then runs
# COMMAND inside DIR. When it ends, every process and mount made here is gone.
set -euo pipefail

dir=$1 cwd=$2 limit=$3
shift 3

# mount_at PATH OPTIONS: PATH of the machine at the same place inside.
mount_at() {
    local source=$1 options=$2 target
    target=$dir$source
    if [[ -d $source ]]; then
        mkdir -p "$target"
    elif [[ ! -e $target || -L $target ]]; then
        mkdir -p "${target%/*}"
        rm -f "$target"
        : >"$target"
    fi
    mount --bind "$source" "$target"
    [[ $options != ro ]] || mount -o remount,bind,ro "$target"
}

# The folder becomes a place of its own among the mounts: without that, unshare and mount fail inside.
mount --bind "$dir" "$dir"
mkdir -p "$dir/proc" "$dir/dev"
mount -t proc proc "$dir/proc"
mount --rbind /dev "$dir/dev"
while (($#)); do
    case $1 in
        --bind) mount_at "$2" rw && shift 2 ;;
        --bind-ro) mount_at "$2" ro && shift 2 ;;
        --) shift && break ;;
        *) printf 'inside.sh: what is %s?\n' "$1" >&2 && exit 2 ;;
    esac
done
[[ -d $dir$cwd ]] || cwd=/
who=()
[[ -z ${ANIMBRIDGE_UID:-} ]] || who=(--userspec "$ANIMBRIDGE_UID:$ANIMBRIDGE_GID")
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 LC_ALL=C.UTF-8
unset PYTHONPATH PYTHONHOME LD_LIBRARY_PATH LD_PRELOAD
# This shell stays the first process: newer ones of timeout (coreutils 9.10) take a parent of number 1 for a dead one.
rc=0
chroot ${who[@]+"${who[@]}"} "$dir" env -C "$cwd" timeout --foreground --kill-after=10 "$limit" "$@" || rc=$?
exit "$rc"

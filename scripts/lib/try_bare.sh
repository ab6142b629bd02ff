#!/usr/bin/env bash
# try_bare.sh 12|13: the commands of README.md on a bare Debian, as root, from a clone of the last commit. It fetches everything
# that a new machine fetches. On Debian 12 both commands are typed, which takes over an hour on two cores; on Debian 13 the
# first, for scripts/test is for Debian 12 alone.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=scripts/lib/common.sh
. "$here/common.sh"
# shellcheck source=scripts/lib/folders.sh
. "$here/folders.sh"

release=${1:?which Debian: 12 or 13}
case $release in
    12) suite=bookworm ;;
    13) suite=trixie ;;
    *) die "there is no bare Debian $release here: 12 or 13" ;;
esac
BARE_DIR=$CACHE/bare-$release
BARE_STAMP="$suite, nothing besides"
# What the first command has no use for.
NOT_NEEDED=(catch2 libbenchmark-dev man-db libassimp-dev zlib1g-dev clang git python3-venv)

make_bare() { is_ready "$BARE_DIR" "$BARE_STAMP" || make_folder "$BARE_DIR" "bare Debian $release" "$suite" "$BARE_STAMP"; }

# bare COMMAND...: as a user who has just logged in.
bare() {
    # shellcheck disable=SC2034  # read by in_folder
    local BINDS=() BINDS_RO=()
    (cd / && in_folder "$machine" 10800 env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        LANG=C.UTF-8 TERM=dumb bash -c 'cd ~/animbridge && exec "$@"' bash "$@")
}

# timed COMMAND...
timed() {
    local started=$SECONDS rc=0
    say "-- $*"
    bare "$@" || rc=$?
    say "-- $*: exit code $rc after $((SECONDS - started)) s"
    return "$rc"
}

with_lock "bare-$release" make_bare
mkdir -p "$CACHE"
machine=$(mktemp -d "$CACHE/bare.XXXXXX")
trap 'remove_tree "$machine"' EXIT
as_root cp -a --reflink=auto "$BARE_DIR/." "$machine/"
as_root chmod 755 "$machine"
git clone --quiet --no-hardlinks "$ROOT" "$machine/root/animbridge"
mapfile -t commands < <(awk '/^```$/ { inside = !inside; next } inside { sub(/ *#.*/, ""); print }' "$ROOT/README.md" | head -n 2)
[[ ${commands[0]} == scripts/convert && ${commands[1]} == scripts/test ]] || die "README.md begins with other commands: ${commands[*]}"

timed "${commands[0]}"
written=$(find "$machine/root/animbridge/out" -name '*.blend' | wc -l)
((written == $(find "$ROOT/fixtures/demo" -name '*.anim' | wc -l))) || die "${commands[0]} wrote $written files"
# shellcheck disable=SC2016  # dpkg-query's own variables
mapfile -t installed < <(dpkg-query --admindir="$machine/var/lib/dpkg" -W -f '${db:Status-Status} ${Package}\n' |
    sed -n 's/^installed //p')
for name in "${NOT_NEEDED[@]}"; do
    [[ " ${installed[*]} " != *" $name "* ]] || die "${commands[0]} installed $name, which it does not need"
done
say "after ${commands[0]}: ${#installed[@]} packages, $(du -sm "$machine" | cut -f1) MB"
[[ $release != 12 ]] || timed "${commands[1]}"

#!/usr/bin/env bash
# try_packages.sh DIR REPOSITORY: installs the add-on in DIR, and the extension from the repository, as people do, in user
# folders of their own, and uses what was installed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=scripts/lib/common.sh
. "$here/common.sh"
# shellcheck source=scripts/lib/folders.sh
. "$here/folders.sh"
# shellcheck source=scripts/lib/debian13.sh
. "$here/debian13.sh"

packages=${1:?which folder} repository=$(realpath -- "${2:?which repository}")
extension=$(echo "$packages"/animbridge-*-linux_x64.zip)
legacy=$(echo "$packages"/animbridge-*-to-4.1.zip)
[[ -f $extension && -f $legacy ]] || die "$packages does not hold one zip of each kind"
scratch=$(mktemp -d /tmp/animbridge-packages.XXXXXX) # the Debian 13 folder sees /tmp
trap 'rm -rf -- "$scratch"' EXIT
unset PYTHONPATH PYTHONHOME ANIMBRIDGE_LIBRARY

# user_folders NAME: what Blender keeps goes to a new folder.
user_folders() {
    local home=$scratch/$1
    mkdir -p "$home"/{config,scripts,datafiles,extensions}
    export BLENDER_USER_RESOURCES=$home BLENDER_USER_CONFIG=$home/config BLENDER_USER_SCRIPTS=$home/scripts \
        BLENDER_USER_DATAFILES=$home/datafiles BLENDER_USER_EXTENSIONS=$home/extensions
}

# expect TEXT COMMAND...: COMMAND must succeed and print TEXT; Blender's exit code alone is no proof.
expect() {
    local text=$1 output rc=0
    shift
    output=$("$@" 2>&1) || rc=$?
    if ((rc != 0)) || [[ $output != *"$text"* ]]; then
        printf '%s\n' "$output" >&2
        die "exit code $rc, wanted 0 and '$text': $*"
    fi
    say "ok: $text"
}

blender34() { as_debian timeout --foreground --kill-after=10 120 /usr/bin/blender --background -noaudio --python-exit-code 1 "$@"; }
blender43() { debian13_run 120 blender "$@"; }
demo_count=$(find "$ROOT/fixtures/demo" -name '*.anim' | wc -l)

say "-- Blender 3.4: ${legacy##*/}"
user_folders 3.4
expect "installed $scratch/3.4/scripts/addons/animbridge/__init__.py" \
    blender34 --python "$ROOT/tests/package/install_legacy.py" -- "$legacy"
expect "used animbridge: $demo_count demos in and out, disabled" \
    blender34 --python "$ROOT/tests/package/use_installed.py" -- animbridge

say "-- Blender 3.4: ${legacy##*/} over an old version"
user_folders 3.4-updated
"$DEBIAN_PYTHON" "$ROOT/tests/package/old_layout.py" "$packages" "$scratch/old"
for package in "$scratch/old/add-on.zip" "$legacy"; do
    expect "installed $scratch/3.4-updated/scripts/addons/animbridge/__init__.py" \
        blender34 --python "$ROOT/tests/package/install_legacy.py" -- "$package"
done
expect "used animbridge: $demo_count demos in and out, disabled" \
    blender34 --python "$ROOT/tests/package/use_installed.py" -- animbridge updated

say "-- Blender 4.3: ${extension##*/}"
user_folders 4.3
module=bl_ext.tested.animbridge
expect "Success parsing TOML" blender43 --command extension validate "$extension"
mkdir "$scratch/source" "$scratch/built"
"$DEBIAN_PYTHON" -m zipfile -e "$extension" "$scratch/source"
expect "created:" blender43 --command extension build --source-dir "$scratch/source" --output-dir "$scratch/built"
blender43 --command extension repo-add --name Tested --url "file://$repository/index.json" tested >/dev/null 2>&1
# Blender's own repository is asked too, and cannot be reached.
https_proxy=http://127.0.0.1:9 expect "STATUS Installed \"animbridge\"" \
    blender43 --online-mode --command extension install --sync --enable animbridge
# The page's own line, typed where the page's folder is.
mapfile -t lines < <(grep '^blender --command animbridge ' "$ROOT/docs/batch.md")
((${#lines[@]} == 1)) || die "docs/batch.md has ${#lines[@]} lines that begin with 'blender --command animbridge', not 1"
cp -r "$ROOT/fixtures/demo" "$scratch/my_animations"
expect "$demo_count written" debian13_run 120 bash -c "cd '$scratch' && ${lines[0]}"
expect "$demo_count written" blender43 --command animbridge "$scratch/blends" --to anim --out "$scratch/anim"
diff -r --exclude=.animbridge "$ROOT/fixtures/demo" "$scratch/anim" || die "the demos did not come back as they were (above)"
say "ok: the same $demo_count files, through .blend files and back"
expect "used $module: $demo_count demos in and out, disabled" \
    blender43 --background -noaudio --python-exit-code 1 --python "$ROOT/tests/package/use_installed.py" -- "$module"
expect "STATUS Removed \"animbridge\"" blender43 --command extension remove tested.animbridge
left=$(find "$scratch/4.3" -name '*animbridge*')
[[ -z $left ]] || die "the removed extension left $left"

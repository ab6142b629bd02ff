#!/usr/bin/env bash
# old_system.sh COMMAND...: runs it with Debian 11's programs and libraries (glibc 2.31, 2021), the checkout and /tmp at their own
# places. It is the oldest Debian that still has packages. Makes the folder when it is first called.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=scripts/lib/common.sh
. "$here/common.sh"
# shellcheck source=scripts/lib/folders.sh
. "$here/folders.sh"

OLD_DIR=$CACHE/debian-11
OLD_STAMP="bullseye, nothing besides"
make_old() { is_ready "$OLD_DIR" "$OLD_STAMP" || make_folder "$OLD_DIR" "Debian 11" bullseye "$OLD_STAMP"; }
is_ready "$OLD_DIR" "$OLD_STAMP" || with_lock debian-11 make_old
# shellcheck disable=SC2034  # read by in_folder
BINDS=(/tmp "$ROOT") BINDS_RO=()
in_folder "$OLD_DIR" 600 "$@"

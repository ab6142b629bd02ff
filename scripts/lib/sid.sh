# shellcheck shell=bash
# Debian unstable in a folder: the newest Blender as a program, with a window. It moves with Debian, so no test hangs on it.
# Needs common.sh and folders.sh.

SID_DIR=$CACHE/debian-sid
SID_PACKAGES=(
    # Without numpy no add-on works, without requests and cattr Blender's own start with a traceback.
    blender python3-numpy python3-cattr python3-requests
    xvfb xauth libgl1-mesa-dri imagemagick xdotool
)
SID_STAMP="sid ${SID_PACKAGES[*]}"
SID_FETCH="330 MB"

sid_ready() { is_ready "$SID_DIR" "$SID_STAMP"; }
sid_prepare() { sid_ready || with_lock debian-sid sid_make; }
sid_make() {
    if sid_ready; then return 0; fi
    say "Making a Debian unstable folder with the newest Blender (about $SID_FETCH to fetch)"
    make_folder "$SID_DIR" "Debian unstable" sid "$SID_STAMP" "${SID_PACKAGES[@]}"
}

# sid_run LIMIT COMMAND...: in the finished folder, with the checkout and /tmp at their own paths.
sid_run() {
    local limit=$1
    shift
    sid_ready || die "the Debian unstable folder is not there: scripts/screens prepare"
    # shellcheck disable=SC2034  # read by in_folder
    local BINDS=(/tmp "$ROOT") BINDS_RO=()
    in_folder "$SID_DIR" "$limit" "$@"
}

# shellcheck shell=bash
# A Debian 13 folder beside the machine's Debian 12: Python 3.13 for the newest bpy, g++ 14 and Catch2 3 for a second build.
# Needs common.sh and folders.sh.

DEBIAN13_SUITE=trixie
DEBIAN13_DIR=$CACHE/debian-13
ASSIMP_MODELS=/usr/share/assimp/models
DEBIAN13_PACKAGES=(
    python3 python3-venv ca-certificates
    # what bpy loads
    libgl1 libegl1 libxi6 libxrender1 libxkbcommon0 libsm6 libice6 libxfixes3 libgomp1
    # what builds AnimBridge
    g++ cmake ninja-build git ccache
    nlohmann-json3-dev catch2 libcli11-dev libglm-dev libexpected-dev libpugixml-dev libbenchmark-dev
    python3-numpy
)
DEBIAN13_STAMP="$DEBIAN13_SUITE ${DEBIAN13_PACKAGES[*]}"
# shellcheck disable=SC2034  # read by scripts/blenders and scripts/test
DEBIAN13_FETCH="300 MB"

debian13_ready() { is_ready "$DEBIAN13_DIR" "$DEBIAN13_STAMP"; }

debian13_prepare() { debian13_ready || with_lock debian-13 debian13_make; }

debian13_make() {
    if debian13_ready; then return 0; fi
    say "Making a Debian 13 folder (about $DEBIAN13_FETCH to fetch)"
    make_folder "$DEBIAN13_DIR" "Debian 13" "$DEBIAN13_SUITE" "$DEBIAN13_STAMP" "${DEBIAN13_PACKAGES[@]}"
}

# debian13_run LIMIT COMMAND...: in the finished folder, with the checkout, the cache, /tmp and the samples at their own paths.
debian13_run() {
    local limit=$1
    shift
    debian13_ready || die "the Debian 13 folder is not there: scripts/debian13 prepare"
    # shellcheck disable=SC2034  # read by in_folder
    local BINDS=(/tmp "$ROOT" "$CACHE") BINDS_RO=()
    # CMake looks there for what animbridge-scene is made of.
    local -x ANIMBRIDGE_CACHE=$CACHE
    # shellcheck disable=SC2034  # the same
    [[ -z ${ANIMBRIDGE_SAMPLES:-} ]] || BINDS_RO=("$(cd "$ANIMBRIDGE_SAMPLES" && pwd -P)")
    # The models that tests of scenes read, from Debian 12's assimp-testmodels.
    if [[ -d $ASSIMP_MODELS ]]; then BINDS_RO+=("$ASSIMP_MODELS"); fi
    in_folder "$DEBIAN13_DIR" "$limit" "$@"
}

# ---- Blender 4.3 as a program, which knows extensions and commands (the bpy module knows neither); put into the same folder ----
BLENDER43_PACKAGES=(blender python3-numpy)
# shellcheck disable=SC2034  # read by scripts/test
BLENDER43_FETCH="230 MB"

# The mark lies in the folder, for it goes when the folder is made anew.
blender43_ready() { debian13_ready && [[ -f $DEBIAN13_DIR/.animbridge-blender-4.3 ]]; }
blender43_prepare() {
    blender43_ready && return
    debian13_prepare
    with_lock debian-13 blender43_make
}
blender43_make() {
    if blender43_ready; then return 0; fi
    say "Installing Blender 4.3 into the Debian 13 folder (about $BLENDER43_FETCH to fetch)"
    install_in_folder "$DEBIAN13_DIR" "Debian 13" "${BLENDER43_PACKAGES[@]}"
    rm -f "$DEBIAN13_DIR.log"
    as_root touch "$DEBIAN13_DIR/.animbridge-blender-4.3"
}

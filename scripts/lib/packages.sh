# shellcheck shell=bash
# The Debian 12 packages the project needs, in one place, and how they are installed.

# To build, to run the command, to run scripts/convert.
# shellcheck disable=SC2034  # read by scripts/setup
BUILD_PACKAGES=(
    g++ cmake ninja-build
    nlohmann-json3-dev libcli11-dev libglm-dev libexpected-dev libpugixml-dev
    blender python3 python3-numpy
)
# For scripts/test and scripts/blenders besides.
# shellcheck disable=SC2034  # read by scripts/setup
DEV_PACKAGES=(
    git ca-certificates catch2 libbenchmark-dev
    clang clang-tidy clang-format libclang-rt-14-dev llvm lcov
    abigail-tools shellcheck python3-pytest python3-venv
    debootstrap util-linux
    libassimp-dev zlib1g-dev # tests of animbridge-scene with it, and scripts/bench. Its own CMake files ask for zlib.
    assimp-testmodels        # animbridge-scene is tried with them
    zsh fish groff-base # the tests ask the shells for completions, and groff for the man page
    wine64 # runs what is built for Windows
    xvfb xauth libgl1-mesa-dri imagemagick xdotool # scripts/screens, and tests in a window
    # what the bpy wheels load
    libgl1 libegl1 libxi6 libxrender1 libxkbcommon0 libsm6 libice6 libxfixes3 libgomp1
)

# missing_packages NAME...: those not installed, one a line.
missing_packages() {
    local name state
    for name in "$@"; do
        # shellcheck disable=SC2016  # dpkg-query's own variable
        state=$(dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null | head -n 1 || true)
        [[ $state == installed ]] || say "$name"
    done
}

# fetch_size NAME...: how much apt would fetch, as text; nothing when apt cannot say yet.
fetch_size() {
    apt-get install --no-install-recommends --print-uris -qq "$@" 2>/dev/null |
        awk '{ s += $3 } END { if (s) printf "%.0f MB", s / 1e6 }' || true
}

# apt_get ARGS...: waits for whoever holds one of apt's locks.
apt_get() {
    local log rc tries=0
    log=$(mktemp)
    while :; do
        rc=0
        as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@" >"$log" 2>&1 || rc=$?
        if ((rc == 0 || tries++ == 60)) || ! grep -q 'Could not get lock' "$log"; then break; fi
        sleep 5
    done
    ((rc == 0)) || cat "$log" >&2
    rm -f "$log"
    return "$rc"
}

# install_packages NAME...: those missing of them; nothing to do takes no root and no network.
install_packages() {
    local missing
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]} > 0)) || return 0
    if ! can_be_root; then
        printf 'error: these packages are missing, and neither root nor sudo is at hand to install them:\n  %s\n' \
            "${missing[*]}" >&2
        exit 1
    fi
    say "Installing ${#missing[@]} Debian packages: ${missing[*]}"
    apt_get update -qq || warn "apt-get update failed (above); trying with the lists at hand"
    apt_get install -y -qq --no-install-recommends "${missing[@]}" || die "apt-get install failed (above)"
}

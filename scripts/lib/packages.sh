# shellcheck shell=bash
# The packages that the project needs, in one place: Debian's, which are installed, and those of other systems, which are named.

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
    git ca-certificates ccache catch2 libbenchmark-dev
    clang clang-tidy clang-format libclang-rt-14-dev llvm lcov
    abigail-tools shellcheck python3-pytest python3-venv
    debootstrap util-linux
    libassimp-dev zlib1g-dev # tests of animbridge-scene with it, and scripts/bench. Its own CMake files ask for zlib.
    assimp-testmodels        # animbridge-scene is tried with them
    zsh fish groff-base # the tests ask the shells for completions, and groff for the man page
    wine64 # runs what is built for Windows
    maven # fetches a Python for Windows
    xvfb xauth libgl1-mesa-dri imagemagick xdotool webp fonts-dejavu-core # scripts/screens, and tests in a window
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

# install_packages NAME...: those missing of them; nothing to do takes no root and no network. Where there is no dpkg,
# ask_for_packages has seen to them.
install_packages() {
    local missing
    command -v dpkg-query >/dev/null || return 0
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

# fetch_pinned PIN INTO PIP_OPTION...: the file of a Python package, by its line of a list; pip refuses another hash.
fetch_pinned() {
    local pin=$1 into=$2
    mkdir -p "$into"
    printf '%s\n' "$pin" >"$into/pin.txt"
    timeout --foreground 900 "$DEBIAN_PYTHON" -m pip download --quiet --no-cache-dir --disable-pip-version-check --no-deps \
        --retries 1 --timeout 15 --require-hashes --dest "$into" "${@:3}" --requirement "$into/pin.txt"
}

# What builds and runs AnimBridge elsewhere, by the names of each system's own lists.
FEDORA_PACKAGES=(gcc-c++ cmake ninja-build json-devel cli11-devel glm-devel expected-devel pugixml-devel blender python3-numpy python3-pip python3-setuptools)
ARCH_PACKAGES=(gcc cmake ninja nlohmann-json cli11 glm tl-expected pugixml blender python-numpy python-pip python-setuptools)

# ask_for_packages: where there is no dpkg. Ends with the command that installs what is missing; returns if nothing is.
ask_for_packages() {
    local name install missing=() ask=() packages=()
    if command -v dnf >/dev/null; then
        install="dnf install" ask=(rpm --quiet -q) packages=("${FEDORA_PACKAGES[@]}")
    elif command -v pacman >/dev/null; then
        install="pacman -S" ask=(pacman -Qq) packages=("${ARCH_PACKAGES[@]}")
    else
        die "this script knows the packages of Debian, Ubuntu, Fedora and Arch Linux. Elsewhere, install a C++ compiler, CMake," \
            "Ninja, and the libraries that vcpkg.json lists; then: cmake --preset release && cmake --build --preset release"
    fi
    for name in "${packages[@]}"; do
        "${ask[@]}" "$name" >/dev/null 2>&1 || missing+=("$name")
    done
    ((${#missing[@]} == 0)) || die "packages are missing. Install them, and run this again: sudo $install ${missing[*]}"
}

# shellcheck shell=bash
# A Debian 13 folder beside the machine's Debian 12: Python 3.13 for the newest bpy, g++ 14 and Catch2 3 for a second build.

DEBIAN13_SUITE=trixie
DEBIAN13_DIR=$CACHE/debian-13
DEBIAN13_PACKAGES=(
    python3 python3-venv ca-certificates
    # what bpy loads
    libgl1 libegl1 libxi6 libxrender1 libxkbcommon0 libsm6 libice6 libxfixes3 libgomp1
    # what builds AnimBridge
    g++ cmake ninja-build git
    nlohmann-json3-dev catch2 libcli11-dev libglm-dev libexpected-dev libbenchmark-dev
    python3-numpy
)
DEBIAN13_STAMP="$DEBIAN13_SUITE ${DEBIAN13_PACKAGES[*]}"
# shellcheck disable=SC2034  # read by scripts/blenders and scripts/test
DEBIAN13_FETCH="300 MB"

debian13_ready() { is_ready "$DEBIAN13_DIR" "$DEBIAN13_STAMP"; }

# The mirror that this machine's apt uses for its own release.
debian13_mirror() {
    local codename mirror
    if [[ -n ${ANIMBRIDGE_DEBIAN_MIRROR:-} ]]; then
        say "$ANIMBRIDGE_DEBIAN_MIRROR"
        return
    fi
    # shellcheck source=/dev/null
    codename=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")
    # shellcheck disable=SC2016  # apt's own variable
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Release: $codename" | head -n 1)
    [[ $mirror == http?(s)://* ]] ||
        die "apt names no http mirror for $codename (found '$mirror'); set ANIMBRIDGE_DEBIAN_MIRROR"
    say "$mirror"
}

# in_folder DIR LIMIT COMMAND...: runs COMMAND as root inside DIR, with its own mounts and processes, both gone when it
# ends in whatever way. The environment goes along. BINDS (read-write) and BINDS_RO name what is seen inside at its own path.
in_folder() {
    local dir=$1 limit=$2
    shift 2
    local inside=("$ROOT/scripts/lib/inside.sh" "$dir" "$PWD" "$limit")
    local path
    for path in ${BINDS[@]+"${BINDS[@]}"}; do inside+=(--bind "$path"); done
    for path in ${BINDS_RO[@]+"${BINDS_RO[@]}"}; do inside+=(--bind-ro "$path"); done
    mapfile -t -O "${#inside[@]}" inside < <(machine_settings)
    local own=(unshare --mount --propagation private --pid --fork --kill-child bash "${inside[@]}" -- "$@")
    if ((EUID == 0)); then
        # A killed script takes its folder's processes along.
        setpriv --pdeathsig KILL "${own[@]}"
    else
        local passed=()
        mapfile -d '' -t passed < <(env -0 | grep -zE '^(ANIMBRIDGE_[A-Z_]*|CI|BLENDER_USER_[A-Z]*|PIP_[A-Z_]*|[A-Z_]*CERT[A-Z_]*|[A-Z_]*CA_BUNDLE|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY)=')
        sudo -- env "${passed[@]}" ANIMBRIDGE_UID="$(id -u)" ANIMBRIDGE_GID="$(id -g)" "${own[@]}"
    fi
}

# What programs inside must see of this machine to reach what it reaches: names, certificates, pip's settings.
machine_settings() {
    local path
    for path in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt /etc/pip.conf \
        "$HOME/.config/pip/pip.conf" "$HOME/.pip/pip.conf" "${PIP_CONFIG_FILE:-}" "${PIP_CERT:-}" \
        "${SSL_CERT_FILE:-}" "${REQUESTS_CA_BUNDLE:-}" "${CURL_CA_BUNDLE:-}" ${PIP_FIND_LINKS:-}; do
        if [[ $path == /* && -e $path ]]; then say "$path"; fi
    done | sort -u | sed 'i --bind-ro'
}

debian13_prepare() { debian13_ready || with_lock debian-13 debian13_make; }

debian13_make() {
    if debian13_ready; then return 0; fi
    command -v debootstrap >/dev/null || [[ -x /usr/sbin/debootstrap ]] || die "debootstrap is missing: scripts/setup --dev"
    local partial=$DEBIAN13_DIR.partial mirror
    mirror=$(debian13_mirror)
    say "Making a Debian 13 folder (about $DEBIAN13_FETCH to fetch)"
    remove_tree "$partial"
    mkdir -p "$partial"
    # In a mount namespace of its own: debootstrap mounts /proc inside, and an interrupted one leaves it there.
    as_root env PATH="$PATH:/usr/sbin:/sbin" unshare --mount --propagation private --pid --fork --kill-child --mount-proc \
        timeout --foreground 1800 debootstrap --variant=minbase --include=ca-certificates "$DEBIAN13_SUITE" "$partial" "$mirror" \
        >"$partial.log" 2>&1 || { tail -n 20 "$partial.log" >&2; die "debootstrap failed (above)"; }
    apt-config dump | grep -E '^Acquire::(https?|Retries|ForceIPv)' |
        as_root tee "$partial/etc/apt/apt.conf.d/90machine" >/dev/null || true
    (
        cd /
        BINDS=() BINDS_RO=()
        unset ANIMBRIDGE_UID
        in_folder "$partial" 1800 bash -euc 'export DEBIAN_FRONTEND=noninteractive
            apt-get update -qq
            apt-get install -y -qq --no-install-recommends "$@"
            apt-get clean' bash "${DEBIAN13_PACKAGES[@]}"
    ) >>"$partial.log" 2>&1 || { tail -n 20 "$partial.log" >&2; die "installing into the Debian 13 folder failed (above)"; }
    rm -f "$partial.log"
    as_root chown "$EUID" "$partial"
    publish "$partial" "$DEBIAN13_DIR" "$DEBIAN13_STAMP"
}

# debian13_run LIMIT COMMAND...: in the finished folder, with the checkout, the cache, /tmp and the samples at their own paths.
debian13_run() {
    local limit=$1
    shift
    debian13_ready || die "the Debian 13 folder is not there: scripts/debian13 prepare"
    # shellcheck disable=SC2034  # read by in_folder
    local BINDS=(/tmp "$ROOT" "$CACHE") BINDS_RO=()
    [[ -z ${ANIMBRIDGE_SAMPLES:-} ]] || BINDS_RO=("$(cd "$ANIMBRIDGE_SAMPLES" && pwd -P)")
    in_folder "$DEBIAN13_DIR" "$limit" "$@"
}

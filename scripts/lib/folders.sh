# shellcheck shell=bash
# Other Debians in folders beside the machine's own: how they are made, and how commands run inside. Needs common.sh.

# The mirror that this machine's apt uses for its own release.
debian_mirror() {
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
        "${HOME:-}/.config/pip/pip.conf" "${HOME:-}/.pip/pip.conf" "${PIP_CONFIG_FILE:-}" "${PIP_CERT:-}" \
        "${SSL_CERT_FILE:-}" "${REQUESTS_CA_BUNDLE:-}" "${CURL_CA_BUNDLE:-}" ${PIP_FIND_LINKS:-}; do
        if [[ $path == /* && -e $path ]]; then say "$path"; fi
    done | sort -u | sed 'i --bind-ro'
}

# make_folder DIR TITLE SUITE STAMP PACKAGE...: fetches a Debian into DIR and installs the packages; an older DIR goes.
make_folder() {
    local dir=$1 title=$2 suite=$3 stamp=$4 partial=$1.partial mirror
    shift 4
    command -v debootstrap >/dev/null || [[ -x /usr/sbin/debootstrap ]] || die "debootstrap is missing: scripts/setup --dev"
    mirror=$(debian_mirror)
    remove_tree "$partial"
    mkdir -p "$partial"
    # In a mount namespace of its own: debootstrap mounts /proc inside, and an interrupted one leaves it there.
    as_root env PATH="$PATH:/usr/sbin:/sbin" unshare --mount --propagation private --pid --fork --kill-child --mount-proc \
        timeout --foreground 1800 debootstrap --variant=minbase --include=ca-certificates "$suite" "$partial" "$mirror" \
        >"$partial.log" 2>&1 || { tail -n 20 "$partial.log" >&2; die "debootstrap failed (above)"; }
    { apt-config dump | grep -E '^Acquire::(https?|Retries|ForceIPv)' || true; } |
        as_root tee "$partial/etc/apt/apt.conf.d/90machine" >/dev/null
    # A mirror that is a snapshot has lists of an older day.
    [[ $suite != sid ]] || say 'Acquire::Check-Valid-Until "false";' |
        as_root tee "$partial/etc/apt/apt.conf.d/91snapshot" >/dev/null
    install_in_folder "$partial" "$title" "$@"
    rm -f "$partial.log"
    as_root chown "$EUID" "$partial"
    publish "$partial" "$dir" "$stamp"
}

# install_in_folder DIR TITLE PACKAGE...: what apt says goes to DIR.log, and is shown when it fails.
install_in_folder() {
    local dir=$1 title=$2
    shift 2
    (
        cd /
        # shellcheck disable=SC2034  # read by in_folder
        BINDS=() BINDS_RO=()
        unset ANIMBRIDGE_UID
        in_folder "$dir" 1800 bash -euc 'export DEBIAN_FRONTEND=noninteractive
            apt-get update -qq
            apt-get install -y -qq --no-install-recommends "$@"
            apt-get clean' bash "$@"
    ) >>"$dir.log" 2>&1 || { tail -n 20 "$dir.log" >&2; die "installing into the $title folder failed (above)"; }
}

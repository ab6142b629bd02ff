# shellcheck shell=bash
# What the stages of scripts/test use that Debian's packages do not give: what is missing of it, how big it is, and fetching it
# ahead. Needs common.sh.

# shellcheck source=scripts/lib/packages.sh
. "$ROOT/scripts/lib/packages.sh"
# shellcheck source=scripts/lib/folders.sh
. "$ROOT/scripts/lib/folders.sh"
# shellcheck source=scripts/lib/debian13.sh
. "$ROOT/scripts/lib/debian13.sh"
# shellcheck source=scripts/lib/windows.sh
. "$ROOT/scripts/lib/windows.sh"
# shellcheck source=scripts/lib/blenders.sh
. "$ROOT/scripts/lib/blenders.sh"
# shellcheck source=scripts/lib/devenv.sh
. "$ROOT/scripts/lib/devenv.sh"
# shellcheck source=scripts/lib/scene.sh
. "$ROOT/scripts/lib/scene.sh"
# shellcheck source=scripts/lib/platforms.sh
. "$ROOT/scripts/lib/platforms.sh"

# needs_of STAGE: what it uses that Debian's packages do not give, one a line.
needs_of() {
    case $1 in
        style | readme | python | native) say devenv ;;
        farm) say farmenv ;;
        docs) say docsenv ;;
        debian-13 | package) printf '%s\n' debian13 blender43 ;;
        platforms | systems) say platforms ;;
        windows-blender) say platforms && windows_versions | sed 's/^/blender-windows-/' ;;
        blender-5.2) printf '%s\n' debian13 blender-5.2 ;;
        blender-*) [[ $1 == blender-3.4 ]] || say "$1" ;;
    esac
}
need_ready() {
    case $1 in
        blender-*) blender_ready "${1#blender-}" ;;
        *) "$1_ready" ;;
    esac
}
need_prepare() {
    case $1 in
        blender-*) blender_prepare "${1#blender-}" ;;
        *) "$1_prepare" ;;
    esac
}
need_title() {
    case $1 in
        devenv) say "Python tools of requirements-dev.txt ($DEVENV_FETCH)" ;;
        farmenv) say "Dask and an S3 server, from requirements-farm.txt ($FARMENV_FETCH)" ;;
        docsenv) say "mkdocs-material, from requirements-docs.txt ($DOCSENV_FETCH)" ;;
        debian13) say "a Debian 13 folder ($DEBIAN13_FETCH)" ;;
        blender43) say "Blender 4.3, Debian 13's program ($BLENDER43_FETCH)" ;;
        platforms) say "zig and sources of libraries ($PLATFORMS_FETCH)" ;;
        blender-*) say "Blender ${1#blender-}, ${BLENDER_PIN[${1#blender-}]} (${BLENDER_FETCH[${1#blender-}]} MB)" ;;
    esac
}

# find_needs STAGE...: what is missing of all that they use, in their order, into needs.
find_needs() {
    local name need
    needs=()
    for name in "$@"; do
        for need in $(needs_of "$name"); do
            [[ " ${needs[*]} " == *" $need "* ]] || need_ready "$need" || needs+=("$need")
        done
    done
}

# What this run will fetch, and how big it is.
announce() {
    local missing need size fetches=${#needs[@]}
    mapfile -t missing < <(missing_packages "${BUILD_PACKAGES[@]}" "${DEV_PACKAGES[@]}")
    if ((${#missing[@]})); then
        fetches=1
        size=$(fetch_size "${missing[@]}")
        say "To fetch: ${#missing[@]} Debian packages (${size:-up to about 500 MB}): ${missing[*]}"
    fi
    if ! scene_ready && ! scene_failed_lately; then
        fetches=1
        say "To fetch: Assimp, ufbx and meshoptimizer ($SCENE_FETCH)"
    fi
    for need in ${needs[@]+"${needs[@]}"}; do say "To fetch: $(need_title "$need")"; done
    if ((fetches)); then say "Kept in $CACHE"; else say "Nothing to fetch."; fi
}

# In the background, while the machine compiles: what the later stages use. They ask again, and wait for it then; so a
# failure here is theirs to report.
fetch_ahead() {
    local need
    for need in ${needs[@]+"${needs[@]}"}; do
        # A process of its own: a function in a list with || does not stop at a failure.
        # shellcheck disable=SC2016  # for the inner bash
        bash -euo pipefail -c '. "$1/common.sh" && . "$1/needs.sh" && need_prepare "$2"' bash "$ROOT/scripts/lib" "$need" || true
    done >build/logs/fetch.log 2>&1
}

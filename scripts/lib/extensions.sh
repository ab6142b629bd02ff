# shellcheck shell=bash
# The `extension` command of a Blender that knows extensions: 4.2 or later. Needs common.sh, folders.sh, debian13.sh and sid.sh.

# find_extension_blender: sets EXTENSION_BLENDER to the folder with such a Blender ("/": the one first on PATH); 1: none is here.
find_extension_blender() {
    local version
    version=$(blender --version 2>/dev/null | sed -n '1s/^Blender \([0-9]*\.[0-9]*\).*/\1/p')
    if [[ -n $version ]] && printf '4.2\n%s\n' "$version" | sort --check=quiet --version-sort; then
        EXTENSION_BLENDER=/
    elif blender43_ready; then
        EXTENSION_BLENDER=$DEBIAN13_DIR
    elif sid_ready; then
        EXTENSION_BLENDER=$SID_DIR
    else
        return 1
    fi
}

# write_index DIR: lists the extensions in DIR in its index.json.
write_index() {
    local command=(blender --factory-startup --command extension server-generate --repo-dir "$1") said
    # shellcheck disable=SC2034  # read by in_folder
    local BINDS=("$1") BINDS_RO=()
    if [[ $EXTENSION_BLENDER == / ]]; then
        said=$("${command[@]}" 2>&1) || die "Blender could not write $1/index.json: $said"
    else
        said=$(in_folder "$EXTENSION_BLENDER" 120 "${command[@]}" 2>&1) || die "Blender could not write $1/index.json: $said"
    fi
    [[ $said == *"found "*" packages."* ]] || die "Blender did not write $1/index.json: $said"
    # Such as another zip file in the folder.
    grep -iE 'error|warn' <<<"$said" >&2 || true
}

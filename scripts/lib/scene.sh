# shellcheck shell=bash
# The libraries for scenes that Debian 12 does not have: a current Assimp, ufbx and meshoptimizer. All are fetched by pip, are
# known by their hashes, and lie in the cache, where CMake looks for them. Needs common.sh and packages.sh.

# As native/scene_child/libraries.cmake and native/platforms/meshoptimizer.cmake name them.
SCENE_ASSIMP_DIR=$CACHE/assimp-6.0.5
SCENE_UFBX_DIR=$CACHE/ufbx-0.21.2
SCENE_MESHOPTIMIZER_DIR=$CACHE/meshoptimizer-1.3
SCENE_PACKAGES=(python3-pip python3-setuptools) # setuptools answers for ufbx; pip of Debian 13 comes without
# shellcheck disable=SC2034  # read by scripts/test
SCENE_FETCH="16 MB"
# Debian's Assimp, where the other cannot be had; its CMake files ask for zlib.
SCENE_FALLBACK_PACKAGES=(libassimp-dev zlib1g-dev)
# How long a failure is remembered: scripts/convert calls scripts/setup each time.
SCENE_FAILURE_MINUTES=1440
# After a failure that took longer, nothing else is fetched.
SCENE_PATIENCE_SECONDS=15

scene_pin() { grep -E "^$1==" "$ROOT/scripts/requirements-scene.txt"; }
scene_assimp_ready() { is_ready "$SCENE_ASSIMP_DIR" "$(scene_pin cmeel-assimp)"; }
scene_ufbx_ready() { is_ready "$SCENE_UFBX_DIR" "$(scene_pin pyufbx)"; }
scene_meshoptimizer_ready() { is_ready "$SCENE_MESHOPTIMIZER_DIR" "$(scene_pin meshopt)"; }
scene_ready() { scene_assimp_ready && scene_ufbx_ready && scene_meshoptimizer_ready; }

# scene_failed_lately: the last try failed, and that is not long ago.
scene_failed_lately() { [[ -n $(find "$CACHE/scene-failed" -mmin "-$SCENE_FAILURE_MINUTES" 2>/dev/null) ]]; }

# scene_prepare: fetches what is missing. Never fails: without these libraries everything but scenes works.
scene_prepare() {
    scene_ready && return
    [[ $(uname -m) != x86_64 ]] || with_lock scene scene_make || true
    if ! scene_assimp_ready; then
        warn "Assimp 6.0.5 could not be fetched (Python package cmeel-assimp). AnimBridge takes Debian's Assimp 5.2.5 instead:" \
            "it reads fewer scenes and can't write FBX. To try again: scripts/setup"
        # In a subshell, for install_packages may end the script.
        (install_packages "${SCENE_FALLBACK_PACKAGES[@]}") ||
            warn "Debian's Assimp can't be had either: animbridge-scene isn't built. AnimBridge can't open FBX and COLLADA files, or write scenes"
    fi
    if ! scene_ufbx_ready; then
        warn "ufbx could not be fetched (Python package pyufbx). Assimp reads FBX files instead: motion between keys is less exact." \
            "To try again: scripts/setup"
    fi
    if ! scene_meshoptimizer_ready; then
        warn "meshoptimizer could not be fetched (Python package meshopt): AnimBridge can't read compressed glTF files." \
            "To try again: scripts/setup"
    fi
    scene_ready || { mkdir -p "$CACHE" && touch "$CACHE/scene-failed"; }
}

scene_make() {
    scene_ready && return
    (install_packages "${SCENE_PACKAGES[@]}") || return 1
    say "Fetching Assimp, ufbx and meshoptimizer (about $SCENE_FETCH)"
    local begin=$SECONDS
    if ! scene_assimp_ready && ! scene_assimp_make; then
        warn "no Assimp from pip (above)"
        # A network that does not even refuse costs minutes: it is asked once.
        if ((SECONDS - begin >= SCENE_PATIENCE_SECONDS)); then
            warn "the network does not answer"
            return 1
        fi
    fi
    scene_ufbx_ready || scene_ufbx_make || warn "no ufbx from pip (above)"
    scene_meshoptimizer_ready || scene_meshoptimizer_make || warn "no meshoptimizer from pip (above)"
    if scene_ready; then rm -f "$CACHE/scene-failed"; fi
}

# In these three every step is asked for its success: their caller asks for it too, and then bash does not stop at a failure.
scene_assimp_make() {
    local partial=$SCENE_ASSIMP_DIR.partial
    remove_tree "$partial"
    fetch_pinned "$(scene_pin cmeel-assimp)" "$partial/fetched" --only-binary :all: &&
        "$DEBIAN_PYTHON" -m zipfile -e "$partial/fetched/"*.whl "$partial" &&
        remove_tree "$partial/fetched" &&
        # A wheel holds no links: there the library is three files.
        ln -sf libassimp.so.6.0.5 "$partial/cmeel.prefix/lib/libassimp.so.6" &&
        ln -sf libassimp.so.6 "$partial/cmeel.prefix/lib/libassimp.so" &&
        publish "$partial" "$SCENE_ASSIMP_DIR" "$(scene_pin cmeel-assimp)"
}

# Only the archive is wanted, but pip also asks a package of sources what it needs, and this one answers with the help of
# Cython, 25 MB that nothing here uses: so pip gets a Cython that says nothing.
scene_ufbx_make() {
    local partial=$SCENE_UFBX_DIR.partial
    remove_tree "$partial"
    mkdir -p "$partial/stand-in/Cython" &&
        : >"$partial/stand-in/Cython/__init__.py" &&
        printf 'def cythonize(*sources, **options):\n    return []\n' >"$partial/stand-in/Cython/Build.py" &&
        PYTHONPATH=$partial/stand-in fetch_pinned "$(scene_pin pyufbx)" "$partial/fetched" --no-build-isolation --no-binary :all: &&
        tar -xzf "$partial/fetched/"pyufbx-*.tar.gz -C "$partial" --no-same-owner --strip-components=1 \
            --wildcards '*/LICENSE' '*/ufbx-c/ufbx.[ch]' &&
        mv "$partial/ufbx-c/"ufbx.[ch] "$partial/" &&
        rmdir "$partial/ufbx-c" &&
        remove_tree "$partial/fetched" &&
        remove_tree "$partial/stand-in" &&
        publish "$partial" "$SCENE_UFBX_DIR" "$(scene_pin pyufbx)"
}

# Only the archive is wanted here too; a stand-in answers for its build system.
scene_meshoptimizer_make() {
    local partial=$SCENE_MESHOPTIMIZER_DIR.partial
    remove_tree "$partial"
    mkdir -p "$partial/stand-in/scikit_build_core" &&
        : >"$partial/stand-in/scikit_build_core/__init__.py" &&
        cat >"$partial/stand-in/scikit_build_core/build.py" <<'PYTHON' &&
from pathlib import Path
def prepare_metadata_for_build_wheel(folder, settings=None):
    made = Path(folder, "meshopt-0.1.0.dist-info")
    made.mkdir()
    (made / "METADATA").write_text("Metadata-Version: 2.1\nName: meshopt\nVersion: 0.1.0\n")
    return made.name
def build_wheel(*arguments):
    raise NotImplementedError
PYTHON
        PYTHONPATH=$partial/stand-in fetch_pinned "$(scene_pin meshopt)" "$partial/fetched" --no-build-isolation --no-binary :all: &&
        tar -xzf "$partial/fetched/"meshopt-*.tar.gz -C "$partial" --no-same-owner --strip-components=3 --wildcards \
            '*/vendor/meshoptimizer/meshoptimizer.h' '*/vendor/meshoptimizer/*codec.cpp' '*/vendor/meshoptimizer/vertexfilter.cpp' &&
        remove_tree "$partial/fetched" &&
        remove_tree "$partial/stand-in" &&
        publish "$partial" "$SCENE_MESHOPTIMIZER_DIR" "$(scene_pin meshopt)"
}

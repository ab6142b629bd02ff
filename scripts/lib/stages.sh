#!/usr/bin/env bash
# stages.sh STAGE: one stage of scripts/test, its output as it comes. Exit code 75: could not be prepared here.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=scripts/lib/common.sh
. "$here/common.sh"
# shellcheck source=scripts/lib/devenv.sh
. "$here/devenv.sh"
# shellcheck source=scripts/lib/validator.sh
. "$here/validator.sh"
# shellcheck source=scripts/lib/fuzz.sh
. "$here/fuzz.sh"
cd "$ROOT"
export CTEST_OUTPUT_ON_FAILURE=1
unset PYTHONPATH PYTHONHOME

cannot_prepare() {
    printf 'error: %s\n' "$*" >&2
    exit 75
}

# configure PRESET, build PRESET, check PRESET. The tests of dev are made in the tree of release.
configure() {
    if [[ $1 == dev ]]; then
        [[ -f build/tests/native/CTestTestfile.cmake ]] || cmake --preset dev
    else
        [[ -f build-$1/build.ninja ]] || cmake --preset "$1"
    fi
}
build() {
    configure "$1"
    cmake --build --preset "$1"
}
check() { ctest --preset "$1" --no-tests=error --timeout 600 "${@:2}"; }

native_sources() { find native tests/native tests/fuzz tests/bench tests/consumer tests/package -type f \
    \( -name '*.cpp' -o -name '*.h' -o -name '*.c' \) 2>/dev/null | sort; }

# Every finding of every tool is shown before the stage fails.
stage_style() {
    devenv_prepare || cannot_prepare "the Python tools cannot be had"
    local failures=0 sources scripts
    tool() {
        printf -- '--- %s\n' "$1"
        "${@:2}" || failures=$((failures + 1))
    }
    mapfile -t sources < <(native_sources)
    mapfile -t scripts < <(grep -rlE '^#!.*bash|^# shellcheck shell=bash' scripts .ci)
    tool "ruff check" devenv ruff check .
    tool "ruff format" devenv ruff format --check .
    tool pyright devenv pyright --project pyproject.toml --pythonpath "$DEVENV_DIR/bin/python"
    tool clang-format clang-format --dry-run -Werror "${sources[@]}"
    tool shellcheck shellcheck --external-sources --source-path="$ROOT" "${scripts[@]}"
    say "style: $failures of 5 tools found something"
    ((failures == 0))
}

# The site of the pages, whose links all lead somewhere.
stage_docs() {
    docsenv_prepare || cannot_prepare "mkdocs-material cannot be had"
    scripts/docs
}

# What ships is tested: the objects of the release build. Damaged files (the label "replay") are replayed under the sanitizers,
# which see more than a crash.
stage_native() {
    # One of its tests also asks the glTF validator, where there is one.
    if devenv_ready; then validator_prepare; fi
    build dev
    check dev --label-exclude 'install|replay' -j "$(nproc)"
}

# clang's warnings, the benchmarks, and the tests under AddressSanitizer and UndefinedBehaviorSanitizer. Thousands of starts of
# the command and counts of memory (the label "once") are left to the release build.
stage_clang() {
    build clang
    cmake --build --preset clang --target benchmarks
    ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:check_initialization_order=1 \
        UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 check clang --label-exclude 'install|once' -j "$(nproc)"
}

# check_sources MODE: see scripts/lib/check_sources.py.
check_sources() {
    configure clang
    cmake --build --preset clang --target generated_sources
    "$DEBIAN_PYTHON" scripts/lib/check_sources.py build-clang "$1"
}
stage_alone() { check_sources alone; }
stage_tidy() { check_sources tidy; }
stage_analyzer() { check_sources analyzer; }

# Races are looked for where threads are: in the tests of the shared library, and in batches.
stage_tsan() {
    configure tsan
    cmake --build --preset tsan --target library_tests batch_tests
    TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1 check tsan --tests-regex '^(library\.(threads|documents|written|curves|pose)|native\.batch_.*)$'
}

stage_install() {
    build dev
    ctest --preset dev -L '^install$' --no-tests=error --timeout 1200
}

# A newer compiler, and Catch2 3. Updates of the extension, in this Debian's Blender.
stage_debian-13() {
    scripts/debian13 prepare-blender || cannot_prepare "the Debian 13 folder and its Blender 4.3 cannot be had"
    local dir=build-debian-13
    scripts/debian13 run cmake --preset dev -B "$dir"
    scripts/debian13 run cmake --build "$dir"
    scripts/debian13 run ctest --test-dir "$dir" --no-tests=error --timeout 600 --label-exclude 'install|replay|once' -j "$(nproc)"
    scripts/package --out build/package
    scripts/debian13 run python3 -B tests/package/updates.py build/package
}

# in_shares STAGE COMMAND...: COMMAND --share I/N for each I, side by side, each with a share of the tests; more than four
# would want much memory. By xargs, so that an interrupt ends them all. A share that fails is renamed, so that its log comes
# last, where scripts/test shows it.
in_shares() {
    local name=$1 shares rc=0
    shift
    shares=$(($(nproc) < 4 ? $(nproc) : 4))
    mkdir -p build/logs
    rm -f "build/logs/$name-"*.log
    # shellcheck disable=SC2016  # for the inner bash
    seq "$shares" | xargs -P "$shares" -I{} bash -c \
        'log=build/logs/$1-$2.log failed=build/logs/$1-failed-$2.log share=$2/$3; shift 3
        "$@" --share "$share" >"$log" 2>&1 || { mv "$log" "$failed"; exit 1; }' \
        bash "$name" {} "$shares" "$@" || rc=$?
    cat "build/logs/$name-"*.log
    tail -q -n 1 "build/logs/$name-"*.log
    return "$rc"
}

stage_python() {
    devenv_prepare || cannot_prepare "the Python tools cannot be had"
    in_shares python "$DEVENV_DIR/bin/python" -m pytest -p tests.share tests/python tests/command tests/witness
}

# Batches on many machines: Dask's scheduler and workers, and an S3 server, in processes of their own.
stage_farm() {
    farmenv_prepare || cannot_prepare "Dask and the S3 server cannot be had"
    scripts/setup --quiet
    in_shares farm "$FARMENV_DIR/bin/python" -m pytest -p tests.share tests/farm
}

# What people install, in Blender for Windows under Wine: the tests marked compat and a part of the others, which changes with
# each commit. With --all, every test in the newest and the oldest, and in those between the tests marked compat.
stage_windows-blender() {
    local version versions words failures=0
    use_platforms
    # shellcheck source=scripts/lib/windows.sh
    . "$here/windows.sh"
    mapfile -t versions < <(windows_versions)
    scripts/blenders prepare "${versions[@]/#/windows-}" || cannot_prepare "Blender for Windows cannot be had"
    windows_addon
    wine_ready
    for version in "${versions[@]}"; do
        words=(${ANIMBRIDGE_TEST_PART:+--part "$ANIMBRIDGE_TEST_PART"})
        [[ $version != 4.5 && $version != 5.0 ]] || words=(-m compat)
        in_shares "windows-$version" scripts/blenders run "windows-$version" -- tests/blender/run.py \
            ${words[@]+"${words[@]}"} || failures=$((failures + 1))
    done
    say "windows-blender: $failures of ${#versions[@]} Blenders failed"
    ((failures == 0))
}

# Both zip files, installed and used as people do.
stage_package() {
    scripts/blenders prepare 3.4 || cannot_prepare "Blender 3.4 cannot be had"
    scripts/debian13 prepare-blender || cannot_prepare "Blender 4.3 cannot be had in the Debian 13 folder"
    rm -rf build/package build/repository
    scripts/package --out build/package --repository build/repository
    scripts/lib/try_packages.sh build/package build/repository
}

# use_platforms: zig's compiler, and what it builds with.
use_platforms() {
    # shellcheck source=scripts/lib/packages.sh
    . "$here/packages.sh"
    # shellcheck source=scripts/lib/folders.sh
    . "$here/folders.sh"
    # shellcheck source=scripts/lib/platforms.sh
    . "$here/platforms.sh"
    platforms_prepare || cannot_prepare "zig cannot be had"
    scripts/setup --quiet # the build runs programs of this machine's own
}

# Of these the answers differ on other systems. The first four: in the last digits of sines and cosines, which are their C
# library's (the .anim becomes hands, whose missing joints are placed by angles). The last: in how another Assimp ends.
LEAVE_OUT=(--leave-out ticks.x --leave-out y_up_cm_stack.dae --leave-out pivot_stack.dae --leave-out rule01_nan.anim --leave-out node_cycle.dae)

# What ships for Windows: its files by LLVM's readers, its tests and its command under Wine. Damaged files mean the same there.
stage_platforms() {
    local wine=$PWD/tests/platforms/wine build=build-platforms/windows-x64
    [[ -x /usr/lib/wine/wine64 ]] || cannot_prepare "Wine is not installed (Debian's package wine64)"
    use_platforms
    platforms_build windows-x64 -DANIMBRIDGE_TESTS=ON -DCMAKE_CROSSCOMPILING_EMULATOR="$wine"
    "$DEBIAN_PYTHON" tests/platforms/check_files.py windows-x64 "$build"
    wine_ready
    rm -f "$WINEPREFIX/again.log"
    ctest --test-dir "$build" --no-tests=error --timeout 600 --label-exclude 'install|replay|once' -j "$(nproc)"
    "$DEBIAN_PYTHON" tests/platforms/same_outputs.py --own build/bin/animbridge --every 8 "${LEAVE_OUT[@]}" -- \
        "$wine" "$PWD/$build/bin/animbridge.exe"
    if [[ -s $WINEPREFIX/again.log ]]; then say "Run again, for Wine failed:" && cat "$WINEPREFIX/again.log"; fi
}

# same_bytes_again NAME: builds the last commit in another folder, which must make the same files.
same_bytes_again() {
    local again=$PWD/build-platforms/again file
    rm -rf "$again"
    git clone --quiet "$PWD" "$again"
    mkdir -p "$again/build"
    ln -s "$PWD/build/bin" "$again/build/bin" # programs of this machine, which the build runs
    (ROOT=$again && platforms_build "$1")
    for file in "$again/build-platforms/$1"/bin/animbridge* "$again/build-platforms/$1"/lib/libanimbridge*; do
        [[ -f $file && $file != *.a ]] || continue
        cmp "$file" "${file/"$again"/"$PWD"}"
        say "the same bytes in another folder: ${file##*/}"
    done
}

# The other systems: each is built and its files looked at; Linux's are run with an older Linux and on an emulated processor.
stage_systems() {
    local name
    use_platforms
    for name in "${PLATFORMS[@]}"; do
        platforms_build "$name"
        "$DEBIAN_PYTHON" tests/platforms/check_files.py "$name" "build-platforms/$name"
    done
    same_bytes_again macos-arm64
    # With the libraries of an older Linux.
    "$DEBIAN_PYTHON" tests/platforms/same_outputs.py --own build/bin/animbridge --every 40 -- \
        "$PWD/scripts/lib/old_system.sh" "$PWD/build-platforms/linux-x64/bin/animbridge"
    # On an emulated processor. The program for scenes is started by the command, and so needs a word of its own.
    install_packages qemu-user libc6-arm64-cross
    mkdir -p build-platforms/arm64
    for name in animbridge-scene animbridge; do
        printf '#!/bin/sh\nexport ANIMBRIDGE_SCENE="%s"\nexec qemu-aarch64 -L /usr/aarch64-linux-gnu "%s" "$@"\n' \
            "$PWD/build-platforms/arm64/animbridge-scene" "$PWD/build-platforms/linux-arm64/bin/$name" >"build-platforms/arm64/$name"
        chmod +x "build-platforms/arm64/$name"
    done
    "$DEBIAN_PYTHON" tests/platforms/same_outputs.py --own build-platforms/linux-x64/bin/animbridge --every 8 \
        "${LEAVE_OUT[@]}" -- "$PWD/build-platforms/arm64/animbridge"
}

# The commands of README.md and docs/batch.md, typed in a fresh clone and a bare shell.
stage_readme() {
    devenv_prepare || cannot_prepare "the Python tools cannot be had"
    scripts/blenders prepare 3.4 || cannot_prepare "Blender 3.4 cannot be had"
    scripts/setup --quiet
    devenv pytest tests/readme
}

# What a Blender without a window cannot show: undo, tweak mode, and scenes that click and look at what comes of it.
stage_window() {
    scripts/blenders prepare 3.4 || cannot_prepare "Blender 3.4 cannot be had"
    scripts/blenders run-window -- tests/blender/run.py
    scripts/screens --blender 3.4 --check --out build/logs/screens
}

# Both commands of README.md on a machine where nothing is installed.
stage_bare() { scripts/lib/try_bare.sh 12; }
stage_bare-13() { scripts/lib/try_bare.sh 13; }

# Slurm for real, on this machine.
stage_cluster() {
    scripts/setup --quiet
    scripts/cluster/try_slurm.sh
}

blender_stage() {
    scripts/blenders prepare "$1" || cannot_prepare "Blender $1 cannot be had"
    configure dev
    cmake --build --preset dev --target scene_wire # which the tests of written scenes call
    in_shares "blender-$1" scripts/blenders run "$1" -- tests/blender/run.py
}

case ${1:?which stage} in
    blender-*) blender_stage "${1#blender-}" ;;
    *) "stage_$1" ;;
esac

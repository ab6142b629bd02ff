#!/usr/bin/env bash
# stages.sh STAGE: one stage of scripts/test, its output as it comes. Exit code 75: could not be prepared here.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=scripts/lib/common.sh
. "$here/common.sh"
# shellcheck source=scripts/lib/devenv.sh
. "$here/devenv.sh"
cd "$ROOT"
export CTEST_OUTPUT_ON_FAILURE=1
unset PYTHONPATH PYTHONHOME

cannot_prepare() {
    printf 'error: %s\n' "$*" >&2
    exit 75
}

# configure PRESET, build PRESET, check PRESET
configure() { [[ -f build-$1/build.ninja ]] || cmake --preset "$1"; }
build() {
    configure "$1"
    cmake --build --preset "$1"
}
check() { ctest --preset "$1" --no-tests=error --timeout 600 "${@:2}"; }

native_sources() { find native tests/native tests/fuzz tests/bench tests/consumer -type f \
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

stage_native() {
    configure dev
    cmake --build --preset dev --target all headers_alone
    check dev --label-exclude install -j "$(nproc)"
}

# clang's warnings, and the tests under AddressSanitizer and UndefinedBehaviorSanitizer.
stage_clang() {
    build clang
    ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:check_initialization_order=1 \
        UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 check clang --label-exclude install -j "$(nproc)"
}

# On the units of the unity build: most of the time goes into the headers that they share. That such a unit includes
# sources is no mistake. The header filter is .clang-tidy's; generated files have none.
stage_tidy() {
    configure clang
    cmake --build --preset clang --target generated_sources
    nice run-clang-tidy -p build-clang -quiet -checks=-bugprone-suspicious-include -j "$(nproc)" \
        "^$ROOT/(native|build-clang/native)/.*\\.(cpp|cxx)$" 2>&1 |
        sed -E 's/\x1b\[[0-9;]*m//g;/^[0-9]+ warnings? (generated|treated)/d;/^Suppressed [0-9]+/d;/^Use -header-filter/d;/^clang-tidy(-[0-9]+)? -/d'
    say "clang-tidy: nothing found"
}

# Races are looked for where threads are: in the tests of the shared library.
stage_tsan() {
    configure tsan
    cmake --build --preset tsan --target library_tests
    TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1 check tsan --tests-regex '^library\.(threads|documents|curves|pose)$'
}

# Each target over its corpus, new inputs into a folder of its own; what breaks it is left in build/logs/.
fuzz_one() {
    local target=$1 name scratch log rc=0
    name=${target##*/fuzz_}
    scratch=$(mktemp -d -t animbridge-fuzz.XXXXXX)
    log=build/logs/fuzz-$name.log
    local corpus=("$scratch")
    [[ ! -d tests/fuzz/corpus/$name ]] || corpus+=("tests/fuzz/corpus/$name")
    [[ ! -f tests/fuzz/corpus/$name.dict ]] || corpus+=("-dict=tests/fuzz/corpus/$name.dict")
    [[ $name != json ]] || corpus+=(-max_len=131072)  # what is wrong with large JSON alone
    "$target" -max_total_time="${ANIMBRIDGE_FUZZ_SECONDS:-20}" -rss_limit_mb=2048 -timeout=5 -print_final_stats=1 \
        -artifact_prefix="build/logs/fuzz-$name-" "${corpus[@]}" >"$log" 2>&1 || rc=$?
    rm -rf "$scratch"
    if ((rc)); then
        tail -n 40 "$log"
        say "fuzz_$name: FAILED ($rc)"
    else
        say "fuzz_$name: $(grep -oE 'number_of_executed_units: *[0-9]+' "$log" | grep -oE '[0-9]+$') runs"
    fi
    return "$rc"
}

stage_fuzz() {
    build clang
    local targets
    mapfile -t targets < <(find build-clang/bin -maxdepth 1 -type f -name 'fuzz_*' -perm -u+x | sort)
    ((${#targets[@]})) || die "build-clang/bin has no fuzz_* program"
    mkdir -p build/logs
    export -f fuzz_one say
    # shellcheck disable=SC2016  # for the inner bash
    printf '%s\0' "${targets[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -c 'fuzz_one "$1"' bash
    say "${#targets[@]} fuzz targets, nothing found"
}

# In the release build when it has tests, else in the dev build.
stage_install() {
    local dir=build
    cmake --build --preset release
    if [[ ! -f build/CTestTestfile.cmake ]]; then
        build dev
        dir=build-dev
    fi
    ctest --test-dir "$dir" -L '^install$' --no-tests=error --timeout 1200
}

stage_debian-13() {
    scripts/debian13 prepare || cannot_prepare "the Debian 13 folder cannot be had"
    local dir=build-debian-13
    [[ -f $dir/build.ninja ]] || scripts/debian13 run cmake --preset dev -B "$dir"
    scripts/debian13 run cmake --build "$dir"
    scripts/debian13 run ctest --test-dir "$dir" --no-tests=error --timeout 600 --label-exclude install -j "$(nproc)"
}

stage_python() {
    devenv_prepare || cannot_prepare "the Python tools cannot be had"
    devenv pytest tests/python tests/witness
}

# Both zip files, installed and used as people do.
stage_package() {
    scripts/blenders prepare 3.4 || cannot_prepare "Blender 3.4 cannot be had"
    scripts/debian13 prepare-blender || cannot_prepare "Blender 4.3 cannot be had in the Debian 13 folder"
    rm -rf build/package
    scripts/package --out build/package
    scripts/lib/try_packages.sh build/package
}

# Several Blenders side by side, each with a share of the tests; more than four would want much memory. By xargs, so
# that an interrupt ends them all.
blender_stage() {
    scripts/blenders prepare "$1" || cannot_prepare "Blender $1 cannot be had"
    local shares rc=0
    shares=$(($(nproc) < 4 ? $(nproc) : 4))
    mkdir -p build/logs
    rm -f "build/logs/blender-$1-"*.log
    # shellcheck disable=SC2016  # for the inner bash
    seq "$shares" | xargs -P "$shares" -I{} bash -c \
        'scripts/blenders run "$1" -- tests/blender/run.py --share "$2/$3" >"build/logs/blender-$1-$2.log" 2>&1' \
        bash "$1" {} "$shares" || rc=$?
    cat "build/logs/blender-$1-"*.log
    tail -q -n 1 "build/logs/blender-$1-"*.log
    return "$rc"
}

case ${1:?which stage} in
    blender-*) blender_stage "${1#blender-}" ;;
    *) "stage_$1" ;;
esac

# shellcheck shell=bash
# The Blenders that the tests run on. Needs common.sh, packages.sh, debian13.sh and windows.sh.

BLENDERS=(3.4 4.5 5.0 5.2 windows-4.2 windows-4.5 windows-5.0 windows-5.2)
# name -> what is installed; 3.4 is Debian's own program.
declare -A BLENDER_PIN=(
    [3.4]=blender [4.5]=bpy==4.5.15 [5.0]=bpy==5.0.1 [5.2]=bpy==5.2.3
    [windows-4.2]=bpy==4.2.23 [windows-4.5]=bpy==4.5.15 [windows-5.0]=bpy==5.0.1 [windows-5.2]=bpy==5.2.3
)
# Megabytes to fetch and on disk, as measured.
declare -A BLENDER_FETCH=([3.4]=180 [4.5]=405 [5.0]=405 [5.2]=435 [windows-4.2]=375 [windows-4.5]=385 [windows-5.0]=385 [windows-5.2]=395)
BLENDER_34_PACKAGES=(blender python3-numpy python3-pytest)

known_blender() { [[ -n ${BLENDER_PIN[$1]:-} ]] || die "no Blender '$1' here; there are: ${BLENDERS[*]}"; }
blender_dir() { say "$CACHE/blender-$1"; }
blender_stamp() {
    local system=debian-12
    [[ $1 != 5.2 ]] || system=debian-13
    if [[ $1 == windows-* ]]; then
        windows_stamp "${1#windows-}"
    else
        say "${BLENDER_PIN[$1]} $(requirement pytest) $system"
    fi
}

blender_ready() {
    if [[ $1 == 3.4 ]]; then
        [[ -x /usr/bin/blender && -z $(missing_packages "${BLENDER_34_PACKAGES[@]}") ]]
    elif [[ $1 == 5.2 ]]; then
        debian13_ready && is_ready "$(blender_dir "$1")" "$(blender_stamp "$1")"
    else
        is_ready "$(blender_dir "$1")" "$(blender_stamp "$1")"
    fi
}

blender_prepare() {
    known_blender "$1"
    blender_ready "$1" && return
    if [[ $1 == 3.4 ]]; then
        install_packages "${BLENDER_34_PACKAGES[@]}"
        return
    fi
    [[ $1 != 5.2 ]] || debian13_prepare
    with_lock "blender-$1" blender_make "$1"
}

# with_python NAME COMMAND...: runs COMMAND where this Blender's interpreter is.
with_python() {
    local name=$1
    shift
    if [[ $name == 5.2 ]]; then
        debian13_run 1800 "$@"
    else
        timeout --foreground --kill-after=10 1800 "$@"
    fi
}

blender_make() {
    if blender_ready "$1"; then return 0; fi
    local name=$1 dir partial python=$DEBIAN_PYTHON
    dir=$(blender_dir "$name")
    partial=$dir.partial
    [[ $name != 5.2 ]] || python=/usr/bin/python3.13
    say "Fetching Blender $name: ${BLENDER_PIN[$name]}, about ${BLENDER_FETCH[$name]} MB"
    remove_tree "$partial"
    if [[ $name == windows-* ]]; then
        windows_make "${name#windows-}" "$partial"
        publish "$partial" "$dir" "$(blender_stamp "$name")"
        return
    fi
    with_python "$name" "$python" -m venv "$partial"
    with_python "$name" "$partial/bin/python" -m pip install --quiet --no-cache-dir --disable-pip-version-check \
        "${BLENDER_PIN[$name]}" "$(requirement pytest)" numpy
    with_python "$name" "$partial/bin/python" -c "import bpy, numpy; assert bpy.app.version_string.startswith('$name')"
    publish "$partial" "$dir" "$(blender_stamp "$name")"
}

# shellcheck disable=SC2034  # read by scripts/blenders
BLENDER_WINDOW_PACKAGES=("${BLENDER_34_PACKAGES[@]}" xvfb xauth libgl1-mesa-dri)

# blender_run NAME|window SCRIPT ARGS...: with factory settings, in user folders of its own, under a time limit.
blender_run() {
    local name=$1 script limit=${ANIMBRIDGE_TIMEOUT:-1800} home variable rc=0
    script=$(realpath -- "$2")
    shift 2
    home=$(mktemp -d -t animbridge-blender.XXXXXX)
    # shellcheck disable=SC2064  # the folder as it is named now
    trap "rm -rf -- '$home'" EXIT
    local -x BLENDER_USER_RESOURCES=$home BLENDER_USER_CONFIG=$home/config BLENDER_USER_SCRIPTS=$home/scripts \
        BLENDER_USER_DATAFILES=$home/datafiles BLENDER_USER_EXTENSIONS=$home/extensions ANIMBRIDGE_BLENDER_NAME=${name/window/3.4}
    unset PYTHONPATH PYTHONHOME
    case $name in
        window) # 3.4, as people see it
            # The folder that xvfb-run makes for it cannot always be removed, which is an error.
            : >"$home/xauthority"
            as_debian timeout --kill-after=10 "$limit" xvfb-run --auto-servernum --auth-file "$home/xauthority" \
                --server-args "-screen 0 1280x800x24" \
                /usr/bin/blender --window-geometry 0 0 1280 800 -noaudio --factory-startup \
                --python-exit-code 1 --python "$script" -- "$@" || rc=$?
            ;;
        3.4)
            as_debian timeout --kill-after=10 "$limit" /usr/bin/blender --background -noaudio --factory-startup \
                --python-exit-code 1 --python "$script" -- "$@" || rc=$?
            ;;
        windows-*)
            # The tests' own temporary files lie on Wine's drive C, the checkout on Z.
            for variable in RESOURCES CONFIG SCRIPTS DATAFILES EXTENSIONS; do
                variable=BLENDER_USER_$variable
                printf -v "$variable" 'Z:%s' "${!variable}"
            done
            local -x ANIMBRIDGE_ADDON=Z:$WINDOWS_PACKAGE/addon PYTHONDONTWRITEBYTECODE=1
            [[ -d $WINDOWS_PACKAGE/addon ]] || windows_addon
            windows_run "$limit" "$(blender_dir "$name")" "$script" -- "$@" || rc=$?
            ;;
        5.2) debian13_run "$limit" "$(blender_dir 5.2)/bin/python" "$script" -- "$@" || rc=$? ;;
        *) timeout --kill-after=10 "$limit" "$(blender_dir "$name")/bin/python" "$script" -- "$@" || rc=$? ;;
    esac
    if ((rc == 124 || rc == 137)); then warn "Blender $name did not end within $limit seconds"; fi
    return "$rc"
}

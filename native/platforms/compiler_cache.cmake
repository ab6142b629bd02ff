# SPDX-License-Identifier: MIT
# What was compiled before, in any folder, is taken from ccache if the machine has it; `scripts/setup --dev` installs it.
# A launcher that you name yourself (CMAKE_CXX_COMPILER_LAUNCHER) stays.
find_program(ANIMBRIDGE_CCACHE ccache)
mark_as_advanced(ANIMBRIDGE_CCACHE)
if(ANIMBRIDGE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    include("${CMAKE_CURRENT_LIST_DIR}/cache_folder.cmake")
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_DIR=${animbridge_cache}/ccache"
        "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1 CCACHE_MAXSIZE=5G)
    if(ANIMBRIDGE_TARGET)  # zig.cmake calls the compiler by a script, whose name says nothing
        list(APPEND CMAKE_CXX_COMPILER_LAUNCHER CCACHE_COMPILERTYPE=clang CCACHE_COMPILERCHECK=content)
    endif()
    list(APPEND CMAKE_CXX_COMPILER_LAUNCHER "${ANIMBRIDGE_CCACHE}")
    set(CMAKE_C_COMPILER_LAUNCHER "${CMAKE_CXX_COMPILER_LAUNCHER}")
endif()

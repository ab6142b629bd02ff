# SPDX-License-Identifier: MIT
# Builds for another system with zig's compiler. A preset says for which: ANIMBRIDGE_TARGET is what
# zig calls it, such as x86_64-windows-gnu. ANIMBRIDGE_ZIG, in the environment too, is the program.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ANIMBRIDGE_TARGET ANIMBRIDGE_ZIG ANIMBRIDGE_ZIG_COMPILERS)
if(NOT ANIMBRIDGE_ZIG)
    set(ANIMBRIDGE_ZIG "$ENV{ANIMBRIDGE_ZIG}" CACHE FILEPATH "zig")
endif()

if(ANIMBRIDGE_TARGET MATCHES "-windows-")
    set(CMAKE_SYSTEM_NAME Windows)
elseif(ANIMBRIDGE_TARGET MATCHES "-macos")
    set(CMAKE_SYSTEM_NAME Darwin)
else()
    set(CMAKE_SYSTEM_NAME Linux)
endif()
string(REGEX MATCH "^[a-z0-9_]+" CMAKE_SYSTEM_PROCESSOR "${ANIMBRIDGE_TARGET}")

# As programs of their own, which a compiler cache can call.
if(NOT ANIMBRIDGE_ZIG_COMPILERS)
    set(ANIMBRIDGE_ZIG_COMPILERS "${CMAKE_BINARY_DIR}/zig" CACHE INTERNAL "")
    foreach(compiler cc c++)
        file(WRITE "${ANIMBRIDGE_ZIG_COMPILERS}/${compiler}"
            "#!/bin/sh\nexec '${ANIMBRIDGE_ZIG}' ${compiler} -target ${ANIMBRIDGE_TARGET} \"$@\"\n")
        file(CHMOD "${ANIMBRIDGE_ZIG_COMPILERS}/${compiler}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
    endforeach()
endif()
set(CMAKE_C_COMPILER "${ANIMBRIDGE_ZIG_COMPILERS}/cc")
set(CMAKE_CXX_COMPILER "${ANIMBRIDGE_ZIG_COMPILERS}/c++")
# zig's clang checks undefined behaviour by itself, which is for the build with sanitizers.
set(CMAKE_C_FLAGS_INIT "-fno-sanitize=undefined")
set(CMAKE_CXX_FLAGS_INIT "-fno-sanitize=undefined")
# zig keeps what a debugger needs, which is ten times the code.
foreach(kind EXE SHARED)
    set(CMAKE_${kind}_LINKER_FLAGS_RELEASE_INIT "-s")
endforeach()
foreach(language C CXX)
    set(CMAKE_${language}_ARCHIVE_CREATE "\"${ANIMBRIDGE_ZIG}\" ar qc <TARGET> <LINK_FLAGS> <OBJECTS>")
    set(CMAKE_${language}_ARCHIVE_APPEND "\"${ANIMBRIDGE_ZIG}\" ar q <TARGET> <LINK_FLAGS> <OBJECTS>")
    set(CMAKE_${language}_ARCHIVE_FINISH "\"${ANIMBRIDGE_ZIG}\" ranlib <TARGET>")
endforeach()
# There are no resources to compile; CMake wants a compiler for them all the same.
set(CMAKE_RC_COMPILER "${ANIMBRIDGE_ZIG}")

# Nothing of this machine's libraries fits.
set(CMAKE_FIND_ROOT_PATH "${CMAKE_CURRENT_LIST_DIR}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

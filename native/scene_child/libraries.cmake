# SPDX-License-Identifier: MIT
# Finds what animbridge-scene is made of: the target assimp::assimp, and ANIMBRIDGE_UFBX_SOURCES. One of them is enough.
# scripts/setup puts both libraries into the cache folder. A machine's own Assimp is taken where that one is not there.

include("${CMAKE_CURRENT_LIST_DIR}/../platforms/cache_folder.cmake")
set(fetched_assimp "${animbridge_cache}/assimp-6.0.5/cmeel.prefix/lib/cmake/assimp-6.0")
set(fetched_ufbx "${animbridge_cache}/ufbx-0.21.2")

# When scripts/setup fetches them later, the next build looks again.
file(GLOB fetched_libraries CONFIGURE_DEPENDS "${animbridge_cache}/assimp-6.0.5/.animbridge-stamp" "${fetched_ufbx}/.animbridge-stamp")

set(ANIMBRIDGE_ASSIMP_DIR "" CACHE PATH "The folder of assimpConfig.cmake; empty: what scripts/setup fetched, else the machine's own")
set(ANIMBRIDGE_UFBX_DIR "" CACHE PATH "The folder of ufbx.c and ufbx.h; empty: what scripts/setup fetched")

# What an earlier run found is no answer: a fetched library may have come, or the folder may be gone.
unset(assimp_DIR CACHE)
if(ANIMBRIDGE_ASSIMP_DIR)
    set(assimp_DIR "${ANIMBRIDGE_ASSIMP_DIR}")
elseif(NOT CMAKE_PREFIX_PATH AND EXISTS "${fetched_assimp}/assimpConfig.cmake")
    set(assimp_DIR "${fetched_assimp}")
endif()
if(ANIMBRIDGE_SOURCES)
    include("${CMAKE_CURRENT_LIST_DIR}/../platforms/assimp.cmake")
else()
    find_package(assimp CONFIG QUIET)
endif()
if(TARGET assimp::assimp)
    get_target_property(assimp_type assimp::assimp TYPE)
    if(assimp_type STREQUAL "SHARED_LIBRARY")
        # The library names zlib itself. Named here too, the linker would want zlib's development package.
        set_target_properties(assimp::assimp PROPERTIES INTERFACE_LINK_LIBRARIES "")
    endif()
endif()

set(ANIMBRIDGE_UFBX_SOURCES "")
set(ANIMBRIDGE_UFBX_INCLUDE "")
foreach(folder "${ANIMBRIDGE_UFBX_DIR}" "${fetched_ufbx}")
    if(folder AND EXISTS "${folder}/ufbx.c" AND EXISTS "${folder}/ufbx.h")
        set(ANIMBRIDGE_UFBX_SOURCES "${folder}/ufbx.c")
        set(ANIMBRIDGE_UFBX_INCLUDE "${folder}")
        break()
    endif()
endforeach()

# SPDX-License-Identifier: MIT
# The decoders of meshoptimizer, which Debian 12 has only as a shared library, and an old one: ANIMBRIDGE_MESHOPTIMIZER, the
# folder of its sources, which scripts/setup fetches for every platform. Empty: compressed glTF files are refused.
include("${CMAKE_CURRENT_LIST_DIR}/cache_folder.cmake")
set(fetched_meshoptimizer "${animbridge_cache}/meshoptimizer-1.3")
# When scripts/setup fetches it later, the next build looks again.
file(GLOB fetched_stamp CONFIGURE_DEPENDS "${fetched_meshoptimizer}/.animbridge-stamp")

set(ANIMBRIDGE_MESHOPTIMIZER_DIR "" CACHE PATH "The folder of meshoptimizer.h and its sources; empty: what scripts/setup fetched")
set(ANIMBRIDGE_MESHOPTIMIZER "")
foreach(folder "${ANIMBRIDGE_MESHOPTIMIZER_DIR}" "${fetched_meshoptimizer}")
    if(folder AND EXISTS "${folder}/meshoptimizer.h" AND EXISTS "${folder}/vertexcodec.cpp")
        set(ANIMBRIDGE_MESHOPTIMIZER "${folder}")
        break()
    endif()
endforeach()
if(NOT ANIMBRIDGE_MESHOPTIMIZER)
    message(STATUS "no meshoptimizer: compressed glTF files are refused; call scripts/setup")
    target_sources(animbridge_core PRIVATE "${CMAKE_CURRENT_LIST_DIR}/../formats/scene_file/gltf/without_meshopt.cpp")
    return()
endif()

set(meshoptimizer_sources indexcodec.cpp vertexcodec.cpp vertexfilter.cpp)
list(TRANSFORM meshoptimizer_sources PREPEND "${ANIMBRIDGE_MESHOPTIMIZER}/")
target_sources(animbridge_core PRIVATE "${CMAKE_CURRENT_LIST_DIR}/../formats/scene_file/gltf/meshopt.cpp" ${meshoptimizer_sources})
target_include_directories(animbridge_core SYSTEM PRIVATE "${ANIMBRIDGE_MESHOPTIMIZER}")
# Somebody else's source: its warnings are theirs. Without vector instructions every platform rounds alike.
set_source_files_properties(${meshoptimizer_sources} TARGET_DIRECTORY animbridge_core PROPERTIES COMPILE_OPTIONS -w
    COMPILE_DEFINITIONS MESHOPTIMIZER_NO_SIMD SKIP_UNITY_BUILD_INCLUSION ON)
install(FILES "${CMAKE_CURRENT_LIST_DIR}/licenses/meshoptimizer.txt" DESTINATION "${CMAKE_INSTALL_DOCDIR}/licenses")

# SPDX-License-Identifier: MIT
# Assimp for another system, out of ANIMBRIDGE_SOURCES/assimp, as an archive: assimp::assimp, with assimp_VERSION and
# assimp_DIR. Compiled are the loaders that give motion, what these and their tests need besides (3DS, MD2, BVH), and the
# writers that AnimBridge calls.
function(add_assimp folder)
    set(BUILD_SHARED_LIBS OFF)
    set(CMAKE_UNITY_BUILD OFF)
    set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
    set(CMAKE_WARN_DEPRECATED OFF)
    set(CMAKE_EXPORT_COMPILE_COMMANDS OFF)
    set(ASSIMP_BUILD_TESTS OFF)
    set(ASSIMP_BUILD_ZLIB ON)
    set(ASSIMP_BUILD_USE_CCACHE OFF)
    set(ASSIMP_IGNORE_GIT_HASH ON)
    set(ASSIMP_INSTALL OFF)
    set(ASSIMP_WARNINGS_AS_ERRORS OFF)
    set(ASSIMP_BUILD_ALL_IMPORTERS_BY_DEFAULT OFF)
    set(ASSIMP_BUILD_ALL_EXPORTERS_BY_DEFAULT OFF)
    foreach(format 3DS ASE B3D BVH COLLADA FBX GLTF HMP IRR IRRMESH LWO LWS MD2 MD5 MDL OGRE SMD X)
        set(ASSIMP_BUILD_${format}_IMPORTER ON)
    endforeach()
    foreach(format COLLADA FBX GLTF)
        set(ASSIMP_BUILD_${format}_EXPORTER ON)
    endforeach()
    # Its file names would say where it was built.
    # Every processor rounds the same, as in our own library: ARM has an instruction that rounds a * b + c once.
    add_compile_options("-ffile-prefix-map=${folder}=assimp" -ffp-contract=off -w)
    add_subdirectory("${folder}" "${CMAKE_CURRENT_BINARY_DIR}/assimp" EXCLUDE_FROM_ALL)
    target_link_libraries(assimp pugixml::static)
    if(APPLE)  # zlib takes it for a Mac of the last century, which has no such function, unless this is a macro
        target_compile_definitions(zlibstatic PRIVATE fdopen=fdopen)
    endif()
endfunction()

set(assimp_DIR "${ANIMBRIDGE_SOURCES}/assimp")
file(STRINGS "${assimp_DIR}/CMakeLists.txt" assimp_project REGEX "^PROJECT\\(Assimp VERSION")
string(REGEX MATCH "[0-9.]+" assimp_VERSION "${assimp_project}")
add_assimp("${assimp_DIR}")

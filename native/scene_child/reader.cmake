# SPDX-License-Identifier: MIT
set(scene_sources_folder "${CMAKE_CURRENT_LIST_DIR}")
set(scene_warnings -Wall -Wextra -Wpedantic -Wconversion -Werror $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)

# add_scene_reader(TARGET): what animbridge-scene does, as an archive, with the assimp::assimp of the calling folder.
function(add_scene_reader target)
    set(sources camera_turn.cpp dae_read.cpp data_uri.cpp fbx_read.cpp formats.cpp glb.cpp gltf_animations.cpp gltf_buffers.cpp
        gltf_file.cpp gltf_human.cpp gltf_nodes.cpp gltf_read.cpp json_members.cpp keys.cpp loaders.cpp placement.cpp
        read.cpp side_files.cpp)
    if(WIN32)
        list(APPEND sources limits_windows.cpp)
    else()
        list(APPEND sources limits_posix.cpp)
    endif()
    if(TARGET assimp::assimp)
        list(APPEND sources assimp_animations.cpp assimp_nodes.cpp assimp_read.cpp assimp_space.cpp collada_xml.cpp
            served_files.cpp)
        list(APPEND sources euler.cpp fbx_cameras.cpp fbx_fix.cpp fbx_tree.cpp write.cpp write_assimp.cpp write_carrier.cpp
            write_dae.cpp write_fbx.cpp write_fbx_settings.cpp write_gltf.cpp write_keys.cpp write_refine.cpp)
    else()
        list(APPEND sources without_assimp.cpp)
    endif()
    if(ANIMBRIDGE_UFBX_SOURCES)
        list(APPEND sources fbx_curves.cpp fbx_part.cpp fbx_sample.cpp)
    endif()
    list(TRANSFORM sources PREPEND "${scene_sources_folder}/")
    add_library(${target} STATIC ${sources} ${ANIMBRIDGE_UFBX_SOURCES})
    if(TARGET pugixml::static)
        set(pugixml pugixml::static)
    else()
        set(pugixml pugixml::pugixml)
    endif()
    target_link_libraries(${target} PUBLIC animbridge_core PRIVATE ${pugixml})
    if(TARGET assimp::assimp)
        target_link_libraries(${target} PUBLIC assimp::assimp)
    endif()
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${scene_warnings}>)
    if(ANIMBRIDGE_UFBX_SOURCES)
        # Somebody else's source: its warnings are theirs.
        set_source_files_properties("${ANIMBRIDGE_UFBX_SOURCES}" TARGET_DIRECTORY ${target}
            PROPERTIES COMPILE_OPTIONS -w SKIP_UNITY_BUILD_INCLUSION ON)
        target_include_directories(${target} SYSTEM PRIVATE "${ANIMBRIDGE_UFBX_INCLUDE}")
        target_compile_definitions(${target} PRIVATE ANIMBRIDGE_WITH_UFBX)
    endif()
endfunction()

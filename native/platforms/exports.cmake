# SPDX-License-Identifier: MIT
# show_only_c_interface(LIBRARY): it shows its C interface and nothing else, and asks for nothing but the system and what it
# links on purpose: the C++ runtime comes along, so one build loads in every Blender.
function(show_only_c_interface library)
    set(api "${PROJECT_SOURCE_DIR}/native/api")
    set(exports "")
    if(APPLE)
        set(exports "${api}/exports.txt")
        target_link_options(${library} PRIVATE "-Wl,-exported_symbols_list,${exports}")
        set_target_properties(${library} PROPERTIES BUILD_WITH_INSTALL_NAME_DIR ON INSTALL_NAME_DIR "@rpath")
    elseif(WIN32)
        # The header marks what is exported.
        set_target_properties(${library} PROPERTIES PREFIX "" RUNTIME_OUTPUT_DIRECTORY "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}")
    else()
        set(exports "${api}/exports.map")
        target_link_options(${library} PRIVATE "-Wl,--version-script=${exports}")
        # A sanitizer's runtime is in the program, so there the library has undefined symbols.
        if(NOT ANIMBRIDGE_SANITIZE)
            target_link_options(${library} PRIVATE -Wl,--no-undefined)
            if(NOT ANIMBRIDGE_TARGET)  # zig's linker has its C++ runtime hidden and in the file anyway
                target_link_options(${library} PRIVATE -Wl,--exclude-libs,ALL -static-libstdc++ -static-libgcc)
            endif()
        endif()
    endif()
    set_target_properties(${library} PROPERTIES LINK_DEPENDS "${exports}")
endfunction()

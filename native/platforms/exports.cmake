# SPDX-License-Identifier: MIT
# The library shows its C interface and nothing else, and asks for nothing but the system: the C++ runtime comes along, so
# one build loads in every Blender.
if(APPLE)
    set(exports "${CMAKE_CURRENT_SOURCE_DIR}/api/exports.txt")
    target_link_options(animbridge PRIVATE "-Wl,-exported_symbols_list,${exports}")
    set_target_properties(animbridge PROPERTIES BUILD_WITH_INSTALL_NAME_DIR ON INSTALL_NAME_DIR "@rpath")
elseif(WIN32)
    # The header marks what is exported.
    set(exports "")
    set_target_properties(animbridge PROPERTIES PREFIX "" RUNTIME_OUTPUT_DIRECTORY "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}")
else()
    set(exports "${CMAKE_CURRENT_SOURCE_DIR}/api/exports.map")
    target_link_options(animbridge PRIVATE "-Wl,--version-script=${exports}")
    # A sanitizer's runtime is in the program, so there the library has undefined symbols.
    if(NOT ANIMBRIDGE_SANITIZE)
        target_link_options(animbridge PRIVATE -Wl,--no-undefined)
        if(NOT ANIMBRIDGE_TARGET)  # zig's linker has its C++ runtime hidden and in the file anyway
            target_link_options(animbridge PRIVATE -Wl,--exclude-libs,ALL -static-libstdc++ -static-libgcc)
        endif()
    endif()
endif()
set_target_properties(animbridge PROPERTIES LINK_DEPENDS "${exports}")

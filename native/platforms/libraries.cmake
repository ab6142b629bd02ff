# SPDX-License-Identifier: MIT
# The libraries of a build for another system, out of one folder (ANIMBRIDGE_SOURCES; scripts/lib/platforms.sh fills it):
# include/ has headers, src/ the sources of pugixml.
set(libraries "${ANIMBRIDGE_SOURCES}")
foreach(name nlohmann_json::nlohmann_json glm::glm tl::expected CLI11::CLI11 Catch2::Catch2)
    add_library(${name} INTERFACE IMPORTED GLOBAL)
    target_include_directories(${name} SYSTEM INTERFACE "${libraries}/include")
endforeach()
add_library(animbridge_pugixml STATIC "${libraries}/src/pugixml.cpp")
if(APPLE)  # whose float.h, as zig has it, leaves this one out
    target_compile_definitions(animbridge_pugixml PRIVATE DBL_DIG=__DBL_DIG__)
endif()
add_library(pugixml::static ALIAS animbridge_pugixml)
target_include_directories(animbridge_pugixml SYSTEM PUBLIC "${libraries}/src")

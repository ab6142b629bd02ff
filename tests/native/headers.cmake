# SPDX-License-Identifier: MIT
# Each header compiles alone: a source for each that includes it and nothing else, twice. The public one also as C.
file(GLOB_RECURSE native_headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/native" "${PROJECT_SOURCE_DIR}/native/*.h")
list(TRANSFORM native_headers REPLACE "^include/" "")
set(alone "${CMAKE_CURRENT_BINARY_DIR}/headers")
set(header_sources "")
foreach(header ${native_headers})
    string(MAKE_C_IDENTIFIER "${header}" name)
    file(CONFIGURE OUTPUT "${alone}/${name}.cpp" CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
    list(APPEND header_sources "${alone}/${name}.cpp")
endforeach()
file(CONFIGURE OUTPUT "${alone}/animbridge_c.c"
    CONTENT "#include <animbridge/animbridge.h>\n#include <animbridge/animbridge.h>\nint animbridge_c_alone(void);\nint animbridge_c_alone(void) { return (int)sizeof(ab_error); }\n")
list(APPEND header_sources "${alone}/animbridge_c.c")

find_package(CLI11 REQUIRED)
add_library(headers_alone OBJECT EXCLUDE_FROM_ALL ${header_sources})
set_target_properties(headers_alone PROPERTIES UNITY_BUILD OFF)
target_link_libraries(headers_alone PRIVATE animbridge_core CLI11::CLI11)
test_warnings(headers_alone)
target_compile_options(headers_alone PRIVATE -O0 -g0)

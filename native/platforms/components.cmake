# SPDX-License-Identifier: MIT
# Writes down what is compiled in, for the lists that packages carry: share/doc/animbridge/components.json.

# header_version(OUT FILE PREFIX): the version that a header gives in three macros, such as PREFIX_MAJOR.
function(header_version out file prefix)
    set(version "")
    foreach(part MAJOR MINOR PATCH)
        file(STRINGS "${file}" line REGEX "define[ \t]+${prefix}_${part}[ \t]" LIMIT_COUNT 1)
        string(REGEX MATCH "[ \t]([0-9]+)" found "${line}")
        list(APPEND version "${CMAKE_MATCH_1}")
    endforeach()
    list(JOIN version "." version)
    set(${out} "${version}" PARENT_SCOPE)
endfunction()

if(ANIMBRIDGE_SOURCES)
    set(headers "${ANIMBRIDGE_SOURCES}/include")
    header_version(nlohmann_json_VERSION "${headers}/nlohmann/detail/abi_macros.hpp" NLOHMANN_JSON_VERSION)
    header_version(glm_VERSION "${headers}/glm/detail/setup.hpp" GLM_VERSION)
    header_version(tl-expected_VERSION "${headers}/tl/expected.hpp" TL_EXPECTED_VERSION)
    header_version(CLI11_VERSION "${headers}/CLI/Version.hpp" CLI11_VERSION)
    file(STRINGS "${ANIMBRIDGE_SOURCES}/src/pugixml.hpp" line REGEX "// [0-9]+[.][0-9]+$" LIMIT_COUNT 1)
    string(REGEX MATCH "[0-9]+[.][0-9]+" pugixml_VERSION "${line}")
endif()
set(ufbx_version "")
if(ANIMBRIDGE_UFBX_SOURCES)
    file(STRINGS "${ANIMBRIDGE_UFBX_INCLUDE}/ufbx.h" line REGEX "define UFBX_HEADER_VERSION" LIMIT_COUNT 1)
    string(REGEX REPLACE ".*\\(([0-9]+), ([0-9]+), ([0-9]+)\\).*" "\\1.\\2.\\3" ufbx_version "${line}")
endif()
set(meshoptimizer_version "")
if(ANIMBRIDGE_MESHOPTIMIZER)
    file(STRINGS "${ANIMBRIDGE_MESHOPTIMIZER}/meshoptimizer.h" line REGEX "define MESHOPTIMIZER_VERSION" LIMIT_COUNT 1)
    string(REGEX REPLACE ".*/[*] ([0-9.]+) [*]/.*" "\\1" meshoptimizer_version "${line}")
endif()
set(libstdcxx "")
set(llvm_runtimes "")
set(mingw_w64 "")
if(ANIMBRIDGE_TARGET)
    set(llvm_runtimes "${CMAKE_CXX_COMPILER_VERSION}")
    if(WIN32)
        set(mingw_w64 "${CMAKE_CXX_COMPILER_VERSION}")
    endif()
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(libstdcxx "${CMAKE_CXX_COMPILER_VERSION}")
endif()
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/components.json" "{
  \"nlohmann_json\": \"${nlohmann_json_VERSION}\",
  \"glm\": \"${glm_VERSION}\",
  \"tl_expected\": \"${tl-expected_VERSION}\",
  \"cli11\": \"${CLI11_VERSION}\",
  \"pugixml\": \"${pugixml_VERSION}\",
  \"assimp\": \"${ANIMBRIDGE_SCENE_ASSIMP_VERSION}\",
  \"ufbx\": \"${ufbx_version}\",
  \"meshoptimizer\": \"${meshoptimizer_version}\",
  \"libstdcxx\": \"${libstdcxx}\",
  \"llvm_runtimes\": \"${llvm_runtimes}\",
  \"mingw_w64\": \"${mingw_w64}\"
}
")
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/components.json" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

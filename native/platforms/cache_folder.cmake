# SPDX-License-Identifier: MIT
# animbridge_cache: where scripts/setup puts what it fetches. scripts/lib/common.sh names the same folder.
if(NOT "$ENV{ANIMBRIDGE_CACHE}" STREQUAL "")
    set(animbridge_cache "$ENV{ANIMBRIDGE_CACHE}")
elseif(NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
    set(animbridge_cache "$ENV{XDG_CACHE_HOME}/animbridge")
else()
    set(animbridge_cache "$ENV{HOME}/.cache/animbridge")
endif()

// SPDX-License-Identifier: MIT
#pragma once

// Windows.h without unused parts, and without its macros min and max. Functions are called by the names that
// end in W, so UNICODE does not matter.
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

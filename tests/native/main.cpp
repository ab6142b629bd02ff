// SPDX-License-Identifier: MIT
// Used only with Catch2 version 2, which has no main.
#define CATCH_CONFIG_MAIN
#include "catch.h"

// SPDX-License-Identifier: MIT
// Only where Catch2 brings no main of its own (version 2).
#define CATCH_CONFIG_MAIN
#include "catch.h"

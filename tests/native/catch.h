// SPDX-License-Identifier: MIT
#pragma once

// Catch2 3 (Debian 13) or 2 (Debian 12): the tests use what both have.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

using Catch::Approx;

// SPDX-License-Identifier: MIT
#pragma once

// Catch2 3 (Debian 13) or 2 (Debian 12): the tests use what both have.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
using Catch::Detail::Approx;
#endif

// SPDX-License-Identifier: MIT
#pragma once

#include <animbridge/animbridge.h>

#include <cstring>

#include "catch.h"
#include "library/armature.h"

namespace animbridge::test {

/// Checks that a call fails with this code and a message, and also without an error to fill in.
template <typename Call>
void refused(ab_status status, Call&& call) {
    ab_error error = empty_error();
    CHECK(call(&error) == status);
    CHECK(error.code == status);
    CHECK(std::strlen(error.message) > 3);
    CHECK(error.struct_size == sizeof(error));
    CHECK(call(nullptr) == status);
}

/// Checks that a call fails because the call itself is wrong, whatever the file or the options.
template <typename Call>
void misuse(Call&& call) {
    refused(AB_ERROR_INVALID_ARGUMENT, call);
}

}  // namespace animbridge::test

// SPDX-License-Identifier: MIT
#pragma once

#include <animbridge/animbridge.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "allocations.h"
#include "catch.h"
#include "support.h"

/// Makes each allocation of a call fail in turn.
namespace animbridge::test {

/// A call that frees what it makes; returns its status.
using Call = std::function<ab_status(ab_error*)>;

struct Tally {
    std::size_t failures = 0;
    std::size_t allocations = 0;
};

/// Runs the call with allocation 0 failing, then 1, and so on, until the call succeeds. Each failure must be
/// reported as out of memory and leak nothing.
inline Tally starve(const char* what, Then then, const Call& call) {
    Tally tally;
    call(nullptr);  // builds permanent tables, so that they do not count as a leak
    for (std::size_t n = 0; n < 1000000; ++n) {
        ab_error error{};
        error.struct_size = sizeof(error);
        ab_status status = AB_OK;
        std::ptrdiff_t live = 0;
        {
            const Allocations starving(n, then);
            status = call(&error);
            live = Allocations::live();
            tally.allocations = Allocations::count();
        }
        if (live != 0) {
            FAIL(what << " leaks " << live << " allocations when number " << n << " fails");
        }
        if (status == AB_OK) {
            return tally;
        }
        if (status != AB_ERROR_OUT_OF_MEMORY || error.code != AB_ERROR_OUT_OF_MEMORY ||
            std::strlen(error.message) == 0) {
            FAIL(what << " gives " << status << " (" << error.message << ") when allocation " << n
                      << " fails");
        }
        ++tally.failures;
    }
    FAIL(what << " never succeeds");
    return tally;
}

/// A call that makes a buffer, a document or curves, and frees them.
template <typename Made>
Call making(void (*free_made)(Made*), std::function<ab_status(Made**, ab_error*)> make) {
    return [free_made, make = std::move(make)](ab_error* error) {
        Made* made = nullptr;
        const ab_status status = make(&made, error);
        free_made(made);
        return status;
    };
}

inline Call buffer(std::function<ab_status(ab_buffer**, ab_error*)> make) {
    return making<ab_buffer>(ab_buffer_free, std::move(make));
}
inline Call document(std::function<ab_status(ab_document**, ab_error*)> make) {
    return making<ab_document>(ab_document_free, std::move(make));
}

/// Work below the C interface, where out of memory is std::bad_alloc.
inline Call core(std::function<bool()> work) {
    return [work = std::move(work)](ab_error* error) -> ab_status {
        try {
            return work() ? AB_OK : AB_ERROR_INTERNAL;
        } catch (const std::bad_alloc&) {
            error->code = AB_ERROR_OUT_OF_MEMORY;
            std::strcpy(error->message, "out of memory");
            return AB_ERROR_OUT_OF_MEMORY;
        }
    };
}

using Calls = std::vector<std::pair<const char*, Call>>;

inline void starve_all(const Calls& calls, Then then) {
    for (const auto& [what, call] : calls) {
        INFO(what);
        const Tally tally = starve(what, then, call);
        CHECK(tally.failures > 0);
    }
}

/// A small file with one of everything: two joints, constraints, a name that is not UTF-8, findings.
inline std::vector<std::uint8_t> small_file() { return fixture("constraint_chain_1.anim"); }

}  // namespace animbridge::test

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "animbridge/animbridge.h"
#include "base/base.h"
#include "base/json/json.h"
#include "model/format/format.h"
#include "rig/armature/armature.h"
#include "rig/curves/curves.h"

/// What the functions of the C interface share: the opaque types of animbridge.h, `guarded`, through which
/// every call enters, and what comes from callers and goes to them. Handles own what they hold; arrays are
/// the caller's.

struct ab_buffer {
    std::variant<animbridge::Bytes, std::string> content;  ///< a file or text, moved in without a copy
};

struct ab_document {
    animbridge::DocumentPtr document;
    std::string name;  ///< the caller's name for the input
};

struct ab_curves {
    animbridge::rig::curves::CurvesFromClip result;
    std::string report;                       ///< JSON
    std::vector<std::size_t> channel_ends{};  ///< per channel: the number of F-curves up to its end
};

namespace animbridge::api {

// ---- the way in ----

/// Fills the caller's error object, up to the size of the caller's version.
void set_error(ab_error* out, const Error& error) noexcept;
void set_error(ab_error* out, ErrorCode code, const char* message) noexcept;

/// Runs the body of an entry point, which returns Result<void>, and returns a status. Lets no exception out.
template <typename Body>
ab_status guarded(ab_error* error, Body&& body) noexcept {
    try {
        Result<void> result = std::forward<Body>(body)();
        if (result) {
            return AB_OK;
        }
        set_error(error, result.error());
        return static_cast<ab_status>(result.error().code);
    } catch (const std::bad_alloc&) {
        set_error(error, ErrorCode::out_of_memory, "out of memory");
        return AB_ERROR_OUT_OF_MEMORY;
    } catch (const std::exception& problem) {
        set_error(error, ErrorCode::internal, problem.what());
    } catch (...) {
        set_error(error, ErrorCode::internal, "unknown failure");
    }
    return AB_ERROR_INTERNAL;
}

[[nodiscard]] inline tl::unexpected<Error> misuse(std::string reason) {
    return fail(ErrorCode::invalid_argument, std::move(reason));
}

/// `names`: those of the pointers, as in "document or out". Misuse if one of them is NULL.
template <typename... Pointers>
[[nodiscard]] Result<void> require(const char* names, Pointers... pointers) {
    return (... && (pointers != nullptr)) ? Result<void>() : misuse(std::string(names) + " is NULL");
}

[[nodiscard]] inline std::optional<std::string_view> text_or_none(const char* text) {
    return text == nullptr ? std::nullopt : std::optional<std::string_view>(text);
}

/// Copies a caller's struct, which may be older (shorter) or newer (longer) than this library's; missing
/// members keep their defaults. An error if it is NULL or its size is not set.
template <typename Struct>
[[nodiscard]] Result<Struct> take_struct(const Struct* given, const Struct& defaults, const char* name) {
    if (given == nullptr) {
        return misuse(std::string(name) + " is NULL");
    }
    if (given->struct_size < sizeof(given->struct_size)) {
        return misuse(std::string(name) + ".struct_size is not set");
    }
    Struct taken = defaults;
    std::memcpy(&taken, given, std::min<std::size_t>(given->struct_size, sizeof(Struct)));
    return taken;
}

/// The caller's progress callback as a Job; `given` can be NULL.
[[nodiscard]] Result<Job> take_job(const ab_job* given);

// ---- what callers get ----

/// Makes a buffer of text or JSON for the caller.
[[nodiscard]] ab_buffer* new_buffer(std::string text);
[[nodiscard]] ab_buffer* new_json_buffer(const Json& json);

[[nodiscard]] ab_document* new_document(DocumentPtr document, std::string name);

/// Gives a report to the caller, if `out` is not NULL, after `give_rest` has given the other results. If
/// memory runs out, the caller gets none of them.
template <typename GiveRest>
void give_report(const Json& report, ab_buffer** out, GiveRest&& give_rest) {
    std::unique_ptr<ab_buffer> buffer(out == nullptr ? nullptr : new_json_buffer(report));
    std::forward<GiveRest>(give_rest)();
    if (out != nullptr) {
        *out = buffer.release();
    }
}

/// For map_error: makes an error one about the document's input. The document may be NULL.
[[nodiscard]] inline auto about(const ab_document* document) {
    return [document](Error error) {
        return document == nullptr ? std::move(error) : in_file(std::move(error), document->name);
    };
}

/// Gives the curves and their report to the caller. ErrorCode::bad_value if a key exceeds the range of
/// floats, which a very high frame rate or scale can cause.
[[nodiscard]] Result<void> give_curves(rig::curves::CurvesFromClip made, std::string report, ab_curves** out);

// ---- what callers give ----

/// Checks and copies a caller's armature.
[[nodiscard]] Result<rig::armature::SceneRig> take_armature(const ab_armature* pointer);

/// take_armature, but nullopt for NULL, which means an object.
[[nodiscard]] Result<std::optional<rig::armature::SceneRig>> take_armature_or_object(
    const ab_armature* pointer);

/// A caller's curves: the changed ones, and the channels that are unchanged.
struct TakenCurves {
    std::vector<rig::curves::CurveView> views;
    std::vector<rig::curves::UnchangedCurve> unchanged;
};

/// Checks a caller's curves. The views refer to the caller's arrays. `armature`: nullptr for an object, whose
/// curves have bone -1.
[[nodiscard]] Result<TakenCurves> take_curves(const ab_curve* curves, std::size_t count,
                                              const rig::armature::Armature* armature);

/// Checks a caller's samples. The view refers to the caller's arrays. `armature`: nullptr for an object; then
/// only its own matrices are read.
[[nodiscard]] Result<rig::curves::SampleView> take_samples(const ab_samples* pointer,
                                                           const rig::armature::Armature* armature);

[[nodiscard]] Result<rig::curves::Timing> take_timing(const ab_timing* pointer);

}  // namespace animbridge::api

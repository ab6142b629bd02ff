// SPDX-License-Identifier: MIT
#pragma once

#include <animbridge/animbridge.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "fuzz_scene.h"
#include "fuzz_source.h"
#include "invariants.h"

/// Sequences of calls of the C interface on a few handles, chosen by a fuzzer's bytes.
namespace animbridge::test {

/// An out-parameter that starts as NULL; a failed call must not change it.
template <typename Handle>
class Out {
public:
    [[nodiscard]] Handle** place() { return &value_; }

    /// Takes the result of a call with this status.
    [[nodiscard]] std::unique_ptr<Handle, FreeHandle> taken(ab_status status) const {
        if (status == AB_OK) {
            require(value_ != untouched() && value_ != nullptr, "a call succeeds and gives nothing");
            return std::unique_ptr<Handle, FreeHandle>(value_);
        }
        require(value_ == untouched(), "a call fails and touches its out-parameter");
        return nullptr;
    }

private:
    static Handle* untouched() {
        alignas(16) static char mark = 0;
        return reinterpret_cast<Handle*>(&mark);
    }
    Handle* value_ = untouched();
};

/// Makes a call with an ab_error. An error must have a code that an argument or a file can cause, and a
/// message.
template <typename Call>
ab_status made(Call&& call) {
    ab_error error{};
    error.struct_size = sizeof(error);
    const ab_status status = call(&error);
    if (status == AB_OK) {
        return status;
    }
    require(status < AB_OK && status > AB_ERROR_OUT_OF_MEMORY,
            "status " + std::to_string(status) + ": " + error.message);
    require(error.code == status && error.struct_size == sizeof(error), "an error of another code");
    require(error.message[0] != '\0' && is_utf8(error.message) && is_utf8(error.field),
            "a failure without its reason");
    require(error.byte_offset >= -1 && error.line >= -1, "a failure nowhere");
    return status;
}

[[nodiscard]] inline ByteView bytes_in(const BufferHandle& buffer) {
    return {ab_buffer_data(buffer.get()), ab_buffer_size(buffer.get())};
}
[[nodiscard]] inline std::string text_in(const BufferHandle& buffer) {
    return std::string(text_of(bytes_in(buffer)));
}
/// Parses JSON that the library returned.
[[nodiscard]] Json json_in(const BufferHandle& buffer);

/// Checks a document from a call: it can be written, and has a format.
[[nodiscard]] Bytes written_by(const ab_document* document);
[[nodiscard]] std::string json_of(const ab_document* document);
/// Reads a file that must be of this format.
[[nodiscard]] DocumentHandle read_again(ByteView bytes, const char* format);

/// The handles of a sequence. Arguments are often wrong: a document of another format, or NULL.
class Calls {
public:
    explicit Calls(Source& source)
        : source_(source), armature_(std::in_place, source), timing_(take_timing(source)) {}
    /// Makes a few calls, as many as the bytes allow.
    void run();

private:
    void call_one();

    // Documents: fuzz_calls_documents.cpp.
    void read();
    void write();
    void tell();
    void compare();
    void edit();
    void fix();
    void convert_file();

    // Curves and poses: fuzz_calls_motion.cpp.
    void pose();
    void reduce();
    void predict_upload();
    void match_rig();
    void import_curves();
    void export_curves();
    void export_samples();
    void export_untouched();
    void retarget();

    // BVH and OBAN: fuzz_calls_formats.cpp.
    void tell_bvh_skeleton();
    void export_bvh();
    void take_from_level();
    void replace_in_level();
    void export_oban();

    /// A document, or NULL.
    [[nodiscard]] const ab_document* document();
    /// Usually NULL, else like document().
    [[nodiscard]] const ab_document* rare_document();
    void keep(DocumentHandle document);
    /// Curves for an export, from an import or from the input.
    [[nodiscard]] std::vector<ab_curve> curves();
    [[nodiscard]] const ab_armature* armature();
    [[nodiscard]] const ab_timing* timing();
    /// Sometimes NULL, where NULL is wrong.
    template <typename Pointer>
    [[nodiscard]] Pointer or_null(Pointer pointer) {
        return source_.one_in(64) ? nullptr : pointer;
    }

    Source& source_;
    std::optional<FuzzArmature> armature_;
    ab_timing timing_;
    std::vector<DocumentHandle> documents_{};
    std::vector<CurvesHandle> imports_{};
    std::optional<FuzzCurves> own_curves_{};
    Bytes file_{};  ///< the last written one
};

/// A JSON object of up to three of the members, each with one of its values; or text that is not an object.
struct JsonMember {
    const char* name;
    std::initializer_list<const char*> values;
};
[[nodiscard]] std::string take_object(Source& source, std::initializer_list<JsonMember> members);

/// A file of any format to start with, whole or with a few changed bytes; or random bytes.
[[nodiscard]] Bytes take_file(Source& source);

}  // namespace animbridge::test

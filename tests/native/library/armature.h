// SPDX-License-Identifier: MIT
#pragma once

#include <animbridge/animbridge.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// Handles that free themselves, and an armature, through the C interface alone.
namespace animbridge::test {

struct Free {
    void operator()(ab_document* document) const { ab_document_free(document); }
    void operator()(ab_buffer* buffer) const { ab_buffer_free(buffer); }
    void operator()(ab_curves* curves) const { ab_curves_free(curves); }
};
using DocumentHandle = std::unique_ptr<ab_document, Free>;
using BufferHandle = std::unique_ptr<ab_buffer, Free>;
using CurvesHandle = std::unique_ptr<ab_curves, Free>;

[[nodiscard]] DocumentHandle read_document(const std::vector<std::uint8_t>& bytes);
[[nodiscard]] std::string text_of(const ab_buffer* buffer);
[[nodiscard]] std::vector<std::uint8_t> bytes_of(const ab_document* document);
[[nodiscard]] ab_error empty_error();

/// A chain of bones above each other, each the child of the one before, with these names and the rest axes of
/// the avatar's joints.
class TestArmature {
public:
    explicit TestArmature(const std::vector<std::string>& names);
    [[nodiscard]] ab_armature view() const;

private:
    std::string names_;
    std::vector<std::int32_t> parents_;
    std::vector<float> matrices_;
};

inline constexpr ab_timing usual_timing{sizeof(ab_timing), 0, 30.0, 1.0};

/// All curves of an import, as arguments of an export.
[[nodiscard]] std::vector<ab_curve> all_curves(const ab_curves* curves);

}  // namespace animbridge::test

// SPDX-License-Identifier: MIT
// Any numbers as an armature and its F-curves: an error, or a document that everything else can work with.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "animbridge/animbridge.h"
#include "invariants.h"

namespace {

/// Takes values off the front of the input; zeros once it is used up.
class Input {
public:
    Input(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

    template <typename T>
    T take() {
        T value{};
        const std::size_t count = std::min(sizeof(T), size_);
        std::memcpy(&value, data_, count);
        data_ += count;
        size_ -= count;
        return value;
    }
    [[nodiscard]] bool empty() const { return size_ == 0; }

private:
    const std::uint8_t* data_;
    std::size_t size_;
};

/// Keeps a curve's arrays alive behind its pointers.
struct OwnedCurve {
    std::vector<float> co;
    std::vector<float> left;
    std::vector<float> right;
    std::vector<std::uint8_t> interpolation;
    std::vector<std::uint8_t> inserted;
    ab_curve curve{};
};

OwnedCurve take_curve(Input& input) {
    OwnedCurve owned;
    owned.curve.struct_size = sizeof(ab_curve);
    owned.curve.bone = input.take<std::int8_t>();
    owned.curve.channel = input.take<std::int8_t>();
    owned.curve.component = input.take<std::int8_t>();
    owned.curve.unchanged = input.take<std::uint8_t>() % 8 == 0 ? 1 : 0;
    owned.curve.key_count = input.take<std::uint8_t>() % 16U;
    for (std::uint32_t i = 0; i < 2 * owned.curve.key_count; ++i) {
        owned.co.push_back(input.take<float>());
        owned.left.push_back(input.take<float>());
        owned.right.push_back(input.take<float>());
        owned.interpolation.push_back(input.take<std::uint8_t>() % 4U);
        owned.inserted.push_back(input.take<std::uint8_t>() % 2U);
    }
    return owned;
}

std::array<float, 32> take_rest(Input& input) {
    std::array<float, 32> matrices{};
    for (std::size_t i = 0; i < matrices.size(); ++i) {
        matrices.at(i) = i % 5 == 0 ? 1.0F : 0.0F;
    }
    if (input.take<std::uint8_t>() % 2U == 1U) {
        std::generate(matrices.begin(), matrices.end(), [&] { return input.take<float>(); });
    }
    return matrices;
}

void check_result(ab_document* document) {
    ab_buffer* bytes = nullptr;
    if (ab_document_write(document, &bytes, nullptr) != AB_OK) {
        throw std::logic_error("a document that was made cannot be written");
    }
    const animbridge::ByteView written(ab_buffer_data(bytes), ab_buffer_size(bytes));
    if (!animbridge::test::check_bytes(written, animbridge::test::Effort::full)) {
        throw std::logic_error("a document that was written cannot be read");
    }
    ab_buffer_free(bytes);
    ab_document_free(document);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    static constexpr std::array<char, 15> names = {"mPelvis\0mTorso"};
    const std::array<std::int32_t, 2> parents = {-1, 0};
    const std::array<float, 32> rest = take_rest(input);
    const std::array<std::uint8_t, 2> flags = {input.take<std::uint8_t>(), input.take<std::uint8_t>()};
    const ab_armature armature{sizeof(ab_armature), 2,           names.data(), names.size(),
                               parents.data(),      rest.data(), flags.data(), input.take<std::int8_t>()};
    // Frames stay few: how long a long animation takes is no finding.
    const ab_timing timing{sizeof(ab_timing), 0, 1.0 + input.take<std::uint8_t>(), input.take<float>()};
    ab_sl_export options{};
    options.struct_size = sizeof(options);
    options.encoder = input.take<std::int8_t>();
    options.frame_end = timing.frame_start + input.take<std::uint8_t>();
    std::vector<OwnedCurve> owned;
    while (!input.empty() && owned.size() < 16) {
        owned.push_back(take_curve(input));
    }
    std::vector<ab_curve> curves;
    for (OwnedCurve& one : owned) {
        one.curve.co = one.co.data();
        one.curve.handle_left = one.left.data();
        one.curve.handle_right = one.right.data();
        one.curve.interpolation = one.interpolation.data();
        one.curve.inserted = one.inserted.data();
        curves.push_back(one.curve);
    }
    ab_document* document = nullptr;
    if (ab_sl_document_from_curves(&armature, &timing, curves.data(), curves.size(), &options, nullptr,
                                   &document, nullptr, nullptr) == AB_OK) {
        check_result(document);
    }
    return 0;
}

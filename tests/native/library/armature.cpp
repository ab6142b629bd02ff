// SPDX-License-Identifier: MIT
#include "library/armature.h"

#include <stdexcept>

namespace animbridge::test {

DocumentHandle read_document(const std::vector<std::uint8_t>& bytes) {
    ab_document* document = nullptr;
    ab_error error = empty_error();
    if (ab_document_read(bytes.data(), bytes.size(), nullptr, nullptr, nullptr, &document, &error) != AB_OK) {
        throw std::runtime_error(error.message);
    }
    return DocumentHandle(document);
}

std::string text_of(const ab_buffer* buffer) {
    return {reinterpret_cast<const char*>(ab_buffer_data(buffer)), ab_buffer_size(buffer)};
}

std::vector<std::uint8_t> bytes_of(const ab_document* document) {
    ab_buffer* buffer = nullptr;
    if (ab_document_write(document, nullptr, &buffer, nullptr) != AB_OK) {
        throw std::runtime_error("ab_document_write fails");
    }
    const BufferHandle owner(buffer);
    return {ab_buffer_data(buffer), ab_buffer_data(buffer) + ab_buffer_size(buffer)};
}

ab_error empty_error() {
    ab_error error{};
    error.struct_size = sizeof(error);
    return error;
}

TestArmature::TestArmature(const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        names_ += names[i] + '\0';
        parents_.push_back(static_cast<std::int32_t>(i) - 1);
        matrices_.insert(matrices_.end(),
                         {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1.0F + 0.1F * static_cast<float>(i), 1});
    }
}

ab_armature TestArmature::view() const {
    ab_armature armature{};
    armature.struct_size = sizeof(armature);
    armature.bone_count = static_cast<std::uint32_t>(parents_.size());
    armature.names = names_.data();
    armature.names_size = names_.size();
    armature.parents = parents_.data();
    armature.rest_matrices = matrices_.data();
    armature.facing = AB_FACING_X;
    return armature;
}

std::vector<ab_curve> all_curves(const ab_curves* curves) {
    std::vector<ab_curve> all(ab_curves_count(curves));
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].struct_size = sizeof(ab_curve);
        if (ab_curves_get(curves, i, &all[i], nullptr) != AB_OK) {
            throw std::runtime_error("ab_curves_get fails");
        }
    }
    return all;
}

}  // namespace animbridge::test

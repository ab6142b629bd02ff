// SPDX-License-Identifier: MIT
#include <animbridge/animbridge.h>

#include <iostream>
#include <memory>
#include <string_view>

int main(int argc, char** argv) {
    ab_error error{sizeof(ab_error)};
    ab_document* raw = nullptr;
    if (argc != 2 || ab_document_read_file(argv[1], nullptr, nullptr, &raw, &error) != AB_OK) {
        std::cerr << error.message << "\n";
        return 1;
    }
    const std::unique_ptr<ab_document, decltype(&ab_document_free)> document(raw, ab_document_free);
    std::cout << ab_document_format(document.get()) << ", " << ab_document_joint_count(document.get())
              << " joints\n";
    return 0;
}

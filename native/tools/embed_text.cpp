// SPDX-License-Identifier: MIT
// Build tool: turns a text file into a C++ string, or several into an array of strings.
// Usage: embed_text FILE NAME OUTPUT.inc
//        embed_text --all NAME OUTPUT.inc FILE...
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

/// The file's text as a raw string literal.
std::string literal_of(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file || text.str().find(")embedded") != std::string::npos) {
        throw std::runtime_error("cannot embed " + path);
    }
    return "R\"embedded(" + text.str() + ")embedded\"";
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const bool all = argc > 4 && std::string_view(argv[1]) == "--all";
        if (!all && argc != 4) {
            throw std::runtime_error(
                "usage: embed_text FILE NAME OUTPUT.inc, or --all NAME OUTPUT.inc FILE...");
        }
        std::ofstream out(argv[3]);
        if (!all) {
            out << "constexpr std::string_view " << argv[2] << " = " << literal_of(argv[1]) << ";\n";
            return 0;
        }
        out << "constexpr std::array<std::string_view, " << argc - 4 << "> " << argv[2] << " = {\n";
        for (int i = 4; i < argc; ++i) {
            out << literal_of(argv[i]) << ",\n";
        }
        out << "};\n";
        return 0;
    } catch (const std::exception& problem) {
        std::cerr << "embed_text: " << problem.what() << "\n";
        return 1;
    }
}

// SPDX-License-Identifier: MIT
// Build tool: turns a text file into a C++ string.
// Usage: embed_text FILE NAME OUTPUT.inc
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

int main(int argc, char** argv) {
    try {
        if (argc != 4) {
            throw std::runtime_error("usage: embed_text FILE NAME OUTPUT.inc");
        }
        std::ifstream file(argv[1]);
        std::ostringstream text;
        text << file.rdbuf();
        if (!file || text.str().find(")embedded") != std::string::npos) {
            throw std::runtime_error(std::string("cannot embed ") + argv[1]);
        }
        std::ofstream(argv[3]) << "constexpr std::string_view " << argv[2] << " = R\"embedded(" << text.str()
                               << ")embedded\";\n";
        return 0;
    } catch (const std::exception& problem) {
        std::cerr << "embed_text: " << problem.what() << "\n";
        return 1;
    }
}

// SPDX-License-Identifier: MIT
#include "support.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <system_error>

namespace animbridge::test {

namespace fs = std::filesystem;

// Only here, so that the other sources compile to the same objects wherever the checkout is.
fs::path fixtures_root() { return ANIMBRIDGE_CHECKOUT "/fixtures"; }
fs::path fuzz_root() { return ANIMBRIDGE_CHECKOUT "/tests/fuzz"; }
fs::path rigs_root() { return ANIMBRIDGE_CHECKOUT "/native/rig/data/rigs"; }

FileBytes load(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw std::runtime_error("no file " + path.string());
    }
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void save(const fs::path& path, const FileBytes& bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) {
        throw std::runtime_error("cannot write " + path.string());
    }
}

fs::path fixture_folder() { return fixtures_root() / "sl_anim"; }

FileBytes fixture(const std::string& file) { return load(fixture_folder() / file); }

FileBytes Fixture::bytes() const { return fixture(file); }

const std::vector<Fixture>& fixtures() {
    static const std::vector<Fixture> rows = [] {
        const FileBytes text = fixture("manifest.json");
        std::vector<Fixture> read;
        for (const auto& row : nlohmann::json::parse(std::string(text.begin(), text.end()))) {
            Fixture& one = read.emplace_back(Fixture{row.at("file"), row.at("read") == "ok"});
            if (!one.readable) {
                one.error_field = row.at("error_field");
                one.error_offset = row.at("error_offset");
            }
            for (const auto& [level, ids] : row.at("findings").items()) {
                one.findings[level] = ids.get<std::set<std::string>>();
            }
        }
        return read;
    }();
    return rows;
}

ScratchFolder::ScratchFolder() {
    std::random_device random;
    do {  // until the name is unused
        path_ = fs::temp_directory_path() / ("animbridge-test." + std::to_string(random()));
    } while (!fs::create_directory(path_));
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

std::set<std::string> ScratchFolder::names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(path_)) {
        found.insert(entry.path().filename().string());
    }
    return found;
}

}  // namespace animbridge::test

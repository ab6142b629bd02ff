// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

/// Shared by several tests: fixtures, files, scratch folders.
namespace animbridge::test {

using FileBytes = std::vector<std::uint8_t>;

/// Folders of the checkout: fixtures/, tests/fuzz/ and native/rig/data/rigs/.
[[nodiscard]] std::filesystem::path fixtures_root();
[[nodiscard]] std::filesystem::path fuzz_root();
[[nodiscard]] std::filesystem::path rigs_root();

/// The whole file; throws if it does not exist.
[[nodiscard]] FileBytes load(const std::filesystem::path& path);
void save(const std::filesystem::path& path, const FileBytes& bytes);

/// A row of fixtures/sl_anim/manifest.json: the specification's facts about the file.
struct Fixture {
    std::string file;
    bool readable = false;
    std::string error_field{};
    std::int64_t error_offset = -1;
    std::map<std::string, std::set<std::string>> findings{};  ///< per level: the ids of the findings

    [[nodiscard]] FileBytes bytes() const;
};

[[nodiscard]] const std::vector<Fixture>& fixtures();
[[nodiscard]] std::filesystem::path fixture_folder();

/// The bytes of a fixture by its file name.
[[nodiscard]] FileBytes fixture(const std::string& file);

/// A new folder that is removed at the end of the scope.
class ScratchFolder {
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ScratchFolder(ScratchFolder&&) = delete;
    ScratchFolder& operator=(ScratchFolder&&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::set<std::string> names() const;

private:
    std::filesystem::path path_;
};

}  // namespace animbridge::test

// SPDX-License-Identifier: MIT
// Files on Windows: names of all languages, long paths, files that others hold, read-only ones.
#include <windows.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "base/files/files.h"
#include "catch.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

std::string text_of_utf8(const std::filesystem::path& path) {
    const std::u8string text = path.u8string();
    return {text.begin(), text.end()};
}

/// Until it is destroyed, prevents others from writing.
class HeldFile {
public:
    explicit HeldFile(const std::filesystem::path& path)
        : handle_(::CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ, nullptr, OPEN_EXISTING, 0,
                                nullptr)) {
        REQUIRE(handle_ != INVALID_HANDLE_VALUE);
    }
    ~HeldFile() { ::CloseHandle(handle_); }
    HeldFile(const HeldFile&) = delete;
    HeldFile& operator=(const HeldFile&) = delete;
    HeldFile(HeldFile&&) = delete;
    HeldFile& operator=(HeldFile&&) = delete;

private:
    HANDLE handle_;
};

}  // namespace

TEST_CASE("names of all languages are read and written", "[files-windows]") {
    const ScratchFolder scratch;
    for (const wchar_t* const name : {L"l\u00E4uft.anim", L"\u6B69\u304F.anim", L"\U0001F483.anim"}) {
        const auto path = scratch.path() / name;
        REQUIRE(write_file(text_of_utf8(path), FileBytes{1, 2}).has_value());
        CHECK(load(path) == FileBytes{1, 2});
        CHECK(read_file(text_of_utf8(path)).value() == FileBytes{1, 2});
    }
}

TEST_CASE("paths may be longer than 260 characters", "[files-windows]") {
    const ScratchFolder scratch;
    std::filesystem::path folder = scratch.path();
    for (int i = 0; i < 6; ++i) {
        folder /= std::string(60, static_cast<char>('a' + i));
        std::filesystem::create_directory(L"\\\\?\\" + std::filesystem::absolute(folder).wstring());
    }
    const std::string path = text_of_utf8(folder / "walk.anim");
    REQUIRE(path.size() > 360);
    REQUIRE(write_file(path, FileBytes{3}).has_value());
    CHECK(read_file(path).value() == FileBytes{3});
}

TEST_CASE("a file that somebody else holds is written as soon as it is free", "[files-windows]") {
    const ScratchFolder scratch;
    const auto path = scratch.path() / "held.anim";
    save(path, {'o', 'l', 'd'});
    auto held = std::make_unique<HeldFile>(path);
    std::thread lets_go([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        held.reset();
    });
    const auto written = write_file(text_of_utf8(path), FileBytes{4});
    lets_go.join();
    INFO((written ? std::string() : written.error().message()));
    CHECK(written.has_value());
    CHECK(load(path) == FileBytes{4});
    CHECK(scratch.names() == std::set<std::string>{"held.anim"});
}

TEST_CASE("a read-only file stays, and the error says why", "[files-windows]") {
    const ScratchFolder scratch;
    const auto path = scratch.path() / "fixed.anim";
    save(path, {'o', 'l', 'd'});
    REQUIRE(::SetFileAttributesW(path.c_str(), FILE_ATTRIBUTE_READONLY) != 0);
    const auto written = write_file(text_of_utf8(path), FileBytes{5});
    REQUIRE_FALSE(written.has_value());
    CHECK(written.error().reason.find("read-only") != std::string::npos);
    REQUIRE(::SetFileAttributesW(path.c_str(), FILE_ATTRIBUTE_NORMAL) != 0);
    CHECK(load(path) == FileBytes{'o', 'l', 'd'});
    CHECK(scratch.names() == std::set<std::string>{"fixed.anim"});
}

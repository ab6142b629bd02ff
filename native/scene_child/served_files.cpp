// SPDX-License-Identifier: MIT
#include "scene_child/served_files.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <memory>
#include <system_error>
#include <utility>

namespace animbridge::scene_child {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_missing_names = 100;

/// A file in memory. It owns its bytes, or looks at those of the scene.
class MemoryStream : public Assimp::IOStream {
public:
    explicit MemoryStream(ByteView bytes) : bytes_(bytes) {}
    explicit MemoryStream(Bytes bytes) : own_(std::move(bytes)), bytes_(own_) {}

    std::size_t Read(void* buffer, std::size_t size, std::size_t count) override {
        if (size == 0) {
            return 0;
        }
        const std::size_t whole = std::min(count, (bytes_.size() - at_) / size);
        if (whole > 0) {
            std::memcpy(buffer, bytes_.data() + at_, whole * size);
        }
        at_ += whole * size;
        return whole;
    }
    std::size_t Write(const void*, std::size_t, std::size_t) override { return 0; }
    aiReturn Seek(std::size_t offset, aiOrigin origin) override {
        std::size_t target = offset;
        if (origin == aiOrigin_CUR) {
            target = at_ + offset;  // wraps for the "negative" offsets that callers pass
        } else if (origin == aiOrigin_END) {
            target = bytes_.size() - offset;
        }
        if (target > bytes_.size()) {
            return aiReturn_FAILURE;
        }
        at_ = target;
        return aiReturn_SUCCESS;
    }
    [[nodiscard]] std::size_t Tell() const override { return at_; }
    [[nodiscard]] std::size_t FileSize() const override { return bytes_.size(); }
    void Flush() override {}

private:
    Bytes own_;
    ByteView bytes_;
    std::size_t at_ = 0;
};

/// The name with slashes, and without a "./" at its front. Assimp puts a slash in front of a side file's name
/// where the scene's own name has no folder.
std::string with_slashes(std::string_view path) {
    std::string result(path);
    std::ranges::replace(result, '\\', '/');
    while (result.starts_with("./")) {
        result.erase(0, 2);
    }
    if (result.starts_with('/') && result.find('/', 1) == std::string::npos) {
        result.erase(0, 1);
    }
    return result;
}

bool is_inside(const fs::path& file, const fs::path& folder) {
    return std::ranges::mismatch(folder, file).in1 == folder.end();
}

}  // namespace

ServedFiles::ServedFiles(std::string name, ByteView bytes, const fs::path& folder)
    : name_(std::move(name)), bytes_(bytes) {
    std::error_code fault;
    if (!folder.empty()) {
        folder_ = fs::canonical(folder, fault);
    }
}

bool ServedFiles::is_scene(std::string_view path) const { return with_slashes(path) == name_; }

fs::path ServedFiles::find(std::string_view path) const {
    const std::string wanted = with_slashes(path);
    // A name with a NUL would end earlier for the system than for us; a NUL cannot be in what Assimp passes.
    if (folder_.empty() || wanted.empty() || fs::path(wanted).is_absolute()) {
        return {};
    }
    std::error_code fault;
    fs::path found = fs::canonical(folder_ / wanted, fault);  // follows links, so that none leads outside
    if (fault || !is_inside(found, folder_) || !fs::is_regular_file(found, fault)) {
        return {};
    }
    return found;
}

bool ServedFiles::Exists(const char* path) const { return is_scene(path) || !find(path).empty(); }

Assimp::IOStream* ServedFiles::Open(const char* path, const char* mode) {
    if (std::strchr(mode, 'w') != nullptr || std::strchr(mode, 'a') != nullptr) {
        return nullptr;
    }
    if (is_scene(path)) {
        return std::make_unique<MemoryStream>(bytes_).release();
    }
    std::optional<Bytes> bytes = side_file(path);
    if (!bytes) {
        if (missing_.size() < most_missing_names) {
            missing_.insert(path);
        }
        return nullptr;
    }
    return std::make_unique<MemoryStream>(std::move(*bytes)).release();
}

std::optional<Bytes> ServedFiles::side_file(std::string_view name) const {
    const fs::path found = find(name);
    std::error_code fault;
    const std::uintmax_t size = found.empty() ? 0 : fs::file_size(found, fault);
    std::ifstream file(found, std::ios::binary);
    if (found.empty() || fault || !file) {
        return std::nullopt;
    }
    Bytes bytes(size);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

void ServedFiles::Close(Assimp::IOStream* stream) { const std::unique_ptr<Assimp::IOStream> owned(stream); }

}  // namespace animbridge::scene_child

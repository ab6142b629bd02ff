// SPDX-License-Identifier: MIT
#include "scene_child/served_files.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace animbridge::scene_child {

namespace {

constexpr std::size_t most_missing_names = 100;

/// A file in memory. It owns its bytes, or refers to those of the scene.
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

}  // namespace

ServedFiles::ServedFiles(std::string name, ByteView bytes, const std::string& folder)
    : name_(std::move(name)), bytes_(bytes), side_files_(folder) {}

bool ServedFiles::is_scene(std::string_view path) const { return scene::with_slashes(path) == name_; }

bool ServedFiles::Exists(const char* path) const { return is_scene(path) || side_files_.exists(path); }

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

std::optional<Bytes> ServedFiles::side_file(std::string_view name) const { return side_files_.read(name); }

void ServedFiles::Close(Assimp::IOStream* stream) { const std::unique_ptr<Assimp::IOStream> owned(stream); }

}  // namespace animbridge::scene_child

// SPDX-License-Identifier: MIT
#include "base/folder.h"

#include <algorithm>

#include "base/file_error.h"
#include "base/paths.h"

namespace animbridge {

std::string Folder::place_of(const std::string& name) const { return joined_path(path_, name); }

Result<Folder> Folder::folder(const std::string& below) const {
    Folder reached = *this;
    for (std::size_t at = 0; at < below.size();) {
        const std::size_t end = std::min(below.find_first_of(path_separators, at), below.size());
        const std::string name = below.substr(at, end - at);
        if (name == "..") {
            return io_error(place_of(below), "it leads out of its folder");
        }
        if (!name.empty() && name != ".") {
            TRY(reached, reached.step(name, true));
        }
        at = end + 1;
    }
    return reached;
}

Result<void> Folder::write(const std::string& below, ByteView bytes, NewFile begins) const {
    const std::size_t name = name_begin(below);
    TRY(const Folder folder, this->folder(below.substr(0, name)));
    return folder.write_here(below.substr(name), bytes, begins);
}

void Folder::remove(const std::string& name) const {
    if (const auto inner = step(name, false)) {
        for (const std::string& each : inner->names()) {
            inner->remove(each);
        }
    }
    remove_one(name);
}

}  // namespace animbridge

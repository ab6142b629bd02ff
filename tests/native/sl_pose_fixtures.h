// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json/json.h"
#include "formats/sl_pose/file/file.h"
#include "json_place.h"
#include "support.h"

/// Viewer poses, and their rows in the manifest from the witness.
namespace animbridge::test {

[[nodiscard]] inline FileBytes pose_fixture(const std::string& file) {
    return load(fixture_folder().parent_path() / "sl_pose" / file);
}

[[nodiscard]] inline const Json& pose_rows() {
    static const Json manifest = [] {
        const FileBytes text = pose_fixture("manifest.json");
        return json_of_text(std::string(text.begin(), text.end()));
    }();
    return manifest["files"];
}

[[nodiscard]] inline sl_pose::file::Document pose_document(const std::string& file) {
    return sl_pose::file::read(pose_fixture(file)).value();
}

}  // namespace animbridge::test

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/json/json.h"
#include "formats/mrtk/file/file.h"
#include "json_place.h"
#include "support.h"

/// MRTK fixtures, and their rows in the manifest from the witness.
namespace animbridge::test {

[[nodiscard]] inline std::filesystem::path mrtk_folder() { return fixture_folder().parent_path() / "mrtk"; }

[[nodiscard]] inline FileBytes mrtk_fixture(const std::string& file) { return load(mrtk_folder() / file); }

[[nodiscard]] inline const Json& mrtk_manifest() {
    static const Json manifest = [] {
        const FileBytes text = load(mrtk_folder() / "manifest.json");
        return json_of_text({reinterpret_cast<const char*>(text.data()), text.size()});
    }();
    return manifest;
}

[[nodiscard]] inline const Json& mrtk_rows() { return mrtk_manifest()["files"]; }

/// The document of a fixture that lenient reading accepts.
[[nodiscard]] inline mrtk::file::Document mrtk_document(const std::string& file) {
    return mrtk::file::read(mrtk_fixture(file), Reading::lenient).value();
}

}  // namespace animbridge::test

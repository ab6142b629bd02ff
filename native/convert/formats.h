// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/job.h"
#include "base/json.h"
#include "base/reading.h"
#include "model/clip.h"
#include "model/finding.h"

namespace animbridge {

struct Format;
class AnyDocument;

/// A document made for a file's name, and what there is to tell of it.
struct NamedDocument {
    std::unique_ptr<AnyDocument> document;  ///< null: as it is
    Json report = Json::object();
};

/// A document of any format. Immutable.
class AnyDocument {
public:
    AnyDocument() = default;
    virtual ~AnyDocument() = default;
    AnyDocument(const AnyDocument&) = delete;
    AnyDocument& operator=(const AnyDocument&) = delete;
    AnyDocument(AnyDocument&&) = delete;
    AnyDocument& operator=(AnyDocument&&) = delete;

    [[nodiscard]] virtual const Format& format() const = 0;
    [[nodiscard]] virtual Bytes write() const = 0;
    [[nodiscard]] virtual Json to_json() const = 0;
    [[nodiscard]] virtual Json info() const = 0;
    /// `level` is one of the format's levels; `asset_name` is the file's name, by which some programs judge.
    [[nodiscard]] virtual Result<std::vector<Finding>> check(std::string_view level,
                                                             std::string_view asset_name) const = 0;
    /// Plays both and measures; `other` must be of the same format.
    [[nodiscard]] virtual Result<Json> compare(const AnyDocument& other, const Job& job) const = 0;
    /// The player's poses at times in seconds since the start.
    [[nodiscard]] virtual Result<Json> pose(std::span<const double> times_seconds,
                                            std::optional<double> stop_seconds) const = 0;
    /// What the target program would make of the file by storing it; fails where the format knows no such
    /// thing.
    [[nodiscard]] virtual Result<std::unique_ptr<AnyDocument>> as_stored() const = 0;
    /// What goes into a file of this name, where a format has several containers and the extension tells them
    /// apart.
    [[nodiscard]] virtual Result<NamedDocument> as_file_named(std::string_view /*path*/) const {
        return NamedDocument{};
    }
    /// A copy with other header values, as ab_document_edit describes them.
    [[nodiscard]] virtual Result<std::unique_ptr<AnyDocument>> edited(const Json& edits) const = 0;
};

using DocumentPtr = std::unique_ptr<AnyDocument>;

/// A row of the table of formats.
struct Format {
    std::string_view id;
    std::string_view title;
    std::span<const std::string_view> extensions;  ///< lower case, with the dot
    std::span<const std::string_view> check_levels;
    std::span<const Rule> (*rules)();  ///< what check may find
    bool (*sniff)(ByteView bytes);
    Result<DocumentPtr> (*read)(ByteView bytes, Reading reading);
    Result<DocumentPtr> (*from_json)(const Json& json);
    /// What the name's extension may say, before any content is tried: for files that have no mark of their
    /// own and begin as those of another format do.
    bool (*may_be)(ByteView bytes) = nullptr;
};

/// Every format. Where several take a content it is the last one's: those ask more of it.
[[nodiscard]] std::span<const Format> formats();

[[nodiscard]] const Format* find_format(std::string_view id);

/// The error for a level of check that the format does not have; it names those that there are.
[[nodiscard]] tl::unexpected<Error> unknown_level(const Format& format, std::string_view level);

/// {"formats": [...]} as ab_formats_json describes it.
[[nodiscard]] Json formats_json();

}  // namespace animbridge

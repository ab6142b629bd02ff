// SPDX-License-Identifier: MIT
#include "api/handles.h"
#include "base/text.h"
#include "convert/oban_document.h"
#include "convert/oban_level_document.h"

using namespace animbridge;
using api::guarded;
using api::misuse;

namespace {

Result<const oban::Level*> take_level(const ab_document* document) {
    if (document == nullptr) {
        return misuse("level is NULL");
    }
    const oban::Level* level = as_oban_level(*document->document);
    if (level == nullptr) {
        return misuse("level is no Oni level (.dat)");
    }
    return level;
}

/// The same error, told to be about the level.
tl::unexpected<Error> about_level(const ab_document* level, Error error) {
    return tl::unexpected<Error>(in_file(std::move(error), level->name));
}

std::optional<std::string_view> name_or_none(const char* name) {
    return name == nullptr ? std::nullopt : std::optional<std::string_view>(name);
}

}  // namespace

extern "C" {

ab_status ab_oban_from_level(const ab_document* level, const char* name, ab_document** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        const auto taken = take_level(level);
        if (!taken || out == nullptr) {
            return taken ? misuse("out is NULL") : tl::unexpected<Error>(taken.error());
        }
        const auto index = oban::find_oban(**taken, name_or_none(name));
        auto document = index ? oban::oban_in(**taken, *index) : tl::unexpected<Error>(index.error());
        if (!document) {
            return about_level(level, std::move(document.error()));
        }
        std::string of_what = level->name + ": " + without_controls(document->name);
        *out = api::new_document(make_document(std::move(*document)), std::move(of_what));
        return {};
    });
}

ab_status ab_oban_replace_in_level(const ab_document* level, const char* name, const ab_document* oban,
                                   ab_document** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        const auto taken = take_level(level);
        if (!taken || out == nullptr) {
            return taken ? misuse("out is NULL") : tl::unexpected<Error>(taken.error());
        }
        const oban::Document* document = oban == nullptr ? nullptr : as_oban(*oban->document);
        if (document == nullptr) {
            return misuse("oban is NULL or no OBAN");
        }
        const auto index = oban::find_oban(**taken, name_or_none(name));
        auto file =
            index ? oban::replaced(**taken, *index, document->record) : tl::unexpected<Error>(index.error());
        if (!file) {
            return about_level(level, std::move(file.error()));
        }
        auto again = oban::read_level(std::move(*file));
        if (!again) {
            return about_level(level, std::move(again.error()));
        }
        *out = api::new_document(make_document(std::move(*again)), level->name);
        return {};
    });
}

}  // extern "C"

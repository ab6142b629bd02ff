// SPDX-License-Identifier: MIT
#include "bridges/oban_level_to_oban/bridge.h"

#include <array>
#include <optional>
#include <string>

#include "formats/oban/file/file.h"
#include "formats/oban/level/level.h"

namespace animbridge::oban_level_to_oban {

namespace {

using Name = std::optional<std::string>;

constexpr std::array<OptionRow<Name>, 1> rows = {{
    {{.name = "oban",
      .type = OptionType::text_without_nul,
      .command_name = "--oban",
      .value_name = "NAME",
      .without = "the only one",
      .allowed = "the name of an OBAN in the level",
      .help = "Which OBAN of the level, with or without the tag; '#12' is instance 12"},
     [](Name& name, const Json& value) { name = text_from_json(value, "oban").value(); }},
}};
constexpr auto table = options_of(rows);

std::span<const Option> options() { return table; }

Result<Made> convert(const BridgeInput& input) {
    Name name;
    TRY_VOID(read_options(input.options, rows, name));
    if (!input.document) {
        return fail(input.document.error());
    }
    const oban::level::Level& level = *as_oban_level(**input.document);
    TRY(const auto index, oban::level::find_oban(level, name));
    TRY(auto document, oban::level::oban_in(level, index));
    Json report = {{"oban", json_text(document.name)}, {"instance", level.obans[index].instance}};
    return Made{make_document(std::move(document)), std::move(report)};
}

}  // namespace

constinit const Bridge bridge = {
    .from = "oban_level",
    .to = "oban",
    .way = "from a level (.dat) to an OBAN",
    .convert = convert,
    .options = options,
};

}  // namespace animbridge::oban_level_to_oban

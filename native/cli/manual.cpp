// SPDX-License-Identifier: MIT
#include "cli/manual.h"

#include <algorithm>
#include <memory>
#include <string>

#include "cli/completions.h"
#include "cli/man_page.h"
#include "cli/options.h"
#include "cli/output.h"
#include "formats/registry.h"

namespace animbridge::cli {

namespace {

constexpr std::string_view findings_introduction = R"(# What `animbridge check` may find

Printed by `animbridge manual findings`. If a file breaks a rule in several places, that is one finding, with the number of places.

| class | meaning |
|---|---|
| rejected | the target program refuses the file, or cannot show it |
| altered | the target program changes something |
| risky | the file plays, but probably not as you want |
| advice | good to know |

Levels mean the same for every format. Each contains the one before.

| level | reports |
|---|---|
| playback | what the target program refuses, changes, or shows differently than you want; the default, except for `.anim` |
| upload | also what an upload to Second Life refuses or visibly changes; the default for `.anim` |
| strict | also what is harmless or unusual |
)";

std::string findings_page() {
    std::string page(findings_introduction);
    for (const Format& format : formats()) {
        page += "\n## " + std::string(format.title) + "\n\n";
        const auto all = formats();
        const auto first = std::find_if(all.begin(), all.end(),
                                        [&](const Format& row) { return row.rules == format.rules; });
        if (first->get().id != format.id) {
            page +=
                "The same as for " + std::string(first->get().title) + ", for each animation in the level.\n";
            continue;
        }
        page += "| id | class | level | what happens | what to do |\n|---|---|---|---|---|\n";
        for (const Rule& rule : format.rules()) {
            page += "| `" + std::string(rule.id) + "` | " + std::string(name_of(rule.finding_class)) + " | " +
                    std::string(name_of(rule.level)) + " | " + std::string(rule.effect) + " | " +
                    std::string(rule.advice) + " |\n";
        }
    }
    return page;
}

std::string page_of(const CLI::App& program, const std::string& kind) {
    if (kind == "man") {
        return man_page(program);
    }
    if (kind == "findings") {
        return findings_page();
    }
    return kind == "bash"  ? bash_completion(program)
           : kind == "zsh" ? zsh_completion(program)
                           : fish_completion(program);
}

}  // namespace

void add_manual_command(CLI::App& program) {
    CLI::App* manual = program.add_subcommand(
        "manual", "Print the man page, a shell's completions, or the page of all findings");
    const auto kind = std::make_shared<std::string>();
    takes_choice(manual->add_option("kind", *kind, "What to print"),
                 {"man", "bash", "zsh", "fish", "findings"})
        ->required();
    manual->callback([&program, kind] { print(page_of(program, *kind)); });
}

}  // namespace animbridge::cli

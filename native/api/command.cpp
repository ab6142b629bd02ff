// SPDX-License-Identifier: MIT
#include "api/api.h"

#include "base/files/files.h"
#include "base/options/options.h"
#include "base/system/system.h"
#include "cli/arguments/arguments.h"
#include "cli/commands/commands.h"
#include "cli/run.h"

extern "C" {

int32_t ab_command(const char* const* words, size_t count, const char* options_json) {
    using namespace animbridge;
    try {
        if (words == nullptr && count > 0) {
            cli::arguments::complain("ab_command: words is NULL");
            return cli::arguments::usage;
        }
        const auto limits = options_from(options_json).and_then(read_options_from);
        if (!limits) {
            cli::arguments::complain(limits.error().message());
            return cli::arguments::usage;
        }
        hold_standard_streams();
        return cli::run_command(std::vector<std::string>(words, words + count), *limits);
    } catch (const std::exception&) {  // no memory, not even for a message
        return cli::arguments::failed;
    }
}

void ab_end_with_reader(int32_t descriptor) {
    try {
        animbridge::end_process_with_reader_of(descriptor);
    } catch (const std::exception&) {  // no thread: the process continues
    }
}

}  // extern "C"

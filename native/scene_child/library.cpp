// SPDX-License-Identifier: MIT
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <string_view>

#include "animbridge/scene.h"
#include "base/base.h"
#include "base/files/files.h"
#include "base/system/system.h"
#include "formats/scene_file/file/file.h"
#include "scene_child/formats.h"
#include "scene_child/limits.h"
#include "scene_child/read/read.h"
#include "scene_child/write/write.h"

namespace animbridge::scene_child {

namespace {

struct Call {
    std::string verb;
    Limits limits;
    std::string loader;
    std::string name;
    std::string folder;
    std::string container;
};

Result<std::uint64_t> number_in(std::string_view text, std::string_view option) {
    std::uint64_t value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc() || end != text.data() + text.size()) {
        return fail(ErrorCode::invalid_argument,
                    std::string(option) + " wants a number, and got \"" + std::string(text) + "\"");
    }
    return value;
}

Result<void> take_option(Call& call, std::string_view option, std::string_view value) {
    if (option == "--version") {
        if (value != ANIMBRIDGE_VERSION) {
            return fail(ErrorCode::invalid_argument,
                        "AnimBridge was updated while this program ran, from " + std::string(value) +
                            " to " ANIMBRIDGE_VERSION ". Start this program again, such as Blender");
        }
    } else if (option == "--loader") {
        call.loader = value;
    } else if (option == "--name") {
        call.name = value;
    } else if (option == "--folder") {
        call.folder = value;
    } else if (option == "--container") {
        call.container = value;
    } else if (option == "--memory-mib") {
        TRY(const std::uint64_t mebibytes, number_in(value, option));
        call.limits.memory_bytes = mebibytes << 20U;
    } else if (option == "--cpu-seconds") {
        TRY(call.limits.cpu_seconds, number_in(value, option));
    } else {
        return fail(ErrorCode::invalid_argument,
                    "unknown option " + std::string(option) + " " + std::string(value));
    }
    return {};
}

Result<Call> call_from(std::span<char*> arguments) {
    Call call;
    if (arguments.size() < 2) {
        return fail(ErrorCode::invalid_argument,
                    "this program is started by AnimBridge: read, write, or formats");
    }
    call.verb = arguments[1];
    for (std::size_t i = 2; i < arguments.size(); i += 2) {
        if (i + 1 == arguments.size()) {
            return fail(ErrorCode::invalid_argument, std::string(arguments[i]) + " has no value");
        }
        TRY_VOID(take_option(call, arguments[i], arguments[i + 1]));
    }
    return call;
}

Result<void> write_output(ByteView bytes) {
    const std::string problem = write_to(Stream::output, text_of(bytes));
    return problem.empty() ? Result<void>() : fail(ErrorCode::io, "the result can't be written: " + problem);
}

Result<void> read_verb(const Call& call) {
    TRY(const Bytes file, read_input_stream());
    TRY(const scene_file::file::Document document,
        read::read_scene({file, call.loader, call.name, call.folder}));
    return write_output(scene_file::file::to_wire(document));
}

Result<void> write_verb(const Call& call) {
    TRY(const Bytes wire, read_input_stream());
    TRY(const scene_file::file::Document document, scene_file::file::from_wire(wire));
    TRY(const Bytes file, write::write_scene(document, call.container));
    return write_output(file);
}

Result<void> obey(const Call& call) {
    if (call.verb == "read") {
        return read_verb(call);
    }
    if (call.verb == "write") {
        return write_verb(call);
    }
    if (call.verb == "formats") {
        return write_output(view_of(formats_json()));
    }
    return fail(ErrorCode::invalid_argument, "unknown command \"" + call.verb + "\"");
}

/// If memory runs out, the error says how much there was, and how to allow more.
Result<void> obey_within(const Call& call) {
    Result<void> done;
    try {
        done = obey(call);
    } catch (const std::bad_alloc&) {
        done = fail(ErrorCode::out_of_memory, "there is not enough memory");
    }
    if (!done && done.error().code == ErrorCode::out_of_memory && call.limits.memory_bytes > 0) {
        done.error().reason += "; allowed are " + std::to_string(call.limits.memory_bytes >> 20U) +
                               " MiB (command: --memory-mib; library: memory_mib)";
    }
    return done;
}

Result<void> run(std::span<char*> arguments) {
    TRY(const Call call, call_from(arguments));
    // This program must not use the files and sockets of its parent.
    close_inherited();
    TRY_VOID(keep_to(call.limits));
    constexpr std::size_t usual_bytes = std::size_t{256} << 20U;
    keep_freed_memory(usual_bytes);
    return obey_within(call);
}

}  // namespace

}  // namespace animbridge::scene_child

extern "C" int ab_scene_main(int count, char** arguments) {
    using namespace animbridge;
    namespace contract = scene_file::file::contract;
    std::string why;
    try {
        const Result<void> done = scene_child::run(std::span(arguments, static_cast<std::size_t>(count)));
        if (done) {
            return contract::exit_fine;
        }
        why = done.error().message();
    } catch (const std::bad_alloc&) {
        why = "there is not enough memory";
    } catch (const std::exception& fault) {
        why = fault.what();
    }
    why += "\n";
    std::fputs(why.c_str(), stderr);
    // Without destructors, because a loader may have left objects in disorder.
    std::fflush(stderr);
    std::_Exit(contract::exit_error);
}

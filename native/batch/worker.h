// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "batch/outputs.h"
#include "batch/plan.h"
#include "batch/row.h"

namespace animbridge::batch {

/// The result of an input.
struct Finished {
    std::vector<Row> rows;
    std::string input_digest{};  ///< SHA-256 of the input's bytes, if requested
};

/// Converts one input into rows, one per output. Several threads may use one worker.
class Worker {
public:
    /// Reserves an output for the input that is converted, and returns its path below the output folder.
    /// Inputs reserve theirs in the order of the plan.
    using Claim = std::function<Result<std::string>(const std::string& output)>;
    /// Calls its argument when it is the input's turn to reserve outputs.
    using InTurn = std::function<void(const std::function<void(const Claim&)>&)>;

    /// `out`: the output folder.
    Worker(const Request& request, const Folder& out) : request_(request), out_(out) {}

    /// A failure is a row, not an exception. `in_turn` is called at most once.
    [[nodiscard]] Finished convert(const Input& input, const InTurn& in_turn) const;

    /// Whether an input is skipped because its output is newer. For a scene or a .blend file, only its
    /// content determines the names of its outputs.
    [[nodiscard]] bool is_left_out(const Input& input) const;

    /// The path of the output, for an input with one output.
    [[nodiscard]] std::string single_output(const Input& input) const;

private:
    struct Task;
    struct Tasks;
    struct Source;

    [[nodiscard]] Tasks tasks_of(const Input& input, const std::string& path, ByteView bytes) const;
    [[nodiscard]] Tasks parts_of(const Input& input, ByteView bytes) const;
    [[nodiscard]] static Task named_part(const Input& input, const AnyDocument& whole, const Json& name);
    [[nodiscard]] Tasks animations_of(const Input& input, ByteView bytes) const;
    void reserve(Tasks& tasks, const Input& input, const Claim& claim) const;
    void reserve(Task& task, const Input& input, const Claim& claim) const;
    void run(Task& task, const Input& input, const Source& source) const;
    [[nodiscard]] Result<void> write(Task& task, const Input& input, const Source& whole) const;
    [[nodiscard]] bool has_no_way(const std::string& name, const Source& source, const Error& error) const;
    [[nodiscard]] std::string ending() const { return "." + request_.target; }

    const Request& request_;
    const Folder& out_;
};

}  // namespace animbridge::batch

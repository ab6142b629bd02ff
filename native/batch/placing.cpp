// SPDX-License-Identifier: MIT
#include "batch/placing.h"

#include "base/files/files.h"
#include "batch/outcome.h"

namespace animbridge::batch {

namespace {

Result<void> place(Row& row, const std::string& from, const Folder& out, const std::string& below) {
    TRY(const Bytes bytes, read_file(from));
    TRY_VOID(out.write(below, bytes));
    row.bytes_out = bytes.size();
    row.digest = sha256_hex(bytes);
    return {};
}

/// A failed row that keeps only its input.
Row without_output(const Row& row, const Error& error) {
    Row made{row.input};
    made.bytes_in = row.bytes_in;
    made.seconds = row.seconds;
    fail_row(made, error);
    return made;
}

}  // namespace

Finished placed(const Input& input, const Staged& staged, const Request& request, const Folder& out,
                const Worker::InTurn& in_turn) {
    Finished finished{staged.rows};
    std::vector<std::string> made;
    std::vector<std::string> places(finished.rows.size());
    const std::string folder = joined_path(request.out, input.folder);
    in_turn([&](const Worker::Claim& claim) {
        for (std::size_t i = 0; i < finished.rows.size(); ++i) {
            Row& row = finished.rows[i];
            made.push_back(row.output.empty() ? "" : joined_path(staged.folder, row.output));
            if (row.status != Status::ok) {
                row.output.clear();
                continue;
            }
            row.output = joined_path(folder, row.output);
            if (auto claimed = claim(row.output)) {
                places[i] = std::move(*claimed);
            } else {
                row = without_output(row, claimed.error());
                row.is_lasting = false;  // another run may have other inputs
            }
        }
    });
    for (std::size_t i = 0; i < finished.rows.size(); ++i) {
        Row& row = finished.rows[i];
        if (row.status != Status::ok) {
            continue;
        }
        if (request.newer && is_newer(row.output, input.path)) {
            leave_output(row);
        } else if (const auto put = place(row, made[i], out, places[i]); !put) {
            row = without_output(row, put.error());
        } else {
            // Conversion options do not affect the results of a .blend file.
            judge(row, request, [] { return false; });
        }
    }
    if (request.digest) {
        const auto bytes = read_file(input.path);
        finished.input_digest = bytes ? sha256_hex(*bytes) : "";
    }
    return finished;
}

}  // namespace animbridge::batch

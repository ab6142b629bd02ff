// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/folder.h"
#include "batch/plan.h"
#include "batch/row.h"

namespace animbridge::batch {

/// What Blender made of an input. The outputs of the rows lie in `folder`, with paths below it.
struct Staged {
    std::vector<Row> rows{};
    std::string folder{};
};

/// Converts what Blender alone reads or writes, many inputs in one process. Its outputs lie in a folder of
/// its own until it is their turn, so that processes side by side make the same as one. Several threads may
/// use it.
class Blender {
public:
    Blender(const Request& request, const Plan& plan);

    /// Whether an input needs it, and there is a program to start.
    [[nodiscard]] bool takes(const Input& input) const;
    /// Whether any input does.
    [[nodiscard]] bool is_used() const { return inputs_each_ != 0; }
    /// How many inputs a process gets, for all processes to have some.
    [[nodiscard]] std::size_t inputs_each() const { return inputs_each_; }

    /// In the order of the inputs; nullopt: the run was stopped before. A failure is a row. `folder` is new,
    /// and the caller's: a WorkFolder's.
    [[nodiscard]] std::vector<std::optional<Staged>> convert(const std::vector<Input>& inputs,
                                                             const Result<Folder>& folder,
                                                             const std::function<bool()>& is_stopped) const;

private:
    const Request& request_;
    std::size_t inputs_each_ = 0;
};

/// A folder for convert(), which goes with this object.
class WorkFolder {
public:
    WorkFolder(const Folder& in, std::string name)
        : in_(in), name_(std::move(name)), made_(in.folder(name_)) {}
    ~WorkFolder();
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    WorkFolder(WorkFolder&&) = delete;
    WorkFolder& operator=(WorkFolder&&) = delete;
    /// ErrorCode::io: it cannot be made.
    [[nodiscard]] const Result<Folder>& folder() const { return made_; }

private:
    const Folder& in_;
    std::string name_;
    Result<Folder> made_;
};

/// Removes what killed runs left: the folders whose names begin with `work`.
void remove_old_work(const Folder& in, const std::string& work);

}  // namespace animbridge::batch

// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/files/files.h"
#include "batch/plan.h"
#include "batch/row.h"

namespace animbridge::batch {

/// Blender's results for an input. The outputs of the rows are in `folder`; their paths are below it.
struct Staged {
    std::vector<Row> rows{};
    std::string folder{};
};

/// Converts the inputs that need Blender, many in one process. Outputs stay in a separate folder until it is
/// their turn, so that parallel processes give the same result as one. Several threads may use it.
class Blender {
public:
    Blender(const Request& request, const Plan& plan);

    /// Whether an input needs Blender, and there is a program to start.
    [[nodiscard]] bool takes(const Input& input) const;
    /// Whether any input needs Blender.
    [[nodiscard]] bool is_used() const { return inputs_each_ != 0; }
    /// How many inputs each process gets, so that all processes get some.
    [[nodiscard]] std::size_t inputs_each() const { return inputs_each_; }

    /// In the order of the inputs; nullopt: the run was stopped before. A failure becomes a row. `folder` is
    /// new and belongs to the caller's WorkFolder.
    [[nodiscard]] std::vector<std::optional<Staged>> convert(const std::vector<Input>& inputs,
                                                             const Result<Folder>& folder,
                                                             const std::function<bool()>& is_stopped) const;

private:
    const Request& request_;
    std::size_t inputs_each_ = 0;
};

/// A folder for convert(), which is removed with this object.
class WorkFolder {
public:
    WorkFolder(const Folder& in, std::string name)
        : in_(in), name_(std::move(name)), made_(in.folder(name_)) {}
    ~WorkFolder();
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    WorkFolder(WorkFolder&&) = delete;
    WorkFolder& operator=(WorkFolder&&) = delete;
    /// ErrorCode::io: it cannot be created.
    [[nodiscard]] const Result<Folder>& folder() const { return made_; }

private:
    const Folder& in_;
    std::string name_;
    Result<Folder> made_;
};

/// Removes what killed runs left: the folders whose names begin with `work`.
void remove_old_work(const Folder& in, const std::string& work);

}  // namespace animbridge::batch

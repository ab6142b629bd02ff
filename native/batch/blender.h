// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

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
    /// `work`: what the paths of folders for unfinished outputs begin with.
    Blender(const Request& request, const Plan& plan, std::string work);

    /// Whether an input needs it, and there is a program to start.
    [[nodiscard]] bool takes(const Input& input) const;
    /// Whether any input does.
    [[nodiscard]] bool is_used() const { return inputs_each_ != 0; }
    /// How many inputs a process gets, for all processes to have some.
    [[nodiscard]] std::size_t inputs_each() const { return inputs_each_; }

    /// In the order of the inputs; nullopt: the run was stopped before. A failure is a row. `folder` is new,
    /// and the caller's.
    [[nodiscard]] std::vector<std::optional<Staged>> convert(const std::vector<Input>& inputs,
                                                             const std::string& folder,
                                                             const std::function<bool()>& is_stopped) const;

    /// The path of a new folder for convert(); it goes with this object.
    class Folder {
    public:
        explicit Folder(std::string path);
        ~Folder();
        Folder(const Folder&) = delete;
        Folder& operator=(const Folder&) = delete;
        Folder(Folder&&) = delete;
        Folder& operator=(Folder&&) = delete;
        [[nodiscard]] const std::string& path() const { return path_; }

    private:
        std::string path_;
    };
    /// A path for it.
    [[nodiscard]] std::string folder_for(std::size_t first_input) const;

private:
    const Request& request_;
    std::string work_;
    std::size_t inputs_each_ = 0;
};

/// Removes what killed runs left: what begins with `work`.
void remove_old_work(const std::string& work);

}  // namespace animbridge::batch

// SPDX-License-Identifier: MIT
#include "batch/destination.h"

#include "base/base.h"
#include "batch/file_paths.h"

namespace animbridge::batch {

Destination::Destination(const Request& request, const std::string& base)
    : ending_("." + request.target),
      out_(real_path(request.out)),
      report_(request.report.empty() ? "" : real_path(request.report)) {
    const std::string searched = real_path(base.empty() ? "." : base);
    is_same_ = searched == out_;
    is_below_ = !is_same_ && is_in_folder(out_, searched);
}

bool Destination::holds(const std::string& real, const std::string& name) const {
    if (real == report_) {
        return true;
    }
    return is_same_ ? in_lower_case(std::string(suffix_of(name))) == ending_
                    : is_below_ && is_in_folder(real, out_);
}

bool Destination::holds_folder(const std::string& real) const {
    return is_below_ && is_in_folder(real, out_);
}

}  // namespace animbridge::batch

// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "formats/sl_anim/check.h"
#include "formats/sl_anim/keys.h"

/// The parts of `check`, private to it.
namespace animbridge::sl_anim {

/// Gathers findings; of each rule the first 100 are kept and the rest counted, so that hostile files stay
/// cheap.
class FindingList {
public:
    explicit FindingList(Level level) : level_(level) {}

    /// Adds a finding unless its rule belongs to a later level.
    void add(std::string_view rule_id, std::string found, std::string_view joint = {}, std::int64_t key = -1,
             std::int64_t byte_offset = -1);

    /// Whether the viewer loads the file, as far as it has been looked at: nothing of level playback rejects
    /// it.
    [[nodiscard]] bool loads() const;
    [[nodiscard]] std::vector<Finding> take();

private:
    Level level_;
    std::vector<Finding> findings_;
    std::map<std::string_view, std::size_t> counts_;
};

/// Where a joint's record lies in the file and what the viewer makes of its name.
struct JointPlace {
    std::int64_t byte_offset = 0;
    std::optional<std::size_t> known;  ///< in skeleton()
};

[[nodiscard]] std::vector<JointPlace> joint_places(const Document& document);

void check_header(const Document& document, const CheckOptions& options, FindingList& findings);
void check_joints(const Document& document, const std::vector<JointPlace>& places, FindingList& findings);
void check_constraints(const Document& document, const std::vector<JointPlace>& places,
                       FindingList& findings);
void check_timing(const Document& document, FindingList& findings);
/// What storing the file afresh changes.
void check_storing(const Document& document, FindingList& findings);
/// Whether the servers take what is stored; only for documents that the viewer loads.
void check_stored_size(const Document& document, FindingList& findings);

}  // namespace animbridge::sl_anim

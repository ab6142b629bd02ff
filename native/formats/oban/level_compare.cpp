// SPDX-License-Identifier: MIT
#include "formats/oban/level_compare.h"

#include <map>
#include <optional>
#include <utility>

#include "formats/oban/compare.h"
#include "formats/oban/oni.h"

namespace animbridge::oban {

namespace {

/// OBANs with data by name; unnamed ones by number.
std::map<std::string, std::size_t> obans_by_name(const Level& level) {
    std::map<std::string, std::size_t> by_name;
    for (std::size_t i = 0; i < level.obans.size(); ++i) {
        const LevelOban& oban = level.obans[i];
        if (oban.has_data) {
            by_name.emplace(oban.name.empty() ? "#" + std::to_string(oban.instance) : without_tag(oban.name),
                            i);
        }
    }
    return by_name;
}

/// The records of a level, each read once. OBANs share all of their bytes or none, so the records together
/// are not longer than the file.
class Records {
public:
    explicit Records(const Level& level) : level_(level) {}

    [[nodiscard]] std::size_t offset_of(std::size_t index) const { return level_.obans[index].offset; }

    [[nodiscard]] Result<const Record*> at(std::size_t index) {
        const std::size_t offset = offset_of(index);
        if (const auto known = records_.find(offset); known != records_.end()) {
            return &known->second;
        }
        TRY(auto record, level_.tables.record(level_.file, level_.obans[index].instance));
        return &records_.emplace(offset, std::move(record)).first->second;
    }

private:
    const Level& level_;
    std::map<std::size_t, Record> records_{};
};

/// Plays the OBANs that both levels have, and adds the differences.
class LevelComparison {
public:
    LevelComparison(const Level& a, const Level& b)
        : in_a_(obans_by_name(a)), in_b_(obans_by_name(b)), records_a_(a), records_b_(b) {}

    [[nodiscard]] Result<LevelDifference> run(const Job& job) {
        std::size_t done = 0;
        for (const auto& [name, index] : in_a_) {
            const auto other = in_b_.find(name);
            if (other == in_b_.end()) {
                found_.total.only_in_a.push_back(name);
            } else if (auto added = add(name, index, other->second); !added) {
                return tl::unexpected<Error>(std::move(added.error()));
            }
            const double part = static_cast<double>(++done) / static_cast<double>(in_a_.size());
            TRY_VOID(job.report(part));
        }
        for (const auto& [name, index] : in_b_) {
            if (!in_a_.contains(name)) {
                found_.total.only_in_b.push_back(name);
            }
        }
        return std::move(found_);
    }

private:
    using Offsets = std::pair<std::size_t, std::size_t>;

    [[nodiscard]] Result<void> add(const std::string& name, std::size_t index, std::size_t other) {
        const Offsets offsets{records_a_.offset_of(index), records_b_.offset_of(other)};
        auto known = compared_.find(offsets);
        if (known == compared_.end()) {
            auto difference = difference_of(index, other);
            if (!difference) {
                difference.error().reason = name + ": " + difference.error().reason;
                return tl::unexpected<Error>(std::move(difference.error()));
            }
            known = compared_.emplace(offsets, std::move(*difference)).first;
        }
        if (const std::optional<Difference>& difference = known->second) {
            found_.total.joints.push_back(difference->pose);
            found_.total.joints.back().joint = name;
            found_.total.times += difference->times;
            for (const std::string_view field : difference->fields) {
                found_.differing_fields.push_back(name + ": " + std::string(field));
            }
        }
        return {};
    }

    /// Null if the records are equal.
    [[nodiscard]] Result<std::optional<Difference>> difference_of(std::size_t index, std::size_t other) {
        const auto first = records_a_.at(index);
        const auto second = records_b_.at(other);
        if (!first || !second) {
            return tl::unexpected<Error>(first ? second.error() : first.error());
        }
        if (**first == **second) {
            return std::optional<Difference>();
        }
        return compare(**first, **second, Job()).map([](Difference difference) {
            return std::optional(std::move(difference));
        });
    }

    std::map<std::string, std::size_t> in_a_;
    std::map<std::string, std::size_t> in_b_;
    Records records_a_;
    Records records_b_;
    std::map<Offsets, std::optional<Difference>> compared_{};
    LevelDifference found_{};
};

}  // namespace

Result<LevelDifference> compare(const Level& a, const Level& b, const Job& job) {
    return LevelComparison(a, b).run(job);
}

}  // namespace animbridge::oban

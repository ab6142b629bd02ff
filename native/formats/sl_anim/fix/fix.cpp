// SPDX-License-Identifier: MIT
#include "formats/sl_anim/fix/fix.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "formats/sl_anim/fix/mends.h"
#include "model/findings/findings.h"

namespace animbridge::sl_anim::fix {

namespace {

// ---- options ----

struct FixOptions {
    std::vector<std::string> only{};
    bool keeps_shape = false;
    bool uses_spine = false;
    std::string purpose{};
};

void set_only(FixOptions& options, const Json& value) {
    for (const Json& item : value) {
        std::string text = text_from_json(item, "").value();
        for (std::size_t comma = 0; (comma = text.find(',')) != std::string::npos; text.erase(0, comma + 1)) {
            options.only.push_back(text.substr(0, comma));
        }
        options.only.push_back(std::move(text));
    }
}

constexpr std::array<OptionRow<FixOptions>, 4> fix_rows = {{
    {{.name = "only",
      .type = OptionType::texts,
      .command_name = "--only",
      .value_name = "RULE,...",
      .without = "all of level upload",
      .allowed = "an array of ids of findings",
      .help = "Mend only these findings, also those of level strict. Separate several with commas"},
     set_only},
    {{.name = "keep_shape",
      .type = OptionType::flag,
      .command_name = "--keep-shape",
      .standard = "false",
      .help = "For a changed height: keep the positions, and move mSkull so that the soles stay on the "
              "ground. Without it, the positions are left out"},
     [](FixOptions& options, const Json& value) { options.keeps_shape = value.get<bool>(); }},
    {{.name = "use_spine",
      .type = OptionType::flag,
      .command_name = "--use-spine",
      .standard = "false",
      .help = "For a changed height: move mSpine2 and mSpine4, which do not count, in place of mTorso and "
              "mChest"},
     [](FixOptions& options, const Json& value) { options.uses_spine = value.get<bool>(); }},
    {{.name = "purpose",
      .type = OptionType::choice,
      .command_name = "--purpose",
      .choices = check::purpose_names,
      .without = "not known",
      .help = "What the animation is for: also looks for what is wrong for that only"},
     [](FixOptions& options, const Json& value) { options.purpose = value.get<std::string>(); }},
}};
constexpr auto fix_table = options_of(fix_rows);

const std::vector<Mend>& all_mends() {
    static const std::vector<Mend> mends = [] {
        std::vector<Mend> all;
        for (const auto& some : {part_mends(), key_mends(), loop_mends(), position_mends(), header_mends()}) {
            all.insert(all.end(), some.begin(), some.end());
        }
        return all;
    }();
    return mends;
}

const Mend* mend_of(std::string_view rule) {
    const auto found = std::ranges::find(all_mends(), rule, &Mend::rule);
    return found == all_mends().end() ? nullptr : &*found;
}

Result<FixOptions> fix_options_from(const Json& json) {
    FixOptions options;
    TRY_VOID(read_options(json, fix_rows, options));
    for (const std::string& rule : options.only) {
        if (mend_of(rule) == nullptr) {
            std::string known;
            for (const Mend& mend : all_mends()) {
                known += (known.empty() ? "" : ", ") + std::string(mend.rule);
            }
            return json_fail("only", json_text(rule), "a finding that can be mended: " + known);
        }
    }
    return options;
}

// ---- what is wrong ----

/// The findings of a file and of what an upload would store, at every level.
struct Judgement {
    std::vector<Finding> findings;
    std::map<std::string_view, std::set<std::string>> broken;

    void add(const std::vector<Finding>& some) {
        for (const Finding& finding : some) {
            broken[finding.rule->id].insert(finding.joints.begin(), finding.joints.end());
            if (finding.joints.empty()) {
                broken[finding.rule->id].insert(finding.joint);
            }
        }
    }
};

Judgement judge(const file::Document& document, const check::CheckOptions& options) {
    Judgement judgement{check::check(document, options), {}};
    judgement.add(judgement.findings);
    const bool is_playable = std::ranges::none_of(judgement.findings, [](const Finding& finding) {
        return finding.rule->finding_class == FindingClass::rejected &&
               finding.rule->level == CheckLevel::playback;
    });
    if (is_playable) {
        judgement.add(check::check(check::stored_form(document), options));
    }
    return judgement;
}

/// Why a change is not good: it makes another finding, or leaves its own; empty: it is.
std::string fault_of(const Judgement& before, const Judgement& after, const Mend& mend,
                     const Change& change) {
    for (const auto& [rule, joints] : after.broken) {
        const auto known = before.broken.find(rule);
        for (const std::string& joint : joints) {
            const bool is_carried = std::ranges::find(change.carriers, joint) != change.carriers.end();
            if (is_carried && rule == "position_track_sticks") {
                continue;  // the next mend's work
            }
            if (known == before.broken.end() || (!known->second.contains(joint) && !is_carried)) {
                return "it would cause " + std::string(rule) + (joint.empty() ? "" : " of " + joint);
            }
        }
    }
    const auto left = after.broken.find(mend.rule);
    if (left != after.broken.end() && change.not_mended.empty()) {
        return "it would not be enough";
    }
    return {};
}

// ---- the loop ----

class Mending {
public:
    Mending(const file::Document& document, const FixOptions& options, const std::string& asset_id)
        : document_(document),
          options_(options),
          check_{CheckLevel::strict, asset_id, options.purpose},
          judged_(judge(document, check_)),
          original_(document),
          before_(judged_) {}

    Fixed run() {
        // A mend may make way for another one. Each pass mends something, or is the last one.
        while (!is_too_large() && !any_rejected_playback() && pass()) {
        }
        return {document_, report()};
    }

private:
    [[nodiscard]] bool is_wanted(const Rule& rule, const Mend* mend) const {
        if (!options_.only.empty()) {
            return std::ranges::find(options_.only, rule.id) != options_.only.end();
        }
        return rule.level <= CheckLevel::upload && (mend == nullptr || !mend->only_by_name);
    }

    /// Each mend that is tried checks the whole file twice. An upload takes 31,000 keys.
    [[nodiscard]] bool is_too_large() const {
        constexpr std::size_t most_keys = 2'000'000;
        return file::key_count(document_) > most_keys;
    }

    [[nodiscard]] bool any_rejected_playback() const {
        return std::ranges::any_of(judged_.findings, [](const Finding& finding) {
            return finding.rule->finding_class == FindingClass::rejected &&
                   finding.rule->level == CheckLevel::playback;
        });
    }

    /// Whether something was mended.
    bool pass() {
        bool any = false;
        for (const Mend& mend : all_mends()) {
            const auto found = std::ranges::find_if(
                judged_.findings, [&](const Finding& finding) { return finding.rule->id == mend.rule; });
            if (found != judged_.findings.end() && is_wanted(*found->rule, &mend) &&
                !settled_.contains(mend.rule)) {
                const auto tried = tried_with_.find(mend.rule);
                const bool is_new = tried == tried_with_.end() || tried->second != rows_.size();
                tried_with_[mend.rule] = rows_.size();
                any = (is_new && try_mend(mend)) || any;
            }
        }
        return any;
    }

    bool try_mend(const Mend& mend) {
        reasons_.erase(mend.rule);
        file::Document changed = document_;
        const Outcome outcome = mend.apply(
            changed, {check::places_of(document_, mend.rule), options_.keeps_shape, options_.uses_spine});
        if (!outcome) {
            reasons_[mend.rule] = outcome.error();
            return false;
        }
        Judgement after = judge(changed, check_);
        const std::string fault = fault_of(judged_, after, mend, *outcome);
        const auto moved = fault.empty() ? proven(document_, changed, *outcome) : tl::unexpected(fault);
        if (!moved) {
            reasons_[mend.rule] = "a mend was tried and left out: " + moved.error();
            return false;
        }
        if (!outcome->not_mended.empty()) {
            reasons_[mend.rule] = outcome->not_mended;
            settled_.insert(mend.rule);
        }
        rows_.push_back({{"rule", mend.rule},
                         {"what", outcome->what},
                         {"joints", texts_json(outcome->joints)},
                         {"max_degrees", moved->degrees},
                         {"max_mm", moved->mm}});
        document_ = std::move(changed);
        judged_ = std::move(after);
        return true;
    }

    [[nodiscard]] std::string reason_for(const Rule& rule) const {
        const Mend* mend = mend_of(rule.id);
        if (const auto said = reasons_.find(rule.id); said != reasons_.end()) {
            return said->second;
        }
        if (is_too_large()) {
            return "the file has more than 2,000,000 keys: drop some first (`animbridge reduce IN OUT --fit "
                   "250000`)";
        }
        if (any_rejected_playback() && rule.finding_class != FindingClass::rejected) {
            return "the viewer refuses the file";
        }
        if (mend == nullptr) {
            return "only you can mend it. " + std::string(rule.advice);
        }
        return mend->only_by_name
                   ? "it may be meant: name it to mend it (`--only " + std::string(rule.id) + "`)"
                   : "it was not asked for";
    }

    /// Those of the default level, which has limits of its own, and those that were asked for.
    [[nodiscard]] std::vector<Finding> of_interest(const file::Document& document,
                                                   const Judgement& judgement) const {
        check::CheckOptions options = check_;
        options.level = CheckLevel::upload;
        std::vector<Finding> some = check::check(document, options);
        std::ranges::copy_if(judgement.findings, std::back_inserter(some), [&](const Finding& finding) {
            return finding.rule->level > CheckLevel::upload && is_wanted(*finding.rule, nullptr);
        });
        return some;
    }

    [[nodiscard]] Json report() const {
        const auto after = of_interest(document_, judged_);
        Json left = Json::array();
        for (const Finding& finding : after) {
            left.push_back({{"rule", finding.rule->id}, {"reason", reason_for(*finding.rule)}});
        }
        return {{"fixed", rows_},
                {"left", std::move(left)},
                {"findings_before", findings_json(of_interest(original_, before_))["findings"]},
                {"findings_after", findings_json(after)["findings"]}};
    }

    file::Document document_;
    const FixOptions& options_;
    check::CheckOptions check_;
    Judgement judged_;
    const file::Document& original_;
    Judgement before_;
    Json rows_ = Json::array();
    std::map<std::string_view, std::string> reasons_{};
    std::set<std::string_view> settled_{};                  ///< what is left of them stays
    std::map<std::string_view, std::size_t> tried_with_{};  ///< after how many other mends
};

}  // namespace

std::span<const Option> fix_options() { return fix_table; }

Result<Fixed> fixed(const file::Document& document, const Json& options, const std::string& asset_id) {
    return fix_options_from(options).map(
        [&](const FixOptions& read) { return Mending(document, read, asset_id).run(); });
}

}  // namespace animbridge::sl_anim::fix

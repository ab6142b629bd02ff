// SPDX-License-Identifier: MIT
#include "base/options/options.h"

#include <cmath>
#include <string>

#include "formats/mrtk/check/check.h"
#include "formats/mrtk/check/checker.h"
#include "formats/mrtk/check/rules.h"
#include "formats/mrtk/file/file.h"

namespace animbridge::mrtk::check {

namespace {

/// A key for messages: "RotX key 3: time nan".
std::string in_curve(std::size_t curve, std::size_t key, const std::string& found) {
    return file::curve_name(curve) + " key " + std::to_string(key) + ": " + found;
}

float number_named(const file::FullKey& key, std::string_view part) {
    const RawFloat number = part == "time"         ? key.time
                            : part == "value"      ? key.value
                            : part == "in tangent" ? key.in_tangent
                                                   : key.out_tangent;
    return number.value();
}

std::string undefined_text(std::size_t curve, std::size_t index, const file::FullKey& key,
                           std::string_view part) {
    return in_curve(curve, index,
                    std::string(part) + " " + six_digits(static_cast<double>(number_named(key, part))));
}

bool is_weight_outside(RawFloat weight, const file::FullKey& key, file::WeightedMode side) {
    return (key.weighted_mode & side) != 0 && !(weight.value() >= 0.0F && weight.value() <= 1.0F);
}

void check_full_key(const file::FullKey& key, std::size_t curve, std::size_t index, PlaceCounts& places) {
    if (key.weighted_mode < 0 || key.weighted_mode > file::weighted_both) {
        places.add(rule("unknown_weighted_mode"), curve, index, [&] {
            return in_curve(curve, index, "weighted mode " + std::to_string(key.weighted_mode));
        });
    }
    const bool in = is_weight_outside(key.in_weight, key, file::weighted_in);
    if (in || is_weight_outside(key.out_weight, key, file::weighted_out)) {
        places.add(rule("weights_out_of_range"), curve, index, [&] {
            const float weight = in ? key.in_weight.value() : key.out_weight.value();
            return in_curve(
                curve, index,
                (in ? "in" : "out") + std::string(" weight ") + six_digits(static_cast<double>(weight)));
        });
    }
}

void check_key(const curves::CurveView& view, std::size_t curve, std::size_t index, PlaceCounts& places) {
    const file::FullKey key = view.full_key(index);
    const float time = key.time.value();
    if (const std::string_view part = undefined_part(key); !part.empty()) {
        places.add(part == "time" ? rule("times_not_finite") : rule("values_not_finite"), curve, index,
                   [&] { return undefined_text(curve, index, key, part); });
    }
    if (index > 0) {
        const auto before = static_cast<float>(view.time(index - 1));
        if (time < before) {
            places.add(rule("times_not_sorted"), curve, index, [&] {
                return in_curve(curve, index,
                                six_digits(static_cast<double>(time)) + " s after " +
                                    six_digits(static_cast<double>(before)) + " s");
            });
        } else if (time == before) {
            places.add(rule("duplicate_key_time"), curve, index,
                       [&] { return in_curve(curve, index, six_digits(static_cast<double>(time)) + " s"); });
        }
    }
    const float value = key.value.value();
    if (view.is_switch() && value != 0.0F && value != 1.0F && std::isfinite(value)) {
        places.add(rule("switch_not_boolean"), curve, index,
                   [&] { return in_curve(curve, index, six_digits(static_cast<double>(value))); });
    }
    check_full_key(key, curve, index, places);
}

}  // namespace

std::string_view undefined_part(const file::FullKey& key) {
    if (!key.time.is_finite()) {
        return "time";
    }
    if (!key.value.is_finite()) {
        return "value";
    }
    if (std::isnan(key.in_tangent.value())) {
        return "in tangent";
    }
    if (std::isnan(key.out_tangent.value())) {
        return "out tangent";
    }
    return {};
}

Result<void> require_playable(const file::Document& document) {
    for (std::size_t curve = 0; curve < file::curve_count; ++curve) {
        const curves::CurveView view(document, curve);
        for (std::size_t i = 0; i < view.size(); ++i) {
            const file::FullKey key = view.full_key(i);
            const std::string_view part = undefined_part(key);
            if (!part.empty()) {
                const std::size_t at = file::curve_offsets(document)[curve] + file::curve_header_bytes +
                                       i * file::key_bytes(document, curve);
                return fail_at(ErrorCode::rejected, file::curve_name(curve), at,
                               "what plays is undefined: key " + std::to_string(i) + " has the " +
                                   std::string(part) + " " +
                                   six_digits(static_cast<double>(number_named(key, part))) +
                                   "; allowed are finite numbers");
            }
        }
    }
    return {};
}

void check_keys(Checked& checked) {
    const file::Document& document = checked.document;
    for (std::size_t curve = 0; curve < file::curve_count; ++curve) {
        if (!document.stores(curve)) {
            continue;
        }
        const file::Curve& wraps = document.curves[curve];
        const std::string owner = file::owner_of(curve);
        for (const std::int32_t mode : {wraps.pre_wrap, wraps.post_wrap}) {
            if (!file::is_wrap_mode(mode)) {
                checked.findings.add(rule("unknown_wrap_mode"),
                                     file::curve_name(curve) + ": " + std::to_string(mode), owner, -1,
                                     static_cast<std::int64_t>(checked.offsets[curve]));
            }
        }
        PlaceCounts places;
        const curves::CurveView view(document, curve);
        for (std::size_t key = 0; key < view.size(); ++key) {
            check_key(view, curve, key, places);
        }
        places.report(owner, checked);
    }
}

}  // namespace animbridge::mrtk::check

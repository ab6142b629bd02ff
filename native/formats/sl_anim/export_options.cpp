// SPDX-License-Identifier: MIT
#include "formats/sl_anim/export_options.h"

#include <cmath>
#include <limits>

#include "base/options.h"
#include "formats/sl_anim/skeleton.h"

namespace animbridge::sl_anim {

namespace {

constexpr std::int64_t lowest_priority = -1;
constexpr std::int64_t highest_priority = 6;
constexpr std::int64_t last_hand_pose = 13;

/// Seconds of the header, by value or by their bits.
ReadMember read_seconds(std::string key, float& into) {
    return [key = std::move(key), &into](const Json& value) -> Result<void> {
        TRY(const RawFloat seconds, float_from_json(value, key));
        if (!std::isfinite(seconds.value())) {
            return json_fail(key, value, "seconds that are a finite number: the viewer refuses others");
        }
        into = seconds.value();
        return {};
    };
}

/// A number of the header.
template <typename Number>
ReadMember read_header_integer(std::string key, std::int64_t low, std::int64_t high, Number& into) {
    return [key = std::move(key), low, high, &into](const Json& value) -> Result<void> {
        const auto number = integer_from_json(value, low, high, key);
        if (!number) {
            return json_fail(key, value,
                             "a whole number from " + std::to_string(low) + " to " + std::to_string(high) +
                                 ": the viewer refuses or changes others");
        }
        into = static_cast<Number>(*number);
        return {};
    };
}

template <typename Number>
ReadMember read_integer(std::string key, std::int64_t low, std::int64_t high, Number& into) {
    return [key = std::move(key), low, high, &into](const Json& value) -> Result<void> {
        return integer_from_json(value, low, high, key).map([&](std::int64_t number) {
            into = static_cast<Number>(number);
        });
    };
}

/// The header of a new file, whose values are those that the viewer takes.
Result<void> read_header(const Json& json, Header& header) {
    if (!json.is_object()) {
        return json_fail("header", json, "an object");
    }
    Header read;
    float loop_in = 0;
    std::optional<float> loop_out;
    return read_members(
               json,
               {{"base_priority", read_header_integer("header.base_priority", lowest_priority,
                                                      highest_priority, read.base_priority)},
                {"joint_priority", read_header_integer("header.joint_priority", lowest_priority,
                                                       highest_priority, read.joint_priority)},
                {"loop", read_flag("header.loop", read.loop)},
                {"loop_in_seconds", read_seconds("header.loop_in_seconds", loop_in)},
                {"loop_out_seconds",
                 [&](const Json& value) {
                     return read_seconds("header.loop_out_seconds", loop_out.emplace())(value);
                 }},
                {"ease_in_seconds", read_seconds("header.ease_in_seconds", read.ease_in_seconds)},
                {"ease_out_seconds", read_seconds("header.ease_out_seconds", read.ease_out_seconds)},
                {"hand_pose", read_header_integer("header.hand_pose", 0, last_hand_pose, read.hand_pose)},
                {"emote", read_text("header.emote", read.emote_name)}})
        .map([&] {
            if (read.loop) {
                read.loop_in_seconds = loop_in;
                read.loop_out_seconds = loop_out;
            }
            header = std::move(read);
        });
}

/// By the joints' own names.
Result<void> read_priorities(const Json& json, std::map<std::string, std::int32_t>& into) {
    if (!json.is_object()) {
        return json_fail("joint_priorities", json, "an object of joints and their priorities");
    }
    for (const auto& [name, value] : json.items()) {
        using Number = std::numeric_limits<std::int32_t>;
        TRY(const auto priority, integer_from_json(value, Number::min(), Number::max(),
                                                   std::string("joint_priorities.").append(name)));
        const auto joint = find_joint(name);
        into[joint ? skeleton()[*joint].node.name : name] = static_cast<std::int32_t>(priority);
    }
    return {};
}

/// Reads the members that all exports have.
class Reader {
public:
    Reader(const rig::Timing& timing, const Document* base) : timing_(timing) {
        options_.from_clip.base = base;
    }

    Result<ExportOptions> read(const Json& json) {
        auto members = std::map<std::string, ReadMember>{
            {"encoder", read_choice("encoder", {"upload", "nearest", "viewer"}, encoder_)},
            {"target", read_choice("target", {"second_life", "opensim"}, target_)},
            {"keep_duration", read_flag("keep_duration", keeps_duration_)},
            {"frame_end",
             [&](const Json& value) -> Result<void> {
                 if (!value.is_number()) {
                     return json_fail("frame_end", value, "a frame of the scene");
                 }
                 frame_end_ = value.get<double>();
                 return {};
             }},
            {"fit_bytes", read_integer("fit_bytes", 0, std::int64_t{1} << 53, options_.limits.fit_bytes)},
            {"header", [&](const Json& value) { return read_header(value, options_.from_clip.header); }},
            {"joint_priorities",
             [&](const Json& value) { return read_priorities(value, options_.from_clip.joint_priorities); }}};
        if (has_bound_) {
            members["max_position_mm"] = read_bound("max_position_mm", bound_.position_mm);
            members["max_rotation_degrees"] = read_bound("max_rotation_degrees", bound_.rotation_degrees);
        }
        return read_members(json, members).and_then([&] { return take_duration(); }).map([&] {
            return taken();
        });
    }

    void read_bounds() { has_bound_ = true; }

private:
    static ReadMember read_bound(std::string key, double& into) {
        return [key = std::move(key), &into](const Json& value) -> Result<void> {
            if (!value.is_number() || !std::isfinite(value.get<double>())) {
                return json_fail(key, value, "a number; 0 keeps every key");
            }
            into = value.get<double>();
            return {};
        };
    }

    Result<void> take_duration() {
        const Document* base = options_.from_clip.base;
        float& duration = options_.from_clip.duration_seconds;
        if (keeps_duration_) {
            if (base == nullptr) {
                return fail(ErrorCode::invalid_argument,
                            "keep_duration asks for the template's duration, and there is no "
                            "template_document");
            }
            duration = base->duration.value();
            return {};
        }
        if (!frame_end_) {
            Error error{ErrorCode::bad_value, "is missing; it tells where the animation ends"};
            error.field = "frame_end";
            return tl::unexpected<Error>(std::move(error));
        }
        duration = static_cast<float>(timing_.seconds_at(*frame_end_));
        if (!std::isfinite(duration)) {
            return fail(ErrorCode::invalid_argument, "frame_end is too far from timing.frame_start");
        }
        if (!(duration >= 0.0F)) {
            return fail(ErrorCode::invalid_argument, "frame_end lies before timing.frame_start");
        }
        return {};
    }

    ExportOptions taken() {
        options_.from_clip.encoder = encoder_ == "nearest"  ? Encoder::nearest
                                     : encoder_ == "viewer" ? Encoder::viewer
                                                            : Encoder::upload;
        options_.limits.target = target_ == "opensim" ? Target::opensim : Target::second_life;
        if (options_.from_clip.base != nullptr) {
            options_.from_clip.header = {};  // the template's stays
        }
        const bool drops_keys = bound_.position_mm > 0.0 && bound_.rotation_degrees > 0.0;
        options_.bound = drops_keys ? std::optional(bound_) : std::nullopt;
        return std::move(options_);
    }

    const rig::Timing& timing_;
    ExportOptions options_{};
    std::string encoder_ = "upload";
    std::string target_ = "second_life";
    bool keeps_duration_ = false;
    bool has_bound_ = false;
    std::optional<double> frame_end_{};
    reduce::Bound bound_{};
};

}  // namespace

Result<ExportOptions> curve_options_from(const Json& json, const rig::Timing& timing, const Document* base) {
    return Reader(timing, base).read(json);
}

Result<ExportOptions> sample_options_from(const Json& json, const rig::Timing& timing, const Document* base) {
    Reader reader(timing, base);
    reader.read_bounds();
    return reader.read(json);
}

}  // namespace animbridge::sl_anim

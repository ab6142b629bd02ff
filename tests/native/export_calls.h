// SPDX-License-Identifier: MIT
#pragma once

#include <animbridge/animbridge.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <string>

/// Exports through the C interface alone, with the options that tests vary.
namespace animbridge::test {

struct SlHeader {
    std::int32_t base_priority = 0;
    std::int32_t joint_priority = 0;
    bool loop = false;
    double loop_in_seconds = 0;
    double loop_out_seconds = 0;
    double ease_in_seconds = 0;
    double ease_out_seconds = 0;
    std::int64_t hand_pose = 0;
    const char* emote = nullptr;  ///< as in JSON
};

struct SlExport {
    const char* encoder = "upload";
    double frame_end = 0;
    const ab_document* template_document = nullptr;
    bool keep_duration = false;  ///< else frame_end applies
    const SlHeader* header = nullptr;
    const char* target = "second_life";
    std::uint64_t fit_bytes = 0;
    double stop_above_mm = 20;
    const char* joint_priorities_json = nullptr;
};

struct SlSamples {
    ab_samples view{};
    double max_position_mm = 0.5;
    double max_rotation_degrees = 0.05;
};

/// Collects the members of a JSON object. Writes numbers unchanged, even if JSON does not allow them.
class ObjectText {
public:
    ObjectText& raw(const char* name, const std::string& value) {
        text_ += (text_.empty() ? "\"" : ", \"") + std::string(name) + "\": " + value;
        return *this;
    }
    ObjectText& text(const char* name, const char* value) {
        return raw(name, "\"" + std::string(value) + "\"");
    }
    ObjectText& flag(const char* name, bool value) { return raw(name, value ? "true" : "false"); }
    ObjectText& number(const char* name, double value) {
        std::array<char, 64> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
        return raw(name, std::string(digits.data(), end.ptr));
    }
    [[nodiscard]] std::string str() const { return "{" + text_ + "}"; }

private:
    std::string text_;
};

inline std::string header_text(const SlHeader& header) {
    ObjectText object;
    object.number("base_priority", header.base_priority)
        .number("joint_priority", header.joint_priority)
        .flag("loop", header.loop)
        .number("loop_in_seconds", header.loop_in_seconds)
        .number("loop_out_seconds", header.loop_out_seconds)
        .number("ease_in_seconds", header.ease_in_seconds)
        .number("ease_out_seconds", header.ease_out_seconds)
        .number("hand_pose", static_cast<double>(header.hand_pose));
    return header.emote == nullptr ? object.str() : object.text("emote", header.emote).str();
}

inline std::string options_text(const SlExport& options, const SlSamples* samples = nullptr) {
    ObjectText object;
    object.text("encoder", options.encoder).text("target", options.target);
    object.number("fit_bytes", static_cast<double>(options.fit_bytes));
    object.number("stop_above_mm", options.stop_above_mm);
    if (options.keep_duration) {
        object.flag("keep_duration", true);
    } else {
        object.number("frame_end", options.frame_end);
    }
    if (options.header != nullptr) {
        object.raw("header", header_text(*options.header));
    }
    if (options.joint_priorities_json != nullptr) {
        object.raw("joint_priorities", options.joint_priorities_json);
    }
    if (samples != nullptr) {
        object.number("max_position_mm", samples->max_position_mm);
        object.number("max_rotation_degrees", samples->max_rotation_degrees);
    }
    return object.str();
}

inline ab_status sl_from_curves(const ab_armature* armature, const ab_timing* timing, const ab_curve* curves,
                                std::size_t count, const SlExport& options, const ab_job* job,
                                ab_document** out, ab_buffer** report, ab_error* error) {
    return ab_document_from_curves("sl_anim", armature, timing, curves, count, options.template_document,
                                   options_text(options).c_str(), job, out, report, error);
}

inline ab_status sl_from_samples(const ab_armature* armature, const ab_timing* timing,
                                 const SlSamples& samples, const SlExport& options, const ab_job* job,
                                 ab_document** out, ab_buffer** report, ab_error* error) {
    return ab_document_from_samples("sl_anim", armature, timing, &samples.view, options.template_document,
                                    options_text(options, &samples).c_str(), job, out, report, error);
}

/// World matrices of an object, [sample][16], at the file's frames.
inline ab_status oban_from_samples(const float* world_matrices, std::size_t count, const char* options_json,
                                   const ab_document* template_document, const ab_job* job, ab_document** out,
                                   ab_buffer** report, ab_error* error) {
    ab_samples samples{};
    samples.struct_size = sizeof(samples);
    samples.sample_count = static_cast<std::uint32_t>(count);
    samples.object_matrices = world_matrices;
    const ab_timing timing{sizeof(ab_timing), 0, 60.0, 0.0};
    return ab_document_from_samples("oban", nullptr, &timing, &samples, template_document, options_json, job,
                                    out, report, error);
}

}  // namespace animbridge::test

// SPDX-License-Identifier: MIT
#include "formats/oban/scene/export_report.h"

#include <algorithm>
#include <cmath>

#include "formats/oban/check/check.h"
#include "formats/oban/edit/edit.h"
#include "formats/oban/file/file.h"
#include "formats/oban/scene/scene.h"
#include "model/findings/findings.h"

namespace animbridge::oban::scene {

namespace {

/// Bases that differ by less are the same: numbers went through single precision more than once.
constexpr double same_number = 1e-6;

Result<edit::Changed> document_around(const file::Record& record, const ExportOptions& options) {
    const file::Document* const template_document = options.template_document;
    const file::Container container = options.container.value_or(
        template_document == nullptr ? file::Container::oni : template_document->container);
    const std::string name =
        options.name.value_or(template_document == nullptr ? "" : template_document->name);
    if (template_document != nullptr && container == template_document->container &&
        name == template_document->name) {
        return edit::with_record(*template_document, record);
    }
    if (template_document != nullptr && template_document->container == file::Container::oni &&
        container == file::Container::oni) {
        return edit::made_anew(*template_document, record, name);
    }
    if (container == file::Container::oni) {
        return file::new_oni(record, name).map([](file::Document made) {
            return edit::Changed{std::move(made), {}};
        });
    }
    return edit::Changed{{container, name, record, {}, {}}, {}};
}

/// A raw record ends with its keys, so it cannot have a tail.
Result<edit::Changed> oban_document_of(const file::Record& record, const ExportOptions& options) {
    return document_around(record, options).map([&](edit::Changed made) {
        if (options.container == file::Container::raw && !made.document.record.tail.empty()) {
            made.document.record.tail.clear();
        }
        return made;
    });
}

/// What a reader of the file gets.
Result<file::Record> read_back(const file::Document& document) {
    const Bytes bytes = file::write(document);
    if (document.container == file::Container::raw) {
        return file::read_record(bytes, 0, bytes.size(), "");
    }
    return file::read(bytes).map([](file::Document read) { return std::move(read.record); });
}

struct Errors : WorstDifference {
    std::size_t worst_frame = 0;  ///< farthest off in terms of the bound
};

Errors measured(const file::Record& record, const std::vector<edit::Shown>& shown,
                const std::optional<edit::Bound>& bound) {
    const play::Player player(record);
    const glm::dvec3 base_translation = play::translation_of(record.base);
    const edit::Bound scale = bound.value_or(edit::Bound{});
    Errors errors{{{"the object"}, "the object"}};
    double worst = -1.0;
    for (std::size_t frame = 0; frame < shown.size(); ++frame) {
        const auto time = static_cast<double>(frame);
        const edit::Stray stray = edit::stray_of(player.pose(time), base_translation, shown[frame]);
        errors.widen(stray.position_mm, stray.rotation_degrees, time / file::frames_per_second);
        const double share =
            std::max(stray.position_mm / scale.position_mm, stray.rotation_degrees / scale.rotation_degrees);
        if (share > worst) {
            worst = share;
            errors.worst_frame = frame;
        }
    }
    return errors;
}

Json bound_or_null(const std::optional<edit::Bound>& bound) {
    return bound ? Json{{"max_position_mm", bound->position_mm},
                        {"max_rotation_degrees", bound->rotation_degrees}}
                 : Json(nullptr);
}

Json oban_warnings_of(const edit::Changed& made, const file::Record& wanted, const WorstDifference& worst,
                      const std::optional<edit::Bound>& bound) {
    Json warnings = Json::array();
    if (made.document.record.tail != wanted.tail) {
        warnings.push_back(
            "the level's bytes after the keys are left out: this kind of file has no place for them");
    }
    if (!made.left_behind.empty()) {
        std::string fields;
        for (const std::string_view field : made.left_behind) {
            fields += fields.empty() ? "" : ", ";
            fields += field;
        }
        warnings.push_back("the file is made anew, without these of the imported file: " + fields);
    }
    if (bound &&
        (worst.position_mm > bound->position_mm || worst.rotation_degrees > bound->rotation_degrees)) {
        warnings.push_back(
            "the bound is not met: the file's numbers have steps, which grow with the distance from the "
            "origin");
    }
    return warnings;
}

bool same_floats(const file::Matrix& a, const file::Matrix& b, std::size_t first, std::size_t last) {
    double size = 0.0;
    for (std::size_t i = first; i < last; ++i) {
        size = std::max(size, static_cast<double>(std::abs(b.at(i).value())));
    }
    for (std::size_t i = first; i < last; ++i) {
        const double apart = static_cast<double>(a.at(i).value()) - static_cast<double>(b.at(i).value());
        if (!(std::abs(apart) <= same_number * size)) {
            return false;
        }
    }
    return true;
}

}  // namespace

file::Record new_record(const ExportOptions& options) {
    file::Record record =
        options.template_document == nullptr ? file::Record{} : options.template_document->record;
    record.keys.clear();
    record.flags = options.flags.value_or(record.flags);
    record.frame_length = options.frame_length.value_or(record.frame_length);
    record.half_stop_frame = options.half_stop_frame.value_or(record.half_stop_frame);
    return record;
}

Result<void> require_frames(std::size_t frames) {
    if (frames == 0 || frames > file::max_frames) {
        Error error{ErrorCode::bad_value,
                    "are " + std::to_string(frames) + "; an OBAN has 1 to 32767, 9 minutes at 60 a second"};
        error.field = "frames";
        return tl::unexpected<Error>(std::move(error));
    }
    return {};
}

file::Matrix base_floats(const play::Affine& base, const file::Record& record) {
    play::Affine clean = base;
    for (int i = 0; i < 3; ++i) {  // + 0.0 turns the -0 of a change of axes into 0
        clean.linear[i] += 0.0;
    }
    clean.place += 0.0;
    const file::Matrix floats = play::matrix_from(clean.linear, clean.place);
    constexpr std::size_t linear = 9;
    const bool same = same_floats(floats, record.base, 0, linear) &&
                      same_floats(floats, record.base, linear, floats.size());
    return same ? record.base : floats;
}

void put_keys(file::Record& record, std::vector<file::Key> keys, std::size_t frame_count,
              const ExportOptions& options) {
    const file::Record* const before =
        options.template_document == nullptr ? nullptr : &options.template_document->record;
    record.keys = std::move(keys);
    record.frame_count = static_cast<std::uint16_t>(frame_count);
    if (options.mirrors) {
        record.half_stop_frame = static_cast<std::uint16_t>(frame_count / 2);
    }
    const bool same_start = before != nullptr && !before->keys.empty() &&
                            before->keys.front() == record.keys.front() && before->base == record.base;
    if (!same_start) {
        const glm::dmat4 initial = play::Player(record).transform(0.0);
        record.initial = play::matrix_from(glm::dmat3(initial), glm::dvec3(initial[3]));
    }
}

Result<Export> finish_export(Draft draft, const ExportOptions& options) {
    TRY(auto made, oban_document_of(draft.record, options));
    file::Document& document = made.document;
    TRY(const auto read, read_back(document));
    document.record = read;  // XML holds less: check the content of the file
    TRY_VOID(play::require_playable(read));
    // Findings that are only advice are not problems of a new file.
    const auto findings = check::check(document, format.check.default_level);
    TRY_VOID(require_accepted(format.made_for, findings));
    Errors errors = measured(read, draft.shown, options.bound);
    Json report = {{"keys", read.keys.size()},
                   {"sampled_keys", draft.sampled_keys},
                   {"frames", draft.shown.size()},
                   {"max_position_error_mm", errors.position_mm},
                   {"max_rotation_error_degrees", errors.rotation_degrees},
                   {"worst_frame", errors.worst_frame},
                   {"worst", worst_json(errors)},
                   {"bound", bound_or_null(options.bound)}};
    put_base(report,
             options.space.object_base({play::linear_part(read.base), play::translation_of(read.base)}));
    report["findings"] = findings_json(findings)["findings"];
    report["warnings"] = oban_warnings_of(made, draft.record, errors, options.bound);
    report["script"] = script_lines(document, options.is_camera);
    return Export{std::move(document), std::move(report), std::move(errors)};
}

std::vector<std::string> script_lines(const file::Document& document, bool is_camera) {
    const std::string name = document.name.empty() ? "NAME" : document.name;
    if (is_camera) {
        return {"cm_interpolate both " + name + " 60  # 60 frames to where it begins; may be left out" +
                    (document.name.empty() ? "; NAME: the animation's" : ""),
                "cm_anim both " + name + "  # cm_anim_block: the script waits until it is over"};
    }
    const std::string set = "env_setanim ID " + name + "  # ID: the object's in the level" +
                            (document.name.empty() ? "; NAME: the animation's" : "");
    if (document.record.half_stop_frame > 0) {
        return {set};
    }
    return {set, "env_anim ID ID  # first and last object; env_anim_block: the script waits",
            "chr_envanim WHO " + name + "  # a character moves along; norotation after it: without turning",
            "chr_envanim_stop WHO"};
}

}  // namespace animbridge::oban::scene

// SPDX-License-Identifier: MIT
#include "batch/run/worker.h"

#include <algorithm>
#include <array>

#include "base/options/options.h"
#include "convert/convert.h"
#include "convert/retarget/retarget.h"
#include "formats/registry.h"
#include "model/findings/findings.h"

namespace animbridge::batch::run {

/// One output that an input will have.
struct Worker::Task {
    plan::Row row;
    std::string stem{};   ///< for the output's name, if it is already decided
    std::string words{};  ///< else the words for the name
    DocumentPtr part{};   ///< the input of the conversion; null: the whole file
    Json conversion = Json::object();
    std::string place{};  ///< the output's path below the output folder; "": not reserved yet
    std::optional<Result<ConvertedFile>> made{};  ///< what is to be written, if it is known already
};

struct Worker::Tasks {
    std::vector<Task> all;
    std::string folder;      ///< for the outputs, below the output folder
    DocumentPtr document{};  ///< the input of all of them; null: not known
    /// The options of the conversion that selected them.
    std::vector<std::string_view> choices{};
};

/// The input of a conversion.
struct Worker::Source {
    ByteView bytes;
    const AnyDocument* document;                   ///< as in converted_file
    const std::vector<std::string_view>& choices;  ///< as in Tasks
};

namespace {

class Stopwatch {
public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// A finding as one line that says what to do.
std::string finding_text(const Json& finding) {
    const std::string joint = finding["joint_count"] == 1 ? plain_text(finding["joint"]) : "";
    return plain_text(finding["class"]) + ":" + (joint.empty() ? "" : " " + joint + ":") + " " +
           plain_text(finding["effect"]) + " (" + plain_text(finding["found"]) + ") " +
           plain_text(finding["advice"]);
}

/// The library's report on a conversion, without the members that rows have under other names.
void take_conversion(plan::Row& row, const Json& report) {
    constexpr std::array<std::string_view, 8> plain = {
        "input", "output", "input_format", "output_format", "bytes_in", "bytes_out", "tolerated", "refused"};
    for (const Json& finding : report["tolerated"]) {
        row.warnings.push_back(finding_text(finding));
    }
    Json conversion = Json::object();
    for (const auto& [key, value] : report.items()) {
        if (std::ranges::find(plain, std::string_view(key)) == plain.end()) {
            conversion[std::string(key)] = value;
        }
    }
    if (conversion.empty()) {
        return;
    }
    for (const Json& part : {conversion, conversion.value("retarget", Json::object())}) {
        for (const Json& warning : part.value("warnings", Json::array())) {
            row.warnings.push_back(plain_text(warning));
        }
    }
    if (const Json& mended = conversion.value("fixes", Json::object()).value("fixed_rules", Json::array());
        !mended.empty()) {
        row.notes.push_back("mended: " + listed_text(mended));
    }
    row.conversion = std::move(conversion);
}

/// The members of the output's findings that rows have.
Result<Json> findings_of(ByteView bytes, const std::string& path, const std::string& level) {
    TRY(const auto document, read_document(bytes, "", path));
    const auto named = level.empty() ? std::nullopt : std::optional<std::string_view>(level);
    TRY(const Checked checked, check_document(*document, named, path));
    Json rows = Json::array();
    const Json report = findings_json(checked.findings);
    for (const Json& finding : report["findings"]) {
        Json row = Json::object();
        for (const std::string_view key :
             {"id", "class", "joint", "joint_count", "key", "byte_offset", "found"}) {
            row[key] = finding[key];
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

/// The format whose files may hold several animations, by the file's name; null if it has none.
const Format* format_with_animations(const std::string& path) {
    const std::string name = in_lower_case(std::string(name_in_path(path)));
    for (const Format& format : formats()) {
        const bool is_named = std::ranges::any_of(
            format.file.extensions, [&](std::string_view extension) { return name.ends_with(extension); });
        if (is_named && format.edit.with_animation != nullptr) {
            return &format;
        }
    }
    return nullptr;
}

/// Whether the file holds documents, whatever its name.
bool is_container(ByteView bytes) {
    const auto rows = formats();
    return std::ranges::any_of(rows, [&](const Format& format) {
        return format.level.child != nullptr && format.file.sniff(bytes);
    });
}

/// The value of the option "animation" for one of several: its number, or its name. A name takes precedence,
/// so a number that is another animation's name cannot be used.
/// `firsts`: for each name, the first index.
std::string animation_option(const std::map<std::string, std::size_t>& firsts, const std::string& name,
                             std::size_t index) {
    constexpr std::size_t longest_shown = 256;
    std::string number = std::to_string(index + 1);
    const auto same = firsts.find(number);
    if (same == firsts.end() || same->second == index) {
        return number;
    }
    const bool names_it = firsts.at(name) == index && name.size() < longest_shown;
    return names_it ? name : "0" + number;
}

/// The row of an input that is not a file, or that only Blender reads.
std::optional<plan::Row> row_without_reading(const plan::Input& input) {
    plan::Row row{input.given()};
    if (!input.fault.empty()) {
        row.error = input.given() + ": " + input.fault + ".";
        row.is_lasting = false;
        return row;
    }
    if (input.is_blend()) {
        row.bytes_in = size_of(input.path);
        row.status = plan::Status::skipped;
        row.error = input.path + ": only Blender reads .blend files. Use blender --command animbridge.";
        return row;
    }
    return std::nullopt;
}

/// The parts of a file, which "split" asks for, each with "part" in its report.
Result<std::vector<ConvertedFile>> split_file(const ConvertedFile& whole, const std::string& output,
                                              const ConvertOptions& options) {
    TRY(auto files, part_files(whole, output, options));
    std::vector<ConvertedFile> parts;
    for (PartFile& file : files) {
        ConvertedFile& part = parts.emplace_back(whole);
        part.bytes = std::move(file.bytes);
        file.row.erase("output");
        part.report["part"] = std::move(file.row);
    }
    return parts;
}

/// The options that apply to a file of any input: what a conversion does after it has made the output.
std::optional<ConvertOptions> options_of_files(const ConvertOptions& all) {
    const bool is_asked = all.edits != Json::object() || !all.fixes.is_null() || all.as_stored ||
                          !all.reading.trim.empty() || all.split;
    ConvertOptions options;
    options.edits = all.edits;
    options.fixes = all.fixes;
    options.as_stored = all.as_stored;
    options.reading = all.reading;
    options.split = all.split;
    return is_asked ? std::optional(std::move(options)) : std::nullopt;
}

/// What becomes of a file that Blender exported. The files are written beside it.
Result<std::vector<plan::Row>> refined_rows(const plan::Row& row, const std::string& folder,
                                            const ConvertOptions& options, const plan::Request& request) {
    const std::string path = joined_path(folder, row.output);
    TRY(const Bytes bytes, read_file(path));
    TRY(auto whole, converted_file(bytes, path, path, options));
    std::vector<ConvertedFile> files = {std::move(whole)};
    if (options.split) {
        TRY(files, split_file(files.front(), path, options));
    }
    std::vector<plan::Row> rows;
    for (std::size_t i = 0; i < files.size(); ++i) {
        plan::Row& made = rows.emplace_back(row);
        made.output = options.split ? split_name(row.output, i + 1) : row.output;
        const std::string place = joined_path(folder, made.output);
        TRY_VOID(write_file(place, files[i].view()));
        TRY(made.findings, findings_of(files[i].view(), place, request.level));
        take_conversion(made, files[i].report);
    }
    return rows;
}

Json without(const Json& options, const std::vector<std::string_view>& left_out) {
    Json rest = Json::object();
    for (const auto& [name, value] : options.items()) {
        if (std::ranges::find(left_out, std::string_view(name)) == left_out.end()) {
            rest[std::string(name)] = value;
        }
    }
    return rest;
}

/// A name as text: its bytes, whether or not they are UTF-8.
std::string words_of(const Json& name) { return text_from_json(name, "name").value_or(""); }

}  // namespace

Staged refined(Staged staged, const plan::Request& request) {
    const auto options = options_of_files(request.conversion);
    if (!options) {
        return staged;
    }
    std::vector<plan::Row> rows;
    for (plan::Row& row : staged.rows) {
        auto made = row.status == plan::Status::ok ? refined_rows(row, staged.folder, *options, request)
                                                   : Result<std::vector<plan::Row>>({row});
        if (!made) {
            const Error error = request.as_typed ? request.as_typed(made.error()) : made.error();
            made = std::vector<plan::Row>{without_output(row, error)};
        }
        std::ranges::move(*made, std::back_inserter(rows));
    }
    staged.rows = std::move(rows);
    return staged;
}

std::string Worker::single_output(const plan::Input& input) const {
    const std::string name = file_stem(plan::stem_of(name_in_path(input.path)), ending()) + ending();
    return joined_path(joined_path(request_.out, input.folder), name);
}

bool Worker::is_left_out(const plan::Input& input) const {
    const bool has_one_output =
        !request_.conversion.split && (request_.target == plan::blend_target ||
                                       (!input.is_blend() && format_with_animations(input.path) == nullptr));
    return request_.newer && input.fault.empty() && has_one_output &&
           is_newer(single_output(input), input.path);
}

/// The document in `whole` that has this name, as a task.
Worker::Task Worker::named_part(const plan::Input& input, const AnyDocument& whole, const Json& name) {
    Task task;
    task.words = words_of(name);
    if (auto part = whole.format().level.child(whole, task.words)) {
        task.part = std::move(*part);
        task.words = words_of(task.part->info().value("name", name));
    } else {
        fail_row(task.row, in_file(part.error(), input.path));
    }
    return task;
}

/// A level's documents each become a file, in a folder with the level's name.
Worker::Tasks Worker::parts_of(const plan::Input& input, ByteView bytes) const {
    Tasks tasks{{}, joined_path(input.folder, file_stem(plan::stem_of(name_in_path(input.path)), ""))};
    const auto whole = read_document(bytes, "", input.path);
    if (!whole) {
        fail_row(tasks.all.emplace_back().row, whole.error());
        return tasks;
    }
    const Format& format = (*whole)->format();
    tasks.choices = {"animation", format.level.child_option};
    if (!input.animation.empty()) {
        tasks.all.push_back(named_part(input, **whole, json_text(input.animation)));
        return tasks;
    }
    for (const std::string_view option : tasks.choices) {
        if (request_.conversion.bridge.contains(option)) {
            tasks.all.push_back(named_part(input, **whole, request_.conversion.bridge[option]));
            return tasks;
        }
    }
    for (const Child& child : format.level.children(**whole)) {
        Task& task = tasks.all.emplace_back();
        task.words = child.name;
        if (auto part = format.level.child(**whole, child.selector)) {
            task.part = std::move(*part);
        } else {
            fail_row(task.row, part.error());
        }
    }
    if (tasks.all.empty()) {
        fail_row(tasks.all.emplace_back().row,
                 {ErrorCode::bad_value, input.path + ": " + std::string(format.reasons.no_child) + "."});
    }
    return tasks;
}

/// The animations of a file with several; no task: it has one, or cannot be read.
Worker::Tasks Worker::animations_of(const plan::Input& input, ByteView bytes) const {
    const Format* const format = format_with_animations(input.path);
    const bool is_chosen = request_.conversion.bridge.contains("animation");
    if (format == nullptr || is_chosen || request_.target == "json") {
        return {};
    }
    auto document =
        read_document(bytes, request_.conversion.input_format, input.path, request_.conversion.reading);
    if (!document) {
        return {};
    }
    Tasks tasks{{}, input.folder, std::move(*document)};
    const Json animations = tasks.document->info().value("animations", Json::array());
    if (animations.size() < 2) {
        return tasks;
    }
    std::vector<std::string> names;
    std::map<std::string, std::size_t> firsts;
    for (const Json& animation : animations) {
        names.push_back(words_of(animation["name"]));
        firsts.emplace(names.back(), names.size() - 1);
    }
    const bool keeps_names = output_format(ending(), request_.conversion.to) == format;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string called = names[i].empty() ? std::to_string(i + 1) : names[i];
        Task task;
        task.words = std::string(plan::stem_of(name_in_path(input.path))) + "-" + called;
        task.conversion["animation"] = json_text(animation_option(firsts, names[i], i));
        if (keeps_names) {
            task.conversion["animation_name"] = json_text(called);
        }
        tasks.all.push_back(std::move(task));
    }
    return tasks;
}

Worker::Tasks Worker::tasks_of(const plan::Input& input, const std::string& path, ByteView bytes) const {
    if (is_container(bytes)) {
        return parts_of(input, bytes);
    }
    if (!input.animation.empty()) {
        Task task;
        task.words = std::string(plan::stem_of(name_in_path(input.path))) + "-" + input.animation;
        task.conversion["animation"] = json_text(input.animation);
        Tasks tasks{{}, input.folder};
        tasks.all.push_back(std::move(task));
        return tasks;
    }
    Tasks tasks = animations_of(input, bytes);
    if (tasks.all.empty()) {
        Task task;
        const std::string stem = plan::stem_for(plan::stem_of(name_in_path(path)), bytes, request_);
        task.stem = file_stem(stem, ending());
        tasks.folder = input.folder;
        tasks.all.push_back(std::move(task));
    }
    return tasks;
}

/// Reserves the task's output.
void Worker::reserve(Task& task, const plan::Input& input, const Claim& claim) const {
    const std::string output = joined_path(joined_path(request_.out, input.folder), task.stem + ending());
    if (auto claimed = claim(output)) {
        task.row.output = output;
        task.place = std::move(*claimed);
    } else {
        fail_row(task.row, claimed.error());
        task.row.is_lasting = false;  // another run may have other inputs
    }
}

/// Whether the error is about the two formats: its code means that a format does not support something.
bool Worker::has_no_way(const std::string& name, const Source& source, const Error& error) const {
    const Format* const target = output_format(ending(), request_.conversion.to);
    if (error.code != ErrorCode::invalid_argument || target == nullptr) {
        return false;
    }
    if (source.document != nullptr) {
        return &source.document->format() != target;
    }
    const auto document = read_document(source.bytes, request_.conversion.input_format, name);
    return document && &(*document)->format() != target;
}

/// A child of a level is not in a file of its own.
std::string Worker::name_of(const Task& task, const plan::Input& input) {
    return task.part ? joined_path(input.path, task.stem + ".json") : input.path;
}

Result<ConvertedFile> Worker::converted(const Task& task, const plan::Input& input, const Source& whole,
                                        const std::string& output) const {
    ConvertOptions options = request_.conversion;
    options.bridge = without(options.bridge, whole.choices);
    options.bridge.update(task.conversion);
    const std::string name = name_of(task, input);
    return task.part ? converted_document(*task.part, name, output, options)
                     : converted_file(whole.bytes, name, output, options, {}, whole.document);
}

/// Where outputs are split, each task makes what it will split, and becomes a task for each part.
void Worker::split(Tasks& tasks, const plan::Input& input, ByteView bytes) const {
    plan::TakenStems taken;
    std::vector<Task> parts;
    for (Task& task : tasks.all) {
        if (task.stem.empty()) {
            task.stem = plan::free_stem(task.words, ending(), taken);
        }
        if (!task.row.error.empty()) {
            parts.push_back(std::move(task));
            continue;
        }
        const std::string output = joined_path(joined_path(request_.out, tasks.folder), task.stem + ending());
        const Source source = {bytes, tasks.document.get(), tasks.choices};
        auto made = converted(task, input, source, output).and_then([&](const ConvertedFile& whole) {
            return split_file(whole, output, request_.conversion);
        });
        if (!made) {
            task.made = fail(std::move(made.error()));
            parts.push_back(std::move(task));
            continue;
        }
        for (std::size_t i = 0; i < made->size(); ++i) {
            Task& part = parts.emplace_back();
            part.stem = file_stem(plan::stem_of(split_name(task.stem + ending(), i + 1)), ending());
            part.made = std::move((*made)[i]);
        }
    }
    tasks.all = std::move(parts);
}

Result<void> Worker::write(Task& task, const plan::Input& input, const Source& whole) const {
    plan::Row& row = task.row;
    const ConvertOptions& options = request_.conversion;
    const std::string name = name_of(task, input);
    const Source source = {whole.bytes, task.part ? task.part.get() : whole.document, whole.choices};
    auto made = task.made ? std::move(*task.made) : converted(task, input, whole, row.output);
    if (!made) {
        if (has_no_way(name, source, made.error())) {
            row.status = plan::Status::skipped;
        }
        return fail(std::move(made.error()));
    }
    TRY_VOID(out_.write(task.place, made->view()));
    TRY(row.findings, findings_of(made->view(), row.output, request_.level));
    row.bytes_out = made->view().size();
    row.digest = sha256_hex(made->view());
    take_conversion(row, made->report);
    row.only_reported.assign(made->only_reported.begin(), made->only_reported.end());
    judge(row, request_, [&] {
        if (source.document != nullptr) {
            return moves_body(*source.document);
        }
        const auto document = read_document(source.bytes, options.input_format, name, options.reading);
        return document && moves_body(**document);
    });
    return {};
}

void Worker::run(Task& task, const plan::Input& input, const Source& source) const {
    const Stopwatch watch;
    plan::Row& row = task.row;
    if (request_.newer && is_newer(row.output, input.path)) {
        leave_output(row);
        return;
    }
    auto written = write(task, input, source);
    row.seconds = watch.seconds();
    if (written) {
        row.status = plan::Status::ok;
        return;
    }
    fail_row(row, request_.as_typed ? request_.as_typed(written.error()) : written.error());
    if (row.status == plan::Status::skipped) {
        row.output.clear();
    }
}

void Worker::reserve(Tasks& tasks, const plan::Input& input, const Claim& claim) const {
    plan::TakenStems taken;
    for (Task& task : tasks.all) {
        if (task.stem.empty() && !task.words.empty()) {
            task.stem = plan::free_stem(task.words, ending(), taken);
        }
        if (task.row.error.empty()) {
            reserve(task, {input.path, tasks.folder}, claim);
        }
    }
}

Finished Worker::convert(const plan::Input& input, const InTurn& in_turn) const {
    if (auto row = row_without_reading(input)) {
        return {{std::move(*row)}};
    }
    const Stopwatch watch;
    const bool is_left = is_left_out(input);  // then the file need not be read
    const auto bytes =
        is_left ? Result<Bytes>(Bytes()) : read_input(input.path, request_.conversion.input_format);
    const ByteView view = bytes ? ByteView(*bytes) : ByteView();
    Tasks tasks = tasks_of(input, input.path, view);
    if (request_.conversion.split && bytes && !is_left) {
        split(tasks, input, view);
    }
    in_turn([&](const Claim& claim) { reserve(tasks, input, claim); });
    const double preparing_seconds = watch.seconds();
    Finished finished;
    for (Task& task : tasks.all) {
        task.row.input = input.given();
        task.row.bytes_in = is_left ? size_of(input.path) : view.size();
        if (is_left && !task.place.empty()) {
            leave_output(task.row);
        } else if (!bytes) {
            fail_row(task.row, bytes.error());
        } else if (!task.place.empty()) {
            run(task, input, {view, tasks.document.get(), tasks.choices});
        }
        finished.rows.push_back(std::move(task.row));
    }
    finished.rows.front().seconds += preparing_seconds;
    if (request_.digest && bytes) {
        finished.input_digest = sha256_hex(view);
    }
    return finished;
}

}  // namespace animbridge::batch::run

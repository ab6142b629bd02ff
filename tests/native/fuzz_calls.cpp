// SPDX-License-Identifier: MIT
#include "fuzz_calls.h"

#include <array>

#include "fuzz_inputs.h"

namespace animbridge::test {

namespace {

constexpr std::size_t most_calls = 8;
constexpr std::size_t most_documents = 5;
constexpr std::size_t most_imports = 2;

}  // namespace

Json json_in(const BufferHandle& buffer) {
    auto json = parse_json(text_in(buffer));
    require(json.has_value() && json->is_object(), "a report that is no JSON object");
    return std::move(*json);
}

Bytes written_by(const ab_document* document) {
    Out<ab_buffer> out;
    const ab_status status =
        made([&](ab_error* e) { return ab_document_write(document, nullptr, out.place(), e); });
    const BufferHandle buffer = out.taken(status);
    require(buffer != nullptr, "a document that cannot be written");
    const ByteView bytes = bytes_in(buffer);
    return {bytes.begin(), bytes.end()};
}

std::string json_of(const ab_document* document) {
    Out<ab_buffer> out;
    const ab_status status = made([&](ab_error* e) { return ab_document_json(document, out.place(), e); });
    const BufferHandle buffer = out.taken(status);
    require(buffer != nullptr && is_utf8(text_in(buffer)), "a document without JSON");
    return text_in(buffer);
}

DocumentHandle read_again(ByteView bytes, const char* format) {
    Out<ab_document> out;
    std::string problem;
    const ab_status status = made([&](ab_error* e) {
        const ab_status read =
            ab_document_read(bytes.data(), bytes.size(), format, nullptr, nullptr, out.place(), e);
        problem = e->message;
        return read;
    });
    DocumentHandle document = out.taken(status);
    require(document != nullptr, "what was written is refused: " + problem);
    return document;
}

std::string take_object(Source& source, std::initializer_list<JsonMember> members) {
    const std::size_t count = source.below(8);
    if (count == 7) {
        return source.take_text();
    }
    std::string text = "{";
    for (std::size_t i = 0; i < count / 2; ++i) {
        const JsonMember& member = *(members.begin() + source.below(members.size()));
        text += (i == 0 ? "\"" : ",\"") + std::string(member.name) + "\":";
        text += *(member.values.begin() + source.below(member.values.size()));
    }
    return text + "}";
}

const ab_document* Calls::document() {
    const std::size_t index = source_.take<std::uint8_t>();
    return index == 255 || documents_.empty() ? nullptr : documents_[index % documents_.size()].get();
}

const ab_document* Calls::rare_document() { return source_.below(4) == 3 ? document() : nullptr; }

void Calls::keep(DocumentHandle document) {
    if (document == nullptr) {
        return;
    }
    require(ab_document_format(document.get()) != nullptr, "a document of no format");
    if (documents_.size() < most_documents) {
        documents_.push_back(std::move(document));
    } else {
        documents_[source_.below(most_documents)] = std::move(document);
    }
}

std::vector<ab_curve> Calls::curves() {
    if (imports_.empty() || source_.below(2) == 0) {
        own_curves_.emplace(source_);
        return own_curves_->views;
    }
    const ab_curves* const import = imports_[source_.below(imports_.size())].get();
    std::vector<ab_curve> views(ab_curves_count(import));
    for (std::size_t i = 0; i < views.size(); ++i) {
        views[i].struct_size = sizeof(ab_curve);
        require(ab_curves_get(import, i, &views[i], nullptr) == AB_OK, "a curve that is not there");
        views[i].unchanged = source_.below(2) == 0 ? 0 : 1;
    }
    return views;
}

const ab_armature* Calls::armature() { return or_null(&armature_->view); }
const ab_timing* Calls::timing() { return or_null(&timing_); }

void Calls::call_one() {
    using Method = void (Calls::*)();
    static constexpr std::array<Method, 22> methods = {&Calls::read,
                                                       &Calls::read,
                                                       &Calls::read,
                                                       &Calls::write,
                                                       &Calls::write,
                                                       &Calls::tell,
                                                       &Calls::compare,
                                                       &Calls::edit,
                                                       &Calls::pose,
                                                       &Calls::reduce,
                                                       &Calls::predict_upload,
                                                       &Calls::match_rig,
                                                       &Calls::import_curves,
                                                       &Calls::import_curves,
                                                       &Calls::export_curves,
                                                       &Calls::export_samples,
                                                       &Calls::export_untouched,
                                                       &Calls::export_bvh,
                                                       &Calls::export_bvh,
                                                       &Calls::take_from_level,
                                                       &Calls::replace_in_level,
                                                       &Calls::export_oban};
    const std::size_t choice = source_.take<std::uint8_t>();
    // Rarely, because files are slow, and so is the search for a rig.
    switch (choice) {
        case 255:
            convert_file();
            return;
        case 254:
            retarget();
            return;
        case 252:
            fix();
            return;
        case 253:
            tell_bvh_skeleton();
            return;
        default:
            break;
    }
    (this->*methods.at(choice % methods.size()))();
    if (imports_.size() > most_imports) {
        imports_.erase(imports_.begin());
    }
}

void Calls::run() {
    read();
    for (std::size_t i = 0; i < most_calls && !source_.empty(); ++i) {
        call_one();
    }
}

void try_calls(ByteView bytes) {
    Source source(bytes);
    Calls(source).run();
}

}  // namespace animbridge::test

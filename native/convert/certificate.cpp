// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files/files.h"
#include "convert/convert.h"

namespace animbridge {

namespace {

constexpr std::string_view certificate_format = "animbridge_certificate";
constexpr std::int64_t certificate_version = 1;

/// A file, and its row of the certificate.
struct Certified {
    DocumentPtr document;
    Json row;
};

Result<Certified> certified(const NamedBytes& file, std::string_view format_id, const ReadOptions& reading) {
    TRY(auto document, read_document(file.bytes, format_id, file.path, reading));
    const std::string_view format = document->format().id;
    return Certified{std::move(document),
                     {{"name", json_text(text_of_path(path_of(file.path).filename()))},
                      {"format", format},
                      {"sha256", sha256_hex(file.bytes)}}};
}

/// What of the first file counts, as options of a certificate.
Json part_of(const CertificateRequest& request) {
    Json part = Json::object();
    if (!request.input_format.empty()) {
        part["input_format"] = request.input_format;
    }
    if (!request.reading.animation.empty()) {
        part["animation"] = json_text(request.reading.animation);
    }
    if (!request.reading.trim.empty()) {
        part["trim"] = request.reading.trim.text();
    }
    return part;
}

/// Where an error is largest may change with the last bit of a number: at many times it is equally large.
bool is_passed_over(std::string_view member, const std::string& path) {
    const bool is_row = path.ends_with("]");
    return member.ends_with("at_seconds") || member == "name" || (member == "joint" && !is_row);
}

/// The sizes of errors are counted in steps of 0.8 %.
double tolerated(std::string_view member, double value) {
    const double share = member == "percentile_99_9" ? 0.01 : certificate_tolerance;
    return certificate_tolerance + share * std::abs(value);
}

/// The values of the certificate that are others now.
class Differences {
public:
    void compare(const Json& said, const Json& now, const std::string& path, std::string_view member) {
        if (now.is_object() && said.is_object()) {
            compare_members(said, now, path);
        } else if (now.is_array() && said.is_array() && now.size() == said.size()) {
            for (std::size_t i = 0; i < now.size(); ++i) {
                compare(said[i], now[i], path + "[" + std::to_string(i) + "]", member);
            }
        } else if (now.is_number() && said.is_number()) {
            const auto value = now.get<double>();
            const double apart = said.get<double>() - value;
            if (!(std::abs(apart) <= tolerated(member, value))) {
                found_.push_back(path + " is " + said.dump() + " in the certificate and " + now.dump() +
                                 " in the files (" + six_digits(std::abs(apart)) +
                                 (apart < 0.0 ? " too little)" : " too much)"));
            }
        } else if (said != now) {
            found_.push_back(path + " is " + shown(said) + " in the certificate and " + shown(now) +
                             " in the files");
        }
    }
    [[nodiscard]] const std::vector<std::string>& found() const { return found_; }
    [[nodiscard]] std::string text() const {
        constexpr std::size_t most = 3;
        std::string text;
        for (std::size_t i = 0; i < std::min(most, found_.size()); ++i) {
            text += (i == 0 ? "" : "; ") + found_[i];
        }
        const std::size_t others = found_.size() - std::min(most, found_.size());
        return text + (others == 0 ? "" : "; and " + std::to_string(others) + " more");
    }

private:
    void compare_members(const Json& said, const Json& now, const std::string& path) {
        for (const auto& [name, value] : now.items()) {
            const std::string member(name);
            std::string full = path.empty() ? "" : path + ".";
            full += member;
            const auto other = said.find(member);
            if (other == said.end()) {
                found_.push_back(full + " is missing in the certificate");
            } else if (!is_passed_over(member, path)) {
                compare(*other, value, full, member);
            }
        }
    }
    static std::string shown(const Json& value) {
        constexpr std::size_t longest = 80;
        const std::string text = value.dump();
        return text.size() <= longest ? text : text.substr(0, longest) + "...";
    }

    std::vector<std::string> found_{};
};

/// Reads what of the first file the certificate is about.
Result<void> take_part(const Json& certificate, CertificateRequest& request) {
    const auto format = certificate.find("format");
    const auto version = certificate.find("version");
    const auto a = certificate.find("a");
    const bool is_one = format != certificate.end() && *format == certificate_format;
    if (!is_one || version == certificate.end() || *version != certificate_version ||
        a == certificate.end() || !a->is_object()) {
        return fail(ErrorCode::bad_value, "this is not a certificate of version " +
                                              std::to_string(certificate_version) +
                                              ": make one with --certificate "
                                              "(docs/schemas/certificate.schema.json)");
    }
    Json part = a->value("part", Json::object());
    if (const auto id = part.find("input_format"); id != part.end() && id->is_string()) {
        request.input_format = id->get<std::string>();
        part.erase("input_format");
    }
    return read_options_from(part).map([&](ReadOptions read) {
        request.reading.animation = std::move(read.animation);
        request.reading.trim = read.trim;
    });
}

}  // namespace

Result<Json> certificate_of(const NamedBytes& a, const NamedBytes& b, const CertificateRequest& request,
                            const Job& job) {
    TRY(auto first, certified(a, request.input_format, request.reading));
    ReadOptions whole = request.reading;
    whole.animation.clear();
    whole.trim = {};
    TRY(auto second, certified(b, "", whole));
    first.row["part"] = part_of(request);
    TRY(auto comparison,
        compare_documents(*first.document, *second.document, request.retarget, job)
            .map_error([&](Error error) { return in_file(std::move(error), a.path + " or " + b.path); }));
    return Json{{"format", certificate_format},
                {"version", certificate_version},
                {"a", std::move(first.row)},
                {"b", std::move(second.row)},
                {"retarget", request.retarget.is_object() ? request.retarget : Json()},
                {"comparison", std::move(comparison)}};
}

Result<Json> certified_comparison(const Json& certificate, const NamedBytes& a, const NamedBytes& b,
                                  CertificateRequest request, const Job& job) {
    TRY_VOID(take_part(certificate, request));
    request.retarget = certificate.value("retarget", Json());
    for (const auto& [member, file] : {std::pair("a", &a), std::pair("b", &b)}) {
        const std::string digest = sha256_hex(file->bytes);
        const Json row = certificate.value(member, Json::object());
        const Json said = row.is_object() ? row.value("sha256", Json()) : Json();
        if (said != digest) {
            return fail(in_file(
                Error{ErrorCode::rejected, "this is not the file of the certificate: its SHA-256 is " +
                                               digest + ", and the certificate says " + said.dump() +
                                               ". Give the files in the order of the certificate, or make a "
                                               "new one"},
                file->path));
        }
    }
    TRY(auto now, certificate_of(a, b, request, job));
    Differences differences;
    differences.compare(certificate, now, "", "");
    if (!differences.found().empty()) {
        return fail(ErrorCode::rejected, "the certificate does not hold: " + differences.text());
    }
    return std::move(now["comparison"]);
}

}  // namespace animbridge

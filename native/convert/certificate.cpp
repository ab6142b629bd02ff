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

Result<Certified> certified(const std::string& path, std::string_view format_id, const ReadOptions& reading) {
    TRY(const auto bytes, read_input(path, format_id));
    TRY(auto document, read_document(bytes, format_id, path, reading));
    const std::string_view format = document->format().id;
    return Certified{std::move(document),
                     {{"name", json_text(text_of_path(path_of(path).filename()))},
                      {"format", format},
                      {"sha256", sha256_hex(bytes)}}};
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

/// The part of the first file that the certificate is about.
Result<Json> part_in(const Json& certificate) {
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
    return a->value("part", Json::object());
}

}  // namespace

Result<Json> certificate_of(const std::string& a, const std::string& b, const CertificateRequest& request,
                            const Job& job) {
    TRY(const ReadOptions part, read_options_from(request.part));
    ReadOptions reading = request.reading;
    reading.animation = part.animation;
    reading.trim = part.trim;
    TRY(auto first, certified(a, request.input_format, reading));
    reading.animation.clear();
    reading.trim = {};
    TRY(auto second, certified(b, "", reading));
    first.row["part"] = request.part;
    TRY(auto comparison,
        compare_documents(*first.document, *second.document, request.retarget, job)
            .map_error([&](Error error) { return in_file(std::move(error), a + " or " + b); }));
    return Json{{"format", certificate_format},
                {"version", certificate_version},
                {"a", std::move(first.row)},
                {"b", std::move(second.row)},
                {"retarget", request.retarget.is_object() ? request.retarget : Json()},
                {"comparison", std::move(comparison)}};
}

Result<Json> certified_comparison(const Json& certificate, const std::string& a, const std::string& b,
                                  CertificateRequest request, const Job& job) {
    TRY(request.part, part_in(certificate));
    request.retarget = certificate.value("retarget", Json());
    for (const auto& [member, path] : {std::pair("a", &a), std::pair("b", &b)}) {
        TRY(const auto bytes, read_input(*path));
        const std::string digest = sha256_hex(bytes);
        const Json row = certificate.value(member, Json::object());
        const Json said = row.is_object() ? row.value("sha256", Json()) : Json();
        if (said != digest) {
            return fail(in_file(
                Error{ErrorCode::rejected, "this is not the file of the certificate: its SHA-256 is " +
                                               digest + ", and the certificate says " + said.dump() +
                                               ". Give the files in the order of the certificate, or make a "
                                               "new one"},
                *path));
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

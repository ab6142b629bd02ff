// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/json.h"

namespace animbridge {

/// Bytes from a string of hexadecimal digits.
[[nodiscard]] inline Result<Bytes> bytes_from_json(const Json& value, const std::string& field) {
    if (!value.is_string()) {
        return json_fail(field, value, "a string of hexadecimal digits");
    }
    return bytes_from_hex(value.get<std::string_view>(), field).map([](const std::string& text) {
        return Bytes(text.begin(), text.end());
    });
}

/// Reads the members of an object one by one. Keeps the first error with its position; later reads do
/// nothing.
class ObjectReader {
public:
    ObjectReader(const Json& object, std::string path) : object_(object), path_(std::move(path)) {
        if (!object.is_object()) {
            failure_ = json_fail(path_, object, "an object").value();
        }
    }

    /// Requires this text as the member `key`.
    void require(const char* key, const char* text) {
        std::string found;
        read(key, found, [&](const Json& value, const std::string& field) {
            return value == text ? Result<std::string>(text)
                                 : json_fail(field, value, "\"" + std::string(text) + "\"");
        });
    }

    /// Reads the member `key` through `convert(member, field) -> Result<T>`.
    template <typename T, typename Convert>
    void read(const char* key, T& out, Convert&& convert) {
        ++expected_;
        if (failure_) {
            return;
        }
        auto member = json_member(object_, key);
        if (!member) {
            failure_ = std::move(member.error());
            failure_->field = field(key);
            return;
        }
        auto value = std::forward<Convert>(convert)(**member, field(key));
        if (value) {
            out = std::move(*value);
        } else {
            failure_ = std::move(value.error());
        }
    }
    template <typename Integer>
    void read_integer(const char* key, Integer& out) {
        read(key, out, [](const Json& value, const std::string& field) {
            return integer_from_json(value, std::numeric_limits<Integer>::min(),
                                     std::numeric_limits<Integer>::max(), field)
                .map([](std::int64_t i) { return static_cast<Integer>(i); });
        });
    }
    void read_float(const char* key, RawFloat& out) {
        read(key, out,
             [](const Json& value, const std::string& field) { return float_from_json(value, field); });
    }
    void read_text(const char* key, std::string& out) {
        read(key, out, [](const Json& value, const std::string& field) -> Result<std::string> {
            auto text = text_from_json(value, field);
            if (text && text->find('\0') != std::string::npos) {
                return json_fail(field, value, "text without a NUL");
            }
            return text;
        });
    }
    /// Reads each element of an array through `convert(element, field) -> Result<T>`.
    template <typename T, typename Convert>
    void read_array(const char* key, std::vector<T>& out, Convert&& convert) {
        read(key, out, [&](const Json& array, const std::string& field) -> Result<std::vector<T>> {
            if (!array.is_array()) {
                return json_fail(field, array, "an array");
            }
            std::vector<T> values;
            values.reserve(array.size());
            for (std::size_t i = 0; i < array.size(); ++i) {
                TRY(auto value, convert(array[i], field + "[" + std::to_string(i) + "]"));
                values.push_back(std::move(value));
            }
            return values;
        });
    }

    /// Call it last. The first error, if any. Members that were never read are an error too.
    [[nodiscard]] std::optional<Error> finish() {
        if (!failure_ && object_.size() != expected_) {
            failure_ = Error{ErrorCode::bad_value,
                             "has " + std::to_string(object_.size()) + " members, allowed are exactly the " +
                                 std::to_string(expected_) + " of the schema",
                             {},
                             path_};
        }
        return failure_;
    }

private:
    [[nodiscard]] std::string field(const char* key) const {
        return path_.empty() ? std::string(key) : path_ + "." + key;
    }

    const Json& object_;
    std::string path_;
    std::size_t expected_ = 0;
    std::optional<Error> failure_;
};

}  // namespace animbridge

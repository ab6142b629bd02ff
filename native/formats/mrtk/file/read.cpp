// SPDX-License-Identifier: MIT
#include "formats/mrtk/file/file.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "formats/mrtk/file/layouts.h"

namespace animbridge::mrtk::file {

namespace {

constexpr std::size_t version_at = 8;
constexpr std::size_t minor_at = 12;
constexpr std::size_t sections_at = 16;

bool is_text(ByteView bytes) {
    constexpr std::size_t looked_at = 64;
    const ByteView head = bytes.first(std::min(bytes.size(), looked_at));
    return !head.empty() && std::ranges::all_of(head, [](std::uint8_t byte) {
        return (byte >= 0x20 && byte < 0x7F) || byte == '\n' || byte == '\r' || byte == '\t';
    });
}

tl::unexpected<Error> cut_at(std::string field, std::size_t at, std::size_t wanted, std::size_t size) {
    return fail_at(ErrorCode::truncated, std::move(field), at, needed_text(wanted, size - at));
}

Result<void> check_magic(ByteView bytes) {
    if (sniff(bytes)) {
        return {};
    }
    if (bytes.size() < sizeof(magic)) {
        return cut_at("magic", 0, sizeof(magic), bytes.size());
    }
    const std::string found = is_text(bytes) ? "plain text" : hex_of(text_of(bytes.first(sizeof(magic))));
    return fail_at(ErrorCode::bad_value, "magic", 0,
                   "found " + found + ", allowed is c6429e0f6eaf8f6a: not a recording of MRTK");
}

std::int32_t integer_at(ByteView bytes, std::size_t at) {
    std::int32_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof(value));
    return value;
}

/// The version and the sections.
Result<Document> read_header(ByteView bytes) {
    TRY_VOID(check_magic(bytes));
    if (bytes.size() < sections_at) {
        const bool in_major = bytes.size() < minor_at;
        return cut_at(in_major ? "version_major" : "version_minor", in_major ? version_at : minor_at, 4,
                      bytes.size());
    }
    const std::int32_t major = integer_at(bytes, version_at);
    Document document;
    document.curves = {};  // each walk makes its own
    document.minor = integer_at(bytes, minor_at);
    if (major != 1 || document.minor < 0 || document.minor > 1) {
        // MRTK from 2.6 on would read 0.x as 1.0, but no release wrote such a file.
        return fail_at(ErrorCode::unsupported_version, "version", version_at,
                       "found " + std::to_string(major) + "." + std::to_string(document.minor) +
                           ", allowed are 1.0 and 1.1");
    }
    for (std::size_t i = 0; document.has_sections() && i < section_count; ++i) {
        constexpr std::array<const char*, section_count> fields = {"has_camera", "has_hand", "has_gaze"};
        if (bytes.size() <= sections_at + i) {
            return cut_at(fields.at(i), sections_at + i, 1, bytes.size());
        }
        document.sections.at(i) = bytes[sections_at + i];
    }
    return document;
}

/// A layout that only lenient reading accepts, if one fits.
std::optional<Walk> other_layout(ByteView bytes, const Document& start) {
    constexpr std::array layouts = {Layout::no_markers, Layout::wide_keys, Layout::wide_keys_no_markers};
    for (const Layout layout : layouts) {
        const bool is_other = layout == Layout::no_markers || start.has_sections();
        if (!is_other) {
            continue;
        }
        if (auto walked = walk(bytes, start, layout);
            walked && walked->end == bytes.size() && is_plausible(bytes, walked->document)) {
            return *std::move(walked);
        }
    }
    return std::nullopt;
}

Error from_fork(std::size_t pose_curves_found) {
    return fail_at(
               ErrorCode::unsupported_version, "layout", sections_at,
               "found " + std::to_string(pose_curves_found) +
                   " curves in a pose, allowed are 7: a recording of a program that changed MRTK's format. "
                   "Export it from that program in another format")
        .value();
}

}  // namespace

Result<Document> read(ByteView bytes, Reading reading) {
    TRY(const Document start, read_header(bytes));
    auto walked = walk(bytes, start, Layout::specified);
    const bool fits = walked && walked->end == bytes.size();
    // Remaining bytes may be part of another layout; but a file that the specified layout explains is read by
    // it.
    if (!fits) {
        if (const auto fork = fork_pose_curves(bytes, start)) {
            return fail(from_fork(*fork));
        }
        const bool doubtful = !walked || !is_plausible(bytes, walked->document);
        const bool is_wanted = doubtful && (!walked || reading == Reading::lenient);
        auto other = is_wanted ? other_layout(bytes, start) : std::nullopt;
        if (other && reading == Reading::lenient) {
            walked = *std::move(other);
        } else if (other && !walked) {
            walked.error().reason +=
                "; lenient reading takes the file: it " + std::string(words_of(other->document.layout));
        }
    }
    return std::move(walked).map([&](Walk found) { return filled(bytes, std::move(found)); });
}

namespace {

/// As in the file, before the keys.
struct CurveHeader {
    std::int32_t pre_wrap = 0;
    std::int32_t post_wrap = 0;
    std::int32_t count = 0;
};
static_assert(sizeof(CurveHeader) == curve_header_bytes);

/// A marker without a name: its time and the length of its name.
constexpr std::size_t smallest_marker = 5;
constexpr std::uint8_t longest_length = 5;

template <typename T>
T at_byte(ByteView bytes, std::size_t offset) {
    T value{};
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}

tl::unexpected<Error> too_short(std::string field, std::size_t at, std::size_t wanted, std::size_t left) {
    return fail_at(ErrorCode::truncated, std::move(field), at, needed_text(wanted, left));
}

/// The file ends within a curve's header.
tl::unexpected<Error> cut_header(std::size_t curve, std::size_t at, std::size_t size) {
    constexpr std::array<const char*, 3> fields = {".pre_wrap", ".post_wrap", ".key_count"};
    const std::size_t whole = (size - at) / sizeof(std::int32_t);
    const std::size_t start = at + whole * sizeof(std::int32_t);
    return too_short(curve_name(curve) + fields.at(whole), start, sizeof(std::int32_t), size - start);
}

/// Reads the curves' headers.
Result<std::size_t> walk_curves(ByteView bytes, Document& document) {
    std::size_t at = header_bytes(document);
    std::array<std::size_t, 2> keys{};  // simple and full ones
    for (std::size_t i = 0; i < curve_count; ++i) {
        const bool full = document.has_full_keys(i);
        document.curves[i].first = keys.at(full ? 1 : 0);
        if (!document.stores(i)) {
            continue;
        }
        if (bytes.size() - at < curve_header_bytes) {
            return cut_header(i, at, bytes.size());
        }
        const auto header = at_byte<CurveHeader>(bytes, at);
        const std::size_t room = bytes.size() - at - curve_header_bytes;
        const std::size_t size = key_bytes(document, i);
        constexpr std::size_t count_in_header = 8;
        if (header.count < 0) {
            return fail_at(ErrorCode::bad_value, curve_name(i) + ".key_count", at + count_in_header,
                           "found " + std::to_string(header.count) + " keys, allowed are 0 or more");
        }
        const auto count = static_cast<std::uint32_t>(header.count);
        if (count > room / size) {
            return fail_at(ErrorCode::truncated, curve_name(i) + ".key_count", at + count_in_header,
                           "found " + std::to_string(count) + " keys of " + std::to_string(size) +
                               " bytes, but the bytes that are left (" + std::to_string(room) + ") hold " +
                               std::to_string(room / size));
        }
        document.curves[i] = {keys.at(full ? 1 : 0), count, header.pre_wrap, header.post_wrap};
        keys.at(full ? 1 : 0) += count;
        at += curve_header_bytes + count * size;
    }
    return at;
}

std::string marker_field(std::int32_t index) { return "markers[" + std::to_string(index) + "]"; }

/// Reads the length of a name, and moves `at` past it. `length_bytes`: how many bytes encode it.
Result<std::uint32_t> walk_length(ByteView bytes, std::size_t& at, std::uint8_t& length_bytes,
                                  std::int32_t index) {
    const std::size_t start = at;
    std::uint64_t length = 0;
    for (std::uint8_t i = 0; i < longest_length; ++i) {
        if (at == bytes.size()) {
            return too_short(marker_field(index) + ".name", at, 1, 0);
        }
        const std::uint8_t byte = bytes[at++];
        length |= std::uint64_t{byte & 0x7FU} << (7U * i);
        if ((byte & 0x80U) == 0) {
            length_bytes = static_cast<std::uint8_t>(i + 1);
            break;
        }
        length_bytes = 0;
    }
    constexpr std::uint64_t largest = 0x7FFFFFFF;
    if (length_bytes == 0 || length > largest) {
        return fail_at(ErrorCode::bad_value, marker_field(index) + ".name", start,
                       "found a length of more than 31 bits, allowed are at most 5 bytes of 7 bits that make "
                       "0 to 2147483647");
    }
    if (length > bytes.size() - at) {
        return fail_at(
            ErrorCode::truncated, marker_field(index) + ".name", start,
            "found a name of " + std::to_string(length) + " bytes, " + left_text(bytes.size() - at));
    }
    return static_cast<std::uint32_t>(length);
}

Result<std::size_t> walk_markers(ByteView bytes, std::size_t at, Document& document) {
    if (bytes.size() - at < sizeof(std::int32_t)) {
        return too_short("marker_count", at, sizeof(std::int32_t), bytes.size() - at);
    }
    const auto count = at_byte<std::int32_t>(bytes, at);
    const std::size_t room = bytes.size() - at - sizeof(std::int32_t);
    if (count < 0) {
        return fail_at(ErrorCode::bad_value, "marker_count", at,
                       "found " + std::to_string(count) + " markers, allowed are 0 or more");
    }
    if (static_cast<std::size_t>(count) > room / smallest_marker) {
        return fail_at(ErrorCode::truncated, "marker_count", at,
                       "found " + std::to_string(count) + " markers of at least 5 bytes, " + left_text(room));
    }
    at += sizeof(std::int32_t);
    document.markers.reserve(static_cast<std::size_t>(count));
    for (std::int32_t i = 0; i < count; ++i) {
        Marker marker;
        if (bytes.size() - at < sizeof(RawFloat)) {
            return too_short(marker_field(i) + ".time", at, sizeof(RawFloat), bytes.size() - at);
        }
        marker.time = at_byte<RawFloat>(bytes, at);
        at += sizeof(RawFloat);
        TRY(marker.name_bytes, walk_length(bytes, at, marker.length_bytes, i));
        document.marker_names.append(text_of(bytes.subspan(at, marker.name_bytes)));
        at += marker.name_bytes;
        document.markers.push_back(marker);
    }
    return at;
}

/// Whether the first number of each key is not smaller than the one before.
bool is_sorted_in(ByteView bytes, std::size_t at, std::size_t count, std::size_t size) {
    float before = -INFINITY;
    for (std::size_t i = 0; i < count; ++i) {
        const auto time = at_byte<float>(bytes, at + i * size);
        if (!(time >= before)) {
            return false;
        }
        before = time;
    }
    return true;
}

/// A walk through a file with more curves in a pose, in the form of the forks.
class ForkWalk {
public:
    ForkWalk(ByteView bytes, std::size_t start, std::size_t float_key)
        : bytes_(bytes), at_(start), float_key_(float_key) {}

    /// True if each curve has the wrap modes that MRTK and its forks write, and times in order.
    [[nodiscard]] bool passes(std::size_t curves, bool switches) {
        const std::size_t size = switches ? sizeof(SimpleKey) : float_key_;
        for (std::size_t i = 0; i < curves; ++i) {
            if (bytes_.size() - at_ < curve_header_bytes) {
                return false;
            }
            const auto header = at_byte<CurveHeader>(bytes_, at_);
            at_ += curve_header_bytes;
            const auto count = static_cast<std::size_t>(std::max(header.count, 0));
            if (header.pre_wrap != clamp_forever || header.post_wrap != clamp_forever || header.count < 0 ||
                count > (bytes_.size() - at_) / size || !is_sorted_in(bytes_, at_, count, size)) {
                return false;
            }
            at_ += count * size;
        }
        return true;
    }

private:
    ByteView bytes_;
    std::size_t at_;
    std::size_t float_key_;
};

bool walks_as_fork(ByteView bytes, const Document& start, std::size_t per_pose) {
    ForkWalk walk(bytes, header_bytes(start), start.has_sections() ? sizeof(SimpleKey) : sizeof(FullKey));
    const bool camera = start.has_section(Section::camera);
    const bool hands = start.has_section(Section::hands);
    return (camera || hands) && (!camera || walk.passes(per_pose, false)) &&
           (!hands ||
            (walk.passes(switch_count, true) && walk.passes(per_pose * hand_count * joint_count, false)));
}

}  // namespace

Result<Walk> walk(ByteView bytes, const Document& start, Layout layout) {
    Walk walked{start, 0};
    walked.document.layout = layout;
    walked.document.curves.resize(curve_count);
    TRY(walked.end, walk_curves(bytes, walked.document));
    if (walked.document.has_marker_list()) {
        TRY(walked.end, walk_markers(bytes, walked.end, walked.document));
    }
    return walked;
}

bool is_plausible(ByteView bytes, const Document& walked) {
    const std::vector<std::size_t> offsets = curve_offsets(walked);
    for (std::size_t i = 0; i < curve_count; ++i) {
        const Curve& curve = walked.curves[i];
        if (walked.stores(i) &&
            !(is_wrap_mode(curve.pre_wrap) && is_wrap_mode(curve.post_wrap) &&
              is_sorted_in(bytes, offsets[i] + curve_header_bytes, curve.count, key_bytes(walked, i)))) {
            return false;
        }
    }
    return true;
}

Document filled(ByteView bytes, Walk walked) {
    Document& document = walked.document;
    std::array<std::size_t, 2> totals{};
    for (std::size_t i = 0; i < curve_count; ++i) {
        totals.at(document.has_full_keys(i) ? 1 : 0) += document.curves[i].count;
    }
    document.simple_keys.reserve(totals[0]);
    document.full_keys.reserve(totals[1]);
    std::size_t at = header_bytes(document);
    // One curve at a time, so that the memory that resize() clears is still in the cache when the copy fills
    // it.
    const auto copy = [&](auto& keys, std::size_t count) {
        if (count > 0) {
            const std::size_t before = keys.size();
            keys.resize(before + count);
            std::memcpy(keys.data() + before, bytes.data() + at, count * sizeof(keys[0]));
            at += count * sizeof(keys[0]);
        }
    };
    for (std::size_t i = 0; i < curve_count; ++i) {
        if (!document.stores(i)) {
            continue;
        }
        at += curve_header_bytes;
        if (document.has_full_keys(i)) {
            copy(document.full_keys, document.curves[i].count);
        } else {
            copy(document.simple_keys, document.curves[i].count);
        }
    }
    const ByteView rest = bytes.subspan(walked.end);
    document.trailing.assign(rest.begin(), rest.end());
    return std::move(walked.document);
}

std::optional<std::size_t> fork_pose_curves(ByteView bytes, const Document& start) {
    for (const std::size_t per_pose : {std::size_t{17}, std::size_t{10}}) {
        if (walks_as_fork(bytes, start, per_pose)) {
            return per_pose;
        }
    }
    return std::nullopt;
}

}  // namespace animbridge::mrtk::file

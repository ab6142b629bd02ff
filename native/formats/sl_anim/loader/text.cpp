// SPDX-License-Identifier: MIT
#include "formats/sl_anim/loader/loader.h"

#include <algorithm>

#include "formats/sl_anim/loader/parts.h"
#include "model/findings/findings.h"

namespace animbridge::sl_anim::loader {

namespace {

constexpr std::size_t longest_name = 79;

bool contains(std::string_view line, std::string_view word) {
    return line.find(word) != std::string_view::npos;
}

/// The lines as the loader sees them: split at carriage returns and line feeds, without empty lines.
class Lines {
public:
    explicit Lines(std::string_view text) : rest_(text) {}

    /// The next line; null at the end.
    std::optional<std::string_view> next() {
        std::size_t begin = 0;
        while (begin < rest_.size() && is_end(rest_[begin])) {
            // Line numbers count CR LF as one line end.
            const bool pair = rest_[begin] == '\r' && begin + 1 < rest_.size() && rest_[begin + 1] == '\n';
            number_ += pair ? 0 : 1;
            ++begin;
        }
        rest_.remove_prefix(begin);
        if (rest_.empty()) {
            return std::nullopt;
        }
        const std::size_t end = std::min(rest_.find_first_of("\r\n"), rest_.size());
        const std::string_view line = rest_.substr(0, end);
        rest_.remove_prefix(end);
        return line;
    }
    [[nodiscard]] std::int64_t number() const { return number_; }
    [[nodiscard]] std::size_t bytes_left() const { return rest_.size(); }

private:
    static bool is_end(char c) { return c == '\r' || c == '\n'; }

    std::string_view rest_;
    std::int64_t number_ = 1;  ///< of the line that next() returned last
};

/// Takes one file through the steps of the loader.
class Reader {
public:
    explicit Reader(std::string_view text) : lines_(text) {}

    Result<BvhMotion> read() {
        auto done =
            read_hierarchy().and_then([&] { return read_timing(); }).and_then([&] { return read_frames(); });
        if (!done) {
            return tl::unexpected<Error>(std::move(done.error()));
        }
        for (std::size_t i = motion_.joints.size(); i-- > 0;) {
            if (parents_[i]) {
                std::size_t& above = motion_.joints[*parents_[i]].depth;
                above = std::max(above, motion_.joints[i].depth + 1);
            }
        }
        return std::move(motion_);
    }

private:
    /// The viewer refuses the current line.
    [[nodiscard]] tl::unexpected<Error> refuse(std::string_view field, const std::string& rule) const {
        constexpr std::size_t shown = 60;
        Error error{ErrorCode::rejected, refused_by("Second Life's BVH loader") + rule};
        std::string found(line_.substr(0, shown));
        std::ranges::replace(found, '\t', ' ');
        error.reason += at_end_ ? "; found the end of the file"
                                : "; found \"" + found + (line_.size() > shown ? "...\"" : "\"");
        error.field = field;
        error.line = lines_.number();
        return tl::unexpected<Error>(std::move(error));
    }

    bool next_line() {
        const auto line = lines_.next();
        at_end_ = !line;
        line_ = line.value_or("");
        return line.has_value();
    }

    Result<void> read_hierarchy() {
        if (!next_line() || !contains(line_, "HIERARCHY")) {
            return refuse("HIERARCHY", "the first line must contain HIERARCHY");
        }
        while (next_line()) {
            if (contains(line_, "}")) {
                if (!open_.empty()) {
                    open_.pop_back();
                }
            } else if (contains(line_, "MOTION")) {
                return {};
            } else if (contains(line_, "ROOT") || contains(line_, "JOINT")) {
                TRY_VOID(read_joint());
            } else if (contains(line_, "End Site")) {
                // Skips its brace, offset and closing brace, whatever they contain.
                for (int skipped = 0; skipped < 3; ++skipped) {
                    next_line();
                }
            } else {
                return refuse(
                    "HIERARCHY",
                    "the line must contain ROOT, JOINT, End Site (with one blank), \"}\" or MOTION");
            }
        }
        return refuse("MOTION", "the hierarchy must end with MOTION");
    }

    Result<void> read_joint() {
        BvhJoint joint;
        TRY_VOID(read_name(joint));
        if (motion_.joints.empty() && bvh_joint_named(joint.name) != "mPelvis") {
            return refuse("ROOT", "the first joint must be hip, mPelvis or avatar_mPelvis");
        }
        if (!next_line() || !contains(line_, "{")) {
            return refuse("JOINT", "the line after a joint's name must hold its \"{\"");
        }
        if (!next_line() || !contains(line_, "OFFSET")) {
            return refuse("OFFSET", "the line after a joint's \"{\" must be its OFFSET");
        }
        if (!next_line() || !contains(line_, "CHANNELS")) {
            return refuse("CHANNELS", "the line after a joint's OFFSET must be its CHANNELS");
        }
        const std::int32_t count = read_channel_count();
        TRY_VOID(read_order(joint));
        joint.has_position_track = count != 3;
        parents_.push_back(open_.empty() ? std::nullopt : std::optional(open_.back()));
        open_.push_back(motion_.joints.size());
        motion_.joints.push_back(std::move(joint));
        channels_.push_back(count);
        return {};
    }

    /// The name is the line's second word.
    Result<void> read_name(BvhJoint& joint) const {
        const auto past_word = [](std::string_view text) {
            return static_cast<std::size_t>(std::ranges::find_if(text, is_blank) - text.begin());
        };
        std::string_view text = without_leading_blanks(line_);
        text = without_leading_blanks(text.substr(past_word(text)));
        joint.name = text.substr(0, std::min(past_word(text), longest_name));
        if (joint.name.empty()) {
            return refuse("name", "a joint must have a name after ROOT or JOINT");
        }
        return {};
    }

    /// If the line does not begin with CHANNELS and a number, the first joint has 6 channels and the others
    /// 3.
    [[nodiscard]] std::int32_t read_channel_count() const {
        constexpr std::string_view keyword = "CHANNELS";
        const std::string_view text = without_leading_blanks(line_);
        const auto count =
            text.starts_with(keyword) ? scan_integer(text.substr(keyword.size())) : std::nullopt;
        return count.value_or(motion_.joints.empty() ? 6 : 3);
    }

    /// The first three rotation channels; the loader ignores the others.
    Result<void> read_order(BvhJoint& joint) const {
        constexpr std::string_view word = "rotation";
        constexpr std::string_view axes = "XYZ";
        std::size_t place = 0;
        for (std::size_t& axis : joint.order) {
            place = line_.find(word, place);
            axis = place == std::string_view::npos || place == 0 ? std::string_view::npos
                                                                 : axes.find(line_[place - 1]);
            if (axis == std::string_view::npos) {
                return refuse("CHANNELS",
                              "a joint must have three channels Xrotation, Yrotation or Zrotation");
            }
            place += word.size();
        }
        return {};
    }

    Result<void> read_timing() {
        constexpr std::string_view frames = "Frames:";
        std::optional<std::int32_t> count;
        if (next_line() && line_.starts_with(frames)) {
            count = scan_integer(line_.substr(frames.size()));
        }
        if (!count) {
            return refuse("Frames", "the line after MOTION must begin with \"Frames:\" and a whole number");
        }
        constexpr std::string_view time = "Frame Time:";
        std::optional<float> seconds;
        if (next_line() && line_.starts_with(time)) {
            seconds = scan_float(line_.substr(time.size()));
        }
        if (!seconds) {
            return refuse("Frame Time", "the line after Frames must begin with \"Frame Time:\" and a number");
        }
        motion_.frames = static_cast<std::size_t>(std::max(*count, 0));
        motion_.frame_time_seconds = *seconds;
        return {};
    }

    Result<void> read_frames() {
        reserve_frames();
        std::vector<float> values;
        for (std::size_t frame = 0; frame < motion_.frames; ++frame) {
            if (!next_line()) {
                return refuse("Frames", "there must be a line for each of the " +
                                            std::to_string(motion_.frames) + " frames");
            }
            TRY_VOID(read_values(values));
            TRY_VOID(take_values(values));
        }
        return {};
    }

    /// Bounds memory by the text instead of the declared count: a frame takes at least three values per
    /// joint, and a value two bytes.
    void reserve_frames() {
        const std::size_t joints = std::max<std::size_t>(motion_.joints.size(), 1);
        const std::size_t most = lines_.bytes_left() / (6 * joints) + 1;
        const std::size_t frames = std::min(motion_.frames, most);
        for (std::size_t i = 0; i < motion_.joints.size(); ++i) {
            motion_.joints[i].rotations.reserve(frames);
            motion_.joints[i].positions.reserve(channels_[i] == 6 ? frames : 0);
        }
    }

    /// Reads every word of the line, whether it is needed or not.
    Result<void> read_values(std::vector<float>& values) const {
        values.clear();
        for (std::size_t begin = 0;
             (begin = line_.find_first_not_of("\t ", begin)) != std::string_view::npos;) {
            const std::size_t end = std::min(line_.find_first_of("\t ", begin), line_.size());
            const auto value = cast_float(line_.substr(begin, end - begin));
            if (!value) {
                return refuse("frame",
                              "everything in a frame's line must be a number, and \"" +
                                  std::string(line_.substr(begin, std::min<std::size_t>(end - begin, 60))) +
                                  "\" is none");
            }
            values.push_back(*value);
            begin = end;
        }
        return {};
    }

    /// Takes six values for a joint with six channels and three for any other, like the loader.
    Result<void> take_values(const std::vector<float>& values) {
        std::size_t used = 0;
        for (std::size_t i = 0; i < motion_.joints.size(); ++i) {
            BvhJoint& joint = motion_.joints[i];
            const std::size_t left = values.size() - used;
            const std::size_t taken = channels_[i] == 6 ? 6 : 3;
            // The loader compares a negative count as a huge unsigned number.
            if (channels_[i] < 0 || left < static_cast<std::size_t>(channels_[i]) || left < taken) {
                return refuse("frame", "a frame's line must have a value for each channel: " +
                                           std::to_string(values.size()) + " are too few for joint \"" +
                                           joint.name + "\" of " + std::to_string(channels_[i]) +
                                           " channels");
            }
            if (taken == 6) {
                joint.positions.push_back({values[used], values[used + 1], values[used + 2]});
                used += 3;
            }
            codes::Vector angles{};
            for (const std::size_t axis : joint.order) {
                angles.at(axis) = values[used++];
            }
            joint.rotations.push_back(angles);
        }
        return {};
    }

    Lines lines_;
    std::string_view line_{};
    bool at_end_ = false;
    BvhMotion motion_{};
    std::vector<std::int32_t> channels_{};               ///< of each joint, as declared
    std::vector<std::optional<std::size_t>> parents_{};  ///< of each joint
    std::vector<std::size_t> open_{};                    ///< joints whose "}" is still missing
};

}  // namespace

Result<BvhMotion> read_bvh_as_viewer(ByteView bytes) {
    const std::string_view text = text_of(bytes);
    return Reader(text.substr(0, text.find('\0'))).read();
}

}  // namespace animbridge::sl_anim::loader

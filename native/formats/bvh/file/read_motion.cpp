// SPDX-License-Identifier: MIT
#include "formats/bvh/file/file.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "formats/bvh/file/read_parts.h"
#include "formats/bvh/text/text.h"

namespace animbridge::bvh::file {

namespace {

constexpr std::string_view lenient_hint = " (lenient reading keeps the complete frames)";

class MotionReader {
public:
    MotionReader(Scanner& scanner, Document& document)
        : scanner_(scanner), document_(document), channels_(document.channel_count()) {}

    [[nodiscard]] Result<void> read() {
        return read_frame_count().and_then([&] { return read_frame_time(); }).and_then([&] {
            begin_ = scanner_.offset();
            commas_before_ = scanner_.commas();
            return channels_ == 0 ? read_no_channels() : read_frames();
        });
    }

private:
    [[nodiscard]] Result<void> take_colon(std::string_view field) {
        return scanner_.take_if(":") ? Result<void>() : Result<void>(scanner_.fail_here(field, ":"));
    }

    [[nodiscard]] Result<void> read_frame_count() {
        if (!scanner_.take_if("Frames")) {
            return scanner_.fail_here("Frames", "Frames:");
        }
        TRY_VOID(take_colon("Frames"));
        scanner_.skip_blanks();
        declared_at_ = scanner_.offset();
        const std::string_view word = scanner_.take_token();
        const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), declared_);
        if (word.empty() || problem != std::errc() || end != word.data() + word.size()) {
            scanner_.go_to(declared_at_);
            return scanner_.fail_here("Frames", "a whole number of frames");
        }
        return {};
    }

    [[nodiscard]] Result<void> read_frame_time() {
        if (!scanner_.take_if("Frame") || !scanner_.take_if("Time")) {
            return scanner_.fail_here("Frame Time", "Frame Time:");
        }
        TRY_VOID(take_colon("Frame Time"));
        return scanner_.take_number("Frame Time").map([&](double seconds) {
            document_.frame_time_seconds = seconds;
        });
    }

    /// Frames without numbers are empty lines, so only the size of the text bounds their count.
    [[nodiscard]] Result<void> read_no_channels() {
        const std::size_t left = scanner_.rest().size();
        if (declared_ > left) {
            return scanner_.fail_at(declared_at_, "Frames",
                                    "declares " + counted(declared_, "frame") +
                                        " of a hierarchy without channels; allowed is no more than the " +
                                        counted(left, "byte") + " after it");
        }
        document_.frame_count = declared_;
        return read_rest();
    }

    [[nodiscard]] Result<void> read_frames() {
        // Each number takes at least two bytes: a digit and a blank.
        const std::size_t most = (scanner_.rest().size() + 1) / 2;
        std::size_t frames = declared_;
        if (declared_ > most / channels_) {
            TRY_VOID(scanner_.end_at_nul(scanner_.text().size()));
            const std::size_t there = count_numbers();
            if (!scanner_.lenient()) {
                return frames_differ(there);
            }
            note_frames(there);
            frames = there / channels_;
        }
        TRY_VOID(read_numbers(frames * channels_));
        if (scanner_.skip_blanks()) {
            TRY_VOID(scanner_.end_at_nul(scanner_.text().size()));
        }
        return numbers_follow() ? read_further_frames() : read_rest();
    }

    /// The file has more frames than declared. Lenient reading starts again with the true number, so that the
    /// motion is never in memory twice.
    [[nodiscard]] Result<void> read_further_frames() {
        scanner_.go_to(begin_);
        const std::size_t there = count_numbers();
        if (!scanner_.lenient()) {
            return frames_differ(there);
        }
        const std::size_t frames = there / channels_;
        if (frames != declared_ && !frames_noted_) {
            note_frames(there);
        }
        scanner_.forget_commas_after(commas_before_);
        TRY_VOID(read_numbers(frames * channels_));
        const std::size_t left = there % channels_;
        if (left != 0 && !frames_noted_) {
            scanner_.skip_blanks();
            scanner_.note(rule("frame_incomplete"), scanner_.offset(),
                          counted(left, "number") + " of " + std::to_string(channels_));
        }
        for (std::size_t i = 0; i < left; ++i) {
            (void)scanner_.take_token();
        }
        return read_rest();
    }

    /// Reads `count` numbers. If there are fewer, lenient reading keeps the complete frames and adds a note.
    [[nodiscard]] Result<void> read_numbers(std::size_t count) {
        std::vector<double>& motion = document_.motion;
        motion.clear();
        if (motion.capacity() < count) {
            motion = std::vector<double>();
            motion.reserve(count);
        }
        prefer_huge_pages(motion.data(), motion.capacity() * sizeof(double));
        std::array<double, 1024> block{};
        while (motion.size() < count) {
            const std::size_t wanted = std::min(block.size(), count - motion.size());
            const char* const begin = scanner_.text().data();
            const char* cursor = begin + scanner_.offset();
            const std::size_t got =
                text::parse_numbers(cursor, begin + scanner_.text().size(), std::span(block).first(wanted));
            scanner_.go_to(static_cast<std::size_t>(cursor - begin));
            motion.insert(motion.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(got));
            if (got == wanted) {
                continue;
            }
            scanner_.skip_blanks();
            TRY_VOID(scanner_.end_at_nul(scanner_.end_of_token()));
            if (!scanner_.skip_blanks()) {
                return end_early();
            }
            TRY(auto number, scanner_.take_number("MOTION"));
            motion.push_back(number);
        }
        document_.frame_count = count / channels_;
        return {};
    }

    [[nodiscard]] Result<void> end_early() {
        std::vector<double>& motion = document_.motion;
        if (!scanner_.lenient()) {
            return frames_differ(motion.size());
        }
        note_frames(motion.size());
        document_.frame_count = motion.size() / channels_;
        motion.resize(document_.frame_count * channels_);
        return {};
    }

    /// Counts the numbers from here on, including those that only lenient reading accepts.
    [[nodiscard]] std::size_t count_numbers() {
        const std::size_t begin = scanner_.offset();
        std::size_t count = 0;
        while (numbers_follow()) {
            (void)scanner_.take_token();
            ++count;
        }
        scanner_.go_to(begin);
        return count;
    }

    [[nodiscard]] bool numbers_follow() {
        if (!scanner_.skip_blanks()) {
            return false;
        }
        const std::size_t begin = scanner_.offset();
        const std::string_view token = scanner_.take_token();
        scanner_.go_to(begin);
        return token.find_first_of("0123456789") != std::string_view::npos &&
               token.find_first_not_of("0123456789+-.,eE") == std::string_view::npos;
    }

    [[nodiscard]] tl::unexpected<Error> frames_differ(std::size_t numbers) const {
        return scanner_.fail_at(declared_at_, "Frames",
                                "declares " + counted(declared_, "frame") + ", found " + there_are(numbers) +
                                    "; allowed is the same number" + std::string(lenient_hint));
    }

    void note_frames(std::size_t numbers) {
        frames_noted_ = true;
        scanner_.note(rule("frame_count_differs"), declared_at_,
                      std::to_string(declared_) + " declared, found " + there_are(numbers));
    }

    [[nodiscard]] std::string there_are(std::size_t numbers) const {
        const std::size_t left = numbers % channels_;
        return counted(numbers / channels_, "complete frame") +
               (left == 0 ? "" : " and " + counted(left, "number") + " of " + std::to_string(channels_));
    }

    /// Checks that only blanks follow.
    [[nodiscard]] Result<void> read_rest() {
        if (!scanner_.skip_blanks()) {
            return {};
        }
        if (!scanner_.lenient()) {
            return scanner_.fail_here("MOTION", "nothing after the last frame");
        }
        const std::size_t begin = scanner_.offset();
        scanner_.note(rule("text_after_motion"), begin, in_quotes(scanner_.take_token()));
        return {};
    }

    Scanner& scanner_;
    Document& document_;
    std::size_t channels_;
    std::size_t declared_ = 0;
    std::size_t declared_at_ = 0;
    std::size_t begin_ = 0;
    std::size_t commas_before_ = 0;  ///< decimal commas noted in the hierarchy
    bool frames_noted_ = false;      ///< the wrong frame count has its note
};

}  // namespace

Result<void> read_motion(Scanner& scanner, Document& document) {
    return MotionReader(scanner, document).read();
}

}  // namespace animbridge::bvh::file

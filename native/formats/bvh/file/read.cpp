// SPDX-License-Identifier: MIT
#include "formats/bvh/file/file.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "formats/bvh/file/read_parts.h"
#include "formats/bvh/text/text.h"

namespace animbridge::bvh::file {

namespace {

constexpr std::string_view first_word = "HIERARCHY";

std::string_view without_mark(std::string_view text) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    return text.starts_with(byte_order_mark) ? text.substr(byte_order_mark.size()) : text;
}

/// Whether the text begins with a UTF-16 byte order mark.
bool is_utf16(std::string_view text) { return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"); }

/// The first letters of UTF-16 text, narrowed to bytes.
std::string narrowed(std::string_view text) {
    std::string narrow;
    for (const char c : text.substr(2, 128)) {
        if (c != '\0') {
            narrow += c;
        }
    }
    return narrow;
}

bool begins_with_first_word(std::string_view text) {
    while (!text.empty() && text::is_blank(text.front())) {
        text.remove_prefix(1);
    }
    const std::string_view next = text.substr(std::min(text.size(), first_word.size()));
    return same_letters(text.substr(0, first_word.size()), first_word) &&
           (next.empty() || text::is_blank(next.front()) || next.front() == '\0');
}

}  // namespace

bool sniff(ByteView bytes) {
    const std::string_view text = text_of(bytes);
    return begins_with_first_word(is_utf16(text) ? std::string_view(narrowed(text)) : without_mark(text));
}

Result<Document> read(ByteView bytes, Reading reading) {
    const std::string_view text = text_of(bytes);
    Scanner scanner(without_mark(text), reading);
    if (is_utf16(text)) {
        return scanner.fail_at(0, "text",
                               "found UTF-16 text; allowed is UTF-8, or any encoding that has ASCII in it");
    }
    // Only the hierarchy is searched: the motion reader looks for NULs when a token is not a number.
    constexpr std::size_t before_motion = 4096;
    TRY_VOID(scanner.end_at_nul(hierarchy_size(scanner.text()) + before_motion));
    TRY(auto joints, read_hierarchy(scanner));
    Document document;
    document.joints = std::move(joints);
    if (scanner.skip_blanks()) {
        TRY_VOID(read_motion(scanner, document));
    }
    document.notes = scanner.take_notes();
    return document;
}

namespace {

/// A joint or an end site whose block is open.
struct Block {
    std::size_t joint = 0;
    bool is_end_site = false;
    bool has_offset = false;
    bool has_channels = false;
    std::size_t begin = 0;  ///< where its keyword is in the text
};

class HierarchyReader {
public:
    explicit HierarchyReader(Scanner& scanner)
        : scanner_(scanner), most_nodes_(std::max<std::size_t>(8192, scanner.text().size() / 30)) {}

    [[nodiscard]] Result<std::vector<Joint>> read() {
        if (!same_letters(scanner_.peek(), "HIERARCHY")) {
            return scanner_.fail_here("HIERARCHY", "the word HIERARCHY");
        }
        (void)scanner_.take();
        joints_.reserve(expected_joints());
        bool more = true;
        while (more) {
            TRY(auto entry, read_entry());
            more = entry;
        }
        return std::move(joints_);
    }

private:
    /// The number of opening braces, so that the list of joints never has to grow.
    [[nodiscard]] std::size_t expected_joints() const {
        const std::string_view text = scanner_.text().substr(0, hierarchy_size(scanner_.text()));
        return std::min(most_nodes_, static_cast<std::size_t>(std::ranges::count(text, '{')));
    }

    /// Reads one entry; returns whether there may be more.
    [[nodiscard]] Result<bool> read_entry() {
        const std::string_view word = scanner_.peek();
        if (word.empty() || same_letters(word, "MOTION")) {
            return read_end(word);
        }
        if (word == "}") {
            return close_block();
        }
        if (open_.empty()) {
            return same_letters(word, "ROOT") ? read_joint()
                                              : scanner_.fail_here("HIERARCHY", "ROOT or MOTION");
        }
        if (same_letters(word, "OFFSET")) {
            return read_offset();
        }
        if (same_letters(word, "CHANNELS")) {
            return read_channels();
        }
        if (open_.back().is_end_site) {
            return scanner_.fail_here("End Site", "OFFSET or }");
        }
        if (same_letters(word, "JOINT")) {
            return read_joint();
        }
        if (same_letters(word, "End") || same_letters(word, "EndSite") || same_letters(word, "End_Site")) {
            return read_end_site();
        }
        return scanner_.fail_here("HIERARCHY", "OFFSET, CHANNELS, JOINT, End Site or }");
    }

    [[nodiscard]] Result<bool> read_end(std::string_view word) {
        const std::size_t begin = scanner_.offset();
        if (!open_.empty()) {
            if (!scanner_.lenient()) {
                const std::string allowed =
                    "}, which closes the block of " + in_quotes(joints_[open_.back().joint].name);
                return scanner_.fail_here("HIERARCHY", allowed);
            }
            scanner_.note(
                rule("braces_differ"), begin,
                std::to_string(open_.size()) + (open_.size() == 1 ? " block" : " blocks") + " not closed");
            while (!open_.empty()) {
                finish_block();
            }
        }
        (void)scanner_.take();
        if (scanner_.skip_blanks()) {
            return false;
        }
        if (!scanner_.lenient()) {
            return scanner_.fail_here("MOTION", std::string(word.empty() ? "MOTION" : "Frames:") +
                                                    " (lenient reading takes it as no frames)");
        }
        scanner_.note(rule("motion_missing"), begin, word.empty() ? "no MOTION" : "nothing after MOTION");
        return false;
    }

    [[nodiscard]] Result<void> open_block(Block block) {
        if (scanner_.peek() != "{") {
            return scanner_.fail_here(block.is_end_site ? "End Site" : "JOINT", "{");
        }
        (void)scanner_.take();
        open_.push_back(block);
        return {};
    }

    [[nodiscard]] Result<void> count_node(std::size_t begin) {
        if (++nodes_ > most_nodes_) {
            return scanner_.fail_at(begin, "HIERARCHY",
                                    "more joints and end sites than " + std::to_string(most_nodes_) +
                                        ", which a text of this size may have");
        }
        return {};
    }

    [[nodiscard]] Result<std::string> take_name(std::string_view field) {
        const std::size_t begin = scanner_.offset();
        const std::string_view name = scanner_.take_name();
        if (name.find('\0') != std::string_view::npos) {
            return scanner_.fail_at(begin, field, "found a name with a NUL byte; allowed is text");
        }
        return std::string(name);
    }

    [[nodiscard]] Result<bool> read_joint() {
        const std::size_t begin = scanner_.offset();
        if (open_.size() >= max_depth) {
            return scanner_.fail_at(
                begin, "JOINT", "nested deeper than the " + std::to_string(max_depth) + " levels allowed");
        }
        TRY_VOID(count_node(begin));
        (void)scanner_.take();
        TRY(auto name, take_name("JOINT"));
        Joint joint{std::move(name)};
        if (!open_.empty()) {
            joint.parent = open_.back().joint;
        }
        Block block;
        block.joint = joints_.size();
        block.begin = begin;
        joints_.push_back(std::move(joint));
        return open_block(block).map([] { return true; });
    }

    [[nodiscard]] Result<bool> read_end_site() {
        const std::size_t begin = scanner_.offset();
        TRY_VOID(count_node(begin));
        const std::string_view word = scanner_.take();
        const bool usual = same_letters(word, "End") && same_letters(scanner_.peek(), "Site");
        if (usual) {
            (void)scanner_.take();
        } else {
            scanner_.note(rule("end_site_spelling"), begin, in_quotes(word));
        }
        Block block = open_.back();
        block.is_end_site = true;
        block.has_offset = false;
        block.begin = begin;
        TRY(auto name, take_name("End Site"));
        joints_[block.joint].end_sites.push_back({std::move(name), {}});
        return open_block(block).map([] { return true; });
    }

    /// Handles a second OFFSET or CHANNELS in one block: an error in strict reading, a note in lenient
    /// reading.
    [[nodiscard]] Result<void> refuse_second(std::string_view word, bool has_one, std::size_t begin) {
        if (has_one && !scanner_.lenient()) {
            return scanner_.fail_at(begin, word, "a second one in this block; allowed is one");
        }
        if (has_one) {
            scanner_.note(rule("entry_repeated"), begin, std::string(word));
        }
        return {};
    }

    [[nodiscard]] Result<bool> read_offset() {
        Block& block = open_.back();
        const std::size_t begin = scanner_.offset();
        TRY_VOID(refuse_second("OFFSET", block.has_offset, begin));
        block.has_offset = true;
        (void)scanner_.take();
        Joint& joint = joints_[block.joint];
        Offset& offset = block.is_end_site ? joint.end_sites.back().offset : joint.offset;
        // Firestorm 7.2.2's poser wrote no numbers for collision volumes.
        const bool is_empty = scanner_.peek() == "}" || same_letters(scanner_.peek(), "CHANNELS");
        if (scanner_.lenient() && is_empty) {
            scanner_.note(rule("offset_missing"), begin, in_quotes(joint.name));
            return true;
        }
        for (double& component : offset) {
            TRY(auto number, scanner_.take_number("OFFSET"));
            component = number;
        }
        return true;
    }

    [[nodiscard]] Result<bool> read_channels() {
        Block& block = open_.back();
        const std::size_t begin = scanner_.offset();
        TRY_VOID(refuse_second("CHANNELS", block.has_channels && !block.is_end_site, begin));
        (void)scanner_.take();
        TRY(auto count, read_channel_count());
        if (block.is_end_site) {
            return count == 0 ? Result<bool>(true)
                              : scanner_.fail_at(begin, "CHANNELS",
                                                 "an end site with channels; allowed is none or 0");
        }
        block.has_channels = true;
        if (block.joint + 1 != joints_.size()) {
            scanner_.note(rule("channels_after_children"), begin, in_quotes(joints_[block.joint].name));
        }
        TRY(auto channels, read_channel_names(count, begin));
        joints_[block.joint].channels = std::move(channels);
        return true;
    }

    [[nodiscard]] Result<std::size_t> read_channel_count() {
        const std::string_view word = scanner_.peek();
        std::size_t count = 0;
        const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), count);
        if (word.empty() || problem != std::errc() || end != word.data() + word.size() ||
            count > max_joint_channels) {
            return scanner_.fail_here("CHANNELS", "a number of channels from 0 to 9");
        }
        (void)scanner_.take();
        return count;
    }

    [[nodiscard]] Result<std::vector<ChannelKind>> read_channel_names(std::size_t count, std::size_t begin) {
        std::vector<ChannelKind> channels;
        channels.reserve(count);
        std::optional<ChannelKind> next = channel_kind_named(scanner_.peek());
        for (; next && channels.size() < max_joint_channels; next = channel_kind_named(scanner_.peek())) {
            if (channels.size() == count && !scanner_.lenient()) {
                return scanner_.fail_here(
                    "CHANNELS", "no more than the " + std::to_string(count) + " channels announced");
            }
            (void)scanner_.take();
            channels.push_back(*next);
        }
        if (channels.size() == count) {
            return channels;
        }
        if (!scanner_.lenient()) {
            return scanner_.fail_here("CHANNELS",
                                      "one of Xposition, Yposition, Zposition, Xrotation, Yrotation, "
                                      "Zrotation, Xscale, Yscale, Zscale");
        }
        scanner_.note(rule("channel_count_differs"), begin,
                      std::to_string(count) + " announced, " + std::to_string(channels.size()) + " named");
        return channels;
    }

    [[nodiscard]] Result<bool> close_block() {
        const std::size_t begin = scanner_.offset();
        if (open_.empty() && !scanner_.lenient()) {
            return scanner_.fail_here("HIERARCHY", "ROOT or MOTION");
        }
        (void)scanner_.take();
        if (open_.empty()) {
            scanner_.note(rule("braces_differ"), begin, "} without a block");
        } else {
            finish_block();
        }
        return true;
    }

    void finish_block() {
        const Block& block = open_.back();
        if (!block.has_offset) {
            scanner_.note(rule("offset_missing"), block.begin, name_of_block(block));
        }
        if (!block.is_end_site && !block.has_channels) {
            scanner_.note(rule("channels_missing"), block.begin, name_of_block(block));
        }
        open_.pop_back();
    }

    [[nodiscard]] std::string name_of_block(const Block& block) const {
        return (block.is_end_site ? "end site of " : "") + in_quotes(joints_[block.joint].name);
    }

    Scanner& scanner_;
    /// The most nodes that a text of this size can hold, so that memory is bounded by the text.
    std::size_t most_nodes_;
    std::size_t nodes_ = 0;
    std::vector<Joint> joints_;
    std::vector<Block> open_;
};

}  // namespace

std::size_t hierarchy_size(std::string_view text) {
    constexpr std::string_view word = "MOTION";
    const auto ends_word = [&](std::size_t at) {
        return at >= text.size() || text::is_blank(text[at]) || text[at] == '{' || text[at] == '}';
    };
    std::size_t at = 0;
    // Names may contain the word.
    while ((at = text.find_first_of("mM", at)) != std::string_view::npos &&
           !(same_letters(text.substr(at, word.size()), word) && ends_word(at + word.size()) &&
             (at == 0 || ends_word(at - 1)))) {
        ++at;
    }
    return std::min(at, text.size());
}

Result<std::vector<Joint>> read_hierarchy(Scanner& scanner) { return HierarchyReader(scanner).read(); }

}  // namespace animbridge::bvh::file

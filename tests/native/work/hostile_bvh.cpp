// SPDX-License-Identifier: MIT
#include "work/hostile_bvh.h"

#include <algorithm>

namespace animbridge::test {

namespace {

constexpr std::size_t deepest = 900;

std::string repeated(const std::string& text, std::size_t count) {
    std::string all;
    all.reserve(text.size() * count);
    for (std::size_t i = 0; i < count; ++i) {
        all += text;
    }
    return all;
}

/// A root that contains `inside`, and a motion of two frames of `numbers` numbers.
std::string around(const std::string& inside, std::size_t numbers, const std::string& channels = "0") {
    std::string frame = repeated("0 ", numbers);
    frame += '\n';
    return "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS " + channels + "\n" + inside +
           "}\nMOTION\nFrames: 2\nFrame Time: 0.1\n" + frame + frame;
}

std::string on_one_line(std::string text) {
    std::replace(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("MOTION")), '\n', ' ');
    return text;
}

/// A chain of joints with one channel each, all with the same name.
std::string equal_names(std::size_t n) {
    const std::string joint = "JOINT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n";
    const std::size_t count = n / joint.size();
    return around(repeated(joint, count), count);
}

std::string different_names(std::size_t n) {
    std::string joints;
    std::size_t count = 0;
    for (; joints.size() < n; ++count) {
        joints += "JOINT a" + std::to_string(count) + "\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n";
    }
    return around(joints, count);
}

std::string braces_in_names(std::size_t n) {
    const std::string joint = "JOINT a{b{{c} { OFFSET 0 0 0 CHANNELS 0 }\n";
    return on_one_line(around(repeated(joint, n / joint.size()), 0));
}

std::string end_sites(std::size_t n) {
    const std::string site = "End Site { OFFSET 0 1.000000 0 }\n";
    return around(repeated(site, n / site.size()), 0);
}

/// Chains of joints, side by side.
std::string deep(std::size_t n) {
    const std::string joint = "JOINT a\n{\nOFFSET 0 1 0\nCHANNELS 0\n";
    const std::string chain = repeated(joint, deepest) + repeated("}\n", deepest);
    return around(repeated(chain, n / chain.size() + 1), 0);
}

/// Each block gets notes about its beginning when it closes, so the reader's positions go back and forth.
std::string notes_back_and_forth(std::size_t n) {
    constexpr std::size_t blocks = 100;
    const std::string lines(n / blocks, '\n');
    return around(repeated("JOINT a\n{\n" + lines, blocks) + repeated("}\n", blocks), 0);
}

std::string carriage_returns(std::size_t n) {
    constexpr std::size_t blocks = 100;
    const std::string lines(n / blocks, '\r');
    return around(repeated("JOINT a\n{\n" + lines + "}\n", blocks), 0);
}

/// One half of the text is joints without channels, the other half is empty frames.
std::string still_joints(std::size_t n) {
    const std::string joint = "JOINT a\n{\nOFFSET 0 1 0\nCHANNELS 0\n}\n";
    return "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 0\n" + repeated(joint, n / 2 / joint.size()) +
           "}\nMOTION\nFrames: " + std::to_string(n / 2) + "\nFrame Time: 0.1\n" + std::string(n / 2, '\n');
}

/// One channel, and joints that do not move.
std::string still_beside_one(std::size_t n) {
    const std::string joint = "ROOT a\n{\nOFFSET 0 1 0\nCHANNELS 0\n}\n";
    return "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n" +
           repeated(joint, n / 2 / joint.size()) + "MOTION\nFrames: " + std::to_string(n / 4) +
           "\nFrame Time: 0.1\n" + repeated("1\n", n / 4);
}

std::string frames_of_one(std::size_t n, const std::string& number, std::size_t declared) {
    const std::size_t count = n / (number.size() + 1);
    return "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: " +
           std::to_string(declared == 0 ? count : declared) + "\nFrame Time: 0.1\n" +
           repeated(number + "\n", count);
}

std::string commas(std::size_t n) { return frames_of_one(n, "1,5", 0); }
std::string huge_numbers(std::size_t n) { return frames_of_one(n, "1e300", 0); }
std::string too_few_frames(std::size_t n) { return frames_of_one(n, "7", n); }
std::string too_many_frames(std::size_t n) { return frames_of_one(n, "7", 1); }
std::string nearly_numbers(std::size_t n) { return frames_of_one(n, "1e+,", 0); }

/// Names that contain the beginning of the word that ends the hierarchy.
std::string nearly_motion(std::size_t n) {
    return around("JOINT " + repeated("MOTIO", n / 5) + "\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\n", 0);
}

}  // namespace

const std::vector<HostileBvh>& hostile_bvhs() {
    static const std::vector<HostileBvh> all = {
        {"joints of one name", equal_names},
        {"joints of one name on one line", [](std::size_t n) { return on_one_line(equal_names(n)); }},
        {"joints of different names", different_names},
        {"joints of different names on one line",
         [](std::size_t n) { return on_one_line(different_names(n)); }},
        {"braces in names", braces_in_names},
        {"end sites", end_sites},
        {"end sites on one line", [](std::size_t n) { return on_one_line(end_sites(n)); }},
        {"deep chains", deep},
        {"notes back and forth", notes_back_and_forth},
        {"carriage returns", carriage_returns},
        {"joints without channels", still_joints},
        {"joints without channels beside one with", still_beside_one},
        {"decimal commas", commas},
        {"numbers that no float holds", huge_numbers},
        {"fewer frames than declared", too_few_frames},
        {"more frames than declared", too_many_frames},
        {"what is nearly a number", nearly_numbers},
        {"what is nearly the word MOTION", nearly_motion},
    };
    return all;
}

}  // namespace animbridge::test

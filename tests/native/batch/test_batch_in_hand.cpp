// SPDX-License-Identifier: MIT
// What a killed run leaves of the inputs in hand.
#include "batch/run/worker.h"
#include "catch.h"
#include "ledger_rows.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::batch::plan;
using namespace animbridge::batch::run;
using namespace animbridge::test;

namespace {

const Input walk{"in/walk.anim", "deep"};
const std::string name = "in-hand";
const Input other{"in/other.anim", ""};

/// Leaves the file like a run that is killed with these inputs in hand.
void kill_with(const Folder& folder, const std::vector<Input>& inputs) {
    const std::string path = folder.place_of(name);
    std::string left;
    {
        InHand in_hand(folder, name, true);
        std::vector<std::unique_ptr<InHand::Hold>> holds;
        for (const Input& input : inputs) {
            holds.push_back(std::make_unique<InHand::Hold>(in_hand, input));
        }
        left = text_of_file(path);
    }
    write_text(path, left);
}

}  // namespace

TEST_CASE("Inputs in hand are counted as long as runs are killed", "[batch]") {
    const ScratchFolder scratch;
    const Folder folder = *Folder::open(scratch.path().string());
    const std::string path = folder.place_of(name);
    kill_with(folder, {walk});
    kill_with(folder, {walk, other});
    CHECK(text_of_file(path).ends_with(R"([{"path":"deep/walk.anim","before":0,"kills":2},)"
                                       R"({"path":"other.anim","before":0,"kills":1}])"
                                       "\n"));
    kill_with(folder, {other});
    {
        InHand in_hand(folder, name, true);
        CHECK(in_hand.kills(walk) == 2);
        CHECK(in_hand.kills(other) == 2);
        { const InHand::Hold hold(in_hand, walk); }
        CHECK(in_hand.kills(walk) == 0);
    }
    CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("A new run, and lines that are none, know of no kills", "[batch]") {
    const ScratchFolder scratch;
    const Folder folder = *Folder::open(scratch.path().string());
    const std::string path = folder.place_of(name);
    kill_with(folder, {walk});
    CHECK(InHand(folder, name, false).kills(walk) == 0);
    for (const std::string line : {"", "7", "[]", "[7]", R"([{"path": 1, "before": 0, "kills": 3}])",
                                   R"([{"path": "deep/walk.anim", "before": 0, "kills": -1}])",
                                   R"([{"path": "deep/walk.anim", "before": 0, "kills": 3})"}) {
        write_text(path, line + "\n");
        CHECK(InHand(folder, name, true).kills(walk) == 0);
    }
    std::filesystem::create_directory(scratch.path() / "taken");
    CHECK(InHand(folder, "taken", true).kills(walk) == 0);
}

// SPDX-License-Identifier: MIT
// Plans in files: lines as other programs write them, and lines that are none.
#include "batch/plan_file.h"
#include "catch.h"
#include "ledger_rows.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::batch;
using namespace animbridge::test;

namespace {

const std::string header = R"({"animbridge_plan": 1, "version": "0.2.0", "reserved": []})"
                           "\n";

Result<Plan> plan_of(const ScratchFolder& folder, const std::string& text) {
    Request request;
    request.version = "0.2.0";
    request.planned = (folder.path() / "plan.jsonl").string();
    write_text(request.planned, text);
    return read_plan(request);
}

}  // namespace

TEST_CASE("A plan's inputs are read", "[batch]") {
    const ScratchFolder folder;
    const auto plan =
        plan_of(folder, header + R"({"input": "in/a.anim", "folder": "", "size": 3})"
                                 "\n"
                                 R"({"input": {"hex": "ff2e6276"}, "folder": "x/y", "before": 2})"
                                 "\n"
                                 R"({"input": "b", "folder": "", "fault": "there is no such file"})");
    REQUIRE(plan);
    REQUIRE(plan->size() == 3);
    CHECK(plan->at(0).path == "in/a.anim");
    CHECK(plan->at(1).path == "\xff.bv");
    CHECK(plan->at(1).folder == "x/y");
    CHECK(plan->at(1).before == 2);
    CHECK(plan->at(2).fault == "there is no such file");
    CHECK(plan->has_file(key_of(real_path("in/a.anim"))));
}

TEST_CASE("Inputs that a plan reserves are inputs of its parts", "[batch]") {
    const ScratchFolder folder;
    const auto plan =
        plan_of(folder, R"({"animbridge_plan": 1, "version": "0.2.0", "reserved": ["kept.bvh"]})");
    REQUIRE(plan);
    CHECK(plan->size() == 0);
    CHECK(plan->has_file(key_of(real_path("kept.bvh"))));
}

TEST_CASE("What is not a plan is an error with its line", "[batch]") {
    const ScratchFolder folder;
    const auto said = [&](const std::string& text) {
        const auto plan = plan_of(folder, text);
        REQUIRE_FALSE(plan);
        CHECK(plan.error().code == ErrorCode::bad_value);
        return plan.error().message();
    };
    CHECK(said("").ends_with("plan.jsonl: it is empty, and not a plan of animbridge batch --plan"));
    CHECK(said("{}").find("line 1: ") != std::string::npos);
    CHECK(said(R"({"animbridge_plan": 2, "version": "0.2.0", "reserved": []})").find("line 1: ") !=
          std::string::npos);
    CHECK(said(R"({"animbridge_plan": 1, "version": "0.1.0", "reserved": []})")
              .find("AnimBridge 0.1.0 made the plan, and this is AnimBridge 0.2.0") != std::string::npos);
    for (const std::string folder_named : {"..", "a/../../b", "/etc", "/"}) {
        const std::string text = header + R"({"input": "a", "folder": ")" + folder_named + "\"}";
        CHECK(said(text).find("line 2: ") != std::string::npos);
    }
    for (const std::string row :
         {"{}", "[]", R"({"input": 3, "folder": ""})", R"({"input": "a", "folder": "", "before": 0})",
          R"({"input": "a", "folder": "", "before": 4294967296})"}) {
        CHECK(said(header + row).find("line 2: ") != std::string::npos);
    }
}

TEST_CASE("A plan that was cut or changed at any byte is read or refused", "[batch][damaged]") {
    const ScratchFolder folder;
    const std::string good = header + R"({"input": "a.anim", "folder": "b", "size": 3, "before": 1})"
                                      "\n";
    for (std::size_t i = 0; i < good.size(); ++i) {
        const auto cut = plan_of(folder, good.substr(0, i));
        CHECK((cut || !cut.error().message().empty()));
        for (const char byte : {'\0', '"', '\xff', '\n'}) {
            std::string changed = good;
            changed[i] = byte;
            const auto plan = plan_of(folder, changed);
            CHECK((!plan || plan->size() <= 2));
        }
    }
}

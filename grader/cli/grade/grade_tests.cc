#include "grader/cli/grade/grade_tests.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <functional>
#include <map>

#include "grader/cli/render/style.h"

namespace fusebox {
namespace {

/// A check that GoogleTest may ask for.
struct Registered {
  Grading* grading = nullptr;
  const Entry* entry = nullptr;
  const Case* which = nullptr;  ///< of a case
  std::function<Check()> run;
};

class GradeTest : public testing::Test {
 public:
  explicit GradeTest(const Registered& registered) : registered_(registered) {}

  void TestBody() override {
    const Check check = registered_.run();
    if (check.outcome == Outcome::skipped) GTEST_SKIP() << check.summary;
    // The file and line that matter are in the check; those of this function would mislead.
    if (check.outcome != Outcome::passed)
      ADD_FAILURE_AT(nullptr, -1) << check.summary << "\n" << check.detail;
  }

 private:
  const Registered& registered_;
};

/// Shows progress in place of GoogleTest's own printer; what was found is rendered from the report.
class Printer : public testing::EmptyTestEventListener {
 public:
  Printer(const GradeRun& run, const std::map<std::string, Registered>& tests) : run_(run), tests_(tests) {}

  void OnTestSuiteStart(const testing::TestSuite& suite) override {
    std::vector<std::pair<const Entry*, const Case*>> cases;
    Grading* grading = nullptr;
    const Entry* entry = nullptr;
    for (int i = 0; i < suite.total_test_count(); ++i) {
      const testing::TestInfo* info = suite.GetTestInfo(i);
      if (!info->should_run()) continue;
      const Registered& test = tests_.at(fmt::format("{}.{}", suite.name(), info->name()));
      grading = test.grading;
      entry = test.entry;
      if (test.which) cases.emplace_back(test.entry, test.which);
    }
    if (!grading) return;
    show_progress(fmt::format("compiling {} ...", grading->puzzle().id));
    grading->check_file();
    show_progress(fmt::format("running {} {} ...", grading->puzzle().id, entry->name));
    if (!grading->error()) grading->record_ahead(cases);
    show_progress("");
  }

  void OnTestSuiteEnd(const testing::TestSuite& suite) override {
    const Registered& any = tests_.at(fmt::format("{}.{}", suite.name(), suite.GetTestInfo(0)->name()));
    if (run_.finished && is_last(*any.grading, suite)) run_.finished(*any.grading);
  }

 private:
  /// No suite of the same grading that has something to run comes behind this one.
  bool is_last(const Grading& grading, const testing::TestSuite& suite) const {
    const auto* unit = testing::UnitTest::GetInstance();
    bool behind = false;
    for (int i = 0; i < unit->total_test_suite_count(); ++i) {
      const testing::TestSuite* other = unit->GetTestSuite(i);
      if (other == &suite) {
        behind = true;
        continue;
      }
      if (!behind || !other->should_run()) continue;
      const auto& test = tests_.at(fmt::format("{}.{}", other->name(), other->GetTestInfo(0)->name()));
      if (test.grading == &grading) return false;
    }
    return true;
  }

  const GradeRun& run_;
  const std::map<std::string, Registered>& tests_;
};

void register_one(std::map<std::string, Registered>& tests, const std::string& suite,
                  const std::string& check, Registered registered) {
  const std::string name = test_name(check);
  const auto [at, fresh] = tests.emplace(suite + "." + name, std::move(registered));
  if (!fresh) return;
  const Registered& kept = at->second;
  testing::RegisterTest(suite.c_str(), name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                        [&kept]() -> GradeTest* { return new GradeTest(kept); });
}

}  // namespace

std::string test_name(const std::string& check) {
  std::string name = check;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

GradeOutcome run_grades(const GradeRun& run) {
  std::vector<std::string> words{"grader"};
  words.insert(words.end(), run.gtest.begin(), run.gtest.end());
  if (!run.xml.empty()) words.push_back("--gtest_output=xml:" + run.xml);  // is read by InitGoogleTest only
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  testing::InitGoogleTest(&argc, argv.data());

  static std::map<std::string, Registered> tests;
  for (Grading* grading : run.gradings) {
    for (const Entry* entry : grading->entries()) {
      const std::string suite = grading->puzzle().id + "_" + test_name(entry->name);
      const auto add = [&](const std::string& check, const Case* which, std::function<Check()> body) {
        register_one(tests, suite, check, {grading, entry, which, std::move(body)});
      };
      add("file", nullptr, [=] { return grading->check_file(); });
      add("signature", nullptr, [=] { return grading->check_signature(*entry); });
      add("blanks", nullptr, [=] { return grading->check_blanks(*entry); });
      for (const Case& which : grading->puzzle().cases)
        add("case " + which.name, &which, [=, &which] { return grading->check_case(*entry, which); });
      for (std::size_t i = 0; i < entry->budgets.size(); ++i)
        add("budget " + entry->budgets[i].metric, nullptr, [=] { return grading->check_budget(*entry, i); });
    }
  }
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  const bool listing = testing::GTEST_FLAG(list_tests);
  if (!listing) {
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new Printer(run, tests));
  }
  GradeOutcome outcome;
  // What counts is the verdict of the report; GoogleTest's own answer calls a run of skipped tests a success.
  [[maybe_unused]] const int theirs = RUN_ALL_TESTS();
  outcome.selected = testing::UnitTest::GetInstance()->test_to_run_count();
  outcome.listed = listing;
  for (const std::string& word : run.gtest) outcome.listed |= word == "--gtest_help";
  return outcome;
}

}  // namespace fusebox

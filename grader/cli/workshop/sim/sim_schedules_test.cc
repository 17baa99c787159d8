#include "grader/cli/workshop/sim/sim_schedules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fusebox {
namespace {

ScheduledRun run(const std::string& output, std::vector<std::string> copies = {},
                 const std::string& fault = "") {
  ScheduledRun run;
  run.ending = "exit code 0";
  run.output = output;
  run.journal.copies = std::move(copies);
  if (!fault.empty()) {
    run.journal.launches.emplace_back().faults.emplace_back();
    run.journal.launches[0].faults[0].kind = fault;
  }
  return run;
}

struct Comparison {
  const char* name;
  ScheduledRun first, again, other;
  std::string said;  ///< empty: nothing differs
};

TEST(SimSchedules, WhatCountsAsADifference) {
  ScheduledRun crashed = run("a\n");
  crashed.ending = "signal 11";
  const Comparison comparisons[] = {
      {"the same", run("a\nb\n"), run("a\nb\n"), run("a\nb\n"), ""},
      {"lines in another order", run("a\nb\n"), run("a\nb\n"), run("b\na\n"), ""},
      {"another line", run("a\nb\n"), run("a\nb\n"), run("a\nc\n"), "in order `b`, here `c`"},
      {"a line more", run("a\n"), run("a\n"), run("a\nc\n"), "here `c`"},
      {"a clock's line", run("a\nt 1\n"), run("a\nt 2\n"), run("a\nt 3\n"), ""},
      {"a clock's line and another", run("a\nt 1\n"), run("a\nt 2\n"), run("b\nt 3\n"), "its output differs"},
      {"another copy", run("", {"4 1", "8 2"}), run("", {"4 1", "8 2"}), run("", {"4 1", "8 3"}),
       "copy 2 from the device"},
      {"copies that never repeat", run("", {"4 1"}), run("", {"4 2"}), run("", {"4 3"}), ""},
      {"fewer copies", run("", {"4 1"}), run("", {"4 1"}), run(""), "0 times, and in order 1 times"},
      {"another end", run("a\n"), run("a\n"), crashed, "ends with signal 11"},
      {"a new fault", run("a\n"), run("a\n"), run("a\n", {}, "race"), "race at"},
      {"a fault that was there", run("a\n", {}, "race"), run("a\n", {}, "race"), run("a\n", {}, "race"), ""},
  };
  for (const Comparison& c : comparisons) {
    const std::string said = difference(c.first, c.again, c.other);
    if (c.said.empty())
      EXPECT_EQ(said, "") << c.name;
    else
      EXPECT_THAT(said, ::testing::HasSubstr(c.said)) << c.name;
  }
}

}  // namespace
}  // namespace fusebox

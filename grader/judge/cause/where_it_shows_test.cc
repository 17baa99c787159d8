#include "grader/judge/cause/where_it_shows.h"

#include "grader/judge/cause/cause.h"
#include "grader/judge/suspect/played_testing.h"

namespace fusebox {
namespace {

using testing::HasSubstr;

class WhereItShowsTest : public played::Played {
 protected:
  /// Cases of these sizes N; those that are no multiple of 32 have this fault, or are wrong without one.
  const Suspect& failing(const std::string& fault, const std::vector<std::int64_t>& sizes) {
    puzzle.cases.clear();
    for (const std::int64_t n : sizes) puzzle.cases.push_back({std::to_string(n), "", {{"N", n}, {"M", 64}}});
    suspect("double", "plus one");
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (puzzle.cases[i].sizes["N"] % 32 == 0) continue;
      CaseResult& result = results[i];
      result.check.outcome = Outcome::failed;
      if (fault.empty()) {
        result.wrong_answer = true;
        continue;
      }
      Fault seen;
      seen.kind = fault, seen.what = "out-of-bounds load", seen.hint = "Compare the index.";
      result.faults.push_back(seen);
      result.fault_launches.push_back(0);
    }
    return *made;
  }
};

TEST_F(WhereItShowsTest, IsSaidOfWrongAnswersAndOfFaults) {
  const char* const says = "it shows where `N` is no multiple of 32, and in no other case";
  for (const char* fault : {"", "out-of-bounds"})
    EXPECT_EQ(where_it_shows(failing(fault, {1, 16, 33, 48, 32, 96, 160})), says) << fault;
  const auto found = find_cause(*made, {});
  ASSERT_TRUE(found.cause);
  EXPECT_EQ(found.cause->sentence, "Out-of-bounds load: compare the index; " + std::string(says) + ".");
}

TEST_F(WhereItShowsTest, SayNothingOfARace) {
  const auto found = find_cause(failing("race-shared", {1, 16, 33, 48, 32, 96, 160}), {});
  ASSERT_TRUE(found.cause);
  EXPECT_EQ(found.cause->sentence.find("it shows"), std::string::npos);
}

TEST_F(WhereItShowsTest, TwoSizesThatAreTakenForEachOther) {
  failing("out-of-bounds", {64, 64, 64, 64, 33, 65, 100, 48});
  EXPECT_THAT(where_it_shows(*made), HasSubstr("`N` is no multiple")) << "one size comes first";
  for (auto& [name, size] : puzzle.cases[4].sizes) size = name == "N" ? 192 : size;
  for (auto& [name, size] : puzzle.cases[7].sizes) size = name == "N" ? 32 : size;
  EXPECT_EQ(where_it_shows(*made),
            "it shows where `M` and `N` differ, and in no other case, as when one is taken for the other");
}

TEST_F(WhereItShowsTest, AFewCasesPartAnything) {
  EXPECT_EQ(where_it_shows(failing("", {1, 33, 32, 96, 160})), "");
  EXPECT_NE(where_it_shows(failing("", {1, 33, 48, 32, 96, 160})), "");
  EXPECT_EQ(where_it_shows(failing("", {32, 96, 160, 64})), "") << "all are right";
  std::vector<std::int64_t> one = {33};
  for (std::int64_t n = 32; n <= 384; n += 32) one.push_back(n);
  EXPECT_EQ(where_it_shows(failing("", one)), "") << "one case is the only one of much";
  one.push_back(48);
  EXPECT_NE(where_it_shows(failing("", one)), "");
}

TEST_F(WhereItShowsTest, ACaseThatWasNotRunMayBeEither) {
  failing("", {1, 16, 33, 48, 32, 96, 160});
  results.back().check.outcome = Outcome::skipped;
  EXPECT_EQ(where_it_shows(*made), "");
}

}  // namespace
}  // namespace fusebox

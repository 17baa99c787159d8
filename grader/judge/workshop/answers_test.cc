#include "grader/judge/workshop/answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace fusebox {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class AnswersTest : public testing::Test {
 protected:
  AnswersTest() : folder_(fs::path(testing::TempDir()) / ("answers" + std::to_string(::getpid()))) {}
  ~AnswersTest() override { fs::remove_all(folder_); }
  fs::path write(const fs::path& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  fs::path folder_;
};

const char kWrong[] = R"(// ENTRY: fused
// CLASS: scaling
// CAUSE: half of it
// SAYS: half|0\.5
// SAYS: `?out
// NEVER: \brace\b
// HELD: yes
// FILL ME IN: body (roughly 1 line)
  out[0] = 0.5f;
// END: body
)";

TEST_F(AnswersTest, AreReadWithWhatIsToBeSaidOfThem) {
  const auto answer = read_answer(write("p20/wrong/half.cu", kWrong));
  ASSERT_TRUE(answer) << answer.error().what;
  EXPECT_EQ(answer->puzzle, "p20");
  EXPECT_EQ(answer->entry, "fused");
  EXPECT_EQ(answer->kind, "scaling");
  EXPECT_TRUE(answer->held);
  EXPECT_FALSE(answer->right);
  EXPECT_EQ(answer->says.size(), 2u);
  EXPECT_THAT(read_answer(write("p20/wrong/bad.cu", "// ENTRY: e\n// CLASS: c\n// SAYS: (\n")).error().what,
              HasSubstr("no regular expression"));
  EXPECT_THAT(read_answer(write("p20/wrong/short.cu", "// ENTRY: e\n")).error().what,
              HasSubstr("short.cu:2: a wrong"));
  EXPECT_EQ(read_answers(folder_, "p21").ok(), false);
}

TEST_F(AnswersTest, BlanksAreTheAnswersAndTheRestIsTheSolutions) {
  const auto answer = read_answer(write("p20/wrong/half.cu", kWrong));
  ASSERT_TRUE(answer) << answer.error().what;
  const auto text = file_of(*answer, "a\n// FILL ME IN: body\nright\n// END: body\nb\n");
  ASSERT_TRUE(text) << text.error().what;
  EXPECT_EQ(*text, "a\n// FILL ME IN: body\n  out[0] = 0.5f;\n// END: body\nb\n");
}

TEST(Fared, IsWhatTheFirstSentenceAndAllThatIsPrintedCameTo) {
  Answer answer;
  answer.says = {"half", "\\bout\\b"}, answer.never = {"\\brace\\b"};
  Report report;
  report.verdict = Outcome::failed;
  report.entries.resize(1);
  report.entries[0].cause.emplace();
  const struct {
    const char *first, *printed;
    Fared fared;
  } rows[] = {{"`out` is HALF of it.", "", Fared::named},
              {"`out` is wrong.", "", Fared::symptom},
              {"`out` is\nhalf", "there is a race", Fared::misleading},
              {"a race on half of `out`", "a race on half of `out`", Fared::untrue},
              {"the trace of half of `out`", "trace", Fared::named}};
  for (const auto& row : rows) {
    report.entries[0].cause->sentence = row.first;
    EXPECT_EQ(fared(answer, report, row.printed), row.fared) << row.first;
  }
  report.verdict = Outcome::passed;
  EXPECT_EQ(fared(answer, report, ""), Fared::passed);
  answer.right = true;
  EXPECT_EQ(fared(answer, report, ""), Fared::right);
  report.verdict = Outcome::failed;
  EXPECT_EQ(fared(answer, report, ""), Fared::rejected);
}

}  // namespace
}  // namespace fusebox

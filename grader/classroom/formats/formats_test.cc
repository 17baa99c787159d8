// What is read of an instructor's tables, and what is made of students' words in each format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "grader/classroom/formats/course.h"
#include "grader/classroom/formats/csv.h"
#include "grader/classroom/formats/markup.h"
#include "grader/classroom/formats/roster.h"
#include "grader/classroom/results/results.h"

namespace fusebox::classroom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Csv, RowsAndCells) {
  EXPECT_THAT(read_csv("a,b\n").rows, ElementsAre(Cells{"a", "b"}));
  EXPECT_THAT(read_csv("\xEF\xBB\xBF"
                       "a,b\r\nc,\r\n\r\n")
                  .rows,
              ElementsAre(Cells{"a", "b"}, Cells{"c", ""}));
  EXPECT_THAT(read_csv("\"a, \"\"b\"\"\nc\",d").rows, ElementsAre(Cells{"a, \"b\"\nc", "d"}));
  EXPECT_THAT(read_csv("").rows, ElementsAre());
  const Csv gaps = read_csv("id\rada\r\n\n,,\nbob");
  EXPECT_THAT(gaps.rows, ElementsAre(Cells{"id"}, Cells{"ada"}, Cells{"bob"}));
  EXPECT_THAT(gaps.numbers, ElementsAre(1u, 2u, 5u));
}

TEST(Csv, AFileThatIsNoneIsSaid) {
  const struct {
    std::string text;
    const char* why;
  } rows[] = {{"id,name\nada,\"Ada\nbob,Bob\n", "t, row 2: a quotation begins"},
              {"id;name\nada;Ada\n", "t has semicolons or tabs"},
              {"id\tname\nada\tAda\n", "t has semicolons or tabs"},
              {{"\xFF\xFEi\0d\0", 6}, "t is no text in UTF-8"}};
  for (const auto& row : rows) {
    EXPECT_THAT(read_roster(row.text, "t").error().what, HasSubstr(row.why));
    EXPECT_THAT(read_course(row.text, "t").error().what, HasSubstr(row.why));
  }
}

TEST(Csv, CellsComeBackAndNoneIsAFormula) {
  const Cells plain_cells{"a", "", "b, \"c\"\nd"};
  EXPECT_THAT(read_csv(csv_line(plain_cells)).rows, ElementsAre(plain_cells));
  EXPECT_EQ(csv_line({"=1+1", "+1", "-1", "@x", "1=1"}), "'=1+1,'+1,'-1,'@x,1=1\n");
  EXPECT_EQ(csv_line({std::string("a\0\x1b[2Jb", 7)}), "a[2Jb\n");
}

TEST(Roster, ColumnsByNameOrPlace) {
  const auto named = read_roster("email,name,ID\nx@y,Ada L,ada\n", "r");
  ASSERT_TRUE(named.ok()) << named.error().what;
  EXPECT_EQ(named->at(0).id, "ada");
  EXPECT_EQ(named->at(0).name, "Ada L");
  const auto bare = read_roster("ada\nbob,Bob\n", "r");
  ASSERT_TRUE(bare.ok());
  EXPECT_EQ(bare->size(), 2u);
  EXPECT_EQ(bare->at(1).name, "Bob");
}

TEST(Roster, WhatIsNoIdIsRefusedWithItsRow) {
  for (const char* id : {"../x", ".", ".hidden", "-rf", "a/b", "a b", "", "$(touch x)"}) {
    const auto roster = read_roster("id,name\nada,A\n\"" + std::string(id) + "\",x\n", "list.csv");
    ASSERT_FALSE(roster.ok()) << id;
    EXPECT_THAT(roster.error().what, HasSubstr("list.csv, row 3"));
    EXPECT_EQ(roster.error().kind, ErrorKind::wrong_usage);
  }
  EXPECT_THAT(read_roster("id\nada\nada\n", "r").error().what, HasSubstr("twice"));
  EXPECT_THAT(read_roster("id\nada\nbob\nAda\n", "r").error().what, HasSubstr("row 4: Ada differs from ada"));
  EXPECT_THAT(read_roster("id\n\n\nada\nb b\n", "r").error().what, HasSubstr("row 5"));
  EXPECT_THAT(read_roster("name\nAda\n", "r").error().what, HasSubstr("no column `id`"));
  EXPECT_FALSE(read_roster("", "r").ok());
}

TEST(Markup, WhatIsNoTextBecomesText) {
  EXPECT_EQ(plain("a\tb\n\x1b[0m\x7f\xc3\xa9"), "a\tb\n\xEF\xBF\xBD[0m\xEF\xBF\xBD\xc3\xa9");
  // Overlong, surrogate, beyond the last, cut off, a lone continuation, one that XML refuses.
  for (const char* bad :
       {"\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80", "\xef\xbf\xbf"}) {
    for (const char c : plain(bad))
      EXPECT_THAT(std::string("\xEF\xBF\xBD"), HasSubstr(std::string(1, c))) << bad;
  }
  EXPECT_EQ(escaped("<a href=\"x\" id='y'>&]]>"), "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;]]&gt;");
}

const std::string kHostile = "</td><script>alert(1)</script>]]>\x1b[2J\xff=HYPERLINK(\"x\")";

Results sample() {
  Results results;
  results.students = {{"ada", "Ada"}, {"bob", kHostile}, {"cy", ""}};
  results.puzzles = {"p01", "p02"};
  Row good{"ada", "p01", Verdict::pass, "p01 is solved", "", {{"case one", "passed", "fine"}}, 1.5, "t", "k"};
  Row bad{"bob", "p01", Verdict::wrong_answer, kHostile, kHostile, {{"case one", "failed", kHostile}}, 2,
          "t",   "k"};
  Row lost{"cy", "p02", Verdict::infra_error, "no room", "", {}, 0, "t", "k"};
  for (const Row& row : {good, bad, lost}) results.add(row);
  return results;
}

TEST(Formats, TablesHaveALineForEverybody) {
  EXPECT_EQ(results_csv(sample()).substr(0, 60),
            "id,name,passed,p01,p02\nada,Ada,1,PASS,\nbob,\"</td><script>ale");
  EXPECT_THAT(results_csv(sample()), HasSubstr("\ncy,,0,,INFRA_ERROR\n"));
  EXPECT_THAT(cases_csv(sample()), HasSubstr("ada,p01,case one,passed,fine\n"));
  const std::string lines = rows_jsonl(sample());
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 3);
}

TEST(Course, WeightsAndHiddenSeeds) {
  const auto course = read_course("puzzle,weight,hidden\np01,,\np20,2.5,3\np04\n", "c");
  ASSERT_TRUE(course.ok()) << course.error().what;
  ASSERT_EQ(course->size(), 3u);
  EXPECT_EQ(course->at(0).weight, 1);
  EXPECT_EQ(course->at(1).puzzle, "p20");
  EXPECT_EQ(course->at(1).weight, 2.5);
  EXPECT_EQ(course->at(1).hidden, 3u);
  EXPECT_EQ(course->at(2).hidden, 0u);
  const struct {
    const char *text, *why;
  } rows[] = {{"", "row 1: there is no column `puzzle`"},
              {"puzzle\n", "no puzzle is due"},
              {"weight\n1\n", "no column `puzzle`"},
              {"puzzle,points\np01,1\n", "`points` is no column"},
              {"puzzle,weight\np01,1\n,2\n", "row 3: it names no puzzle"},
              {"puzzle\np01\np01\n", "row 3: p01 is there twice"},
              {"puzzle,weight\np01,-1\n", "weight is a number from 0 to 1000"},
              {"puzzle,weight\np01,nan\n", "weight is a number"},
              {"puzzle,weight\np01,1x\n", "weight is a number"},
              {"puzzle,hidden\np01,21\n", "hidden is a whole number from 0 to 20"},
              {"puzzle,hidden\np01,1.5\n", "hidden is a whole number"},
              {"puzzle,case\np01,N=1\n", "`case` is no column"}};
  for (const auto& row : rows) {
    const auto read = read_course(row.text, "course.csv");
    ASSERT_FALSE(read.ok()) << row.text;
    EXPECT_EQ(read.error().kind, ErrorKind::wrong_usage);
    EXPECT_THAT(read.error().what, HasSubstr(row.why));
  }
}

TEST(Formats, ACoursesWeightsArePoints) {
  Results results = sample();
  results.weights = {{"p01", 2.5}, {"p02", 1}};
  EXPECT_THAT(results_csv(results), HasSubstr("id,name,passed,points,p01,p02\nada,Ada,1,2.5,PASS,\n"));
  EXPECT_THAT(results_csv(results), HasSubstr("\ncy,,0,0,,INFRA_ERROR\n"));
  EXPECT_THAT(summary_page(results), HasSubstr("<th>points of 3.5</th>"));
  EXPECT_THAT(student_page(results, results.students[0]), HasSubstr("<p>2.5 of 3.5 points.</p>"));
  const auto tests = nlohmann::json::parse(gradescope_json(results, results.students[0])).at("tests");
  EXPECT_EQ(tests.at(0).at("score"), 2.5);
  EXPECT_EQ(tests.at(0).at("max_score"), 2.5);
  EXPECT_EQ(tests.at(1).at("score"), 0.0);
}

TEST(Formats, MarkupHoldsNothingThatAStudentWroteAsMarkup) {
  for (const std::string& text :
       {junit_xml(sample()), summary_page(sample()), student_page(sample(), sample().students[1])}) {
    EXPECT_THAT(text, Not(HasSubstr("<script")));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\xff")));
    EXPECT_THAT(text, HasSubstr("&lt;script&gt;"));
  }
  EXPECT_THAT(junit_xml(sample()),
              HasSubstr("<testsuite name=\"p02\" tests=\"1\" failures=\"0\" errors=\"1\">"));
  EXPECT_THAT(summary_page(sample()), HasSubstr("<td class=\"number\">1 of 2</td>"));
  // Nobody graded what was not handed in.
  Results results = sample();
  results.add({"cy", "p01", Verdict::invalid_submission, "nothing was handed in", "", {}, 0, "t", "k"});
  EXPECT_THAT(summary_page(results), Not(HasSubstr("nothing was handed in")));
}

TEST(Formats, GradescopeTakesNumbersAndText) {
  const auto json = nlohmann::json::parse(gradescope_json(sample(), sample().students[1]));
  EXPECT_FALSE(json.contains("score")) << "it would override the tests";
  ASSERT_EQ(json.at("tests").size(), 2u);
  const auto& test = json.at("tests").at(0);
  EXPECT_EQ(test.at("score"), 0.0);
  EXPECT_TRUE(test.at("score").is_number());
  EXPECT_EQ(test.at("output_format"), "text");
  EXPECT_EQ(test.at("status"), "failed");
  EXPECT_EQ(json.at("tests").at(1).at("output"), "not graded yet");
}

TEST(Formats, ExercismsThreeStates) {
  const Results results = sample();
  const auto status = [&](const char* student, const char* puzzle) {
    return nlohmann::json::parse(exercism_json(*results.find(student, puzzle)))
        .at("status")
        .get<std::string>();
  };
  EXPECT_EQ(status("ada", "p01"), "pass");
  EXPECT_EQ(status("bob", "p01"), "fail");
  EXPECT_EQ(status("cy", "p02"), "error");
  EXPECT_EQ(nlohmann::json::parse(exercism_json(*results.find("ada", "p01"))).at("version"), 3);
}

}  // namespace
}  // namespace fusebox::classroom

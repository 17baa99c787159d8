#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "grader/judge/patterns/patterns_testing.h"

namespace fusebox::patterns {
namespace {

using namespace made_up;
using ::testing::HasSubstr;

using Where = std::function<bool(std::int64_t, std::int64_t)>;

/// Values that are wrong, and follow no rule.
void spoil(WrongOutput& output, const Where& where) {
  Random random(11);
  set_all(output, [&](auto r, auto c, double e) { return where(r, c) ? random.uniform(10, 90) : e; });
}

TEST(Place, TableOfWrongPlaces) {
  const struct {
    std::int64_t rows, columns;
    Where where;
    const char* says;
  } rows[] = {
      {4, 300, [](auto, auto c) { return c >= 256; },
       "Columns 256 and on of `out` are wrong, nothing else; whole groups of 256 end there."},
      {4, 300, [](auto, auto c) { return c >= 288; }, "whole groups of 32 end there."},
      {4, 257, [](auto, auto c) { return c >= 256; },
       "The last column (256) of `out` is wrong, nothing else; whole groups of 256 end there."},
      {20, 10, [](auto r, auto) { return r >= 17; }, "Rows 17 and on of `out` are wrong, nothing else."},
      {20, 10, [](auto r, auto) { return r == 19; }, "The last row (19) of `out` is wrong, nothing else."},
      {20, 10, [](auto r, auto) { return r < 3; }, "Rows 0 to 2 of `out` are wrong, nothing else."},
      {20, 10, [](auto, auto c) { return c > 0; },
       "All columns but column 0 of `out` are wrong, nothing else."},
      {20, 10, [](auto r, auto) { return r == 4; }, "Row 4 of `out` is wrong, nothing else."},
      {50, 90, [](auto r, auto c) { return r >= 32 || c >= 64; },
       "Only columns 0 to 63 of rows 0 to 31 of `out` are right."},
      {50, 90, [](auto r, auto c) { return r >= 32 && c >= 64; },
       "Columns 64 and on of rows 32 and on of `out` are wrong, nothing else."},
      {20, 10, [](auto r, auto c) { return r != c && r > c; }, ""},
      {4, 128, [](auto, auto c) { return c % 32 >= 16; },
       "Columns whose number modulo 32 is 16 to 31 of `out` are wrong, nothing else; those are lanes 16 to "
       "31 where "
       "neighbouring threads take neighbouring columns."},
      {4, 128, [](auto, auto c) { return c % 32 == 0; }, "that is lane 0 of every warp"},
      {4, 128, [](auto, auto c) { return c % 4 == 3; }, "Every 4th column from 3 on of `out` is wrong"},
      {9, 20, [](auto r, auto) { return r % 2 == 1; }, "Every second row from 1 on of `out` is wrong"},
  };
  for (const auto& row : rows) {
    WrongOutput output = right_matrix(row.rows, row.columns);
    spoil(output, row.where);
    EXPECT_THAT(first_sentence(output), HasSubstr(row.says));
    if (std::string(row.says).empty()) {
      EXPECT_EQ(all_sentences(output), "");
    }
  }
}

TEST(Place, TableOfUnwrittenPlacesAndTheirLaunch) {
  const LaunchedKernel one{"kernel", {4, 1, 1}, {256, 1, 1}, false};
  const LaunchedKernel loops{"kernel", {2, 1, 1}, {100, 1, 1}, true};
  const struct {
    std::int64_t rows, columns;
    LaunchedKernel launch;
    Where where;
    const char* says;
  } rows[] = {
      {4, 300, one, [](auto, auto c) { return c >= 256; },
       "Columns 256 and on of `out` were never written, nothing else; 256 is the number of threads in a "
       "block, and "
       "the kernel has no loop."},
      {9, 30, one, [](auto r, auto) { return r >= 4; },
       "Rows 4 and on of `out` were never written, nothing else; 4 is the number of blocks in the grid, and "
       "the kernel has no loop."},
      {40, 30, one, [](auto r, auto) { return r >= 32; }, "32 is the number of warps in the launch"},
      {9, 50, loops, [](auto r, auto) { return r >= 4; },
       "; 200 elements are the number of threads in the launch."},
      {9, 300, loops, [](auto, auto c) { return c >= 128; },
       "Columns 128 and on of `out` were never written, nothing else."},
      {9, 300, loops, [](auto, auto) { return true; },
       "`out` was never written: nobody stored to any element of it."},
      {30, 5, loops, [](auto r, auto) { return r == 29; }, "The last row (29) of `out` was never written"},
      {9, 70, loops, [](auto r, auto c) { return r * 70 + c >= 400; },
       "Elements 400 and on of `out` were never written, nothing else; 400 is 4 for each thread of a block or "
       "400 is 2 for each thread of the launch."},
      {9, 70, loops, [](auto r, auto c) { return r * 70 + c >= 100 && r * 70 + c < 200; },
       "Elements 100 to 199 of `out` were never written, nothing else; 100 is the number of threads in a "
       "block."},
  };
  for (const auto& row : rows) {
    WrongOutput output = right_matrix(row.rows, row.columns);
    output.launches = {row.launch};
    leave_out(output, row.where);
    EXPECT_THAT(first_sentence(output), HasSubstr(row.says));
  }
}

TEST(Place, OneBlockIsWhyOthersRowsWereNotWritten) {
  WrongOutput output = right_matrix(9, 30);
  output.launches = {{"kernel", {1, 1, 1}, {64, 1, 1}, false}};
  leave_out(output, [](auto r, auto) { return r >= 1; });
  EXPECT_THAT(first_sentence(output), HasSubstr("1 is the number of blocks in the grid"));
  // A block that has written them has come to them.
  output = right_matrix(9, 30);
  output.launches = {{"kernel", {1, 1, 1}, {64, 1, 1}, false}};
  for (std::size_t i = 30; i < output.got.size(); ++i) output.got[i] += 1.0 + static_cast<double>(i % 7);
  EXPECT_THAT(first_sentence(output), HasSubstr("but row 0"));
  EXPECT_THAT(all_sentences(output), testing::Not(HasSubstr("the number of blocks")));
}

TEST(Place, TheDiagonalOfSquares) {
  WrongOutput output = right_matrix(20, 20);
  leave_out(output, [](auto r, auto c) { return r == c; });
  EXPECT_EQ(first_sentence(output),
            "The elements on the diagonal of `out` were never written, nothing else.");
  leave_out(output, [](auto r, auto c) { return r == c && r != 7; });
  EXPECT_THAT(all_sentences(output), testing::Not(HasSubstr("diagonal")));
  leave_out(output, [](auto r, auto c) { return r / 8 == c / 8; });
  EXPECT_EQ(first_sentence(output),
            "The squares of 8 x 8 on the diagonal of `out` were never written, nothing else.");
  // Above the diagonal nothing is asked for.
  leave_out(output, [](auto r, auto c) { return r / 8 == c / 8 && c <= r; });
  EXPECT_EQ(first_sentence(output),
            "The lower halves of the squares of 8 x 8 on the diagonal of `out` were never written, nothing "
            "else.");
  leave_out(output, [](auto r, auto c) { return r / 8 == c / 8 && c <= r && r != 9; });
  EXPECT_THAT(all_sentences(output), testing::Not(HasSubstr("diagonal")));
}

TEST(Place, GroupsOfColumnsThatTheDiagonalCuts) {
  WrongOutput output = right_matrix(20, 20);
  const auto cut = [](auto r, auto c) { return r / 4 == c / 4 && c <= r && r % 4 != 3; };
  leave_out(output, cut);
  EXPECT_EQ(
      first_sentence(output),
      "The elements on and left of the diagonal in groups of 4 columns that it cuts in two, of `out` were "
      "never written, nothing else.");
  leave_out(output, [&](auto r, auto c) { return cut(r, c) && r != 9; });
  EXPECT_THAT(all_sentences(output), testing::Not(HasSubstr("diagonal")));
}

TEST(Place, WholePiecesBehindTheLastWholeGroup) {
  const auto left_out = [](std::int64_t n, std::int64_t from, std::int64_t to) {
    WrongOutput output = right_vector(n);
    output.launches = {{"copy", {2, 1, 1}, {256, 1, 1}, {}}};
    leave_out(output, [&](auto, auto c) { return c >= from && c < to; });
    return output;
  };
  const auto said = [](const std::vector<WrongOutput>& outputs) {
    std::vector<WrongCase> cases;
    cases.reserve(outputs.size());
    for (const WrongOutput& output : outputs) cases.push_back({"case", output});
    const auto found = explain(cases);
    return found.empty() || found[0].sentences.empty() ? "" : found[0].sentences[0];
  };
  // A block has 4096, 4 pieces for each of its threads.
  const std::vector<WrongOutput> cases = {left_out(31, 0, 28), left_out(40, 0, 40),
                                          left_out(4103, 4096, 4100), left_out(8191, 4096, 8188)};
  EXPECT_EQ(said(cases),
            "The whole pieces of 4 elements behind the last whole group of 4096 of `out` were never written, "
            "nothing else.");
  auto other = cases;
  other.push_back(left_out(5000, 4096, 4999));
  EXPECT_THAT(said(other), testing::Not(HasSubstr("pieces")));
}

TEST(Place, OfABlocksWarpsTheFirstAlone) {
  WrongOutput output = right_vector(99);
  output.launches = {{"rows", {25, 1, 1}, {128, 1, 1}, {}}};
  leave_out(output, [](auto, auto c) { return c % 4 != 0; });
  EXPECT_THAT(first_sentence(output),
              HasSubstr("; a block has 4 warps, and the element of its first alone is not among them."));
  output.launches[0].block = {256, 1, 1};
  EXPECT_THAT(first_sentence(output), testing::Not(HasSubstr("warps")));
}

TEST(Place, OneElementIsTheLastAndOnTheDiagonalToo) {
  const auto said = [](std::int64_t rows, std::int64_t columns, const Where& where) {
    WrongOutput one = right_matrix(1, 1), many = right_matrix(rows, columns);
    leave_out(one, [](auto, auto) { return true; });
    leave_out(many, where);
    const auto explained = explain(std::vector<WrongCase>{{"single", one}, {"many", many}});
    return explained[0].only_in + explained[0].sentences[0];
  };
  EXPECT_THAT(said(40, 40, [](auto r, auto c) { return r == c; }),
              testing::StartsWith("The elements on the diagonal"));
  EXPECT_THAT(said(9, 33, [](auto, auto c) { return c == 32; }), testing::StartsWith("The last column"));
}

TEST(Place, SomeAreRightByLuck) {
  WrongOutput output = right_matrix(4, 300);
  spoil(output, [](auto r, auto c) { return c >= 256 && (r * 300 + c) % 9 != 0; });
  EXPECT_THAT(first_sentence(output), HasSubstr("lie among the 176 of columns 256 and on"));
}

TEST(Place, AVectorsTail) {
  WrongOutput output = right_vector(1025);
  output.launches = {{"adam", {1, 1, 1}, {256, 1, 1}, {}}};
  leave_out(output, [](auto, auto c) { return c >= 1024; });
  EXPECT_THAT(first_sentence(output), HasSubstr("The last element (1024) of `out` was never written"));
  EXPECT_THAT(first_sentence(output), HasSubstr("1024 is 4 for each thread of the launch"));
}

TEST(Place, TheAxesOwnNamesAreUsed) {
  WrongOutput output = right_matrix(20, 40);
  output.axes = {"token", "feature"};
  leave_out(output, [](auto r, auto c) { return r >= 7 && c < 5; });
  EXPECT_EQ(first_sentence(output),
            "Features 0 to 4 of tokens 7 and on of `out` were never written, nothing else.");
}

TEST(Place, UnwrittenAndWrongAreToldApart) {
  WrongOutput output = right_matrix(8, 40);
  spoil(output, [](auto r, auto) { return r == 3; });
  leave_out(output, [](auto, auto c) { return c >= 32; });
  EXPECT_THAT(all_sentences(output), HasSubstr("Columns 32 and on of `out` were never written"));
  EXPECT_THAT(all_sentences(output), HasSubstr("Row 3 of `out` is wrong"));
}

TEST(Place, ScatteredElementsHaveNoPlace) {
  WrongOutput output = right_matrix(16, 40);
  Random random(3);
  spoil(output, [&](auto, auto) { return random.below(3) == 0; });
  EXPECT_EQ(all_sentences(output), "");
}

}  // namespace
}  // namespace fusebox::patterns

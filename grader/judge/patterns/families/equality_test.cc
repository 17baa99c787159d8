#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "grader/judge/patterns/patterns_testing.h"

namespace fusebox::patterns {
namespace {

using namespace made_up;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Equality, TableOfPlaces) {
  using Source = std::function<std::int64_t(std::int64_t, std::int64_t)>;  // of row and column, 8 x 12
  const struct {
    Source source;
    const char* says;
  } rows[] = {
      {[](auto r, auto c) { return (r + 1) % 8 * 12 + c; },
       "holds in row r the right answer of row (r + 1) % 8 everywhere."},
      {[](auto r, auto c) { return std::min<std::int64_t>(r + 1, 7) * 12 + c; },
       "holds in row r the right answer of row r + 1 in all 84 wrong elements."},
      {[](auto, auto c) { return c; }, "holds in every row the right answer of row 0 everywhere."},
      {[](auto r, auto c) { return (7 - r) * 12 + c; },
       "holds in row r the right answer of row last - r everywhere."},
      {[](auto r, auto c) { return r % 3 * 12 + c; }, "the right answer of row r % 3 everywhere."},
      {[](auto r, auto c) { return r / 2 * 12 + c; }, "the right answer of row r / 2"},
      {[](auto r, auto c) { return (r ^ 1) * 12 + c; },
       "of row r + 1 where r is even, else r - 1 everywhere."},
      {[](auto r, auto c) { return r * 12 + std::max<std::int64_t>(c - 2, 0); },
       "holds in column r the right answer of column r - 2 in 80 of 88 wrong elements."},
      {[](auto r, auto c) { return (r * 12 + c) % 8 * 12 + (r * 12 + c) / 8; },
       "`out` is the right answer transposed"},
      {[](auto r, auto c) { return std::min<std::int64_t>(r * 12 + c + 5, 95); },
       "holds at each place the right answer of 5 elements further on"},
      {[](auto r, auto c) { return 95 - (r * 12 + c); }, "`out` is the right answer backwards everywhere."},
  };
  for (const auto& row : rows) {
    WrongOutput output = right_matrix(8, 12);
    set_all(output, [&](auto r, auto c, double) {
      return output.tensor.expected[static_cast<std::size_t>(row.source(r, c))];
    });
    EXPECT_THAT(all_sentences(output), HasSubstr(row.says));
  }
}

TEST(Equality, TableOfTensorsAndValues) {
  const struct {
    std::function<double(const WrongOutput&, std::int64_t, std::int64_t)> value;
    const char* says;
  } rows[] = {
      {[](auto&, auto, auto) { return 0.0; }, "`out` is 0 everywhere."},
      {[](auto&, auto, auto) { return 3.0; }, "`out` is 3, one value, everywhere."},
      {[](auto&, auto, auto) { return 12.0; }, "`out` is 12 = N, one value, everywhere."},
      {[](auto& o, auto r, auto c) { return o.others[2].values[r * 12 + c]; }, "`out` is `x` everywhere."},
      {[](auto& o, auto, auto c) { return o.others[0].values[c]; }, "`out` is `bias`[column] everywhere."},
      {[](auto& o, auto r, auto) { return o.others[1].values[r]; }, "`out` is `mean`[row] everywhere."},
      {[](auto& o, auto r, auto c) { return (*o.before)[r * 12 + c]; },
       "`out` is what it was before the call everywhere."},
      {[](auto&, auto r, auto) { return 0.1 + r; }, "one and the same value all along each row everywhere."},
      {[](auto&, auto, auto c) { return 0.1 + c; }, "has the same values in every row everywhere."},
  };
  for (const auto& row : rows) {
    WrongOutput output = right_matrix(8, 12);
    output.before = Random(7).normals(96);
    set_all(output, [&](auto r, auto c, double) { return row.value(output, r, c); });
    EXPECT_THAT(first_sentence(output), HasSubstr(row.says));
  }
}

TEST(Equality, ExactTensorsHaveNoRoundingToHideBehind) {
  WrongOutput output = right_matrix(8, 12);
  output.tensor.tolerance = {0, 0, "a copy"};
  set_all(output,
          [&](auto r, auto c, double) { return output.tensor.expected[r == 0 ? c : (r - 1) * 12 + c]; });
  EXPECT_THAT(first_sentence(output), HasSubstr("of row r - 1 in all 84 wrong elements"));
  set_all(output, [&](auto r, auto c, double) {
    return 1.0001 * output.tensor.expected[r == 0 ? c : (r - 1) * 12 + c];
  });
  EXPECT_THAT(all_sentences(output), Not(HasSubstr("row")));
}

TEST(Equality, RowsThatAreAlikeProveNothing) {
  // All right answers are one value but for two: any row is any other row's.
  WrongOutput output = right_matrix(8, 12);
  output.tensor.expected.assign(96, 1.0);
  output.got.assign(96, 1.0);
  output.got[5] = output.got[9] = 4;
  EXPECT_THAT(all_sentences(output), Not(HasSubstr("right answer of")));
}

TEST(Equality, OfTwoAnswersTheWrongOneIsTheOther) {
  WrongOutput output = right_matrix(8, 12);
  for (std::size_t i = 0; i < 96; ++i) output.tensor.expected[i] = i % 3 == 0 ? 1 : 0;
  output.tensor.dtype = DType::i32;
  output.tensor.tolerance = {0, 0, "a choice"};
  output.got = output.tensor.expected;
  for (std::size_t i = 0; i < 40; ++i) output.got[i] = 1;
  EXPECT_THAT(all_sentences(output), Not(HasSubstr("is 1")));
  output.got.assign(96, 1.0);
  EXPECT_THAT(all_sentences(output), HasSubstr("`out` is 1, one value, everywhere."));
}

TEST(Equality, SevenElementsProveNothing) {
  WrongOutput output = right_matrix(8, 12);
  for (std::size_t i = 0; i < 7; ++i) output.got[i] = 0;
  EXPECT_THAT(all_sentences(output), Not(HasSubstr("is 0")));
  output.got[7] = output.got[8] = 0;
  EXPECT_THAT(all_sentences(output), HasSubstr("`out` is 0 in all 9 wrong elements."));
}

TEST(Equality, TwoKindsInAnotherOrder) {
  const auto said = [](auto source, std::int64_t count = std::int64_t{3} * 2 * 37) {
    WrongOutput output = right_vector(count);
    output.numbers.push_back({"N", 37});
    set_all(output, [&](auto, auto i, auto) {
      return output.tensor.expected[static_cast<std::size_t>(source(i % 74) + i / 74 * 74)];
    });
    return all_sentences(output);
  };
  const auto side_by_side = [](std::int64_t k) { return k % 2 * 37 + k / 2; };
  EXPECT_THAT(
      said(side_by_side),
      HasSubstr("`out` holds the right values in another order: 2 side by side for each of `N`, and not "
                "all `N` of one kind before those of the next,"));
  EXPECT_THAT(
      said([](std::int64_t k) { return k % 37 * 2 + k / 37; }),
      HasSubstr("another order: all `N` of one kind before those of the next, and not 2 side by side"));
  EXPECT_THAT(said([](std::int64_t k) { return (k + 1) % 74; }), Not(HasSubstr("another order")));
}

}  // namespace
}  // namespace fusebox::patterns

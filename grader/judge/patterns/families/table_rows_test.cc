#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "grader/judge/patterns/patterns_testing.h"

namespace fusebox::patterns {
namespace {

using namespace made_up;
using ::testing::HasSubstr;
using ::testing::Not;

/// out[r] = table[ids[r]], 0 where there is no such row; `row` says which row came instead, -1: zeros.
WrongOutput gather(const std::function<std::int64_t(const std::vector<double>& ids, std::int64_t r)>& row,
                   bool unknown) {
  constexpr std::int64_t kTokens = 20, kRows = 12, kWidth = 6;
  WrongOutput output = right_matrix(kTokens, kWidth);
  Random random(31);
  const auto table = random.normals(kRows * kWidth);
  std::vector<double> ids;
  for (std::int64_t r = 0; r < kTokens; ++r)
    ids.push_back(static_cast<double>(unknown && r % 3 == 0 ? kRows + r : random.below(kRows)));
  output.tensor.tolerance = {0, 0, "a copy"};
  const auto fill = [&](std::vector<double>& values, auto&& source) {
    for (std::int64_t r = 0; r < kTokens; ++r) {
      const std::int64_t from = source(r);
      for (std::int64_t c = 0; c < kWidth; ++c)
        values[static_cast<std::size_t>(r * kWidth + c)] =
            from < 0 || from >= kRows ? 0 : table[static_cast<std::size_t>(from * kWidth + c)];
    }
  };
  fill(output.tensor.expected, [&](auto r) { return static_cast<std::int64_t>(ids[r]); });
  fill(output.got, [&](auto r) { return row(ids, r); });
  output.others = {{"ids", {kTokens}, ids}, {"table", {kRows, kWidth}, table}};
  return output;
}

TEST(TableRows, Table) {
  const auto id = [](const std::vector<double>& ids, std::int64_t r) {
    return static_cast<std::int64_t>(ids[static_cast<std::size_t>(r)]);
  };
  const struct {
    bool unknown;
    std::function<std::int64_t(const std::vector<double>&, std::int64_t)> row;
    const char* says;
  } rows[] = {
      {false, [&](auto& ids, auto r) { return std::max<std::int64_t>(id(ids, r) - 1, 0); },
       "Row r of `out` is row `ids`[r] - 1 of `table`"},
      {false, [&](auto& ids, auto r) { return id(ids, std::min<std::int64_t>(r + 1, 19)); }, "of row r + 1"},
      {false, [&](auto&, auto) { return 7; }, "Row r of `out` is row 7 of `table`"},
      {false, [&](auto&, auto r) { return r % 12; }, "rows of `table`, but not those they should be"},
      {true, [&](auto& ids, auto r) { return std::min<std::int64_t>(id(ids, r), 11); },
       "Row r of `out` is row `ids`[r], cut to the ends of it, of `table` in all 42 wrong elements."},
      {true, [&](auto& ids, auto r) { return id(ids, r) % 12; },
       "Row r of `out` is row `ids`[r] modulo its 12 rows of `table` in all 42 wrong elements."},
  };
  for (const auto& row : rows) EXPECT_THAT(all_sentences(gather(row.row, row.unknown)), HasSubstr(row.says));
}

TEST(TableRows, RowsThatAreNotInTheTableAreNot) {
  WrongOutput output = gather([](auto&, auto) { return 3; }, false);
  for (double& v : output.got) v *= 1.5;
  EXPECT_THAT(all_sentences(output), Not(HasSubstr("`table`")));
}

}  // namespace
}  // namespace fusebox::patterns

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "grader/catalog/random.h"
#include "grader/judge/patterns/recompute/recompute.h"

/// Slips of threads that share a row, written as their kernels are: the finder is not asked to recognise its
/// own changes.
namespace fusebox::patterns {
namespace {

using testing::HasSubstr;
using Values = std::vector<double>;

constexpr std::size_t kBlock = 192, kWarp = 32;  // six warps
constexpr std::size_t kNowhere = 1 << 20;        // where 0 stands

struct Rows {
  std::size_t rows, columns;
  Values x, gamma;
  double of(std::size_t r, std::size_t c) const { return x[r * columns + c]; }
};

/// out = x gamma / N, or total = the sum of x over the row.
Formula scaled_rows() {
  Formula f;
  f.axes = {{"row", {"M"}}, {"column", {"N"}}};
  output(tensor(f, "x", {"row", "column"}) * tensor(f, "gamma", {"column"}) / number(f, "N"), "out");
  return f;
}
Formula row_totals() {
  Formula f;
  f.axes = {{"row", {"M"}}, {"column", {"N"}}};
  output(sum(tensor(f, "x", {"row", "column"}), "column"), "out");
  return f;
}

using Kernel = std::function<Values(const Rows&)>;

CaseOutputs case_of(const Kernel& right, const Kernel& wrong, std::size_t rows, std::size_t columns) {
  Random random(columns);
  const auto m = static_cast<std::int64_t>(rows), n = static_cast<std::int64_t>(columns);
  const Rows given{rows, columns, random.normals(m * n, 0.5, 1), random.normals(n)};
  CaseOutputs made;
  made.bindings.tensors = {{"x", given.x}, {"gamma", given.gamma}};
  made.bindings.numbers = {
      {"M", static_cast<double>(m)}, {"N", static_cast<double>(n)}, {kThreadsOfABlock, kBlock}};
  made.bindings.lengths = {{"row", m}, {"column", n}};
  WrongOutput out;
  out.tensor.name = "out", out.tensor.role = Role::out, out.tensor.tolerance = {2e-5, 2e-6, ""};
  out.tensor.expected = right(given);
  out.tensor.shape = {static_cast<std::int64_t>(out.tensor.expected.size())};
  for (const double v : wrong(given)) out.got.push_back(static_cast<float>(v));
  for (std::size_t i = 0; i < out.got.size(); ++i)
    made.wrong |= std::abs(out.got[i] - out.tensor.expected[i]) > 1e-4;
  made.outputs = {out};
  return made;
}

std::vector<CaseOutputs> cases_of(const Kernel& right, const Kernel& wrong) {
  std::vector<CaseOutputs> cases;
  for (const std::size_t columns : {3, 31, 64, 70, 128, 240, 333, 516, 1030})
    cases.push_back(case_of(right, wrong, 9, columns));
  return cases;
}

Values each_row(const Rows& given, const std::function<double(std::size_t)>& of) {
  Values all;
  for (std::size_t r = 0; r < given.rows; ++r) all.push_back(of(r));
  return all;
}

Values totals(const Rows& given) {
  return each_row(given, [&](std::size_t r) {
    double total = 0;
    for (std::size_t c = 0; c < given.columns; ++c) total += given.of(r, c);
    return total;
  });
}

/// A tile in shared memory that is filled as far as the row goes, and added up from end to end.
Values tile_not_cleared(const Rows& given) {
  return each_row(given, [&](std::size_t r) {
    Values tile(32, 0);
    double total = 0;
    for (std::size_t first = 0; first < given.columns; first += tile.size()) {
      for (std::size_t k = 0; k < tile.size() && first + k < given.columns; ++k)
        tile[k] = given.of(r, first + k);
      for (const double v : tile) total += v;
    }
    return total;
  });
}

/// A lane has one piece, a float4 where rows are whole ones, and nobody has what is left of a longer row.
Values rest_forgotten(const Rows& given) {
  return each_row(given, [&](std::size_t r) {
    const std::size_t piece = given.columns % 4 == 0 ? 4 : 1;
    double total = 0;
    for (std::size_t c = 0; c < std::min(given.columns, kWarp * piece); ++c) total += given.of(r, c);
    return total;
  });
}

/// A thread takes four columns, 32 apart, while it has four.
Values whole_groups_of_a_thread(const Rows& given) {
  return each_row(given, [&](std::size_t r) {
    double total = 0;
    for (std::size_t thread = 0; thread < kWarp; ++thread)
      for (std::size_t c = thread; c + 3 * kWarp < given.columns; c += 4 * kWarp)
        for (std::size_t i = 0; i < 4; ++i) total += given.of(r, c + i * kWarp);
    return total;
  });
}

Values last_piece_left_out(const Rows& given) {
  return each_row(given, [&](std::size_t r) {
    double total = 0;
    for (std::size_t c = 0; c + 4 < given.columns; ++c) total += given.of(r, c);
    return total;
  });
}

/// Two columns a thread of 128, and the last one for those that are not there.
Values index_kept_within(const Rows& given) {
  return each_row(given, [&](std::size_t r) {
    double total = 0;
    for (std::size_t first = 0; first < given.columns; first += 256)
      for (std::size_t thread = 0; thread < 128; ++thread)
        for (const std::size_t c : {first + thread, first + thread + 128})
          total += given.of(r, std::min(c, given.columns - 1));
    return total;
  });
}

Values of_warps(const Rows& given, std::size_t r) {
  Values warps(kBlock / kWarp, 0);
  for (std::size_t c = 0; c < given.columns; ++c) warps[c % kBlock / kWarp] += given.of(r, c);
  return warps;
}

Values six_warps_halved(const Rows& given) {
  return each_row(given, [&](std::size_t r) {
    Values warps = of_warps(given, r);
    for (std::size_t distance = warps.size() / 2; distance > 0; distance /= 2)
      for (std::size_t l = 0; l + distance < warps.size(); ++l) warps[l] += warps[l + distance];
    return warps[0];
  });
}

/// The same of a tree over all 192 threads, in shared memory.
Values threads_halved(const Rows& given) {
  return each_row(given, [&](std::size_t r) {
    Values of_thread(kBlock, 0);
    for (std::size_t c = 0; c < given.columns; ++c) of_thread[c % kBlock] += given.of(r, c);
    for (std::size_t half = kBlock / 2; half > 0; half /= 2)
      for (std::size_t t = 0; t < half; ++t) of_thread[t] += of_thread[t + half];
    return of_thread[0];
  });
}

Values int_array(const Rows& given) {
  return each_row(given, [&](std::size_t r) {
    double total = 0;
    for (std::size_t warp = 0; warp < 8; ++warp) {
      double part = 0;
      for (std::size_t c = warp * kWarp; c < given.columns; ++c)
        if (c % 256 / kWarp == warp) part += given.of(r, c);
      total += static_cast<int>(part);
    }
    return total;
  });
}

Values scaled(const Rows& given, const std::function<std::size_t(std::size_t c)>& gamma_of,
              double divisor = 0) {
  Values all;
  for (std::size_t r = 0; r < given.rows; ++r)
    for (std::size_t c = 0; c < given.columns; ++c) {
      const std::size_t from = gamma_of(c);
      all.push_back(from == kNowhere ? 0
                                     : given.of(r, c) * given.gamma[from] /
                                           (divisor > 0 ? divisor : static_cast<double>(given.columns)));
    }
  return all;
}
Values right_scaled(const Rows& given) {
  return scaled(given, [](std::size_t c) { return c; });
}

/// Four columns a thread, 128 apart; the last gamma that was loaded stands in the register of all.
Values one_register(const Rows& given) {
  return scaled(given, [&](std::size_t c) {
    std::size_t loaded = c / 512 * 512 + c % 128;
    for (std::size_t i = 0; i < 4; ++i)
      if (const std::size_t next = c / 512 * 512 + c % 128 + i * 128; next < given.columns) loaded = next;
    return loaded;
  });
}
Values z_for_w(const Rows& given) {
  return scaled(given, [&](std::size_t c) { return c % 4 == 3 && c < given.columns / 4 * 4 ? c - 1 : c; });
}
Values y_and_z_exchanged(const Rows& given) {
  return scaled(given, [&](std::size_t c) {
    if (c >= given.columns / 4 * 4) return c;
    return c % 4 == 1 ? c + 1 : c % 4 == 2 ? c - 1 : c;
  });
}
Values by_thread(const Rows& given) {
  return scaled(given, [](std::size_t c) { return c % kBlock; });
}
/// A thread has four columns, 16 apart, and takes them as if they stood side by side.
Values side_by_side(const Rows& given) {
  return scaled(given, [&](std::size_t c) {
    const std::size_t from = c / 64 * 64 + c % 16 * 4 + c % 64 / 16;
    return from < given.columns ? from : kNowhere;
  });
}
/// The other way round, with two columns, 8 apart.
Values apart(const Rows& given) {
  return scaled(given, [&](std::size_t c) {
    const std::size_t from = c / 16 * 16 + c % 16 / 2 + c % 2 * 8;
    return from < given.columns ? from : kNowhere;
  });
}
Values by_row(const Rows& given) {
  Values all;
  for (std::size_t r = 0; r < given.rows; ++r)
    for (std::size_t c = 0; c < given.columns; ++c)
      all.push_back(given.of(r, c) * given.gamma[r % given.columns] / static_cast<double>(given.columns));
  return all;
}
/// x comes out of tiles of 8 x 8 by the order that it came in, where a tile has that place.
Values tiles_exchanged(const Rows& given) {
  Values all;
  for (std::size_t r = 0; r < given.rows; ++r)
    for (std::size_t c = 0; c < given.columns; ++c) {
      const std::size_t row = r / 8 * 8 + c % 8, column = c / 8 * 8 + r % 8;
      const bool there = row < given.rows && column < given.columns;
      all.push_back((there ? given.of(row, column) : 0) * given.gamma[c] /
                    static_cast<double>(given.columns));
    }
  return all;
}
/// Pieces of four where they fit; what is divided by is the number of pieces.
Values divided_by_pieces(const Rows& given) {
  const std::size_t pieces = given.columns % 4 == 0 ? given.columns / 4 : given.columns;
  return scaled(
      given, [](std::size_t c) { return c; }, static_cast<double>(pieces));
}

const struct {
  Formula (*formula)();
  Values (*right)(const Rows&);
  Values (*wrong)(const Rows&);
  const char* when;
} kTable[] = {
    {row_totals, totals, tile_not_cleared,
     "counts a part of the tile before again: the last tile of 32 columns hangs over the end"},
    {row_totals, totals, whole_groups_of_a_thread, "counts only columns of which a thread has 4, 32 apart"},
    {row_totals, totals, rest_forgotten,
     "counts only the first 32 pieces of each row, which are float4s where its length is a multiple of 4, and else single columns"},
    {row_totals, totals, last_piece_left_out, "counts all but the last 4 columns"},
    {row_totals, totals, index_kept_within,
     "counts the last column again for each place beyond it, up to a multiple of 256"},
    {row_totals, totals, six_warps_halved,
     "leaves out what some warps of a block have: their number is no power of two"},
    {row_totals, totals, threads_halved,
     "leaves out what some threads of a block have: their number is no power of two"},
    {row_totals, totals, int_array, "that warps have added up are kept in an int"},
    {scaled_rows, right_scaled, one_register, "`gamma` is taken from the last of 4 columns, 128 apart"},
    {scaled_rows, right_scaled, z_for_w,
     "`gamma` is taken of each four columns from number 2 where number 3 belongs, a float4's z in place of its w"},
    {scaled_rows, right_scaled, y_and_z_exchanged, "with numbers 1 and 2 exchanged, y and z of a float4"},
    {scaled_rows, right_scaled, side_by_side, "which belong side by side, stand 16 apart"},
    {scaled_rows, right_scaled, apart, "which belong 8 apart, stand side by side"},
    {scaled_rows, right_scaled, by_thread,
     "`gamma` is taken by the thread's number in its block, from column modulo the number of threads"},
    {scaled_rows, right_scaled, tiles_exchanged,
     "rows and columns are exchanged within each tile of 8 x 8 of `x`"},
    {scaled_rows, right_scaled, divided_by_pieces,
     ", in the cases where `N` is a multiple of 4, and in no others."},
};

TEST(ChangeThreads, NamesTheSlip) {
  for (const auto& row : kTable) {
    const auto found = recompute(row.formula(), cases_of(row.right, row.wrong));
    ASSERT_TRUE(found) << row.when;
    EXPECT_THAT(found->sentence(), HasSubstr(row.when));
    EXPECT_EQ(found->whens.size(), 1u) << found->sentence();
  }
}

TEST(ChangeThreads, WhatIsTakenElsewhereMayLeaveATensor) {
  const struct {
    Values (*wrong)(const Rows&);
    const char* when;
  } rows[] = {
      {by_row, "`gamma` is indexed by the row and not by the column"},
      {side_by_side,
       "so that of each 64 columns the 4 of a thread, which belong side by side, stand 16 apart"},
      {tiles_exchanged, "rows and columns are exchanged within each tile of 8 x 8 of `x`"},
  };
  for (const auto& row : rows) {
    std::vector<CaseOutputs> cases;
    // As many columns as rows at least, and whole tiles: elsewhere it is a fault that is seen first.
    for (const std::size_t columns : {64, 128, 192, 512})
      cases.push_back(case_of(right_scaled, row.wrong, 8, columns));
    const auto found = recompute(scaled_rows(), cases);
    ASSERT_TRUE(found) << row.when;
    EXPECT_THAT(found->sentence(), HasSubstr(row.when));
    EXPECT_TRUE(found->reads_elsewhere) << row.when;
  }
}

TEST(ChangeThreads, OneElementThatIsOtherwiseRefutes) {
  for (const auto& row : kTable) {
    auto cases = cases_of(row.right, row.wrong);
    const auto wrong =
        std::find_if(cases.rbegin(), cases.rend(), [](const auto& each) { return each.wrong; });
    // Values that are rounded may come out otherwise in one of several; many may not.
    for (std::size_t i = 0; i < wrong->outputs[0].got.size(); i += 2) wrong->outputs[0].got[i] += 0.05;
    EXPECT_FALSE(recompute(row.formula(), cases)) << row.when;
  }
}

TEST(ChangeThreads, WhatPartsNothingIsNotWhereItShows) {
  auto cases = cases_of(right_scaled, divided_by_pieces);
  // One of 64 columns that is right, and was to be wrong.
  cases[2].outputs[0].got = cases[2].outputs[0].tensor.expected;
  cases[2].wrong = false;
  EXPECT_FALSE(recompute(scaled_rows(), cases));
}

/// Rows of a table of 5 by their ids, where `is_read` says so; else zeros.
template <class F>
std::optional<Recomputed> looked_up(const Values& ids, F is_read) {
  constexpr std::int64_t kRows = 5, kWidth = 16;
  Formula f;
  f.axes = {{"token", {"T"}}, {"table row", {"V"}}, {"column", {"W"}}};
  output(gather(tensor(f, "table", {"table row", "column"}), tensor(f, "ids", {"token"}), "table row"),
         "out");
  const auto tokens = static_cast<std::int64_t>(ids.size());
  const Values table = Random(3).normals(kRows * kWidth);
  CaseOutputs made;
  made.wrong = true;
  made.bindings.tensors = {{"ids", ids}, {"table", table}};
  made.bindings.numbers = {{"T", static_cast<double>(tokens)}, {"V", kRows}, {"W", kWidth}};
  made.bindings.lengths = {{"token", tokens}, {"table row", kRows}, {"column", kWidth}};
  WrongOutput out;
  out.tensor.name = "out", out.tensor.shape = {tokens, kWidth}, out.tensor.tolerance = {1e-6, 1e-6, ""};
  for (std::size_t i = 0; i < ids.size(); ++i)
    for (std::size_t c = 0; c < kWidth; ++c) {
      const bool known = ids[i] >= 0 && ids[i] < kRows;
      out.tensor.expected.push_back(known ? table[static_cast<std::size_t>(ids[i]) * kWidth + c] : 0);
      out.got.push_back(is_read(i) ? out.tensor.expected.back() : 0);
    }
  made.outputs = {out};
  return recompute(f, std::vector{made});
}

TEST(ChangeThreads, AnIdOfZeroThatCountsAsNone) {
  const Values ids = {0, 2, -1, 1, 0, 5};
  const auto found = looked_up(ids, [&](std::size_t i) { return ids[i] != 0; });
  ASSERT_TRUE(found);
  EXPECT_THAT(found->sentence(), HasSubstr("0 in `ids` counts as no row: row 0 is never read"));
}

TEST(ChangeThreads, AWalkThatTakesTheIdBeforeItsFirstForZero) {
  Values ids;
  for (const auto& [count, id] : {std::pair{10, 0}, {6, 1}, {2, 0}, {14, 2}, {2, 0}, {8, 3}})
    ids.insert(ids.end(), static_cast<std::size_t>(count), id);
  const auto found = looked_up(ids, [](std::size_t i) { return i >= 10 && (i < 32 || i >= 34); });
  ASSERT_TRUE(found);
  EXPECT_THAT(found->sentence(), HasSubstr("no row is read where a run of `ids` begins with 0"));
  EXPECT_EQ(found->whens.size(), 1u) << found->sentence();
}

}  // namespace
}  // namespace fusebox::patterns

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/catalog/random.h"
#include "grader/judge/patterns/recompute/recompute.h"

namespace fusebox::patterns {
namespace {

using testing::HasSubstr;
using testing::Not;

/// out[row][column] = x[row][column] / count[row]^mean: a sum, or where `mean` is 1 an average.
Formula averaged() {
  Formula f;
  f.axes = {{"row", {"rows"}}, {"column", {"columns"}}};
  const Term divisor = power(tensor(f, "count", {"row"}), number(f, "mean")).named("the divisor");
  output(tensor(f, "x", {"row", "column"}) / divisor, "out");
  return f;
}

/// What `of` makes of x and the divisor, in a case with rows of 1 to `rows` numbers each.
template <class F>
CaseOutputs averages(std::int64_t rows, double mean, F of) {
  constexpr std::int64_t kColumns = 9;
  CaseOutputs made;
  made.wrong = mean == 1;
  const auto x = Random(static_cast<std::uint64_t>(rows)).normals(rows * kColumns);
  std::vector<double> counts;
  for (std::int64_t r = 0; r < rows; ++r) counts.push_back(static_cast<double>(r % 4 + 1));
  made.bindings.tensors = {{"x", x}, {"count", counts}};
  made.bindings.numbers = {{"rows", static_cast<double>(rows)}, {"columns", kColumns}, {"mean", mean}};
  made.bindings.lengths = {{"row", rows}, {"column", kColumns}};
  WrongOutput out;
  out.tensor.name = "out";
  out.tensor.shape = {rows, kColumns};
  out.tensor.tolerance = {1e-6, 1e-6, "test"};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double divisor = mean == 1 ? counts[i / kColumns] : 1;
    out.tensor.expected.push_back(x[i] / divisor);
    out.got.push_back(of(x[i], divisor));
  }
  made.outputs = {out};
  return made;
}

TEST(ChangeNumbers, AReciprocalOfIntegersIsNamedAndASwitchIsNoSize) {
  const auto in_integers = [](double v, double divisor) { return v * static_cast<int>(1 / divisor); };
  std::vector<CaseOutputs> cases;
  for (const std::int64_t rows : {3, 8, 13})
    for (const double mean : {0.0, 1.0}) cases.push_back(averages(rows, mean, in_integers));
  const auto found = recompute(averaged(), cases);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->sentence(), HasSubstr("1 / the divisor is worked out in integers"));
  EXPECT_THAT(found->sentence(), Not(HasSubstr("`mean`"))) << "as an exponent of 32 it makes the same zeros";
}

}  // namespace
}  // namespace fusebox::patterns

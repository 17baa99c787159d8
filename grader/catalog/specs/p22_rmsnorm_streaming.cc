#include <cmath>

#include "grader/catalog/build.h"
#include "grader/catalog/specs/all.h"

namespace fusebox::specs {
namespace {

constexpr double kEps = 1e-5;

std::vector<Case> cases() {
  const auto sized = [](std::int64_t rows, std::int64_t columns) {
    return Sizes{{"rows", rows}, {"columns", columns}};
  };
  return {
      {"one_element", "a sum over a padded block, or a length of N - 1", sized(1, 1), "rows"},
      {"columns_2", "lanes without a column that join the sum", sized(3, 2), "rows"},
      {"columns_3", "rows whose start is not a multiple of 16 bytes", sized(5, 3), "rows"},
      {"columns_31", "a warp with one idle lane", sized(3, 31), "rows"},
      {"columns_32", "a whole warp and seven warps without work", sized(2, 32), "normal"},
      {"columns_33", "the first column of the second warp", sized(3, 33), "rows"},
      {"columns_100", "several warps, the last one not full", sized(33, 100), "rows"},
      {"columns_255", "one column less than a block has threads", sized(3, 255), "rows"},
      {"columns_257", "one column more than a block has threads", sized(3, 257), "rows"},
      {"columns_1000", "a tail behind several whole trips of the loop", sized(4, 1000), "rows"},
      {"columns_4099", "a long row", sized(2, 4099), "normal"},
      {"more_rows_than_columns", "rows and columns confused", sized(255, 3), "rows"},
      {"tiny_values", "eps: left out, or added outside the root", sized(4, 64), "tiny"},
      {"large_mean", "a mean that is subtracted, as LayerNorm would", sized(3, 100), "offset"},
      {"counted", "traffic: whole sectors, 64 rows", sized(64, 1024), "rows", true},
  };
}

Problem make(const Case& which, Random& random) {
  const std::int64_t rows = size_of(which, "rows"), columns = size_of(which, "columns");
  std::vector<double> x = draw_rows(which.values, rows, columns, random);
  std::vector<double> weight = draw_parameters(columns, random);
  const double eps = as_float(kEps);

  std::vector<double> expected(x.size());
  for (std::int64_t row = 0; row < rows; ++row) {
    const double* in = x.data() + row * columns;
    double sum = 0;
    for (std::int64_t i = 0; i < columns; ++i) sum += in[i] * in[i];
    const double inverse_rms = 1 / std::sqrt(sum / static_cast<double>(columns) + eps);
    for (std::int64_t i = 0; i < columns; ++i)
      expected[static_cast<std::size_t>(row * columns + i)] =
          in[i] * inverse_rms * weight[static_cast<std::size_t>(i)];
  }

  // Nothing cancels, so the error is relative. A sum of N squares in any order is off by about sqrt(N) / 3
  // roundings (a random walk), which the root halves; division, eps, 1/sqrt and two products add about three.
  const Tolerance tolerance{
      0, kFloatRoundoff * (12 + std::sqrt(static_cast<double>(columns)) / 2),
      "12 + sqrt(N) / 2 float roundings: about 3 of the scaling and sqrt(N) / 6 of the sum, four times over"};
  return {{input("x", DType::f32, {rows, columns}, std::move(x)),
           input("weight", DType::f32, {columns}, std::move(weight)),
           output("out", DType::f32, {rows, columns}, std::move(expected), tolerance),
           static_cast<std::int32_t>(rows), static_cast<std::int32_t>(columns), static_cast<float>(kEps)}};
}

std::vector<Budget> budgets(const Case& counted) {
  const std::int64_t rows = size_of(counted, "rows"), columns = size_of(counted, "columns");
  const double pass = sector_bytes(rows * columns);
  const double weights = sector_bytes(columns);
  return {
      {"launches", 1,
       "Both passes belong to one kernel: the factor 1 / rms stays in a register between them."},
      {"bytes.requested", with_room(3 * pass + static_cast<double>(rows) * weights),
       "Per row: read x twice, read the weights once, write once. Another loop over the row, or a result "
       "that is written and read back, is a pass too many; and threads that walk over columns of their own "
       "ask "
       "for whole sectors to use a part of them."},
      {"bytes.compulsory", with_room(2 * pass + weights),
       "Only x, the weights and out need to move at all; more than that means a buffer that need not exist."},
      {"sectors_per_request", with_room(16),
       "Let neighbouring threads take neighbouring columns (column = threadIdx.x, then + blockDim.x): a warp "
       "then touches 4 sectors with each request of floats, or 16 of float4."},
      {"intermediate_bytes", 0, "Nothing but one number per row passes from the first pass to the second."},
  };
}

Mutant statistics(std::string name, std::string says, std::string body) {
  return {std::move(name),
          std::move(says),
          "row_statistics",
          std::move(body),
          "kernel",
          Reason::wrong_answer,
          ""};
}
Mutant scaling(std::string name, std::string says, std::string body) {
  return {std::move(name), std::move(says), "scale_row", std::move(body), "kernel", Reason::wrong_answer, ""};
}
Mutant because(Reason reason, std::string detail, Mutant mutant) {
  mutant.reason = reason;
  mutant.detail = std::move(detail);
  return mutant;
}

/// The first pass as it should be, and `factor` made of its result `sum`.
std::string first_pass(const std::string& factor) {
  return R"(
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += kThreads) sum += x_row[column] * x_row[column];
  sum = block_sum(sum);
  inverse_rms = )" +
         factor + ";\n";
}

/// The likeliest mistakes first: an explanation of a wrong answer tries them in this order.
std::vector<Mutant> mutants() {
  return {
      scaling("no_weight", "RMSNorm without the weights", R"(
  for (int column = threadIdx.x; column < columns; column += kThreads)
    out_row[column] = x_row[column] * inverse_rms;
)"),
      scaling("tail_dropped", "RMSNorm that writes whole blocks of 256 columns only", R"(
  for (int column = threadIdx.x; column < columns / kThreads * kThreads; column += kThreads)
    out_row[column] = x_row[column] * inverse_rms * weight[column];
)"),
      statistics("mean_subtracted", "RMSNorm with the mean subtracted first, which is LayerNorm's variance",
                 R"(
  __shared__ float sums[kThreads];
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += kThreads) sum += x_row[column];
  sums[threadIdx.x] = sum;
  __syncthreads();
  float mean = 0.0f;
  for (int i = 0; i < kThreads; ++i) mean += sums[i];
  mean /= columns;
  float squares = 0.0f;
  for (int column = threadIdx.x; column < columns; column += kThreads)
    squares += (x_row[column] - mean) * (x_row[column] - mean);
  inverse_rms = rsqrtf(block_sum(squares) / columns + eps);
)"),
      statistics("no_eps", "RMSNorm without eps", first_pass("rsqrtf(sum / columns)")),
      statistics("eps_outside_root", "RMSNorm with eps added outside the root",
                 first_pass("1.0f / (sqrtf(sum / columns) + eps)")),
      statistics("divided_by_n_minus_1", "RMSNorm that divides the sum of squares by N - 1",
                 first_pass("rsqrtf(sum / (columns - 1) + eps)")),
      statistics("sum_not_mean", "RMSNorm by the sum of the squares instead of their mean",
                 first_pass("rsqrtf(sum + eps)")),
      statistics("no_root", "a division by the mean square, without its root",
                 first_pass("1.0f / (sum / columns + eps)")),
      statistics("padded_length", "RMSNorm that divides by the row's length rounded up to whole blocks",
                 first_pass("rsqrtf(sum / ((columns + kThreads - 1) / kThreads * kThreads) + eps)")),
      statistics("first_block_only", "RMSNorm with the statistics of the first 256 columns", R"(
  float sum = 0.0f;
  if (threadIdx.x < columns) sum = x_row[threadIdx.x] * x_row[threadIdx.x];
  inverse_rms = rsqrtf(block_sum(sum) / columns + eps);
)"),
      statistics("own_columns_only", "RMSNorm in which every thread knows only its own part of the sum", R"(
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += kThreads) sum += x_row[column] * x_row[column];
  inverse_rms = rsqrtf(sum / columns + eps);
)"),
      statistics("row_above", "RMSNorm with the statistics of the row above", R"(
  const float* above = row > 0 ? x_row - columns : x_row;
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += kThreads) sum += above[column] * above[column];
  inverse_rms = rsqrtf(block_sum(sum) / columns + eps);
)"),
      because(Reason::fault, "out-of-bounds",
              statistics("no_tail_mask", "a first pass without a tail mask", R"(
  float sum = 0.0f;
  for (int column = threadIdx.x; column - static_cast<int>(threadIdx.x) < columns; column += kThreads)
    sum += x_row[column] * x_row[column];
  inverse_rms = rsqrtf(block_sum(sum) / columns + eps);
)")),
      because(Reason::over_budget, "bytes.requested",
              statistics("three_reads",
                         "RMSNorm that reads the row three times, once more for its largest value", R"(
  float largest = 0.0f;
  for (int column = threadIdx.x; column < columns; column += kThreads)
    largest = fmaxf(largest, fabsf(x_row[column]));
  float sum = 0.0f;
  if (largest > 0.0f) {
    for (int column = threadIdx.x; column < columns; column += kThreads) {
      const float scaled = x_row[column] / largest;
      sum += scaled * scaled;
    }
  }
  inverse_rms = rsqrtf(block_sum(sum * largest * largest) / columns + eps);
)")),
      scaling("weight_of_the_row", "RMSNorm with the weight of the row instead of the column", R"(
  for (int column = threadIdx.x; column < columns; column += kThreads)
    out_row[column] = x_row[column] * inverse_rms * weight[row % columns];
)"),
      scaling("last_column_unwritten", "RMSNorm whose last column is never written", R"(
  for (int column = threadIdx.x; column < columns - 1; column += kThreads)
    out_row[column] = x_row[column] * inverse_rms * weight[column];
)"),
      scaling("divided_by_the_inverse", "a division by 1 / rms where a product was meant", R"(
  for (int column = threadIdx.x; column < columns; column += kThreads)
    out_row[column] = x_row[column] / inverse_rms * weight[column];
)"),
      because(Reason::over_budget, "bytes.requested",
              scaling("uncoalesced", "a second pass in which every thread walks over columns of its own", R"(
  const int run = (columns + kThreads - 1) / kThreads;
  const int first = threadIdx.x * run;
  for (int column = first; column < min(first + run, columns); ++column)
    out_row[column] = x_row[column] * inverse_rms * weight[column];
)")),
      because(Reason::over_budget, "bytes.requested",
              scaling("written_twice", "a second pass that stores x / rms and comes back for the weights", R"(
  for (int column = threadIdx.x; column < columns; column += kThreads)
    out_row[column] = x_row[column] * inverse_rms;
  for (int column = threadIdx.x; column < columns; column += kThreads)
    out_row[column] *= weight[column];
)")),
      because(Reason::fault, "race-shared",
              statistics("no_barrier", "sums that are added up before all threads have left theirs", R"(
  __shared__ float sums[kThreads];
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += kThreads) sum += x_row[column] * x_row[column];
  sums[threadIdx.x] = sum;
  float total = 0.0f;
  for (int i = 0; i < kThreads; ++i) total += sums[i];
  inverse_rms = rsqrtf(total / columns + eps);
)")),
      {"launched_twice", "RMSNorm launched twice", "launch", R"(
  rmsnorm_kernel<<<rows, kThreads>>>(x, weight, out, rows, columns, eps);
  rmsnorm_kernel<<<rows, kThreads>>>(x, weight, out, rows, columns, eps);
)",
       "kernel", Reason::over_budget, "launches"},
      {"block_per_column", "a block for every column instead of every row", "launch", R"(
  rmsnorm_kernel<<<columns, kThreads>>>(x, weight, out, rows, columns, eps);
)",
       "kernel", Reason::fault, "out-of-bounds"},
      {"last_row_missing", "RMSNorm of all rows but the last", "launch", R"(
  rmsnorm_kernel<<<rows > 1 ? rows - 1 : 1, kThreads>>>(x, weight, out, rows, columns, eps);
)",
       "kernel", Reason::wrong_answer, ""},
  };
}

}  // namespace

Puzzle p22_rmsnorm_streaming() {
  Puzzle puzzle;
  puzzle.id = "p22";
  puzzle.slug = "rmsnorm_streaming";
  puzzle.title = "RMSNorm, streaming the row twice";
  puzzle.chapter = "Part 6. RMSNorm";
  puzzle.cases = cases();
  constexpr std::uint64_t kRows = 8192, kColumns = 4096;
  puzzle.timed = {
      {{"large", "x and out far larger than any cache", {{"rows", kRows}, {"columns", kColumns}}, "rows"},
       4 * (2 * kRows * kColumns + kColumns),
       std::nullopt,
       NormBaseline{"x", "weight", "", "out", "", "", static_cast<float>(kEps)}}};
  puzzle.make = make;

  Entry entry;
  entry.name = "kernel";
  entry.signature = signature<void(const float*, const float*, float*, int, int, float)>("rmsnorm");
  entry.blanks = {"row_statistics", "scale_row", "launch"};
  entry.budgets = budgets(puzzle.counted_case());
  puzzle.entries = {entry};

  puzzle.hints = {
      "A block owns a row, and the row may be longer than the block: every thread takes columns threadIdx.x, "
      "threadIdx.x + "
      "kThreads, and so on while they are inside the row. Two such loops are enough. What is the one number "
      "that the second "
      "needs from the first, and who has to know it?",
      "First loop: add up value * value in a float of your own, outside any `if`, so that threads without a "
      "column come "
      "along with 0. Then all threads call block_sum, and everyone has the row's sum: inverse_rms = "
      "rsqrtf(sum / columns + "
      "eps), with eps under the root. Second loop: the same columns again, out_row[column] = x_row[column] * "
      "inverse_rms * "
      "weight[column]. The launch has as many blocks as there are rows.",
      "row_statistics:\n"
      "  float sum = 0.0f;\n"
      "  for (int column = threadIdx.x; column < columns; column += kThreads)\n"
      "    sum += ...;                                   // the square of x_row[column]\n"
      "  inverse_rms = rsqrtf(block_sum(sum) / columns + eps);\n"
      "scale_row:\n"
      "  for (...the same columns...) out_row[column] = ...;   // three factors\n"
      "launch:\n"
      "  rmsnorm_kernel<<<rows, kThreads>>>(...);",
  };
  puzzle.mutants = mutants();
  return puzzle;
}

}  // namespace fusebox::specs

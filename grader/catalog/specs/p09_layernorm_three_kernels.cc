#include "grader/catalog/layer_norm.h"

namespace fusebox::specs {
namespace {

constexpr std::int64_t kRows = 256, kColumns = 512;  // of the counted case

std::vector<Budget> budgets() {
  constexpr double kWarpsPerBlock = 8, kSector = 32;
  const double x = sector_bytes(kRows * kColumns), row_vector = sector_bytes(kRows),
               column_vector = sector_bytes(kColumns);
  // mean is written once and read by two launches, rstd written and read once; x is read by all three.
  const double compulsory = 3 * x + x + 5 * row_vector + 2 * column_vector;
  // Every row asks for gamma and beta. Every warp asks for a sector to learn its row's mean, and again for
  // mean and rstd; one thread of a row writes each of them.
  const double requested = 4 * x + 2 * kRows * column_vector + kRows * kSector * (3 * kWarpsPerBlock + 2);
  return {
      {"launches", 3, "One launch each for the means, the rstds and the answer."},
      {"intermediate_bytes", 0, "mean and rstd are outputs: the kernels can hand them to each other there."},
      {"bytes.compulsory", with_room(compulsory),
       "Each of the three kernels reads x once; only the last one writes out."},
      {"bytes.requested", with_room(requested),
       "One loop over the row in each kernel, no detour through out, and neighbouring columns for "
       "neighbouring threads."},
      // As many as a warp of float4 touches.
      {"sectors_per_request", with_room(16),
       "Let neighbouring threads read neighbouring columns: c = threadIdx.x, + kThreads, ..."},
  };
}

std::vector<Mutant> mutants() {
  const std::string row_mean = R"(
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x_row[c];
  sum = block_sum(sum);
  if (threadIdx.x == 0) mean[blockIdx.x] = sum / columns;
)";
  const std::string row_rstd = R"(
  const float m = mean[blockIdx.x];
  float squares = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) squares += (x_row[c] - m) * (x_row[c] - m);
  squares = block_sum(squares);
  if (threadIdx.x == 0) rstd[blockIdx.x] = rsqrtf(squares / columns + eps);
)";
  const std::string normalize = R"(
  const float m = mean[blockIdx.x], s = rstd[blockIdx.x];
  for (int c = threadIdx.x; c < columns; c += kThreads) out_row[c] = (x_row[c] - m) * s * gamma[c] + beta[c];
)";
  const std::string first = "  mean_kernel<<<rows, kThreads>>>(x, mean, columns);\n";
  const std::string second = "  rstd_kernel<<<rows, kThreads>>>(x, mean, rstd, columns, eps);\n";
  const std::string third =
      "  normalize_kernel<<<rows, kThreads>>>(x, gamma, beta, mean, rstd, out, columns);\n";
  const auto mutant = [](std::string name, std::string says, std::string blank, std::string body,
                         Reason reason = Reason::wrong_answer, std::string detail = "") {
    return Mutant{std::move(name), std::move(says), std::move(blank), std::move(body),
                  "kernel",        reason,          std::move(detail)};
  };
  return {
      mutant("no_beta", "LayerNorm without beta", "normalize", edited(normalize, " + beta[c]", "")),
      mutant("no_gamma", "LayerNorm without gamma", "normalize", edited(normalize, " * gamma[c]", "")),
      mutant("mean_not_subtracted", "x times rstd: the mean is not subtracted", "normalize",
             edited(normalize, "(x_row[c] - m)", "x_row[c]")),
      mutant("first_rows_mean", "LayerNorm of every row with the mean of row 0", "normalize",
             edited(normalize, "mean[blockIdx.x]", "mean[0]")),
      mutant("no_eps", "LayerNorm without eps", "row_rstd", edited(row_rstd, " + eps", "")),
      mutant("eps_outside", "LayerNorm with eps outside the root: 1 / (sqrt(variance) + eps)", "row_rstd",
             edited(row_rstd, "rsqrtf(squares / columns + eps)", "1.0f / (sqrtf(squares / columns) + eps)")),
      mutant("unbiased", "LayerNorm with the sample variance, which divides by N - 1", "row_rstd",
             edited(row_rstd, "squares / columns", "squares / (columns - 1)")),
      mutant("rms", "LayerNorm divided by the root mean square: the squares are not taken around the mean",
             "row_rstd", edited(row_rstd, "(x_row[c] - m) * (x_row[c] - m)", "x_row[c] * x_row[c]")),
      mutant("one_pass", "LayerNorm with the variance E[x^2] - mean^2, which cancels where the mean is large",
             "row_rstd",
             edited(edited(row_rstd, "(x_row[c] - m) * (x_row[c] - m)", "x_row[c] * x_row[c]"),
                    "squares / columns", "squares / columns - m * m")),
      mutant("variance_kept", "the variance where rstd = 1 / sqrt(variance + eps) belongs", "row_rstd",
             edited(row_rstd, "rsqrtf(squares / columns + eps)", "squares / columns + eps")),
      mutant("sum_not_mean", "LayerNorm around the sum of the row: not divided by N", "row_mean",
             edited(row_mean, "sum / columns", "sum")),
      mutant("first_threads_only",
             "the mean of the first 256 columns: one per thread, with no loop over the rest", "row_mean",
             edited(row_mean, "c < columns", "c < min(columns, kThreads)")),
      mutant("one_warp_only", "the mean of what thread 0 saw: the block's sums are not added up", "row_mean",
             edited(row_mean, "  sum = block_sum(sum);\n", "")),
      mutant("one_too_many", "a loop that runs to c <= columns", "row_mean",
             edited(row_mean, "c < columns", "c <= columns"), Reason::fault, "out-of-bounds"),
      mutant("no_barrier", "sums that are added up before all threads have left theirs", "row_mean", R"(
  __shared__ float sums[kThreads];
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x_row[c];
  sums[threadIdx.x] = sum;
  if (threadIdx.x == 0) {
    for (int i = 1; i < kThreads; ++i) sum += sums[i];
    mean[blockIdx.x] = sum / columns;
  }
)",
             Reason::fault, "race-shared"),
      mutant("wrong_order", "the answer computed before rstd is there", "launches", first + third + second,
             Reason::fault, "uninitialised-read"),
      mutant("extra_launch", "LayerNorm whose means are computed twice", "launches",
             first + first + second + third, Reason::over_budget, "launches"),
      mutant("adjacent_columns", "two or more adjacent columns for each thread: the lanes stand apart",
             "normalize", R"(
  const float m = mean[blockIdx.x], s = rstd[blockIdx.x];
  const int each = (columns + kThreads - 1) / kThreads;
  for (int c = threadIdx.x * each; c < min(static_cast<int>(threadIdx.x + 1) * each, columns); ++c)
    out_row[c] = (x_row[c] - m) * s * gamma[c] + beta[c];
)",
             Reason::over_budget, "bytes.requested"),
      mutant("out_as_scratch", "LayerNorm that writes x - mean to out, reads it back and writes again",
             "normalize", R"(
  const float m = mean[blockIdx.x], s = rstd[blockIdx.x];
  for (int c = threadIdx.x; c < columns; c += kThreads) out_row[c] = x_row[c] - m;
  for (int c = threadIdx.x; c < columns; c += kThreads) out_row[c] = out_row[c] * s * gamma[c] + beta[c];
)",
             Reason::over_budget, "bytes.requested"),
  };
}

}  // namespace

Puzzle p09_layernorm_three_kernels() {
  Puzzle puzzle;
  puzzle.id = "p09";
  puzzle.slug = "layernorm_three_kernels";
  puzzle.title = "LayerNorm, rung 2: three kernels";
  puzzle.chapter = "Part 4. The LayerNorm ladder";
  puzzle.entries = {
      {"kernel", layer_norm_signature(), {"row_mean", "row_rstd", "normalize", "launches"}, {}, budgets()}};
  puzzle.cases = layer_norm_cases(kRows, kColumns);
  puzzle.timed = layer_norm_timed();
  puzzle.make = make_layer_norm;
  puzzle.hints = {
      "Each kernel is one loop in which thread t takes columns t, t + kThreads, t + 2 kThreads, ... What a "
      "kernel needs from the "
      "one before it lies in mean and rstd.",
      "row_mean: add up this thread's columns, block_sum, and let thread 0 divide by columns and store. "
      "row_rstd: the same over "
      "(x_row[c] - m) squared with m = mean[blockIdx.x], then rsqrtf(... / columns + eps). normalize: no sum "
      "at all. launches: "
      "one block of kThreads threads per row, three times.",
      "row_mean: float sum = 0;  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x_row[c];\n"
      "sum = block_sum(sum);  if (threadIdx.x == 0) mean[blockIdx.x] = sum / columns;\n"
      "launches: mean_kernel<<<rows, kThreads>>>(x, mean, columns); then rstd_kernel and normalize_kernel "
      "the same way.",
  };
  puzzle.mutants = mutants();
  return puzzle;
}

}  // namespace fusebox::specs

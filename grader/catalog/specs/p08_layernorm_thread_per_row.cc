#include "grader/catalog/layer_norm.h"

namespace fusebox::specs {
namespace {

constexpr std::int64_t kRows = 256, kColumns = 512;  // of the counted case

std::vector<Budget> budgets() {
  const double x = sector_bytes(kRows * kColumns), row_vector = sector_bytes(kRows),
               column_vector = sector_bytes(kColumns);
  // Every lane has a sector of its own: x is asked for three times, out once, each time 32 bytes for 4. gamma
  // and beta are the same address for the whole warp: one sector for each column and warp.
  const double requested = 4 * 8 * x + kRows / 32 * 2 * 32.0 * kColumns + 2 * row_vector;
  return {
      {"launches", 1, "One thread does a whole row: nothing needs a second launch."},
      {"intermediate_bytes", 0, "Mean and rstd fit into two registers of the thread."},
      {"bytes.compulsory", with_room(2 * x + 2 * column_vector + 2 * row_vector),
       "Read x, gamma and beta, write out, mean and rstd, and nothing else."},
      {"bytes.requested", with_room(requested),
       "Three loops over the row are enough: the sum, the squares around the mean, the answer straight into "
       "out."},
  };
}

std::vector<Mutant> mutants() {
  const std::string statistics = R"(
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) sum += x_row[c];
  row_mean = sum / columns;
  float squares = 0.0f;
  for (int c = 0; c < columns; ++c) squares += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(squares / columns + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
)";
  const std::string normalize =
      "  for (int c = 0; c < columns; ++c) out_row[c] = (x_row[c] - row_mean) * row_rstd * gamma[c] + "
      "beta[c];\n";
  const auto mutant = [](std::string name, std::string says, std::string blank, std::string body,
                         Reason reason = Reason::wrong_answer, std::string detail = "") {
    return Mutant{std::move(name), std::move(says), std::move(blank), std::move(body),
                  "kernel",        reason,          std::move(detail)};
  };
  return {
      mutant("no_beta", "LayerNorm without beta", "normalize", edited(normalize, " + beta[c]", "")),
      mutant("no_gamma", "LayerNorm without gamma", "normalize", edited(normalize, " * gamma[c]", "")),
      mutant("parameters_of_row", "LayerNorm with gamma and beta of the row's number instead of the column's",
             "normalize",
             "  for (int c = 0; c < columns; ++c)\n"
             "    out_row[c] = (x_row[c] - row_mean) * row_rstd * gamma[row % columns] + beta[row % "
             "columns];\n"),
      mutant("no_eps", "LayerNorm without eps", "statistics", edited(statistics, " + eps", "")),
      mutant(
          "eps_outside", "LayerNorm with eps outside the root: 1 / (sqrt(variance) + eps)", "statistics",
          edited(statistics, "rsqrtf(squares / columns + eps)", "1.0f / (sqrtf(squares / columns) + eps)")),
      mutant("unbiased", "LayerNorm with the sample variance, which divides by N - 1", "statistics",
             edited(statistics, "squares / columns", "squares / (columns - 1)")),
      mutant(
          "one_pass", "LayerNorm with the variance E[x^2] - mean^2, which cancels where the mean is large",
          "statistics",
          edited(edited(statistics, "(x_row[c] - row_mean) * (x_row[c] - row_mean)", "x_row[c] * x_row[c]"),
                 "squares / columns", "squares / columns - row_mean * row_mean")),
      mutant("rms", "RMSNorm with a beta: the mean is taken to be 0", "statistics",
             edited(statistics, "row_mean = sum / columns", "row_mean = 0.0f")),
      mutant("wrong_axis", "LayerNorm with the mean along the wrong axis", "statistics",
             edited(statistics, "sum += x_row[c]", "sum += x[static_cast<size_t>(c) * rows + row]")),
      mutant("tail_dropped", "a sum over whole groups of four columns: the tail of the row is dropped",
             "statistics", edited(statistics, "c < columns; ++c) sum", "c < columns / 4 * 4; ++c) sum")),
      mutant("rstd_missing", "LayerNorm that never writes rstd", "statistics",
             edited(statistics, "  rstd[row] = row_rstd;\n", "")),
      mutant("deviation_kept",
             "LayerNorm that keeps the standard deviation where rstd = 1 / deviation belongs", "statistics",
             edited(statistics, "rstd[row] = row_rstd", "rstd[row] = 1.0f / row_rstd")),
      mutant("one_too_many", "a loop that runs to c <= columns", "statistics",
             edited(statistics, "c < columns; ++c) sum", "c <= columns; ++c) sum"), Reason::fault,
             "out-of-bounds"),
      mutant("reads_own_output", "squares of out, which nobody has written yet, instead of x", "statistics",
             edited(statistics, "(x_row[c] - row_mean) * (x_row[c] - row_mean)",
                    "(out_row[c] - row_mean) * (out_row[c] - row_mean)"),
             Reason::fault, "uninitialised-read"),
      mutant("out_as_scratch", "LayerNorm that writes x - mean to out, reads it back and writes again",
             "normalize", R"(
  for (int c = 0; c < columns; ++c) out_row[c] = x_row[c] - row_mean;
  for (int c = 0; c < columns; ++c) out_row[c] = out_row[c] * row_rstd * gamma[c] + beta[c];
)",
             Reason::over_budget, "bytes.requested"),
  };
}

}  // namespace

Puzzle p08_layernorm_thread_per_row() {
  Puzzle puzzle;
  puzzle.id = "p08";
  puzzle.slug = "layernorm_thread_per_row";
  puzzle.title = "LayerNorm, rung 1: a thread for each row";
  puzzle.chapter = "Part 4. The LayerNorm ladder";
  puzzle.entries = {{"kernel", layer_norm_signature(), {"statistics", "normalize"}, {}, budgets()}};
  puzzle.cases = layer_norm_cases(kRows, kColumns);
  puzzle.timed = layer_norm_timed();
  puzzle.make = make_layer_norm;
  puzzle.hints = {
      "Write it as you would on a CPU, for one row: the thread has the row to itself and needs no barrier "
      "and no neighbour.",
      "Three loops over c: sum x_row[c] and divide by columns; sum the squares of x_row[c] - row_mean, "
      "divide, add eps, take "
      "rsqrtf; write (x_row[c] - row_mean) * row_rstd * gamma[c] + beta[c]. Store mean[row] and rstd[row] on "
      "the way.",
      "float sum = 0;  for (int c = 0; c < columns; ++c) sum += x_row[c];  row_mean = sum / columns;\n"
      "float squares = 0;  the same loop over (x_row[c] - row_mean) * (x_row[c] - row_mean);\n"
      "row_rstd = rsqrtf(squares / columns + eps);  mean[row] = row_mean;  rstd[row] = row_rstd;",
  };
  puzzle.mutants = mutants();
  return puzzle;
}

}  // namespace fusebox::specs

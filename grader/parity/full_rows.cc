#include "grader/parity/full_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace fusebox {
namespace {

constexpr double kBytesTolerance = 0.05, kTimeTolerance = 0.15, kApart = 1.10;

double error_of(double modelled, double recorded) { return recorded > 0 ? modelled / recorded - 1 : 0; }

bool within(double modelled, double recorded, double tolerance) {
  return recorded > 0 && std::fabs(error_of(modelled, recorded)) <= tolerance;
}

void compare_order(const FullRow& a, const FullRow& b, FullSummary& summary) {
  if (a.puzzle != b.puzzle || a.sizes != b.sizes) return;
  const bool a_first = a.recorded_seconds < b.recorded_seconds;
  const FullRow &fast = a_first ? a : b, &slow = a_first ? b : a;
  if (slow.recorded_seconds < kApart * fast.recorded_seconds) return;
  ++summary.pairs;
  summary.ordered += fast.modelled_seconds < slow.modelled_seconds;
}

std::string table_of(const std::vector<FullRow>& rows) {
  std::string text =
      "| puzzle | kernels | DRAM, MB | modelled | time, µs | modelled | bound by |\n|---|---|--:|--:|--:|--:|---|\n";
  for (const FullRow& row : rows) {
    text += fmt::format("| {}, {} | {}, {} |", row.puzzle, row.sizes, row.label, row.entry);
    if (!row.problem.empty())
      text += fmt::format(" n/a | | n/a | | {} |\n", row.problem);
    else
      text += fmt::format(" {:.1f} | {:+.1f} % | {:.1f} | {:+.0f} % | {} |\n", row.recorded_bytes * 1e-6,
                          100 * error_of(row.modelled_bytes, row.recorded_bytes), row.recorded_seconds * 1e6,
                          100 * error_of(row.modelled_seconds, row.recorded_seconds), row.bound_by);
  }
  const FullSummary s = summarise(rows);
  return text +
         fmt::format(
             "\nDRAM bytes within 5 %: {} of {}. Time within 15 %: {} of {}; mean error {:.0f} %. Pairs that differ by 10 % in the hardware's order: {} of {}.\n",
             s.bytes_near, s.rows, s.time_near, s.rows, 100 * s.mean_error, s.ordered, s.pairs);
}

}  // namespace

bool FullRow::bytes_near() const { return within(modelled_bytes, recorded_bytes, kBytesTolerance); }
bool FullRow::time_near() const { return within(modelled_seconds, recorded_seconds, kTimeTolerance); }

FullSummary summarise(const std::vector<FullRow>& rows) {
  FullSummary summary;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const FullRow& row = rows[i];
    if (!row.problem.empty()) continue;
    ++summary.rows;
    summary.bytes_near += row.bytes_near();
    summary.time_near += row.time_near();
    summary.mean_error += std::fabs(error_of(row.modelled_seconds, row.recorded_seconds));
    for (std::size_t j = 0; j < i; ++j)
      if (rows[j].problem.empty()) compare_order(rows[j], row, summary);
  }
  if (summary.rows > 0) summary.mean_error /= static_cast<double>(summary.rows);
  return summary;
}

std::string render_full_rows(const std::vector<FullRow>& rows) {
  std::string text;
  for (const bool held_out : {false, true}) {
    std::vector<FullRow> half;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(half),
                 [&](const FullRow& row) { return row.held_out == held_out; });
    if (half.empty()) continue;
    text += fmt::format("{}{}\n\n{}", text.empty() ? "" : "\n",
                        held_out ? "Held out:" : "Fitted:", table_of(half));
  }
  return text;
}

}  // namespace fusebox

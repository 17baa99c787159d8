#include "grader/cli/workshop/bench/bench_table.h"

#include <fmt/format.h>

#include <functional>

#include "grader/report/text/format.h"

namespace fusebox {
namespace {

std::string microseconds(const std::optional<Spread>& seconds) {
  return seconds ? fmt::format("{:.2f}", 1e6 * seconds->median) : "n/a";
}

std::string spread(const std::optional<Spread>& seconds) {
  return seconds ? fmt::format("{:.2f}–{:.2f}", 1e6 * seconds->p20, 1e6 * seconds->p80) : "";
}

std::string times(const std::optional<double>& factor) {
  return factor ? fmt::format("{:.2f}x", *factor) : "";
}

/// What the hardware counted, a line for each launch; empty when it was not asked.
std::string counted(const BenchTable& bench, const std::function<std::string(const BenchRow&)>& name,
                    const Style& style) {
  std::vector<std::vector<std::string>> rows{{""}};
  for (const HardwareCounter& counter : hardware_counters()) rows[0].push_back(counter.heading);
  for (const BenchRow& row : bench.rows)
    for (const BenchStep& step : row.steps) {
      if (step.counters.empty()) continue;
      auto& cells = rows.emplace_back(1, fmt::format("{}: {}", name(row), step.name));
      for (std::size_t i = 0; i < step.counters.size() && i < hardware_counters().size(); ++i)
        cells.push_back(format_value(hardware_counters()[i].unit, step.counters[i], Digits::narrow));
    }
  if (!bench.counters_problem.empty())
    return fmt::format("  {} no hardware counters: {}\n", style.open("!"), bench.counters_problem);
  if (rows.size() == 1) return {};
  return style.quiet("counted by the hardware, every launch from empty caches:\n") + table(rows);
}

}  // namespace

std::string render_bench(const BenchTable& table_, const Style& style) {
  std::string text = style.strong(fmt::format("{}  {}", table_.puzzle, table_.title)) +
                     style.quiet(fmt::format("  {}", table_.sizes)) + "\n";
  std::vector<std::vector<std::string>> rows{
      {"", "us", "p20–p80", "cold us", "GB/s", "of copy", "of reference", "over unfused"}};
  bool entries = false;
  for (const BenchRow& row : table_.rows) entries |= !row.entry.empty() && row.entry != "kernel";
  std::string problems, steps;
  const auto name_of = [&](const BenchRow& row) {
    return entries && !row.entry.empty() ? fmt::format("{}, {}", row.label, row.entry) : row.label;
  };
  for (const BenchRow& row : table_.rows) {
    const std::string name = name_of(row);
    if (!row.problem.empty()) {
      problems += fmt::format("  {} {}: {}\n", style.bad("✗"), name, row.problem);
      continue;
    }
    rows.push_back({name, microseconds(row.seconds), spread(row.seconds), microseconds(row.cold_seconds),
                    row.bytes_per_second ? fmt::format("{:.0f}", 1e-9 * *row.bytes_per_second) : "n/a",
                    row.share_of_copy ? fmt::format("{:.3f}", *row.share_of_copy) : "n/a",
                    row.against_reference
                        ? fmt::format("{:.3f} ({:.3f}–{:.3f})", row.against_reference->median,
                                      row.against_reference->p20, row.against_reference->p80)
                        : "",
                    times(row.over_unfused)});
    if (row.steps.size() < 2) continue;
    steps += fmt::format("  {}:", name);
    for (const BenchStep& step : row.steps) {
      steps += fmt::format(" {} {:.2f} us", step.name, 1e6 * step.seconds);
      if (step.gap_after) steps += fmt::format(", gap {:.2f},", 1e6 * *step.gap_after);
    }
    steps += "\n";
  }
  if (rows.size() > 1) text += table(rows);
  text += problems;
  if (!steps.empty()) text += style.quiet(fmt::format("one by one ({}):\n", table_.step_source)) + steps;
  text += counted(table_, name_of, style);
  text += style.quiet(fmt::format(
      "{} · driver {} · CUDA {} · SM {:.0f} MHz, memory {:.0f} MHz · {:.1f} MB a run at least, {:.2f} us at {:.0f} GB/s · large copy {:.0f} GB/s\n"
      "median of {} graphs of {} runs over {} buffer sets ({:.0f} MB, L2 {:.0f} MB); {} dropped; outputs checked before and after; seed {}\n",
      table_.gpu, table_.driver, table_.cuda, 1e-6 * table_.sm_clock_hz, 1e-6 * table_.memory_clock_hz,
      1e-6 * static_cast<double>(table_.min_bytes),
      table_.sheet_bytes_per_second > 0
          ? 1e6 * static_cast<double>(table_.min_bytes) / table_.sheet_bytes_per_second
          : 0.0,
      1e-9 * table_.sheet_bytes_per_second, 1e-9 * table_.large_copy_bytes_per_second, table_.samples,
      table_.runs_per_graph, table_.sets, 1e-6 * static_cast<double>(table_.rotated_bytes),
      1e-6 * static_cast<double>(table_.l2_bytes), table_.dropped, table_.seed));
  return text;
}

}  // namespace fusebox

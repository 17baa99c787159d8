#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/cli/render/render.h"
#include "grader/cli/render/style.h"
#include "grader/cli/verbs/machine.h"
#include "grader/cli/verbs/verbs.h"
#include "grader/cli/workshop/bench/bench_files.h"
#include "grader/judge/budgets/ledger.h"
#include "grader/judge/budgets/metrics.h"
#include "grader/judge/full_size.h"
#include "grader/report/text/format.h"

namespace fusebox {
namespace {

/// The puzzles from the first to the last that is named, "p08..p13".
Result<std::vector<const Puzzle*>> ladder_of(const std::string& range) {
  const std::vector<const Puzzle*> named = puzzles_between(range);
  if (named.empty())
    return Error{ErrorKind::wrong_usage, fmt::format("`{}` is no range of puzzles", range),
                 "as in: grader compare p08..p13"};
  std::vector<const Puzzle*> steps;
  for (const Puzzle* puzzle : named)
    if (same_ladder(*named.front(), *puzzle) && puzzle->full_size) steps.push_back(puzzle);
  if (steps.size() < 2)
    return Error{
        ErrorKind::wrong_usage,
        fmt::format("no other puzzle up to {} computes what {} does", named.back()->id, named.front()->id),
        "a ladder is, for instance, p08..p13"};
  return steps;
}

/// A time that was recorded at this size of a puzzle's file, "reference" or "optimized", in its own table, or
/// of the reference as a step of another.
std::optional<double> recorded_seconds(const BenchRecord& record, const Puzzle& puzzle,
                                       const std::string& label, const std::string& sizes) {
  const std::string of_others = label == "reference" ? "rung " + puzzle.id : "";
  for (const BenchTable& table : record.tables)
    for (const BenchRow& row : table.rows)
      if (table.sizes == sizes && row.seconds && row.label == (table.puzzle == puzzle.id ? label : of_others))
        return row.seconds->median;
  return std::nullopt;
}

std::string gigabytes_per_second(std::uint64_t bytes, double seconds) {
  return fmt::format("{:.0f}", static_cast<double>(bytes) / seconds / 1e9);
}

std::vector<std::string> row_of(const std::string& label, const FullSizeRun& run, std::uint64_t min_bytes,
                                std::optional<double> recorded) {
  if (!run.problem.empty()) return {label, "n/a"};
  const auto over_ideal = sectors_over_ideal(run.launches);
  return {label,
          fmt::format("{}", std::count_if(run.launches.begin(), run.launches.end(), is_kernel)),
          format_bytes(static_cast<double>(run.requested_bytes)),
          over_ideal ? fmt::format("{:.2f}", *over_ideal) : "-",
          format_bytes(static_cast<double>(run.dram_bytes())),
          format_seconds(run.seconds),
          gigabytes_per_second(min_bytes, run.seconds),
          recorded ? format_seconds(*recorded) : "-",
          recorded ? gigabytes_per_second(min_bytes, *recorded) : "-"};
}

}  // namespace

int compare_verb(const WorkspacePaths& paths, const Options& options) {
  const auto steps = ladder_of(options.puzzle);
  if (!steps) return fail(steps.error());
  auto machine = Machine::open(paths, options);
  if (!machine) return fail(machine.error());
  const Services services = (*machine)->services();
  const auto record = recorded_of(paths, options.gpu);

  // One size for all of them: the first one's.
  const FullSizeCase& common = *steps->front()->full_size;
  const std::string sizes = sizes_text(common.which);
  FullSizeOptions full;
  full.kept = paths.cache() / "full_size";
  std::vector<std::vector<std::string>> rows = {
      {"", "launches", "requested", "/ ideal", "DRAM", "modelled", "GB/s", "recorded", "GB/s"}};
  for (const Puzzle* puzzle : *steps) {
    const auto files = files_for(paths, options, *puzzle);
    if (!files) return fail(files.error());
    FullSizeCase size = *puzzle->full_size;
    size.which = common.which;
    size.min_bytes = common.min_bytes;
    for (const BenchFile& file : *files) {
      if (file.label.starts_with("rung")) continue;
      show_progress(fmt::format("{} {} at {}", puzzle->id, file.label, sizes));
      const auto run = run_full_size(services, file.source, puzzle->entries.front(), size, full);
      if (!run) return fail(run.error());
      const bool is_ours = file.label == "reference" || file.label == "optimized";
      const auto recorded =
          record && is_ours ? recorded_seconds(*record, *puzzle, file.label, sizes) : std::nullopt;
      // "p08", "p08 you", "p08, 64 threads"
      const std::string_view reference = "reference";
      const std::string label = file.label.starts_with(reference)
                                    ? puzzle->id + file.label.substr(reference.size())
                                    : puzzle->id + " " + file.label;
      rows.push_back(row_of(label, *run, common.min_bytes, recorded));
    }
  }
  show_progress("");
  const Style style = style_for(STDOUT_FILENO, options.no_color);
  fmt::print("{}\n{}", style.strong(fmt::format("{} at {}", options.puzzle, sizes)), table(rows));
  fmt::print(
      "{}",
      style.quiet(wrapped(
          fmt::format(
              "GB/s: the {} that any kernel must move, over the time. Modelled for {}; recorded on one with `bench`, where a time is shown. A row is the reference where it does not say otherwise.",
              format_bytes(static_cast<double>(common.min_bytes)), services.gpu.full_name),
          kWidth, 2)));
  return 0;
}

}  // namespace fusebox

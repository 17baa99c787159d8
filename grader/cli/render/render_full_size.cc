#include <fmt/format.h>

#include "grader/cli/render/render.h"
#include "grader/report/text/format.h"

namespace fusebox {
namespace {

std::string bytes_of(const FullSizeRun& run, std::uint64_t bytes) {
  return run.problem.empty() ? format_bytes(static_cast<double>(bytes)) : "n/a";
}

void add_entry(std::vector<std::vector<std::string>>& rows, const FullSizeEntry& entry, const Style& style) {
  rows.push_back({style.strong(entry.entry), "you", "reference", "budget"});
  const auto row = [&](const std::string& name, const std::string& tag, auto value) {
    std::string mine = entry.student ? value(*entry.student) : "", budget;
    for (const FullSizeBudget& line : entry.budgets)
      if (line.student.tag == tag) {
        budget = "≤ " + format_bytes(line.limit);
        if (entry.student) mine = line.within ? style.good(mine) : style.bad(mine);
      }
    rows.push_back({name, mine, entry.reference ? value(*entry.reference) : "", budget});
  };
  row("bytes requested", "bytes.requested",
      [](const FullSizeRun& run) { return bytes_of(run, run.requested_bytes); });
  row("DRAM read", "", [](const FullSizeRun& run) { return bytes_of(run, run.dram_read_bytes); });
  row("DRAM written", "", [](const FullSizeRun& run) { return bytes_of(run, run.dram_write_bytes); });
  row("left in L2", "", [](const FullSizeRun& run) { return bytes_of(run, run.left_in_l2_bytes); });
  row("DRAM bytes", "bytes.dram", [](const FullSizeRun& run) { return bytes_of(run, run.dram_bytes()); });
  row("time", "", [](const FullSizeRun& run) {
    return run.problem.empty() ? format_seconds(run.seconds) : std::string("n/a");
  });
  row("bound by", "", [](const FullSizeRun& run) {
    return run.next.empty() ? run.bound_by : fmt::format("{}, then {}", run.bound_by, run.next);
  });
}

}  // namespace

std::string render_full_size(const Report& report, const Style& style, bool all) {
  if (!report.full_size) return "";
  const FullSize& full = *report.full_size;
  std::string text = style.strong("Full size") + style.quiet(" " + full.shape) + "\n";
  if (!full.sentence.empty()) text += wrapped(full.sentence, kWidth, 2);
  for (const FullSizeEntry& entry : full.entries)
    for (const auto* run : {&entry.student, &entry.reference})
      if (*run && !(*run)->problem.empty())
        text += wrapped(fmt::format("{} of {} could not be run there: {}", entry.entry,
                                    run == &entry.student ? "yours" : "the reference", (*run)->problem),
                        kWidth, 2);
  for (const FullSizeEntry& entry : full.entries)
    for (const FullSizeBudget& line : entry.budgets)
      if (entry.student && line.student.value && !line.within)
        text +=
            wrapped(fmt::format("{}: {} {}, where {} are enough.", entry.entry, format_metric(line.student),
                                line.student.tag == "bytes.dram" ? "through DRAM" : "requested",
                                format_bytes(line.limit)),
                    kWidth, 2);
  if (!full.counted_sentence.empty()) text += style.quiet(wrapped(full.counted_sentence, kWidth, 2));
  if (!all) return text;
  std::vector<std::vector<std::string>> rows;
  for (const FullSizeEntry& entry : full.entries) add_entry(rows, entry, style);
  return text + table(rows);
}

}  // namespace fusebox

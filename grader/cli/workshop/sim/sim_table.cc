#include "grader/cli/workshop/sim/sim_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "grader/cli/render/render.h"
#include "grader/report/text/format.h"
#include "grader/report/workspace_paths.h"

namespace fusebox {
namespace {

/// A kernel's name as far as there is room: libraries have names of a thousand characters. Arguments of
/// templates go first, then namespaces; the JSON has all of it.
std::string short_name(const std::string& name) {
  constexpr std::size_t kMax = 60;
  if (name.size() <= kMax) return name;
  std::string text;
  std::size_t last = 0;
  int depth = 0;
  for (const char c : name) {
    if (c == '<' && depth++ == 0) text += "<..>";
    if (depth == 0) text += c;
    if (c == '>' && depth > 0) --depth;
    if (depth == 0 && text.ends_with("::")) last = text.size();
  }
  if (text.size() > kMax) text = text.substr(last);
  return text.size() <= kMax ? text : text.substr(0, kMax - 2) + "..";
}

/// All launches of one kernel with the same grid and block.
struct KernelRow {
  const LaunchRecord* first = nullptr;
  std::vector<const sim::CountedLaunch*> repeated;  ///< those that others have the numbers of
  std::uint64_t launches = 0;
  std::uint64_t requests = 0, sectors = 0, requested = 0, compulsory = 0, conflicts = 0;
  std::uint64_t branches = 0, divergent = 0, faults = 0;
  std::optional<double> dram, seconds;  ///< absent when one launch has none
};

std::string extent(const std::array<std::uint32_t, 3>& e) {
  if (e[2] != 1) return fmt::format("{}x{}x{}", e[0], e[1], e[2]);
  return e[1] != 1 ? fmt::format("{}x{}", e[0], e[1]) : std::to_string(e[0]);
}

std::uint64_t conflicts_of(const SharedTraffic& shared) {
  return shared.wavefronts - shared.ideal_wavefronts;
}

void add(std::optional<double>& sum, std::optional<double> value) {
  if (sum && value)
    *sum += *value;
  else
    sum.reset();
}

void add(KernelRow& row, const sim::CountedLaunch& launch) {
  const Counters& c = launch.counters;
  const std::uint64_t times = 1 + launch.repeated;
  row.launches += times;
  if (launch.repeated > 0) row.repeated.push_back(&launch);
  row.requests += times * (c.global_load.requests + c.global_store.requests + c.global_atomic.requests);
  row.sectors += times * (c.global_load.sectors + c.global_store.sectors + c.global_atomic.sectors);
  row.requested += times * c.requested_bytes();
  row.compulsory += times * c.compulsory_bytes();
  row.conflicts += times * (conflicts_of(c.shared_load) + conflicts_of(c.shared_store));
  row.branches += times * c.branches;
  row.divergent += times * c.divergent_branches;
  row.faults += static_cast<std::uint64_t>(std::count_if(launch.faults.begin(), launch.faults.end(),
                                                         [](const Fault& f) { return !is_remark(f); }));
  const auto all = static_cast<double>(times);
  std::optional<double> dram, seconds;
  if (launch.model)
    dram = all * static_cast<double>(launch.model->dram_read_bytes + launch.model->dram_write_bytes);
  if (launch.time.value) seconds = all * *launch.time.value;
  add(row.dram, dram);
  add(row.seconds, seconds);
}

std::vector<KernelRow> rows_of(const std::vector<sim::CountedLaunch>& launches) {
  std::vector<KernelRow> rows;
  for (const sim::CountedLaunch& launch : launches) {
    auto row = std::find_if(rows.begin(), rows.end(), [&](const KernelRow& r) {
      return r.first->kernel == launch.kernel && r.first->grid == launch.grid &&
             r.first->block == launch.block;
    });
    if (row == rows.end()) {
      KernelRow fresh;
      fresh.first = &launch;
      fresh.dram = fresh.seconds = 0;
      row = rows.insert(rows.end(), fresh);
    }
    add(*row, launch);
  }
  return rows;
}

std::vector<std::string> cells(const KernelRow& row) {
  const auto count = [](std::uint64_t value) { return format_count(value, Digits::narrow); };
  const auto bytes = [](std::uint64_t value) { return format_bytes(static_cast<double>(value)); };
  return {short_name(row.first->kernel),
          count(row.launches),
          extent(row.first->grid),
          extent(row.first->block),
          count(row.requests),
          count(row.sectors),
          bytes(row.requested),
          bytes(row.compulsory),
          row.dram ? format_bytes(*row.dram) : "n/a",
          count(row.conflicts),
          fmt::format("{}/{}", count(row.divergent), count(row.branches)),
          row.seconds ? format_seconds(*row.seconds) : "n/a",
          count(row.faults)};
}

/// Whose numbers stand in the table for launches that were not counted.
std::string repeats_of(const std::vector<KernelRow>& rows) {
  constexpr std::size_t kNamed = 3;
  std::string text;
  for (const KernelRow& row : rows) {
    if (row.repeated.empty()) continue;
    std::uint64_t launches = 0;
    std::string like;
    for (std::size_t i = 0; i < row.repeated.size(); ++i) {
      launches += row.repeated[i]->repeated;
      if (i < kNamed) like += (i > 0 ? ", " : "") + format_count(row.repeated[i]->number);
    }
    if (row.repeated.size() > kNamed)
      like += fmt::format(" and {} others", format_count(row.repeated.size() - kNamed));
    const char* have = launches == 1 ? "has" : "have";
    const char* many = row.repeated.size() == 1 ? "launch" : "launches";
    text += wrapped(fmt::format("of {} launches of {} {} {} the counts of {} {}", format_count(row.launches),
                                short_name(row.first->kernel), format_count(launches), have, many, like),
                    kWidth, 2);
  }
  if (!text.empty())
    text += wrapped(
        "They repeat its grid, block and arguments, and were not counted. Where data decides, their own counts may differ, and races were not looked for: --every-launch counts all.",
        kWidth, 2);
  return text;
}

/// Launches of the same kernel make the same mistake: told once, with how often.
std::string faults_of(const std::vector<sim::CountedLaunch>& launches, const Style& style) {
  struct Told {
    const Fault* fault;
    const sim::CountedLaunch* last = nullptr;
    std::uint64_t launches = 0, lanes = 0;
  };
  std::vector<Told> list;
  for (const sim::CountedLaunch& launch : launches)
    for (const Fault& fault : launch.faults) {
      auto same = std::find_if(list.begin(), list.end(), [&](const Told& t) {
        return t.fault->kind == fault.kind && t.fault->kernel == fault.kernel &&
               t.fault->file == fault.file && t.fault->line == fault.line;
      });
      if (same == list.end()) same = list.insert(list.end(), Told{&fault});
      // One line may have several instructions, and without -lineinfo a kernel has but one.
      same->launches += std::exchange(same->last, &launch) != &launch;
      same->lanes += fault.count;
    }
  std::string text;
  for (const Told& told : list) {
    const Fault& f = *told.fault;
    std::string line = f.what;
    if (!f.where.empty()) line += ", " + f.where;
    line += fmt::format("; block ({},{},{}) thread ({},{},{})", f.block[0], f.block[1], f.block[2],
                        f.thread[0], f.thread[1], f.thread[2]);
    if (told.lanes > 1) line += fmt::format(", {} lanes", format_count(told.lanes));
    if (told.launches > 1) line += fmt::format(", in {} launches", format_count(told.launches));
    const std::string place = f.line > 0 ? fmt::format("{}:{}", shown(f.file), f.line)
                                         : std::string("unknown line (compile with -lineinfo)");
    text += fmt::format("\n{} {} in {}\n{}{}", is_remark(f) ? style.open("note") : style.bad("fault"),
                        style.strong(place), short_name(f.kernel), wrapped(line, kWidth, 4),
                        f.hint.empty() ? "" : wrapped(f.hint, kWidth, 4));
  }
  return text;
}

}  // namespace

std::string render_program(const sim::Journal& journal, const GpuProfile& gpu, const Style& style) {
  std::string text =
      fmt::format("\n{}\n", style.strong(fmt::format("Fusebox simulator, modelled GPU: {}", gpu.full_name)));
  if (journal.launches.empty()) {
    text += "  no kernel was launched\n";
  } else {
    std::vector<std::vector<std::string>> table_rows{{"kernel", "launches", "grid", "block", "requests",
                                                      "sectors", "requested", "compulsory", "DRAM*",
                                                      "conflicts", "divergent", "time*", "faults"}};
    const std::vector<KernelRow> rows = rows_of(journal.launches);
    for (const KernelRow& row : rows) table_rows.push_back(cells(row));
    text += table(table_rows);
    text +=
        style.quiet(fmt::format("  * modelled, of an {}; all other numbers are counted\n", gpu.full_name));
    text += repeats_of(rows);
  }
  for (const auto& [function, calls] : journal.library_calls)
    text += fmt::format("  {}: {} {}, computed on the host and not counted\n", function, format_count(calls),
                        calls == 1 ? "call" : "calls");
  text += faults_of(journal.launches, style);
  for (const std::string& problem : journal.problems)
    text += fmt::format("\n{}\n{}", style.bad("problem"), wrapped(problem, kWidth, 4));
  for (const std::string& note : journal.notes)
    text += fmt::format("\n{}\n{}", style.quiet("note"), wrapped(note, kWidth, 4));
  return text;
}

}  // namespace fusebox

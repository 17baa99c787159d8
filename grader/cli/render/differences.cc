#include "grader/cli/render/differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <vector>

#include "grader/cli/render/render.h"
#include "grader/report/json/json.h"
#include "grader/report/text/format.h"

namespace fusebox {
namespace {

std::uint64_t sum_of(const SideRun& side, const CounterField& field) {
  std::uint64_t all = 0;
  for (LaunchRecord launch : side.launches) all += field.get(launch.counters);
  return all;
}

/// "global load sectors" for "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "ptx flops" for "ptx.flops".
std::string name_of(std::string key) {
  static const std::regex of_memory(
      R"((\w+?)__(?:t_|data_pipe_lsu_)?(\w+?)_(?:pipe_lsu_)?(?:mem_|op_)(\w+?)_(?:op_)?(ld|st|red|atom)\.sum)");
  if (std::smatch match; std::regex_match(key, match, of_memory)) {
    const std::string op = match[4] == "ld" ? "load" : match[4] == "st" ? "store" : match[4].str();
    return fmt::format("{} {} {}", match[3].str(), op,
                       match[2] == "inst_executed" ? "instructions" : match[2].str());
  }
  std::replace_if(
      key.begin(), key.end(), [](char c) { return c == '.' || c == '_'; }, ' ');
  return key;
}

}  // namespace

std::string render_differences(const Report& report) {
  std::vector<std::vector<std::string>> rows;
  bool compared = false, differ = false;
  for (const EntryReport& entry : report.entries) {
    if (!entry.student || !entry.reference) continue;
    compared = true;
    rows.push_back({entry.entry, "you", "reference"});
    for (const CounterField& field : counter_fields()) {
      const std::uint64_t mine = sum_of(*entry.student, field), theirs = sum_of(*entry.reference, field);
      if (mine == theirs) continue;
      differ = true;
      rows.push_back({"  " + name_of(field.key), format_count(mine), format_count(theirs)});
    }
  }
  if (!compared) return fmt::format("{} has no report yet that could be compared.\n", report.puzzle);
  if (!differ) return fmt::format("{}: every counter equals the reference's.\n", report.puzzle);
  return table(rows);
}

}  // namespace fusebox

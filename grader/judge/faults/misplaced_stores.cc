#include "grader/judge/faults/misplaced_stores.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/report/fault_key.h"
#include "grader/report/text/format.h"

namespace fusebox {

bool ended_but_for_races(const Run& run) {
  const auto is_race = [](const Fault& fault) {
    return is_one_of(
        fault, {FaultKey::race, FaultKey::race_same_value, FaultKey::race_shared, FaultKey::race_global});
  };
  return std::all_of(run.faults.begin(), run.faults.end(), is_race) &&
         std::all_of(run.launches.begin(), run.launches.end(), [&](const LaunchRecord& launch) {
           return std::all_of(launch.faults.begin(), launch.faults.end(), is_race);
         });
}

std::string misplaced_stores(const Fault& fault, const std::string& output, const Comparison& compared) {
  // Lanes that all write the sum of their row do no harm, whatever leaves other elements out.
  if (is_remark(fault) || !fault.between_stores || fault.buffer != output || compared.unwritten == 0)
    return {};
  return fmt::format(
      "The index gives several threads one element here, and nobody writes {} of the {} elements of `{}`: look at the index of this store before anything else.",
      compared.unwritten, compared.elements, output);
}

std::string misplaced_updates(const Fault& fault, const std::string& output, std::int64_t unchanged,
                              std::int64_t elements) {
  const bool by_one_statement =
      is_one_of(fault, {FaultKey::race_global}) && fault.line != 0 && fault.line == fault.other_line;
  if (!by_one_statement || fault.buffer != output || unchanged == 0) return {};
  return fmt::format(
      "The index gives several threads one element here, and nobody changes {} of the {} elements of `{}` that are to change: look at the index of this update before anything else.",
      unchanged, elements, output);
}

std::string repeated_work(std::span<const FaultSeen> faults, const std::vector<OutputSize>& outputs) {
  std::vector<std::string> names;
  std::string between;
  for (const OutputSize& output : outputs) {
    std::uint64_t again = 0;
    for (const FaultSeen& seen : faults) {
      const Fault& fault = *seen.fault;
      if (!is_one_of(fault, {FaultKey::race_same_value}) || !fault.between_stores ||
          fault.buffer != output.name || (fault.between != "warps" && fault.between != "blocks"))
        continue;
      again += fault.count;
      between = fault.between;
    }
    if (output.elements == 0 || again < static_cast<std::uint64_t>(output.elements)) return {};
    names.push_back(output.name);
  }
  if (names.empty()) return {};
  return fmt::format(
      "Several {} store each element of {}, all with the same values: they do the same work, where each should have its own part of it.",
      between, quoted_list(names));
}

}  // namespace fusebox

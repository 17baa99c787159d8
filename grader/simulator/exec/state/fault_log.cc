#include "grader/simulator/exec/state/fault_log.h"

#include <algorithm>
#include <tuple>

#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {
namespace {

bool is_race(FaultKind kind) { return kind == FaultKind::race || kind == FaultKind::race_same_value; }

/// Between the same two source lines, whichever came first: an unrolled loop is one mistake.
bool same_race(const RawFault& a, const RawFault& b) {
  if (!is_race(a.kind) || a.space != b.space) return false;
  const auto place = [](const auto& f) {
    const ptx::Location& at = f.function->instructions[f.instruction].location;
    return at.line > 0 ? std::tuple(at.file, std::int64_t{at.line})
                       : std::tuple(~0u, std::int64_t{f.instruction});
  };
  return (place(a) == place(b) && place(a.other) == place(b.other)) ||
         (place(a) == place(b.other) && place(a.other) == place(b));
}

bool says_more(const RawFault& fresh, const RawFault& known) {
  if (!is_race(known.kind)) return false;
  if (fresh.kind != known.kind) return fresh.kind == FaultKind::race;
  return fresh.apart() != RawFault::Apart::lanes && known.apart() == RawFault::Apart::lanes;
}

}  // namespace

void FaultLog::add(const RawFault& fault) {
  constexpr std::int64_t kWork = 4;
  charge(kWork);
  for (RawFault& known : faults_) {
    if (is_race(fault.kind) ? !same_race(known, fault)
                            : known.kind != fault.kind || known.function != fault.function ||
                                  known.instruction != fault.instruction)
      continue;
    const std::uint64_t count = known.count + fault.count;
    const std::uint64_t reach = std::max(known.reach, fault.address + fault.bytes);
    // Writes that differ say more than writes that happened to agree; what is between warps asks for more
    // than what is between lanes of one.
    if (says_more(fault, known)) known = fault;
    known.count = count;
    known.reach = reach;
    return;
  }
  // A kernel with more kinds of mistakes than this has been told enough.
  if (faults_.size() >= 100) return;
  faults_.push_back(fault);
  faults_.back().reach = fault.address + fault.bytes;
}

}  // namespace fusebox::sim

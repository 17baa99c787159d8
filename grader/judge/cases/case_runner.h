#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/catalog/puzzle.h"
#include "grader/judge/cases/call.h"
#include "grader/judge/cases/services.h"
#include "grader/report/report.h"

namespace fusebox {

/// What became of one call.
struct CaseResult {
  Check check;
  std::vector<LaunchRecord> launches;  ///< copies and memsets among them, see operations_of
  std::vector<Metric> metrics;
  std::vector<std::vector<std::byte>> outputs;  ///< of out and inout tensors, in the order of the arguments
  std::vector<bool> written;                    ///< of the same: every byte was stored to
  std::vector<std::size_t> fault_launches;      ///< in which launch each of `faults` was seen
  std::vector<Fault> faults;                    ///< all of them; check.fault is the one to tell
  bool executed = false;   ///< the plan ran to its end without a fault, so that its counters mean something
  bool no_kernel = false;  ///< the host function came to its end and launched nothing
  bool wrong_answer = false;  ///< nothing but the values of an output is wrong
  bool hopeless = false;      ///< it never ended: other cases will not end either
  bool told_by_gpu = false;   ///< the GPU's verdict: the simulator refuses a kernel, or finds nothing wrong
  std::string bad_end;        ///< see Recording
};

/// How a call of a learner's function is carried out: with which limits, looking for what.
ExecuteOptions options_for(const Services& services, const SourceFile& source, const Entry& entry,
                           const Call& call, const LaunchPlan& plan);

/// Kernels are called what they would be called if their file had been compiled alone.
void name_kernels(Run& run);

/// A host function called once: prepared, recorded, carried out and judged. `max_work`: see Call.
Result<CaseResult> run_call(const Services& services, const CompiledFile& program, std::size_t function,
                            const Entry& entry, const Problem& problem, bool counted = false,
                            std::uint64_t max_work = 0);

/// Judges one run of a plan that any device made: its faults, what it did to inputs, and its outputs.
void judge_run(const Entry& entry, const SourceFile& source, const Call& call, const LaunchPlan& plan,
               const Run& run, CaseResult& result);

/// Executes what was recorded and judges outputs, inputs and faults. A machine's failure is an error; the
/// rest is in the check. With a GPU a case that is right on the simulator must be right there too, and one
/// whose kernels the simulator does not know is judged there alone (and then not `executed`: nothing was
/// counted).
Result<CaseResult> judge_call(const Services& services, const CompiledFile& program, const Entry& entry,
                              const Call& call, const RecordResult& recorded);

}  // namespace fusebox

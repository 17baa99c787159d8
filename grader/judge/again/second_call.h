#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "grader/judge/cases/case_runner.h"

namespace fusebox {

/// Two cases for calls in a row: the smallest, and behind it the one of the others that differs from it in
/// most sizes, of those the largest of at most 2^18 for the product of its sizes, else the smallest. Counted
/// cases are left out. Null: there are no two.
std::pair<const Case*, const Case*> cases_in_a_row(std::span<const Case* const> cases);

/// The sizes in which they differ, for each of which alone something may be kept: one that no shape of
/// `of_second`, the second's tensors, has comes first, else how long the rows of the first tensor are. Empty:
/// they differ in one at most, and who keeps something for that keeps it for all.
std::vector<std::string> sizes_between(const Case& first, const Case& second, const Problem& of_second);
/// A case like `first`, but for that size, which is that of `second`: who keeps something for it alone is
/// wrong behind it.
Case case_between(const Case& first, const Case& second, const std::string& size);

/// A host function called more than once in one process, with other tensors and sizes: what it made of the
/// last call.
struct SecondCall {
  Call call;                          ///< request.calls_before: those before it
  std::vector<Buffer> first_buffers;  ///< of those, behind the last call's
  LaunchPlan plan;                    ///< of all calls; empty where they did not come to their end
  CaseResult result;                  ///< of the last

  bool is_right() const { return result.check.outcome == Outcome::passed; }
};

/// What the function is called with before the last call, in this order.
using CallsBefore = std::span<const std::shared_ptr<const Problem>>;

/// All calls' tensors beside each other in the device's memory; nothing has been called.
Result<SecondCall> prepare_second_call(const Services& services, const CompiledFile& program,
                                       std::size_t function, const Entry& entry, CallsBefore before,
                                       const Problem& last);

/// Carries out what was recorded of them. Absent: nothing follows from it, because what was asked for is more
/// than such a run may ask for.
Result<std::optional<SecondCall>> judge_second_call(const Services& services, const CompiledFile& program,
                                                    const Entry& entry, SecondCall calls,
                                                    const RecordResult& recorded);

/// All of that.
Result<std::optional<SecondCall>> call_twice(const Services& services, const CompiledFile& program,
                                             std::size_t function, const Entry& entry, CallsBefore before,
                                             const Problem& last);

/// The same calls, with the operations of `plan`.
Result<CaseResult> carry_out(const Services& services, const CompiledFile& program, const Entry& entry,
                             const SecondCall& calls, const LaunchPlan& plan);

}  // namespace fusebox

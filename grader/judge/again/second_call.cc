#include "grader/judge/again/second_call.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <tuple>
#include <variant>

#include "grader/report/fault_key.h"

namespace fusebox {
namespace {

std::int64_t elements_of(const Case& which) {
  std::int64_t elements = 1;
  for (const auto& [name, size] : which.sizes) elements *= std::max<std::int64_t>(size, 1);
  return elements;
}

std::int64_t sizes_that_differ(const Case& a, const Case& b) {
  std::int64_t differ = 0;
  for (const auto& [name, size] : a.sizes) {
    const auto other = b.sizes.find(name);
    differ += other == b.sizes.end() || other->second != size;
  }
  return differ;
}

bool is_one_of_limits(FailureKind kind) {
  return kind == FailureKind::hang || kind == FailureKind::output || kind == FailureKind::memory ||
         kind == FailureKind::unsupported;
}

bool has_reached_a_limit(std::span<const Fault> faults) {
  return std::any_of(faults.begin(), faults.end(), [](const Fault& fault) {
    return is_one_of(fault, {FaultKey::memory_limit, FaultKey::work_limit, FaultKey::time_limit});
  });
}

}  // namespace

std::pair<const Case*, const Case*> cases_in_a_row(std::span<const Case* const> cases) {
  const Case* first = nullptr;
  for (const Case* which : cases)
    if (!which->counted && (!first || elements_of(*which) < elements_of(*first))) first = which;
  if (!first) return {};
  const Case* second = nullptr;
  // What was made for the first call is too small for a large one; but every right answer waits for it.
  constexpr std::int64_t kMost = 1 << 18;
  const auto merit = [&](const Case& which) {
    const std::int64_t elements = elements_of(which);
    return std::tuple(sizes_that_differ(*first, which), elements <= kMost ? elements : -elements);
  };
  for (const Case* which : cases)
    if (!which->counted && which != first && (!second || merit(*which) > merit(*second))) second = which;
  return second ? std::pair(first, second) : std::pair<const Case*, const Case*>();
}

std::vector<std::string> sizes_between(const Case& first, const Case& second, const Problem& of_second) {
  std::vector<std::int64_t> lengths;
  std::int64_t row = 0;  // of the first tensor
  for (const Argument& argument : of_second.arguments) {
    const auto* const tensor = std::get_if<Tensor>(&argument);
    if (!tensor || tensor->shape.empty()) continue;
    lengths.insert(lengths.end(), tensor->shape.begin(), tensor->shape.end());
    if (row == 0) row = tensor->shape.back();
  }
  const auto has_no_shape = [&](const std::string& name) {
    return std::find(lengths.begin(), lengths.end(), second.sizes.at(name)) == lengths.end();
  };
  std::vector<std::string> names;
  for (const auto& [name, size] : second.sizes)
    if (const auto had = first.sizes.find(name); had != first.sizes.end() && had->second != size)
      names.push_back(name);
  if (names.size() < 2) return {};
  auto likeliest = std::find_if(names.begin(), names.end(), has_no_shape);
  if (likeliest == names.end())
    likeliest = std::find_if(names.begin(), names.end(),
                             [&](const std::string& name) { return second.sizes.at(name) == row; });
  if (likeliest != names.end()) std::rotate(names.begin(), likeliest, std::next(likeliest));
  return names;
}

Case case_between(const Case& first, const Case& second, const std::string& size) {
  Case between = first;
  between.name += "_between_" + size;
  between.drawn.clear();
  between.sizes[size] = second.sizes.at(size);
  return between;
}

Result<CaseResult> carry_out(const Services& services, const CompiledFile& program, const Entry& entry,
                             const SecondCall& calls, const LaunchPlan& plan) {
  std::vector<Buffer> buffers = calls.call.buffers;
  buffers.insert(buffers.end(), calls.first_buffers.begin(), calls.first_buffers.end());
  auto run = services.device->execute(plan, program.artifact.module, buffers,
                                      options_for(services, program.source, entry, calls.call, plan));
  if (!run) return run.error();
  run->outputs.resize(calls.call.buffers.size());
  run->written.resize(calls.call.buffers.size());
  name_kernels(*run);
  CaseResult result;
  judge_run(entry, program.source, calls.call, plan, *run, result);
  return result;
}

Result<SecondCall> prepare_second_call(const Services& services, const CompiledFile& program,
                                       std::size_t function, const Entry& entry, CallsBefore before,
                                       const Problem& last) {
  auto behind = prepare_call(services, program, function, entry, last);
  if (!behind) return behind.error();
  SecondCall calls;
  calls.call = std::move(behind.value());
  AddressRange& allocations = calls.call.request.allocations;
  for (const auto& problem : before) {
    auto one = prepare_call(services, program, function, entry, *problem);
    if (!one) return one.error();
    const std::uint64_t by = allocations.begin - services.device->address_range().begin;
    Call other = moved(one.value(), by);
    allocations = other.request.allocations;
    allocations.bytes -= std::min(by, allocations.bytes);
    std::move(other.buffers.begin(), other.buffers.end(), std::back_inserter(calls.first_buffers));
    calls.call.request.calls_before.push_back(std::move(other.request.arguments));
  }
  return calls;
}

Result<std::optional<SecondCall>> judge_second_call(const Services& services, const CompiledFile& program,
                                                    const Entry& entry, SecondCall calls,
                                                    const RecordResult& recorded) {
  // What the calls together take, or ask for, may be too much where each by itself is not.
  if (const auto* failure = std::get_if<RecordFailure>(&recorded)) {
    if (is_one_of_limits(failure->kind)) return std::optional<SecondCall>();
    auto failed = judge_call(services, program, entry, calls.call, recorded);
    if (!failed) return failed.error();
    calls.result = std::move(failed.value());
    return std::optional(std::move(calls));
  }
  calls.plan = std::get<Recording>(recorded).plan;
  auto result = carry_out(services, program, entry, calls, calls.plan);
  if (!result) return result.error();
  calls.result = std::move(result.value());
  if (has_reached_a_limit(calls.result.faults)) return std::optional<SecondCall>();
  return std::optional(std::move(calls));
}

Result<std::optional<SecondCall>> call_twice(const Services& services, const CompiledFile& program,
                                             std::size_t function, const Entry& entry, CallsBefore before,
                                             const Problem& last) {
  auto calls = prepare_second_call(services, program, function, entry, before, last);
  if (!calls) return calls.error();
  const auto recorded = services.record(calls->call.request);
  if (!recorded) return recorded.error();
  return judge_second_call(services, program, entry, std::move(calls.value()), recorded.value());
}

}  // namespace fusebox

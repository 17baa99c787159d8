#include "grader/simulator/plan/stream_races.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/report/fault_key.h"

namespace fusebox::sim {
namespace {

/// More pairs than this are not looked at: a plan of so many operations has shown what it does.
constexpr std::size_t kMaxPairs = 100'000;

const char* verb_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::load:
      return "reads";
    case AccessKind::store:
      return "writes";
    case AccessKind::atomic:
      return "updates";
  }
  return "touches";
}

Fault race_between(const std::string& first, const std::string& second, const BytesTouched::Meeting& meeting,
                   const std::vector<NamedRange>& buffers) {
  Fault fault;
  fault.kind = word_of(FaultKey::race_streams);
  fault.between = "streams";
  fault.what = fmt::format("race: {} and {} run on streams that nothing orders", first, second);
  std::string place = fmt::format("address {:#x}", meeting.address);
  for (const NamedRange& range : buffers)
    if (range.holds(meeting.address, meeting.address + 1)) place = fmt::format("`{}`", range.name);
  fault.where = fmt::format("{} {} {}, which {} {}", first, verb_of(meeting.mine), place, second,
                            verb_of(meeting.theirs));
  fault.hint =
      "Let the second wait for the first: cudaEventRecord() on the first stream, then cudaStreamWaitEvent() on the second; or use one stream for both.";
  return fault;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> unordered_ops(const LaunchPlan& plan) {
  std::vector<std::vector<std::uint32_t>> unordered(plan.ops.size());
  if (plan.order.size() != plan.ops.size()) return unordered;
  // Per operation and stream: how many operations of that stream come before it, itself included.
  std::map<std::uint32_t, std::vector<std::uint32_t>> on_stream;
  std::vector<std::map<std::uint32_t, std::size_t>> before(plan.ops.size());
  std::size_t pairs = 0;
  for (std::uint32_t i = 0; i < plan.ops.size() && pairs < kMaxPairs; ++i) {
    const OpOrder& order = plan.order[i];
    if (order.stream == OpOrder::kHost) continue;
    auto& mine = before[i];
    const auto join = [&](std::uint32_t earlier) {
      for (const auto& [stream, count] : before[earlier]) mine[stream] = std::max(mine[stream], count);
    };
    auto& own = on_stream[order.stream];
    if (!own.empty()) join(own.back());
    for (const std::uint32_t earlier : order.after) join(earlier);
    for (const auto& [stream, ops] : on_stream)
      if (stream != order.stream) {
        const auto known = mine.find(stream);
        for (std::size_t k = known == mine.end() ? 0 : known->second; k < ops.size(); ++k, ++pairs)
          unordered[i].push_back(ops[k]);
      }
    own.push_back(i);
    mine[order.stream] = own.size();
  }
  return unordered;
}

StreamRaces::StreamRaces(const LaunchPlan& plan) : unordered_(unordered_ops(plan)) {
  if (!plan.order.empty()) {
    // As if one more operation came in the default stream.
    LaunchPlan and_one_more;
    and_one_more.ops.resize(plan.ops.size() + 1);
    and_one_more.order = plan.order;
    and_one_more.order.push_back({0, plan.done_for_the_caller});
    unfinished_ = std::move(unordered_ops(and_one_more).back());
  }
  for (const std::uint32_t unfinished : unfinished_) seen_[unfinished];
  for (std::size_t i = 0; i < unordered_.size(); ++i) {
    if (unordered_[i].empty()) continue;
    seen_[i];
    for (const std::uint32_t earlier : unordered_[i]) seen_[earlier];
  }
}

BytesTouched* StreamRaces::touched_by(std::size_t index) {
  const auto found = seen_.find(index);
  return found == seen_.end() ? nullptr : &found->second.touched;
}

std::vector<Fault> StreamRaces::done(std::size_t index, std::string name,
                                     const std::vector<NamedRange>& buffers) {
  const auto found = seen_.find(index);
  if (found == seen_.end()) return {};
  found->second.name = std::move(name);
  std::vector<Fault> faults;
  for (const std::uint32_t earlier : unordered_[index]) {
    const Seen& first = seen_.at(earlier);
    if (const auto meeting = first.touched.meets(found->second.touched))
      faults.push_back(race_between(first.name, found->second.name, *meeting, buffers));
  }
  return faults;
}

std::vector<Fault> StreamRaces::returned(const std::vector<NamedRange>& tensors) {
  std::vector<Fault> faults;
  for (const std::uint32_t unfinished : unfinished_) {
    const Seen& seen = seen_.at(unfinished);
    for (const NamedRange& tensor : tensors) {
      BytesTouched by_the_caller;
      by_the_caller.add(AccessKind::load, tensor.address, tensor.bytes);
      if (seen.name.empty() || !seen.touched.meets(by_the_caller)) continue;
      Fault& fault = faults.emplace_back();
      fault.kind = word_of(FaultKey::race_streams);
      fault.between = "streams";
      fault.what = fmt::format("race: {} may still be running when the function has returned", seen.name);
      fault.where = fmt::format(
          "and it writes `{}`: neither the host nor the default stream waits for its stream", tensor.name);
      fault.hint =
          "Before the function returns, call cudaStreamSynchronize() of that stream, or let the default stream wait: cudaEventRecord() on yours, cudaStreamWaitEvent(nullptr, event). A stream of cudaStreamCreate() is waited for by itself.";
      break;
    }
  }
  return faults;
}

}  // namespace fusebox::sim

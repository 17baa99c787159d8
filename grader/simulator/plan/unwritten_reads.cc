#include "grader/simulator/plan/unwritten_reads.h"

#include <fmt/format.h>

#include <algorithm>

namespace fusebox::sim {
namespace {

const char* before_text(const Allocation* buffer) {
  return buffer && buffer->own ? "cudaMalloc leaves memory undefined" : "It holds nothing before the call";
}

}  // namespace

const Allocation* UnwrittenReads::buffer_of(DeviceAddress address) const {
  for (const Allocation& a : memory_.allocations())
    if (!a.freed && address - a.address < a.bytes) return &a;
  return nullptr;
}

/// Tells of those reads whose bytes have been written by now.
template <class Tell>
void UnwrittenReads::settle(Run& run, Tell tell) {
  std::erase_if(open_, [&](const Read& read) {
    if (!memory_.defined(read.address, read.bytes)) return false;
    tell(read, run.launches[read.launch].faults[read.fault]);
    return true;
  });
}

void UnwrittenReads::launched(Run& run, const std::vector<RawFault>& faults) {
  const std::size_t launch = run.launches.size() - 1;
  carried_out(run, "`" + run.launches[launch].kernel + "`");
  const std::vector<Read> earlier = std::move(open_);
  open_.clear();
  for (std::size_t i = 0; i < faults.size() && i < run.launches[launch].faults.size(); ++i)
    if (faults[i].kind == FaultKind::uninitialised_read && faults[i].space == Space::global)
      open_.push_back({launch, i, faults[i].address, faults[i].bytes});
  settle(run, [&](const Read& read, Fault& fault) {
    fault.where += ", which this launch itself writes, but only later";
    fault.hint = fmt::format("{}: store to it before it is read, or do not read it (= instead of +=).",
                             before_text(buffer_of(read.address)));
  });
  open_.insert(open_.begin(), earlier.begin(), earlier.end());
}

void UnwrittenReads::carried_out(Run& run, const std::string& name) {
  settle(run, [&](const Read&, Fault& fault) {
    fault.where += fmt::format(", which {} writes only later", name);
    fault.hint = fmt::format("Let {} come before this launch.", name);
  });
}

void UnwrittenReads::never_written(Run& run, const Read& read, const Allocation& buffer) const {
  Fault& fault = run.launches[read.launch].faults[read.fault];
  const std::uint8_t* bytes = memory_.shadow(read.address);
  const auto defined = std::count(bytes, bytes + read.bytes, GlobalMemory::kGood);
  fault.where += defined == 0 ? ", which nothing ever writes"
                              : fmt::format(", of whose {} bytes nothing ever writes {}", read.bytes,
                                            static_cast<std::int64_t>(read.bytes) - defined);
  const std::uint8_t* shadow = memory_.shadow(buffer.address);
  const auto written = std::count(shadow, shadow + buffer.bytes, GlobalMemory::kGood);
  if (written > 0)
    fault.where +=
        fmt::format(" ({} of the {} bytes of `{}` are written)", written, buffer.bytes, buffer.name);
  fault.hint =
      fmt::format("{}: {}", before_text(&buffer),
                  written > 0 ? "look at which elements the writer skips, and at the index of this read."
                              : "write it before this launch.");
}

void UnwrittenReads::freeing(Run& run, DeviceAddress address) {
  std::erase_if(open_, [&](const Read& read) {
    const Allocation* buffer = buffer_of(read.address);
    if (buffer == nullptr || buffer->address != address) return false;
    never_written(run, read, *buffer);
    return true;
  });
}

void UnwrittenReads::finish(Run& run) {
  for (const Read& read : open_)
    if (const Allocation* buffer = buffer_of(read.address)) never_written(run, read, *buffer);
  open_.clear();
}

}  // namespace fusebox::sim

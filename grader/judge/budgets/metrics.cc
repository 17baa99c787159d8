#include "grader/judge/budgets/metrics.h"

#include <algorithm>

#include "grader/judge/budgets/ledger.h"

namespace fusebox {
namespace {

template <class F>
double sum(std::span<const LaunchRecord> launches, F&& field) {
  std::uint64_t total = 0;
  for (const auto& launch : launches) total += field(launch.counters);
  return static_cast<double>(total);
}

/// Largest value over the launches that have one.
template <class F>
std::optional<double> largest(std::span<const LaunchRecord> launches, F&& field) {
  std::optional<double> result;
  for (const auto& launch : launches)
    if (const auto value = field(launch))
      result = std::max(result.value_or(*value), static_cast<double>(*value));
  return result;
}

std::optional<double> sectors_per_request(std::span<const LaunchRecord> launches) {
  std::uint64_t sectors = 0, requests = 0;
  for (const auto& launch : launches) {
    for (const GlobalTraffic* traffic : {&launch.counters.global_load, &launch.counters.global_store}) {
      if (traffic->requests == 0) continue;  // copies move sectors without any warp asking for them
      sectors += traffic->sectors;
      requests += traffic->requests;
    }
  }
  if (requests == 0) return std::nullopt;
  return static_cast<double>(sectors) / static_cast<double>(requests);
}

/// The sum over launches; absent when one of them was not modelled.
template <class F>
std::optional<double> modelled(std::span<const LaunchRecord> launches, F value) {
  double total = 0;
  for (const LaunchRecord& launch : launches) {
    if (!launch.model) return std::nullopt;
    total += value(*launch.model);
  }
  return total;
}

/// The sum over kernels; absent when one of them was not measured.
std::optional<double> measured(std::span<const LaunchRecord> launches) {
  double total = 0;
  for (const LaunchRecord& launch : launches) {
    if (!is_kernel(launch)) continue;
    if (launch.time.source != Source::measured || !launch.time.value) return std::nullopt;
    total += *launch.time.value;
  }
  return total > 0 ? std::optional(total) : std::nullopt;
}

}  // namespace

std::optional<double> sectors_over_ideal(std::span<const LaunchRecord> launches) {
  std::uint64_t sectors = 0, ideal = 0;
  for (const auto& launch : launches) {
    for (const GlobalTraffic* traffic : {&launch.counters.global_load, &launch.counters.global_store}) {
      if (traffic->requests == 0) continue;
      sectors += traffic->sectors;
      ideal += traffic->ideal_sectors;
    }
  }
  if (ideal == 0) return std::nullopt;
  return static_cast<double>(sectors) / static_cast<double>(ideal);
}

std::vector<Metric> metrics_of(std::span<const LaunchRecord> launches, std::uint64_t intermediate_bytes) {
  const auto kernels = std::count_if(launches.begin(), launches.end(), is_kernel);
  return {
      {"launches", "launches", "Kernels that the host function launched.", Unit::count,
       static_cast<double>(kernels)},
      {"copies", "copies and memsets", "Copies and memsets that the host function asked for.", Unit::count,
       static_cast<double>(launches.size()) - static_cast<double>(kernels)},
      {"bytes.requested", "bytes requested",
       "32 bytes for every sector that a warp asked for, caches or not.", Unit::bytes,
       sum(launches, [](const Counters& c) { return c.requested_bytes(); })},
      {"bytes.compulsory", "bytes compulsory",
       "32 bytes for every distinct sector of each launch: what no cache can save.", Unit::bytes,
       sum(launches, [](const Counters& c) { return c.compulsory_bytes(); })},
      {"requests", "requests", "Loads and stores of global memory that warps made.", Unit::count,
       sum(launches, [](const Counters& c) { return c.global_load.requests + c.global_store.requests; })},
      {"sectors_per_request", "sectors per request",
       "Sectors that one global load or store of a warp touches on average.", Unit::per_request,
       sectors_per_request(launches)},
      {"sectors_over_ideal", "sectors / ideal",
       "Sectors that global loads and stores touch, over those that their bytes fill: 1 is coalesced.",
       Unit::per_request, sectors_over_ideal(launches)},
      {"intermediate_bytes", "intermediate bytes", "Device memory that the host function allocated itself.",
       Unit::bytes, static_cast<double>(intermediate_bytes)},
      {"registers", "registers", "Registers of a thread, the largest of any kernel launched.", Unit::count,
       largest(launches, [](const LaunchRecord& l) { return l.registers; })},
      {"shared_bytes", "shared bytes",
       "Shared memory of a block, static and dynamic, the largest of any launch.", Unit::bytes,
       largest(launches,
               [](const LaunchRecord& l) {
                 return std::optional<double>(double(l.static_shared_bytes) + double(l.dynamic_shared_bytes));
               })},
      {"bank_conflicts", "bank conflicts", "Wavefronts of shared memory beyond the fewest possible.",
       Unit::count,
       sum(launches,
           [](const Counters& c) {
             return c.shared_load.wavefronts - c.shared_load.ideal_wavefronts + c.shared_store.wavefronts -
                    c.shared_store.ideal_wavefronts;
           })},
      {"spill_bytes", "spill bytes",
       "Registers that the compiler had to keep in memory, the largest of any kernel.", Unit::bytes,
       largest(launches, [](const LaunchRecord& l) { return l.spill_bytes; })},
      {"local_requests", "local memory",
       "Loads and stores of local memory: what a thread keeps that is in no register.", Unit::count,
       sum(launches, [](const Counters& c) { return c.local_load_requests + c.local_store_requests; })},
      {"waits", "waits for memory",
       "Times that a warp waited for what it had asked global memory for; loads under way together are one.",
       Unit::count, modelled(launches, [](const LaunchModel& m) { return static_cast<double>(m.waits); }),
       Source::modelled},
      {"bytes.dram", "DRAM bytes", "Read and written, by the cache model.", Unit::bytes,
       modelled(
           launches,
           [](const LaunchModel& m) { return static_cast<double>(m.dram_read_bytes + m.dram_write_bytes); }),
       Source::modelled},
      {"time", "time", "Of all launches, by the model of the GPU.", Unit::seconds,
       modelled(launches, [](const LaunchModel& m) { return m.seconds; }), Source::modelled},
      {"time.gpu", "time on the GPU", "Of all kernels, each by itself, on the GPU of this machine.",
       Unit::seconds, measured(launches), Source::measured},
      {"flops", "floating-point operations",
       "Operations of active lanes, outside tensor cores; a fused multiply-add is two.", Unit::count,
       sum(launches, [](const Counters& c) { return c.flops - c.matrix_flops; })},
      {"matrix_flops", "operations of tensor cores", "Of mma, wmma and wgmma; a multiply-add is two.",
       Unit::count, sum(launches, [](const Counters& c) { return c.matrix_flops; })},
      {"warp_instructions", "warp instructions", "PTX instructions issued.", Unit::count,
       sum(launches, [](const Counters& c) { return c.warp_instructions; })},
      {"divergent_branches", "divergent branches", "Branches at which the lanes of a warp went two ways.",
       Unit::count, sum(launches, [](const Counters& c) { return c.divergent_branches; })},
      {"barriers", "barriers", "Arrivals of warps at block barriers.", Unit::count,
       sum(launches, [](const Counters& c) { return c.barriers; })},
      {"atomics", "global atomics",
       "Warp instructions that update global memory atomically, but for waiting for the grid.", Unit::count,
       sum(launches, [](const Counters& c) { return c.global_atomic.requests - c.waiting_atomics; })},
  };
}

const Metric* find_metric(std::span<const Metric> metrics, std::string_view tag) {
  const auto found =
      std::find_if(metrics.begin(), metrics.end(), [&](const Metric& m) { return m.tag == tag; });
  return found == metrics.end() ? nullptr : &*found;
}

}  // namespace fusebox

#include "grader/simulator/observe/modelled/model.h"

#include <algorithm>
#include <vector>

#include "grader/device/launch_limits.h"
#include "grader/simulator/observe/modelled/atomics/shared_loops.h"
#include "grader/simulator/observe/modelled/balance.h"

namespace fusebox::sim {
namespace {

constexpr double kSchedulers = 4;     // warp schedulers of an SM, one instruction a cycle each
constexpr double kSpecialLanes = 16;  // special-function lanes of an SM
constexpr double kFp64Lanes = 64;     // of an SM whose fp64 cycles were measured
// A line that a request changes in parts keeps L2 busy at least as long as that many of its sectors.
constexpr double kPartialLine = 1.75;
// What the way to L2 lets through of the turns that all its slices could take at atomics; and how much longer
// one takes whose old value comes back.
constexpr double kAllSlices = 0.67, kComesBack = 1.62;
// Of L2's rate, what passes between it and DRAM takes as much as so many bytes of what the SMs read: rows
// that are read twice say 0.9 to 1. With 1 a stream that is read once would be bound by L2 as much as by
// DRAM.
constexpr double kOfDram = 0.9;
// How often a slice of L2 takes a request, of the turns that it could take at atomics: of an H200 all 96 take
// 143 of one sector a nanosecond (bench/pipes/gathers.cu).
constexpr double kRequestsOfTurns = 0.87;

// How much longer a load from DRAM takes where that is busy all the time: of an H200 it takes 720 cycles
// alone, 785 at a quarter of the bytes it can move and 820 to 890 at a half (bench/pipes/dram_latency.cu).
constexpr double kLoadedDram = 0.36;
// Blocks that come back for what to do next, one lane of each for an old value, come back oftener than that.
constexpr std::uint64_t kComesBackForWork = 2;

double ratio(double a, double b) { return b > 0 ? a / b : 0; }
double ratio(std::uint64_t a, double b) { return ratio(static_cast<double>(a), b); }

Occupancy occupancy_of(const GpuProfile& gpu, const LaunchRecord& launch, std::uint64_t threads) {
  KernelParameters kernel;
  kernel.registers = launch.registers.value_or(0);
  kernel.static_shared_bytes = static_cast<int>(launch.static_shared_bytes);
  Residency resident = residency(gpu, kernel, threads, launch.dynamic_shared_bytes);
  Occupancy occupancy;
  occupancy.blocks_per_sm = static_cast<std::uint64_t>(resident.blocks);
  occupancy.warps_per_sm = occupancy.blocks_per_sm * ((threads + kWarpSize - 1) / kWarpSize);
  occupancy.ratio = ratio(static_cast<double>(occupancy.warps_per_sm),
                          static_cast<double>(gpu.max_threads_per_sm) / kWarpSize);
  occupancy.limited_by = resident.limited_by;
  return occupancy;
}

std::uint64_t dram_bytes(const CacheTraffic& traffic) {
  return traffic.dram_read_bytes + traffic.dram_write_bytes;
}

double dram_seconds(const GpuProfile& gpu, const CacheTraffic& traffic) {
  return ratio(dram_bytes(traffic) + traffic.dram_extra_bytes, gpu.dram_copy_bytes_per_second);
}

/// L2 moves bytes to and from the SMs, and to and from DRAM; takes requests, however little they ask for; and
/// merges parts of sectors: the longest of these.
double l2_seconds(const GpuProfile& gpu, const CacheTraffic& traffic) {
  const std::uint64_t of_sms = traffic.l2_read_bytes + traffic.l2_write_bytes - traffic.l2_atomic_bytes;
  const double requests = kRequestsOfTurns * gpu.l2_slices * gpu.atomic_turns_per_second;
  const double parts = std::max(static_cast<double>(traffic.l2_partial_sectors),
                                kPartialLine * static_cast<double>(traffic.l2_partial_lines));
  const double bytes = static_cast<double>(of_sms) + kOfDram * static_cast<double>(dram_bytes(traffic));
  return std::max({ratio(bytes, gpu.l2_bytes_per_second), ratio(traffic.l2_requests, requests),
                   ratio(parts, gpu.l2_partial_sectors_per_second)});
}

double atomic_seconds(const GpuProfile& gpu, const Counters& c, const CacheTraffic& traffic) {
  const double of_atom = ratio(static_cast<double>(c.global_atom.sectors),
                               static_cast<double>(c.global_atom.sectors + c.global_red.sectors));
  const double all = traffic.atomic_turns * (1 + (kComesBack - 1) * of_atom) / (kAllSlices * gpu.l2_slices);
  return ratio(std::max(all, traffic.busiest_atomic_turns), gpu.atomic_turns_per_second);
}

/// Warps that read DRAM first and then go on within their SM leave the one idle while they do the other,
/// until those of later rounds are at the other one meanwhile: of as many rounds as a launch has, one has
/// both parts behind each other. A pipeline of two stages is as long as that.
double fill_and_drain(const LaunchModel& model, const CacheTraffic& traffic, double rounds) {
  const double share = ratio(static_cast<double>(traffic.waits_within),
                             static_cast<double>(traffic.shared_waits + model.waits));
  double outside = 0;
  std::vector<ModelTerm> within;
  for (const ModelTerm& term : model.terms) {
    if (term.name == "DRAM" || term.name == "L2") outside = std::max(outside, term.seconds);
    if (term.name == "load-store" || term.name == "issue" || term.name == "special functions" ||
        term.name == "fp64")
      within.push_back(term);
  }
  const double behind_each_other = outside + share * overlapped(within);
  return std::max(behind_each_other - overlapped(model.terms), 0.0) / rounds;
}

/// How many times as long it takes as if all blocks had the same work, and all warps of a block.
struct Uneven {
  double lines = 1, issue = 1;  ///< of the busiest SM
  double places = 1;            ///< of the blocks that follow one another in one place
  double warps = 1;             ///< of a block, by its warps
};

/// `each_wait`: cycles of a wait for what lies in L1 or behind it. Which of several blocks that run at the
/// same time waits for DRAM and which finds in L2 what that one has brought is the order in which they are
/// modelled, and no difference between them: all wait as long.
Uneven uneven_work(const GpuProfile& gpu, const CacheTraffic& traffic, std::uint64_t resident,
                   double block_warps, double rounds, double each_wait) {
  using BlockWork = CacheTraffic::BlockWork;
  // Each kind of work is dealt out for itself: blocks that have more of one need not have more of another.
  const auto dealt = [&](const auto& of) {
    std::vector<std::uint64_t> work;
    work.reserve(traffic.of_blocks.size());
    for (const BlockWork& block : traffic.of_blocks) work.push_back(static_cast<std::uint64_t>(of(block)));
    return balance(work, static_cast<std::uint64_t>(gpu.sms), std::max<std::uint64_t>(resident, 1));
  };
  const auto cycles_of = [&](const CacheTraffic::WarpWork& work) {
    return static_cast<double>(work.l1_waits + work.outside_waits) * each_wait +
           static_cast<double>(work.shared_waits) * gpu.shared_latency_cycles +
           static_cast<double>(work.loop_cycles) +
           static_cast<double>(work.instructions) * gpu.instruction_cycles;
  };
  const auto cycles_of_block = [&](const BlockWork& block) {
    return cycles_of(block.slowest) + cycles_of(block.last_slowest);
  };
  Uneven uneven;
  uneven.lines = dealt([](const BlockWork& block) { return block.lines; }).sms;
  uneven.issue = dealt([](const BlockWork& block) { return block.warps.instructions; }).sms;
  uneven.places = dealt(cycles_of_block).places;
  // Between two barriers all wait for the slowest warp. Warps that leave behind the last one make room for
  // other blocks, where there are more: until as many are there as may be at all.
  double even = 0, of_slowest = 0, of_places = 0;
  for (const BlockWork& block : traffic.of_blocks) {
    even += cycles_of(block.warps) / block_warps;
    of_slowest += cycles_of_block(block);
    of_places += cycles_of(block.slowest) + cycles_of(block.last) / block_warps;
  }
  const double filled = ratio(resident, static_cast<double>(gpu.max_blocks_per_sm));
  if (even > 0) uneven.warps = std::max({of_slowest / rounds, of_slowest * filled, of_places}) / even;
  return uneven;
}

/// Whether blocks take their work out of a queue, as they get to it: here the first ones take most of it,
/// since they are carried out first, and on a GPU all the same.
bool takes_from_queue(const Counters& c, std::uint64_t blocks) {
  return c.global_atom.requests > kComesBackForWork * blocks &&
         c.global_atomic.lanes == c.global_atomic.requests;
}

}  // namespace

LaunchModel model_launch(const GpuProfile& gpu, const LaunchRecord& launch, const CacheTraffic& traffic) {
  LaunchModel model;
  model.gpu = gpu.name;
  model.l2_bytes = traffic.l2_read_bytes + traffic.l2_write_bytes;
  model.dram_read_bytes = traffic.dram_read_bytes;
  model.dram_write_bytes = traffic.dram_write_bytes;
  model.waits = traffic.l1_waits + traffic.l2_waits + traffic.dram_waits;
  auto count = [](const std::array<std::uint32_t, 3>& dim) {
    return std::uint64_t{dim[0]} * dim[1] * dim[2];
  };
  std::uint64_t blocks = count(launch.grid), threads = count(launch.block);
  model.occupancy = occupancy_of(gpu, launch, threads);

  const Counters& c = launch.counters;
  double sms = static_cast<double>(std::min<std::uint64_t>(blocks, static_cast<std::uint64_t>(gpu.sms)));
  double cycles = sms * gpu.clock_hz;  // SM cycles a second that this launch can use
  double load_store_cycles = static_cast<double>(
      std::max(launch.data_stage_cycles + c.global_store.lines + c.global_atom.sectors + c.global_red.sectors,
               traffic.port_cycles));
  load_store_cycles += SharedLoops::kBusyCycles * static_cast<double>(traffic.loop_rounds);
  const double issue_slots =
      launch.issue_slots + SharedLoops::kSlots * static_cast<double>(traffic.loop_rounds);
  // One warp's own time, were it alone; and what a block costs before its first and after its last
  // instruction. An SM goes through them once for each of the rounds in which it takes its blocks.
  double block_warps = static_cast<double>((threads + kWarpSize - 1) / kWarpSize);
  const double of_dram = static_cast<double>(traffic.dram_waits) * gpu.dram_latency_cycles;
  const double waited = static_cast<double>(traffic.l1_waits) * gpu.l1_latency_cycles +
                        static_cast<double>(traffic.l2_waits) * gpu.l2_latency_cycles + of_dram;
  const double own_cycles = static_cast<double>(traffic.shared_waits) * gpu.shared_latency_cycles + waited +
                            static_cast<double>(traffic.loop_cycles) +
                            launch.issue_slots * gpu.instruction_cycles + launch.unit_cycles.waits;
  const double barrier_cycles =
      static_cast<double>(c.barriers) * (gpu.barrier_cycles + gpu.barrier_cycles_per_warp * block_warps);
  double block_cycles = gpu.block_cycles + gpu.block_cycles_per_warp * block_warps;
  double warps = static_cast<double>(std::max<std::uint64_t>(traffic.warps, 1));
  double resident = std::max(static_cast<double>(model.occupancy.blocks_per_sm), 1.0) * sms;
  double rounds = std::max(ratio(static_cast<double>(blocks), resident), 1.0);

  Uneven uneven = uneven_work(gpu, traffic, model.occupancy.blocks_per_sm, block_warps, rounds,
                              ratio(waited, static_cast<double>(model.waits)));
  if (takes_from_queue(c, blocks)) uneven.lines = uneven.issue = uneven.places = 1;

  const double dram = dram_seconds(gpu, traffic);
  model.terms = {
      {"DRAM", dram},
      {"L2", l2_seconds(gpu, traffic)},
      {"load-store", ratio(load_store_cycles, cycles) * uneven.lines},
      // A product of integers takes one of a scheduler's two kinds of units twice as long as it is issued,
      // logic the other one.
      {"issue", ratio(std::max({issue_slots / kSchedulers, launch.unit_cycles.products,
                                launch.unit_cycles.bits, launch.unit_cycles.constants}),
                      cycles) *
                    uneven.issue},
      {"special functions",
       ratio(static_cast<double>(c.special_functions) / kSpecialLanes + launch.unit_cycles.special, cycles) *
           uneven.issue},
      {"block launch", ratio(static_cast<double>(blocks), gpu.blocks_per_second)},
  };
  const auto latency = [&](double longer) {
    return ratio(
        (((own_cycles + longer) * uneven.warps + barrier_cycles) / warps * uneven.places + block_cycles) *
            rounds,
        gpu.clock_hz);
  };
  // The share of the time in which DRAM moves bytes: as if no load waited for that.
  double longest = latency(0);
  for (const ModelTerm& term : model.terms) longest = std::max(longest, term.seconds);
  model.terms.push_back({"latency", latency(kLoadedDram * ratio(dram, longest) * of_dram)});
  // Of kernels that have them: a term that others lack would be one more zero in each of their reports.
  if (traffic.atomic_turns != 0) model.terms.push_back({"atomics", atomic_seconds(gpu, c, traffic)});
  if (launch.tensor_cycles != 0)
    model.terms.push_back({"tensor", ratio(launch.tensor_cycles, cycles) * uneven.issue});
  if (launch.unit_cycles.fp64 != 0)
    model.terms.push_back(
        {"fp64", ratio(launch.unit_cycles.fp64 * kFp64Lanes, cycles * gpu.fp64_lanes_per_sm) * uneven.issue});
  if (const double seconds = fill_and_drain(model, traffic, rounds); seconds > 0)
    model.terms.push_back({std::string(kFillAndDrain), seconds});
  model.decide(gpu.launch_overhead_s);
  return model;
}

LaunchModel model_copy(const GpuProfile& gpu, const CacheTraffic& traffic) {
  LaunchModel model;
  model.gpu = gpu.name;
  model.l2_bytes = traffic.l2_read_bytes + traffic.l2_write_bytes;
  model.dram_read_bytes = traffic.dram_read_bytes;
  model.dram_write_bytes = traffic.dram_write_bytes;
  model.terms = {{"DRAM", dram_seconds(gpu, traffic)}, {"L2", l2_seconds(gpu, traffic)}};
  model.decide(gpu.launch_overhead_s);
  return model;
}

}  // namespace fusebox::sim

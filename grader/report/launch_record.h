#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/report/metric.h"

namespace fusebox {

/// Global-memory traffic of one direction, summed over warp instructions with at least one active lane.
/// A sector is 32 bytes, a line 128 bytes, aligned.
struct GlobalTraffic {
  std::uint64_t requests = 0;       ///< warp instructions
  std::uint64_t sectors = 0;        ///< distinct sectors of each request, summed
  std::uint64_t lines = 0;          ///< distinct lines of each request, summed
  std::uint64_t useful_bytes = 0;   ///< union of the bytes of each request, summed
  std::uint64_t ideal_sectors = 0;  ///< ceil(union / 32) of each request, summed
  std::uint64_t lanes = 0;          ///< active lanes, summed
  bool operator==(const GlobalTraffic&) const = default;
};

/// Shared-memory traffic of one direction. conflicts = wavefronts - ideal_wavefronts.
struct SharedTraffic {
  std::uint64_t requests = 0;
  std::uint64_t wavefronts = 0;
  std::uint64_t ideal_wavefronts = 0;
  std::uint64_t lanes = 0;
  bool operator==(const SharedTraffic&) const = default;
};

/// Atomics and reductions on global memory.
struct AtomicTraffic {
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;
  std::uint64_t lanes = 0;
  std::uint64_t max_lanes_on_one_address = 0;  ///< largest over all requests
  bool operator==(const AtomicTraffic&) const = default;
};

/// What bulk copies (cp.async.bulk) moved between global and shared memory, in sectors. They are no loads,
/// stores or atomics of any warp: the copy engine takes up to 128 bytes at a time, from a copy's first byte
/// on.
struct BulkTraffic {
  std::uint64_t load_sectors = 0, store_sectors = 0;
  std::uint64_t reduce_sectors = 0;  ///< cp.reduce
  std::uint64_t sectors() const { return load_sectors + store_sectors + reduce_sectors; }
  bool operator==(const BulkTraffic&) const = default;
};

struct RequestTraffic {
  std::uint64_t requests = 0, sectors = 0;
  bool operator==(const RequestTraffic&) const = default;
};

/// Exact counts of one launch. Every field is an integer and repeats from run to run.
struct Counters {
  GlobalTraffic global_load, global_store;
  AtomicTraffic global_atomic, shared_atomic;
  /// The global atomics once more, as the assembler has them: those whose old value nobody uses are `red`.
  RequestTraffic global_red, global_atom;
  SharedTraffic shared_load, shared_store;
  /// Loads and stores of shared memory as the assembler has them: neighbours joined, and where it turns a
  /// branch into predicates also those that no lane of the warp carries out.
  std::uint64_t shared_load_instructions = 0, shared_store_instructions = 0;
  BulkTraffic bulk;
  /// Of the sectors of global loads, stores and atomics: those of no buffer. They are the grid's workspace,
  /// in which blocks that wait at a grid-wide barrier look again and again.
  std::uint64_t waiting_sectors = 0;
  std::uint64_t waiting_atomics = 0;  ///< of the requests of global atomics: the same
  std::uint64_t local_load_requests = 0, local_store_requests = 0;  ///< of up to 4 bytes a lane
  std::uint64_t compulsory_read_bytes = 0;   ///< 32 x distinct sectors read in the launch
  std::uint64_t compulsory_write_bytes = 0;  ///< 32 x distinct sectors written in the launch
  std::uint64_t warp_instructions = 0;       ///< PTX instructions issued by a warp fragment
  std::uint64_t lane_instructions = 0;       ///< the same, times its lanes
  std::uint64_t flops = 0;                   ///< floating-point operations of active lanes; an fma is 2
  std::uint64_t matrix_flops = 0;            ///< of `flops`: those of tensor cores (mma, wmma, wgmma)
  std::uint64_t special_functions =
      0;  ///< of active lanes: reciprocal, root, exponential, logarithm, sine, tanh
  std::uint64_t branches = 0, divergent_branches = 0;
  std::uint64_t barriers = 0;  ///< warp arrivals at block barriers
  bool operator==(const Counters&) const = default;

  /// 32 x sectors of loads, stores, atomics and bulk copies: what the SMs asked for, but for waiting.
  std::uint64_t requested_bytes() const {
    return 32 * (global_load.sectors + global_store.sectors + global_atomic.sectors + bulk.sectors() -
                 waiting_sectors);
  }
  std::uint64_t compulsory_bytes() const { return compulsory_read_bytes + compulsory_write_bytes; }
};

/// One launch's traffic on one buffer, in bytes.
struct TensorTraffic {
  std::string tensor;
  std::uint64_t buffer_bytes = 0;
  std::uint64_t requested_read = 0, requested_write = 0;    ///< 32 x sectors; atomics count as both
  std::uint64_t compulsory_read = 0, compulsory_write = 0;  ///< 32 x distinct sectors
  bool operator==(const TensorTraffic&) const = default;
};

/// One source line's share of a launch.
struct LineTraffic {
  std::string file;
  int line = 0;
  std::uint64_t warp_instructions = 0, lane_instructions = 0;
  /// Of global memory. Bulk copies add sectors, and no requests or lanes.
  std::uint64_t requests = 0, sectors = 0, ideal_sectors = 0, lanes = 0;
  std::uint64_t bank_conflicts = 0;
  bool operator==(const LineTraffic&) const = default;
};

/// One warp instruction of a launch with all its lanes, as it was made: what the counters add up, kept to be
/// looked at. Taken from the first, the middle and the last block; instructions that differ in nothing but
/// their place are one sample.
struct AccessSample {
  std::string file;
  int line = 0;
  std::string space;        ///< "global" or "shared"
  std::string kind;         ///< "load", "store" or "atomic"
  std::string tensor;       ///< the buffer of the first lane; empty for shared memory
  std::uint32_t bytes = 0;  ///< per lane
  std::uint64_t block = 0;  ///< of the first such instruction
  std::uint32_t warp = 0;
  std::uint32_t lanes = 0;            ///< mask of the active ones
  std::vector<std::int64_t> offsets;  ///< [32] in the tensor, or in the block's shared memory; idle lanes: -1
  std::uint64_t requests = 0;         ///< how many of these blocks were like this one
  bool operator==(const AccessSample&) const = default;
};

/// A mistake that the device found: four facts (what, where in memory, which thread, which line), then one
/// sentence.
struct Fault {
  std::string
      kind;  ///< stable key: "out-of-bounds", "uninitialised-read", "misaligned", "barrier-divergence", ...
  std::string what;    ///< e.g. "out-of-bounds store of 4 bytes"
  std::string where;   ///< e.g. "4 bytes past the end of `out` (512 bytes)"; empty when no memory is involved
  std::string kernel;  ///< demangled
  std::array<std::uint32_t, 3> block{}, thread{};
  std::string file;
  int line = 0;             ///< 0: unknown
  std::string hint;         ///< what to try
  std::uint64_t count = 1;  ///< how many lanes did the same at this line in this launch
  /// Races: what nothing orders, "lanes" of one warp, "warps" of one block, "blocks" of one launch or
  /// "streams".
  std::string between{};
  int use_line = 0;    ///< loads: the line of `file` that first uses the value; 0: not known
  int other_line = 0;  ///< races: the line of `file` with the other access; 0: not known
  /// What the judge asks further, and no report holds: the buffer of global memory that was meant (empty: not
  /// known), whether a race is one of two stores; its size where it is an allocation that is too small, how
  /// far the launch reaches into it, and whether one is a multiple of the other as if elements had been
  /// counted in place of bytes.
  std::string buffer{};
  std::uint64_t buffer_bytes = 0, reach_bytes = 0;
  bool counted_in_elements = false, between_stores = false;
  bool operator==(const Fault&) const = default;
};

/// Threads that write the same value to one place happen to end well: worth a word, and no failure of a
/// program.
inline bool is_remark(const Fault& fault) { return fault.kind == "race-same-value"; }

/// What an SM can hold of a launch at once.
struct Occupancy {
  std::uint64_t blocks_per_sm = 0, warps_per_sm = 0;
  double ratio = 0;        ///< of the warps that an SM can hold at most
  std::string limited_by;  ///< "threads", "blocks", "registers" or "shared memory"
  bool operator==(const Occupancy&) const = default;
};

/// What one part of the machine needs for its share of a launch.
struct ModelTerm {
  std::string name;
  double seconds = 0;
  bool operator==(const ModelTerm&) const = default;
};

/// A term that no other goes on beside: what the first blocks do before the last of them have read, and the
/// last blocks afterwards.
inline constexpr std::string_view kFillAndDrain = "fill and drain";

/// How long the terms of a launch take together. They go on beside one another, but not perfectly: at least
/// as long as the longest, and less than all of them one after the other. It is the p-norm of the longer of
/// DRAM and L2 and of each other one; p was fitted (docs/hardware.md). kFillAndDrain comes to it.
double overlapped(const std::vector<ModelTerm>& terms);

/// A launch on a named GPU, by the cache and time model. Never exact; shown with the GPU's name.
struct LaunchModel {
  std::string gpu;
  std::uint64_t l2_bytes = 0, dram_read_bytes = 0, dram_write_bytes = 0;
  Occupancy occupancy;
  std::vector<ModelTerm> terms;
  std::string bound_by;  ///< the term that won
  double seconds = 0;    ///< launch overhead + overlapped(terms)
  /// How often a warp had to wait for what it had asked global memory for. Loads that are under way together
  /// are one wait.
  std::uint64_t waits = 0;
  /// The longest of `terms`, which are not empty, wins.
  void decide(double launch_overhead_s);
  /// What `seconds` has beside its terms.
  double overhead() const { return std::max(seconds - overlapped(terms), 0.0); }
  bool operator==(const LaunchModel&) const = default;
};

/// How long the units of an SM are busy that take longer over an instruction than a scheduler, in cycles,
/// summed over the SMs.
struct UnitCycles {
  double fp64 = 0;       ///< of units of 64 lanes
  double products = 0;   ///< of integers
  double bits = 0;       ///< logic, shifts, comparisons, selections: of units of 64 lanes
  double constants = 0;  ///< loads from constant memory at several addresses
  double special = 0;    ///< conversions, bit counts and parts of quotients: of the special-function units
  /// Of one warp, until it has the result, beyond what instructions take that are issued alone; over all
  /// warps.
  double waits = 0;

  UnitCycles& add(double times, const UnitCycles& other) {
    fp64 += times * other.fp64, products += times * other.products, bits += times * other.bits;
    constants += times * other.constants, special += times * other.special, waits += times * other.waits;
    return *this;
  }
  bool operator==(const UnitCycles&) const = default;
};

/// What happened in one kernel launch.
struct LaunchRecord {
  std::string kernel;  ///< demangled, without its parameter list
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t static_shared_bytes = 0, dynamic_shared_bytes = 0;
  std::optional<int> registers;    ///< per thread, from ptxas
  std::optional<int> spill_bytes;  ///< stores + loads, from ptxas
  Counters counters;
  // As the assembler has it; for the model, in no report:
  double issue_slots = 0;  ///< that its instructions take, estimated
  UnitCycles unit_cycles;  ///< the same of other units
  /// That L1's data stage is busy with loads, and with shared and local memory, summed over the SMs: a
  /// wavefront, of a load from global memory too, and a shuffle take a cycle each, a load of 16 bytes a lane
  /// from shared memory one more, one from local memory 12, and a sector that is stored to local memory one
  /// (bench/pipes, on an H200).
  std::uint64_t data_stage_cycles = 0;
  double tensor_cycles =
      0;  ///< that products of matrices keep an SM's tensor cores busy, summed over the SMs
  std::vector<TensorTraffic> tensors;  ///< in the order of the buffers; only those that were touched
  std::vector<LineTraffic> lines;      ///< sorted by file, then line
  std::vector<AccessSample> samples;   ///< sorted like `lines`; of the counted case
  std::vector<Fault> faults;
  std::optional<LaunchModel> model;
  Metric time;  ///< in seconds, with its source; absent when neither modelled nor measured
};

}  // namespace fusebox

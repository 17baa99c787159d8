#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/device/device.h"

// What the grader and the executor tell each other. Each message has one encoding and one way back, which
// refuses whatever is not exactly such a message.
namespace fusebox::gpu {

/// What the executor found on this machine.
struct DeviceInfo {
  std::string name;       ///< "NVIDIA H200"
  std::string driver;     ///< "580.159.04"; empty when it cannot be told
  std::int32_t cuda = 0;  ///< newest CUDA version that the driver knows, 13000 for 13.0
  std::int32_t compute_major = 0, compute_minor = 0, sms = 0;
  std::uint64_t l2_bytes = 0, global_bytes = 0;
  std::int32_t shared_bytes_per_sm = 0, max_shared_bytes_per_block = 0, max_shared_bytes_per_block_optin = 0;
  std::int32_t reserved_shared_bytes_per_block = 0, registers_per_sm = 0, max_threads_per_sm = 0;
  std::int32_t max_threads_per_block = 0, max_blocks_per_sm = 0;
  double clock_hz = 0;
  double dram_bytes_per_second = 0;  ///< memory clock x bus width: the data sheet's figure
  AddressRange range;                ///< reserved for buffers
  std::string kernel_times;          ///< how launches are timed one by one: "CUPTI 13.0", "events"
};

/// Runs a plan once, from defined contents.
struct ExecuteRequest {
  std::string ptx;
  std::vector<std::byte> cubin;
  LaunchPlan plan;
  std::vector<Buffer> buffers;
  bool measure = false;  ///< also time each of its operations
};

struct ExecuteReply {
  std::vector<std::vector<std::byte>> outputs;  ///< of each buffer
  std::vector<double> seconds;                  ///< of each launch, copy and memset; empty when not measured
};

/// Sent before each operation, so that a crash can be told with the kernel's name.
struct OpProgress {
  std::uint64_t op = 0;  ///< index into LaunchPlan::ops
};

/// Why the executor stops. After this it ends: an error on the device poisons its context.
struct Failure {
  std::int32_t code = 0;  ///< CUresult; 0: not an error of CUDA
  std::string name;       ///< "CUDA_ERROR_ILLEGAL_ADDRESS"
  std::string what;       ///< one clause
  std::int64_t op = -1;   ///< index into LaunchPlan::ops; -1: none of them is to blame
};

/// What a buffer is for, so that timed runs can be checked.
enum class BufferUse : std::uint8_t { input, output, both };

/// One kernel, or sequence of kernels, among those that are timed against each other.
struct TimedVariant {
  std::string name;
  std::uint32_t module = 0;       ///< into TimeRequest::modules
  std::vector<LaunchPlan> plans;  ///< the same work on each buffer set
};
struct TimedModule {
  std::string ptx;
  std::vector<std::byte> cubin;
};

/// out = x weight^T + bias by cuBLASLt, timed beside the variants: x [rows,inner], weight [columns,inner].
struct LinearRequest {
  std::uint32_t x = 0, weight = 0, bias = 0, out = 0;  ///< into the buffers of a set
  std::uint64_t rows = 0, inner = 0, columns = 0;      ///< rows = 0: not asked for
};

/// Rows normalised by cuDNN in fp32, timed beside the variants: x and out [rows,columns].
struct NormRequest {
  bool rms = false;         ///< RMSNorm: no bias, no statistics; else LayerNorm
  bool statistics = false;  ///< mean and rstd of each row are wanted too
  std::uint32_t x = 0, scale = 0, bias = 0, out = 0, mean = 0, rstd = 0;  ///< into the buffers of a set
  std::uint64_t rows = 0, columns = 0;                                    ///< rows = 0: not asked for
  float eps = 0;
};

/// Times variants against each other, launch by launch, in one process.
struct TimeRequest {
  std::vector<TimedModule> modules;
  std::vector<TimedVariant> variants;
  /// Buffers of each set; only those of the first carry contents, which all sets are given.
  std::vector<std::vector<Buffer>> sets;
  LinearRequest linear;
  NormRequest norm;
  std::vector<BufferUse> uses;   ///< of each buffer of a set
  std::uint64_t min_bytes = 0;   ///< bytes model: what one run must read and write
  std::uint32_t launches = 200;  ///< in a graph, about
  std::uint32_t samples = 15;    ///< of each kind and variant, at most
  double seconds = 2;            ///< for one kind of sample, about
  /// Hardware counters of each launch, by Nsight Compute's names of metrics; empty: not asked for.
  std::vector<std::string> counters;
};

/// What was measured of one variant. Samples of the same index were taken right after each other, so that
/// ratios of variants can be paired.
struct VariantTimes {
  std::string name;
  std::vector<double> graph;       ///< seconds of one run, out of a graph over rotated buffer sets
  std::vector<double> cold;        ///< seconds of one run that finds nothing in the caches
  std::vector<double> operations;  ///< median seconds of each launch, copy and memset; empty: unknown
  std::vector<double> gaps;        ///< median seconds between one and the next
  std::vector<std::vector<std::byte>> outputs;  ///< of output buffers of the last set, after the timed runs
  std::vector<std::vector<double>> counters;    ///< of each launch, as asked for; NaN: not on this GPU
  std::string problem;                          ///< why there are no times: "needs more memory than there is"
};

struct TimeReply {
  std::vector<VariantTimes> variants;   ///< as asked for
  std::vector<VariantTimes> baselines;  ///< what a library does: cuBLASLt, where it is installed
  VariantTimes copy;  ///< of min_bytes, half read and half written: the faster of a kernel and the driver's
  VariantTimes driver_copy;  ///< the same by cudaMemcpy
  VariantTimes large_copy;   ///< of 2 GiB
  std::uint64_t large_copy_bytes = 0;
  std::uint32_t runs_per_graph = 0;
  std::uint32_t dropped = 0;                    ///< samples during which the clock had fallen
  double sm_clock_hz = 0, memory_clock_hz = 0;  ///< while measuring; 0: unknown
  std::uint64_t rotated_bytes = 0;              ///< all buffer sets together
  std::string counters_problem;                 ///< why there are none
};

std::vector<std::byte> encode(const DeviceInfo& message);
std::vector<std::byte> encode(const ExecuteRequest& message);
std::vector<std::byte> encode(const ExecuteReply& message);
std::vector<std::byte> encode(const OpProgress& message);
std::vector<std::byte> encode(const Failure& message);
std::vector<std::byte> encode(const TimeRequest& message);
std::vector<std::byte> encode(const TimeReply& message);

/// T is one of the above. Absent: the bytes are no such message.
template <class T>
std::optional<T> decode(std::span<const std::byte> bytes);

}  // namespace fusebox::gpu

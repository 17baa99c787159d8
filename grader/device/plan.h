#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace fusebox {

/// An address as device code sees it. The grader never dereferences one; only the device that reserved it
/// may.
using DeviceAddress = std::uint64_t;

struct AddressRange {
  DeviceAddress begin = 0;
  std::uint64_t bytes = 0;
};

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

/// cudaMalloc by the host function itself: an intermediate buffer.
struct AllocOp {
  DeviceAddress address = 0;
  std::uint64_t bytes = 0;
};
struct FreeOp {
  DeviceAddress address = 0;
};
struct MemsetOp {
  DeviceAddress address = 0;
  std::uint64_t bytes = 0;
  std::uint8_t value = 0;
};
/// A copy whose source is a device buffer (host_bytes empty) or bytes of the host function (from == 0).
/// `symbol` names a __device__ or __constant__ variable as destination; `to` is then an offset into it.
struct CopyOp {
  DeviceAddress to = 0, from = 0;
  std::uint64_t bytes = 0;
  std::string symbol;
  std::vector<std::byte> host_bytes;
};
struct LaunchOp {
  std::string kernel;  ///< mangled, as in the PTX
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  std::vector<std::byte> arguments;  ///< laid out as the kernel's .param space
  Dim3 cluster = {};                 ///< blocks of a cluster; (1, 1, 1): as the kernel itself says
};

using PlanOp = std::variant<AllocOp, FreeOp, MemsetOp, CopyOp, LaunchOp>;

/// What an operation waits for: those before it on its stream, and `after`.
struct OpOrder {
  /// Of operations that the host carries out itself, such as cudaMalloc.
  static constexpr std::uint32_t kHost = ~std::uint32_t{0};
  std::uint32_t stream = 0;
  std::vector<std::uint32_t> after;  ///< indices of earlier operations
  bool operator==(const OpOrder&) const = default;
};

/// What the host function asked the device to do, in one order that its streams and events allow. Data: the
/// grader decides when, where and how often it runs.
struct LaunchPlan {
  std::vector<PlanOp> ops;
  /// One for each operation, where the host function made streams; empty: each waits for the one before it.
  std::vector<OpOrder> order = {};
  /// What whoever called the host function finds done, on the host and in the default stream: those
  /// operations and all before them. Where `order` is empty: everything.
  std::vector<std::uint32_t> done_for_the_caller = {};
  /// How many of the operations were asked for by calls before the last one: see RecordRequest.
  std::uint64_t of_calls_before = 0;

  /// One more operation in front of `ops[at]`, as if the host carried it out itself: in order with all.
  void insert(std::size_t at, PlanOp op);
};

/// Those of some operations that are launches.
std::vector<const LaunchOp*> launches_of(std::span<const PlanOp> ops);

}  // namespace fusebox

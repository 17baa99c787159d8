#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/device/device.h"
#include "grader/device/plan.h"
#include "grader/report/launch_record.h"

namespace fusebox {

/// The records of a run with the plan's copies and memsets put between them, each as a record of its own
/// ("copy on the device", "memset"): they move bytes too, and a kernel that is replaced by a copy has saved
/// nothing.
std::vector<LaunchRecord> operations_of(const LaunchPlan& plan, const Run& run,
                                        std::span<const Buffer> buffers,
                                        std::span<const std::string> intermediate_names);
/// Of what operations_of gives: a kernel, or a copy or memset.
bool is_kernel(const LaunchRecord& operation);

/// Traffic of each tensor, summed over the launches; in the order in which the tensors are first touched.
std::vector<TensorTraffic> ledger_of(std::span<const LaunchRecord> launches);

/// One tensor before and after fusing.
struct FusionLine {
  std::string tensor;
  std::optional<TensorTraffic> before, after;  ///< absent: that version does not touch it
  std::string remark;                          ///< "fused away"; empty when nothing is to be said
};

/// Tensors of `before` in their order, then those that only `after` has.
std::vector<FusionLine> fusion_ledger(std::span<const TensorTraffic> before,
                                      std::span<const TensorTraffic> after);

/// Compulsory bytes as passes over a tensor: "1x", "0.5x", "3x"; "-" for none.
std::string passes(std::uint64_t bytes, std::uint64_t buffer_bytes);

}  // namespace fusebox

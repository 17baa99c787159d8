#include "grader/device/cuda_launch.h"

#include <algorithm>
#include <cstring>

namespace fusebox::cuda {
namespace {

thread_local std::vector<CallConfiguration> calls;

}  // namespace

void push_call(const CallConfiguration& configuration) { calls.push_back(configuration); }

std::optional<CallConfiguration> pop_call() {
  if (calls.empty()) return std::nullopt;
  const CallConfiguration top = calls.back();
  calls.pop_back();
  return top;
}

LaunchOptions read_attributes(const LaunchConfig& config) {
  LaunchOptions options;
  for (unsigned i = 0; i < config.attribute_count && options.refused.empty(); ++i) {
    const LaunchAttribute& attribute = config.attributes[i];
    const Extent& cluster = attribute.value.cluster;
    switch (attribute.id) {
      case kAttributeIgnore:
      case kAttributePriority:
      case kAttributeAccessPolicy:  // advice, as are the next four
      case kAttributeClusterScheduling:
      case kAttributeMemoryDomainMap:
      case kAttributeMemoryDomain:
      case kAttributeSharedCarveout:
      case kAttributeProgrammaticStreamSerialization:  // one after the other is always allowed
        break;
      case kAttributeCooperative:
        options.cooperative = attribute.value.cooperative != 0;
        break;
      case kAttributeProgrammaticEvent:
      case kAttributeLaunchCompletionEvent:
        options.events.push_back(attribute.value.event);
        break;
      case kAttributeCluster:
        options.cluster = dim3_of(cluster);
        break;
      default:
        options.refused = "launch attribute " + std::to_string(attribute.id);
    }
  }
  return options;
}

std::vector<std::byte> pack_arguments(const KernelParameters& parameters, void** arguments) {
  std::vector<std::byte> packed(parameters.total_bytes);
  for (std::size_t i = 0; i < parameters.slots.size(); ++i) {
    const auto& [offset, bytes] = parameters.slots[i];
    std::memcpy(packed.data() + offset, arguments[i], bytes);
  }
  return packed;
}

FunctionAttributes function_attributes(const GpuProfile& gpu, const KernelParameters& parameters,
                                       std::uint64_t dynamic_shared_allowed) {
  FunctionAttributes attributes{};
  const int architecture = gpu.compute_major * 10 + gpu.compute_minor;
  attributes.shared_bytes = static_cast<std::size_t>(parameters.static_shared_bytes);
  attributes.max_threads_per_block = max_threads_per_block(gpu, parameters);
  attributes.registers = parameters.registers;
  attributes.ptx_version = architecture;
  attributes.binary_version = architecture;
  attributes.max_dynamic_shared_bytes =
      dynamic_shared_allowed > 0
          ? static_cast<int>(dynamic_shared_allowed)
          : std::max(0, gpu.max_shared_bytes_per_block - parameters.static_shared_bytes);
  attributes.preferred_shared_carveout = -1;
  return attributes;
}

Error set_function_attribute(const GpuProfile& gpu, const KernelParameters& parameters, int attribute,
                             int value, std::uint64_t& dynamic_shared_allowed) {
  if (attribute == kFunctionSharedCarveout) return value >= -1 && value <= 100 ? kSuccess : kInvalidValue;
  if (attribute != kFunctionMaxDynamicShared) return kNotSupported;
  if (value < 0 || value > gpu.max_shared_bytes_per_block_optin - parameters.static_shared_bytes)
    return kInvalidValue;
  dynamic_shared_allowed = static_cast<std::uint64_t>(value);
  return kSuccess;
}

}  // namespace fusebox::cuda

#include "grader/device/device_properties.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace fusebox::cuda {
namespace {

constexpr std::size_t kBytes12 = 1032, kBytes13 = 1008;
constexpr int kClockKhz12 = 348;  // clockRate went away in CUDA 13
constexpr std::size_t kNameBytes = 256;

constexpr int kWarp = 32;
constexpr int kMaxBlock[3] = {1024, 1024, 64};
constexpr int kMaxGrid[3] = {2147483647, 65535, 65535};
constexpr int kMaxPitch = 2147483647;
constexpr int kConstantBytes = 65536;
constexpr int kTextureAlignment = 512;
constexpr int kHighestAttribute =
    255;  // toolkits to come may ask more than today's 150 or so; then the answer is "no"

/// A field of type int or size_t: where it lies in each layout, and what it holds.
struct Field {
  std::size_t offset12, offset13;
  bool wide;  ///< size_t
  std::uint64_t value;
};

int shared_optin(const GpuProfile& gpu) {
  return std::max(gpu.max_shared_bytes_per_block, gpu.max_shared_bytes_per_block_optin);
}

std::uint64_t u64(int value) { return static_cast<std::uint64_t>(value); }

}  // namespace

void write_device_properties(const GpuProfile& gpu, const DeviceFeatures& features, PropertiesLayout layout,
                             void* target) {
  const bool old = layout == PropertiesLayout::cuda12;
  auto* bytes = static_cast<std::byte*>(target);
  std::memset(bytes, 0, old ? kBytes12 : kBytes13);
  const std::string name = gpu.full_name.substr(0, kNameBytes - 1);
  std::memcpy(bytes, name.data(), name.size());
  const Field fields[] = {
      {288, 288, true, gpu.global_bytes},                     // totalGlobalMem
      {296, 296, true, u64(gpu.max_shared_bytes_per_block)},  // sharedMemPerBlock
      {304, 304, false, u64(gpu.registers_per_sm)},           // regsPerBlock
      {308, 308, false, kWarp},                               // warpSize
      {312, 312, true, kMaxPitch},                            // memPitch
      {320, 320, false, u64(gpu.max_threads_per_block)},      // maxThreadsPerBlock
      {324, 324, false, u64(kMaxBlock[0])},                   // maxThreadsDim
      {328, 328, false, u64(kMaxBlock[1])},
      {332, 332, false, u64(kMaxBlock[2])},
      {336, 336, false, u64(kMaxGrid[0])},  // maxGridSize
      {340, 340, false, u64(kMaxGrid[1])},
      {344, 344, false, u64(kMaxGrid[2])},
      {352, 352, true, kConstantBytes},                            // totalConstMem
      {360, 360, false, u64(gpu.compute_major)},                   // major
      {364, 364, false, u64(gpu.compute_minor)},                   // minor
      {368, 368, true, kTextureAlignment},                         // textureAlignment
      {388, 384, false, u64(gpu.sms)},                             // multiProcessorCount
      {400, 392, false, features.mapped_host_memory},              // canMapHostMemory
      {652, 636, false, features.managed_memory},                  // managedMemory
      {676, 656, false, features.managed_memory},                  // concurrentManagedAccess
      {728, 704, false, features.mapped_host_memory},              // hostRegisterSupported
      {576, 560, false, 1},                                        // concurrentKernels
      {600, 584, false, 1},                                        // asyncEngineCount
      {604, 588, false, 1},                                        // unifiedAddressing
      {616, 596, false, gpu.l2_bytes},                             // l2CacheSize
      {624, 604, false, u64(gpu.max_threads_per_sm)},              // maxThreadsPerMultiProcessor
      {632, 612, false, 1},                                        // globalL1CacheSupported
      {636, 616, false, 1},                                        // localL1CacheSupported
      {640, 624, true, u64(gpu.shared_bytes_per_sm)},              // sharedMemPerMultiprocessor
      {648, 632, false, u64(gpu.registers_per_sm)},                // regsPerMultiprocessor
      {688, 668, false, 1},                                        // cooperativeLaunch
      {696, 672, true, u64(shared_optin(gpu))},                    // sharedMemPerBlockOptin
      {712, 688, false, u64(gpu.max_blocks_per_sm)},               // maxBlocksPerMultiProcessor
      {720, 696, true, u64(gpu.reserved_shared_bytes_per_block)},  // reservedSharedMemPerBlock
      {744, 720, false, 1},                                        // memoryPoolsSupported
  };
  for (const Field& field : fields)
    std::memcpy(bytes + (old ? field.offset12 : field.offset13), &field.value, field.wide ? 8 : 4);
  if (old) {
    const int clock_khz = static_cast<int>(gpu.clock_hz / 1000);
    std::memcpy(bytes + kClockKhz12, &clock_khz, sizeof clock_khz);
  }
}

std::optional<int> device_attribute(const GpuProfile& gpu, const DeviceFeatures& features, int attribute) {
  switch (attribute) {  // the numbers of cudaDeviceAttr
    case 1:
      return gpu.max_threads_per_block;
    case 2:
    case 3:
    case 4:
      return kMaxBlock[attribute - 2];
    case 5:
    case 6:
    case 7:
      return kMaxGrid[attribute - 5];
    case 8:
      return gpu.max_shared_bytes_per_block;
    case 9:
      return kConstantBytes;
    case 10:
      return kWarp;
    case 11:
      return kMaxPitch;
    case 12:
    case 82:
      return gpu.registers_per_sm;
    case 13:
      return static_cast<int>(gpu.clock_hz / 1000);
    case 14:
      return kTextureAlignment;
    case 15:
    case 31:
    case 40:
    case 41:
      return 1;  // overlap, concurrent kernels, async engines, unified addressing
    case 16:
      return gpu.sms;
    case 19:  // mapped host memory
    case 99:  // host registration
      return features.mapped_host_memory;
    case 83:
    case 89:  // managed memory, and the host may touch it at any time
      return features.managed_memory;
    case 38:
      return static_cast<int>(gpu.l2_bytes);
    case 39:
      return gpu.max_threads_per_sm;
    case 75:
      return gpu.compute_major;
    case 76:
      return gpu.compute_minor;
    case 79:
    case 80:
      return 1;  // L1 caches global and local memory
    case 81:
      return gpu.shared_bytes_per_sm;
    case 95:
      return 1;  // cooperative launch
    case 97:
      return shared_optin(gpu);
    case 106:
      return gpu.max_blocks_per_sm;
    case 111:
      return gpu.reserved_shared_bytes_per_block;
    case 115:
      return 1;  // cudaMallocAsync
    default:
      break;
  }
  if (attribute < 1 || attribute > kHighestAttribute) return std::nullopt;
  return 0;
}

}  // namespace fusebox::cuda
